"""Known column names, by role: where a maintainer adds one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnPair:
    """Known names of the columns of the item shown first and of the item shown second.

    Attributes
    ----------
    first, second : str
        In lower case.
    order_lost : str
        Why the order of display is unknown in tables with these columns, if it is.
    unit : str
        What lengths count, if not characters.
    """

    first: str
    second: str
    order_lost: str = ""
    unit: str = ""


ITEM_PAIRS = (
    ColumnPair("item_first", "item_second"),
    ColumnPair("item_a", "item_b"),
    ColumnPair("slot_a", "slot_b"),
    ColumnPair("model_a", "model_b"),
    ColumnPair("model_1", "model_2"),
    ColumnPair("model_a_name", "model_b_name"),
    ColumnPair("model_x", "model_y"),
    ColumnPair(
        "generator_1",
        "generator_2",
        order_lost="AlpacaEval tables (generator_1, generator_2) do not store the order of display",
    ),
    ColumnPair("left", "right"),
    ColumnPair("first", "second"),
    ColumnPair("player0", "player1"),
    ColumnPair("player1", "player2"),
)

LENGTH_PAIRS = (
    ColumnPair("length_first", "length_second"),
    ColumnPair("length_a", "length_b"),
    ColumnPair("len_a", "len_b"),
    ColumnPair("a_len", "b_len"),
    ColumnPair("sum_assistant_a_tokens", "sum_assistant_b_tokens", unit="tokens"),
)

SINGLE_COLUMNS: dict[str, tuple[str, ...]] = {
    "verdict": (
        "verdict",
        "winner",
        "choice",
        "decision",
        "judge_preferred_model",
        "label",
        "preference",
        "result",
        "vote",
        "outcome",
        "chosen_model_name",
    ),
    "judge": (
        "judge",
        "judge_model",
        "judge_name",
        "annotator",
        "worker",
        "voter_id",
        "judge_id",
        "rater",
    ),
    "weight": ("weight", "count", "n", "counts"),
    "repeat": (
        *("repeat", "repeat_id", "repeat_index", "rep", "rep_id"),
        *("repetition", "repetition_id", "repetition_index", "replicate", "sample_index"),
    ),
    "order_known": ("order_known",),
    "outcome_detail": ("outcome_detail",),
    "turn": ("turn",),
    # Whether both orders, merged into one row, agreed.
    "consistent": ("consistent", "is_consistent", "order_consistent", "swap_consistent"),
}

# Words that tell a column of winners from one of losers, as in winner_model / loser_model.
OUTCOME_WORDS = (
    ("chosen", "rejected"),
    ("selected", "rejected"),
    ("accepted", "rejected"),
    ("preferred", "rejected"),
    ("preferred", "dispreferred"),
    ("preferred", "nonpreferred"),
    ("preferred", "unpreferred"),
    ("winner", "loser"),
    ("winning", "losing"),
    ("better", "worse"),
    ("best", "worst"),
)
# What else the names of such columns say; other words (score, length, text) are not items.
ITEM_WORDS = frozenset(
    {"model", "item", "system", "player", "llm", "generator", "assistant", "agent", "name", "id"}
)
# In a table of winners and losers: which rows are ties.
TIE_COLUMNS = ("tie", "is_tie", "tied", "draw", "is_draw", "both_equal")

PROMPT_PRIORITY = (
    "prompt_id",
    "question_id",
    "qid",
    "uid",
    "instruction_index",
    "prompt",
    "evaluation_session_id",
    "idx",
    "pair_id",
    "item_id",
    "id",
)

KIND_PRIORITY = ("judge_kind", "kind", "source")

SWAP_COLUMNS = ("swapped", "is_swapped", "swap")  # not read, and a note says so
STRENGTH_COLUMNS = (  # not read, and a note says so
    *("confidence", "judge_confidence", "certainty", "strength", "preference_strength", "margin"),
    *("soft_preference", "soft_label", "probability", "preference_probability", "prob_a", "p_a"),
)

ROLES = (
    *("item_first", "item_second", "verdict", "judge", "judge_kind", "prompt"),
    *("length_first", "length_second", "weight", "repeat", "order_known", "outcome_detail", "turn"),
    "consistent",
)
