"""Whether a corrected estimate is to be trusted, in words."""

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.findings import Diagnosis, Finding
from bayesjudge.data.flat_cells import counted_rows
from bayesjudge.data.layouts import observed_site
from bayesjudge.data.names import listing
from bayesjudge.errors import UnknownFitError
from bayesjudge.inference.orthogonal import Orthogonal
from bayesjudge.inference.precision import in_float64

NAMED = 5
FAR_STEP = 1.5  # standard errors that the correction moved the estimate
HEAVY_VERDICT = 0.25  # standard errors that a single verdict moves the estimate


def check_new_item(fit: Orthogonal) -> Diagnosis:
    """Say whether the correction of a placement is to be trusted.

    Parameters
    ----------
    fit : Orthogonal
        What ``bj.orthogonal(...)`` returned.

    Returns
    -------
    Diagnosis
        Starts that needed a ridge or a floor, how far the correction moved the new items, and
        whether single verdicts weigh too much.

    Raises
    ------
    UnknownFitError
        For anything else.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> fit = bj.orthogonal(bj.models.new_item, judges, seen, folds=1)
    >>> print(bj.check_new_item(fit).on("start")[0].sentence)
    The fit started from the two-step estimate, without ridge or floor.
    """
    if not isinstance(fit, Orthogonal):
        raise UnknownFitError(
            f"A corrected fit is wanted and this is of type {type(fit).__name__}; give what "
            "bj.orthogonal(...) returned (bj.check looks at modes)."
        )
    found = (_start(fit), _step(fit), _weights(fit))
    about = fit.designs[0].data.source
    return Diagnosis(
        tuple(Finding(one.topic, one.level, one.sentence, one.details, about) for one in found)
    )


def heaviest_verdict(fit: Orthogonal, name: str = "human_score") -> NDArray[np.float64]:
    """Give the most that one verdict moves each value of a quantity, in standard errors.

    Parameters
    ----------
    fit : Orthogonal
        A corrected fit.
    name : str
        A quantity with one dimension.

    Returns
    -------
    ndarray, shape (n,)
        Largest absolute product of Riesz weight and residual over the standard error; with n alike
        verdicts one over the root of n.
    """
    moved = [_largest(fit, number, weights) for number, weights in enumerate(fit.riesz(name))]
    return np.max(moved, axis=0) / fit.standard_error(name).values


@in_float64
def _largest(fit: Orthogonal, number: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the largest part of any of a fold's verdicts at its estimate, shape (n,)."""
    phi = fit.folds[number].phi
    scores = fit.program.compiled.outcome_scores(phi, fit.layouts)
    found = []
    for each, fold in zip(fit.designs, fit.fold_of_row, strict=True):
        flat = np.asarray(scores[observed_site(each.layout)]).reshape(-1, len(phi))
        own = counted_rows(each, fold == number).ravel() > 0
        found.append(np.abs(flat[own] @ weights.T).max(axis=0, initial=0.0))
    return np.max(found, axis=0)


def _start(fit: Orthogonal) -> Finding:
    ridged = sum(start.ridge > 0 for start in fit.starts)
    floored = np.any([start.floored for start in fit.starts], axis=0)
    names = np.array(fit.designs[0].data.judges)[floored].tolist()
    details = {"with_ridge": ridged, "floored": names}
    if names:
        sentence = (
            f"In the start the sensitivity of {listing(names, NAMED)} is at its floor: such judges "
            "follow people no better than chance; leave it out."
        )
        return Finding("start", "warning", sentence, details)
    if ridged:
        sentence = (
            f"In {ridged} of {len(fit.starts)} folds votes are separated or leave items unlinked, "
            "and the fit started from a ridge estimate: compare with the joint maximum (bj.mode)."
        )
        return Finding("start", "warning", sentence, details)
    sentence = "The fit started from the two-step estimate, without ridge or floor."
    return Finding("start", "fine", sentence, details)


def _step(fit: Orthogonal) -> Finding:
    new = fit.roster.is_new
    start = np.mean([each.score for each in fit.starts], axis=0)
    score = fit.quantity("human_score").values
    moved = (np.abs(score - start) / fit.standard_error("human_score").values)[new]
    most = float(moved.max())
    sentence = f"The correction moved new items by {most:.1f} standard errors at most"
    if most <= FAR_STEP:
        return Finding("step", "fine", f"{sentence}.", {"standard_errors": most})
    advice = "one step may not be enough, so compare with the joint maximum (bj.mode)."
    return Finding("step", "warning", f"{sentence}: {advice}", {"standard_errors": most})


def _weights(fit: Orthogonal) -> Finding:
    most = float(heaviest_verdict(fit)[fit.roster.is_new].max())
    sentence = f"No verdict moves a new item by more than {most:.2f} standard errors"
    if most <= HEAVY_VERDICT:
        return Finding("weights", "fine", f"{sentence}.", {"standard_errors": most})
    sentence = (
        f"A single verdict moves a new item by {most:.2f} standard errors: some weights are "
        "extreme; use fewer features, or leave out answers with outlying ones."
    )
    return Finding("weights", "warning", sentence, {"standard_errors": most})
