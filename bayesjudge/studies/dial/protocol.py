"""DIAL's protocols on real verdicts: held-out human loss and ranking over budgets and displays."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arguments import demand_amount
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import design
from bayesjudge.designs.frames import Space
from bayesjudge.designs.structure import DEFAULT_RANK
from bayesjudge.designs.variants import on_full_grid
from bayesjudge.dial.gacv import vote_loss
from bayesjudge.errors import InvalidStudyError
from bayesjudge.fits.mode import Mode, mode
from bayesjudge.models.calibrated import within_space
from bayesjudge.studies.dial.baselines import RescaledScore
from bayesjudge.studies.dial.estimators import ESTIMATORS, PathEstimate, Paths
from bayesjudge.studies.dial.panel import demand_rank_of, demand_whole
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
LEAST = {"votes": 1, "verdicts": 0, "position_judges": 0, "opposed_judges": 0}
NAMES = (*LEAST, "swapped")
MULTIPLES = np.logspace(1, -2, 7)  # of n_l / n_h


@dataclass(frozen=True, eq=False)
class HeldOutVotes(Paths):
    """A split with the weight paths of its training part.

    Attributes
    ----------
    judges, humans, rank, multiples
        As in `Paths`.
    test : Mode
        Bradley-Terry fit of the votes held out: the target ranking.
    """

    test: Mode

    def excess_loss(self, score: FloatArray) -> float:
        """Return the mean loss of the votes held out, less that of their own fit, nats a vote."""
        coordinates = helmert_basis(len(score)).T @ score
        return vote_loss(replace(self.test, phi=coordinates)) - vote_loss(self.test)


def dial_protocol(
    judges: Comparisons,
    humans: Comparisons,
    settings: Sequence[Setting],
    test_share: float = 0.5,
    rank: int = DEFAULT_RANK,
) -> Study:
    """Return DIAL's protocol for a data set with votes of people.

    Parameters
    ----------
    judges, humans : Comparisons
        Verdicts, ideally in both orders, and votes on the same prompts.
    settings : sequence of mapping
        Each names ``votes`` (human budget), ``verdicts`` (of judges; 0 for all), ``swapped`` (share
        of swapped displays that is kept), ``position_judges`` and ``opposed_judges`` (how many are
        injected).
    test_share : float
        Share of the records that is held out.
    rank : int
        Directions of disagreement among judges; zero where they saw too few pairs for more (see
        `bayesjudge.calibration.identify`).

    Returns
    -------
    Study
        For `run_study`. Metrics: excess held-out loss (nats a vote) and Kendall's tau with the
        ranking of the votes held out.

    Raises
    ------
    NotComparisonsError, JudgeKindError
        If verdicts or votes have not been read, or judges and people are exchanged.
    InvalidStudyError
        If a setting lacks one of the five names or holds another, or a value is out of its range.
    UnmatchedPromptsError, InvalidFoldsError
        If no record has both verdicts and votes, or the share leaves one side without votes.
    RankError
        If the panel does not allow the rank in the setting that injects the fewest judges.

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
    demand_settings(NAME, settings)
    for setting in settings:
        _demand_setting(setting)
    fewest = judges.n_judges + min(map(_injected, settings))
    demand_rank_of(rank, fewest, len({*judges.items, *humans.items}))
    draw = partial(_draw, judges=judges, humans=humans, test_share=test_share, rank=rank)
    return Study(NAME, list(settings), draw, ESTIMATORS, _compare)


def _demand_setting(setting: Setting) -> None:
    if set(setting) != set(NAMES):
        raise InvalidStudyError(
            f"A setting of the protocol names {listing(setting)}; give each of {listing(NAMES)} "
            "and nothing else."
        )
    advice = "give a share from 0 to 1 of the swapped displays that is kept"
    values: Mapping[str, Any] = setting
    demand_amount("swapped", values["swapped"], advice, InvalidStudyError, most=1.0)
    for name, least in LEAST.items():
        demand_whole(name, values[name], InvalidStudyError, least=least)


def _injected(setting: Setting) -> int:
    return int(setting["position_judges"]) + int(setting["opposed_judges"])


def _draw(
    setting: Setting,
    seed: int,
    judges: Comparisons,
    humans: Comparisons,
    test_share: float,
    rank: int,
) -> HeldOutVotes:
    _demand_setting(setting)  # a draw may be asked for by itself
    split = split_records(judges, humans, seed=seed, test_share=test_share)
    rng = np.random.default_rng(seed)
    items = tuple(sorted({*judges.items, *humans.items}))
    votes = thinned(split.humans, int(setting["votes"]), rng)
    panel = _panel(split, setting, rng)
    # No program of DIAL reads the reference judge; a fixed one lets fits share compiled code.
    shown = on_full_grid(design(panel, items=items, reference_judge=panel.judges[0]))
    people, test = (on_full_grid(design(part, items=items)) for part in (votes, split.test))
    fit = mode(within_space, test, Space(helmert_basis(len(items))), prior=False)
    return HeldOutVotes(shown, people, rank, MULTIPLES, fit)


def _panel(split: Split, setting: Setting, rng: np.random.Generator) -> Comparisons:
    shown = one_sided(split.judges, float(setting["swapped"]), rng)
    shown = thinned(shown, int(setting["verdicts"]) or shown.n_rows, rng)
    if setting["position_judges"]:
        shown = with_position_judges(shown, int(setting["position_judges"]), rng)
    if setting["opposed_judges"]:
        shown = with_opposed_judges(shown, int(setting["opposed_judges"]), rng)
    return shown


def _compare(
    drawn: HeldOutVotes, estimates: Mapping[str, PathEstimate | RescaledScore]
) -> Iterator[Row]:
    target = drawn.test.values["human_score"]
    for name, estimate in estimates.items():
        score = estimate.human_score
        tau = float(kendalltau(score, target).statistic)
        yield {"estimator": name, "metric": "excess loss", "value": drawn.excess_loss(score)}
        yield {"estimator": name, "metric": "kendall tau", "value": tau}
