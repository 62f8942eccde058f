"""Wrong arguments of DIAL's studies are named in one sentence; limits are given where plain."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

import bayesjudge as bj
from bayesjudge.data.comparisons import FIRST, SECOND
from bayesjudge.data.pool import pool_comparisons
from bayesjudge.studies.dial.panel import DialSettings, dial_truth

st, errors = bj.studies, bj.errors
NAN, INF = float("nan"), float("inf")
SETTING = {"votes": 100, "verdicts": 0, "swapped": 0.5, "position_judges": 1, "opposed_judges": 1}
LINE = np.array([[1.0], [0.0], [-1.0]])


@pytest.fixture(scope="module")
def judges():
    return bj.example_panel()


@pytest.fixture(scope="module")
def humans(judges):
    """The same prompts, judged by a person."""
    one = judges.select(judges.judge == 1)
    return replace(one, human=np.ones(1, dtype=bool))


@pytest.mark.parametrize(
    ("changed", "error", "named"),
    [
        ({"votes": -5}, errors.InvalidStudyError, "votes is -5"),
        ({"votes": 0}, errors.InvalidStudyError, "votes is 0"),
        ({"votes": 10.5}, errors.InvalidStudyError, "votes is 10.5"),
        ({"verdicts": "all"}, errors.InvalidStudyError, "verdicts is 'all'"),
        ({"swapped": 3.0}, errors.InvalidStudyError, "swapped is 3.0"),
        ({"swapped": "half"}, errors.InvalidStudyError, "swapped is 'half'"),
        ({"position_judges": -1}, errors.InvalidStudyError, "position_judges is -1"),
        ({"opposed_judges": "x"}, errors.InvalidStudyError, "opposed_judges is 'x'"),
        ({"jury": 1}, errors.InvalidStudyError, "jury"),
    ],
)
def test_settings_of_the_protocol_are_in_their_ranges(
    changed, error, named, judges, humans, refused
):
    refused(error, named, lambda: st.dial_protocol(judges, humans, [SETTING | changed]))


def test_settings_of_the_protocol_are_complete(judges, humans, refused):
    def call(settings):
        return lambda: st.dial_protocol(judges, humans, settings)

    refused(errors.InvalidStudyError, "names votes", call([{"votes": 100}]))
    refused(errors.InvalidStudyError, "dict", call(SETTING))
    refused(errors.InvalidStudyError, "at least one", call([]))
    refused(errors.InvalidStudyError, "NoneType", call(None))
    draw = st.dial_protocol(judges, humans, [SETTING]).draw
    refused(errors.InvalidStudyError, "names votes", lambda: draw({"votes": 100}, 1))


@pytest.mark.parametrize("rank", [9, "a", -1, 1.5, None, True])
def test_a_rank_is_one_that_the_panel_allows(rank, judges, humans, refused):
    def protocol():
        st.dial_protocol(judges, humans, [SETTING], rank=rank)

    refused(errors.RankError, f"rank is {rank!r}; with 7 judges and 8 items", protocol)
    refused(errors.RankError, f"rank is {rank!r}; with 4 judges", lambda: DialSettings(rank=rank))


def test_injected_judges_allow_a_higher_rank(judges, humans, refused):
    assert st.dial_protocol(judges, humans, [SETTING], rank=6).settings == [SETTING]
    plain = SETTING | {"position_judges": 0, "opposed_judges": 0}
    named = "with 5 judges and 8 items give a whole number from 0 to 4"
    call = st.dial_protocol
    refused(errors.RankError, named, lambda: call(judges, humans, [SETTING, plain], rank=5))


@pytest.mark.parametrize("share", ["a", NAN, 0, 1, -0.5, None, [0.5], 1e-9])
def test_a_share_leaves_votes_on_both_sides(share, judges, humans, refused):
    named = f"test_share is {share!r}"
    for call in (
        lambda: st.dial_protocol(judges, humans, [SETTING], share),
        lambda: st.split_records(judges, humans, seed=1, test_share=share),
    ):
        refused(errors.InvalidFoldsError, named, call)


def test_verdicts_are_read_and_judges_come_first(judges, humans, refused):
    votes, frame = bj.example_votes(), judges.to_frame()
    for call in (
        lambda *data: st.dial_protocol(*data, [SETTING]),
        lambda *data: st.split_records(*data, seed=1),
        lambda *data: st.pooled_judges(*data),
    ):
        refused(errors.NotComparisonsError, "DataFrame", lambda f=call: f(frame, humans))
        refused(errors.NotComparisonsError, "DataFrame", lambda f=call: f(judges, frame))
        refused(errors.JudgeKindError, "judges first", lambda f=call: f(humans, judges))
    laid_out = bj.design(votes), bj.design(judges)
    refused(errors.JudgeKindError, "judges first", lambda: st.pooled_judges(*laid_out))
    unmatched = errors.UnmatchedPromptsError
    refused(unmatched, "same names", lambda: st.dial_protocol(judges, votes, [SETTING]))


def test_judges_keep_something_to_learn_from(judges, humans, refused):
    """The judge's only record is held out by this seed; another seed keeps it."""
    prompt = humans.prompts[0]
    one = judges.select(np.array(judges.prompts)[judges.prompt] == prompt)
    kept = {seed: _keeps(one, humans, seed) for seed in range(10)}
    assert 0 < sum(kept.values()) < 10
    seed = next(seed for seed, there in kept.items() if not there)
    refused(
        errors.InvalidFoldsError,
        "records that judges saw",
        lambda: st.split_records(one, humans, seed=seed),
    )


def _keeps(judges, humans, seed):
    try:
        return st.split_records(judges, humans, seed=seed).judges.n_rows > 0
    except errors.InvalidFoldsError:
        return False


@pytest.mark.parametrize("seed", [None, "a", 1.5, -1])
def test_a_seed_is_a_whole_number(seed, judges, humans, refused):
    for call in (
        lambda: st.split_records(judges, humans, seed=seed),
        lambda: st.dial_panel(DialSettings(), seed=seed),
    ):
        refused(errors.SamplerSettingError, f"seed is {seed!r}", call)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("verdicts", 10.5),
        ("verdicts", 0),
        ("verdicts", 10**30),
        ("votes", -5),
        ("votes", "a"),
        ("n_items", 1),
        ("n_judges", 0),
        ("n_judges", None),
        ("overdispersion", -1),
        ("overdispersion", NAN),
        ("overdispersion", INF),
        ("position_spread", -2),
        ("misalignment", "a"),
        ("misalignment", [0.5]),
    ],
)
def test_a_panel_has_sizes_and_deviations(name, value, refused):
    named = f"{name} is {value!r}"
    refused(errors.SyntheticSettingError, named, lambda: DialSettings(**{name: value}))


def test_settings_of_a_panel_are_of_their_class(refused):
    refused(errors.SyntheticSettingError, "dict", lambda: st.dial_panel({"votes": 100}, seed=1))


@pytest.mark.parametrize("score", [[1.0, 2.0], 1.0, "a"])
def test_a_risk_is_of_a_score_an_item(score, refused):
    truth = dial_truth(DialSettings(), np.random.default_rng(1))
    error = errors.UnknownOptionError if score == "a" else errors.MismatchedRowsError
    refused(error, "score", lambda: truth.excess_risk(score))
    assert truth.excess_risk(list(truth.human_score)) == 0.0


def test_the_smallest_panel_can_be_drawn():
    settings = DialSettings(n_items=2, n_judges=1, rank=0, verdicts=1, votes=1, overdispersion=1e6)
    panel = st.dial_panel(settings, seed=1)
    assert panel.judges.weight.sum() == panel.humans.weight.sum() == 1


@pytest.mark.parametrize("figure", ["9", "2", None, ["2 top"]])
def test_a_figure_is_one_of_the_paper_s(figure, refused):
    named = f"figure is {figure!r}; give the name of a figure: '2 top', '2 bottom'"
    refused(errors.UnknownOptionError, named, lambda: st.dial_simulation(figure))


@pytest.fixture(scope="module")
def panel():
    return st.dial_panel(DialSettings(n_items=6, votes=3000), seed=2)


@pytest.fixture(scope="module")
def agreeing(panel):
    """Votes that are the consensus's own probabilities, so that their order is its order."""
    consensus = st.pooled_judges(panel.judges, panel.humans).shape
    votes = panel.humans.data
    first = expit(consensus[votes.first] - consensus[votes.second])
    weight = 100 * np.where(votes.verdict == FIRST, first, 1 - first)
    return replace(votes, weight=weight)


def turned(votes):
    return replace(votes, verdict=FIRST + SECOND - votes.verdict)


def test_a_consensus_against_the_votes_gives_no_score(panel, agreeing):
    scores = {}
    for name, votes in {"along": agreeing, "against": turned(agreeing)}.items():
        path = bj.calibration.weight_path(bj.models.calibrated, panel.judges, votes, weights=[1.0])
        scores[name] = st.ordered_consensus(path)
        consensus = path.joint_fit(np.inf).values["consensus"]
        along = np.corrcoef(consensus, path.human_only.human_score.values)[0, 1]
        assert (along > 0.9) == (name == "along")
    assert scores["along"].scale > 0.5
    assert np.ptp(scores["along"].human_score) > 1
    against = scores["against"]
    assert against.scale == 0.0
    assert (against.human_score == 0).all()
    assert against.human_score.shape == (6,)


def test_judges_that_contradict_each_other_pool_to_no_score(judges):
    """Every verdict once as it is and once turned: all items win as often as they lose."""
    other = replace(turned(judges), judges=tuple(f"anti-{name}" for name in judges.judges))
    found = st.pooled_judges(pool_comparisons(judges, other), bj.example_votes())
    assert (found.human_score == 0).all()


@pytest.mark.parametrize("path", [None, "path", {"weight": 1.0}])
def test_a_path_is_wanted(path, refused):
    named = type(path).__name__
    refused(errors.WeightError, named, lambda: st.ordered_consensus(path))


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        (("a", 1, 100), errors.UnknownOptionError, "n_items is 'a'"),
        ((1, 1, 100), errors.UnknownOptionError, "n_items is 1"),
        ((10, 1.5, 100), errors.UnknownOptionError, "dimension is 1.5"),
        ((10, 1, "x"), errors.UnknownOptionError, "votes"),
        ((10, 1, NAN), errors.UnknownOptionError, "votes is nan"),
        ((10, 1, 100, "x"), errors.UnknownOptionError, "approximation"),
        ((10, 1, 100, INF), errors.MismatchedRowsError, "approximation inf"),
        ((10, 10, 100), errors.MismatchedRowsError, "dimension 10"),
    ],
)
def test_a_trade_off_has_sizes(arguments, error, named, refused):
    refused(error, named, lambda: st.anchoring_tradeoff(*arguments))


@pytest.mark.parametrize(
    ("score", "space", "error", "named"),
    [
        ("a", LINE, errors.UnknownOptionError, "human_score"),
        (["a", "b", "c"], LINE, errors.UnknownOptionError, "human_score"),
        (1.0, LINE, errors.MismatchedRowsError, "human_score has shape ()"),
        ([1.0], LINE, errors.MismatchedRowsError, "human_score has shape (1,)"),
        ([NAN, 1.0, 0.0], LINE, errors.MismatchedRowsError, "human_score"),
        ([INF, 1.0, 0.0], LINE, errors.MismatchedRowsError, "human_score"),
        ([1.0, 0.0, -1.0], "a", errors.UnknownOptionError, "space"),
        ([1.0, 0.0, -1.0], LINE[:, 0], errors.MismatchedRowsError, "shape (3,)"),
        ([1.0, 0.0, -1.0], LINE[:, :0], errors.MismatchedRowsError, "shape (3, 0)"),
        ([1.0, 0.0, -1.0], LINE * NAN, errors.MismatchedRowsError, "finite"),
    ],
)
def test_scores_and_spaces_are_numbers(score, space, error, named, refused):
    refused(error, named, lambda: st.approximation_error(score, space))
    if space is LINE:
        refused(error, named, lambda: st.comparison_laplacian(score))


def test_only_the_proportions_of_shares_count():
    few, many = (st.comparison_laplacian([1.0, 0.0, -1.0], [x, x, 0.0]) for x in (1.0, 1e308))
    assert_allclose(few, many)


@pytest.mark.parametrize("share", [[1.0, INF, 1.0], [1.0, NAN, 1.0], [0.0, 0.0, 0.0], [1.0]])
def test_shares_are_finite(share, refused):
    call = st.comparison_laplacian
    refused(errors.MismatchedRowsError, "share", lambda: call([1.0, 0.0, -1.0], share))
    refused(errors.UnknownOptionError, "share", lambda: call([1.0, 0.0, -1.0], ["a"] * 3))


AVERAGES = [st.averaged_probability, st.averaged_log_odds, st.averaging_factor]


@pytest.mark.parametrize("average", [*AVERAGES, lambda gap, b: st.cycle_defect(gap, 1.0, b)])
def test_gaps_and_position_effects_are_numbers_that_broadcast(average, refused):
    refused(errors.UnknownOptionError, "position", lambda: average(1.0, "a"))
    refused(errors.UnknownOptionError, "gap", lambda: average(["1"], 1.0))
    refused(errors.UnknownOptionError, "gap", lambda: average(None, 1.0))
    refused(errors.MissingEstimateError, "gap holds NaN", lambda: average([NAN], 1.0))
    refused(errors.MismatchedRowsError, "(2,)", lambda: average([1.0, 2.0], [1.0, 2.0, 3.0]))
    refused(errors.UnknownOptionError, "gap", lambda: average(INF, -INF))


@pytest.mark.parametrize("position", [-2.0, 0.0, 1e308])
def test_an_endless_gap_leaves_nothing_to_average(position):
    gap = np.array([INF, -INF])
    assert_allclose(st.averaged_probability(gap, position), [1.0, 0.0])
    assert_allclose(st.averaging_factor(gap, position), 1.0)
    assert (st.averaged_log_odds(gap, position) == gap).all()


@pytest.mark.parametrize("position", [INF, -INF])
def test_an_endless_position_effect_leaves_no_preference(position):
    gap = np.array([-3.0, 0.0, 1e308])
    assert_allclose(st.averaged_probability(gap, position), 0.5)
    assert_allclose(st.averaging_factor(gap, position), 0.0)
    assert_allclose(st.averaged_log_odds(gap, position), 0.0)


def test_numbers_whose_sum_is_beyond_all_numbers_have_their_limits():
    assert_allclose(st.averaged_probability(1e308, 1e308), 0.75)
    assert_allclose(st.averaging_factor(1e308, 1e308), 0.5)
    assert_allclose(st.averaged_log_odds(1e308, 1e308), np.log(3))


def test_defects_of_several_triangles():
    found = st.cycle_defect([1, 2], 1, 1)
    assert_allclose(found, [st.cycle_defect(1, 1, 1), st.cycle_defect(2, 1, 1)])
    assert isinstance(st.cycle_defect(1, 1, 1), float)
    assert st.cycle_defect(1.0, 2.0, INF) == 0.0


@pytest.mark.parametrize("gap", [INF, -INF, 1e308])
def test_triangles_are_finite(gap, refused):
    for gaps in ((gap, 1.0), (1.0, gap)):
        refused(errors.UnknownOptionError, "gap", lambda g=gaps: st.cycle_defect(*g, 1.0))


@pytest.mark.parametrize("positions", [1.0, None, ["a"], "a", [[1, 2]], [], [[1], []]])
def test_positions_to_draw_are_a_list(positions, refused):
    call = st.plot_order_averaging
    refused(errors.UnknownOptionError, "positions", lambda: call(positions))
    refused(errors.MissingEstimateError, "positions", lambda: call([NAN]))


def test_truths_of_a_rank_of_zero_lie_in_the_consensus():
    truth = dial_truth(DialSettings(rank=0), np.random.default_rng(1))
    assert np.linalg.matrix_rank(truth.judge_score, tol=1e-9) == 1


def test_frames_are_refused_before_their_columns(refused):
    frames = [pd.DataFrame()] * 2
    refused(errors.NotComparisonsError, "DataFrame", lambda: st.split_records(*frames, seed=1))
