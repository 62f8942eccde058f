"""The loss of each vote under a fit that has not seen it: what GACV approximates."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayesjudge.data.design import Design
from bayesjudge.data.layouts import observed_site
from bayesjudge.data.reweight import reweighted
from bayesjudge.inference.admissible import human_only_fault
from bayesjudge.inference.blocks import Blocks, restricted
from bayesjudge.inference.mode import Mode
from bayesjudge.inference.optimise import follow
from bayesjudge.inference.precision import in_float64
from bayesjudge.inference.weight_path import Candidate, WeightPath

FloatArray = NDArray[np.float64]
Refit = Callable[[Design], Mode]


def leave_one_vote_out(path: WeightPath) -> pd.DataFrame:
    """Compute the exact leave-one-vote-out loss at each weight of a path.

    Equal votes (same pair in the same order, same verdict) are left out once and counted; where
    their weights sum to less than one vote, all of them are left out.

    Parameters
    ----------
    path : WeightPath
        What `bayesjudge.weight_path` gave.

    Returns
    -------
    pandas.DataFrame
        Columns ``weight``, ``gacv`` and ``leave_one_out`` (nats a vote): infinite for humans alone
        where a vote that is left out separates the others, NaN where there is no fit.

    Notes
    -----
    DIAL Section 5.3. The remaining votes are averaged over n_h - 1, the weight stays. It refits at
    every distinct vote: minutes for large panels, to check GACV by.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.synthetic_votes(60, seed=1)
    >>> path = bj.weight_path(bj.models.calibrated, judges, votes, weights=[30.0])
    >>> table = leave_one_vote_out(path)
    >>> bool((abs(table["gacv"] - table["leave_one_out"])[:2] < 0.02).all())
    True
    """
    rows = [
        {
            "weight": each.weight,
            "gacv": each.gacv,
            "leave_one_out": _loss(path, each),
        }
        for each in path.candidates
    ]
    return pd.DataFrame(rows)


def _loss(path: WeightPath, candidate: Candidate) -> float:
    if candidate.fit is None:
        return np.nan
    votes = candidate.fit.designs[-1]
    refit = _refit(path, candidate)
    total, lost = 0.0, np.bincount(_kind_of_row(votes), weights=votes.weight)
    for kind in map(int, np.flatnonzero(lost)):
        without = _without(votes, kind)
        if without is None or (candidate.weight == 0 and human_only_fault(without) is not None):
            return np.inf
        total += lost[kind] * _loss_of(refit(without), kind)
    return total / float(votes.weight.sum())


def _kind_of_row(votes: Design) -> NDArray[np.intp]:
    return 3 * votes.cell_of_row + votes.data.verdict


def _without(votes: Design, kind: int) -> Design | None:
    """Votes less one of a kind; None where none is left."""
    weight = votes.weight.copy()
    places = np.flatnonzero(_kind_of_row(votes) == kind)
    for place in places:
        taken = min(1.0, weight[place])
        weight[place] -= taken
        if taken == 1.0:
            break
    return reweighted(votes, weight) if weight.any() else None


@in_float64
def _loss_of(fit: Mode, kind: int) -> float:
    probs = fit.program.compiled.outcome_log_probs(fit.phi, fit.layouts)
    return -float(np.asarray(probs[observed_site(fit.designs[-1].layout)]).ravel()[kind])


def _refit(path: WeightPath, candidate: Candidate) -> Refit:
    assert candidate.fit is not None
    start, of = candidate.fit.phi, path.blocks
    if candidate.weight == 0:
        alone = candidate.fit
        return lambda votes: _alone(alone, votes)
    if np.isinf(candidate.weight):
        return lambda votes: _calibrated(replace(of, designs=(of.designs[0], votes)), start)
    return lambda votes: _joint(
        replace(of, designs=(of.designs[0], votes)), start, candidate.weight
    )


def _joint(of: Blocks, start: FloatArray, weight: float) -> Mode:
    power, everything = of.power(weight), np.ones(len(start), dtype=bool)
    scale = of.n_human_votes * (1.0 + weight)
    return of.fit_at(
        follow(restricted(of.loss(power, 1.0), start, everything, scale), start).phi, power
    )


def _calibrated(of: Blocks, start: FloatArray) -> Mode:
    free, phi = of.calibration, start.copy()
    loss = restricted(of.loss(0.0, 1.0), start, free, of.n_human_votes)
    phi[free] = follow(loss, start[free]).phi
    return of.fit_at(phi, 1.0)


def _alone(fit: Mode, votes: Design) -> Mode:
    """Humans alone, refitted from where all votes ended."""
    program, data = fit.program, (votes.layout, *fit.frames)

    @in_float64
    def evaluate(phi: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        value, gradient, hessian = program.compiled.loss(phi, data)
        total = float(votes.weight.sum())
        return float(value) / total, np.asarray(gradient) / total, np.asarray(hessian) / total

    return replace(fit, designs=(votes,), phi=follow(evaluate, fit.phi).phi)
