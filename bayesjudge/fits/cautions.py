"""What to bear in mind about an interval, in sentences that travel with it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import chosen_form, listing
from bayesjudge.designs.design import Design
from bayesjudge.fits.bounds import BoundedPoint
from bayesjudge.fits.estimate import WIDER
from bayesjudge.fits.maximum import Maximum
from bayesjudge.fits.meat import Cluster, count_clusters, is_cluster

SUSPECT = 0.5  # sandwich standard error over model-based, below which residuals have vanished
NOTABLE = 1.1  # times the ratio of scores, beyond which another quantity's is named too
NAMED = 4
INDEPENDENCE = (
    "Verdicts on one prompt are taken as independent; a sandwich by prompt allows for their "
    "correlation."
)


def independence_cautions(ratios: Mapping[str, float], score: str) -> list[str]:
    """Say what it does to intervals that verdicts on one prompt are taken as independent.

    `ratios` are those of `error_ratios`, by quantity; nothing is said where there are none.
    """
    if score not in ratios:
        return []
    least = max(WIDER, NOTABLE * ratios[score])
    others = {name: ratio for name, ratio in ratios.items() if ratio > least}
    widest = max(others, key=others.__getitem__, default=score)
    more = f", and of {widest} {others[widest]:.2f} times" if widest != score else ""
    return [
        "Verdicts on one prompt are taken as independent; the prompt-clustered standard error of "
        f"{score} is {ratios[score]:.2f} times the one shown here{more} (medians)."
    ]


def exact_cautions(names: Sequence[str]) -> list[str]:
    """Name the values that have no sandwich variance."""
    if not names:
        return []
    verb = chosen_form(len(names), "has", "have")
    return [
        f"{listing(names, NAMED)} {verb} no sampling error, because the verdicts cancel exactly in "
        "every cluster, as where both orders of a pair always mirror each other."
    ]


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
    n_prompts = count_clusters(designs, "prompt")
    if is_cluster(cluster, "row"):
        several = sum(float(design.weight.sum()) for design in designs) > n_prompts
        return [INDEPENDENCE] if several else []
    return cluster_cautions(count_clusters(designs, cluster), size)


def unbounded_cautions(names: Sequence[str]) -> list[str]:
    """Name the quantities that only the prior keeps finite."""
    if not names:
        return []
    verb = chosen_form(len(names), "has", "have")
    return [f"Without the prior {listing(names, NAMED)} {verb} no finite estimate."]


def bound_facts(point: BoundedPoint) -> dict[str, Any]:
    """Return which values, and which differences of items, the likelihood bounds."""
    return {"unbounded": point.unbounded, "bound_groups": point.bound_groups}


def mode_facts(mode: Maximum) -> dict[str, Any]:
    """Return what reports need to know of a maximum before they call an item the best."""
    return {
        **bound_facts(mode),
        "contradicting": mode.contradicting,
        "leader": mode.leader,
        "rivals": [asdict(rival) for rival in mode.rivals],
    }


def mode_cautions(mode: Maximum) -> list[str]:
    """Return the reasons to doubt a maximum, whatever its covariance, as sentences."""
    sentences = unbounded_cautions(mode.unbounded_names)
    if mode.contradicting:
        sentences += [
            f"The verdicts of {listing(mode.contradicting, NAMED)} contradict the scores: the "
            "sensitivity would be negative, which this program excludes; use "
            "bj.models.signed_sensitivity."
        ]
    leaders = sorted({rival.leader for rival in mode.rivals} - {mode.leader})
    if leaders:
        sentences += [
            f"Another maximum, nearly as high, has {listing(leaders, NAMED)} in the lead instead "
            f"of {mode.leader}: the verdicts do not decide between them."
        ]
    return sentences


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
