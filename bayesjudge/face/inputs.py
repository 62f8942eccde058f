"""Options of the command line, and the verdicts that they name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

import bayesjudge as bj
from bayesjudge.core.wording import counted
from bayesjudge.errors import JudgeKindError, UnknownOptionError, UnreadableFileError

# Plain aliases: Typer lists the values of a `Literal` in its help, but not those of a `type`.
ProgramName = Literal["sensitivity", "order_effect", "bradley_terry"]
TieRule = Literal["half", "davidson"]
RaiseOrDrop = Literal["raise", "drop"]
BothBadRule = Literal["raise", "tie", "drop"]

# Groups of options in the help.
_reading = partial(Option, rich_help_panel="Reading")
_sampling = partial(Option, rich_help_panel="Sampling")

File = Annotated[
    Path,
    Argument(
        metavar="FILE",
        show_default=False,
        help="Verdicts: .csv, .tsv, .json, .jsonl, .ndjson (each also .gz) or .parquet.",
    ),
]

Humans = Annotated[
    Path | None,
    Option(metavar="FILE", show_default=False, help="A separate file of human verdicts."),
]

OnMissing = Annotated[RaiseOrDrop, _reading(help="Rows without a verdict.")]

OnInvalid = Annotated[
    RaiseOrDrop, _reading(help="Rows whose verdict is marked as failed (error, -1).")
]

OnSelf = Annotated[RaiseOrDrop, _reading(help="Rows that compare an item with itself.")]

BothBad = Annotated[BothBadRule, _reading(help="Verdicts that both answers are bad.")]

Verdicts = Annotated[
    str | None,
    _reading(
        metavar="CODING",
        show_default=False,
        help="Meaning of the verdict labels, in both files: slot, winner, the name of a source "
        "such as pandalm, or labels such as 1=first,0=second,0.5=tie.",
    ),
]

Columns = Annotated[
    list[str] | None,
    _reading(
        "--column",
        metavar="ROLE=NAME",
        show_default=False,
        help="Column that plays a role (item_first, item_second, verdict, judge, prompt, ...) "
        "under an unknown name; may be repeated.",
    ),
]

Out = Annotated[
    Path, Option(metavar="DIR", show_default=False, help="Folder for tables, fits and figures.")
]

DemoOut = Annotated[Path, Option(metavar="DIR", help="Folder for tables, fits and figures.")]

Program = Annotated[
    ProgramName,
    Option(
        help="What differs between judges: sensitivity and position effect; scores and position "
        "effect; or nothing."
    ),
]

Ties = Annotated[
    TieRule,
    Option(help="Ties as half a win for each item, or as a separate outcome (Davidson)."),
]

Seed = Annotated[int, Option(min=0, help="Random seed; the same seed gives the same numbers.")]

Draws = Annotated[int, _sampling(min=100, help="Draws kept from each of four chains.")]

Warmup = Annotated[int, _sampling(min=100, help="Warm-up draws of each chain, not kept.")]

Json = Annotated[
    bool, Option("--json", help="Print one JSON document, with units, and nothing else.")
]


@dataclass(frozen=True)
class Choice:
    """Which program is fitted, and how.

    Attributes
    ----------
    program : {"sensitivity", "order_effect", "bradley_terry"}
        What may differ between judges.
    ties : {"half", "davidson"}
        Ties as half wins, or as a separate outcome.
    seed : int
        Random seed.
    draws, warmup : int
        Draws of each chain that are kept, and warm-up draws before them.
    """

    program: ProgramName = "sensitivity"
    ties: TieRule = "half"
    seed: int = 1
    draws: int = 1000
    warmup: int = 500

    @property
    def plain(self) -> str:
        """Name of the sibling with fixed scales, of which the mode is computed."""
        return self.program + ("_davidson" if self.ties == "davidson" else "")

    @property
    def pooled(self) -> str:
        """Name of the sibling with learned scales, which is sampled."""
        return f"{self.plain}_pooled"


@dataclass(frozen=True, eq=False)
class Inputs:
    """The tables that were read.

    Attributes
    ----------
    judges : Comparisons
        The verdicts to rank by.
    humans : Comparisons or None
        Human verdicts, kept apart.
    """

    judges: "bj.Comparisons"
    humans: "bj.Comparisons | None" = None

    @property
    def tables(self) -> "dict[str, bj.Comparisons]":
        """The tables by the raters who gave them."""
        tables = {"judges": self.judges, "humans": self.humans}
        return {name: table for name, table in tables.items() if table is not None}


def read_arguments(
    on_missing: RaiseOrDrop,
    on_invalid: RaiseOrDrop,
    on_self: RaiseOrDrop,
    both_bad: BothBadRule,
    verdicts: str | None,
    columns: Sequence[str] | None,
) -> dict[str, Any]:
    """Return the arguments of `bayesjudge.read`; rows without lengths are kept."""
    return {
        "on_missing": on_missing,
        "on_invalid": on_invalid,
        "on_self": on_self,
        "both_bad": both_bad,
        "verdicts": _coding(verdicts),
        "columns": dict(map(_column, columns or ())),
        "missing_length": "keep",
    }


def read_inputs(file: Path, humans: Path | None, arguments: Mapping[str, Any]) -> Inputs:
    """Read one file or two, and keep human verdicts apart."""
    _demand_no_folder(file, humans)
    data = bj.read(file, **arguments)
    human = data.human[data.judge]
    if humans is None:
        mixed = human.any() and not human.all()
        return Inputs(data.select(~human), data.select(human)) if mixed else Inputs(data)
    if human.any():
        raise JudgeKindError(
            f"{data.source} contains human verdicts ({counted(int(human.sum()), 'row')}), and "
            "--humans names another file of them; put all human verdicts into one of the two files."
        )
    return Inputs(data, bj.read(humans, "human", **arguments))


def _demand_no_folder(*paths: Path | None) -> None:
    for path in paths:
        if path is not None and path.is_dir():
            raise UnreadableFileError(f"{str(path)!r} is a folder; give a file of verdicts in it.")


def _coding(text: str | None) -> str | dict[str, str] | None:
    """Return the name of a coding, or a dict from label to meaning for ``"1=first,0=second"``."""
    if text is None or "=" not in text:
        return text
    pairs = [part.rpartition("=") for part in text.split(",")]
    if not all(label and meaning for label, _, meaning in pairs):
        raise UnknownOptionError(
            f"--verdicts {text!r} is not a list of labels and meanings; write it like "
            "1=first,0=second,0.5=tie."
        )
    return {label.strip(): meaning.strip() for label, _, meaning in pairs}


def _column(text: str) -> tuple[str, str | None]:
    """Split ``"role=name"``; an empty name says that no column plays the role."""
    role, sign, name = text.partition("=")
    if not (role and sign):
        raise UnknownOptionError(
            f"--column {text!r} names no role; write it like --column verdict=preference."
        )
    return role, name or None
