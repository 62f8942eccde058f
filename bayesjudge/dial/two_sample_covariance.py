"""Sandwich of a fit to judges and humans, each block's scores centred by itself (DIAL E.1, D.8)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import observed_site
from bayesjudge.dial.blocks import Anchored, Blocks
from bayesjudge.engine.point import centred_scores, outcome_scores
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.errors import NoVariationError, UnknownClusterError, UnknownFitError
from bayesjudge.fits.covariance import NO_VARIATION, Covariance, quantity_gradient
from bayesjudge.fits.meat import cluster_codes, grouped_sums, outcome_places
from bayesjudge.fits.mode import Mode

Kernel = Literal["cell", "row", "prompt"]


@one_blas_thread
def two_sample_covariance(fit: Mode, kernel: Kernel | Sequence[str] = "cell") -> Covariance:
    """Estimate the covariance of a maximum-likelihood fit to judges, humans or both.

    Parameters
    ----------
    fit : Mode
        A maximum of the likelihood; the judges' power is DIAL's weight.
    kernel : {"cell", "row", "prompt"} or sequence of str
        Which verdicts depend on each other: judges' verdicts on one pair, in either order, while
        votes are independent ("cell", DIAL E.2); none ("row", D.8); all on one prompt, or with
        one label.

    Returns
    -------
    Covariance
        Of the flat vector and, by the delta method, of every quantity.

    Raises
    ------
    UnknownFitError
        If it is no maximum of a likelihood.
    UnknownClusterError
        For another kernel.
    NoVariationError
        If verdicts do not vary about the fit, as where all are ties.

    Notes
    -----
    DIAL (D.8), (E.1), (E.2): scores are centred within each data set, and no factor for few
    clusters is used.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> two_sample_covariance(fit).standard_error("position").dims
    ('judge',)
    """
    bread = np.linalg.inv(_demand_mode(fit).hessian)
    found = _covariance(fit, [bread] * len(fit.designs), kernel)
    _demand_variation(found)
    return found


@one_blas_thread
def anchored_covariance(
    of: Blocks, at: Anchored, kernel: Kernel | Sequence[str] = "cell"
) -> Covariance:
    """Estimate the covariance of the anchored fit, the judges' sampling noise included.

    Parameters
    ----------
    of : Blocks
        Judges and humans.
    at : Anchored
        The fit.
    kernel : {"cell", "row", "prompt"} or sequence of str
        As for `two_sample_covariance`.

    Returns
    -------
    Covariance
        The limit of DIAL (D.8) as the weight grows without end: a two-stage sandwich.
    """
    fit = of.fit_at(at.phi, 1.0)
    found = _covariance(fit, _staged_influences(of, at), kernel)
    _demand_variation(found)
    return found


def _demand_variation(found: Covariance) -> None:
    """Raise where the verdicts behind the score do not vary about the fit (all ties)."""
    gradient = quantity_gradient(found.mode, _score(found.mode))
    bread = np.linalg.inv(found.mode.hessian)
    shown, usual = (
        np.einsum("ij,jk,ik->i", gradient, each, gradient) for each in (found.matrix, bread)
    )
    if (shown < NO_VARIATION**2 * usual).all():
        raise NoVariationError(
            "A sandwich measures how verdicts vary about the fit, and those behind "
            f"{_score(found.mode)} do not vary (every vote a tie, or predicted exactly); use "
            "joint_fit(weight).covariance('model') of the path, or more votes."
        )


def _score(fit: Mode) -> str:
    names = [each.name for each in fit.program.sites.quantities]
    return "human_score" if "human_score" in names else names[0]


def _demand_mode(fit: object) -> Mode:
    if not isinstance(fit, Mode):
        raise UnknownFitError(
            f"A maximum is wanted and this is of type {type(fit).__name__}; give what bj.mode(...) "
            "returned, or call covariance() of a weight path."
        )
    if fit.prior:
        raise UnknownFitError(
            "This sandwich is of a maximum of the likelihood, and the fit has a prior; fit it with "
            "prior=False."
        )
    return fit


def _covariance(
    fit: Mode, influences: list[FloatArray], kernel: Kernel | Sequence[str]
) -> Covariance:
    """Sum products of influences of verdicts that depend on each other.

    An influence is the derivative of the estimate by a data set's summed scores.
    """
    found = outcome_scores(fit)
    moved = [
        centred_scores(each, found[observed_site(each.layout)]) @ influence.T
        for each, influence in zip(fit.designs, influences, strict=True)
    ]
    if isinstance(kernel, str) and kernel in ("cell", "row"):
        parts = [_own(each, move, kernel) for each, move in zip(fit.designs, moved, strict=True)]
        matrix, clusters = sum(part[0] for part in parts), sum(part[1] for part in parts)
        return Covariance(fit, "sandwich", kernel, clusters, np.asarray(matrix))
    if isinstance(kernel, str) and kernel != "prompt":
        raise UnknownClusterError(
            f"There is no kernel {kernel!r}; choose 'cell', 'row' or 'prompt', or give one label "
            "for each verdict and vote."
        )
    group = cluster_codes(fit.designs, kernel)
    outcome = np.concatenate(outcome_places(fit.designs))
    weight = np.concatenate([each.weight for each in fit.designs])
    sums = grouped_sums(group, outcome, weight, np.concatenate(moved))
    return Covariance(fit, "sandwich", _word(kernel), len(sums), sums.T @ sums)


def _own(design: Design, scores: FloatArray, kernel: str) -> tuple[FloatArray, int]:
    """Sum of products within one data set whose verdicts depend on no other's."""
    if kernel == "cell" and not design.data.human.all():
        group = cluster_codes((design,), "judge_pair")
        sums = grouped_sums(group, outcome_places((design,))[0], design.weight, scores)
        return sums.T @ sums, len(sums)
    counts = np.asarray(design.layout.counts).ravel()
    return (scores.T * counts) @ scores, round(float(counts.sum()))


def _staged_influences(of: Blocks, at: Anchored) -> list[FloatArray]:
    """Give the influences of judges, on both stages, and of humans, on the second alone."""
    free = of.calibration
    humans = of.loss(0.0, 1.0)(at.phi)[2]
    first = np.linalg.inv(of.loss(1.0, 0.0)(at.phi)[2][np.ix_(~free, ~free)])
    second = np.linalg.inv(humans[np.ix_(free, free)])
    of_judges, of_humans = np.zeros_like(humans), np.zeros_like(humans)
    of_judges[np.ix_(~free, ~free)] = first
    of_judges[np.ix_(free, ~free)] = -second @ humans[np.ix_(free, ~free)] @ first
    of_humans[np.ix_(free, free)] = second
    return [of_judges, of_humans]


def _word(kernel: Kernel | Sequence[str]) -> str:
    return kernel if isinstance(kernel, str) else "labels"
