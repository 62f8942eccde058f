import matplotlib
import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

import bayesjudge as bj
from bayesjudge.errors import UnknownFitError
from bayesjudge.studies.order.attenuation_table import attenuation_table
from bayesjudge.studies.order.conditional_position import conditional_position
from bayesjudge.studies.order.plots import plot_attenuation
from bayesjudge.studies.order.swaps import swap_table


@pytest.fixture(scope="module")
def table(balanced_panel):
    return attenuation_table(balanced_panel, "judge-3")


@pytest.fixture(scope="module")
def vicuna(real_data):
    data = real_data("vicuna80")
    return data, bj.mode(bj.models.sensitivity, data)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ultrafeedback", 0.04447), ("mtbench", 0.05803), ("chatbot_arena", 0.01068)],
)
def test_table_d1(real_data, name, expected):
    data = real_data(name)
    reference = next(judge for judge in data.judges if "Qwen3-235B" in judge)
    found = attenuation_table(data, reference).median_discrepancy
    assert found == pytest.approx(expected, abs=5e-6)


def test_columns_belong_together(table):
    assert table["judge"].tolist() == ["judge-1", "judge-2", "judge-3"]
    ratio = table["sensitivity_without"] / table["sensitivity_with"]
    np.testing.assert_allclose(table["ratio"], ratio)
    np.testing.assert_allclose(table["predicted_ratio"], 1 - table["net_first_preference"] ** 2)
    gap = np.log(ratio) - np.log(table["predicted_ratio"])
    np.testing.assert_allclose(table["discrepancy"], gap)
    assert table.median_discrepancy == pytest.approx(np.median(np.abs(gap)))


def test_balanced_orders_follow_the_prediction(table):
    assert table["ratio"].iloc[0] < 0.85
    assert table.median_discrepancy < 0.02


def test_a_part_of_the_table_keeps_its_summary(table):
    assert table.head(1).median_discrepancy == pytest.approx(abs(table["discrepancy"].iloc[0]))


def overlaps(one, other):
    ends = ("_lower", "_upper")
    (low, high), (low_other, high_other) = (
        [frame[f"{name}{end}"].to_numpy() for end in ends] for frame, name in (one, other)
    )
    return (low <= high_other) & (low_other <= high)


def test_swaps_and_model_agree_on_position(vicuna):
    """Matched swaps without a model against J+P; bard's D is too large for a mean over gaps."""
    data, fit = vicuna
    swaps, modelled = swap_table(data), bj.judge_table(fit)
    agree = overlaps((swaps, "swap_preference"), (modelled, "net_first_preference"))
    assert agree.sum() >= 4
    assert modelled["judge"][~agree].tolist() == ["bard"]


def test_the_model_averaged_over_gaps_is_the_swap_preference(vicuna):
    """The two differ in what they estimate: at equal quality, or over the gaps there are."""
    data, fit = vicuna
    score, slope = fit.quantity("reference_score").values, fit.quantity("sensitivity").values
    gap = slope[data.judge] * (score[data.first] - score[data.second])
    won = expit(gap + fit.quantity("position").values[data.judge])
    total = np.bincount(data.judge)
    implied = 2 * np.bincount(data.judge, won) / total - 1
    np.testing.assert_allclose(implied, swap_table(data)["swap_preference"], atol=0.006)


def test_position_within_prompts_is_stronger_than_across(vicuna):
    """Why the two position effects differ: what each is conditional on.

    The conditional one holds a prompt's own quality fixed and leaves ties out. The model's is that
    of a prompt drawn at random, which is flatter (non-collapsibility), and counts ties as half.
    Only vicuna-13b, which hardly ties, shows no spread between prompts; there they agree.
    """
    data, fit = vicuna
    found, modelled = conditional_position(data), bj.judge_table(fit)
    clear = found["position"].abs() > found["standard_error"] * 3
    further = found["position"].abs() > modelled["position"].abs()
    assert further[clear & (found["judge"] != "vicuna-13b")].all()
    agree = overlaps((found, "position"), (modelled, "position"))
    assert agree[found["judge"].tolist().index("vicuna-13b")]


def test_figure_shows_theory_and_judges(table):
    figure = plot_attenuation(table)
    assert isinstance(figure, matplotlib.figure.Figure)
    theory, judges = figure.axes
    _, curve, local = theory.lines
    assert curve.get_ydata()[-1] == pytest.approx(0.07715, abs=5e-6)
    assert local.get_ydata()[-1] == pytest.approx(1 / np.cosh(2) ** 2)
    assert (judges.get_xscale(), judges.get_yscale()) == ("log", "log")
    points = judges.lines[1]
    np.testing.assert_allclose(points.get_xdata(), table["predicted_ratio"])
    np.testing.assert_allclose(points.get_ydata(), table["ratio"])
    assert judges.texts[0].get_text() == "judge-1"
    assert len(figure._repr_png_()[0]) > 10_000


def test_names_do_not_meet():
    rng = np.random.default_rng(2)
    predicted = np.concatenate([rng.uniform(0.1, 0.9, 8), np.full(30, 0.97)])
    names = [f"organisation/A-long-name-of-a-judge-{i}-Instruct" for i in range(38)]
    ratio = predicted * rng.lognormal(0, 0.2, 38)
    frame = pd.DataFrame({"judge": names, "predicted_ratio": predicted, "ratio": ratio})
    figure = plot_attenuation(frame)
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[1].texts]
    assert 1 <= len(boxes) <= 6
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_judges_without_a_ratio_are_counted(table):
    frame = pd.DataFrame(table).assign(ratio=[np.nan, 0.9, 0.0])
    assert "2 without a ratio" in plot_attenuation(frame).axes[1].get_title(loc="left")
    with pytest.raises(UnknownFitError, match="no column"):
        plot_attenuation(frame.drop(columns="ratio"))
    with pytest.raises(UnknownFitError, match="nothing to draw"):
        plot_attenuation(frame.assign(ratio=np.nan))
