"""What a user prints is a line, and wrong arguments of any type are named errors."""

import pytest

import bayesjudge as bj


def test_designs_and_frames_are_shown_in_a_line(panel):
    votes = bj.example_votes()
    shown = [
        bj.design(panel),
        bj.calibration.structure(panel),
        bj.new_items.roster(panel, votes, new=["maple"]),
        bj.calibration.Space(bj.calibration.structure(panel).disagreement),
    ]
    assert [len(repr(one).splitlines()) for one in shown] == [1, 1, 1, 1]
    assert repr(shown[0]) == "Design(2,000 verdicts, 5 judges, 8 items; terms: position)"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda fit: bj.load(None), "UnreadableFileError"),
        (lambda fit: bj.save(fit, 3), "UnreadableFileError"),
        (lambda fit: bj.win_probability(fit, ["score"]), "UnknownQuantityError"),
        (lambda fit: bj.read({"a": ["x"]}, columns={"verdict": 1}), "MissingColumnError"),
        (lambda fit: bj.read("."), "UnreadableFileError"),
    ],
)
def test_arguments_of_wrong_types_are_named_errors(panel_mode, call, error):
    with pytest.raises(getattr(bj.errors, error)) as caught:
        call(panel_mode)
    assert str(caught.value).endswith(".")
