import json

import pytest

from bayesjudge.face.fits import Choice


@pytest.mark.parametrize(
    ("program", "ties", "plain", "pooled"),
    [
        ("sensitivity", "half", "sensitivity", "sensitivity_pooled"),
        ("order_effect", "davidson", "order_effect_davidson", "order_effect_davidson_pooled"),
    ],
)
def test_siblings_by_name(program, ties, plain, pooled):
    assert (Choice(program, ties).plain, Choice(program, ties).pooled) == (plain, pooled)


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
    assert "There is no sandwich here" in ties_only.out
    document = json.loads((ties_only.folder / "report.json").read_text())
    assert set(document["ranking"]) == {"posterior"}
    assert document["fit"]["notes"][0].startswith("There is no sandwich here")
    assert not (ties_only.folder / "sandwich.nc").exists()


def test_ties_are_remarked_on(ties_only):
    assert "--ties davidson" in ties_only.out


def test_judges_alike_have_no_table_and_no_position_figure(ties_only):
    assert "Judges by" not in ties_only.out
    assert not (ties_only.folder / "position.png").exists()


def test_names_are_shown_as_they_are(ties_only):
    for name in ("[b]x[/b]", "z :smile:", "[red]j"):
        assert name in ties_only.out
