import json
from typing import get_args

import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge.cli import main
from bayesjudge.engine.prepare import prepared_data, program_data
from bayesjudge.errors import NotConvergedError
from bayesjudge.face import fits
from bayesjudge.face.choice import Choice, fit_data
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.programs import PROGRAMS, ProgramName, model
from bayesjudge.models.about import about

PAIRS = [
    (name, ties, pair)
    for name, offer in PROGRAMS.items()
    for ties, pair in (("half", offer.half), ("davidson", offer.davidson))
    if pair
]


def test_the_names_are_those_of_the_help():
    assert get_args(ProgramName) == tuple(PROGRAMS)


@pytest.mark.parametrize(("name", "ties", "pair"), PAIRS)
def test_both_programs_read_the_data_that_are_laid_out_for_them(name, ties, pair, panel):
    choice = Choice(name, ties, ("position", "length") if PROGRAMS[name].has_terms else ())
    data = fit_data(Inputs(panel, bj.example_votes()), choice)
    assert len(data) == (2 if about(model(pair.pooled)).reads else 1)
    assert fits.parameter_count(pair.pooled, *data) >= panel.n_items - 1
    if pair.plain is not None:
        program = model(pair.plain)
        sites = bj.program(program, *program_data(*prepared_data(program, *data))).sites
        assert all(site.is_real for site in sites.free)  # a mode of learned scales is degenerate
        assert about(program).score == about(model(pair.pooled)).score
        names = {site.name for site in sites.free}
        assert ("tie_coordinates" in names) == (ties == "davidson")


def test_every_program_of_the_package_is_offered_or_needs_more_than_verdicts():
    offered = {program for *_, pair in PAIRS for program in (pair.plain, pair.pooled)}
    others = set(bj.models.__all__) - offered
    assert others == {"within_space", "new_item", "new_item_pooled"}


@pytest.fixture(scope="module")
def ties_only(run, tmp_path_factory):
    """Nothing but ties, between names that look like markup."""
    path = tmp_path_factory.mktemp("ties") / "ties.csv"
    pairs = [("[b]x[/b]", "y"), ("y", "z :smile:"), ("z :smile:", "[b]x[/b]")]
    rows = [f"{a},{b},tie,[red]j,{q}" for q in range(10) for a, b in pairs]
    path.write_text("\n".join(["model_a,model_b,winner,judge,question_id", *rows]) + "\n")
    return run("rank", str(path), "--program", "bradley_terry", "--out", "FOLDER")


def test_a_sandwich_that_cannot_be_had_is_said_and_the_posterior_stands(ties_only):
    assert ties_only.code == 0
    assert "No sandwich is reported" in ties_only.out
    document = json.loads((ties_only.folder / "report.json").read_text())
    assert set(document["ranking"]) == {"posterior"}
    assert document["fit"]["notes"][0].startswith("No sandwich is reported")
    assert not (ties_only.folder / "sandwich.nc").exists()
    assert document["files"]["ranking.png"] == "scores with intervals, by posterior"
    assert "covariance(" not in ties_only.out + str(document["fit"]["notes"])


def test_ties_are_remarked_on(ties_only):
    assert "--ties davidson" in ties_only.out


def test_judges_alike_have_no_table_and_no_position_figure(ties_only):
    assert "Judges by" not in ties_only.out
    assert not (ties_only.folder / "position.png").exists()


def test_names_are_shown_as_they_are(ties_only):
    for name in ("[b]x[/b]", "z :smile:", "[red]j"):
        assert name in ties_only.out


@pytest.fixture(scope="module")
def without_posterior(run, tables):
    """Both posteriors fail, and the sandwiches stand."""

    def failing(*arguments, **settings):
        raise NotConvergedError(
            "The chains did not converge: run longer (warmup=2000, draws=2000) and see "
            "bj.diagnose(...) for what is identified, or pass check=False to look at the draws."
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bayesjudge.nuts", failing)
        return run("rank", tables["verdicts"], "--humans", tables["votes"], "--out", "FOLDER")


def test_without_a_posterior_the_sandwich_is_written_and_the_code_is_3(without_posterior):
    assert without_posterior.code == 3
    said = " ".join(without_posterior.err.split())
    assert said.count("No posterior is reported: The chains did not converge: run longer") == 2
    assert "longer (--warmup 2000 --draws 2000) and see bayesjudge diagnose for what" in said
    assert "check=" not in said
    document = json.loads((without_posterior.folder / "report.json").read_text())
    assert document["fit"]["posterior"] is None
    assert set(document["ranking"]) == {"sandwich by prompt"}
    written = {path.name for path in without_posterior.folder.iterdir()}
    assert written == set(document["files"])
    assert "fit.nc" not in written


def test_without_a_posterior_the_mode_is_shown_as_what_it_is_and_nobody_leads(without_posterior):
    words = " ".join(without_posterior.out.split())
    assert "by the mode alone, with 95 % intervals" in words
    assert "No item is called the best, because the posterior is missing." in words
    assert "ranks first" not in words
    document = json.loads((without_posterior.folder / "report.json").read_text())
    (leader,) = document["leaders"].values()
    assert leader == {"item": None, "reasons": ["the posterior is missing"]}


def test_without_any_fit_there_is_one_sentence(run, table, monkeypatch):
    def failing(*arguments, **settings):
        raise NotConvergedError("It did not converge.")

    monkeypatch.setattr("bayesjudge.nuts", failing)
    monkeypatch.setattr("bayesjudge.mode", failing)
    done = run("rank", table("a,b,model_a,j", "b,a,model_b,j"), "--out", "FOLDER")
    assert done.code == 2
    assert done.err.rstrip().endswith("No sandwich is reported: It did not converge.")


def test_tables_are_written_before_figures_are_drawn(run, tables, ranked, monkeypatch):
    def failing(*arguments, **settings):
        raise RuntimeError("no figure")

    fit = bj.load(ranked.folder / "fit.nc")
    monkeypatch.setattr("bayesjudge.nuts", lambda *arguments, **settings: fit)
    monkeypatch.setattr("bayesjudge.plot_ranking", failing)
    folder = ranked.folder.with_name("interrupted")
    with pytest.raises(RuntimeError, match="no figure"):
        main(["rank", tables["verdicts"], "--out", str(folder)])
    written = {path.name for path in folder.iterdir()}
    assert {"rankings.csv", "judges.csv", "report.json", "fit.nc"} <= written


def test_the_number_of_parameters_is_said_and_many_are_advised_against(panel, monkeypatch):
    assert fits.size_sentences(Choice(), panel)[0].startswith("Sampling sensitivity_pooled, ")
    assert len(fits.size_sentences(Choice(), panel)) == 1
    monkeypatch.setattr("bayesjudge.face.fits.MANY_PARAMETERS", 10)
    assert "--program bradley_terry" in fits.size_sentences(Choice(), panel)[1]
    assert len(fits.size_sentences(Choice("bradley_terry", terms=()), panel)) == 1


def test_draws_and_warmup_reach_the_sampler(panel, monkeypatch):
    asked = {}
    monkeypatch.setattr("bayesjudge.nuts", lambda *arguments, **settings: asked.update(settings))
    fits.fit_judges(Choice(draws=300, warmup=200), panel)
    assert (asked["draws"], asked["warmup"]) == (300, 200)


def test_groups_apart_have_no_best_item_by_any_method(run, table):
    rows = ["a,b,model_a,j,1", "b,a,model_b,j,2", "b,a,model_b,j,3", "a,b,tie,j,4"]
    other = [row.replace("a,b", "y,z").replace("b,a", "z,y") for row in rows]
    path = table(*rows, *other, head="model_a,model_b,winner,judge,question_id")
    done = run("rank", path, "--program", "bradley_terry", "--out", "FOLDER")
    words = " ".join(done.out.split())
    assert "No item is called the best, because part of the order depends on the prior." in words
    assert "ranks first" not in words
    rankings = pd.read_csv(done.folder / "rankings.csv")
    assert rankings["rests_on_prior"].all()
    assert set(rankings["component"]) == {1, 2}
