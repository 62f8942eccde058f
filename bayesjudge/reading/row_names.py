"""Who was compared, by whom, on what: identifiers as text, and which judges are people."""

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray
from bayesjudge.core.wording import chosen_form, listing, row_listing
from bayesjudge.data.odd_names import (
    alike_sentences,
    missing_spelled_notes,
    names_a_person,
    people_sentence,
)
from bayesjudge.errors import (
    EmptyComparisonsError,
    JudgeKindError,
    MissingIdentifierError,
    MissingItemError,
    UnknownJudgeError,
)
from bayesjudge.reading.cell_values import (
    list_cells,
    recode_words,
    refuse_unwritable,
    text_names,
    truth_column,
)
from bayesjudge.reading.labels import INCONSISTENT_TIE
from bayesjudge.reading.options import ReadOptions
from bayesjudge.reading.plan import Plan

_KINDS = {"human": True, "llm": False}


def identified_rows(
    frame: pd.DataFrame, plan: Plan, options: ReadOptions
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return rows with names of items, judge and prompt, whether a person judged, and the order."""
    if frame.empty:
        raise EmptyComparisonsError("The table has no rows; give at least one verdict.")
    frame, item_notes = _with_items(frame)
    frame, judge_notes = _with_judges(frame, options)
    frame, prompt_notes = _with_prompts(frame, options)
    frame, order_notes = _with_order(frame, plan, options)
    return frame, (*item_notes, *judge_notes, *prompt_notes, *order_notes)


def _with_items(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    n_rows = len(frame)
    both = pd.concat([frame["item_first"], frame["item_second"]], ignore_index=True)
    names = text_names(both, "item")
    missing = _blank(names)
    if missing.any():
        either = missing[:n_rows] | missing[n_rows:]
        raise MissingItemError(
            f"An item's name is missing in {_rows(frame, either)}; every row must say which two "
            "items were compared, so correct those rows or take them out."
        )
    refuse_unwritable(names, np.tile(frame["source_row"].to_numpy(), 2), "item")
    first, second = names[:n_rows].to_numpy(), names[n_rows:].to_numpy()
    return frame.assign(item_first=first, item_second=second), _name_notes(names, "item")


def _with_judges(frame: pd.DataFrame, options: ReadOptions) -> tuple[pd.DataFrame, tuple[str, ...]]:
    if "judge" in frame:
        lists = list_cells(frame["judge"]).any()
        joined = ("Judges given as lists are named by their parts, joined with '/'.",)
        names = _identifiers(frame, "judge")
        notes = (*(joined if lists else ()), *_name_notes(names, "judge"))
    else:
        only = "human" if options.kind == "human" else "judge"
        names = pd.Series(only, index=frame.index, dtype=object)
        notes = (f"No judge column was found: all verdicts belong to one judge, {only!r}.",)
    frame = frame.assign(judge=names)
    frame = frame.assign(human=_human_rows(frame, options))
    return frame, (*notes, *_person_notes(frame, options))


def _identifiers(frame: pd.DataFrame, what: str, breaks: bool = False) -> pd.Series:
    """Return the names of judges or prompts; with `breaks`, they may hold tabs and line breaks."""
    names = text_names(frame[what], what)
    missing = _blank(names)
    if missing.any():
        raise MissingIdentifierError(
            f"The {what} is missing in {_rows(frame, missing)}; name it in every row, or say that "
            f"the column is not one of {what}s with columns={{{what!r}: None}}."
        )
    lines = names.str.replace(r"[\t\n\r]", " ", regex=True) if breaks else names
    refuse_unwritable(lines, frame["source_row"].to_numpy(), what)
    return names


def _name_notes(names: pd.Series, what: str) -> tuple[str, ...]:
    alike = alike_sentences(pd.unique(names), f"{what}s")
    return (*alike, *missing_spelled_notes(names, what))


def _person_notes(frame: pd.DataFrame, options: ReadOptions) -> tuple[str, ...]:
    """Ask about judges with names of people where nobody stated what the judges are."""
    if kinds_stated(frame, options):
        return ()
    machines = pd.unique(frame["judge"][~frame["human"]])
    people = sorted(name for name in machines if names_a_person(name))
    return (people_sentence(people),) if people else ()


def kinds_stated(frame: pd.DataFrame, options: ReadOptions) -> bool:
    """Whether the user or a column stated what every judge is."""
    return options.kind is not None or "judge_kind" in frame


def _with_prompts(
    frame: pd.DataFrame, options: ReadOptions
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    if "prompt" in frame:
        # A text that the user has chosen as the prompt's name may have lines, as texts do.
        chosen = options.columns.get("prompt") is not None
        names = _identifiers(frame, "prompt", breaks=chosen)
        return frame.assign(prompt=names), _name_notes(names, "prompt")
    width = len(str(frame["source_row"].max()))
    note = (
        "No prompt column was found: every row counts as a prompt of its own, so that clustering "
        "by prompt is not possible; name the column with columns={'prompt': ...} if there is one."
    )
    return frame.assign(prompt=frame["source_row"].map(lambda row: f"row-{row:0{width}d}")), (note,)


def _with_order(
    frame: pd.DataFrame, plan: Plan, options: ReadOptions
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    if options.order_known is not None:
        return frame.assign(order_known=options.order_known), ()
    if "order_known" in frame:
        return frame.assign(order_known=truth_column(frame["order_known"], "order_known")), ()
    reason = plan.order_lost
    if not reason and (frame["verdict"].astype(object) == INCONSISTENT_TIE).any():
        reason = f"The verdict {INCONSISTENT_TIE!r} shows that both orders were merged"
    if not reason:
        return frame.assign(order_known=True), ()
    note = (
        f"{reason}, so the order of display counts as unknown; say order_known=True if the first "
        "item really was shown first."
    )
    return frame.assign(order_known=False), (note,)


def _human_rows(frame: pd.DataFrame, options: ReadOptions) -> BoolArray:
    human = np.full(len(frame), options.kind == "human")
    if "judge_kind" in frame:
        stated = _stated_kind(frame)
        if options.kind is not None and (stated != human).any():
            judge = frame["judge"].iloc[int(np.argmax(stated != human))]
            raise JudgeKindError(
                f"The column of judge kinds contradicts kind={options.kind!r} for judge "
                f"{judge!r}; leave out `kind`, or read without it: columns={{'judge_kind': None}}."
            )
        human = stated
    return human | _named_human(frame, options)


def _stated_kind(frame: pd.DataFrame) -> BoolArray:
    kinds = recode_words(frame["judge_kind"], _KINDS)
    wrong = pd.isna(kinds)
    if wrong.any():
        example = frame["judge_kind"].iloc[int(np.argmax(wrong))]
        raise JudgeKindError(
            f"A judge's kind is {example!r} in {_rows(frame, wrong)}; write 'human' or 'llm'."
        )
    human: BoolArray = kinds.astype(bool)
    kinds_of = pd.Series(human).groupby(frame["judge"].to_numpy()).nunique()
    both = kinds_of.index[kinds_of > 1]
    if len(both):
        raise JudgeKindError(
            f"{listing(both)} {chosen_form(len(both), 'is', 'are')} called both human and llm; "
            "give the people and the models different names."
        )
    return human


def _named_human(frame: pd.DataFrame, options: ReadOptions) -> BoolArray:
    judges = set(pd.unique(frame["judge"]))
    unknown = sorted(set(options.human_judges) - judges)
    if unknown:
        raise UnknownJudgeError(
            f"The human judges {listing(unknown)} gave no verdict; the judges are "
            f"{listing(sorted(judges))}."
        )
    return frame["judge"].isin(list(options.human_judges)).to_numpy()


def _blank(names: pd.Series) -> BoolArray:
    blank = [name for name in pd.unique(names.dropna()) if not name.strip()]
    return (names.isna() | names.isin(blank)).to_numpy()


def _rows(frame: pd.DataFrame, mask: BoolArray) -> str:
    return row_listing(mask, frame["source_row"].to_numpy())
