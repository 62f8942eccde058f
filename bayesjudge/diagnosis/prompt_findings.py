"""Findings about prompts, lengths, repeated rows and names."""

from itertools import compress

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, IntArray
from bayesjudge.core.graphs import combined_key
from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import Comparisons, verdict_sentence
from bayesjudge.data.odd_names import (
    alike_names,
    missing_name_list,
    missing_spelled,
    names_a_person,
    people_sentence,
)
from bayesjudge.diagnosis.findings import Finding, Level, judged

LISTED = 5  # groups of names that a sentence writes out


def prompt_findings(data: Comparisons) -> list[Finding]:
    """Check what prompts allow as clusters, and which rows and names repeat."""
    return [
        clusters_finding(data),
        shared_prompts_finding(data),
        repeated_rows_finding(data),
        alike_names_finding(data),
        missing_names_finding(data),
    ]


def clusters_finding(data: Comparisons) -> Finding:
    """Compare the number of prompts with the number of parameters."""
    clusters = data.n_prompts
    # scores, relative sensitivities and position effects: (M - 1) + (K - 1) + K
    parameters = (data.n_items - 1) + (data.n_judges - 1) + data.n_judges
    details = {"clusters": clusters, "parameters": parameters}
    if clusters == 1:
        sentence = (
            f"There is only one prompt ({data.prompts[0]}): prompt-clustered standard errors are "
            "undefined."
        )
        return Finding("clusters", "problem", sentence, details)
    sentence = f"There are {clusters:,} prompt clusters for about {parameters:,} parameters"
    level, advice = _cluster_level(clusters, parameters)
    if clusters == data.n_rows:
        advice += "; each prompt has one verdict, so clustering by prompt changes nothing"
    return Finding("clusters", level, f"{sentence}{advice}.", details)


def _cluster_level(clusters: int, parameters: int) -> tuple[Level, str]:
    if clusters <= parameters:
        return (
            "warning",
            ": the prompt-clustered covariance matrix is singular and its intervals are too narrow",
        )
    if clusters < 3 * parameters:
        return "note", ": with so few, prompt-clustered intervals tend to be too narrow"
    return "fine", ""


def shared_prompts_finding(data: Comparisons) -> Finding:
    """Count the prompts of each judge that others judged too."""
    judge, prompt = np.divmod(np.unique(data.judge * data.n_prompts + data.prompt), data.n_prompts)
    several = np.bincount(prompt, minlength=data.n_prompts) > 1
    number = int(several.sum())
    shared = np.bincount(judge, several[prompt], data.n_judges)
    share = shared / np.bincount(judge, minlength=data.n_judges)
    details = {
        "shared_prompts": number,
        "share_by_judge": dict(zip(data.judges, share.tolist(), strict=True)),
    }
    if data.n_judges == 1:
        sentence = "There is only one judge, so no prompt can be shared."
        return Finding("shared prompts", "fine", sentence, details)
    if not number:
        sentence = (
            "No prompt was judged by more than one judge: differences between judges are "
            "confounded with differences between their prompts."
        )
        return Finding("shared prompts", "note", sentence, details)
    overall = (
        f"{number:,} of {counted(data.n_prompts, 'prompt')} {chosen_form(number, 'was', 'were')} "
        "judged by at least two judges"
    )
    alone = list(compress(data.judges, shared == 0))
    bad = f"{overall}, but none of the prompts of {listing(alone)}."
    fine = f"{overall} (at least {np.floor(100 * share.min()):.0f}% of each judge's prompts)."
    return judged("shared prompts", alone, "note", bad, fine, details)


def repeated_rows_finding(data: Comparisons) -> Finding:
    """Count the rows that repeat an earlier one."""
    repeated = repeated_rows(data)
    number = int(repeated.sum())
    details = {"rows": number}
    if number:
        row = int(np.argmax(repeated))
        sentence = (
            f"{counted(number, 'row')} of {data.n_rows:,} "
            f"{chosen_form(number, 'repeats', 'repeat')} an earlier row (same judge, prompt, "
            "order, pair, verdict and repetition). The first reads: "
            f"'{verdict_sentence(data, row)}' Cluster by prompt, or number genuine repetitions in "
            "a column 'repeat'."
        )
        details["first_row"] = int(data.source_row[row])
        return Finding("repeated rows", "warning", sentence, details)
    bad = (
        "Each row has a prompt of its own, so repeated rows cannot be distinguished from separate "
        "verdicts."
    )
    fine = "No row repeats another."
    return judged("repeated rows", data.n_prompts == data.n_rows, "note", bad, fine, details)


def repeated_rows(data: Comparisons) -> BoolArray:
    """Mark rows that equal an earlier one, shape (n_rows,)."""
    keys = [data.judge, data.prompt, data.first, data.second, data.verdict, data.repeat]
    turn = dict(data.covariates).get("turn")
    if turn is not None:
        keys.append(turn.astype(np.int64))
    repeated = np.ones(data.n_rows, dtype=bool)
    repeated[np.unique(combined_key(*keys), return_index=True)[1]] = False
    return repeated


def alike_names_finding(data: Comparisons) -> Finding:
    """Name items, judges and prompts that look alike."""
    groups = {
        what: [list(group) for group in alike_names(getattr(data, what))]
        for what in ("items", "judges", "prompts")
    }
    alike = [
        f"the {what} {listing([repr(name) for name in group])}"
        for what in groups
        for group in groups[what]
    ]
    more = f"; and {len(alike) - LISTED} more" if len(alike) > LISTED else ""
    bad = (
        f"Some names look alike and are treated as different ({'; '.join(alike[:LISTED])}{more}): "
        "rename them if they mean the same."
    )
    fine = (
        "No two names differ only in spaces, letter case, Unicode form or the way a number is "
        "written."
    )
    return judged("names", alike, "warning", bad, fine, groups)


def length_findings(data: Comparisons) -> list[Finding]:
    """Check whether lengths are complete, and whether they differ at all."""
    if data.length_first is None or data.length_second is None:
        return []
    missing = np.isnan(data.length_first) | np.isnan(data.length_second)
    details = {"missing": int(missing.sum())}
    if missing.any():
        sentence = (
            f"A length is missing in {data.places.listing(missing)}: programs with a "
            "length effect refuse such rows, so read with missing_length='drop' for those programs."
        )
        return [Finding("lengths", "warning", sentence, details)]
    equal = (data.length_first == data.length_second).all()
    bad = "The two answers are equally long in every row: a length effect is not identified."
    return [judged("lengths", equal, "warning", bad, "Every answer has a length.", details)]


def missing_names_finding(data: Comparisons) -> Finding:
    """Name items, judges and prompts that spell a missing value."""
    found = {
        "item": missing_spelled(
            pd.concat([_names(data.items, data.first), _names(data.items, data.second)])
        ),
        "judge": missing_spelled(_names(data.judges, data.judge)),
        "prompt": missing_spelled(_names(data.prompts, data.prompt)),
    }
    told = [f"the {missing_name_list(rows, what)}" for what, rows in found.items() if rows]
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
    """Name judges that count as LLMs, though nobody said so and their names are people's."""
    persons = [
        judge
        for judge, human in zip(data.judges, data.human, strict=True)
        if not data.kinds_stated and not human and names_a_person(judge)
    ]
    if not persons:
        sentence = "No judge with a human-looking name was classified as an LLM by default."
        return Finding("judge kinds", "fine", sentence, {"judges": []})
    return Finding("judge kinds", "warning", people_sentence(persons), {"judges": persons})
