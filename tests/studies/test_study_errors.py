"""What is wrong with a study, its run or its folder is said in one sentence that names it."""

import json
import os
import sys
import threading
from dataclasses import replace

import joblib
import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.studies.runner.records import DEFINITION, LINES

st, errors = bj.studies, bj.errors


def squared_errors(drawn, estimates):
    return [{"estimator": name, "metric": "m", "value": x**2} for name, x in estimates.items()]


TOY = st.Study(
    "toy",
    st.grid(size=[5, 20]),
    lambda setting, seed: np.random.default_rng(seed).normal(size=setting["size"]),
    {"mean": np.mean},
    squared_errors,
)


def run(study=TOY, replications=2, seed=1, **settings):
    return st.run_study(study, replications, seed=seed, progress=False, **settings)


@pytest.mark.parametrize(
    ("part", "given", "named"),
    [
        ("name", 5, "5"),
        ("settings", [], "'toy'"),
        ("settings", {"size": 5}, "dict"),
        ("settings", (each for each in [{"size": 5}]), "generator"),
        ("settings", "size", "str"),
        ("settings", [5], "'toy'"),
        ("settings", [{}], "nothing"),
        ("settings", [{1: 2}], "1"),
        ("settings", [{"size": np.arange(2)}], "size"),
        ("settings", [{"size": np.int64(5)}], "plain numbers"),
        ("settings", [{"size": 5}, {"size": float("nan")}], "'size'"),
        ("settings", [{"size": 1}, {"size": 1.0}], "{'size': 1.0}"),
        ("settings", [{"size": 1}, {"size": True}], "{'size': True}"),
        ("settings", [{"size": 0.0}, {"size": -0.0}], "{'size': -0.0}"),
        ("estimators", {}, "'toy'"),
        ("estimators", [np.mean], "'toy'"),
        ("estimators", {1: np.mean}, "1"),
        ("estimators", {"": np.mean}, "''"),
        ("estimators", {"mean": 3}, "'mean'"),
        ("draw", None, "'draw'"),
        ("metrics", "m", "'metrics'"),
    ],
)
def test_a_malformed_part_is_named(refused, part, given, named):
    refused(errors.InvalidStudyError, named, lambda: replace(TOY, **{part: given}))


@pytest.mark.parametrize("values", [5, "abc"])
def test_a_single_value_is_no_list_of_them(refused, values):
    refused(errors.InvalidStudyError, repr(values), lambda: st.grid(size=values))


def test_settings_that_differ_in_one_of_two_values_stay_apart():
    settings = [{"size": 1, "of": "x"}, {"size": 1.0, "of": "y"}, {"size": 1, "of": "1"}]
    table = run(replace(TOY, settings=settings, draw=lambda setting, seed: [1.0])).table()
    assert table["replications"].tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "row",
    [
        {"estimator": ["mean"], "metric": "m", "value": 1.0},
        {"estimator": None, "metric": "m", "value": 1.0},
        {"estimator": "mean", "metric": 3, "value": 1.0},
        {"estimator": "mean", "metric": "", "value": 1.0},
        {"estimator": "mean", "metric": "m", "value": "1.5"},
        {"estimator": "mean", "metric": "m", "value": 10**400},
    ],
)
def test_a_malformed_row_is_named(refused, row):
    study = replace(TOY, metrics=lambda drawn, estimates: [row])
    refused(errors.InvalidStudyError, "'toy'", lambda: run(study))


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ({"study": 3}, errors.InvalidStudyError, "int"),
        ({"replications": 2.5}, errors.InvalidStudyError, "2.5"),
        ({"replications": "3"}, errors.InvalidStudyError, "'3'"),
        ({"replications": 0}, errors.InvalidStudyError, "0"),
        ({"seed": None}, errors.SamplerSettingError, "None"),
        ({"seed": -1}, errors.SamplerSettingError, "-1"),
        ({"seed": 1.5}, errors.SamplerSettingError, "1.5"),
        ({"n_jobs": 0}, errors.UnknownOptionError, "0"),
        ({"n_jobs": "a"}, errors.UnknownOptionError, "'a'"),
        ({"n_jobs": 1.5}, errors.UnknownOptionError, "1.5"),
        ({"folder": 5}, errors.UnknownOptionError, "5"),
    ],
)
def test_a_wrong_argument_of_a_run_is_named(refused, arguments, error, named):
    refused(error, named, lambda: run(**arguments))


def test_numpy_numbers_are_numbers():
    assert run(replications=np.int64(2), seed=np.int64(1)).rows.equals(run().rows)


def holding_a_lock():
    lock = threading.Lock()
    return lambda drawn: float(lock.locked())


class Unreadable:
    def __call__(self, drawn):
        return 1.0

    def __reduce__(self):
        return exec, ("raise ImportError('no such module')",)


@pytest.mark.parametrize(
    ("estimator", "named"),
    [
        (holding_a_lock(), "cannot be sent"),
        (Unreadable(), "cannot be sent"),
        (lambda drawn: os._exit(1), "died"),
    ],
)
def test_what_processes_cannot_run_is_said_in_words(refused, estimator, named):
    cloudpickle = pytest.importorskip("cloudpickle")
    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import tests
    study = replace(TOY, estimators={"mean": estimator})
    try:
        with joblib.parallel_config("loky"):
            refused(errors.WorkerError, f"{named}", lambda: run(study, n_jobs=2))
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def test_workers_that_hold_results_back_are_refused(refused):
    with joblib.parallel_config("multiprocessing"):
        refused(errors.UnknownOptionError, "parallel_config", lambda: run(n_jobs=2))


@pytest.mark.parametrize("content", [b'{"definition": 3}', b"[]", b"3", b"\xff\xfe", b""])
def test_a_damaged_definition_is_named(refused, tmp_path, content):
    (tmp_path / DEFINITION).write_bytes(content)
    refused(errors.DamagedRecordError, DEFINITION, lambda: run(folder=tmp_path))


ROW = {"estimator": "mean", "metric": "m", "value": 1.0}
FAILURE = {"estimator": "mean", "metric": "", "message": "ValueError: no"}


def line(**parts):
    whole = {"setting": {"size": 5}, "replication": 0, "rows": [ROW], "failures": []}
    return json.dumps(whole | parts).encode()


@pytest.mark.parametrize(
    "damaged",
    [
        b"\xff\xfe",
        line(setting=5),
        line(setting=["size"]),
        line(setting={"size": [5]}),
        line(replication="0"),
        line(replication=1.5),
        line(replication=-1),
        line(replication=True),
        line(rows=[5]),
        line(rows="mean"),
        line(rows=[{"estimator": "mean", "value": 1.0}]),
        line(rows=[ROW | {"metric": None}]),
        line(rows=[ROW | {"estimator": ["mean"]}]),
        line(rows=[ROW | {"estimator": "mode"}]),
        line(rows=[ROW | {"value": "1.0"}]),
        line(rows=[ROW | {"value": float("nan")}]),
        line(failures=[FAILURE | {"message": 3}]),
        line(failures=[FAILURE | {"estimator": "mode"}]),
        line(failures=["mean"]),
    ],
)
def test_a_damaged_line_is_named(refused, tmp_path, damaged):
    run(folder=tmp_path)
    with (tmp_path / LINES).open("ab") as file:
        file.write(damaged + b"\n")
    refused(errors.DamagedRecordError, "Line 5", lambda: run(folder=tmp_path))


def test_lines_of_settings_of_other_names_are_no_damage(tmp_path):
    first = replace(TOY, settings=[{"size": 5, "of": "x"}])
    run(first, folder=tmp_path)
    assert run(folder=tmp_path).rows.equals(run().rows)


@pytest.mark.parametrize("name", [DEFINITION, LINES])
def test_a_folder_where_a_file_belongs_is_named(refused, tmp_path, name):
    run(folder=tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    refused(errors.UnwritableFolderError, name, lambda: run(folder=tmp_path))


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_file_where_the_folder_belongs_is_named(refused, tmp_path, below):
    (tmp_path / "results").write_text("a file")
    place = tmp_path / "results" / below
    refused(errors.UnwritableFolderError, "results", lambda: run(folder=place))


def test_the_paper_is_compared_with_its_own_simulation_only(refused):
    refused(errors.InvalidStudyError, "'toy'", lambda: st.compare_published(run()))
    refused(errors.InvalidStudyError, "dict", lambda: st.compare_published({}))
    paper = {"verdicts": 1000, "bias": 1.0, "dependence": 0.6}
    for settings, name in (([paper | {"verdicts": 5}], "OSCAR"), ([paper], "J"), ([paper], "m")):
        other = replace(
            TOY, settings=settings, draw=lambda s, seed: [1.0], estimators={name: np.mean}
        )
        refused(errors.InvalidStudyError, "'toy'", lambda of=other: st.compare_published(run(of)))


def test_a_number_that_failed_throughout_is_missing_beside_the_paper():
    def fail(drawn):
        raise ArithmeticError("no")

    def metrics(drawn, estimates):
        return [{"estimator": name, "metric": "rmse_q", "value": 0.1} for name in estimates]

    settings = [{"verdicts": 10_000, "bias": 1.0, "dependence": 0.6}]
    estimators = {"OSCAR": np.mean, "J": fail, "J+P": fail}
    study = st.Study("some", settings, lambda s, seed: [1.0], estimators, metrics)
    table = st.compare_published(run(study)).set_index(["estimator", "metric"])
    assert table.loc[("OSCAR", "rmse_q"), "mean"] == pytest.approx(0.1)
    assert np.isnan(table.loc[("J", "rmse_q"), "mean"])
    assert np.isnan(table.loc[("OSCAR minus J+P", "rmse_kappa"), "z"])


@pytest.mark.parametrize("names", [(3, "mean", "mean"), ("m", ["mean"], "mean"), ("m", "mean", 3)])
def test_a_difference_is_asked_for_by_names(refused, names):
    odd = next(name for name in names if not isinstance(name, str))
    refused(errors.InvalidStudyError, repr(odd), lambda: run().difference(*names))
