"""Who was compared, by whom, on what: identifiers as text, and which judges are people."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray
from bayesjudge.core.wording import chosen_form, listing
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
    frame, item_notes = _with_items(frame, plan)
    frame, judge_notes = _with_judges(frame, plan, options)
    frame, prompt_notes = _with_prompts(frame, plan, options)
    frame, order_notes = _with_order(frame, plan, options)
    return frame, (*item_notes, *judge_notes, *prompt_notes, *order_notes)


def _with_items(frame: pd.DataFrame, plan: Plan) -> tuple[pd.DataFrame, tuple[str, ...]]:
    n_rows = len(frame)
    both = pd.concat([frame["item_first"], frame["item_second"]], ignore_index=True)
    names, notes = text_names(both, "item")
    missing = _blank(names)
    places = plan.places(frame)
    if missing.any():
        either = missing[:n_rows] | missing[n_rows:]
        raise MissingItemError(
            f"An item's name is missing in {places.listing(either)}; every row must say which two "
            "items were compared, so correct those rows or take them out."
        )
    refuse_unwritable(names, replace(places, rows=np.tile(places.rows, 2)), "item")
    first, second = names[:n_rows].to_numpy(), names[n_rows:].to_numpy()
    return frame.assign(item_first=first, item_second=second), (*notes, *_name_notes(names, "item"))


def _with_judges(
    frame: pd.DataFrame, plan: Plan, options: ReadOptions
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    if "judge" in frame:
        lists = list_cells(frame["judge"]).any()
        joined = ("Judges given as lists are named by their parts, joined with '/'.",)
        names, judge_notes = _identifiers(frame, plan, "judge")
        notes = (*(joined if lists else ()), *judge_notes)
    else:
        only = "human" if options.kind == "human" else "judge"
        names = pd.Series(only, index=frame.index, dtype=object)
        notes = (f"No judge column was found: all verdicts belong to one judge, {only!r}.",)
    frame = frame.assign(judge=names)
    frame = frame.assign(human=_human_rows(frame, plan, options))
    return frame, (*notes, *_person_notes(frame, options))


def _identifiers(
    frame: pd.DataFrame, plan: Plan, what: str, breaks: bool = False
) -> tuple[pd.Series, tuple[str, ...]]:
    """Return the names of judges or prompts; with `breaks`, they may hold tabs and line breaks."""
    names, notes = text_names(frame[what], what)
    missing = _blank(names)
    places = plan.places(frame)
    if missing.any():
        raise MissingIdentifierError(
            f"The {what} is missing in {places.listing(missing)}; name it in every row, or say "
            f"that the column is not one of {what}s with columns={{{what!r}: None}}."
        )
    lines = names.str.replace(r"[\t\n\r]", " ", regex=True) if breaks else names
    refuse_unwritable(lines, places, what)
    return names, (*notes, *_name_notes(names, what))


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
    frame: pd.DataFrame, plan: Plan, options: ReadOptions
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    if "prompt" in frame:
        # A text that the user has chosen as the prompt's name may have lines, as texts do.
        chosen = options.columns.get("prompt") is not None
        names, notes = _identifiers(frame, plan, "prompt", breaks=chosen)
        return frame.assign(prompt=names), notes
    numbers = pd.Series(plan.source.numbers(frame["source_row"].to_numpy()), index=frame.index)
    width, unit = len(str(numbers.max())), plan.source.unit
    note = (
        "No prompt column was found: every row counts as a prompt of its own, so that clustering "
        "by prompt is not possible; name the column with columns={'prompt': ...} if there is one."
    )
    return frame.assign(prompt=numbers.map(lambda number: f"{unit}-{number:0{width}d}")), (note,)


def _with_order(
    frame: pd.DataFrame, plan: Plan, options: ReadOptions
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    if options.order_known is not None:
        return frame.assign(order_known=options.order_known), ()
    if "order_known" in frame:
        name = plan.roles["order_known"]
        known = truth_column(frame["order_known"], name, plan.places(frame))
        return frame.assign(order_known=known), ()
    reason = plan.order_lost
    if not reason and (frame["verdict"].astype(object) == INCONSISTENT_TIE).any():
        reason = f"The verdict {INCONSISTENT_TIE!r} shows that both orders were merged"
    if not reason:
        return frame.assign(order_known=True), ()
    advice = "say order_known=True if the first item really was shown first"
    if plan.winner:
        advice = "if it is known, name the items in the order shown, and the winner in a column"
    note = f"{reason}, so the order of display counts as unknown; {advice}."
    return frame.assign(order_known=False), (note,)


def _human_rows(frame: pd.DataFrame, plan: Plan, options: ReadOptions) -> BoolArray:
    human = np.full(len(frame), options.kind == "human")
    if "judge_kind" in frame:
        stated = _stated_kind(frame, plan)
        if options.kind is not None and (stated != human).any():
            judge = frame["judge"].iloc[int(np.argmax(stated != human))]
            raise JudgeKindError(
                f"The column of judge kinds contradicts kind={options.kind!r} for judge "
                f"{judge!r}; leave out `kind`, or read without it: columns={{'judge_kind': None}}."
            )
        human = stated
    return human | frame["judge"].isin(list(options.human_judges)).to_numpy()


def _stated_kind(frame: pd.DataFrame, plan: Plan) -> BoolArray:
    kinds = recode_words(frame["judge_kind"], _KINDS)
    wrong = pd.isna(kinds)
    if wrong.any():
        example = frame["judge_kind"].iloc[int(np.argmax(wrong))]
        raise JudgeKindError(
            f"A judge's kind is {example!r} in {plan.places(frame).listing(wrong)}; write 'human' "
            "or 'llm'."
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


def refuse_unknown_judges(judges: Sequence[str], options: ReadOptions) -> None:
    """Raise where people are named that gave no verdict."""
    unknown = sorted(set(options.human_judges) - set(judges))
    if unknown:
        raise UnknownJudgeError(
            f"The human judges {listing(unknown)} gave no verdict; the judges are "
            f"{listing(judges)}."
        )


def _blank(names: pd.Series) -> BoolArray:
    blank = [name for name in pd.unique(names.dropna()) if not name.strip()]
    return (names.isna() | names.isin(blank)).to_numpy()
