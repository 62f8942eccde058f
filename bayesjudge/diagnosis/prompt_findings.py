"""Findings about prompts, lengths, repeated rows and names."""

from dataclasses import dataclass
from itertools import compress

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.graphs import combined_key
from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import SECOND, Comparisons, verdict_sentence
from bayesjudge.data.odd_names import (
    alike_names,
    missing_name_list,
    missing_spelled,
    names_a_person,
    people_sentence,
)
from bayesjudge.diagnosis.copies import COPIES_ADVICE, question_key
from bayesjudge.diagnosis.findings import Finding, Level, judged

LISTED = 5  # groups of names that a sentence writes out
MANY_REPEATS = 0.05  # share of the verdicts
MORE_ALIKE = 0.05  # agreement of repeats beyond that of independent verdicts


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
    """Count the verdicts that repeat an earlier one, and how far repeats agree."""
    found = repeats(data)
    details: dict[str, object] = {"rows": found.rows}
    if not found.rows:
        bad = (
            "Each row has a prompt of its own, so repeated rows and other copies cannot be "
            "distinguished from separate verdicts."
        )
        fine = "No verdict repeats an earlier one (same judge, prompt, pair and order)."
        alone = data.n_prompts == data.n_rows
        return judged("repeated rows", alone, "note", bad, fine, details)
    details |= {"agreement": found.agreement, "expected": found.expected}
    sentences = [_repeated(data, found)]
    alike = not found.agreement <= found.expected + MORE_ALIKE
    if alike:
        sentences.append(COPIES_ADVICE)
    if found.identical:
        details |= {"identical": found.identical, "first_row": int(data.source_row[found.example])}
        sentences.append(_identical(data, found))
    many = alike and found.rows > MANY_REPEATS * data.n_rows
    level: Level = "warning" if many or found.identical else "note"
    return Finding("repeated rows", level, " ".join(sentences), details)


def _repeated(data: Comparisons, found: "Repeats") -> str:
    chance = f", and {found.expected:.1%} would if they were independent"
    return (
        f"{counted(found.rows, 'verdict')} of {data.n_rows:,} "
        f"{chosen_form(found.rows, 'repeats', 'repeat')} an earlier one of the same judge on the "
        f"same prompt, pair and order: {found.agreement:.1%} of the pairs of such verdicts agree"
        f"{'' if np.isnan(found.expected) else chance}."
    )


def _identical(data: Comparisons, found: "Repeats") -> str:
    equal = chosen_form(found.identical, "equals", "equal")
    return (
        f"{counted(found.identical, 'row')} {equal} an earlier row in everything: "
        f"'{verdict_sentence(data, found.example)}' Take out rows that the table holds twice, or "
        "number genuine repetitions in a column 'repeat'."
    )


@dataclass(frozen=True)
class Repeats:
    """Verdicts of one judge on one question, pair and order, beyond the first.

    Attributes
    ----------
    rows : int
        Number of verdicts beyond the first.
    identical : int
        Those that equal an earlier row in verdict and repetition index too.
    example : int
        The first of these, by its place in the table; -1 without any.
    agreement : float
        Share of pairs of repeats with the same verdict.
    expected : float
        The same share on different questions; NaN where no judge saw a pair on two of them.
    """

    rows: int
    identical: int
    example: int
    agreement: float
    expected: float


def repeats(data: Comparisons) -> Repeats:
    """Count the repeats, and compare their agreement with that of verdicts on other questions."""
    turned = ~data.order_known & data.swapped
    first, second = np.where(turned, [data.second, data.first], [data.first, data.second])
    verdict = np.where(turned, SECOND - data.verdict, data.verdict)
    cell = combined_key(data.judge, first, second, data.order_known.astype(np.int64))
    group = combined_key(cell, question_key(data))
    same, twice = _pairs_alike(group, verdict), _pairs_alike(group)
    cell_of_group = np.zeros(len(twice), dtype=np.int64)
    cell_of_group[group] = cell
    near = [np.bincount(cell_of_group, pairs, cell.max() + 1) for pairs in (same, twice)]
    far_same, far = _pairs_alike(cell, verdict) - near[0], _pairs_alike(cell) - near[1]
    weight = near[1] * (far > 0)
    chance = np.divide(far_same, far, out=np.zeros_like(far_same), where=far > 0)
    identical = np.ones(data.n_rows, dtype=bool)
    identical[np.unique(combined_key(group, verdict, data.repeat), return_index=True)[1]] = False
    return Repeats(
        rows=data.n_rows - len(twice),
        identical=int(identical.sum()),
        example=int(np.argmax(identical)) if identical.any() else -1,
        agreement=float(same.sum() / twice.sum()) if twice.any() else np.nan,
        expected=float(weight @ chance / weight.sum()) if weight.any() else np.nan,
    )


def _pairs_alike(group: IntArray, value: IntArray | None = None) -> FloatArray:
    """Count the pairs of rows in each group, or those with equal values: -> (n_groups,)."""
    if value is None:
        size = np.bincount(group)
        return size * (size - 1) / 2
    key, index = np.unique(3 * group + value, return_inverse=True)
    size = np.bincount(index)
    return np.bincount(key // 3, size * (size - 1) / 2, group.max() + 1)


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
