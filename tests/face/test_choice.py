"""What the options and the data together choose: program, terms, order of display, raters."""

import json
from pathlib import Path

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.errors import (
    JudgeKindError,
    MissingCovariateError,
    MissingFamilyError,
    UnknownOptionError,
    UnknownTermError,
)
from bayesjudge.face.choice import Choice, choose, families_sentence, fit_data
from bayesjudge.face.inputs import Inputs, read_arguments, read_inputs

ROWS = [("gpt-4", "claude-v1"), ("claude-v1", "gpt-4"), ("gpt-4", "llama-13b")]


def verdicts(judges=("gpt-4o", "judge-7"), kind="llm", **columns):
    rows = [
        {"model_a": a, "model_b": b, "winner": winner, "judge": judge}
        for judge in judges
        for a, b in ROWS
        for winner in ("model_a", "model_b")
    ]
    table = {name: [row[name] for row in rows] for name in rows[0]}
    for name, value in columns.items():
        table[name] = list(np.resize(value, len(rows)))
    return bj.read(table, kind, missing_length="keep")


def chosen(judges, humans=None, program=None, ties="half", terms=None):
    return choose(Inputs(judges, humans), program, ties, terms, {})


@pytest.fixture(scope="module")
def votes():
    return verdicts(("ann", "bob"), kind="human")


def test_the_program_follows_from_who_gave_the_verdicts_unless_it_is_named(votes):
    assert chosen(verdicts()).program == "sensitivity"
    assert chosen(votes).program == "bradley_terry"
    assert chosen(votes, program="order_effect").program == "order_effect"


def test_position_is_fitted_where_the_order_of_display_is_known(votes):
    known, unknown = verdicts(), verdicts(order_known=False)
    half_known = verdicts(order_known=[True, False])
    assert chosen(known).terms == chosen(half_known).terms == ("position",)
    assert chosen(unknown).terms == chosen(votes).terms == ()
    with pytest.raises(UnknownOptionError, match="--terms none"):
        chosen(unknown, terms="position")
    assert chosen(unknown, terms="length").terms == ("length",)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("none", ()),
        ("length", ("length",)),
        ("position, length , family", ("position", "length", "family")),
    ],
)
def test_terms_are_names_separated_by_commas(text, terms):
    judges = verdicts(length_a=[10, 25, 40], length_b=[30, 20])
    choice = chosen(judges, terms=text)
    assert choice.terms == terms
    (design,) = fit_data(Inputs(judges), choice)
    assert design.layout.terms == terms


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"terms": "colour"}, UnknownTermError, "choose from position, length, family"),
        ({"terms": ""}, UnknownTermError, "choose from"),
        ({"terms": "length"}, MissingCovariateError, "leave the term out"),
        ({"terms": "position,position"}, UnknownTermError, "named twice"),
        ({"program": "bradley_terry", "terms": "position"}, UnknownOptionError, "--terms"),
        ({"program": "consensus", "ties": "davidson"}, UnknownOptionError, "order_effect"),
        ({"program": "calibrated", "ties": "davidson"}, UnknownOptionError, "half a win"),
        ({"program": "calibrated"}, JudgeKindError, "--humans"),
        ({"program": "misaligned_full"}, JudgeKindError, "judge_kind"),
    ],
)
def test_what_cannot_be_fitted_is_refused_by_name(options, error, said):
    judges = verdicts()
    with pytest.raises(error, match=said):
        fit_data(Inputs(judges), chosen(judges, **options))


def test_a_program_of_judges_and_humans_refuses_humans_alone(votes):
    with pytest.raises(JudgeKindError, match="LLM judges beside human votes"):
        chosen(votes, program="calibrated")


def test_a_missing_length_can_be_left_out_where_a_length_is_needed(run, table):
    head = "model_a,model_b,winner,judge,length_a,length_b"
    path = table("a,b,model_a,j,10,20", "b,a,model_b,j,,30", "a,b,tie,j,5,9", head=head)
    refused = run("rank", path, "--terms", "length", "--out", "FOLDER")
    assert refused.code == 2
    assert "--missing-length drop" in refused.err
    arguments = read_arguments(None, None, False, missing_length="drop")
    inputs = read_inputs(Path(path), None, None, arguments)
    assert inputs.judges.n_rows == 2
    fit_data(inputs, Choice(terms=("length",)))


def test_families_come_from_names_and_are_told():
    judges = verdicts()
    (design,) = fit_data(Inputs(judges), Choice(terms=("family",)))
    own = bj.design(
        judges, ("family",), families=bj.organisation_families((*judges.items, *judges.judges))
    )
    np.testing.assert_array_equal(design.layout.columns, own.layout.columns)
    assert "openai (gpt-4 and gpt-4o)" in families_sentence(judges)
    assert "claude" not in families_sentence(judges)


@pytest.mark.parametrize("judges", [("judge-7",), ("gemini-pro", "judge-7")])
def test_families_that_no_judge_shares_are_refused(judges):
    with pytest.raises(MissingFamilyError, match="leave family out of --terms"):
        fit_data(Inputs(verdicts(judges)), Choice(terms=("family",)))


def test_a_fit_of_judges_and_humans_covers_the_items_of_both(votes):
    judges = verdicts().select(np.asarray([True, True, True, True, False, False] * 2))
    assert "llama-13b" not in judges.items
    design, others = fit_data(Inputs(judges, votes), chosen(judges, votes, "calibrated"))
    assert design.items == votes.items
    assert others is votes


@pytest.fixture(scope="module")
def calibrated(run, tables):
    """A ranking by a human score."""
    files = (tables["verdicts"], "--humans", tables["votes"])
    return run("rank", *files, "--program", "calibrated", "--out", "FOLDER")


def test_a_calibrated_program_ranks_by_the_score_of_humans(calibrated):
    assert calibrated.code == 0
    document = json.loads((calibrated.folder / "report.json").read_text())
    assert document["fit"]["posterior"] == "calibrated_pooled"
    assert document["fit"]["mode"] == "calibrated"
    units = document["ranking"]["posterior"]["units"]
    assert units["score"] == "log-odds of a human"
    assert "that a human prefers" in document["win_probability"]["units"]["lower"]
    assert "Score: log-odds that a human prefers" in " ".join(calibrated.out.split())
    verdicts = sum(data["verdicts"] for data in document["data"].values())
    rows = document["ranking"]["posterior"]["rows"]
    assert sum(row["verdicts"] for row in rows) == 2 * verdicts


def test_votes_that_are_part_of_the_fit_are_not_compared_with_it(calibrated):
    document = json.loads((calibrated.folder / "report.json").read_text())
    assert document["humans"] is None
    assert "humans.nc" not in document["files"]
    assert "Humans beside the judges" not in calibrated.out


def test_human_votes_are_ranked_by_themselves(run, tables):
    options = ("--kind", "human", "--json", "--out", "FOLDER")
    document = json.loads(run("rank", tables["votes"], *options).out)
    assert list(document["data"]) == ["humans"]
    assert document["fit"]["posterior"] == "bradley_terry_pooled"
    assert document["ranking"]["posterior"]["units"]["score"] == "log-odds of an average person"
    assert "verdicts of humans" in document["files"]["fit.nc"]


def test_with_unknown_order_exchanging_the_slots_of_rows_changes_nothing(run, case):
    path = case("01_chosen_rejected")
    columns = ("--column", "item_first=chosen", "--column", "item_second=rejected")
    options = ("--unknown-order", "--program", "unit_sensitivity", "--json", "--out", "FOLDER")
    document = json.loads(run("rank", path, *columns, *options).out)
    assert document["fit"]["terms"] == []
    names = {"item_first": "rejected", "item_second": "chosen"}
    exchanged = {"first": "second", "second": "first", "tie": "tie"}
    data = bj.read(path, columns=names, verdicts=exchanged, order_known=False)
    mode = bj.mode(bj.models.unit_sensitivity, bj.design(data, ()))
    scores = {
        row["item"]: row["score"] for row in document["ranking"]["sandwich by prompt"]["rows"]
    }
    for item, score in scores.items():
        assert mode.quantity("score").sel(item=item).item() == pytest.approx(score, abs=1e-8)
    assert "position.png" not in document["files"]
