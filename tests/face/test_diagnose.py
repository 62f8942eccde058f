import json

import bayesjudge as bj
from bayesjudge.data.comparisons import FIRST, SECOND, TIE
from bayesjudge.face.spelling import as_options


def test_findings_are_shown_for_each_table_and_for_both(run, tables):
    done = run("diagnose", tables["verdicts"], "--humans", tables["votes"])
    assert done.code == 0
    for about in ("verdicts.csv", "votes.csv", "all data together"):
        assert f"What can be identified: {about}" in done.out
    judges, humans = bj.read(tables["verdicts"]), bj.read(tables["votes"], "human")
    words = " ".join(done.out.split())
    for finding in bj.diagnose(judges, humans).findings:
        assert f"{finding.level} {as_options(finding.sentence)}" in words


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
