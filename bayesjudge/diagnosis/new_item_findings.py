"""What data and fits tell about a new item, in words."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bayesjudge.anchor.orthogonal import Orthogonal
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.graph import unbounded_items
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.flat_cells import counted_rows
from bayesjudge.designs.layouts import observed_site
from bayesjudge.designs.roster import Roster, default_roster, demand_roster
from bayesjudge.diagnosis.findings import Diagnosis, Finding
from bayesjudge.diagnosis.new_item_numbers import ArrivalIdentification, arrival_identification
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.prepare import demand_kinds
from bayesjudge.errors import UnknownFitError
from bayesjudge.models.new_item import new_item

NAMED = 5


LITTLE_LEFT, NOTHING_LEFT = 0.1, 1e-6  # share of score gaps that features leave unexplained


FAR_SHIFT = 10.0  # ratio of mean squares of a feature contrast, arrivals to history


WEAK_SCALE = 0.2  # relative standard error of the scale; two of them are 40 %


def identify_new_item(
    judges: Comparisons | Design, humans: Comparisons | Design, roster: Roster | None = None
) -> Diagnosis:
    """Say whether verdicts and votes can place new items among historical ones, before any fit.

    Parameters
    ----------
    judges, humans : Comparisons or Design
        Verdicts of judges, with features as terms; votes of people.
    roster : Roster, optional
        Which items are new; by default those without votes.

    Returns
    -------
    Diagnosis
        Whether votes link the historical items and have a finite estimate, how well they know the
        scale; whether judges were seen in history, whether their features give the items away, and
        whether arrivals' features lie where history's did.

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
    >>> print(bj.identify_new_item(judges, seen).on("identification")[0].sentence)
    All 17 coordinates of scores, sensitivities and features are identified.
    """
    made = designs(judges, humans)
    demand_kinds(new_item, made)
    of = default_roster(made) if roster is None else demand_roster(roster, len(made[0].items))
    found = arrival_identification(made, of)
    sources = [each.data.source for each in made]
    about_votes = [_graph(found), _finite(found), _scale(found)]
    about_judges = [_judges(found), _features(found), _overlap(found), _whole(found)]
    about_judges += _fixed(found)
    return Diagnosis((*_about(about_votes, sources[1]), *_about(about_judges, sources[0])))


def _about(findings: Iterable[Finding], source: str) -> list[Finding]:
    return [Finding(one.topic, one.level, one.sentence, one.details, source) for one in findings]


def _graph(found: ArrivalIdentification) -> Finding:
    groups = int(found.vote_group.max()) + 1
    if groups == 1:
        sentence = f"Votes link all {len(found.vote_group)} historical items."
        return Finding("human graph", "fine", sentence)
    alone = np.array(found.judges.data.judges)[found.ranks_alone].tolist()
    if not alone:
        sentence = (
            f"Votes leave the historical items in {groups} groups and no judge ranks them all by "
            "itself: collect votes between groups."
        )
        return Finding("human graph", "problem", sentence, {"groups": groups})
    sentence = (
        f"Votes leave the historical items in {groups} groups: their order rests on the judges "
        f"({listing(alone, NAMED)} rank them all), and votes set the scale alone."
    )
    return Finding("human graph", "warning", sentence, {"groups": groups, "ranking_judges": alone})


def _finite(found: ArrivalIdentification) -> Finding:
    data = found.humans.data
    voted = {data.items[i] for i in np.union1d(data.first, data.second)} - _new_names(found)
    lone = sorted(set(unbounded_items(data)) & voted)
    if not lone:
        return Finding("separation", "fine", "Votes have a finite estimate by themselves.")
    sentence = (
        f"No chain of wins leads through {listing(lone, NAMED)} both ways, so votes have no finite "
        "estimate by themselves: fits start from a ridge estimate, and intervals lean on one step."
    )
    return Finding("separation", "warning", sentence, {"items": lone})


def _scale(found: ArrivalIdentification) -> Finding:
    votes, error = found.humans.weight.sum(), found.scale_error
    stand = f"{votes:,.0f} votes tell people's scale with a standard error of {error:.0%}"
    details = {"relative_error": error}
    if error <= WEAK_SCALE:
        return Finding("scale", "fine", f"{stand}.", details)
    sentence = (
        f"{stand}, and no number of judges' verdicts can narrow it: collect votes on pairs that "
        "people tell apart (bj.next_comparisons)."
    )
    return Finding("scale", "warning", sentence, details)


def _judges(found: ArrivalIdentification) -> Finding:
    names = np.array(found.judges.data.judges)
    before, after = found.verdicts.T
    unseen = names[(before == 0) & (after > 0)].tolist()
    idle = names[after == 0].tolist()
    details = {"unseen": unseen, "without_arrivals": idle}
    if unseen:
        sentence = (
            f"{listing(unseen, NAMED)} judged new items and no historical pair, so that history "
            "does not tell how they relate to people: leave them out, or have them judge "
            "historical pairs."
        )
        return Finding("judges", "problem", sentence, details)
    if len(idle) == len(names):
        sentence = "No judge compared a new item with anything: collect such verdicts."
        return Finding("judges", "problem", sentence, details)
    sentence = f"{len(names) - len(idle)} judges compared new items, all of them seen in history."
    return Finding("judges", "fine", sentence, details)


def _features(found: ArrivalIdentification) -> Finding:
    left = np.nan_to_num(found.score_left, nan=1.0)
    names = np.array(found.judges.data.judges)
    details = dict(zip(names.tolist(), left.tolist(), strict=True))
    if left.min() < NOTHING_LEFT:
        sentence = (
            f"Features of {listing(names[left < NOTHING_LEFT], NAMED)} give the items away: they "
            "reproduce the score gaps, and sensitivity cannot be told from bias; use fewer."
        )
        return Finding("features", "problem", sentence, details)
    if left.min() < LITTLE_LEFT:
        sentence = (
            f"Features of {listing(names[left < LITTLE_LEFT], NAMED)} explain all but "
            f"{left.min():.0%} of the score gaps: sensitivities are poorly known; use fewer."
        )
        return Finding("features", "warning", sentence, details)
    sentence = f"Features leave at least {left.min():.0%} of each judge's score gaps unexplained."
    return Finding("features", "fine", sentence, details)


def _overlap(found: ArrivalIdentification) -> Finding:
    names = np.array(found.judges.data.judges)
    shift = np.nan_to_num(found.feature_shift, nan=1.0, posinf=np.inf)
    details = dict(zip(names.tolist(), shift.tolist(), strict=True))
    lost = names[np.isinf(shift)].tolist()
    if lost:
        sentence = (
            f"Some feature of {listing(lost, NAMED)} varies among arrivals and never did in "
            "history: the bias there is unknown; leave the feature out."
        )
        return Finding("overlap", "problem", sentence, details)
    if shift.max(initial=0.0) > FAR_SHIFT:
        far = names[shift > FAR_SHIFT]
        sentence = (
            f"Arrivals' features reach far beyond history's for {listing(far, NAMED)} (mean square "
            f"up to {shift.max():.0f} times): the placement extrapolates the linear bias."
        )
        return Finding("overlap", "warning", sentence, details)
    return Finding("overlap", "fine", "Arrivals' features lie where history's did.", details)


def _fixed(found: ArrivalIdentification) -> list[Finding]:
    """Name the terms whose effects are no parameters, because a judge's verdicts cannot tell."""
    of = found.judges
    free = dict(zip(of.layout.terms, map(np.array, of.layout.retained), strict=True))
    seen = found.verdicts.sum(axis=1) > 0
    fixed = {
        term: np.array(of.data.judges)[seen & ~kept].tolist()
        for term, kept in free.items()
        if (seen & ~kept).any()
    }
    return [
        Finding(
            "fixed effects",
            "warning",
            f"{term} is fixed at zero for {listing(names, NAMED)}, where it does not vary or "
            "repeats other terms: leave it out, or expect no estimate.",
            {"judges": names},
        )
        for term, names in fixed.items()
    ]


def _whole(found: ArrivalIdentification) -> Finding:
    size = len(found.information)
    if not found.lost.shape[1]:
        sentence = f"All {size} coordinates of scores, sensitivities and features are identified."
        return Finding("identification", "fine", sentence)
    names = np.array(found.judges.items)[found.lost_items]
    moving = f"the scores of {listing(names, NAMED)}" if len(names) else "sensitivities or biases"
    sentence = (
        f"{found.lost.shape[1]} of {size} coordinates are not identified: {moving} can change "
        "without changing any prediction; see the other findings, or collect more votes."
    )
    return Finding("identification", "problem", sentence, {"items": names.tolist()})


def _new_names(found: ArrivalIdentification) -> set[str]:
    return set(np.array(found.judges.items)[found.roster.is_new].tolist())


NAMED_ = 5


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
            f"In the start the sensitivity of {listing(names, NAMED_)} is at its floor: such judges "
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
