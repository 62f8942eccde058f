"""The frozen case of an independent implementation, as our own objects."""

import numpy as np
import pandas as pd

import bayesjudge as bj

VERDICT = {1: "a", 0: "b", 0.5: "tie"}
ALL_TERMS = ("position", "length", "family")

MODELS = {
    "J": ("sensitivity", ()),
    "J+P": ("sensitivity", ("position",)),
    "J+L": ("sensitivity", ("length",)),
    "J+F": ("sensitivity", ("family",)),
    "BT+PLF": ("unit_sensitivity", ALL_TERMS),
    "Davidson+PLF": ("unit_sensitivity_davidson", ALL_TERMS),
    "OSCAR": ("sensitivity", ALL_TERMS),
}


def comparisons(case):
    given = case["input"]
    return bj.read(
        pd.DataFrame(
            {
                "prompt": [f"prompt-{g:03d}" for g in given["cluster"]],
                "judge": [f"judge-{k}" for k in given["judge"]],
                "slot_a": [f"item-{i}" for i in given["a"]],
                "slot_b": [f"item-{i}" for i in given["b"]],
                "verdict": [VERDICT[y] for y in given["y"]],
                "length_a": given["len_a"],
                "length_b": given["len_b"],
            }
        )
    )


def families(case):
    given = case["input"]
    items = {f"item-{i}": name for i, name in enumerate(given["cand_family"])}
    return items | {f"judge-{k}": name for k, name in enumerate(given["judge_family"])}


def fit(case, name):
    program, terms = MODELS[name]
    laid_out = bj.design(
        comparisons(case), terms, reference_judge="judge-0", families=families(case)
    )
    return bj.mode(getattr(bj.models, program), laid_out)


def theta_order(fitted):
    """Places of the paper's theta = (u, v, b judge by judge, tau) in our flat vector."""
    slices = fitted.program.sites.slices
    layout = fitted.designs[0].layout
    order = [*_places(slices["score_coordinates"])]
    if "log_sensitivity_coordinates" in slices:
        order += _places(slices["log_sensitivity_coordinates"])
    free = [list(_places(slices[f"{term}_coordinates"])) for term in layout.terms]
    for judge in range(layout.n_judges):
        order += [
            column.pop(0) for column, kept in zip(free, layout.retained, strict=True) if kept[judge]
        ]
    return np.array([*order, *_places(slices.get("tie_coordinates", slice(0, 0)))])


def _places(found):
    return list(range(found.start, found.stop))


def contrast_errors(covariance):
    """Standard errors of h_ij from the covariance of the scores."""
    matrix = covariance.of("score").values
    variance = np.diag(matrix)[:, None] + np.diag(matrix) - matrix - matrix.T
    return np.sqrt(np.maximum(variance, 0.0))
