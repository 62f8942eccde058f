"""The loss of each vote under a fit that has not seen it: what GACV approximates."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import observed_site
from bayesjudge.designs.variants import reweighted
from bayesjudge.dial.blocks import Blocks, calibrate, restricted
from bayesjudge.dial.candidates import Candidate, human_only_fault
from bayesjudge.dial.weight_path import WeightPath, demand_path
from bayesjudge.engine.optimise import derivatives, follow
from bayesjudge.engine.precision import in_float64, one_blas_thread
from bayesjudge.engine.prepare import program_data
from bayesjudge.fits.mode import Mode

Refit = Callable[[Design], Mode]


@one_blas_thread
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
        where a vote that is left out separates the others, NaN where no fit may be reported.

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
    demand_path(path)
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
    if candidate.fit is None or candidate.fault is not None:
        return np.nan
    votes = candidate.fit.designs[-1]
    refit = _refit(path, candidate)
    total, lost = 0.0, np.bincount(votes.outcome_of_row, weights=votes.weight)
    for kind in map(int, np.flatnonzero(lost)):
        without = _without(votes, kind)
        if without is None or (candidate.weight == 0 and human_only_fault(without) is not None):
            return np.inf
        total += lost[kind] * _loss_of(refit(without), kind)
    return total / float(votes.weight.sum())


def _without(votes: Design, kind: int) -> Design | None:
    """Votes less one of a kind; None where none is left."""
    weight, left = votes.weight.copy(), 1.0
    for place in np.flatnonzero(votes.outcome_of_row == kind):
        taken = min(left, weight[place])
        weight[place] -= taken
        left -= taken
    return reweighted(votes, weight) if weight.any() else None


@in_float64
def _loss_of(fit: Mode, kind: int) -> float:
    probs = fit.program.compiled.outcome_log_probs(fit.phi, fit.layouts)
    return -float(np.asarray(probs[observed_site(fit.designs[-1].layout)]).ravel()[kind])


def _refit(path: WeightPath, candidate: Candidate) -> Refit:
    """Give the estimator of a candidate, as a function of the votes, from where all ended."""
    fit, judges = candidate.fit, path.blocks.designs[0]
    assert fit is not None
    if candidate.weight == 0:
        return lambda votes: _alone(fit, votes)

    def of(votes: Design) -> Blocks:
        return replace(path.blocks, designs=(judges, votes), frames=fit.frames)

    if np.isinf(candidate.weight):
        return lambda votes: _calibrated(of(votes), fit.phi)
    return lambda votes: of(votes).joint_fit(fit.phi, candidate.weight)


def _calibrated(of: Blocks, start: FloatArray) -> Mode:
    phi = start.copy()
    phi[of.calibration] = calibrate(of, start).phi
    return of.fit_at(phi, 1.0)


def _alone(fit: Mode, votes: Design) -> Mode:
    """Humans alone, refitted from where all votes ended."""
    loss = derivatives(fit.program.compiled.loss, program_data((votes,), fit.frames))
    everything = np.ones(len(fit.phi), dtype=bool)
    by_vote = restricted(loss, fit.phi, everything, float(votes.weight.sum()))
    return replace(fit, designs=(votes,), phi=follow(by_vote, fit.phi).phi)
