"""Covariance of one-step estimates whose verdicts depend on each other, by data set."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.arrays import FloatArray
from bayesjudge.data.design import Design
from bayesjudge.data.layouts import observed_site
from bayesjudge.errors import TooFewClustersError
from bayesjudge.inference.clusters import Cluster, cluster_codes, grouped_sums
from bayesjudge.inference.precision import in_float64
from bayesjudge.inference.program import Data, Program


@dataclass(frozen=True, eq=False)
class Step:
    """Where one fold's verdicts are scored, and how their scores move the estimate.

    Attributes
    ----------
    phi : ndarray, shape (size,)
        Estimate from the other folds.
    weights : ndarray, shape (n, size)
        Riesz weights of n quantities.
    rows : tuple of ndarray of bool, shape (n_rows,)
        The fold's verdicts, by data set.
    """

    phi: FloatArray
    weights: FloatArray
    rows: tuple[NDArray[np.bool_], ...]


def clustered_covariance(
    target: Program,
    designs: tuple[Design, ...],
    layouts: Data,
    steps: Sequence[Step],
    cluster: Cluster | Sequence[str],
) -> FloatArray:
    """Sum products of influences over clusters of verdicts.

    Parameters
    ----------
    target : Program
        The program.
    designs : tuple of Design
        The data sets.
    layouts : tuple
        What the program reads.
    steps : sequence of Step
        One a fold.
    cluster : {"prompt", "judge_pair"} or sequence of str
        Which verdicts depend on each other; clusters may reach over data sets.

    Returns
    -------
    ndarray, shape (n_designs, n, n)
        Each data set's part: products within it, and half of those with the others. Their sum is
        the covariance.

    Raises
    ------
    TooFewClustersError
        If all verdicts are in one cluster.
    """
    group = np.split(cluster_codes(designs, cluster), np.cumsum([d.data.n_rows for d in designs]))
    n_groups = 1 + max(int(each.max(initial=-1)) for each in group)
    if n_groups < 2:
        raise TooFewClustersError(
            "A robust variance needs at least two clusters and there is one; use cluster='row', or "
            "other labels."
        )
    sums = np.zeros((len(designs), n_groups, len(steps[0].weights)))
    for step in steps:
        influences = _moved(target, designs, layouts, step)
        for place, each in enumerate(designs):
            weight = each.weight * step.rows[place]
            found = grouped_sums(group[place], each.outcome_of_row, weight, influences[place])
            sums[place, : len(found)] += found
    crossed = np.einsum("sgi,gj->sij", sums, sums.sum(axis=0))
    return (crossed + crossed.transpose(0, 2, 1)) / 2


@in_float64
def _moved(
    target: Program, designs: tuple[Design, ...], layouts: Data, step: Step
) -> list[FloatArray]:
    """Give the influence of each cell's possible verdicts, by data set."""
    scores = target.compiled.outcome_scores(step.phi, layouts)
    return [
        np.asarray(scores[observed_site(each.layout)]).reshape(-1, len(step.phi)) @ step.weights.T
        for each in designs
    ]
