"""What the diagnosis must not say of well-behaved panels, and what it says of real data."""

import pytest

import bayesjudge as bj

TOPICS = (
    "separation",
    "opposed judges",
    "near-chance judges",
    "runaway judges",
    "repeated rows",
    "choices as pairs",
    "rankings as pairs",
    "mirrored orders",
)


def found(data):
    """Topics that are not fine."""
    diagnosis = bj.diagnose(data)
    return [topic for topic in TOPICS if diagnosis.on(topic)[0].level != "fine"]


def test_two_hundred_small_panels_raise_no_finding():
    """Thirty prompts and 150 verdicts each: no finding of eight topics in any of 200 panels."""
    counts = [len(found(bj.synthetic_panel(30, seed=seed))) for seed in range(200)]
    assert sum(counts) == 0


@pytest.mark.parametrize("prompts", [60, 400])
def test_larger_panels_raise_no_finding(prompts):
    assert [found(bj.synthetic_panel(prompts, seed=seed)) for seed in range(20)] == [[]] * 20


NEAR_CHANCE = {
    "mtbench": ["arize-ai/qwen-2-1.5b-instruct", "marin-community/marin-8b-instruct"],
    "chatbot_arena": ["marin-community/marin-8b-instruct"],
    "ultrafeedback": ["marin-community/marin-8b-instruct"],
}


@pytest.mark.parametrize("name", NEAR_CHANCE)
def test_judges_near_chance_are_all_that_the_three_judge_sets_show(name, real_data):
    diagnosis = bj.diagnose(real_data(name))
    assert list(diagnosis.on("near-chance judges")[0].details["judges"]) == NEAR_CHANCE[name]
    # in Chatbot Arena and UltraFeedback nearly every prompt has one verdict
    assert found(real_data(name)) == ["near-chance judges"]


@pytest.mark.parametrize("name", ["pandalm", "pandalm_human", "mtbench_human", "qlora_oa"])
def test_other_real_tables_show_nothing(name, real_data):
    assert set(found(real_data(name))) <= {"repeated rows"}


def test_vicuna80_repeats_160_verdicts(real_data):
    assert found(real_data("vicuna80")) == ["repeated rows"]
    (repeated,) = bj.diagnose(real_data("vicuna80")).on("repeated rows")
    assert repeated.level == "note"
    assert repeated.details["rows"] == 160
    assert 0.8 < repeated.details["agreement"] < 0.9


def test_three_votes_a_cell_are_repeats(real_data):
    (repeated,) = bj.diagnose(real_data("vicuna80_human")).on("repeated rows")
    assert repeated.level == "warning"
    assert repeated.details["rows"] == 4480
    assert repeated.details["agreement"] - repeated.details["expected"] < 0.1
