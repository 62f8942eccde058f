"""Findings about prompts, lengths, repeated rows and names."""

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, IntArray
from bayesjudge.core.graphs import combined_key
from bayesjudge.core.wording import chosen_form, counted, listing, row_listing
from bayesjudge.data.comparisons import Comparisons, verdict_sentence
from bayesjudge.data.odd_names import (
    PEOPLE_ADVICE,
    alike_names,
    missing_spelled,
    names_a_person,
    people_sentence,
    told_missing,
)
from bayesjudge.diagnosis.findings import Finding, Level


def prompt_findings(data: Comparisons) -> list[Finding]:
    """Say what prompts allow as clusters, and which rows and names repeat.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    list of Finding
        One topic each.
    """
    return [
        clusters_finding(data),
        shared_prompts_finding(data),
        repeated_rows_finding(data),
        alike_names_finding(data),
        missing_names_finding(data),
    ]


def clusters_finding(data: Comparisons) -> Finding:
    """Compare the number of prompts with the number of parameters."""
    parameters = rough_parameters(data.n_items, data.n_judges)
    details = {"clusters": data.n_prompts, "parameters": parameters}
    if data.n_prompts == 1:
        return Finding(
            "clusters",
            "problem",
            f"There is a single prompt ({data.prompts[0]}): a sandwich clustered by prompt is "
            "undefined.",
            details,
        )
    sentence = (
        f"{data.n_prompts:,} prompts as clusters stand against roughly {parameters:,} parameters"
    )
    if data.n_prompts == data.n_rows:
        sentence += "; each has one verdict, so that clustering by prompt changes nothing"
    level, advice = _cluster_level(data.n_prompts, parameters)
    return Finding("clusters", level, f"{sentence}{advice}.", details)


def _cluster_level(clusters: int, parameters: int) -> tuple[Level, str]:
    if clusters <= parameters:
        return (
            "warning",
            ": a sandwich clustered by prompt is singular, and its intervals too short",
        )
    if clusters < 3 * parameters:
        return "note", ": intervals clustered by prompt tend to be too short with so few"
    return "fine", ""


def rough_parameters(n_items: int, n_judges: int) -> int:
    """Count scores, relative sensitivities and position effects: (M - 1) + (K - 1) + K."""
    return (n_items - 1) + (n_judges - 1) + n_judges


def judges_by_prompt(data: Comparisons) -> tuple[IntArray, IntArray, IntArray]:
    """Count the judges of each prompt.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    judge, prompt : ndarray of int, shape (n_pairs,)
        Distinct pairs of judge and prompt.
    n_judges : ndarray of int, shape (n_prompts,)
        Number of judges of each prompt.
    """
    judge, prompt = np.divmod(np.unique(data.judge * data.n_prompts + data.prompt), data.n_prompts)
    return judge, prompt, np.bincount(prompt, minlength=data.n_prompts)


def shared_prompts_finding(data: Comparisons) -> Finding:
    """Say how many of each judge's prompts others judged too."""
    judge, prompt, n_judges = judges_by_prompt(data)
    total = np.bincount(judge, minlength=data.n_judges)
    shared = np.bincount(judge, weights=n_judges[prompt] > 1, minlength=data.n_judges)
    details = {
        "shared_prompts": int((n_judges > 1).sum()),
        "share_by_judge": {
            name: float(share) for name, share in zip(data.judges, shared / total, strict=True)
        },
    }
    number = int((n_judges > 1).sum())
    overall = (
        f"{number:,} of {counted(data.n_prompts, 'prompt')} {chosen_form(number, 'was', 'were')} "
        "judged by two judges or more"
    )
    if data.n_judges == 1:
        return Finding(
            "shared prompts", "fine", "There is one judge to share prompts with.", details
        )
    alone = [data.judges[j] for j in np.flatnonzero(shared == 0)]
    if len(alone) == data.n_judges:
        sentence = "No prompt was judged by two judges: judges differ in what they saw, too."
        return Finding("shared prompts", "note", sentence, details)
    if alone:
        sentence = f"{overall}, but none of {listing(alone)}."
        return Finding("shared prompts", "note", sentence, details)
    return Finding(
        "shared prompts",
        "fine",
        f"{overall} (at least {np.floor(100 * (shared / total).min()):.0f}% of each judge's "
        "prompts).",
        details,
    )


def repeated_rows_finding(data: Comparisons) -> Finding:
    """Say how many rows repeat an earlier one."""
    repeated = repeated_rows(data)
    number = int(repeated.sum())
    details = {"rows": number}
    if repeated.any():
        row = int(np.argmax(repeated))
        details["first_row"] = int(data.source_row[row])
        return Finding(
            "repeated rows",
            "warning",
            f"{counted(number, 'row')} of {data.n_rows:,} "
            f"{chosen_form(number, 'repeats', 'repeat')} an earlier row (same judge, prompt, "
            "order, pair, verdict and repetition), the first: "
            f"{verdict_sentence(data, row).rstrip('.')}; cluster by prompt, or number real "
            "repetitions in a column 'repeat'.",
            details,
        )
    if data.n_prompts == data.n_rows:
        sentence = (
            "Each row has a prompt of its own, so that repeated rows cannot be told from separate "
            "verdicts."
        )
        return Finding("repeated rows", "note", sentence, details)
    return Finding("repeated rows", "fine", "No row repeats another.", details)


def alike_names_finding(data: Comparisons) -> Finding:
    """Name items, judges and prompts that look alike."""
    groups = {
        what: [list(group) for group in alike_names(getattr(data, what))]
        for what in ("items", "judges", "prompts")
    }
    told = [
        f"the {what} {listing([repr(name) for name in group])}"
        for what, found in groups.items()
        for group in found
    ]
    if not told:
        sentence = "No two names differ only in spaces, letter case or Unicode form."
        return Finding("names", "fine", sentence, groups)
    return Finding(
        "names",
        "warning",
        f"Some names look alike and are kept apart ({'; '.join(told[:5])}"
        f"{f'; and {len(told) - 5} more' if len(told) > 5 else ''}): rename them if they are one.",
        groups,
    )


def repeated_rows(data: Comparisons) -> BoolArray:
    """Mark rows that equal an earlier one.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray of bool, shape (n_rows,)
        True where an earlier row has the same judge, prompt, display order, verdict, repetition
        and, if there are turns, turn.
    """
    keys = [data.judge, data.prompt, data.first, data.second, data.verdict, data.repeat]
    turn = dict(data.covariates).get("turn")
    if turn is not None:
        keys.append(turn.astype(np.int64))
    repeated = np.ones(data.n_rows, dtype=bool)
    repeated[np.unique(combined_key(*keys), return_index=True)[1]] = False
    return repeated


def length_findings(data: Comparisons) -> list[Finding]:
    """Say whether lengths are complete, and whether they differ at all.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    list of Finding
        One finding; none where no lengths were read.
    """
    if data.length_first is None or data.length_second is None:
        return []
    missing = np.isnan(data.length_first) | np.isnan(data.length_second)
    details = {"missing": int(missing.sum())}
    if missing.any():
        sentence = (
            f"A length is missing in {row_listing(missing, data.source_row)}: programs with a "
            "length effect refuse them, so read with missing_length='drop' for those."
        )
        return [Finding("lengths", "warning", sentence, details)]
    if (data.length_first == data.length_second).all():
        sentence = (
            "The two answers are equally long in every row: a length effect is not identified."
        )
        return [Finding("lengths", "warning", sentence, details)]
    return [Finding("lengths", "fine", "Every answer has a length.", details)]


def missing_names_finding(data: Comparisons) -> Finding:
    """Name items, judges and prompts that spell a missing value.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    Finding
        A warning if there are any.
    """
    found = {
        "item": missing_spelled(
            pd.concat([_names(data.items, data.first), _names(data.items, data.second)])
        ),
        "judge": missing_spelled(_names(data.judges, data.judge)),
        "prompt": missing_spelled(_names(data.prompts, data.prompt)),
    }
    told = [f"the {told_missing(rows, what)}" for what, rows in found.items() if rows]
    details = {f"{what}s": rows for what, rows in found.items()}
    if not told:
        return Finding("missing names", "fine", "No name spells a missing value.", details)
    return Finding(
        "missing names",
        "warning",
        f"Some names spell a missing value and are kept as names ({'; '.join(told)}): take those "
        "rows out if nobody knows what they belong to.",
        details,
    )


def _names(names: tuple[str, ...], index: IntArray) -> pd.Series:
    return pd.Series(list(names), dtype=object).take(index)


def person_names_finding(data: Comparisons) -> Finding:
    """Name judges that count as LLMs, though nobody said so and their names are people's.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    Finding
        A warning if there are any.
    """
    unsaid = any(note.endswith(PEOPLE_ADVICE) for note in data.notes)
    found = [
        judge
        for judge, human in zip(data.judges, data.human, strict=True)
        if unsaid and not human and names_a_person(judge)
    ]
    if not found:
        sentence = "No judge named like a person is taken for a machine unasked."
        return Finding("judge kinds", "fine", sentence, {"judges": []})
    return Finding("judge kinds", "warning", people_sentence(found), {"judges": found})
