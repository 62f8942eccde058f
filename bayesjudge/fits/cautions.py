"""What to bear in mind about an interval, in sentences that travel with it."""

from collections.abc import Sequence

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.designs.design import Design
from bayesjudge.fits.meat import Cluster, cluster_codes, is_cluster

SUSPECT = 0.5  # sandwich standard error over model-based, below which residuals have vanished
NAMED = 4
INDEPENDENCE = (
    "Verdicts on one prompt are taken as independent; a sandwich by prompt allows for their "
    "correlation."
)


def count_clusters(designs: Sequence[Design], cluster: Cluster | Sequence[str]) -> int:
    """Count the clusters of all data sets together."""
    return 1 + max(int(code.max()) for code in cluster_codes(designs, cluster))


def independence_cautions(designs: Sequence[Design]) -> list[str]:
    """Warn where an interval takes verdicts on one prompt as independent."""
    if sum(float(design.weight.sum()) for design in designs) <= count_clusters(designs, "prompt"):
        return []
    return [INDEPENDENCE]


def cluster_cautions(n_clusters: int, size: int) -> list[str]:
    """Warn where a sandwich has no more clusters than there are parameters."""
    if n_clusters > size:
        return []
    return [
        f"{n_clusters:,} clusters for {size:,} parameters: the sandwich is singular and its "
        "intervals are too short."
    ]


def sandwich_cautions(
    designs: Sequence[Design], cluster: Cluster | Sequence[str], size: int
) -> list[str]:
    """Return the cautions of a sandwich for so many parameters, by its kind of cluster."""
    if is_cluster(cluster, "row"):
        return independence_cautions(designs)
    return cluster_cautions(count_clusters(designs, cluster), size)


def narrow_cautions(items: Sequence[str], sandwich: FloatArray, usual: FloatArray) -> list[str]:
    """Name the pairs of items whose difference has hardly any sandwich variance.

    Shapes: sandwich, usual (n_items, n_items), variances of the differences; NaN where unknown.
    """
    small = np.argwhere(np.triu(sandwich < SUSPECT**2 * usual, k=1))
    if not len(small):
        return []
    pairs = listing([f"{items[i]} against {items[j]}" for i, j in small], NAMED)
    return [
        f"The sandwich is less than half as wide as the model-based interval for {pairs}, whose "
        "verdicts hardly vary: trust the wider one there."
    ]
