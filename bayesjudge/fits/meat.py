"""Clusters of verdicts, and sums of scores over them: the meat of every sandwich."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Literal

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.designs.design import Design
from bayesjudge.engine.point import Point
from bayesjudge.engine.scores import Scores
from bayesjudge.errors import TooFewClustersError, UnknownClusterError

Cluster = Literal["row", "cell", "prompt"]


def is_cluster(cluster: Cluster | Sequence[str], name: Cluster) -> bool:
    """Whether clusters are of a kind; labels of the user's are of none."""
    return isinstance(cluster, str) and cluster == name


def rows_alone(designs: Sequence[Design], cluster: Cluster | Sequence[str]) -> bool:
    """Whether every cluster is a single verdict, so that sums of products come from counts."""
    if not is_cluster(cluster, "prompt"):
        return is_cluster(cluster, "row")
    stated = [name for one in designs if one.data.prompts_stated for name in one.data.prompts]
    alone = all(len(np.unique(one.data.prompt)) == one.data.n_rows for one in designs)
    return (
        alone
        and all((one.weight == 1).all() for one in designs)
        and len(set(stated)) == len(stated)
    )


def cluster_word(cluster: Cluster | Sequence[str]) -> str:
    """Name clusters in a label."""
    return cluster if isinstance(cluster, str) else "labels"


def sums_by_cluster(
    scores: Iterable[Scores],
    designs: Sequence[Design],
    codes: Sequence[IntArray],
    rows: Sequence[BoolArray] | None = None,
) -> list[FloatArray]:
    """Return the scores of each data set's rows summed over clusters, (n_clusters, size) each.

    Only some rows count where those of each data set are marked, (n_rows,).
    """
    n_clusters = 1 + max(int(code.max(initial=-1)) for code in codes)
    counted: Sequence[BoolArray | slice] = rows or [slice(None)] * len(designs)
    return [
        one.by_group(code[own], design.outcome_of_row[own], design.weight[own], n_clusters)
        for one, design, code, own in zip(scores, designs, codes, counted, strict=True)
    ]


def count_clusters(designs: Sequence[Design], cluster: Cluster | Sequence[str]) -> int:
    """Count the clusters of all data sets together."""
    return 1 + max(int(code.max()) for code in cluster_codes(designs, cluster))


def centred_meat(point: Point, cluster: Cluster | Sequence[str]) -> tuple[FloatArray, int]:
    """Return the centred covariance of summed scores times G, and G (OSCAR eq. 9)."""
    scores = [point.scores(design).times(float(design.layout.power)) for design in point.designs]
    if rows_alone(point.designs, cluster):
        counts = [np.asarray(design.layout.counts).reshape(-1, 3) for design in point.designs]
        pairs = list(zip(scores, counts, strict=True))
        products = np.sum([one.products(count) for one, count in pairs], axis=0)
        total = np.sum([one.total(count) for one, count in pairs], axis=0)
        n_clusters = float(sum(count.sum() for count in counts))
    else:
        codes = cluster_codes(point.designs, cluster)
        sums = np.sum(sums_by_cluster(scores, point.designs, codes), axis=0)
        products, total, n_clusters = sums.T @ sums, sums.sum(axis=0), float(len(sums))
    if n_clusters < 2:
        raise TooFewClustersError(
            f"A sandwich by {cluster_word(cluster)} needs at least two clusters and there is "
            f"{n_clusters:g}; use cluster='row', or covariance('model')."
        )
    centred = products - np.outer(total, total) / n_clusters
    return n_clusters / (n_clusters - 1) * centred, round(n_clusters)


def products_by_source(sums: Sequence[FloatArray]) -> FloatArray:
    """Return each data set's part of the summed products, shape (n_designs, size, size).

    Products within it, and half of those with the others; clusters may reach over data sets.
    """
    if len(sums[0]) < 2:
        raise TooFewClustersError(
            "A robust variance needs at least two clusters and there is one; use cluster='row', or "
            "other labels."
        )
    crossed = np.stack(sums).transpose(0, 2, 1) @ np.sum(sums, axis=0)
    return (crossed + crossed.transpose(0, 2, 1)) / 2


def cluster_codes(designs: Sequence[Design], cluster: Cluster | Sequence[str]) -> list[IntArray]:
    """Return the number of each row's cluster, over all data sets: (n_rows,) a data set.

    Clusters are prompts, cells (a judge's verdicts on one pair, in either order), or labels, one
    a row. Rows are not numbered: their sums of products come from counts.
    """
    if not isinstance(cluster, str):
        return _labelled(designs, cluster)
    named = [_named(design, cluster) for design in designs]
    # One number a name, whichever data set it comes from; rows are looked up by number only.
    numbers = {
        name: i for i, name in enumerate(dict.fromkeys(chain(*(names for names, _ in named))))
    }
    codes = [np.array([numbers[name] for name in names])[code] for names, code in named]
    # A name without rows is no cluster.
    used = np.unique(np.concatenate(codes), return_inverse=True)[1]
    return np.split(used, np.cumsum([len(code) for code in codes])[:-1])


def _labelled(designs: Sequence[Design], labels: Sequence[str]) -> list[IntArray]:
    sizes = [design.data.n_rows for design in designs]
    names = np.asarray(labels, dtype=object)
    if names.shape != (sum(sizes),):
        raise UnknownClusterError(
            f"The cluster labels have shape {names.shape} and there are {sum(sizes)} verdicts; "
            "give 'prompt', 'cell', 'row', or one label a row."
        )
    code = pd.factorize(names)[0]
    if (code < 0).any():
        raise UnknownClusterError(
            f"A cluster label is missing in {(code < 0).sum()} rows; give one label a row."
        )
    return np.split(code, np.cumsum(sizes)[:-1])


def _named(design: Design, cluster: str) -> tuple[Sequence[Hashable], IntArray]:
    """Return the names of a data set's clusters, and the place of each row's among them."""
    data, label = design.data, design.layout.label
    if cluster == "prompt":
        # Prompts of two data sets are one by name, unless reading made the names up.
        names = data.prompts if data.prompts_stated else [(label, name) for name in data.prompts]
        return names, data.prompt
    if cluster == "cell":
        key, code = np.unique(data.judge * data.n_items**2 + data.pair, return_inverse=True)
        return [(label, int(value)) for value in key], code
    raise UnknownClusterError(
        f"There is no cluster {cluster!r}; choose 'prompt', 'cell' or 'row', or give labels."
    )


def error_ratios(point: Point, prior_curvature: FloatArray) -> dict[str, float]:
    """Return the prompt-clustered standard error over the model-based one, by quantity.

    The median over the quantity's values, at a point of the parameter space, spreads held fixed;
    nothing where each verdict has a prompt of its own, or all share one.

    Shapes: prior_curvature (size, size).
    """
    verdicts = sum(float(design.weight.sum()) for design in point.designs)
    if not 1 < count_clusters(point.designs, "prompt") < verdicts:
        return {}
    real = np.zeros(len(point.phi), dtype=bool)
    for site in point.program.sites.free:
        real[site.start : site.stop] = site.is_real
    bread = np.linalg.pinv((point.information + prior_curvature)[np.ix_(real, real)])
    meat = centred_meat(point, "prompt")[0][np.ix_(real, real)]
    return {
        name: ratio
        for name in point.jacobians
        if (ratio := _median_ratio(point.gradient(name)[:, real], bread, bread @ meat @ bread.T))
    }


def _median_ratio(gradient: FloatArray, model: FloatArray, robust: FloatArray) -> float:
    """Return the median ratio of standard errors of n functions; zero where none varies."""
    usual, other = (
        np.sqrt(np.maximum(((gradient @ one) * gradient).sum(axis=1), 0.0))
        for one in (model, robust)
    )
    known = usual > 0
    return float(np.median(other[known] / usual[known])) if known.any() else 0.0
