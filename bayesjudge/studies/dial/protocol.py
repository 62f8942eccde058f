"""DIAL's protocols on real verdicts: held-out human loss and ranking over budgets and displays."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from scipy.stats import kendalltau

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, design
from bayesjudge.designs.frames import Space
from bayesjudge.designs.structure import DEFAULT_RANK, structure
from bayesjudge.designs.variants import on_full_grid
from bayesjudge.dial.candidates import Candidate
from bayesjudge.dial.gacv import vote_loss
from bayesjudge.dial.weight_path import WeightPath, weight_path
from bayesjudge.engine.sites import Model
from bayesjudge.fits.mode import Mode, mode
from bayesjudge.models import calibrated
from bayesjudge.models.calibrated import calibrated_full, within_space
from bayesjudge.studies.dial.baselines import ordered_consensus, pooled_judges
from bayesjudge.studies.dial.estimators import finite
from bayesjudge.studies.dial.panel import demand_protocol_setting, demand_rank_of
from bayesjudge.studies.dial.record_splits import (
    Split,
    demand_records,
    one_sided,
    split_records,
    thinned,
    with_opposed_judges,
    with_position_judges,
)
from bayesjudge.studies.runner.study import Row, Setting, Study, demand_settings

NAME = "DIAL protocol"


@dataclass(frozen=True, eq=False)
class HeldOutVotes:
    """A split with the paths that several estimators read.

    Attributes
    ----------
    judges, humans : Design
        What is learned from.
    test : Mode
        Bradley-Terry fit of the votes that are kept back: the ranking to reach.
    rank : int
        Directions of disagreement.
    """

    judges: Design
    humans: Design
    test: Mode
    rank: int

    @cached_property
    def consensus(self) -> WeightPath:
        """The path within the consensus."""
        return self._path(calibrated, self.judges)

    @cached_property
    def full(self) -> WeightPath:
        """The path within consensus and disagreement."""
        return self._path(calibrated_full, self.judges)

    @cached_property
    def without_position(self) -> WeightPath:
        """The path of judges without position effects."""
        first, items = self.judges.data.judges[0], self.judges.items
        plain = design(self.judges.data, terms=(), items=items, reference_judge=first)
        return self._path(calibrated, on_full_grid(plain))

    def _path(self, model: Model, judges: Design) -> WeightPath:
        return weight_path(model, judges, self.humans, structure(judges, rank=self.rank))

    def excess_loss(self, score: FloatArray) -> float:
        """Mean loss of the votes kept back, less that of their own fit, nats a vote."""
        coordinates = helmert_basis(len(score)).T @ score
        at = replace(self.test, phi=coordinates)
        return vote_loss(at) - vote_loss(self.test)


def dial_protocol(
    judges: Comparisons,
    humans: Comparisons,
    settings: Sequence[Setting],
    test_share: float = 0.5,
    rank: int = DEFAULT_RANK,
) -> Study:
    """Give DIAL's protocol for a data set with votes of people.

    Parameters
    ----------
    judges, humans : Comparisons
        Verdicts, ideally in both orders, and votes on the same prompts.
    settings : sequence of mapping
        What is varied, each of ``votes`` (human budget), ``verdicts`` (of judges; 0 for all),
        ``swapped`` (share of swapped displays that is kept), ``position_judges`` and
        ``opposed_judges`` (how many are injected).
    test_share : float
        Share of the records that is kept back.
    rank : int
        Directions of disagreement among judges; zero where they saw too few pairs for more
        (`bayesjudge.identify` says so).

    Returns
    -------
    Study
        For `run_study`. Metrics: excess held-out loss (nats a vote) and Kendall's tau with the
        ranking of the votes kept back.

    Raises
    ------
    NotComparisonsError, JudgeKindError
        If verdicts or votes have not been read, or people are given for judges.
    InvalidStudyError
        If a setting lacks one of the five names or holds another, or a value is out of its range.
    UnmatchedPromptsError, InvalidFoldsError
        If no record has both verdicts and votes, or the share leaves one side without votes.
    RankError
        If the panel, with the fewest judges that a setting injects, does not allow the rank.

    Notes
    -----
    DIAL G.2.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from dataclasses import replace
    >>> panel = bj.example_panel()
    >>> people = replace(panel, human=np.ones(panel.n_judges, dtype=bool))
    >>> plain = {"verdicts": 0, "swapped": 1.0, "position_judges": 0, "opposed_judges": 0}
    >>> study = dial_protocol(panel, people, [{"votes": 50} | plain])
    >>> sorted(study.estimators)[:3]
    ['AtC', 'DIAL-Ada', 'DIAL-Ada (W)']
    """
    demand_records(judges, humans, test_share)
    _demand_protocol(settings)
    fewest = judges.n_judges + min(map(_injected, settings))
    demand_rank_of(rank, fewest, len({*judges.items, *humans.items}))
    return Study(
        name=NAME,
        settings=list(settings),
        draw=partial(_draw, judges=judges, humans=humans, test_share=test_share, rank=rank),
        estimators=ESTIMATORS,
        metrics=_compare,
    )


def _injected(setting: Setting) -> int:
    return int(setting["position_judges"]) + int(setting["opposed_judges"])


def _demand_protocol(settings: Sequence[Setting]) -> None:
    demand_settings(NAME, settings)
    for each in settings:
        demand_protocol_setting(each)


def _draw(
    setting: Setting,
    seed: int,
    judges: Comparisons,
    humans: Comparisons,
    test_share: float,
    rank: int,
) -> HeldOutVotes:
    demand_protocol_setting(setting)  # a draw may be asked for by itself
    split = split_records(judges, humans, seed, test_share)
    rng = np.random.default_rng(seed)
    items = tuple(sorted({*judges.items, *humans.items}))
    votes = thinned(split.humans, int(setting["votes"]), rng)
    test = mode(
        within_space,
        on_full_grid(design(split.test, items=items)),
        Space(helmert_basis(len(items))),
        prior=False,
    )
    panel = _panel(split, setting, rng)
    # The reference judge means nothing here; one that is always the same lets fits share code.
    shown = design(panel, items=items, reference_judge=panel.judges[0])
    people = on_full_grid(design(votes, items=items))
    return HeldOutVotes(on_full_grid(shown), people, test, rank)


def _panel(split: Split, setting: Setting, rng: np.random.Generator) -> Comparisons:
    shown = one_sided(split.judges, float(setting["swapped"]), rng)
    shown = thinned(shown, int(setting["verdicts"]) or shown.n_rows, rng)
    if setting["position_judges"]:
        shown = with_position_judges(shown, int(setting["position_judges"]), rng)
    if setting["opposed_judges"]:
        shown = with_opposed_judges(shown, int(setting["opposed_judges"]), rng)
    return shown


def _human(drawn: HeldOutVotes) -> FloatArray:
    return _score(finite(drawn.consensus.human_only))


def _pooled(drawn: HeldOutVotes) -> FloatArray:
    return pooled_judges(drawn.judges, drawn.humans).human_score


def _anchored(drawn: HeldOutVotes) -> FloatArray:
    return _score(finite(drawn.consensus.anchored))


def _adaptive(drawn: HeldOutVotes) -> FloatArray:
    return _score(drawn.consensus.selected)


def _adaptive_full(drawn: HeldOutVotes) -> FloatArray:
    return _score(drawn.full.selected)


def _without_position(drawn: HeldOutVotes) -> FloatArray:
    return _score(drawn.without_position.selected)


def _ordered(drawn: HeldOutVotes) -> FloatArray:
    return ordered_consensus(drawn.consensus).human_score


ESTIMATORS: dict[str, Callable[[HeldOutVotes], FloatArray]] = {
    "Human": _human,
    "Pooled": _pooled,
    "DIAL-Anc": _anchored,
    "DIAL-Ada": _adaptive,
    "DIAL-Ada (W)": _adaptive_full,
    "DIAL-noPos": _without_position,
    "AtC": _ordered,
}


def _score(candidate: Candidate) -> FloatArray:
    return candidate.human_score.values


def _compare(drawn: HeldOutVotes, estimates: Mapping[str, FloatArray]) -> Iterator[Row]:
    target = drawn.test.values["human_score"]
    for name, score in estimates.items():
        tau = float(kendalltau(score, target).statistic)
        yield {"estimator": name, "metric": "excess loss", "value": drawn.excess_loss(score)}
        yield {"estimator": name, "metric": "kendall tau", "value": tau}
