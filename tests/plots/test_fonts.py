"""Names in a script that the usual font lacks: another font, or numbers with a note."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.font_manager import FontProperties, findfont, fontManager

import bayesjudge as bj
from bayesjudge.plots import fonts

CASES = Path(__file__).parent / "cases"
CHINESE = ("模型一", "模型二", "模型三")
MIXED = ("通义千问-72B", "文心一言-72B", "gpt-4 \N{ROCKET}", "модель", "plain", "[1]")


@pytest.fixture
def latin_only(monkeypatch):
    """A machine whose only fonts are those that come with Matplotlib."""
    own = [entry for entry in fontManager.ttflist if "matplotlib" in entry.fname]
    monkeypatch.setattr(fontManager, "ttflist", own)
    fonts._others.cache_clear()
    yield
    fonts._others.cache_clear()


@pytest.fixture(scope="module")
def chinese():
    data = bj.read(CASES / "three_names_in_chinese.csv", kind="llm")
    return bj.mode(bj.models.bradley_terry, data)


def labels(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def notes(figure):
    return " ".join(text.get_text().replace("\n", " ") for text in figure.texts)


def pixels_of_labels(figure):
    """What is drawn of each name, as bytes."""
    figure.canvas.draw()
    picture = np.asarray(figure.canvas.buffer_rgba())
    boxes = [label.get_window_extent() for label in figure.axes[0].get_yticklabels()]
    height = picture.shape[0]
    return [
        picture[int(height - box.y1) : int(height - box.y0), int(box.x0) : int(box.x1)].tobytes()
        for box in boxes
    ]


@pytest.mark.parametrize("plot", [bj.plot_ranking, bj.plot_win_probability])
def test_three_names_that_no_font_has_are_three_labels(latin_only, chinese, plot):
    figure = plot(chinese)
    assert sorted(labels(figure)) == ["[1]", "[2]", "[3]"]
    assert len(set(pixels_of_labels(figure))) == 3
    assert "[1], [2] and [3] stand for characters of names that no installed font has" in notes(
        figure
    )


def test_numbers_follow_the_sorted_names(latin_only, chinese):
    ranked = bj.rank_table(chinese)["item"].tolist()
    number = {name: f"[{place}]" for place, name in enumerate(sorted(CHINESE), start=1)}
    assert labels(bj.plot_ranking(chinese)) == [number[name] for name in ranked]


@pytest.mark.parametrize("plot", [bj.plot_ranking, bj.plot_win_probability])
def test_the_note_lies_inside_the_figure_and_meets_nothing(latin_only, chinese, plot):
    figure = plot(chinese)
    figure.canvas.draw()
    note = figure.texts[-1].get_window_extent()
    others = [*figure.texts[:-1], figure.axes[0].xaxis.label, *figure.axes[0].get_xticklabels()]
    assert figure.bbox.padded(1).contains(note.x0, note.y0)
    assert figure.bbox.padded(1).contains(note.x1, note.y1)
    assert not any(note.overlaps(one.get_window_extent()) for one in others if one.get_text())


def test_what_a_font_has_of_a_name_is_kept_and_no_label_is_another_name(latin_only):
    drawn = fonts.drawable(MIXED)
    assert drawn == ["[4]-72B", "[3]-72B", "gpt-4 [2]", "модель", "plain", "[1]"]


def test_one_name_without_a_font_is_said_in_the_singular(latin_only):
    assert fonts.font_note(["ok", "gpt \N{ROCKET}"]).startswith("[1] stands for characters")
    assert fonts.font_note(["ok", "модель"]) == ""


def test_other_installed_fonts_draw_what_the_usual_one_lacks(latin_only, drawn):
    """Computer Modern has no Cyrillic letters, and another font of Matplotlib's has."""
    scores = np.random.default_rng(0).normal(size=(50, 2))
    with rc_context({"font.sans-serif": ["cmss10"]}):
        figure = bj.plot_ranking(drawn(scores, ["модель", "другая"]))
        usual, other = figure.axes[0].get_yticklabels()[0].get_fontfamily()
        assert Path(findfont(FontProperties(family=[usual]))).name == "cmss10.ttf"
        assert fonts._held(findfont(FontProperties(family=[other])), frozenset("модель"))
        assert set(labels(figure)) == {"модель", "другая"}
        assert len(set(pixels_of_labels(figure))) == 2
    assert "font" not in notes(figure)


def test_a_fit_and_an_item_without_a_font_have_different_numbers(latin_only, chinese):
    figure = bj.plot_ranking({"裁判": chinese, "plain": chinese.covariance("model")})
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    shown = [*labels(figure), legend[0].split(" ")[0]]
    assert len(set(shown)) == 4
    assert "[1] to [4] stand for" in notes(figure)


def test_all_figures_with_names_say_what_they_drew(latin_only, panel):
    frame = panel.to_frame()
    for column in ("item_first", "item_second", "judge"):
        frame[column] = "模" + frame[column]
    data = bj.read(frame)
    votes = bj.example_votes().to_frame().drop(columns=["length_first", "length_second"])
    for column in ("item_first", "item_second"):
        votes[column] = "模" + votes[column]
    fit = bj.mode(bj.models.consensus, data, prior=False)
    path = bj.calibration.weight_path(
        bj.models.calibrated, data, bj.read(votes, kind="human"), weights=[5.0]
    )
    table = bj.studies.attenuation_table(data)
    for figure in (
        bj.plot_position(fit),
        bj.calibration.plot_factors(fit),
        bj.calibration.plot_weight_path(path),
        bj.studies.plot_attenuation(table),
    ):
        assert "no installed font has" in notes(figure)
        figure.canvas.draw()
