"""What to bear in mind about an interval, in sentences that travel with it."""

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.wording import listing
from bayesjudge.designs.design import Design
from bayesjudge.fits.covariance import Covariance, curvature_covariance

SUSPECT = 0.5  # sandwich standard error over model-based, below which residuals have vanished


NAMED = 4


def independence_cautions(designs: tuple[Design, ...]) -> list[str]:
    """Say where an interval takes verdicts on one prompt as independent.

    Parameters
    ----------
    designs : tuple of Design
        The data of a fit.

    Returns
    -------
    list of str
        One sentence, or none where each prompt has one verdict.
    """
    prompts = len({name for each in designs for name in each.data.prompts})
    if sum(float(each.weight.sum()) for each in designs) <= prompts:
        return []
    return ["Verdicts on one prompt are taken as independent; a sandwich by prompt does not."]


def covariance_cautions(covariance: Covariance) -> list[str]:
    """Say where a covariance of a mode should not be believed.

    Parameters
    ----------
    covariance : Covariance
        Of a mode.

    Returns
    -------
    list of str
        Sentences: too few clusters, and quantities whose residuals have vanished.
    """
    if covariance.kind == "model":
        return independence_cautions(covariance.mode.designs)
    size = len(covariance.mode.phi)
    found = []
    if covariance.n_clusters is not None and covariance.n_clusters <= size:
        found.append(
            f"{covariance.n_clusters} clusters against {size} parameters: the sandwich is singular "
            "and its intervals too short."
        )
    narrow = _narrow(covariance)
    if narrow:
        found.append(
            f"The sandwich is less than half as wide as the model-based interval for "
            f"{listing(narrow, NAMED)}, whose verdicts hardly vary: trust the wider one there."
        )
    return found


def _narrow(covariance: Covariance) -> list[str]:
    """Pairs of items whose difference has hardly any sandwich variance."""
    mode = covariance.mode
    names = [each.name for each in mode.program.sites.quantities if each.dims == ("item",)]
    if "score" not in names:
        return []
    shown, usual = (_contrast_variance(each) for each in (covariance, curvature_covariance(mode)))
    items = mode.designs[0].items
    small = np.triu((shown < SUSPECT**2 * usual) & _informed(covariance), k=1)
    return [f"{items[i]} against {items[j]}" for i, j in np.argwhere(small)]


def _informed(covariance: Covariance) -> NDArray[np.bool_]:
    """Items whose standard error is known, pair by pair: others rest on the prior anyway."""
    known = np.isfinite(covariance.standard_error("score").values)
    return known[:, None] & known


def _contrast_variance(covariance: Covariance) -> NDArray[np.float64]:
    matrix = covariance.of("score").values
    own = np.diag(matrix)
    return own[:, None] + own - matrix - matrix.T
