"""Findings on prompts as clusters, on repeated rows, and on names that look alike."""

import numpy as np

from bayesjudge.data.arrays import IntArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.describe import verdict_sentence
from bayesjudge.data.duplicates import repeated_rows
from bayesjudge.data.findings import Finding, Level
from bayesjudge.data.name_findings import missing_names_finding
from bayesjudge.data.names import alike_names, chosen_form, counted, listing


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
