"""Known column names, by role: where a maintainer adds one."""

ITEM_PAIRS = (
    ("item_first", "item_second"),
    ("item_a", "item_b"),
    ("slot_a", "slot_b"),
    ("model_a", "model_b"),
    ("model_1", "model_2"),
    ("model_a_name", "model_b_name"),
    ("model_x", "model_y"),
    ("generator_1", "generator_2"),
    ("left", "right"),
    ("first", "second"),
    ("player0", "player1"),
    ("player1", "player2"),
)


LENGTH_PAIRS = (
    ("length_first", "length_second"),
    ("length_a", "length_b"),
    ("len_a", "len_b"),
    ("a_len", "b_len"),
    ("sum_assistant_a_tokens", "sum_assistant_b_tokens"),
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
    "repeat": ("repeat", "repetition", "sample_index", "rep"),
    "order_known": ("order_known",),
    "outcome_detail": ("outcome_detail",),
    "turn": ("turn",),
}


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


ROLES = (
    *("item_first", "item_second", "verdict", "judge", "judge_kind", "prompt"),
    *("length_first", "length_second", "weight", "repeat", "order_known", "outcome_detail", "turn"),
)
