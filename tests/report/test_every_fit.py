"""Every kind of fit goes into every report, and a saved one is shown as before."""

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj

KINDS = {  # what tables call each
    "posterior": "NUTS",
    "laplace": "Laplace",
    "mode": "sandwich by prompt",
    "covariance": "model-based",
    "path": "sandwich by prompt",
    "step": "one step, 2 folds, sandwich by prompt",
    "placement": "one step, 2 folds, sandwich by prompt",
    "placed_mode": "sandwich by row",
    "place": "one step, 2 folds, sandwich by row",
}
SCORES = dict.fromkeys(KINDS, "score") | dict.fromkeys(
    ["path", "step", "placement", "placed_mode", "place"], "human_score"
)


@pytest.fixture(scope="session")
def arrival(panel):
    """Judges' verdicts, those that maple takes part in, and votes without maple."""
    votes = bj.example_votes()
    maple = panel.items.index("maple")
    arrives, voted = ((each.first == maple) | (each.second == maple) for each in (panel, votes))
    return panel, arrives, votes.select(~voted)


@pytest.fixture(scope="session")
def fits(panel, panel_mode, panel_posterior, arrival):
    judges, arrives, votes = arrival
    step = bj.new_items.orthogonal(bj.models.new_item, judges, votes, folds=2)
    history = bj.new_items.fit_history(judges.select(~arrives), votes, folds=2)
    top = bj.mode(bj.models.new_item, judges, votes, prior=False)
    return {
        "posterior": panel_posterior,
        "laplace": bj.laplace(bj.models.sensitivity, panel, seed=1),
        "mode": panel_mode,
        "covariance": panel_mode.covariance("model"),
        "path": bj.calibration.weight_path(
            bj.models.calibrated, panel, bj.example_votes(), weights=[5.0]
        ),
        "step": step,
        "placement": bj.new_items.placement(step),
        "placed_mode": bj.new_items.placement(top, "row"),
        "place": bj.new_items.place(history, judges.select(arrives)),
    }


@pytest.fixture(scope="session")
def loaded(fits, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fits")
    for name, fit in fits.items():
        bj.save(fit, folder / f"{name}.nc")
    return {name: bj.load(folder / f"{name}.nc") for name in fits}


def words(figure):
    axes = figure.axes[0]
    texts = [*axes.get_yticklabels(), *axes.texts, axes.xaxis.label]
    return [text.get_text() for text in texts]


def rank(fit):
    return bj.rank_table(fit)


def compare(fit):
    return bj.compare_intervals(fit=fit)


def pairs(fit):
    return bj.win_probability(fit).to_dataframe()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("report", [rank, compare, pairs])
def test_tables_before_and_after_saving(fits, loaded, kind, report):
    here, there = report(fits[kind]), report(loaded[kind])
    pd.testing.assert_frame_equal(here, there)
    if report is not pairs:
        assert here.legend() == there.legend()
        assert here._repr_html_() == there._repr_html_()
        assert here["verdicts"].sum() > 3000


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_before_and_after_saving(fits, loaded, kind):
    here, there = (bj.plot_ranking(fit) for fit in (fits[kind], loaded[kind]))
    assert words(here) == words(there)
    assert KINDS[kind] in words(here)[-1]
    for one, other in zip(here.axes[0].collections, there.axes[0].collections, strict=True):
        np.testing.assert_array_equal(one.get_offsets(), other.get_offsets())


@pytest.mark.parametrize("kind", KINDS)
def test_the_caption_has_the_score_and_the_method(fits, kind):
    caption = bj.rank_table(fits[kind]).caption
    assert caption.startswith(f"Items by {SCORES[kind]} ({KINDS[kind]}), 95 % intervals.")


def test_all_fits_side_by_side(fits):
    new = {name: fit for name, fit in fits.items() if SCORES[name] == "human_score"}
    table = bj.compare_intervals("human_score", **new)
    assert table.groupby("method")["kind"].first().to_dict() == {name: KINDS[name] for name in new}
    assert table["width"].gt(0).all()
    legend = bj.plot_ranking(fits).axes[0].get_legend().get_texts()
    assert len(legend) == len(KINDS)


def test_a_placement_by_a_history_counts_all_verdicts(fits):
    counts = [bj.rank_table(fits[name]).set_index("item")["verdicts"] for name in ("place", "step")]
    pd.testing.assert_series_equal(counts[0].sort_index(), counts[1].sort_index())


def test_draws_of_an_estimate_have_its_covariance(loaded, fits):
    for kind in ("step", "placement"):
        drawn = loaded[kind].posterior["human_score"].values[0]
        matrix = fits[kind].of("human_score").values
        spread = np.sqrt(np.diag(matrix))
        error = np.cov(drawn.T) - matrix
        assert (np.abs(error) < 5 * np.outer(spread, spread) / np.sqrt(len(drawn))).all()


def test_a_table_of_a_placement_has_counts_and_an_html_form(fits):
    placed = fits["placement"]
    assert placed.scores()["verdicts"].tolist() == bj.rank_table(placed)["verdicts"].tolist()
    assert placed._repr_html_().startswith("<p>Human scores, log-odds (one step, 2 folds")


def test_kinds_of_data_are_not_read_off_labels(panel):
    """The judges' verdicts under the label that people's have by default."""
    named = bj.mode(bj.models.bradley_terry, bj.design(panel, label="human"))
    assert bj.rank_table(named).units["score"] == "log-odds of an average judge"
    people = bj.read(panel.to_frame().drop(columns="judge_kind"), kind="human")
    named = bj.mode(bj.models.bradley_terry, bj.design(people, label="voters"))
    assert bj.rank_table(named).units["score"] == "log-odds of an average person"
