"""Votes and judges that do not identify the space, or a maximum in it: named errors and faults."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors

FIRST, TIE, SECOND = 0, 1, 2


@pytest.fixture(scope="module")
def judges():
    return bj.example_panel()


def among(votes, *groups):
    """The votes within groups of items."""
    index = [[votes.items.index(name) for name in group] for group in groups]
    inside = [np.isin(votes.first, one) & np.isin(votes.second, one) for one in index]
    return votes.select(np.any(inside, axis=0))


def won_by(votes, name):
    place = votes.items.index(name)
    verdict = np.where(votes.first == place, FIRST, votes.verdict)
    return replace(votes, verdict=np.where(votes.second == place, SECOND, verdict))


def tied(data):
    return replace(data, verdict=np.full_like(data.verdict, TIE))


def always(panel, slot, *numbers):
    chosen = np.isin(panel.judge, numbers)
    return replace(panel, verdict=np.where(chosen, slot, panel.verdict))


ONE_PAIR = ("maple", "alder")
FEW = {
    "one pair": lambda votes: among(votes, ONE_PAIR),
    "one pair, one winner": lambda votes: won_by(among(votes, ONE_PAIR), "maple"),
    "one pair, all ties": lambda votes: tied(among(votes, ONE_PAIR)),
    "two pairs apart": lambda votes: among(votes, ("alder", "birch"), ("cedar", "fir")),
    "two pairs apart, all ties": lambda votes: tied(
        among(votes, ("alder", "birch"), ("cedar", "fir"))
    ),
    "three items": lambda votes: among(votes, ("alder", "birch", "cedar")),
}
DIRECTIONS = {"one pair": 1, "two pairs": 2, "three items": 2}


@pytest.mark.parametrize("kind", FEW)
@pytest.mark.parametrize("rank", [1, 2])
def test_a_space_of_more_directions_than_votes_inform_is_a_named_error(judges, kind, rank):
    """Votes on a graph with n - c edges of a spanning forest inform no more than n - c."""
    votes = FEW[kind](bj.example_votes())
    informed = next(number for word, number in DIRECTIONS.items() if kind.startswith(word))
    frame = bj.calibration.structure(judges, rank=rank)
    fit = (bj.models.calibrated_full, judges, votes, frame)
    if informed == rank + 1:
        assert "identify" not in "".join(bj.calibration.weight_path(*fit).table()["fault"])
        return
    words = rf"at rank {rank}: they inform {informed} of its {rank + 1} directions"
    with pytest.raises(errors.UnidentifiedError, match=words):
        bj.calibration.weight_path(*fit)
    with pytest.raises(errors.UnidentifiedError, match=words):
        bj.calibration.select_rank(*fit[:3], [rank])


@pytest.mark.parametrize("kind", FEW)
def test_the_mode_names_the_same_error(judges, kind):
    votes = FEW[kind](bj.example_votes())
    frame = bj.calibration.structure(judges, rank=2)
    with pytest.raises((errors.UnidentifiedError, errors.NoFiniteMaximumError)):
        bj.mode(bj.models.calibrated_full, judges, votes, frame, prior=False)


def test_one_direction_is_identified_by_one_pair(judges):
    votes = FEW["one pair"](bj.example_votes())
    for path in (
        bj.calibration.weight_path(bj.models.calibrated, judges, votes),
        bj.calibration.select_rank(bj.models.calibrated_full, judges, votes, [0]).selected,
    ):
        assert path.anchored.fault is None
        assert np.isfinite(path.anchored.gacv)


@pytest.mark.parametrize("rank", [0, 1])
def test_votes_that_one_item_won_are_separated_at_every_weight(judges, rank):
    """Eight votes for maple over alder: a calibration of 9 is already beyond what votes say."""
    votes = FEW["one pair, one winner"](bj.example_votes())
    frame = bj.calibration.structure(judges, rank=rank)
    path = bj.calibration.weight_path(bj.models.calibrated, judges, votes, frame)
    assert path.anchored.fault.endswith("the votes are separated")
    assert not path.admissible
    with pytest.raises(errors.NoAdmissibleFitError, match="may be reported"):
        path.selected  # noqa: B018


def test_a_fit_that_is_no_maximum_has_no_effective_parameters(judges):
    votes = won_by(bj.example_votes(), "maple")
    table = bj.calibration.weight_path(bj.models.calibrated_full, judges, votes).table()
    refused = table["fault"] != ""
    assert refused.any()
    assert not table.loc[refused, "effective_parameters"].lt(0).any()
    assert np.isfinite(table.loc[~refused, "gacv"]).all()


def test_a_vote_whose_absence_leaves_no_estimate_has_an_infinite_loss(judges):
    """Seven votes for maple, one for alder: without that one, the others are separated."""
    votes = among(bj.example_votes(), ONE_PAIR)
    place = votes.items.index("maple")
    maple = np.where(votes.first == place, FIRST, SECOND)
    alder = np.arange(votes.n_rows) == 3
    votes = replace(votes, verdict=np.where(alder, SECOND - maple, maple))
    path = bj.calibration.weight_path(bj.models.calibrated, judges, votes, weights=[20.0])
    losses = bj.calibration.leave_one_vote_out(path).set_index("weight")["leave_one_out"]
    assert np.isfinite(path.anchored.gacv)
    assert losses[np.inf] == np.inf
    assert np.isnan(losses[0.0])


def test_judges_who_only_tie_have_no_consensus(judges):
    path = bj.calibration.weight_path(
        bj.models.calibrated, tied(judges), bj.example_votes(), weights=[20.0]
    )
    assert path.anchored.fault == "the judges have no consensus: their average score is zero"
    with pytest.raises(errors.NoAdmissibleFitError, match="no consensus"):
        bj.studies.ordered_consensus(path)


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize(("slot", "word"), [(FIRST, "first"), (SECOND, "second")])
def test_judges_who_all_pick_one_slot_are_named_by_it(judges, rank, slot, word):
    panel = always(judges, slot, *range(5))
    path = bj.calibration.weight_path(
        bj.models.calibrated,
        panel,
        bj.example_votes(),
        bj.calibration.structure(panel, rank=rank),
        weights=[20.0],
    )
    habit = f"picked the {word} slot in all of their 2,000 decisive verdicts"
    assert path.anchored.fault.endswith(habit)


def test_a_vote_for_every_first_slot_is_not_taken_for_a_judge(judges):
    """People's votes have no position effect in these programs, and so no habit to name."""
    votes = bj.example_votes()
    votes = replace(votes, verdict=np.full_like(votes.verdict, FIRST))
    panel = always(judges, FIRST, 2)
    path = bj.calibration.weight_path(bj.models.calibrated, panel, votes, weights=[20.0])
    assert path.anchored.fault.endswith(
        "judge-3 picked the first slot in all of its 400 decisive verdicts"
    )
    assert "human" not in "".join(path.table()["fault"])


def test_a_judge_who_says_nothing_costs_no_interval_of_the_human_score(judges):
    """Rank zero: the others decide, and the information of that judge alone is singular."""
    panel = always(judges, FIRST, 0)
    rest = panel.select(panel.judge != 0)
    errors_of, dimensions = [], []
    for data in (panel, rest):
        frame = bj.calibration.structure(data, rank=0)
        path = bj.calibration.weight_path(
            bj.models.calibrated, data, bj.example_votes(), frame, weights=[20.0]
        )
        covariance = path.covariance(np.inf, "row")
        errors_of.append(covariance.standard_error("human_score").values)
        dimensions.append(bj.calibration.local_information(path).effective_dimension(2.0))
    np.testing.assert_allclose(*errors_of, rtol=1e-3)
    assert all(1.0 < one < 7.0 for one in dimensions)


KINDS_OF_JUDGES = {
    "one always first": lambda panel: always(panel, FIRST, 2),
    "all always first": lambda panel: always(panel, FIRST, *range(5)),
    "all ties": tied,
    "one winner": lambda panel: won_by(panel, "maple"),
    "two groups": lambda panel: panel.select((panel.first < 4) == (panel.second < 4)),
}
KINDS_OF_VOTES = {
    **FEW,
    "one winner": lambda votes: won_by(votes, "maple"),
    "all ties": tied,
    "all first": lambda votes: replace(votes, verdict=np.full_like(votes.verdict, FIRST)),
    "few": lambda votes: votes.select(np.arange(votes.n_rows) < 6),
}


def read_off(path):
    """Everything that a path offers."""
    for weight in path.table()["weight"]:
        yield lambda weight=weight: path.covariance(weight).standard_error("human_score")
        yield lambda weight=weight: bj.calibration.local_information(path, weight).shrinkage(2.0)
    yield lambda: path.selected
    yield lambda: bj.calibration.likelihood_ratio_test(path)
    yield lambda: bj.calibration.plot_weight_path(path)
    yield lambda: bj.studies.ordered_consensus(path)
    yield lambda: bj.calibration.leave_one_vote_out(path)


def answer(ask):
    """What is asked for, or the words of a named error."""
    try:
        return ask()
    except errors.BayesjudgeError as error:
        return str(error)


@pytest.mark.parametrize("judge_kind", KINDS_OF_JUDGES)
@pytest.mark.parametrize("vote_kind", KINDS_OF_VOTES)
@pytest.mark.parametrize("model", ["calibrated", "calibrated_full"])
def test_numbers_or_a_named_error(judges, judge_kind, vote_kind, model):
    """Never an error of a library, whatever judges and votes say."""
    panel = KINDS_OF_JUDGES[judge_kind](judges)
    votes = KINDS_OF_VOTES[vote_kind](bj.example_votes())
    votes = votes if votes.n_rows < 30 else votes.select(np.arange(votes.n_rows) < 30)
    path = answer(
        lambda: bj.calibration.weight_path(getattr(bj.models, model), panel, votes, weights=[20.0])
    )
    answers = [answer(ask) for ask in read_off(path)] if not isinstance(path, str) else [path]
    assert all(one.endswith(".") for one in answers if isinstance(one, str))


def test_one_vote_is_told():
    rows = [{"item_first": "maple", "item_second": "alder", "verdict": "first"}]
    votes = bj.read(pd.DataFrame(rows), kind="human")
    for ask in (bj.calibration.weight_path, bj.calibration.select_rank):
        ranks = ([0, 1],) if ask is bj.calibration.select_rank else ()
        with pytest.raises(errors.EmptyComparisonsError, match="needs more than one"):
            ask(bj.models.calibrated_full, bj.example_panel(), votes, *ranks)
