"""Options of the command line, with their help."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from bayesjudge.face.inputs import KindName
from bayesjudge.face.programs import ProgramName, TieRule

# Plain aliases: Typer lists the values of a `Literal` in its help, but not those of a `type`.
RaiseOrDrop = Literal["raise", "drop"]
KeepOrDrop = Literal["keep", "drop"]
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

Kind = Annotated[
    KindName | None,
    _reading(
        show_default=False,
        help="Who gave the verdicts of FILE, where no column judge_kind says so. Default: llm.",
    ),
]

UnknownOrder = Annotated[
    bool,
    _reading(
        "--unknown-order",
        help="The columns do not say who was shown first (chosen and rejected, for example); no "
        "position effect is fitted.",
    ),
]

OnMissing = Annotated[RaiseOrDrop, _reading(help="Rows without a verdict.")]

OnInvalid = Annotated[
    RaiseOrDrop, _reading(help="Rows whose verdict is marked as failed (error, -1).")
]

OnSelf = Annotated[RaiseOrDrop, _reading(help="Rows that compare an item with itself.")]

BothBad = Annotated[BothBadRule, _reading(help="Verdicts that both answers are bad.")]

MissingLength = Annotated[
    KeepOrDrop, _reading(help="Rows without a length; a length term needs every length.")
]

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
    Path,
    Option(
        metavar="DIR",
        show_default=False,
        help="Folder for tables, fits and figures; files of an earlier run in it are removed.",
    ),
]

DemoOut = Annotated[Path, Option(metavar="DIR", help="Folder for tables, fits and figures.")]

Program = Annotated[
    ProgramName | None,
    Option(
        show_default=False,
        help="What the verdicts depend on: scores alone (bradley_terry); also position effects "
        "(unit_sensitivity); also each judge's sensitivity (sensitivity); scores of each judge's "
        "own (order_effect); a consensus and disagreement of the judges (consensus). The others "
        "rank by a human score, from human votes beside the judges' verdicts. Default: "
        "sensitivity, and bradley_terry for human verdicts.",
    ),
]

Ties = Annotated[
    TieRule,
    Option(help="Ties as half a win for each item, or as a separate outcome (Davidson)."),
]

Terms = Annotated[
    str | None,
    Option(
        metavar="NAMES",
        show_default=False,
        help="Effects of each judge's own: position, length, family, separated by commas, or none. "
        "Default: position, where the order of display is known.",
    ),
]

By = Annotated[
    str | None,
    Option(
        metavar="COLUMN", show_default=False, help="Make one ranking for each value of a column."
    ),
]

Seed = Annotated[int, Option(min=0, help="Random seed; the same seed gives the same numbers.")]

Draws = Annotated[int, _sampling(min=100, help="Draws kept from each of four chains.")]

Warmup = Annotated[int, _sampling(min=100, help="Warm-up draws of each chain, not kept.")]

Json = Annotated[
    bool, Option("--json", help="Print one JSON document, with units, and nothing else.")
]

Verbose = Annotated[
    bool, Option("--verbose", help="List also the notes on the data, and the checks that are fine.")
]
