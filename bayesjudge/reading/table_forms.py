"""Tables that do not hold one verdict a row: rewritten so that they do.

| form | columns | becomes |
|---|---|---|
| plain | one verdict column | itself |
| one-hot | winner_model_a, winner_model_b, winner_tie | one row |
| named choice | chosen_model_name, both_equal | one row |
| two games | g1_winner, g2_winner | two rows, the second with the slots exchanged |
| game list | games, model, baseline | two rows; the baseline is shown first in the first game |
| win counts | win1, win2, ties (if there) | a weighted row for each count that is not zero |
| winners | columns named for the winner and the loser, tie (if there) | one row |
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from bayesjudge.data.places import Places
from bayesjudge.errors import InvalidComparisonsError, InvalidWeightError
from bayesjudge.reading.cell_values import number_column, truth_column
from bayesjudge.reading.known_columns import TIE_COLUMNS, ColumnPair


@dataclass(frozen=True)
class TableForm:
    """One way to hold verdicts in columns.

    Attributes
    ----------
    needs : tuple of str
        Columns, in lower case, by which it is recognised.
    expand : callable
        Rewrites a frame with the columns of roles and of the form, one verdict a row; errors name
        rows by their places.
    may_have : tuple of str
        Columns that are used if they are there.
    items : ColumnPair or None
        Columns of the two items, where the form fixes them.
    lists : tuple of str
        Columns whose cells hold lists.
    counts : bool
        Whether the columns hold numbers of verdicts, which become weights.
    own_words : bool
        Whether its verdicts become the words first, second and tie, whatever labels mean elsewhere.
    """

    needs: tuple[str, ...]
    expand: Callable[[pd.DataFrame, Places], pd.DataFrame]
    may_have: tuple[str, ...] = ()
    items: ColumnPair | None = None
    lists: tuple[str, ...] = ()
    counts: bool = False
    own_words: bool = False


def _expand_one_hot(frame: pd.DataFrame, places: Places) -> pd.DataFrame:
    flags = np.column_stack([number_column(frame[name], name, places) for name in ONE_HOT.needs])
    flags = np.nan_to_num(flags)
    wrong = (flags.sum(axis=1) > 1) | ~np.isin(flags, (0, 1)).all(axis=1)
    if wrong.any():
        raise InvalidComparisonsError(
            "The columns winner_model_a, winner_model_b and winner_tie must hold one 1 and two 0 "
            f"in each row, which they do not in {places.listing(wrong)}; correct them."
        )
    words = np.array(["first", "second", "tie", None], dtype=object)
    choice = np.where(flags.any(axis=1), flags.argmax(axis=1), 3)
    return frame.assign(verdict=words[choice])


def _expand_named_choice(frame: pd.DataFrame, places: Places) -> pd.DataFrame:
    equal = truth_column(frame["both_equal"], "both_equal", places)
    chosen = frame["chosen_model_name"].astype(object)
    return frame.assign(verdict=chosen.where(~equal, "both_equal"))


def _expand_two_games(frame: pd.DataFrame, _: Places) -> pd.DataFrame:
    """Rewrite two games of one pair whose verdicts name the model, whatever its slot was."""
    words = {"model_1": "first", "model_2": "second"}
    exchanged = {"model_1": "second", "model_2": "first"}
    return _both_games(
        frame.assign(verdict=_replace_words(frame["g1_winner"], words)),
        _exchange_slots(frame).assign(verdict=_replace_words(frame["g2_winner"], exchanged)),
    )


def _expand_game_list(frame: pd.DataFrame, _: Places) -> pd.DataFrame:
    """Rewrite two games of one pair whose verdicts name the slot."""
    scores = [frame["games"].map(lambda games, i=i: _score(games, i)) for i in (0, 1)]
    return _both_games(
        frame.assign(verdict=scores[0].astype(object)),
        _exchange_slots(frame).assign(verdict=scores[1].astype(object)),
    )


def _score(games: object, i: int) -> object:
    game = games[i] if isinstance(games, list | np.ndarray) and len(games) > i else None
    return game.get("score") if isinstance(game, dict) else None


def _expand_win_counts(frame: pd.DataFrame, places: Places) -> pd.DataFrame:
    columns = {"win1": "first", "win2": "second", "ties": "tie"}
    parts = [
        frame.assign(verdict=word, weight=_counts(frame[name], name, places))
        for name, word in columns.items()
        if name in frame
    ]
    long = pd.concat(parts).sort_values("source_row", kind="stable", ignore_index=True)
    return long[long["weight"] != 0].reset_index(drop=True)


def _counts(values: pd.Series, name: str, places: Places) -> np.ndarray:
    counts = number_column(values, name, places)
    wrong = ~(counts >= 0)
    if wrong.any():
        raise InvalidWeightError(
            f"Column {name!r} must hold counts, which it does not in {places.listing(wrong)}; "
            "write 0 where there was none."
        )
    return counts


def _expand_winners(frame: pd.DataFrame, places: Places, won: str) -> pd.DataFrame:
    """Read the winner from the columns' names; a tie where a column says so."""
    ties = [truth_column(frame[name], name, places) for name in TIE_COLUMNS if name in frame]
    tied = np.any(ties, axis=0) if ties else np.zeros(len(frame), dtype=bool)
    return frame.assign(verdict=np.where(tied, "tie", won))


def _replace_words(labels: pd.Series, words: dict[str, str]) -> pd.Series:
    labels = labels.astype(object)
    folded = labels.map(lambda label: label.strip().casefold() if isinstance(label, str) else label)
    return folded.map(words).where(folded.isin(list(words)), labels)


def _both_games(first_game: pd.DataFrame, second_game: pd.DataFrame) -> pd.DataFrame:
    both = pd.concat([first_game, second_game])
    return both.sort_values("source_row", kind="stable", ignore_index=True)


def _exchange_slots(frame: pd.DataFrame) -> pd.DataFrame:
    """Exchange the columns of the first and of the second item, but not the verdict."""
    swaps = {"item_first": "item_second", "length_first": "length_second"}
    swaps |= {second: first for first, second in swaps.items()}
    return frame.rename(columns=swaps)[list(frame.columns)]


PLAIN = TableForm((), lambda frame, _: frame)
ONE_HOT = TableForm(
    ("winner_model_a", "winner_model_b", "winner_tie"), _expand_one_hot, own_words=True
)
NAMED_CHOICE = TableForm(("chosen_model_name", "both_equal"), _expand_named_choice)
TWO_GAMES = TableForm(("g1_winner", "g2_winner"), _expand_two_games)
GAME_LIST = TableForm(
    ("games", "model", "baseline"),
    _expand_game_list,
    items=ColumnPair("baseline", "model"),
    lists=("games",),
)
WIN_COUNTS = TableForm(
    ("win1", "win2"), _expand_win_counts, may_have=("ties",), counts=True, own_words=True
)
SPECIAL_FORMS = (ONE_HOT, NAMED_CHOICE, TWO_GAMES, GAME_LIST, WIN_COUNTS)
WON = {  # by the role of the column of winners
    role: TableForm((), partial(_expand_winners, won=word), TIE_COLUMNS, own_words=True)
    for role, word in (("item_first", "first"), ("item_second", "second"))
}
