"""The runner on a toy study that needs no JAX: means of normal draws with known squared error."""

import json
import math
import sys
from dataclasses import replace

import cloudpickle
import joblib
import numpy as np
import pytest

from bayesjudge.errors import (
    DamagedRecordError,
    ForeignFolderError,
    InvalidStudyError,
    StudyFailedError,
)
from bayesjudge.studies.runner.records import DEFINITION, LINES
from bayesjudge.studies.runner.replication import replication_seed
from bayesjudge.studies.runner.runner import run_study
from bayesjudge.studies.runner.study import Study, grid

REPLICATIONS = 12


def draw(setting, seed):
    return np.random.default_rng(seed).normal(size=setting["size"])


def squared_errors(drawn, estimates):
    return [
        {"estimator": name, "metric": "squared error", "value": value**2}
        for name, value in estimates.items()
    ]


def first_or_fail(drawn):
    if drawn[0] > 0.5:
        raise ValueError(f"the first draw is {drawn[0]:.3f}")
    return drawn[0]


TOY = Study(
    "toy",
    grid(size=[5, 20], noise=["normal"]),
    draw,
    {"mean": np.mean, "median": np.median},
    squared_errors,
)


def run(study=TOY, replications=REPLICATIONS, seed=1, **settings):
    return run_study(study, replications, seed=seed, progress=False, **settings)


def same(one, other):
    return one.rows.equals(other.rows) and one.failures.equals(other.failures)


class Hand:
    """Stops the draw of `interrupted_draw` after a number of calls."""

    calls_left = 0


def interrupted_draw(setting, seed):
    if Hand.calls_left == 0:
        raise KeyboardInterrupt
    Hand.calls_left -= 1
    return draw(setting, seed)


def test_means_are_right_within_monte_carlo_error():
    table = run(replications=400).table()
    means = table[table["estimator"] == "mean"]
    # E(mean^2) = 1 / size; 4.5 standard errors: false alarms once in 70,000 runs
    assert ((means["mean"] - 1 / means["size"]).abs() < 4.5 * means["mc_error"]).all()
    assert (table["replications"] == 400).all()
    assert (table["failures"] == 0).all()


def test_monte_carlo_error_is_the_spread_by_the_root_of_the_replications():
    result = run()
    values = result.rows.query("size == 5 and estimator == 'mean'")["value"]
    row = result.table().query("size == 5 and estimator == 'mean'").iloc[0]
    assert row["mean"] == pytest.approx(values.mean())
    assert row["mc_error"] == pytest.approx(values.std() / math.sqrt(REPLICATIONS))


def test_paired_difference_is_the_mean_of_differences():
    result = run()
    wide = result.rows.pivot_table("value", ["size", "replication"], "estimator")
    gap = (wide["median"] - wide["mean"]).groupby("size")
    found = result.difference("squared error", "median", "mean")
    assert found["mean"].tolist() == pytest.approx(gap.mean().tolist())
    assert found["mc_error"].tolist() == pytest.approx(gap.sem().tolist())
    with pytest.raises(InvalidStudyError, match="'mode' has no value"):
        result.difference("squared error", "mode", "mean")


def test_a_result_shows_its_size_and_its_table():
    result = run()
    assert (
        repr(result)
        == f"StudyResult('toy', 2 settings, {REPLICATIONS} replications of each, 0 failures)"
    )
    assert "toy: mean over replications" in result._repr_html_()


@pytest.mark.parametrize("workers", [2, 3])
def test_threads_do_not_change_the_numbers(workers):
    with joblib.parallel_config("threading"):
        assert same(run(n_jobs=workers), run(n_jobs=1))


def test_processes_do_not_change_the_numbers():
    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import tests
    try:
        with joblib.parallel_config("loky"):
            assert same(run(n_jobs=2), run())
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def test_a_dask_cluster_does_not_change_the_numbers():
    distributed = pytest.importorskip("distributed", reason="dask is not installed (extra: dask)")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    )
    with cluster, distributed.Client(cluster), joblib.parallel_config("dask"):
        assert same(run(), run(n_jobs=1))


def test_the_order_of_settings_does_not_change_the_numbers():
    other = replace(TOY, settings=TOY.settings[::-1])
    order = ["size", "replication", "estimator"]
    forward, backward = (run(each).rows.sort_values(order) for each in (TOY, other))
    assert forward.reset_index(drop=True).equals(backward.reset_index(drop=True))


def test_more_replications_keep_those_before():
    rows = run(replications=REPLICATIONS + 3).rows
    kept = rows[rows["replication"] < REPLICATIONS].reset_index(drop=True)
    assert kept.equals(run().rows)


def test_seeds_differ_by_seed_setting_and_replication():
    keys = [(1, {"size": 5}, 0), (2, {"size": 5}, 0), (1, {"size": 6}, 0), (1, {"size": 5}, 1)]
    assert len({replication_seed(*key) for key in keys}) == len(keys)


def test_an_interrupted_run_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(Hand, "calls_left", 17)
    study = replace(TOY, draw=interrupted_draw)
    with pytest.raises(KeyboardInterrupt):
        run(study, folder=tmp_path)
    kept = len((tmp_path / LINES).read_text().splitlines())
    assert 0 < kept < 17
    Hand.calls_left = 2 * REPLICATIONS - kept
    assert same(run(study, folder=tmp_path), run())
    assert Hand.calls_left == 0  # not one draw more than was missing


def test_a_line_cut_short_is_run_again(tmp_path):
    whole = run(folder=tmp_path)
    lines = tmp_path / LINES
    lines.write_text(lines.read_text()[:-30])
    assert same(run(folder=tmp_path), whole)
    assert len(lines.read_text().splitlines()) == 2 * REPLICATIONS


def test_a_folder_extends_to_more_replications_and_settings(tmp_path):
    run(folder=tmp_path, replications=3)
    wider = replace(TOY, settings=grid(size=[5, 20, 80], noise=["normal"]))
    assert same(run(wider, folder=tmp_path), run(wider))


@pytest.mark.parametrize(
    ("study", "seed", "named"),
    [
        (replace(TOY, name="other"), 1, "study"),
        (TOY, 2, "seed"),
        (replace(TOY, estimators={"mean": np.mean}), 1, "estimators"),
        (replace(TOY, metrics=lambda drawn, estimates: squared_errors(drawn, estimates)), 1, "met"),
    ],
)
def test_a_foreign_folder_is_refused(tmp_path, study, seed, named):
    run(folder=tmp_path)
    before = (tmp_path / LINES).read_bytes()
    with pytest.raises(ForeignFolderError, match=f"with another {named}"):
        run(study, seed=seed, folder=tmp_path)
    assert (tmp_path / LINES).read_bytes() == before


def test_records_without_a_definition_are_refused(tmp_path):
    run(folder=tmp_path)
    (tmp_path / DEFINITION).unlink()
    with pytest.raises(ForeignFolderError, match="holds replications and no"):
        run(folder=tmp_path)


@pytest.mark.parametrize("line", ["not json", "[]", json.dumps({"setting": {}})])
def test_a_damaged_line_is_named(tmp_path, line):
    run(folder=tmp_path)
    path = tmp_path / LINES
    path.write_text(line + "\n" + path.read_text())
    with pytest.raises(DamagedRecordError, match="Line 1 of"):
        run(folder=tmp_path)


def test_a_damaged_definition_is_named(tmp_path):
    (tmp_path / DEFINITION).write_text("{}")
    with pytest.raises(DamagedRecordError, match="is not what a study writes"):
        run(folder=tmp_path)


def test_a_failure_is_counted_kept_and_never_averaged(tmp_path):
    study = replace(TOY, estimators={"mean": np.mean, "first": first_or_fail})
    result = run(study, folder=tmp_path)
    failed = result.failures
    assert 0 < len(failed) < 2 * REPLICATIONS
    assert failed["message"].str.match(r"ValueError: the first draw is \d\.\d{3}").all()
    table = result.table().set_index(["estimator", "size"])
    for size in (5, 20):
        row = table.loc[("first", size)]
        assert row["failures"] == (failed["size"] == size).sum()
        assert row["replications"] == REPLICATIONS - row["failures"]
        assert table.loc[("mean", size), ["replications", "failures"]].tolist() == [REPLICATIONS, 0]
    assert same(run(study, folder=tmp_path), result)  # nor is it tried again


def test_a_draw_that_fails_is_a_failure_of_every_estimator():
    def fragile(setting, seed):
        return draw(setting, seed if seed % 2 else "a word")

    result = run(replace(TOY, draw=fragile))
    table = result.table()
    assert (result.failures["estimator"] == "").all()
    assert (table["replications"] + table["failures"] == REPLICATIONS).all()
    assert (table["failures"] > 0).all()


def test_an_estimator_that_never_works_has_a_row():
    def never(drawn):
        raise ArithmeticError("no")

    table = run(replace(TOY, estimators={"mean": np.mean, "never": never})).table()
    rows = table[table["estimator"] == "never"]
    assert rows["failures"].tolist() == [REPLICATIONS, REPLICATIONS]
    assert rows["mean"].isna().all()


def test_a_number_that_is_not_finite_is_a_failure():
    study = replace(TOY, estimators={"mean": np.mean, "nothing": lambda drawn: math.nan})
    result = run(study)
    assert (result.failures["metric"] == "squared error").all()
    assert set(result.rows["estimator"]) == {"mean"}


def test_a_study_without_any_number_is_an_error():
    def broken(drawn, estimates):
        raise TypeError("wrong")

    with pytest.raises(StudyFailedError, match="TypeError: wrong"):
        run(replace(TOY, metrics=broken))
    with pytest.raises(StudyFailedError, match="gave no row"):
        run(replace(TOY, metrics=lambda drawn, estimates: []))


@pytest.mark.parametrize(
    "row",
    [
        {"metric": "x", "value": 1.0},
        {"estimator": "mode", "metric": "x", "value": 1.0},
        {"estimator": "mean", "metric": "x", "value": "one"},
        {"estimator": "mean", "metric": "x", "value": 1.0, "size": 5},
        7,
    ],
)
def test_malformed_rows_are_named(row):
    with pytest.raises(InvalidStudyError, match="The metrics of 'toy' gave"):
        run(replace(TOY, metrics=lambda drawn, estimates: [row]))


def test_a_metric_given_twice_is_named():
    twice = [{"estimator": "mean", "metric": "x", "value": 1.0}] * 2
    with pytest.raises(InvalidStudyError, match="twice"):
        run(replace(TOY, metrics=lambda drawn, estimates: twice))


@pytest.mark.parametrize(
    "settings",
    [
        [],
        [{"size": 5}, {"length": 5}],
        [{"size": 5}, {"size": 5}],
        [{"size": 5, "value": 1}],
        [{"size": [5]}],
    ],
)
def test_malformed_settings_are_named(settings):
    with pytest.raises(InvalidStudyError):
        replace(TOY, settings=settings)


def test_no_replications_are_named():
    with pytest.raises(InvalidStudyError, match="one or more"):
        run(replications=0)


def test_progress_changes_nothing():
    assert same(run_study(TOY, REPLICATIONS, seed=1), run())
