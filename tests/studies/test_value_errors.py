"""Values that a study function cannot work with are named in one sentence; fair ones are taken."""

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge.studies.order.attenuation import FIGURE_GAPS, order_averaged_log_odds

st, errors = bj.studies, bj.errors
NAN, INF = float("nan"), float("inf")


@pytest.fixture(scope="module")
def data():
    return bj.synthetic_panel(30, seed=1)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"position": NAN}, "position"),
        ({"position": [1.0, 2.0]}, "position"),
        ({"position": "1"}, "position"),
        ({"position": None}, "position"),
        ({"sensitivity": NAN}, "sensitivity"),
        ({"gaps": []}, "gaps"),
        ({"gaps": 1.0}, "gaps"),
        ({"gaps": [1.0, NAN]}, "gaps"),
        ({"gaps": [1.0, INF]}, "gaps"),
        ({"gaps": ["1"]}, "gaps"),
        ({"gaps": [[1.0], []]}, "gaps"),
        ({"first_share": [0.5, 0.5, 0.5]}, "first_share"),
        ({"first_share": NAN}, "first_share"),
    ],
)
def test_a_population_is_of_numbers(arguments, named, refused):
    given = {"gaps": [1.0, -0.5], "position": 1.0} | arguments
    refused(errors.UnknownOptionError, named, lambda: st.population_sensitivity(**given))


@pytest.mark.parametrize("weights", [[1.0], [1.0, NAN], ["a", "b"]])
def test_gaps_have_a_weight_each(weights, refused):
    refused(
        errors.InvalidWeightError,
        "eight",
        lambda: st.population_sensitivity([1.0, -0.5], 1.0, weights=weights),
    )


def test_an_endless_position_effect_leaves_no_sensitivity():
    assert st.population_sensitivity(FIGURE_GAPS, INF) == 0.0
    np.testing.assert_allclose(order_averaged_log_odds([1.0], INF, [0.4]), np.log(0.4 / 0.6))


def test_position_effects_are_numbers(refused):
    refused(errors.UnknownOptionError, "position", lambda: st.attenuation_factor("high"))


@pytest.fixture(scope="module")
def known(balanced_panel):
    scores = dict(zip("abcd", (0.6, 0.2, -0.2, -0.6), strict=True))
    return scores, dict.fromkeys(balanced_panel.judges, 0.5)


@pytest.mark.parametrize(
    ("change", "error", "named"),
    [
        (lambda s, p: (s | {"b": NAN}, p), errors.MissingEstimateError, "'b'"),
        (lambda s, p: (s | {"b": INF}, p), errors.MissingEstimateError, "'b'"),
        (lambda s, p: (s | {"b": [1.0, 2.0]}, p), errors.MissingEstimateError, "scores"),
        (lambda s, p: (s | {"b": "high"}, p), errors.MissingEstimateError, "scores"),
        (lambda s, p: ({}, p), errors.MissingEstimateError, "scores"),
        (lambda s, p: (list(s), p), errors.NotMappingError, "scores"),
        (lambda s, p: (pd.Series([1.0, 2.0], ["b", "b"]), p), errors.MissingEstimateError, "'b'"),
        (lambda s, p: (s, p | {"judge-2": -INF}), errors.MissingEstimateError, "'judge-2'"),
        (lambda s, p: (s, p | {"judge-2": "high"}), errors.MissingEstimateError, "position effect"),
        (lambda s, p: (s, 0.5), errors.NotMappingError, "positions"),
    ],
)
def test_held_values_are_finite(change, error, named, known, balanced_panel, refused):
    scores, positions = change(*known)
    refused(error, named, lambda: st.refit_table(balanced_panel, scores, positions))


def test_held_values_may_be_series(known, balanced_panel):
    table = st.refit_table(balanced_panel, *known)
    pd.testing.assert_frame_equal(st.refit_table(balanced_panel, *map(pd.Series, known)), table)
    assert st.standardised_scores(pd.Series({"x": 3.0, "y": 1.0})) == {"x": 1.0, "y": -1.0}


def test_a_judge_without_swaps_has_no_ratio(known, balanced_panel):
    scores, positions = known
    table = st.refit_table(balanced_panel, scores, positions | {"judge-2": NAN})
    whole = st.refit_table(balanced_panel, scores, positions)
    unknown = ["net_first_preference", "predicted_ratio", "sensitivity_with", "ratio"]
    assert table.loc[1, unknown].isna().all()
    pd.testing.assert_frame_equal(table.drop(columns=unknown), whole.drop(columns=unknown))
    pd.testing.assert_frame_equal(table.drop(index=1), whole.drop(index=1))


@pytest.mark.parametrize("judges", [[1, 2, 3], [("a", 1), ("b", 2), ("c", 3)]])
def test_judges_of_a_figure_need_not_be_text(judges):
    ratios = {"predicted_ratio": [0.5, 0.7, 0.9], "ratio": [0.4, 0.7, 1.0]}
    figure = st.plot_attenuation(pd.DataFrame({"judge": judges, **ratios}))
    assert str(judges[0]) in {text.get_text() for text in figure.axes[1].texts}


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"judge": ["j"], "predicted_ratio": [0.5], "ratio": [0.5]}, "dict"),
        (pd.DataFrame({"judge": ["j"], "predicted_ratio": [0.5], "ratio": ["0.5"]}), "'ratio'"),
    ],
)
def test_a_figure_is_of_a_table_of_numbers(table, named, refused):
    refused(errors.UnknownFitError, named, lambda: st.plot_attenuation(table))


def test_a_part_of_a_table_may_lack_its_summary(data, refused):
    part = st.attenuation_table(data)[["judge", "ratio"]]
    refused(errors.MissingColumnError, "'discrepancy'", lambda: part.median_discrepancy)


def test_a_judge_that_never_leaves_a_slot_is_not_in_the_median(data):
    frame = data.to_frame()
    stuck = frame[frame["judge"] == "judge-1"].assign(judge="stuck", verdict="first")
    table = st.attenuation_table(bj.read(pd.concat([frame, stuck])))
    assert "No discrepancy of stuck" in table.caption
    gap = table.set_index("judge")["discrepancy"]
    assert gap.index[gap.isna()].tolist() == ["stuck"]
    assert table.median_discrepancy == gap.drop("stuck").abs().median()
    alone = st.attenuation_table(bj.read(stuck))
    assert np.isnan(alone.median_discrepancy)
    assert "stuck" in alone.caption


@pytest.mark.parametrize("names", ["gpt-4", b"gpt-4", [1], ["gpt-4", None], 3, None])
def test_families_are_of_a_list_of_names(names, refused):
    odd = names[-1] if isinstance(names, list) else names
    refused(errors.UnknownOptionError, repr(odd), lambda: bj.organisation_families(names))
