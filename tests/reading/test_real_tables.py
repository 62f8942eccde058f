"""Real tables: the papers' counts, and what is known of their judges."""

import time

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.designs.cells import count_cells

SECONDS = 6.0  # some 1.5 needed for 300,000 rows on one core; the rest is for busy machines


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("mtbench", (9706, 80, 6, 20)),
        ("chatbot_arena", (9937, 8691, 20, 10)),
        ("ultrafeedback", (9726, 9010, 17, 20)),
        ("vicuna80", (11667, 80, 9, 5)),
        ("qlora_oa", (38544, 953, 7, 1)),
    ],
)
def test_counts_are_the_papers(real_data, name, sizes):
    data = real_data(name)
    assert (data.n_rows, data.n_prompts, data.n_items, data.n_judges) == sizes


def test_missing_lengths_of_mtbench_are_not_passed_over(shared_data):
    with pytest.raises(errors.MissingCovariateError, match="24 rows"):
        bj.read(shared_data("mtbench"))
    assert bj.read(shared_data("mtbench"), missing_length="drop").n_rows == 9706 - 24


def test_gpt4_pairs_have_lost_their_order(real_data):
    assert not real_data("mtbench_gpt4pair").order_known.any()


def test_mtbench_diagnosis(real_data):
    diagnosis = bj.diagnose(real_data("mtbench"))
    (copies,) = diagnosis.on("near-copies")
    assert copies.details["groups"] == [
        [
            "kimi-k2-0905-preview",
            "kimi-k2-thinking-turbo",
            "moonshot-v1-128k",
            "moonshot-v1-32k",
        ]
    ]
    assert "97.5% to 99.6%" in copies.sentence
    (inflation,) = diagnosis.on("position inflation")
    assert inflation.details["share_pooled"] == pytest.approx(0.78, abs=0.005)
    assert inflation.details["variance_inflation"] == pytest.approx(4.5, abs=0.05)
    assert "GLM-4.5-Air" in diagnosis.on("one slot")[0].sentence
    assert "marin-8b" in diagnosis.on("ties")[0].sentence
    assert len(diagnosis.on("both orders")[0].details["judges_without_swap"]) == 20


def test_vicuna_votes_join_every_cell(real_data, shared_data):
    human = bj.read(shared_data("vicuna80_human"), kind="human")
    (cells,) = bj.diagnose(real_data("vicuna80"), human).on("shared cells")
    assert cells.details["cells"]["vicuna80_human.csv.gz"] == [2560, 2560]


def test_annotators_with_two_votes_are_named(shared_data):
    human = bj.read(shared_data("mtbench_human"), kind="human", missing_length="keep")
    assert human.human.all()
    assert bj.diagnose(human).on("few verdicts")[0].details["few"]["expert_52"] == 2


def test_three_hundred_thousand_rows_are_read_and_counted_in_seconds(real_data):
    frame = pd.concat([real_data("qlora_oa").to_frame()] * 8, ignore_index=True)
    frame["prompt"] = np.arange(len(frame)) // 3
    start = time.perf_counter()
    cells, _ = count_cells(bj.read(frame))
    assert time.perf_counter() - start < SECONDS
    assert cells.counts.sum() == len(frame)
