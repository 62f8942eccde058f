"""The verdicts that the command line names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import bayesjudge as bj
from bayesjudge.core.wording import counted
from bayesjudge.errors import JudgeKindError, UnknownOptionError, UnreadableFileError

# A plain alias: Typer lists the values of a `Literal` in its help, but not those of a `type`.
KindName = Literal["llm", "human"]


@dataclass(frozen=True, eq=False)
class Inputs:
    """The tables that were read.

    Attributes
    ----------
    judges : Comparisons
        The verdicts to rank by, of LLMs or of people.
    humans : Comparisons or None
        Human verdicts, kept apart.
    """

    judges: "bj.Comparisons"
    humans: "bj.Comparisons | None" = None

    @property
    def tables(self) -> "dict[str, bj.Comparisons]":
        """The tables by the raters who gave them."""
        votes = {} if self.humans is None else {"humans": self.humans}
        return {raters(self.judges): self.judges, **votes}


def raters(table: "bj.Comparisons") -> str:
    """Name those who gave a table's verdicts."""
    return "humans" if table.human.all() else "judges"


def read_arguments(
    verdicts: str | None,
    columns: Sequence[str] | None,
    unknown_order: bool,
    **rules: str,
) -> dict[str, Any]:
    """Return the arguments of `bayesjudge.read`; the rules go there as they are."""
    return {
        "verdicts": _coding(verdicts),
        "columns": dict(map(_column, columns or ())),
        "order_known": False if unknown_order else None,
        **rules,
    }


def read_inputs(
    file: Path, humans: Path | None, kind: KindName | None, arguments: Mapping[str, Any]
) -> Inputs:
    """Read one file or two, and keep human verdicts apart."""
    _demand_no_folder(file, humans)
    data = bj.read(file, kind, **arguments)
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
