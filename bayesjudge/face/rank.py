"""The command `bayesjudge rank`: from files to a ranking, its tables and its figures."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

import bayesjudge as bj
from bayesjudge.face.document import ranking_document
from bayesjudge.face.fits import Choice, Fits, fit_judges
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.outputs import open_folder, write_all, written
from bayesjudge.face.ranking_screen import show_humans, show_judges, show_ranking
from bayesjudge.face.report import report_humans, report_judges
from bayesjudge.face.screen import (
    heading,
    paragraph,
    show_files,
    show_findings,
    show_inputs,
    tell,
    warn,
)

if TYPE_CHECKING:
    from bayesjudge.data.findings import Diagnosis

LENGTHS = (
    "Lengths are kept, and missing ones too, because the programs of this command do not use them; "
    'in Python bj.design(data, terms=("position", "length")) does.'
)
TIES = (
    "Here a tie counts as half a win for each side; with --ties davidson ties are an outcome of "
    "their own, which suits judges who tie often."
)


def rank(console: Console, inputs: Inputs, choice: Choice, out: Path) -> dict[str, Any]:
    """Rank the items of one or two tables, and write everything into a folder.

    Parameters
    ----------
    console : rich.console.Console
        Where results are shown.
    inputs : Inputs
        The verdicts.
    choice : Choice
        Program, ties and seed.
    out : pathlib.Path
        The folder.

    Returns
    -------
    dict
        The document that also lies in report.json.

    Raises
    ------
    BayesjudgeError
        If the folder cannot be written to, or no fit can be had.
    """
    folder = open_folder(out)
    diagnosis = _show_data(console, inputs, choice)
    fits = fit_judges(inputs.judges, choice, tell)
    judges = report_judges(fits)
    humans = report_humans(inputs.humans, fits, choice, tell) if inputs.humans else None
    show_ranking(console, judges)
    show_judges(console, judges)
    if humans:
        show_humans(console, humans, judges)
    document = ranking_document(inputs, diagnosis, choice, judges, humans)
    tell("Writing files and drawing figures.")
    write_all(folder, judges, humans, document)
    show_files(console, folder, written(judges, humans))
    _warn_without_posterior(fits, *([humans.fits] if humans else []))
    return document


def _warn_without_posterior(*fits: Fits) -> None:
    for each in fits:
        if each.posterior is None:
            warn(each.notes[0])


def _show_data(console: Console, inputs: Inputs, choice: Choice) -> "Diagnosis":
    diagnosis = bj.diagnose(*inputs.tables.values())
    show_inputs(console, inputs)
    if any(table.length_first is not None for table in inputs.tables.values()):
        paragraph(console, LENGTHS)
    at_stake = at_stake_in_ranking(diagnosis)
    show_findings(console, at_stake, levels=("problem", "warning"))
    if choice.ties == "half" and any(one.level == "warning" for one in at_stake.on("ties")):
        heading(console, "Ties")
        paragraph(console, TIES)
    return diagnosis


def at_stake_in_ranking(diagnosis: "Diagnosis") -> "Diagnosis":
    """Leave out findings about what a ranking does not use.

    Parameters
    ----------
    diagnosis : Diagnosis
        Of judges, and perhaps humans.

    Returns
    -------
    Diagnosis
        Without lengths; and without clusters of humans, who have no sandwich here.
    """
    judges = diagnosis.about()[0]
    kept = [
        one
        for one in diagnosis.findings
        if one.topic != "lengths" and (one.topic != "clusters" or one.about == judges)
    ]
    return replace(diagnosis, findings=tuple(kept))
