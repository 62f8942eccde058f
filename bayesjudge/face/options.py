"""The options of the commands, each with its line of help."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

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
