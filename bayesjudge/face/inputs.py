"""Options of the command line, and the verdicts that they name."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

import bayesjudge as bj
from bayesjudge.errors import JudgeKindError, UnknownOptionError, UnreadableFileError
from bayesjudge.reading.options import BothBad, RaiseOrDrop


@dataclass(frozen=True)
class Reading:
    """How files are to be read.

    Attributes
    ----------
    on_missing, on_invalid, on_self : {"raise", "drop"}
        As in `bayesjudge.read`.
    both_bad : {"raise", "tie", "drop"}
        As in `bayesjudge.read`.
    verdicts : str, optional
        "slot", "winner", the name of a source, or "1=first,0=second".
    columns : tuple of str
        ``"role=name"`` each; an empty name says that no column plays the role.
    """

    on_missing: RaiseOrDrop = "raise"
    on_invalid: RaiseOrDrop = "raise"
    on_self: RaiseOrDrop = "raise"
    both_bad: BothBad = "raise"
    verdicts: str | None = None
    columns: tuple[str, ...] = ()

    def arguments(self) -> dict[str, Any]:
        """Give the arguments of `bayesjudge.read`; lengths may be missing, no command uses them."""
        return {
            "on_missing": self.on_missing,
            "on_invalid": self.on_invalid,
            "on_self": self.on_self,
            "both_bad": self.both_bad,
            "verdicts": _coding(self.verdicts),
            "columns": dict(_column(each) for each in self.columns),
            "missing_length": "keep",
        }


@dataclass(frozen=True, eq=False)
class Inputs:
    """What was read.

    Attributes
    ----------
    judges : Comparisons
        The verdicts to rank by.
    humans : Comparisons or None
        Verdicts of people, kept apart.
    """

    judges: "bj.Comparisons"
    humans: "bj.Comparisons | None" = None

    @property
    def tables(self) -> "dict[str, bj.Comparisons]":
        """The tables there are, by what they hold."""
        named = {"judges": self.judges, "humans": self.humans}
        return {name: table for name, table in named.items() if table is not None}


def read_inputs(file: Path, humans: Path | None, reading: Reading) -> Inputs:
    """Read one file, or two.

    Parameters
    ----------
    file : pathlib.Path
        Verdicts of judges. Where it marks some of them as people, those are taken apart.
    humans : pathlib.Path, optional
        Verdicts of people.
    reading : Reading
        How to read.

    Returns
    -------
    Inputs
        The tables.

    Raises
    ------
    UnreadableFileError
        If a path is a folder.
    JudgeKindError
        If both files hold people.
    BayesjudgeError
        As `bayesjudge.read`.
    """
    _demand_files(file, humans)
    data = bj.read(file, **reading.arguments())
    people = data.human[data.judge]
    if humans is None:
        mixed = people.any() and not people.all()
        return Inputs(data.select(~people), data.select(people)) if mixed else Inputs(data)
    if people.any():
        raise JudgeKindError(
            f"{data.source} holds verdicts of people ({int(people.sum()):,} rows) and --humans "
            "gives more; keep people in one of the two files."
        )
    return Inputs(data, bj.read(humans, "human", **reading.arguments()))


def _demand_files(*paths: Path | None) -> None:
    for path in paths:
        if path is not None and path.is_dir():
            raise UnreadableFileError(f"{str(path)!r} is a folder; give a file of verdicts in it.")


def _coding(text: str | None) -> str | dict[str, str] | None:
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
    role, sign, name = text.partition("=")
    if not (role and sign):
        raise UnknownOptionError(
            f"--column {text!r} names no role; write it like --column verdict=preference."
        )
    return role, name or None


READING, SAMPLING = "Reading", "Sampling"


File = Annotated[
    Path,
    Argument(
        metavar="FILE",
        show_default=False,
        help="Verdicts: .csv, .tsv, .json, .jsonl (each also .gz) or .parquet.",
    ),
]


Humans = Annotated[
    Path | None,
    Option(metavar="FILE", show_default=False, help="Verdicts of people, in a file of their own."),
]


OnMissing = Annotated[
    Literal["raise", "drop"],
    Option(help="Rows without a verdict.", rich_help_panel=READING),
]


OnInvalid = Annotated[
    Literal["raise", "drop"],
    Option(help="Rows whose verdict is marked as failed (error, -1).", rich_help_panel=READING),
]


OnSelf = Annotated[
    Literal["raise", "drop"],
    Option(help="Rows with one item on both sides.", rich_help_panel=READING),
]


BothBad = Annotated[
    Literal["raise", "tie", "drop"],
    Option(help="Ties that say both answers are bad.", rich_help_panel=READING),
]


Verdicts = Annotated[
    str | None,
    Option(
        metavar="CODING",
        show_default=False,
        help="What verdicts mean, in both files: slot, winner, the name of a source such as "
        "pandalm, or labels such as 1=first,0=second,0.5=tie.",
        rich_help_panel=READING,
    ),
]


Columns = Annotated[
    list[str] | None,
    Option(
        "--column",
        metavar="ROLE=NAME",
        show_default=False,
        help="Column of a role (item_first, item_second, verdict, judge, prompt, ...), where its "
        "name is not a known one; may be given several times.",
        rich_help_panel=READING,
    ),
]


Out = Annotated[
    Path, Option(metavar="DIR", show_default=False, help="Folder for tables, fits and figures.")
]


DemoOut = Annotated[Path, Option(metavar="DIR", help="Folder for tables, fits and figures.")]


Program = Annotated[
    Literal["sensitivity", "order_effect", "bradley_terry"],
    Option(
        help="How judges differ: in sensitivity and position effect; in scores and position "
        "effect; or not at all."
    ),
]


Ties = Annotated[
    Literal["half", "davidson"],
    Option(help="A tie as half a win for each side, or as an outcome of its own."),
]


Seed = Annotated[int, Option(min=0, help="Same seed, same numbers.")]


Draws = Annotated[
    int,
    Option(min=100, help="Draws of each of four chains.", rich_help_panel=SAMPLING),
]


Warmup = Annotated[
    int,
    Option(
        min=100, help="Draws of adaptation before them, in each chain.", rich_help_panel=SAMPLING
    ),
]


Json = Annotated[
    bool, Option("--json", help="Print one JSON document, with units, and nothing else.")
]
