"""What the screen makes of tables with marks, of missing intervals, and of its width."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import bayesjudge as bj
from bayesjudge.face.choice import Choice
from bayesjudge.face.fits import Fits
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.leader import leader_sentences
from bayesjudge.face.report import Ranking, report_judges
from bayesjudge.face.screen.grid import Column, Value, footnotes, show_grid, value_column
from bayesjudge.face.screen.judges import MOST_JUDGES, show_judges
from bayesjudge.face.screen.ranking import show_ranking
from bayesjudge.report import marks

NAN = float("nan")


@pytest.fixture(scope="module")
def report(panel, panel_mode, panel_posterior):
    """Both fits of the synthetic panel."""
    return report_judges(Fits(Choice(), panel_posterior, panel_mode.covariance(), ()))


@pytest.fixture
def ranking(panel, report):
    return Ranking(Inputs(panel), bj.diagnose(panel), report, None)


def shown(show, *arguments, width=80):
    console = Console(file=io.StringIO(), width=width)
    show(console, *arguments)
    return console.file.getvalue()


def missing(report, method, item, mark=None):
    """Take the interval and the rank of an item away."""
    tables = dict(report.ranking)
    table = tables[method].copy()
    row = table["item"] == item
    table.loc[row, ["lower", "upper", "rank", "rank_lower", "rank_upper", "p_best"]] = np.nan
    if mark is not None:
        table["mark"] = np.where(row, mark, "")
    return replace(report, ranking=tables | {method: table})


def test_where_there_is_no_interval_the_mark_stands_in_place_of_the_centre(ranking):
    posterior = ranking.judges.ranking["posterior"].set_index("item")
    marked = missing(ranking.judges, "posterior", "birch", "few verdicts")
    screen = shown(show_ranking, replace(ranking, judges=marked))
    (line,) = [line for line in screen.splitlines() if line.startswith("  birch")]
    assert "few verdicts" in line
    assert f"{posterior.loc['birch', 'score']:.2f}" not in line
    assert line.split("few verdicts")[1].split()[0] == "-"  # no rank either


def test_where_a_table_has_no_mark_a_missing_interval_is_said(ranking):
    bare = missing(ranking.judges, "posterior", "birch")
    assert "no interval" in shown(show_ranking, replace(ranking, judges=bare))
    prior = dict(bare.ranking)
    prior["posterior"] = prior["posterior"].assign(
        rests_on_prior=prior["posterior"]["item"] == "birch", component=1
    )
    screen = shown(show_ranking, replace(ranking, judges=replace(bare, ranking=prior)))
    assert "rests on the prior" in screen
    assert "no interval" not in screen


def test_a_mark_beside_an_interval_is_a_star_that_a_footnote_spells(ranking):
    table = ranking.judges.ranking["posterior"]
    marks = {"birch": "rests on the prior", "fir": "rests on the prior", "larch": "few verdicts"}
    tables = {"posterior": table.assign(mark=table["item"].map(marks).fillna(""))}
    judges = replace(ranking.judges, ranking=ranking.judges.ranking | tables)
    screen = shown(show_ranking, replace(ranking, judges=judges))
    starred = {line.split()[0] for line in screen.splitlines() if "]*" in line}
    assert starred == set(marks)
    words = " ".join(screen.split())
    assert "* few verdicts (posterior): larch." in words
    assert "* rests on the prior (posterior): fir and birch." in words


def test_numbers_with_and_without_a_star_stand_below_each_other():
    values = [Value(1.0, 0.5, 1.5, "few verdicts"), Value(-1.0, -1.5, -0.5), None]
    column = value_column("head", values)
    assert [cell.rstrip(" *")[-1:] for cell in column.cells] == ["]", "]", "-"]
    assert [cell.endswith(("*", " ")) for cell in column.cells] == [True] * 3
    plain = value_column("head", values[1:])
    assert plain.cells == ("-1.00 [-1.50, -0.50]", "-")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value(0.123, -0.5, 0.7), "0.12 [-0.50, 0.70]"),
        (Value(-0.001, -0.5, 0.5), "0.00 [-0.50, 0.50]"),
        (Value(3.9, NAN, NAN), "no interval"),
        (Value(3.9, NAN, NAN, "few verdicts"), "few verdicts"),
        (Value(2.1, 2.1, 2.1), "no interval"),  # an interval of no width is none
        (Value(0.0, 0.0, 0.0), "exactly 0"),
        (Value(0.0, NAN, NAN), "no interval"),
    ],
)
def test_an_estimate_is_written_with_its_interval_or_not_at_all(value, text):
    assert value.text == text


def test_one_footnote_serves_the_methods_that_mark_the_same_names():
    value = Value(1.0, 0.5, 1.5, "few verdicts")
    marks = [("posterior", "a", value), ("sandwich", "a", value), ("posterior", "b", None)]
    assert footnotes(marks) == ["* few verdicts (posterior and sandwich): a."]
    assert footnotes([*marks, ("sandwich", "b", value)]) == [
        "* few verdicts (posterior): a.",
        "* few verdicts (sandwich): a and b.",
    ]


@pytest.mark.parametrize(("width", "grids"), [(50, 4), (80, 2), (120, 1)])
def test_judges_stand_side_by_side_by_both_methods_where_the_width_allows(report, width, grids):
    screen = shown(show_judges, report, width=width)
    assert screen.count("judge-3") == grids
    assert max(map(len, screen.splitlines())) <= width
    assert screen.index("posterior,") < screen.index("sandwich by prompt,")
    for table in report.judges.values():
        for value in table["scaled_sensitivity"]:
            assert f"{value:.2f} [" in screen


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120])
def test_no_number_of_a_ranking_is_cut_whatever_the_width(ranking, width):
    screen = shown(show_ranking, ranking, width=width)
    assert max(map(len, screen.splitlines())) <= width
    for table in ranking.judges.ranking.values():
        for _, row in table.iterrows():
            assert f"{row['score']:.2f} [{row['lower']:z.2f}, {row['upper']:z.2f}]" in screen


def test_marks_of_judges_are_spelt_too(report):
    table = report.judges["posterior"]
    rows = table["judge"] == "judge-3"
    few = table.assign(mark=np.where(rows, "few verdicts", ""))
    few.loc[rows, ["net_first_preference_lower", "net_first_preference_upper"]] = np.nan
    screen = shown(show_judges, replace(report, judges=report.judges | {"posterior": few}))
    line = next(line for line in screen.splitlines() if line.startswith("  judge-3"))
    assert "]*" in line
    assert "few verdicts" in line
    assert "* few verdicts (posterior): judge-3." in screen


@pytest.mark.parametrize("n_judges", [MOST_JUDGES, MOST_JUDGES + 1, 1500])
def test_of_many_judges_those_with_the_most_verdicts_are_shown(report, n_judges):
    rows = [report.judges["posterior"].iloc[[0]]] * n_judges
    names = [f"user-{i}" for i in range(n_judges)]
    table = pd.concat(rows, ignore_index=True).assign(judge=names, verdicts=np.arange(n_judges))
    judges = dict.fromkeys(report.judges, table)
    screen = shown(show_judges, replace(report, judges=judges))
    listed = {line.split()[0] for line in screen.splitlines() if line.startswith("  user-")}
    assert listed == set(names[-MOST_JUDGES:])
    assert ("judges.csv holds all" in screen) == (n_judges > MOST_JUDGES)


DOUBT = "part of the order depends on the prior"


@pytest.fixture
def doubted(monkeypatch, report):
    """Let the fits of some methods have a doubt about their leader."""

    def doubt(*methods):
        fits = [report.fits.by_method[method] for method in methods]

        def leader(fit):
            return marks.Leader("maple", (DOUBT,) if any(fit is one for one in fits) else ())

        monkeypatch.setattr(marks, "leader", leader)
        return leader_sentences(report)

    return doubt


def test_a_leader_is_named_by_each_method_unless_there_is_a_reason_against_it(report, doubted):
    both = leader_sentences(report)
    assert both[0].startswith("Posterior: maple ranks first, with probability 0.9")
    assert both[1].startswith("Sandwich by prompt: maple ranks first")
    one = doubted("posterior")
    assert one == [f"Posterior: no item is called the best, because {DOUBT}.", both[1]]


def test_a_reason_that_holds_for_every_method_is_given_once(report, doubted):
    assert doubted(*report.ranking) == [f"No item is called the best, because {DOUBT}."]


def test_blocks_that_belong_together_are_never_parted():
    column = Column("score", ("0.00 [-1.00, 1.00]",))
    block = (column, Column("rank", ("1-2",)))
    console = Console(file=io.StringIO(), width=46)
    show_grid(console, "item", ["a"], (), [[block], [block]])
    heads = [line.split() for line in console.file.getvalue().splitlines() if "score" in line]
    assert heads == [["item", "score", "rank"]] * 2


@pytest.mark.parametrize("width", [80, 100])
def test_the_ranking_of_a_file_with_several_warnings_stands_in_the_first_twenty_lines(
    run, case, width
):
    options = ("--program", "bradley_terry", "--out", "FOLDER")
    done = run("rank", case("20_category"), *options, width=width)
    warnings = done.out.count("\n  warning  ")
    assert warnings > 1
    top = done.out.splitlines()[:20]
    assert f"  {warnings} warnings below." in top
    for item in ("north", "south", "west"):
        assert any(line.startswith(f"  {item}") for line in top)
