"""The commands `bayesjudge demo`, `diagnose` and `rank`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

import bayesjudge as bj
from bayesjudge.core.wording import counted
from bayesjudge.data.synthetic import EXAMPLE_SEED
from bayesjudge.errors import BayesjudgeError, EmptyComparisonsError
from bayesjudge.face.categories import Categories
from bayesjudge.face.choice import Choice, families_sentence, fit_data
from bayesjudge.face.document import categories_document, diagnosis_document, ranking_document
from bayesjudge.face.fits import fit_judges
from bayesjudge.face.folder import open_folder
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.outputs import write_categories, write_ranking
from bayesjudge.face.programs import PROGRAMS
from bayesjudge.face.report import (
    CategoryRankings,
    JudgesReport,
    Ranking,
    report_judges,
    report_ranking,
)
from bayesjudge.face.screen.findings import count_sentence, show_findings
from bayesjudge.face.screen.judges import show_judges
from bayesjudge.face.screen.ranking import show_humans, show_legend, show_ranking
from bayesjudge.face.screen.text import (
    announce,
    heading,
    paragraph,
    show_files,
    show_inputs,
    warn,
)
from bayesjudge.face.spelling import as_options

if TYPE_CHECKING:
    from bayesjudge.diagnosis.findings import Diagnosis


ABOUT = (
    "These verdicts are synthetic: they were drawn by the generator of OSCAR (arXiv 2609.24128), "
    f"Appendix G.1, with seed {EXAMPLE_SEED}. Five judges compare eight invented items. Each judge "
    "is biased by the slot and the length of an answer and by its own family, and the errors of "
    "judges on the same prompt are correlated. The true values are known and are shown beside the "
    "estimates."
)

TERMS = (
    "The fitted programs include position, length and family effects of each judge: "
    'bj.design(panel, terms=("position", "length", "family"), families=bj.panel_families()).'
)

LENGTHS = (
    "The answer lengths are not used, so rows without them are kept; --terms position,length adds "
    "each judge's preference for long answers."
)

TIES = (
    "Here a tie counts as half a win for each item; --ties davidson models ties as a separate "
    "outcome, which suits judges who tie often."
)


def demo(console: Console, out: Path) -> None:
    """Rank the synthetic panel and compare with its true values."""
    folder, panel = open_folder(out), bj.example_panel()
    heading(console, "A synthetic panel of judges")
    paragraph(console, ABOUT)
    choice = Choice(terms=("position", "length", "family"))
    design = bj.design(panel, terms=choice.terms, families=bj.panel_families())
    judges = report_judges(fit_judges(choice, design))
    ranking = Ranking(Inputs(panel), bj.diagnose(panel), judges, None)
    show_ranking(console, ranking, true_scores())
    for sentence in (*coverage_sentences(judges, true_scores()), TERMS):
        paragraph(console, sentence)
    show_legend(console, judges)
    show_findings(console, ranking.diagnosis, verbose=False)
    show_inputs(console, ranking.inputs)
    show_judges(console, judges, true_judges())
    _write(console, folder, ranking)


def true_scores() -> dict[str, float]:
    """Return the true scores of the items on the scale of the estimates, OSCAR eq. (3)."""
    truth = bj.panel_truth()
    scores = truth.sensitivity.mean() * truth.score
    return dict(zip(bj.example_panel().items, map(float, scores), strict=True))


def true_judges() -> dict[str, list[float]]:
    """Return the true values of columns of the table of judges, in the order of its rows."""
    truth = bj.panel_truth()
    spread = np.sqrt(np.mean(truth.score**2))
    return {
        "scaled_sensitivity": list(map(float, truth.sensitivity * spread)),
        "net_first_preference": list(map(float, np.tanh(truth.position / 2))),
    }


def coverage_sentences(judges: JudgesReport, truth: Mapping[str, float]) -> list[str]:
    """Count the intervals of each method that contain the true score."""
    sentences = []
    for method, table in judges.ranking.items():
        covered = int(table["item"].map(truth).between(table["lower"], table["upper"]).sum())
        sentences.append(
            f"{method.capitalize()}: {covered} of {len(table)} intervals contain the true score."
        )
    return sentences


def diagnose(console: Console, inputs: Inputs, verbose: bool) -> dict[str, Any]:
    """Diagnose one table or two; return the same as a document."""
    diagnosis = bj.diagnose(*inputs.tables.values())
    show_findings(console, diagnosis, verbose)
    show_inputs(console, inputs)
    return diagnosis_document(inputs, diagnosis)


def rank(
    console: Console, inputs: Inputs, choice: Choice, out: Path, verbose: bool
) -> dict[str, Any]:
    """Rank the items of one or two tables, and write everything into a folder."""
    fit_data(inputs, choice)  # refuses what the program cannot read before the folder is cleared
    diagnosis, folder = relevant_findings(inputs, choice), open_folder(out)
    if sentence := count_sentence(diagnosis, "found in the data: see below the ranking"):
        announce(sentence)
    ranking = report_ranking(inputs, diagnosis, choice)
    show_ranking(console, ranking)
    show_legend(console, ranking.judges)
    show_findings(console, diagnosis, verbose)
    _show_data(console, inputs, diagnosis, choice)
    show_judges(console, ranking.judges)
    if ranking.humans:
        show_humans(console, ranking.humans, ranking.judges)
    document = _write(console, folder, ranking)
    for sentence in ranking.unsampled:
        warn(sentence)
    return document


def rank_by(
    console: Console,
    inputs: Inputs,
    categories: Categories,
    choice: Choice,
    out: Path,
    verbose: bool,
) -> dict[str, Any]:
    """Rank the items by each value of a column, and write everything into a folder."""
    fit_data(inputs, choice)
    diagnosis = relevant_findings(inputs, choice)
    folder = open_folder(out, categories.folders.values())
    by = _category_rankings(console, categories, choice, verbose)
    heading(console, "How to read the rankings")
    show_legend(console, next(iter(by.rankings.values())).judges)
    _show_left_out(console, by)
    _show_data(console, inputs, diagnosis, choice)
    document = categories_document(inputs, diagnosis, by)
    announce("Writing files and drawing figures.")
    write_categories(folder, by, document)
    show_files(console, folder, document["files"])
    for value, ranking in by.rankings.items():
        for sentence in ranking.unsampled:
            warn(f"{by.column} = {value}: {sentence}")
    return document


def _category_rankings(
    console: Console, categories: Categories, choice: Choice, verbose: bool
) -> CategoryRankings:
    """Fit and show the categories one after the other; one that cannot be fitted is left out."""
    rankings: dict[str, Ranking] = {}
    left_out = dict(categories.left_out)
    for value, part in categories.inputs.items():
        label = f"{categories.column} = {value}"
        announce(f"{label}:")
        try:
            ranking = report_ranking(part, relevant_findings(part, choice), choice)
        except BayesjudgeError as error:
            left_out[value] = as_options(str(error)).removesuffix(".")
            continue
        rankings[value] = ranking
        show_ranking(console, ranking, of=f"{label}. ")
        show_findings(console, ranking.diagnosis, verbose, of=f"{label}. ")
    if not rankings:
        value, reason = next(iter(left_out.items()))
        raise EmptyComparisonsError(
            f"No value of column {categories.column!r} can be ranked ({value!r}: {reason}); leave "
            "--by out."
        )
    folders, missing = categories.folders, categories.without_value
    return CategoryRankings(categories.column, rankings, folders, left_out, missing)


def _show_left_out(console: Console, by: CategoryRankings) -> None:
    """Name the categories that have no ranking, and count the verdicts without a category."""
    if by.left_out or by.without_value:
        heading(console, "Left out of the rankings")
    for value, reason in by.left_out.items():
        paragraph(console, f"{by.column} = {value}: {reason}.")
    if by.without_value:
        rows = counted(by.without_value, "verdict")
        paragraph(console, f"{rows} without a value in column {by.column!r}.")


def _show_data(console: Console, inputs: Inputs, diagnosis: "Diagnosis", choice: Choice) -> None:
    """Describe the verdicts, and what the fit makes of their columns."""
    show_inputs(console, inputs)
    has_lengths = any(table.length_first is not None for table in inputs.tables.values())
    if has_lengths and "length" not in choice.terms and PROGRAMS[choice.program].has_terms:
        paragraph(console, LENGTHS)
    if "family" in choice.terms:
        paragraph(console, families_sentence(inputs.judges))
    if choice.ties == "half" and any(one.level == "warning" for one in diagnosis.on("ties")):
        paragraph(console, TIES)


def _write(console: Console, folder: Path, ranking: Ranking) -> dict[str, Any]:
    document = ranking_document(ranking)
    announce("Writing files and drawing figures.")
    write_ranking(folder, ranking, document)
    show_files(console, folder, document["files"])
    return document


def relevant_findings(inputs: Inputs, choice: Choice) -> "Diagnosis":
    """Leave out findings on what a ranking does not use: lengths, and clusters of human votes."""
    diagnosis = bj.diagnose(*inputs.tables.values())
    judges = diagnosis.about()[0]
    findings = [
        finding
        for finding in diagnosis.findings
        if (finding.topic != "lengths" or "length" in choice.terms)
        and (finding.topic != "clusters" or finding.about == judges)
    ]
    return replace(diagnosis, findings=tuple(findings))
