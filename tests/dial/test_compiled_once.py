"""Other votes of the same people, or fewer of them, reuse what the first votes compiled."""

from dataclasses import replace

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.designs.variants import without_judges

SIZES = (60, 40, 25, 90)


def some_votes(votes, number, seed=0):
    rows = np.random.default_rng(seed).choice(votes.n_rows, number, replace=False)
    return votes.select(np.isin(np.arange(votes.n_rows), rows))


def of_many_people(votes, people, seed=0):
    """The same votes, given by several people, so that fewer votes come from fewer of them."""
    names = tuple(f"person-{i:02d}" for i in range(people))
    who = np.random.default_rng(seed).integers(people, size=votes.n_rows)
    who[:people] = np.arange(people)
    return replace(votes, judges=names, judge=who, human=np.ones(people, dtype=bool))


def of_mixed_order(votes):
    return replace(votes, order_known=np.arange(votes.n_rows) % 3 > 0)


@pytest.fixture(scope="module")
def judges():
    return bj.example_panel()


@pytest.fixture(params=["one person", "forty people", "order partly unknown"])
def votes(request):
    made = {
        "one person": bj.example_votes,
        "forty people": lambda: of_many_people(bj.example_votes(), 40),
        "order partly unknown": lambda: of_mixed_order(bj.example_votes()),
    }
    return made[request.param]()


def everything(judges, votes):
    """Fit all that reads judges and votes; what has no finite estimate is left out."""
    path = bj.calibration.weight_path(bj.models.calibrated, judges, votes, weights=[20.0, 2.0])
    bj.calibration.leave_one_vote_out(path)
    bj.calibration.select_rank(bj.models.calibrated_full, judges, votes, [0, 1], weights=[20.0])
    for one in path.admissible:
        path.covariance(one.weight, "row")
    bj.mode(bj.models.calibrated_full, judges, votes).covariance()
    bj.mode(bj.models.bradley_terry, votes).covariance("model")
    bj.studies.pooled_judges(judges, votes)
    return path


def test_fewer_votes_compile_nothing(judges, votes, compilations):
    everything(judges, some_votes(votes, 200))
    before = compilations()
    for number in SIZES:
        everything(judges, some_votes(votes, number, seed=number))
    assert compilations() == before


def test_the_first_votes_do_compile(compilations):
    """The count counts: a panel of a size that no other test has."""
    panel = bj.synthetic_panel(prompts=30, seed=1)
    few = panel.select((panel.judge < 3) & (panel.first != 0) & (panel.second != 0))
    bj.mode(bj.models.order_effect, few)
    assert compilations() > 0


def test_posteriors_of_other_votes_compile_nothing(judges, compilations):
    settings = {"seed": 1, "warmup": 5, "draws": 8, "chains": 2, "check": False, "progress": False}
    votes = of_many_people(bj.example_votes(), 40)
    bj.nuts(bj.models.calibrated_pooled, judges, some_votes(votes, 80), **settings)
    before = compilations()
    bj.nuts(bj.models.calibrated_pooled, judges, some_votes(votes, 50), **settings)
    assert compilations() == before


def test_other_lengths_compile_nothing(compilations):
    panel = bj.example_panel()
    one = panel.select(panel.judge == 0)
    parts = [some_votes(one, number, seed=number) for number in (150, 60, 90)]
    design = [bj.design(part, ("length",), items=panel.items) for part in parts]
    bj.mode(bj.models.unit_sensitivity, design[0]).covariance()
    before = compilations()
    for other in design[1:]:
        bj.mode(bj.models.unit_sensitivity, other).covariance()
    assert compilations() == before


@pytest.mark.parametrize("weight", [np.inf, 20.0, 0.0])
def test_who_voted_changes_no_number(judges, weight):
    """Only a vote's pair and outcome enter the programs, however many people there are."""
    votes = bj.example_votes()
    one, many = (
        bj.calibration.weight_path(bj.models.calibrated, judges, each, weights=[20.0])
        for each in (votes, of_many_people(votes, 40))
    )
    for cluster in ("prompt", "row"):
        some, others = (path.covariance(weight, cluster) for path in (one, many))
        error = others.standard_error("human_score")
        np.testing.assert_allclose(some.standard_error("human_score"), error, rtol=1e-9)
    score = many.at(weight).human_score
    np.testing.assert_allclose(one.at(weight).human_score, score, atol=1e-9)


@pytest.mark.parametrize("people", [1, 7])
def test_votes_without_judges_are_the_same_verdicts(people):
    votes = of_many_people(bj.example_votes(), people)
    design = bj.design(votes)
    plain = without_judges(design)
    assert plain.data is votes
    assert plain.layout.n_judges == 1
    contrast = plain.layout.pair_contrast[plain.cell_of_row]
    shown = contrast.argmax(axis=1), contrast.argmin(axis=1)
    np.testing.assert_array_equal(shown, (votes.first, votes.second))
    counts = np.bincount(plain.outcome_of_row, votes.weight, plain.layout.counts.size)
    np.testing.assert_array_equal(plain.layout.counts.ravel(), counts)
    assert without_judges(plain) is plain
