"""The loss of each vote under a fit that has not seen it: what GACV approximates."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import observed_site
from bayesjudge.designs.variants import reweighted
from bayesjudge.dial.blocks import Blocks, averaged
from bayesjudge.dial.candidates import Candidate, foretold, human_only_fault
from bayesjudge.dial.weight_path import WeightPath, demand_path
from bayesjudge.engine.optimise import derivatives, follow
from bayesjudge.engine.precision import in_float64, one_blas_thread
from bayesjudge.engine.prepare import program_data
from bayesjudge.fits.mode import Mode

Refit = Callable[[Design], Mode | None]  # None where the votes have no estimate


@one_blas_thread
def leave_one_vote_out(path: WeightPath) -> pd.DataFrame:
    """Compute the exact leave-one-vote-out loss at each weight of a path.

    Equal votes (same pair in the same order, same verdict) are left out once and counted; where
    their weights sum to less than one vote, all of them are left out.

    Parameters
    ----------
    path : WeightPath
        What `bayesjudge.calibration.weight_path` gave.

    Returns
    -------
    pandas.DataFrame
        Columns ``weight``, ``gacv`` and ``leave_one_out`` (nats a vote): infinite where the votes
        without one of them have no estimate, NaN where no fit may be reported.

    Notes
    -----
    DIAL Section 5.3. The remaining votes are averaged over n_h - 1, the weight stays. It refits at
    every distinct vote: minutes for large panels, to check GACV by.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.synthetic_votes(60, seed=1)
    >>> path = bj.calibration.weight_path(bj.models.calibrated, judges, votes, weights=[30.0])
    >>> table = leave_one_vote_out(path)
    >>> bool((abs(table["gacv"] - table["leave_one_out"])[:2] < 0.02).all())
    True
    """
    rows = [
        {
            "weight": candidate.weight,
            "gacv": candidate.gacv,
            "leave_one_out": _loss(path, candidate),
        }
        for candidate in demand_path(path).candidates
    ]
    return pd.DataFrame(rows)


def _loss(path: WeightPath, candidate: Candidate) -> float:
    """Return the mean loss of a vote under the fit without it; NaN where no fit is admissible."""
    if candidate.fit is None or candidate.fault is not None:
        return np.nan
    votes, refit = candidate.fit.designs[-1], _refit(path, candidate, candidate.fit)
    total, counts = 0.0, np.bincount(votes.outcome_of_row, weights=votes.weight)
    for outcome in map(int, np.flatnonzero(counts)):
        others = _without(votes, outcome)
        fit = refit(others) if others is not None else None
        if fit is None:
            return np.inf
        total += counts[outcome] * _outcome_loss(fit, outcome)
    return total / float(votes.weight.sum())


def _without(votes: Design, outcome: int) -> Design | None:
    """Return the votes less one of an outcome; None where none is left."""
    weight, left = votes.weight.copy(), 1.0
    for row in np.flatnonzero(votes.outcome_of_row == outcome):
        taken = min(left, weight[row])
        weight[row] -= taken
        left -= taken
    return reweighted(votes, weight) if weight.any() else None


@in_float64
def _outcome_loss(fit: Mode, outcome: int) -> float:
    log_probs = fit.program.compiled.outcome_log_probs(fit.phi, fit.layouts)
    return -float(np.asarray(log_probs[observed_site(fit.designs[-1].layout)]).ravel()[outcome])


def _refit(path: WeightPath, candidate: Candidate, fit: Mode) -> Refit:
    """Return the estimator of a candidate, as a function of the votes, started at its fit."""
    if candidate.weight == 0:
        return lambda votes: _votes_alone(fit, votes)
    if np.isinf(candidate.weight):
        return lambda votes: _calibrated(_with_votes(path, fit, votes), fit.phi)
    return lambda votes: _joint(_with_votes(path, fit, votes), fit.phi, candidate.weight)


def _with_votes(path: WeightPath, fit: Mode, votes: Design) -> Blocks:
    """Return a path's blocks with other votes, in the chart of a fit."""
    return replace(path.blocks, designs=(path.blocks.designs[0], votes), frames=fit.frames)


def _votes_alone(fit: Mode, votes: Design) -> Mode | None:
    if human_only_fault(votes) is not None:
        return None
    loss = derivatives(fit.program.compiled.loss, program_data((votes,), fit.frames))
    end = follow(averaged(loss, float(votes.weight.sum())), fit.phi)
    return replace(fit, designs=(votes,), phi=end.phi)


def _calibrated(blocks: Blocks, phi: FloatArray) -> Mode | None:
    if not blocks.votes_identify(phi):
        return None
    fit, free = blocks.calibrated_fit(phi), blocks.calibration
    information = fit.hessian[np.ix_(free, free)] / blocks.n_human_votes
    return None if foretold(information, blocks.unfitted_information(phi)) else fit


def _joint(blocks: Blocks, phi: FloatArray, weight: float) -> Mode | None:
    return blocks.joint_fit(phi, weight) if blocks.votes_identify(phi) else None
