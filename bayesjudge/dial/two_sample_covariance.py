"""Sandwich of a fit to judges and humans, each block's scores centred by itself (DIAL E.1, D.8)."""

from collections.abc import Sequence

import numpy as np

from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.dial.blocks import FLAT, Anchored, Blocks
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.engine.scores import Scores
from bayesjudge.errors import NoVariationError, UnknownFitError
from bayesjudge.fits.covariance import NO_VARIATION, Covariance
from bayesjudge.fits.meat import (
    Cluster,
    cluster_codes,
    cluster_word,
    is_cluster,
    sums_by_cluster,
)
from bayesjudge.fits.mode import Mode
from bayesjudge.models.about import about


@one_blas_thread
def two_sample_covariance(fit: Mode, cluster: Cluster | Sequence[str] = "prompt") -> Covariance:
    """Estimate the covariance of a maximum-likelihood fit to judges, humans or both.

    Parameters
    ----------
    fit : Mode
        A maximum of the likelihood; the judges' power is DIAL's weight.
    cluster : {"prompt", "cell", "row"} or sequence of str
        Which verdicts depend on each other: all on one prompt; a judge's on one pair, in either
        order, while votes are independent ("cell", DIAL E.2); none ("row", D.8); or those with
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
        For other clusters.
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
    bread = np.linalg.inv(_demand_likelihood(fit).hessian)
    return _sandwich(fit, [bread] * len(fit.designs), cluster)


@one_blas_thread
def anchored_covariance(
    blocks: Blocks, staged: Anchored, fit: Mode, cluster: Cluster | Sequence[str]
) -> Covariance:
    """Estimate the covariance of the anchored fit, the judges' sampling noise included."""
    return _sandwich(fit, _staged_influences(blocks, staged), cluster)


def _demand_likelihood(fit: object) -> Mode:
    fit = wanted(
        Mode,
        fit,
        UnknownFitError,
        "A maximum is wanted and this is of type {type}; give what bj.mode(...) returned, or call "
        "covariance() of a weight path.",
    )
    if fit.prior:
        raise UnknownFitError(
            "This sandwich is of a maximum of the likelihood, and the fit has a prior; fit it with "
            "prior=False."
        )
    return fit


def _staged_influences(blocks: Blocks, staged: Anchored) -> list[FloatArray]:
    """Return the influences of judges, on both stages, and of humans, on the second alone."""
    free = blocks.calibration
    humans = blocks.loss(0.0, 1.0)(staged.phi)[2]
    first = _inverse(blocks.n_judge_verdicts * staged.judges.hessian)
    second = _inverse(humans[np.ix_(free, free)])
    of_judges, of_humans = np.zeros_like(humans), np.zeros_like(humans)
    of_judges[np.ix_(~free, ~free)] = first
    of_judges[np.ix_(free, ~free)] = -second @ humans[np.ix_(free, ~free)] @ first
    of_humans[np.ix_(free, free)] = second
    return [of_judges, of_humans]


def _inverse(hessian: FloatArray) -> FloatArray:
    """Invert a Hessian, with very large variances where nothing is known."""
    values, vectors = np.linalg.eigh(hessian)
    return vectors / np.maximum(values, FLAT * values[-1]) @ vectors.T


def _sandwich(
    fit: Mode, influences: list[FloatArray], cluster: Cluster | Sequence[str]
) -> Covariance:
    """Return the sandwich of influences: derivatives of the estimate by each block's scores."""
    scores = [fit.scores(design).times(float(design.layout.power)) for design in fit.designs]
    if is_cluster(cluster, "cell") or is_cluster(cluster, "row"):
        meats = [_own_meat(*block, cluster) for block in zip(fit.designs, scores, strict=True)]
        parts = zip(influences, meats, strict=True)
        matrix = np.sum([block @ meat @ block.T for block, (meat, _) in parts], axis=0)
        n_clusters = sum(number for _, number in meats)
    else:
        moved = [
            block.along(influence) for block, influence in zip(scores, influences, strict=True)
        ]
        sums = np.sum(_centred_sums(fit.designs, moved, cluster), axis=0)
        matrix, n_clusters = sums.T @ sums, len(sums)
    sandwich = Covariance(fit, "sandwich", cluster_word(cluster), n_clusters, matrix)
    _demand_variation(sandwich)
    return sandwich


def _own_meat(
    design: Design, scores: Scores, cluster: Cluster | Sequence[str]
) -> tuple[FloatArray, int]:
    """Return the products of centred scores within a data set, (size, size), and clusters.

    Votes are independent of each other, as in DIAL E.2.
    """
    if is_cluster(cluster, "cell") and not design.data.human.all():
        (sums,) = _centred_sums([design], [scores], cluster)
        return sums.T @ sums, len(sums)
    counts = np.asarray(design.layout.counts).reshape(-1, 3)
    total, verdicts = scores.total(counts), float(counts.sum())
    return scores.products(counts) - np.outer(total, total) / verdicts, round(verdicts)


def _centred_sums(
    designs: Sequence[Design], scores: Sequence[Scores], cluster: Cluster | Sequence[str]
) -> list[FloatArray]:
    """Return scores summed by cluster, less each block's mean times its verdicts there."""
    codes = cluster_codes(designs, cluster)
    centred = []
    for design, code, sums in zip(
        designs, codes, sums_by_cluster(scores, designs, codes), strict=True
    ):
        verdicts = np.bincount(code, design.weight, len(sums))
        centred.append(sums - np.outer(verdicts, sums.sum(axis=0) / verdicts.sum()))
    return centred


def _demand_variation(sandwich: Covariance) -> None:
    """Raise where the verdicts behind the score do not vary about the fit (all ties)."""
    score = about(sandwich.mode.program.model).score
    gradient, bread = sandwich.mode.gradient(score), np.linalg.inv(sandwich.mode.hessian)
    shown, usual = (
        ((gradient @ matrix) * gradient).sum(axis=1) for matrix in (sandwich.matrix, bread)
    )
    if (shown < NO_VARIATION**2 * usual).all():
        raise NoVariationError(
            "A sandwich measures how verdicts vary about the fit, and those behind "
            f"{score} do not vary (every vote a tie, or predicted exactly); use "
            "joint_fit(weight).covariance('model') of the path, or more votes."
        )
