from itertools import combinations

import matplotlib
import numpy as np
import pytest
import xarray as xr

import bayesjudge as bj
from bayesjudge.errors import UnknownFitError, UnknownQuantityError
from bayesjudge.plots.forest_rows import Lines, farthest

LONG = "an-organisation/A-Name-of-a-System-{}-405B-Instruct-with-$everything$-and-more-of-it"


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def texts(figure):
    axes = figure.axes[0]
    named = [*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts, *figure.texts]
    if axes.get_legend():
        named += axes.get_legend().get_texts()
    return [text for text in [*named, axes.xaxis.label] if text.get_text().strip()]


def demand_legible(figure):
    """Every text is inside the figure, and no two texts meet."""
    figure.canvas.draw()
    boxes = [text.get_window_extent().padded(-0.5) for text in texts(figure)]
    for box in boxes:
        assert figure.bbox.padded(1).contains(box.x0, box.y0)
        assert figure.bbox.padded(1).contains(box.x1, box.y1)
    for (i, one), (j, other) in combinations(enumerate(boxes), 2):
        assert not one.overlaps(other), (texts(figure)[i], texts(figure)[j])


@pytest.fixture(params=[2, 8, 45])
def some_items(request, drawn):
    n = request.param
    scores = np.random.default_rng(n).normal(np.linspace(-9, 9, n), 1, (200, n))
    counts = 10.0 ** np.linspace(1, 6, n)
    return drawn(scores, [LONG.format(i) for i in range(n)], verdicts_by_item=counts)


def test_ranking(panel_posterior):
    figure = bj.plot_ranking(panel_posterior, prob=0.9)
    axes = figure.axes[0]
    assert labels(axes.yaxis) == bj.rank_table(panel_posterior)["item"].tolist()
    assert "log-odds of an average judge" in axes.get_xlabel()
    assert "thick 50 %, thin 90 % intervals, NUTS" in axes.get_xlabel()
    assert [text.get_text() for text in axes.texts if text.get_text().isdigit()] == [
        str(n) for n in bj.rank_table(panel_posterior)["verdicts"]
    ]
    demand_legible(figure)


def test_ranking_draws_the_intervals(panel_mode):
    thin, thick, points = bj.plot_ranking(panel_mode).axes[0].collections
    table = bj.rank_table(panel_mode).sort_values("item")
    ends = np.array([segment[:, 0] for segment in thin.get_segments()])
    np.testing.assert_allclose(ends, table[["lower", "upper"]])
    np.testing.assert_allclose(points.get_offsets()[:, 0], table["score"])
    assert len(thick.get_segments()) == 8


def test_several_fits_have_a_legend(panel_mode, panel_posterior):
    figure = bj.plot_ranking({"posterior": panel_posterior, "robust": panel_mode})
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend == ["posterior (NUTS)", "robust (sandwich by prompt)"]
    assert len(figure.axes[0].collections) == 6
    demand_legible(figure)


def test_a_legend_does_not_say_a_method_twice(panel_mode, panel_posterior):
    figure = bj.plot_ranking({"sandwich": panel_mode, "nuts": panel_posterior})
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend == ["sandwich by prompt", "NUTS"]


@pytest.fixture(scope="module")
def many_items(drawn):
    scores = np.random.default_rng(1).normal(np.linspace(3, -3, 300), 1, (50, 300))
    return drawn(scores, [f"item-{i}" for i in range(300)])


def test_of_very_many_items_the_best_are_drawn_and_the_picture_says_so(many_items):
    best = bj.rank_table(many_items)["item"].tolist()[:60]
    ranking, won = bj.plot_ranking(many_items), bj.plot_win_probability(many_items)
    assert labels(ranking.axes[0].yaxis) == labels(won.axes[0].yaxis) == best
    assert "60 of 300 items" in ranking.axes[0].get_xlabel()
    assert "The best 60 of 300 items." in won.texts[0].get_text()
    assert len(won.axes[0].texts) == 0
    assert max(won.get_size_inches()) < 15


def test_of_very_many_judges_those_farthest_from_zero_are_drawn():
    lines = Lines(
        "", list("abc"), np.array([0.1, -3.0, 2.0]), *np.zeros((2, 2, 3)), np.zeros(3) > 0, True
    )
    assert farthest(["c", "a", "b"], [lines], 2) == ["c", "b"]
    assert lines.of(["b"]).estimate.tolist() == [-3.0]


def test_equal_numbers_have_equal_ink(drawn):
    scores = np.random.default_rng(3).normal(np.linspace(-2, 2, 14), 1, (200, 14))
    figure = bj.plot_win_probability(drawn(scores, "abcdefghijklmn"))
    ink = {}
    for text in figure.axes[0].texts:
        ink.setdefault(text.get_text(), set()).add(text.get_color())
    assert all(len(colours) == 1 for colours in ink.values())
    assert len({colour for colours in ink.values() for colour in colours}) == 2


def test_strange_names_are_drawn_without_a_warning(drawn, tmp_path):
    names = ["x\ty", "\N{PARROT}", "\u202eabc", "L" * 400, "\x1b[31m", "$\\frac{1$", "\u4e2d"]
    fit = drawn(np.random.default_rng(0).normal(size=(50, 7)), names)
    for figure in (bj.plot_ranking({"$\\frac{1$": fit}), bj.plot_win_probability(fit)):
        figure.savefig(tmp_path / "figure.png")
        assert all(len(name) < 100 for name in labels(figure.axes[0].yaxis))


def test_fits_of_different_items(drawn, panel_mode):
    other = drawn([[1.0, 2.0], [1.5, 2.5]], ["alder", "zelkova"])
    figure = bj.plot_ranking({"one": panel_mode, "other": other})
    assert labels(figure.axes[0].yaxis)[-1] == "zelkova"
    demand_legible(figure)


def test_hollow_points_rest_on_the_prior(two_groups_mode):
    figure = bj.plot_ranking(two_groups_mode)
    assert "hollow: rests on the prior" in figure.axes[0].get_xlabel()
    assert (figure.axes[0].collections[-1].get_facecolor() == 1).all()


def test_position(panel_mode):
    figure = bj.plot_position(panel_mode)
    axes = figure.axes[0]
    table = bj.judge_table(panel_mode).sort_values("net_first_preference", ascending=False)
    assert labels(axes.yaxis) == table["judge"].tolist()
    words = {text.get_text() for text in axes.texts}
    assert {"← prefers second", "prefers first →"} <= words
    assert sum(axes.get_xlim()) == pytest.approx(0)
    demand_legible(figure)


def test_position_needs_a_position_term(two_items):
    with pytest.raises(UnknownQuantityError, match="net_first_preference"):
        bj.plot_position(two_items)


def test_win_probability(panel_posterior):
    figure = bj.plot_win_probability(panel_posterior)
    axes, bar = figure.axes
    ranked = bj.rank_table(panel_posterior)["item"].tolist()
    assert labels(axes.yaxis) == labels(axes.xaxis) == ranked
    won = bj.win_probability(panel_posterior)
    decided = ((won["lower"] > 0.5) | (won["upper"] < 0.5)).values
    assert len(axes.texts) == 8 * 7
    assert sum(text.get_fontweight() == "bold" for text in axes.texts) == decided.sum()
    value = float(won["win_probability"].sel(item=ranked[0], opponent=ranked[1]))
    assert axes.texts[0].get_text() == f"{value:.2f}".removeprefix("0")
    assert bar.get_ylim() == (0, 1)
    demand_legible(figure)


def test_cells_that_rest_on_the_prior_are_hatched(two_groups_mode, two_groups_draws):
    silent, drawn = (bj.plot_win_probability(f) for f in (two_groups_mode, two_groups_draws))
    for figure in (silent, drawn):
        assert len(figure.axes[0].patches) == 12
        assert "Hatched" in figure.texts[0].get_text()
    assert len(silent.axes[0].texts) == 20 - 12
    assert len(drawn.axes[0].texts) == 20


def test_names_never_meet(some_items):
    demand_legible(bj.plot_ranking(some_items))
    demand_legible(bj.plot_ranking({LONG: some_items, "another": some_items}))


def test_names_and_numbers_never_meet(some_items):
    figure = bj.plot_win_probability(some_items)
    if some_items.posterior.sizes["item"] < 45:  # 2,000 numbers lie on the same grid as 56
        demand_legible(figure)
    names = figure.axes[0].get_xticklabels()
    figure.canvas.draw()
    boxes = [name.get_window_extent() for name in names]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_two_items(two_items):
    demand_legible(bj.plot_ranking(two_items))
    demand_legible(bj.plot_win_probability(two_items))


def test_nothing_global_changes(panel_mode):
    import matplotlib.pyplot as plt

    settings, figures = dict(matplotlib.rcParams), plt.get_fignums()
    for plot in (bj.plot_ranking, bj.plot_position, bj.plot_win_probability):
        plot(panel_mode)
    assert dict(matplotlib.rcParams) == settings
    assert plt.get_fignums() == figures


def test_a_notebook_shows_a_figure_once(panel_mode):
    formatters = pytest.importorskip("IPython.core.formatters")
    shown, about = formatters.DisplayFormatter().format(bj.plot_ranking(panel_mode))
    assert shown["image/png"].startswith(b"\x89PNG")
    assert about["image/png"]["width"] > 400
    assert "text/html" not in shown


def test_no_fit_is_an_error():
    with pytest.raises(UnknownFitError, match="no fit to draw"):
        bj.plot_ranking({})
    with pytest.raises(UnknownFitError, match="of type int"):
        bj.plot_ranking(3)


@pytest.fixture(scope="module")
def disagreement():
    """Draws of judges who differ in one direction, all with long names."""
    rng = np.random.default_rng(0)
    place, direction = np.array([1.0, -0.5, -0.5]), np.linspace(-0.5, 1, 6)
    values = np.outer(place, direction) + 0.05 * rng.normal(size=(1, 100, 3, 6))
    sizes = {"judge": 3, "item": 6}
    dims = ("chain", "draw", *sizes)
    names = {dim: [LONG.format(f"{dim}-{i}") for i in range(n)] for dim, n in sizes.items()}
    data = xr.Dataset({"disagreement": (dims, values)}, coords=names)
    return xr.DataTree.from_dict({"/posterior": data})


def test_factors(disagreement):
    figure = bj.calibration.plot_factors(disagreement, prob=0.9)
    items, judges = figure.axes
    assert "judge-0" in labels(judges.yaxis)[0]
    assert "factor 1, 90 % intervals" in items.get_xlabel()
    figure.canvas.draw()
    boxes = [
        text.get_window_extent()
        for axes in figure.axes
        for text in (*axes.get_yticklabels(), axes.xaxis.label)
    ]
    assert all(figure.bbox.padded(1).contains(box.x0, box.y0) for box in boxes)
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_counts_that_differ_between_fits_are_headed_so(drawn):
    scores, items = np.random.default_rng(1).normal(size=(50, 3)), "abc"
    few, many = (drawn(scores, items, verdicts_by_item=np.full(3, n)) for n in (5.0, 50.0))
    words = {text.get_text() for text in bj.plot_ranking({"few": few, "many": many}).axes[0].texts}
    assert {"verdicts, by fit", "5 / 50"} <= words


def test_zero_is_the_average_item_only_where_scores_sum_to_zero(panel_mode, drawn):
    free = drawn(np.random.default_rng(1).normal(size=(50, 3)), "abc")
    assert "(0: the average item)" in bj.plot_ranking(panel_mode).axes[0].get_xlabel()
    assert "average item" not in bj.plot_ranking(free).axes[0].get_xlabel()
