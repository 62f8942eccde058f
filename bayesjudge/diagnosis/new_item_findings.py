"""What data and fits tell about a new item, in words."""

from itertools import compress

import numpy as np

from bayesjudge.anchor.orthogonal import Orthogonal
from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import counted, listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.graph import unbounded_items
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.roster import Roster, default_roster, demand_roster
from bayesjudge.diagnosis.findings import Diagnosis, Finding, judged, labelled
from bayesjudge.diagnosis.new_item_numbers import (
    ArrivalIdentification,
    arrival_identification,
    heaviest_verdict,
)
from bayesjudge.engine.prepare import demand_kinds
from bayesjudge.errors import UnknownFitError
from bayesjudge.models.new_item import new_item

NAMED = 5
LITTLE_LEFT, NOTHING_LEFT = 0.1, 1e-6  # share of score differences that features leave unexplained
FAR_SHIFT = 10.0  # ratio of mean squares of a feature contrast, arrivals to history
WEAK_SCALE = 0.2  # relative standard error of the scale; two of them are 40 %
FAR_STEP = 1.5  # standard errors that the correction moved the estimate
HEAVY_VERDICT = 0.25  # standard errors that a single verdict moves the estimate


def identify(
    judges: Comparisons | Design, humans: Comparisons | Design, roster: Roster | None = None
) -> Diagnosis:
    """Check whether verdicts and votes can place new items among historical ones, before any fit.

    Parameters
    ----------
    judges, humans : Comparisons or Design
        Verdicts of judges, with features as terms; votes of people.
    roster : Roster, optional
        Which items are new; by default those without votes.

    Returns
    -------
    Diagnosis
        Of the votes: whether they link the historical items and have a finite estimate, and how
        precisely they determine the scale of the scores. Of the judges: whether they judged
        historical items, whether their features identify the items, and whether the features of
        arrivals (verdicts on new items) lie in the range of history.

    Raises
    ------
    NewItemError
        If no item is new, or fewer than two are not.

    Notes
    -----
    ANCHOR Assumptions 2.1 (graph), 2.2 (kappa) and 2.3 (overlap), Section 4.3 (scale).

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> print(bj.new_items.identify(judges, seen).on("identification")[0])
    The data identify all 17 parameters (scores, sensitivities, feature effects).
    """
    prepared = designs(judges, humans)
    demand_kinds(new_item, prepared)
    if roster is None:
        roster = default_roster(prepared)
    numbers = arrival_identification(prepared, demand_roster(roster, len(prepared[0].items)))
    of_judges, of_votes = (design.data.source for design in prepared)
    about_votes = [_graph(numbers), _finite(numbers), _scale(numbers)]
    about_judges = [_judges(numbers), _features(numbers), _overlap(numbers), _whole(numbers)]
    about_judges += _fixed(numbers)
    return Diagnosis((*labelled(of_votes, about_votes), *labelled(of_judges, about_judges)))


def _graph(numbers: ArrivalIdentification) -> Finding:
    groups = int(numbers.vote_group.max()) + 1
    if groups == 1:
        sentence = f"Votes link all {len(numbers.vote_group)} historical items."
        return Finding("human graph", "fine", sentence)
    alone = numbers.judges_where(numbers.ranks_alone)
    split = f"Votes leave the historical items in {groups} components"
    if not alone:
        sentence = (
            f"{split}, and no judge's own verdicts rank all of them: collect votes between "
            "components."
        )
        return Finding("human graph", "problem", sentence, {"groups": groups})
    sentence = (
        f"{split}: their order rests on the judges ({listing(alone, NAMED)} rank them all), and "
        "votes determine only the scale."
    )
    return Finding("human graph", "warning", sentence, {"groups": groups, "ranking_judges": alone})


def _finite(numbers: ArrivalIdentification) -> Finding:
    data = numbers.humans.data
    new = set(compress(numbers.judges.items, numbers.roster.is_new))
    voted = {data.items[i] for i in np.union1d(data.first, data.second)} - new
    lone = sorted(set(unbounded_items(data)) & voted)
    bad = (
        f"The votes alone have no finite maximum likelihood estimate for {listing(lone, NAMED)}: "
        "fits start from a ridge estimate, and intervals rely on a single correction step."
    )
    fine = "The votes alone have a finite maximum likelihood estimate."
    return judged("separation", lone, "warning", bad, fine, {"items": lone} if lone else None)


def _scale(numbers: ArrivalIdentification) -> Finding:
    votes, error = numbers.humans.weight.sum(), numbers.scale_error
    sentence = (
        f"{votes:,.0f} votes determine the scale of the human scores with a relative standard "
        f"error of {error:.0%}"
    )
    bad = (
        f"{sentence}, which no number of judges' verdicts can reduce: collect votes on pairs that "
        "differ clearly in quality (bj.new_items.next_comparisons)."
    )
    fine = f"{sentence}."
    return judged("scale", error > WEAK_SCALE, "warning", bad, fine, {"relative_error": error})


def _judges(numbers: ArrivalIdentification) -> Finding:
    before, after = numbers.verdicts.T
    unseen, idle = (
        numbers.judges_where(mask) for mask in ((before == 0) & (after > 0), after == 0)
    )
    details = {"unseen": unseen, "without_arrivals": idle}
    if unseen:
        sentence = (
            f"{listing(unseen, NAMED)} judged new items but no historical pair, so their relation "
            "to people cannot be estimated: leave them out, or have them judge historical pairs."
        )
        return Finding("judges", "problem", sentence, details)
    active = len(after) - len(idle)
    bad = "No judge compared a new item with any other: collect such verdicts."
    fine = f"{counted(active, 'judge')} compared both new items and historical pairs."
    return judged("judges", not active, "problem", bad, fine, details)


def _features(numbers: ArrivalIdentification) -> Finding:
    left = np.nan_to_num(numbers.score_left, nan=1.0)
    details = numbers.by_judge(left)
    if left.min() < NOTHING_LEFT:
        leaking = numbers.judges_where(left < NOTHING_LEFT)
        sentence = (
            f"The features of {listing(leaking, NAMED)} identify the items: they reproduce the "
            "score differences, so sensitivity is confounded with bias; use fewer features."
        )
        return Finding("features", "problem", sentence, details)
    poor = numbers.judges_where(left < LITTLE_LEFT)
    bad = (
        f"The features of {listing(poor, NAMED)} explain all but {left.min():.0%} of the score "
        "differences, so the sensitivities are imprecise; use fewer features."
    )
    fine = f"Features leave {left.min():.0%} or more of each judge's score differences unexplained."
    return judged("features", poor, "warning", bad, fine, details)


def _overlap(numbers: ArrivalIdentification) -> Finding:
    shift = np.nan_to_num(numbers.feature_shift, nan=1.0, posinf=np.inf)
    details = numbers.by_judge(shift)
    unknown = numbers.judges_where(np.isinf(shift))
    if unknown:
        sentence = (
            f"Some feature of {listing(unknown, NAMED)} varies among arrivals but not in history, "
            "so its bias cannot be estimated; leave the feature out."
        )
        return Finding("overlap", "problem", sentence, details)
    far = numbers.judges_where(shift > FAR_SHIFT)
    bad = (
        f"The features of arrivals lie far outside the historical range for {listing(far, NAMED)} "
        f"(mean square up to {shift.max():.0f} times as large): the placement extrapolates the "
        "linear bias."
    )
    fine = "The features of arrivals do not lie far outside the historical range."
    return judged("overlap", far, "warning", bad, fine, details)


def _whole(numbers: ArrivalIdentification) -> Finding:
    size, lost = len(numbers.information), numbers.lost.shape[1]
    if not lost:
        fine = f"The data identify all {size} parameters (scores, sensitivities, feature effects)."
        return Finding("identification", "fine", fine)
    items = list(compress(numbers.judges.items, numbers.lost_items))
    moving = f"the scores of {listing(items, NAMED)}" if items else "sensitivities or biases"
    sentence = (
        f"The data identify {size - lost} of {size} parameters: {moving} can change without "
        "changing any prediction; see the other findings, or collect more votes."
    )
    return Finding("identification", "problem", sentence, {"items": items})


def _fixed(numbers: ArrivalIdentification) -> list[Finding]:
    """Name the terms that are fixed at zero, because a judge's verdicts do not identify them."""
    layout, seen = numbers.judges.layout, numbers.verdicts.sum(axis=1) > 0
    fixed = {
        term: numbers.judges_where(seen & ~np.array(retained))
        for term, retained in zip(layout.terms, layout.retained, strict=True)
    }
    return [
        Finding(
            "fixed effects",
            "warning",
            f"{term} is fixed at zero for {listing(names, NAMED)}, where it does not vary or is "
            "collinear with other terms: leave it out, or expect no estimate.",
            {"judges": names},
        )
        for term, names in fixed.items()
        if names
    ]


def check(fit: Orthogonal) -> Diagnosis:
    """Check whether the correction of a placement can be trusted.

    Parameters
    ----------
    fit : Orthogonal
        What ``bj.new_items.orthogonal(...)`` returned.

    Returns
    -------
    Diagnosis
        Whether the first estimate needed a ridge or a lower bound, how far the correction moved
        the new items, and whether single verdicts weigh too much.

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
    >>> fit = bj.new_items.orthogonal(bj.models.new_item, judges, seen, folds=1)
    >>> print(bj.new_items.check(fit).on("start")[0])
    The two-step estimate, from which the fit started, needed no ridge and no lower bound.
    """
    fit = wanted(
        Orthogonal,
        fit,
        UnknownFitError,
        "A corrected fit is wanted and this is of type {type}; give what "
        "bj.new_items.orthogonal(...) "
        "returned (bj.check looks at modes).",
    )
    source = fit.designs[0].data.source
    return Diagnosis(tuple(labelled(source, [_start(fit), _step(fit), _weights(fit)])))


def _start(fit: Orthogonal) -> Finding:
    ridged = sum(start.ridge > 0 for start in fit.starts)
    floored = np.any([start.floored for start in fit.starts], axis=0)
    names = list(compress(fit.designs[0].data.judges, floored))
    details = {"with_ridge": ridged, "floored": names}
    if names:
        sentence = (
            f"In the first estimate the sensitivity of {listing(names, NAMED)} is at its lower "
            "bound: such judges agree with people no better than chance; leave them out."
        )
        return Finding("start", "warning", sentence, details)
    bad = (
        f"In {ridged} of {len(fit.starts)} folds votes are separated or do not link all items, so "
        "the fit started from a ridge estimate: compare with the joint maximum (bj.mode)."
    )
    fine = "The two-step estimate, from which the fit started, needed no ridge and no lower bound."
    return judged("start", ridged, "warning", bad, fine, details)


def _step(fit: Orthogonal) -> Finding:
    start = np.mean([start.score for start in fit.starts], axis=0)
    moved = np.abs(fit.quantity("human_score").values - start)
    most = _largest(fit, moved / fit.standard_error("human_score").values)
    sentence = f"The correction moved the new items by at most {most:.1f} standard errors"
    bad = f"{sentence}: one step may not be enough, so compare with the joint maximum (bj.mode)."
    fine = f"{sentence}."
    return judged("step", not most <= FAR_STEP, "warning", bad, fine, {"standard_errors": most})


def _weights(fit: Orthogonal) -> Finding:
    most = _largest(fit, heaviest_verdict(fit))
    bad = (
        f"A single verdict moves a new item by {most:.2f} standard errors, so some weights are "
        "extreme: use fewer features, or leave out answers with outlying features."
    )
    fine = f"No single verdict moves a new item by more than {most:.2f} standard errors."
    details = {"standard_errors": most}
    return judged("weights", not most <= HEAVY_VERDICT, "warning", bad, fine, details)


def _largest(fit: Orthogonal, values: FloatArray) -> float:
    """Return the largest value of a new item: values (n_items,)."""
    return float(values[fit.roster.is_new].max())
