"""How long things take, and how much memory: a table, not a test.

Run ``python tests/benchmarks/run.py`` on a quiet machine. Real data are looked for where the tests
look for them. "Cold" is the first fit of a process that has imported everything; "new process"
counts imports too.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import bayesjudge as bj
from bayesjudge.studies.anchor.insertion import draw_insertion
from bayesjudge.studies.anchor.simulation import DEFAULT, draw_arrival

SHARED = Path(os.environ.get("BAYESJUDGE_SHARED", Path(__file__).parents[3] / "shared")) / "data"
SETS = {"mtbench": (4.2, 0.7), "chatbot_arena": (4.8, 2.4), "ultrafeedback": (6.7, 3.3)}
SLACK = 1.2  # over the driver that these seconds were measured with
REPEATS = 5

MODE = """
import bayesjudge as bj
fit = bj.mode(bj.models.sensitivity, bj.read({path!r}, missing_length="keep"))
fit.covariance("sandwich", cluster="prompt").standard_error("score")
"""
SAMPLE = """
import time
import jax, numpyro, arviz, scipy.optimize, pandas
import bayesjudge as bj
data = bj.read({path!r}, missing_length="keep")
bj.nuts, bj.models
for seed in (1, 2, 3):
    start = time.perf_counter()
    bj.nuts(bj.models.sensitivity_pooled, data, seed=seed, progress=False)
    print(time.perf_counter() - start)
"""


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def median_seconds(function):
    function()
    return float(np.median([seconds(function) for _ in range(REPEATS)]))


def python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def data_path(name):
    return str(SHARED / f"{name}.csv.gz")


def mode_and_sandwich(data):
    fit = bj.mode(bj.models.sensitivity, data)
    return fit.covariance("sandwich", cluster="prompt").standard_error("score")


def mode_rows():
    path = data_path("mtbench")
    data = bj.read(path, missing_length="keep")
    new = float(np.median([seconds(lambda: python(MODE.format(path=path))) for _ in range(3)]))
    yield (
        "J+P mode and prompt sandwich, MT-Bench: warm",
        median_seconds(lambda: mode_and_sandwich(data)),
        0.3,
    )
    yield "the same: new process", new, 8.0


def sampler_rows():
    for name, (cold, warm) in SETS.items():
        first, *later = map(float, python(SAMPLE.format(path=data_path(name))).split())
        yield f"NUTS 4 x (500 + 1000), {name}: cold", first, SLACK * cold
        yield "the same: warm", min(later), SLACK * warm


MANY_JUDGES = """
import time
import numpy as np
import bayesjudge as bj
rng = np.random.default_rng(11)
def verdict(judge):
    first, second = rng.choice(8, 2, replace=False)
    wins = rng.random() < 1 / (1 + np.exp((first - second) / 4 - 0.2))
    return {{
        "item_first": f"item-{{first}}", "item_second": f"item-{{second}}", "judge": f"{{judge}}",
        "prompt": f"prompt-{{rng.integers(400)}}", "verdict": "first" if wins else "second",
    }}
data = bj.read([verdict(judge) for judge in range(1500) for _ in range(3)])
start = time.perf_counter()
{fit}
print(time.perf_counter() - start)
"""
MANY_JUDGES_FITS = {
    "NUTS": "bj.nuts(bj.models.sensitivity_pooled, data, seed=1, check=False, progress=False)",
    "J+P mode, prompt sandwich and tables": """
fit = bj.mode(bj.models.sensitivity, data).covariance()
bj.rank_table(fit), bj.judge_table(fit)
""",
}


def many_judges_rows():
    for name, fit in MANY_JUDGES_FITS.items():
        taken = float(python(MANY_JUDGES.format(fit=fit)))
        yield f"{name}, 1,500 judges with three verdicts each: cold", taken, 60.0


def rank_row():
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bayesjudge", "rank", data_path("mtbench")]
        run = lambda: subprocess.run([*command, "--out", folder], capture_output=True, check=True)  # noqa: E731
        yield "bayesjudge rank, MT-Bench: new process", seconds(run), 25.0


PATH = """
import time
import numpy as np
import bayesjudge as bj
from bayesjudge.studies.dial.panel import DialSettings, dial_panel
panel = dial_panel(DialSettings(n_items=20, n_judges=21, verdicts=80_000, votes=800), seed=1)
bj.nuts, bj.models
for _ in range(6):
    start = time.perf_counter()
    path = bj.calibration.weight_path(bj.models.calibrated, panel.judges, panel.humans)
    path.covariance(path.candidates[3].weight, "cell").of("human_score")
    print(time.perf_counter() - start)
"""
SIMULATION = """
import time
from bayesjudge.studies.dial.simulation import dial_simulation
from bayesjudge.studies.runner.runner import run_study
start = time.perf_counter()
run_study(dial_simulation("2 top"), 50, seed=2609, n_jobs=2, progress=False)
print(time.perf_counter() - start)
"""


def calibration_rows():
    cold, *warm = map(float, python(PATH).split())
    yield "seven weights, GACV, cell sandwich, 20 x 21, 7,980 cells: cold", cold, 10.0
    yield "the same: warm", float(np.median(warm)), 0.3
    yield "50 replications of DIAL figure 2, top row", float(python(SIMULATION)), 180.0


def simulated(n_rows, seed=1, n_items=20, n_judges=21):
    rng = np.random.default_rng(seed)
    prompts = n_rows // n_judges
    score, slope = rng.normal(size=n_items), np.exp(rng.normal(0, 0.4, n_judges))
    position = rng.normal(0.3, 0.6, n_judges)
    first = rng.integers(n_items, size=prompts)
    second = (first + rng.integers(1, n_items, size=prompts)) % n_items
    log_odds = slope * (score[first] - score[second])[:, None] + position
    won = rng.random(log_odds.shape) < 1 / (1 + np.exp(-log_odds))
    size = won.size
    return bj.Comparisons(
        items=tuple(f"item-{i:02d}" for i in range(n_items)),
        judges=tuple(f"judge-{k:02d}" for k in range(n_judges)),
        prompts=tuple(f"{g:06d}" for g in range(prompts)),
        first=np.repeat(first, n_judges),
        second=np.repeat(second, n_judges),
        verdict=np.where(won, 0, 2).ravel(),
        judge=np.tile(np.arange(n_judges), prompts),
        prompt=np.repeat(np.arange(prompts), n_judges),
        human=np.zeros(n_judges, dtype=bool),
        order_known=np.ones(size, dtype=bool),
        weight=np.ones(size),
        repeat=np.ones(size, dtype=int),
        source_row=np.arange(size),
    )


def growth_rows():
    small, large = simulated(30_000), simulated(300_000)
    sample = lambda data: bj.nuts(  # noqa: E731
        bj.models.sensitivity_pooled, data, seed=1, progress=False
    )
    took = {}
    for label, data in (("30,000", small), ("300,000", large)):
        took[label, "mode"] = median_seconds(lambda data=data: mode_and_sandwich(data))
        sample(data)
        took[label, "NUTS"] = min(seconds(lambda data=data: sample(data)) for _ in range(3))
    for what in ("mode", "NUTS"):
        few, many = took["30,000", what], took["300,000", what]
        yield f"{what}, 30,000 verdicts (21 judges, 20 items): warm", few, None
        yield f"{what}, 300,000 of the same panel: warm", many, 1.5 * few
    total = [took[label, "mode"] + took[label, "NUTS"] for label in ("30,000", "300,000")]
    yield "ratio of 300,000 to 30,000, mode and NUTS", total[1] / total[0], 1.5


def memory_row():
    own, children = (
        resource.getrusage(who).ru_maxrss / 2**20
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    yield "peak memory of any process above, GB", max(own, children), 2.0


def placement_rows():
    drawn = draw_arrival(DEFAULT, 1)

    def contrasts(cluster):
        fit = bj.new_items.orthogonal(
            bj.models.new_item, *drawn.designs, drawn.roster, folds=10, seed=1
        )
        return bj.new_items.placement(fit, cluster).contrasts()

    for cluster in ("row", "prompt"):
        what = f"ANCHOR, ten folds, all contrasts by {cluster}, 8,500 rows: warm"
        yield what, median_seconds(lambda cluster=cluster: contrasts(cluster)), 0.3
    insertion = draw_insertion({"gap": 0.2}, 1)
    history = bj.new_items.fit_history(*insertion.history, folds=10)
    arrival = insertion.arrivals[4]
    place = lambda: bj.new_items.place(history, arrival).contrasts()  # noqa: E731
    yield "place one item by a fitted history, 500 verdicts: warm", median_seconds(place), 0.1


def main():
    table = Table("what", "seconds", "bound", title="bayesjudge benchmarks")
    groups = (
        mode_rows,
        sampler_rows,
        many_judges_rows,
        calibration_rows,
        placement_rows,
        rank_row,
        growth_rows,
        memory_row,
    )
    for rows in groups:
        for what, value, bound in rows():
            limit = "" if bound is None else f"{bound:.2f}"
            table.add_row(what, f"{value:.2f}", limit, style=None if _kept(value, bound) else "red")
    Console(width=110).print(table)


def _kept(value, bound):
    return bound is None or value <= bound


if __name__ == "__main__":
    main()
