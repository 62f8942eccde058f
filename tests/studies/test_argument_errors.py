"""A wrong argument of a study function is named in one sentence, and what is fair is taken."""

import threading

import joblib
import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.engine.chains import SamplerSettings

st, errors = bj.studies, bj.errors
MODEL = bj.models.bradley_terry
NAN = float("nan")


@pytest.fixture(scope="module")
def data():
    return bj.synthetic_panel(30, seed=1)


@pytest.fixture(scope="module")
def laid_out(data):
    return bj.design(data, ())


@pytest.fixture(scope="module")
def programs(laid_out):
    return {"J": (MODEL, laid_out), "J+P": (MODEL, laid_out)}


@pytest.fixture(scope="module")
def folds(data):
    return st.prompt_folds(data, 2, seed=1)


@pytest.fixture(scope="module")
def fit(laid_out):
    return bj.mode(bj.models.sensitivity, laid_out)


@pytest.fixture(scope="module")
def found(programs, folds):
    return st.held_out(programs, folds), st.refit_bootstrap(programs, folds, seed=1, replications=2)


@pytest.mark.parametrize(
    "call",
    [
        lambda frame: st.prompt_folds(frame, seed=1),
        lambda frame: st.swap_average(frame),
        lambda frame: st.swap_groups(frame),
        lambda frame: st.swap_table(frame),
        lambda frame: st.conditional_position(frame),
        lambda frame: st.position_columns(frame),
        lambda frame: st.attenuation_table(frame),
        lambda frame: st.screening(frame),
        lambda frame: st.human_scores(frame),
        lambda frame: st.refit_table(frame, {}, {}),
    ],
)
def test_verdicts_are_read_first(data, call, refused):
    refused(errors.NotComparisonsError, "DataFrame", lambda: call(data.to_frame()))


def test_votes_are_read_first(data, fit, programs, refused):
    frame = data.to_frame()
    predict, bootstrap = st.human_vote_prediction, st.human_vote_bootstrap
    refused(errors.NotComparisonsError, "DataFrame", lambda: predict({"J": fit}, frame, seed=1))
    refused(errors.NotComparisonsError, "DataFrame", lambda: bootstrap(programs, frame, seed=1))


@pytest.mark.parametrize(
    ("given", "error", "named"),
    [
        (lambda of, data: [(MODEL, of)], errors.NotMappingError, "list"),
        (lambda of, data: of, errors.NotMappingError, "Design"),
        (lambda of, data: {1: (MODEL, of)}, errors.NotMappingError, "1"),
        (lambda of, data: {}, errors.EmptyComparisonsError, "programs"),
        (lambda of, data: {"J": of}, errors.NotDesignError, "'J'"),
        (lambda of, data: {"J": (MODEL, of, of)}, errors.NotDesignError, "'J'"),
        (lambda of, data: {"J": (MODEL, data)}, errors.NotDesignError, "Comparisons"),
        (lambda of, data: {"J": (MODEL, data.to_frame())}, errors.NotDesignError, "DataFrame"),
        (lambda of, data: {"J": ("bt", of)}, errors.UnknownProgramError, "str"),
    ],
)
@pytest.mark.parametrize("study", ["held_out", "refit_bootstrap", "posterior", "votes"])
def test_programs_are_named_with_their_designs(
    study, given, error, named, laid_out, data, folds, refused
):
    programs = given(laid_out, data)
    call = {
        "held_out": lambda: st.held_out(programs, folds),
        "refit_bootstrap": lambda: st.refit_bootstrap(programs, folds, seed=1),
        "posterior": lambda: st.held_out_posterior(programs, folds, seed=1),
        "votes": lambda: st.human_vote_bootstrap(programs, data, seed=1),
    }
    refused(error, named, call[study])


@pytest.mark.parametrize("seed", [None, -1, "1", 1.5])
def test_a_seed_is_a_whole_number(seed, data, programs, fit, folds, refused):
    for call in (
        lambda: st.prompt_folds(data, seed=seed),
        lambda: st.refit_bootstrap(programs, folds, seed=seed),
        lambda: st.held_out_posterior(programs, folds, seed=seed),
        lambda: st.human_vote_bootstrap(programs, data, seed=seed),
        lambda: st.human_vote_prediction({"J": fit}, data, seed=seed),
    ):
        refused(errors.SamplerSettingError, f"seed is {seed!r}", call)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"replications": 2.5}, errors.BootstrapError),
        ({"replications": "3"}, errors.BootstrapError),
        ({"replications": 0}, errors.BootstrapError),
        ({"n_jobs": 0}, errors.UnknownOptionError),
        ({"n_jobs": "a"}, errors.UnknownOptionError),
    ],
)
def test_resamples_and_workers_are_whole_numbers(arguments, error, programs, data, folds, refused):
    ((name, value),) = arguments.items()
    for call in (
        lambda: st.refit_bootstrap(programs, folds, seed=1, **arguments),
        lambda: st.human_vote_bootstrap(programs, data, seed=1, **arguments),
    ):
        refused(error, f"{name} is {value!r}", call)


@pytest.mark.parametrize("number", [2.5, "2", None, 1, 31])
def test_a_number_of_folds_is_whole(number, data, refused):
    named = f"folds is {number!r}"
    refused(errors.InvalidFoldsError, named, lambda: st.prompt_folds(data, number, seed=1))


@pytest.mark.parametrize("bottom", [2.5, "2", None, 0, 5])
def test_a_number_of_judges_is_whole(bottom, data, refused):
    named = f"bottom is {bottom!r}"
    refused(errors.UnknownOptionError, named, lambda: st.screening(data, bottom=bottom))


def test_models_of_a_screen_are_named(data, refused):
    refused(errors.NotMappingError, "list", lambda: st.screening(data, [(), ("position",)]))


@pytest.mark.parametrize(
    "label",
    [
        lambda fold: np.where(fold == 0, "a", "b"),
        lambda fold: fold / 2,
        lambda fold: [[0], [1, 2]],
        lambda fold: None,
    ],
)
def test_folds_are_numbered(label, programs, folds, refused):
    given = label(folds)
    for call in (
        lambda: st.held_out(programs, given),
        lambda: st.held_out_posterior(programs, given, seed=1),
        lambda: st.refit_bootstrap(programs, given, seed=1),
    ):
        refused(errors.InvalidFoldsError, "folds", call)


def test_settings_of_the_sampler_are_of_their_class(programs, folds, refused):
    def call(settings):
        return lambda: st.held_out_posterior(programs, folds, seed=1, settings=settings)

    refused(errors.SamplerSettingError, "dict", call({"draws": 10}))
    refused(errors.SamplerSettingError, "draws is 0", call(SamplerSettings(draws=0)))


@pytest.mark.parametrize(
    "weight", [[1.0, 2.0], np.ones((2, 2)), "a", [None], [-1.0] * 150, [[1], []]]
)
def test_weights_fit_the_rows(weight, programs, folds, refused):
    refused(errors.InvalidWeightsError, "eight", lambda: st.held_out(programs, folds, weight))


def test_weights_may_be_a_list(programs, folds, data):
    weighted = st.held_out(programs, folds, [2] * data.n_rows)
    assert weighted.table()["verdicts"].tolist() == [300, 300]


@pytest.mark.parametrize("pairs", [("J", "J+P"), [("J", "J+P", "J")], [("J",)], [("J", 1)], [3]])
def test_models_are_compared_in_pairs(found, pairs, refused):
    for each in found:
        odd = next(x for x in pairs if not isinstance(x, tuple) or len(x) != 2 or 1 in x)
        refused(errors.UnknownModelError, repr(odd), lambda e=each: e.difference_table(*pairs))


@pytest.mark.parametrize("model", [["J"], None, "OSCAR"])
def test_a_model_is_asked_for_by_its_name(found, model, refused):
    predictions, bootstrap = found
    named = repr(model)
    refused(errors.UnknownModelError, named, lambda: predictions.standard_error(model))
    refused(errors.UnknownModelError, named, lambda: bootstrap.losses(model))


@pytest.mark.parametrize("effects", [[0.1], 0.1, [NAN] * 5, [[0.1] * 5], ["0.1"] * 5, None])
def test_omitted_columns_have_an_effect_each(effects, fit, data, refused):
    columns = st.position_columns(data)
    shift = st.first_order_shift(fit, columns)
    for call in (
        lambda: shift.of("score", effects),
        lambda: st.population_mode(fit, columns, effects),
    ):
        refused(errors.InvalidCovariateError, "effects", call)


@pytest.mark.parametrize("omitted", [None, "a", [1.0], [["a"]]])
def test_omitted_columns_are_numbers(omitted, fit, refused):
    refused(errors.InvalidCovariateError, "omitted", lambda: st.first_order_shift(fit, omitted))


def test_a_mode_is_wanted(data, fit, refused):
    columns, covariance = st.position_columns(data), fit.covariance("model")
    for call in (
        lambda: bj.check(data),
        lambda: st.first_order_shift(data, columns),
        lambda: st.population_mode(data, columns, [0.0] * 5),
        lambda: st.human_vote_prediction({"J": data}, data, seed=1),
    ):
        refused(errors.UnknownFitError, "Comparisons", call)
    refused(errors.UnknownFitError, "Covariance", lambda: bj.check(covariance))


def test_fits_are_named(data, fit, refused):
    predict = st.human_vote_prediction
    refused(errors.NotMappingError, "fits", lambda: predict(fit, data, seed=1))
    refused(errors.EmptyComparisonsError, "fits", lambda: predict({}, data, seed=1))


@pytest.mark.parametrize("names", [["x"], "x", {"x": 1}, {1: "x"}, {"item-1": ["item-2"]}])
def test_names_of_items_are_mapped(names, data, fit, programs, refused):
    given = {"seed": 1, "item_names": names}
    for call in (
        lambda: st.human_vote_prediction({"J": fit}, data, **given),
        lambda: st.human_vote_bootstrap(programs, data, **given),
    ):
        refused(errors.NotMappingError, "item_names", call)


def test_programs_that_processes_cannot_run_are_said_in_words(laid_out, folds, refused):
    lock = threading.Lock()

    def locked(judges):
        with lock:
            return MODEL(judges)

    def call():
        with joblib.parallel_config("loky"):
            st.refit_bootstrap({"J": (locked, laid_out)}, folds, seed=1, replications=2, n_jobs=2)

    refused(errors.WorkerError, "programs", call)
