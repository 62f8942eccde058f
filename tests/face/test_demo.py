import pytest

import bayesjudge as bj
from bayesjudge.face.commands import true_judges, true_scores


@pytest.fixture(scope="module")
def shown(run):
    return run("demo", "--out", "FOLDER")


def test_demo_says_that_its_verdicts_are_synthetic_and_how_they_were_drawn(shown):
    assert shown.code == 0
    words = " ".join(shown.out.split())
    assert "These verdicts are synthetic" in words
    assert "Appendix G.1, with seed 2609" in words


def test_demo_shows_the_truth_and_how_many_intervals_contain_it(shown):
    assert "true" in shown.out
    for method in ("Posterior", "Sandwich by prompt"):
        assert f"{method}: " in shown.out
    assert shown.out.count("of 8 intervals contain the true score.") == 2


def test_demo_leaves_figures_and_fits_where_it_says(shown):
    names = {path.name for path in shown.folder.iterdir()}
    assert {"ranking.png", "win_probability.png", "position.png", "fit.nc"} <= names
    assert all(name in shown.out for name in names)
    assert bj.load(shown.folder / "fit.nc").posterior["length"].dims == ("chain", "draw", "judge")


def test_truth_is_on_the_scale_of_the_estimates():
    scores, judges, truth = true_scores(), true_judges(), bj.panel_truth()
    assert sum(scores.values()) == pytest.approx(0.0, abs=1e-12)
    # OSCAR eq. (3): differences of scores are mean sensitivity times differences of s
    gap = truth.sensitivity.mean() * (truth.score[-1] - truth.score[0])
    assert scores["rowan"] - scores["alder"] == pytest.approx(gap)
    assert judges["net_first_preference"][0] == pytest.approx((2.4596 - 1) / (2.4596 + 1), abs=1e-4)
