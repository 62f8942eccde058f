import json
from collections import Counter

import pytest

import bayesjudge as bj
from bayesjudge.data.comparisons import FIRST, SECOND, TIE
from bayesjudge.diagnosis.findings import LEVELS
from bayesjudge.face.spelling import as_options


def test_every_finding_is_listed_on_request_the_gravest_first(run, tables):
    done = run("diagnose", tables["verdicts"], "--humans", tables["votes"], "--verbose")
    assert done.code == 0
    judges, humans = bj.read(tables["verdicts"]), bj.read(tables["votes"], "human")
    findings = bj.diagnose(judges, humans).findings
    words = " ".join(done.out.split())
    lines = [f"{one.level} {one.about}: {as_options(one.sentence)}" for one in findings]
    assert all(line in words for line in lines)
    places = [words.index(line) for level in LEVELS for line in lines if line.startswith(level)]
    assert places == sorted(places)


def test_problems_come_first_then_warnings_then_one_line_that_counts_the_rest(run, table):
    path = table("a,b,model_a,j", "b,a,model_b,j", "x,y,model_a,j", "x,y,tie,j")
    findings = bj.diagnose(bj.read(path)).findings
    levels = Counter(one.level for one in findings)
    assert min(levels[level] for level in ("problem", "warning", "fine")) > 0
    listed = run("diagnose", path).out.split("\n\n")[0]
    shown = [line.split()[0] for line in listed.splitlines() if line.startswith(("  p", "  w"))]
    assert shown == ["problem"] * levels["problem"] + ["warning"] * levels["warning"]
    assert listed.endswith("(--verbose lists them).")
    words = " ".join(listed.split())
    assert f"{levels['fine']} checks are fine" in words
    fine = [one.sentence for one in findings if one.level == "fine"]
    assert not any(sentence in words for sentence in fine)


@pytest.mark.parametrize(("options", "known"), [((), True), (("--unknown-order",), False)])
def test_the_order_of_display_may_be_said_to_be_unknown(run, tables, options, known):
    done = run("diagnose", tables["verdicts"], *options)
    assert ("Order of display: unknown." in done.out) != known


def test_people_may_be_said_to_have_given_the_verdicts(run, tables):
    data = json.loads(run("diagnose", tables["votes"], "--kind", "human", "--json").out)["data"]
    assert list(data) == ["humans"]
    assert data["humans"]["judges"] == ["person-1", "person-2"]


def test_json_holds_the_data_and_the_findings(run, tables):
    done = run("diagnose", tables["verdicts"], "--json")
    document = json.loads(done.out)
    assert document["data"]["judges"]["rows"] == 600
    assert {"about", "topic", "level", "sentence", "details"} == set(document["findings"][0])


def test_numbers_that_json_does_not_know_are_null(run, table):
    path = table("a,b,model_a,j", "a,b,model_b,j")  # position and scores are the same column
    findings = json.loads(run("diagnose", path, "--json").out)["findings"]
    details = [finding["details"] for finding in findings]
    assert any(value is None for numbers in details for value in numbers.values())


def test_rows_left_out_on_request_are_counted(run, table):
    path = table("a,b,model_a,j", "b,a,,j", "a,a,model_a,j", "a,b,error,j")
    options = ("--on-missing", "drop", "--on-self", "drop", "--on-invalid", "drop")
    left_out = json.loads(run("diagnose", path, "--json", *options).out)["data"]["judges"]
    assert left_out["rows"] == 1
    assert sum(reason["rows"] for reason in left_out["left_out"]) == 3


def test_people_marked_in_one_file_are_taken_apart(run, table):
    head = "model_a,model_b,winner,judge,judge_kind"
    path = table("a,b,model_a,j,llm", "b,a,model_b,j,llm", "a,b,tie,p,human", head=head)
    data = json.loads(run("diagnose", path, "--json").out)["data"]
    assert (data["judges"]["rows"], data["humans"]["rows"]) == (2, 1)
    assert (data["judges"]["judges"], data["humans"]["judges"]) == (["j"], ["p"])


def test_numbers_and_columns_are_read_as_told(run, table):
    path = table("a,b,1,j", "b,a,0,j", "a,b,0.5,j", head="model_a,model_b,preferred,judge")
    options = ("--column", "verdict=preferred", "--verdicts", "1=first,0=second,0.5=tie")
    done = run("diagnose", path, *options)
    assert done.code == 0
    coding = {"1": "first", "0": "second", "0.5": "tie"}
    data = bj.read(path, columns={"verdict": "preferred"}, verdicts=coding)
    assert data.verdict.tolist() == [FIRST, SECOND, TIE]
    words = " ".join(done.out.split())
    assert all(as_options(line) in words for line in data.describe().splitlines())
