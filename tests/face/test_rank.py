import json

import pandas as pd
import pytest

import bayesjudge as bj

FILES = {
    "rankings.csv",
    "judges.csv",
    "win_probability.csv",
    "fit.nc",
    "sandwich.nc",
    "humans.nc",
    "ranking.png",
    "win_probability.png",
    "position.png",
    "humans_ranking.png",
    "report.json",
}


@pytest.fixture(scope="module")
def document(ranked_json):
    return json.loads(ranked_json.out)


def test_every_listed_file_is_written_and_no_other(ranked, document):
    assert ranked.code == 0
    assert {path.name for path in ranked.folder.iterdir()} == FILES == set(document["files"])


def test_json_is_all_of_standard_output_and_progress_goes_to_standard_error(ranked_json):
    assert ranked_json.code == 0
    assert ranked_json.out.startswith("{")
    assert "Sampling sensitivity_pooled" in ranked_json.err


def test_the_report_is_the_same_document_and_the_same_on_every_run(ranked, document):
    assert json.loads((ranked.folder / "report.json").read_text()) == document


def test_numbers_come_with_units_and_versions(ranked, document):
    assert document["bayesjudge"] == document["versions"]["bayesjudge"] == bj.__version__
    fit = bj.load(ranked.folder / "fit.nc")
    items, judges = (document[name]["posterior"]["units"] for name in ("ranking", "judges"))
    assert items == bj.rank_table(fit).units
    assert judges == bj.judge_table(fit).units
    assert items["score"].startswith("log-odds")
    assert judges["position"].startswith("log-odds")
    assert document["win_probability"]["units"]["lower"].startswith("probability")
    assert document["fit"]["posterior"] == "sensitivity_pooled"


def test_both_methods_rank_all_items_and_count_their_verdicts(document):
    verdicts = document["data"]["judges"]["verdicts"]
    assert set(document["ranking"]) == {"posterior", "sandwich by prompt"}
    for table in document["ranking"].values():
        assert {row["item"] for row in table["rows"]} == set(document["data"]["judges"]["items"])
        assert sum(row["verdicts"] for row in table["rows"]) == 2 * verdicts


def test_humans_have_their_own_ranking_and_an_agreement(document):
    humans = document["humans"]
    assert humans["posterior"] == "bradley_terry_pooled"
    assert {row["item"] for row in humans["ranking"]["rows"]} == set(
        document["data"]["humans"]["items"]
    )
    assert all(-1 <= row["lower"] <= row["upper"] <= 1 for row in humans["agreement"]["rows"])


def test_tables_on_disk_hold_what_the_document_says(ranked, document):
    rankings = pd.read_csv(ranked.folder / "rankings.csv")
    methods = ["judges, posterior", "judges, sandwich by prompt", "humans, posterior"]
    assert rankings["method"].drop_duplicates().tolist() == methods
    top = document["ranking"]["posterior"]["rows"][0]
    assert rankings.loc[0, "item"] == top["item"]
    assert not rankings["rests_on_prior"].any()
    assert (rankings["component"] == 1).all()
    assert rankings.loc[0, "score"] == pytest.approx(top["score"], rel=1e-12)


def test_win_probabilities_on_disk_are_complementary(ranked):
    rows = pd.read_csv(ranked.folder / "win_probability.csv")
    keys = ["method", "item", "opponent"]
    there = rows.set_index(keys)["win_probability"]
    back = rows.set_index(["method", "opponent", "item"])["win_probability"].rename_axis(keys)
    assert (there + back.reindex(there.index)).to_numpy() == pytest.approx(1.0)


def test_fits_on_disk_give_the_same_tables(ranked, document):
    for name, method in (("fit.nc", "posterior"), ("sandwich.nc", "sandwich by prompt")):
        rows = bj.rank_table(bj.load(ranked.folder / name)).to_dict("records")
        assert [row["item"] for row in rows] == [
            row["item"] for row in document["ranking"][method]["rows"]
        ]


def test_figures_are_pngs_at_150_dots_an_inch(ranked):
    import matplotlib.image

    for path in ranked.folder.glob("*.png"):
        height, width = matplotlib.image.imread(path).shape[:2]
        assert min(height, width) > 300


def test_the_screen_shows_both_methods_the_judges_and_the_humans(ranked):
    for text in ("posterior", "sandwich by prompt", "Judges, with 95 % intervals", "Agreement"):
        assert text in ranked.out
    assert str(ranked.folder) in ranked.out


def test_no_line_is_wider_than_the_screen(ranked):
    lines = [line for line in ranked.out.splitlines() if str(ranked.folder) not in line]
    assert max(map(len, lines)) <= 80


def test_the_ranking_comes_first_then_its_doubts_the_data_the_judges_and_the_files(ranked):
    heads = ("Ranking of", "Problems and", "What was read", "Judges, with", "Humans be", "Files")
    places = [ranked.out.index(f"\n{head}") for head in heads]
    assert places == sorted(places)


def test_the_judges_are_shown_by_both_methods_below_each_other_where_they_do_not_fit(ranked):
    section = ranked.out.split("\nJudges, with")[1].split("\nHumans")[0]
    assert [line.split(",")[0].strip() for line in section.splitlines() if "rior," in line] == [
        "posterior"
    ]
    assert section.index("posterior,") < section.index("sandwich by prompt,")
    assert section.count("judge-1") == 2


def test_the_first_item_is_the_leader_of_the_document(document):
    for method, leader in document["leaders"].items():
        assert leader == {"item": document["ranking"][method]["rows"][0]["item"], "reasons": []}
    assert document["fit"]["leading"] == "sandwich by prompt"  # verdicts depend on each other
    assert document["fit"]["terms"] == ["position"]
