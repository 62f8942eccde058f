"""The commands `bayesjudge demo`, `diagnose` and `rank`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

import bayesjudge as bj
from bayesjudge.data.synthetic import EXAMPLE_SEED
from bayesjudge.face.document import diagnosis_document, ranking_document
from bayesjudge.face.fits import fit_humans, fit_judges
from bayesjudge.face.inputs import Choice, Inputs
from bayesjudge.face.outputs import open_folder, write_all
from bayesjudge.face.ranking_screen import show_humans, show_judges, show_ranking
from bayesjudge.face.report import HumansReport, JudgesReport, report_humans, report_judges
from bayesjudge.face.screen import (
    announce,
    heading,
    paragraph,
    show_files,
    show_findings,
    show_inputs,
    warn,
)

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
    "The programs of this command do not use answer lengths, so rows without lengths are kept; in "
    'Python, bj.design(data, terms=("position", "length")) includes a length effect.'
)

TIES = (
    "Here a tie counts as half a win for each item; --ties davidson models ties as a separate "
    "outcome, which suits judges who tie often."
)


def demo(console: Console, out: Path) -> None:
    """Rank the synthetic panel and compare with its true values."""
    folder, panel = open_folder(out), bj.example_panel()
    inputs, diagnosis = Inputs(panel), bj.diagnose(panel)
    heading(console, "A synthetic panel of judges")
    paragraph(console, ABOUT)
    show_inputs(console, inputs)
    show_findings(console, diagnosis)
    families = bj.panel_families()
    design = bj.design(panel, terms=("position", "length", "family"), families=families)
    judges = report_judges(fit_judges(design, Choice()))
    show_ranking(console, judges, true_scores())
    for sentence in (*coverage_sentences(judges, true_scores()), TERMS):
        paragraph(console, sentence)
    show_judges(console, judges, true_judges())
    _write(console, folder, ranking_document(inputs, diagnosis, judges, None), judges, None)


def true_scores() -> dict[str, float]:
    """Return the true scores of the items on the scale of the estimates, OSCAR eq. (3)."""
    truth = bj.panel_truth()
    scores = truth.sensitivity.mean() * truth.score
    return dict(zip(bj.example_panel().items, map(float, scores), strict=True))


def true_judges() -> dict[str, list[float]]:
    """Return the true values of the columns of the table of judges, in their order."""
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


def diagnose(console: Console, inputs: Inputs) -> dict[str, Any]:
    """Diagnose one table or two; return the same as a document."""
    diagnosis = bj.diagnose(*inputs.tables.values())
    show_inputs(console, inputs)
    show_findings(console, diagnosis)
    return diagnosis_document(inputs, diagnosis)


def rank(console: Console, inputs: Inputs, choice: Choice, out: Path) -> dict[str, Any]:
    """Rank the items of one or two tables, and write everything into a folder."""
    folder = open_folder(out)
    diagnosis = bj.diagnose(*inputs.tables.values())
    _show_data(console, inputs, relevant_findings(diagnosis), choice)
    judges, humans = _reports(inputs, choice)
    show_ranking(console, judges)
    show_judges(console, judges)
    if humans:
        show_humans(console, humans, judges)
    document = ranking_document(inputs, diagnosis, judges, humans)
    _write(console, folder, document, judges, humans)
    for report in (judges, humans):
        if report and report.fits.posterior is None:
            warn(report.fits.notes[0])
    return document


def _show_data(console: Console, inputs: Inputs, diagnosis: "Diagnosis", choice: Choice) -> None:
    show_inputs(console, inputs)
    if any(table.length_first is not None for table in inputs.tables.values()):
        paragraph(console, LENGTHS)
    show_findings(console, diagnosis, levels=("problem", "warning"))
    if choice.ties == "half" and any(one.level == "warning" for one in diagnosis.on("ties")):
        heading(console, "Ties")
        paragraph(console, TIES)


def _reports(inputs: Inputs, choice: Choice) -> tuple[JudgesReport, HumansReport | None]:
    fits = fit_judges(inputs.judges, choice)
    judges = report_judges(fits)
    if inputs.humans is None:
        return judges, None
    return judges, report_humans(fit_humans(inputs.humans, choice), fits)


def _write(
    console: Console,
    folder: Path,
    document: dict[str, Any],
    judges: JudgesReport,
    humans: HumansReport | None,
) -> None:
    announce("Writing files and drawing figures.")
    write_all(folder, judges, humans, document)
    show_files(console, folder, document["files"])


def relevant_findings(diagnosis: "Diagnosis") -> "Diagnosis":
    """Leave out findings on what a ranking does not use: lengths, and clusters of human votes."""
    judges = diagnosis.about()[0]
    findings = [
        finding
        for finding in diagnosis.findings
        if finding.topic != "lengths" and (finding.topic != "clusters" or finding.about == judges)
    ]
    return replace(diagnosis, findings=tuple(findings))
