"""Sums of scores and influences over clusters of verdicts: the meat of a sandwich."""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.program import Data, Program
from bayesjudge.errors import TooFewClustersError, UnknownClusterError

Cluster = Literal["prompt", "judge_pair", "row"]


if TYPE_CHECKING:
    from bayesjudge.fits.mode import Mode


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


MADE_UP = re.compile(r"row-\d+")  # names of rows that came without a prompt


def cluster_scores(
    mode: "Mode", scores: dict[str, NDArray[np.float64]], cluster: Cluster | Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum the scores of verdicts over clusters.

    A verdict's score depends on its cell and outcome alone, so that sums are counts times scores.

    Parameters
    ----------
    mode : Mode
        The fit.
    scores : dict of str to ndarray, shape (n_cells, 3, size)
        Score of one win, tie and loss, by observed site.
    cluster : {"prompt", "judge_pair", "row"} or sequence of str
        What to sum over. A row of weight w is w rows.

    Returns
    -------
    sums : ndarray, shape (n, size)
        Summed scores.
    weights : ndarray, shape (n,)
        How many clusters have these sums; one each unless clusters are single verdicts.

    Raises
    ------
    UnknownClusterError
        For a cluster that the data do not have.
    """
    ordered = [
        float(each.layout.power) * scores[observed_site(each.layout)] for each in mode.designs
    ]
    flat = np.concatenate([each.reshape(-1, each.shape[-1]) for each in ordered])
    outcome = np.concatenate(outcome_places(mode.designs))
    weight = np.concatenate([each.weight for each in mode.designs])
    if isinstance(cluster, str) and cluster == "row":
        return flat, np.bincount(outcome, weights=weight, minlength=len(flat))
    group = cluster_codes(mode.designs, cluster)
    sums = grouped_sums(group, outcome, weight, flat)
    return sums, np.ones(len(sums))


def grouped_sums(
    group: NDArray[np.intp],
    outcome: NDArray[np.intp],
    weight: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Sum the scores of rows over groups.

    Parameters
    ----------
    group, outcome : ndarray of int, shape (n_rows,)
        Group of each row, and its place among `scores`.
    weight : ndarray, shape (n_rows,)
        How often each row is counted.
    scores : ndarray, shape (n_outcomes, size)
        Score of each cell's possible verdicts.

    Returns
    -------
    ndarray, shape (n_groups, size)
        Summed scores.
    """
    shape = (int(group.max()) + 1, len(scores))
    return csr_array((weight, (group, outcome)), shape=shape) @ scores


def outcome_places(designs: tuple[Design, ...]) -> list[NDArray[np.intp]]:
    """Give the place of each row's cell and verdict among all outcomes of all data sets.

    Parameters
    ----------
    designs : tuple of Design
        The data of a fit.

    Returns
    -------
    list of ndarray, shape (n_rows,)
        One array a data set.
    """
    found, start = [], 0
    for each in designs:
        found.append(start + each.outcome_of_row)
        start += np.asarray(each.layout.counts).size
    return found


def cluster_codes(
    designs: tuple[Design, ...], cluster: Cluster | Sequence[str]
) -> NDArray[np.intp]:
    """Give each row the number of its cluster, over all data sets.

    Parameters
    ----------
    designs : tuple of Design
        The data of a fit.
    cluster : {"prompt", "judge_pair"} or sequence of str
        What to number.

    Returns
    -------
    ndarray, shape (n_rows,)
        From zero.

    Raises
    ------
    UnknownClusterError
        For a cluster that the data do not have.
    """
    if not isinstance(cluster, str):
        return _given(designs, cluster)
    named = [_named(each, cluster) for each in designs]
    # One number a name, whichever data set it comes from; rows are looked up by number only.
    numbers = {
        name: i for i, name in enumerate(dict.fromkeys(chain(*(names for names, _ in named))))
    }
    return np.concatenate([np.array([numbers[n] for n in names])[code] for names, code in named])


def _prompt_name(name: str, each: Design) -> Hashable:
    """Prompts of two data sets are one by name, unless reading made the names up."""
    return (each.layout.label, name) if MADE_UP.fullmatch(name) else name


def _given(designs: tuple[Design, ...], labels: Sequence[str]) -> NDArray[np.intp]:
    n_rows = sum(each.data.n_rows for each in designs)
    given = np.asarray(labels, dtype=object)
    if given.shape != (n_rows,):
        raise UnknownClusterError(
            f"The cluster labels have shape {given.shape} and there are {n_rows} verdicts; give "
            "'prompt', 'judge_pair', 'row', or one label a row."
        )
    code = pd.factorize(given)[0]
    if (code < 0).any():
        raise UnknownClusterError(
            f"A cluster label is missing in {(code < 0).sum()} rows; give one label a row."
        )
    return code


def _named(each: Design, cluster: str) -> tuple[Sequence[Hashable], NDArray[np.intp]]:
    """Names of a data set's clusters, and the place of each row's cluster among them."""
    data = each.data
    if cluster == "prompt":
        return [_prompt_name(name, each) for name in data.prompts], data.prompt
    if cluster == "judge_pair":
        low, high = np.minimum(data.first, data.second), np.maximum(data.first, data.second)
        key, code = np.unique(
            (data.judge * data.n_items + low) * data.n_items + high, return_inverse=True
        )
        return [(each.layout.label, int(value)) for value in key], code
    raise UnknownClusterError(
        f"There is no cluster {cluster!r}; choose 'prompt', 'judge_pair' or 'row', or give labels."
    )
