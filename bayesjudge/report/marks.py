"""What an answer rests on, in a few words beside it, and whether an item may be called the best."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import StringArray
from bayesjudge.core.wording import listing
from bayesjudge.fits.estimate import UNSTATED, WIDER
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.fits import Readable, facts, quantities, score_name

UNBOUNDED = "unbounded"
SET, SENSITIVE = "prior decides", "prior matters"
FEW, EXACT = "few verdicts", "exact"
FIXED = "fixed"  # a reference at one, or a coefficient whose term does not vary
CONTRADICTED, TWOFOLD = "opposed judges", "two maxima"
NAMED = 3
SIGN_ERROR = 0.05  # of naming any judge wrongly
MEANING = "what the answer rests on"
BY_PRIOR = (
    "Some values or their differences rest on the prior: doubling its strength moves them by a "
    "quarter of a standard error or more"
)
NOT_STATED = (
    "; where it moves them by a whole one, or the verdicts set no bound, intervals and ranks are "
    "missing"
)


def value_marks(values: Evidence) -> list[str]:
    """Return the mark of each value of a quantity, empty where there is nothing to say."""
    parts = (
        np.diag(prior_marks(values)),
        np.where(values.few, FEW, ""),
        np.where(np.diag(values.exact), _numbers(values), ""),
    )
    return [joined(one) for one in zip(*map(np.ndarray.tolist, parts), strict=True)]


def _numbers(values: Evidence) -> list[str]:
    return [f"exactly {value:.3g}" for value in values.estimate.values.flat]


def prior_marks(values: Evidence) -> StringArray:
    """Return what values (on the diagonal) and their differences owe to the prior, in words."""
    shift, rests = values.shift, values.rests_on_prior
    return np.select(
        [np.isnan(shift), rests & np.isinf(shift), rests & (shift >= UNSTATED), rests],
        [FIXED, UNBOUNDED, SET, SENSITIVE],
        default="",
    )


def score_marks(fit: Readable, scores: Evidence) -> list[str]:
    """Return the mark of each item's score, and of its rank where only that is missing."""
    marks = zip(value_marks(scores), _rank_marks(scores), strict=True)
    return [joined((*both, *_doubts(fit))) for both in marks]


def _rank_marks(scores: Evidence) -> list[str]:
    """Return why an item has no rank though its score has an interval."""
    words, missing = prior_marks(scores), scores.missing
    return [
        f"rank: {joined(words[i][missing[i]].tolist())}"
        if missing[i].any() and not missing[i, i]
        else ""
        for i in range(len(missing))
    ]


def pair_marks(fit: Readable, scores: Evidence) -> StringArray:
    """Return the mark of each difference of two items' scores, (n, n); none on the diagonal."""
    marks = np.frompyfunc(lambda *parts: joined(parts), 4, 1)(
        prior_marks(scores), np.where(scores.exact, EXACT, ""), *_doubts(fit)
    )
    np.fill_diagonal(marks, "")
    return marks.astype(str)


def _doubts(fit: Readable) -> tuple[str, str]:
    """Return the marks that all scores of a fit share."""
    signs = CONTRADICTED if facts(fit).get("contradicting") else ""
    return signs, TWOFOLD if maxima_doubts(fit) else ""


def joined(parts: Sequence[str]) -> str:
    """Join the marks of one value, each once."""
    return "; ".join(dict.fromkeys(part for part in parts if part))


def prior_words(values: Sequence[Evidence]) -> str:
    """Return a caption's words on values that rest on the prior; nothing where none does."""
    if not any(one.rests_on_prior.any() for one in values):
        return ""
    return f" {BY_PRIOR}{NOT_STATED if any(one.missing.any() for one in values) else ''}."


def dependence_ratio(fit: Readable) -> float:
    """Return how many times larger the prompt-clustered errors of scores and judges are.

    The largest of the medians by quantity; zero where a fit does not take verdicts as independent.
    """
    return max(facts(fit).get("error_ratio", {}).values(), default=0.0)


def dependence_note(fit: Readable) -> list[str]:
    """Say in a picture that its intervals are too narrow for verdicts that depend on each other."""
    ratio = dependence_ratio(fit)
    if ratio <= WIDER:
        return []
    return [f"Prompt-clustered standard errors are up to {ratio:.2f} times those shown here."]


@dataclass(frozen=True)
class Leader:
    """The item with the highest score, and what speaks against calling it the best.

    Attributes
    ----------
    item : str
        Its name.
    doubts : tuple of str
        Why no item is called the best, in clauses; empty where nothing speaks against it.
    """

    item: str
    doubts: tuple[str, ...]


def leader(fit: Readable, quantity: str | None = None) -> Leader:
    """Return the item with the highest score, with the doubts about calling it the best."""
    scores = evidence(fit, score_name(fit, quantity))
    place = int(scores.estimate.values.argmax())
    doubts = (_prior_doubt(scores, place), *sign_doubts(fit), *maxima_doubts(fit))
    return Leader(scores.names("item")[place], tuple(doubt for doubt in doubts if doubt))


def _prior_doubt(scores: Evidence, place: int) -> str:
    if not scores.rests_on_prior[place].any():
        return ""
    return "part of the order depends on the prior"


def sign_doubts(fit: Readable) -> list[str]:
    """Say whose sensitivities are of the opposite sign."""
    judges = sorted({*facts(fit).get("contradicting", ()), *_negative_judges(fit)})
    return [f"the verdicts of {listing(judges, NAMED)} contradict the others'"] if judges else []


def _negative_judges(fit: Readable) -> list[str]:
    """Name the judges of negative sensitivity, at a level that allows for their number."""
    if quantities(fit).get("sensitivity") != ("judge",):
        return []
    sensitivity = evidence(fit, "sensitivity")
    level = 1 - SIGN_ERROR / sensitivity.estimate.size
    negative = sensitivity.interval(level).values[1] < 0
    return [sensitivity.names("judge")[j] for j in np.flatnonzero(negative)]


def maxima_doubts(fit: Readable) -> list[str]:
    """Say that another maximum, nearly as high, has another item in the lead."""
    leaders = {rival["leader"] for rival in facts(fit).get("rivals", ())}
    leaders -= {facts(fit).get("leader")}
    if not leaders:
        return []
    return [f"another maximum, nearly as high, has {listing(sorted(leaders), NAMED)} in the lead"]
