"""What no convention may change: coordinates, base points, names, order, repetition of rows."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
from dial_case import case_data
from numpy.testing import assert_allclose

import bayesjudge as bj
from bayesjudge.designs.frames import Structure
from bayesjudge.engine.precision import in_float64

INVARIANT = 1e-8


@pytest.fixture(scope="module")
def case(shared_fixture):
    return shared_fixture("dial_case1")


@pytest.fixture(scope="module")
def data(case):
    return case_data(case)


def overparameterised(case, full):
    """Losses in the coordinates (A, B, c, b) of DIAL (D.2), of which (r + 1)^2 are redundant."""
    llm, human = np.array(case["llm_cells"]), np.array(case["human_cells"])
    k, i, j = llm[:, :3].T
    hi, hj = human[:, :2].T
    n_items, n_judges, width = case["N"], case["K"], case["r"] + 1
    sizes = (n_judges * width, n_items * width, width if full else 1, n_judges)
    cuts = np.cumsum(sizes)[:-1]

    def unpack(phi):
        a, b, c, position = jnp.split(phi, cuts)
        a, b = a.reshape(n_judges, width), b.reshape(n_items, width)
        b = b - b.mean(axis=0)
        mean = b @ a.sum(axis=0)
        score = b @ c if full else c[0] * jnp.sqrt(n_items) * mean / jnp.linalg.norm(mean)
        return score, a @ b.T, position

    def judges(phi):
        _, s, position = unpack(phi)
        eta = s[k, i] - s[k, j] + llm[:, 3] * position[k]
        return (llm[:, 4] * jnp.logaddexp(0, eta) - llm[:, 5] * eta).sum() / case["n_l"]

    def humans(phi):
        eta = unpack(phi)[0][hi] - unpack(phi)[0][hj]
        return human[:, 2], human[:, 3], eta

    def human_loss(phi):
        n, y, eta = humans(phi)
        return (n * jnp.logaddexp(0, eta) - y * eta).sum() / case["n_h"]

    return unpack, judges, humans, human_loss


def point_of(fit, full):
    """The fit in coordinates (A, B, c, b), by a singular value decomposition of S."""
    s = fit.quantity("judge_score").values
    left, values, right = np.linalg.svd(s)
    rank = int((values > 1e-9 * values[0]).sum())
    a, b = left[:, :rank] * values[:rank], right[:rank].T
    score = fit.quantity("human_score").values
    mean = s.mean(axis=0)
    c = (
        np.linalg.lstsq(b, score)[0]
        if full
        else [score @ mean / np.linalg.norm(mean) / np.sqrt(len(mean))]
    )
    return np.concatenate([a.ravel(), b.ravel(), np.atleast_1d(c), fit.quantity("position").values])


@in_float64
def trace_and_covariance(case, phi, weight, full):
    """tr(H^+ J) and the score's sandwich by vote and verdict, in redundant coordinates."""
    unpack, judges, humans, human_loss = overparameterised(case, full)
    phi = jnp.asarray(phi)
    hessian = np.asarray(jax.hessian(lambda x: human_loss(x) + weight * judges(x))(phi))
    values, vectors = np.linalg.eigh(hessian)
    kept = np.argsort(values)[-bj_dimension(case, full) :]
    inverse = vectors[:, kept] / values[kept] @ vectors[:, kept].T
    n, y, eta = (np.asarray(each) for each in humans(phi))
    slope = np.asarray(jax.jacfwd(lambda x: humans(x)[2])(phi))
    variance = bernoulli_variance(slope, n, y, 1 / (1 + np.exp(-eta)))
    gradient = np.asarray(jax.jacfwd(lambda x: unpack(x)[0])(phi))
    meat = variance + weight**2 * case["n_h"] / case["n_l"] * judge_variance(case, phi, unpack)
    return np.trace(inverse @ variance), gradient @ inverse @ meat @ inverse @ gradient.T


def bj_dimension(case, full):
    width = case["r"] + 1
    return width * (case["K"] + case["N"] - width - 1) + case["K"] + (width if full else 1)


def bernoulli_variance(slope, n, y, p):
    """Centred second moment of single votes' scores, from counts."""
    won, lost = slope * (p - 1)[:, None], slope * p[:, None]
    total = n.sum()
    mean = (won.T @ y + lost.T @ (n - y)) / total
    second = (won.T * y) @ won + (lost.T * (n - y)) @ lost
    return second / total - np.outer(mean, mean)


def judge_variance(case, phi, unpack):
    llm = np.array(case["llm_cells"])
    k, i, j = llm[:, :3].T

    def eta(x):
        _, s, position = unpack(x)
        return s[k, i] - s[k, j] + llm[:, 3] * position[k]

    p = 1 / (1 + np.exp(-np.asarray(eta(phi))))
    return bernoulli_variance(np.asarray(jax.jacfwd(eta)(phi)), llm[:, 4], llm[:, 5], p)


@pytest.mark.parametrize("program", ["calibrated", "calibrated_full"])
def test_trace_and_sandwich_do_not_depend_on_coordinates(case, data, program):
    """The package's chart has no gauge; DIAL's (D.2) has (r + 1)^2 redundant directions."""
    full = program.endswith("full")
    path = bj.calibration.weight_path(getattr(bj.models, program), *data, weights=case["grid"][:3])
    for found in path.candidates[1:-1]:
        phi = point_of(found.fit, full)
        trace, covariance = trace_and_covariance(case, phi, found.weight, full)
        assert_allclose(found.optimism, trace, atol=INVARIANT)
        own = case["n_h"] * path.covariance(found.weight, "row").of("human_score").values
        assert_allclose(own, covariance, atol=INVARIANT * np.abs(covariance).max())


def turned(structure, seed):
    """Another base point: all directions turned at random, away from the data."""
    rng = np.random.default_rng(seed)
    n = len(structure.direction)
    frame = np.linalg.qr(
        np.column_stack([structure.direction, structure.disagreement, structure.rest])
        + 0.15 * rng.standard_normal((n, n))
    )[0]
    frame = frame * np.sign(frame[:, 0] @ structure.direction)
    rank = structure.rank
    return Structure(
        frame[:, 0],
        frame[:, 1 : 1 + rank],
        frame[:, 1 + rank :],
        structure.size,
        structure.loading,
        structure.factor,
        structure.position,
    )


def test_base_point_changes_nothing(case, data):
    base = bj.calibration.structure(*data)
    one = bj.calibration.weight_path(bj.models.calibrated_full, *data, base, weights=case["grid"])
    other = bj.calibration.weight_path(
        bj.models.calibrated_full, *data, turned(base, 3), weights=case["grid"]
    )
    assert np.abs(one.staged.phi - other.staged.phi).max() > 0.01
    for a, b in zip(one.candidates, other.candidates, strict=True):
        assert_allclose(a.human_score.values, b.human_score.values, atol=INVARIANT)
        assert_allclose(a.gacv, b.gacv, atol=INVARIANT)
        left, right = (
            path.covariance(a.weight, "cell").of("human_score").values for path in (one, other)
        )
        assert_allclose(left, right, atol=INVARIANT)


def test_joint_weight_is_the_ordinary_joint_model(case, data):
    joint = case["n_l"] / case["n_h"]
    path = bj.calibration.weight_path(bj.models.calibrated, *data, weights=[joint])
    fit = bj.mode(bj.models.calibrated, *data, prior=False)
    found = path.at(joint).fit
    assert_allclose(found.quantity("human_score"), fit.quantity("human_score"), atol=INVARIANT)
    assert_allclose(found.hessian, fit.hessian, rtol=1e-6, atol=1e-5)


def test_integer_power_is_repetition(data):
    judges, humans = data
    tripled = replace(judges, weight=3 * judges.weight)
    one = bj.mode(bj.models.calibrated, bj.design(judges, power=3.0), humans, prior=False)
    other = bj.mode(bj.models.calibrated, tripled, humans, prior=False)
    assert_allclose(one.quantity("human_score"), other.quantity("human_score"), atol=INVARIANT)


def test_power_squares_in_the_meat_and_not_in_the_information(data):
    judges, _ = data
    plain = bj.mode(bj.models.consensus, judges, prior=False)
    half = bj.mode(bj.models.consensus, bj.design(judges, power=0.5), prior=False)
    assert_allclose(half.information, 0.5 * plain.information, rtol=1e-5, atol=1e-6)
    # the bread doubles, the meat falls to a quarter: nothing changes
    for cluster in ("cell", "row"):
        one, other = (
            bj.calibration.two_sample_covariance(each, cluster).of("consensus").values
            for each in (plain, half)
        )
        assert_allclose(one, other, atol=INVARIANT)


def test_swapping_slots_turns_position(data):
    judges, humans = data
    swapped = replace(
        judges,
        first=judges.second,
        second=judges.first,
        verdict=2 - judges.verdict,
    )
    one = bj.mode(bj.models.calibrated, judges, humans, prior=False)
    other = bj.mode(bj.models.calibrated, swapped, humans, prior=False)
    assert_allclose(one.quantity("human_score"), other.quantity("human_score"), atol=INVARIANT)
    assert_allclose(one.quantity("position"), -other.quantity("position"), atol=INVARIANT)


@pytest.mark.parametrize("seed", [1, 2])
def test_names_of_items_and_judges_mean_nothing(data, seed):
    judges, humans = data
    rng = np.random.default_rng(seed)
    item, judge = rng.permutation(judges.n_items), rng.permutation(judges.n_judges)
    renamed = replace(
        judges, first=item[judges.first], second=item[judges.second], judge=judge[judges.judge]
    )
    votes = replace(humans, first=item[humans.first], second=item[humans.second])
    one = bj.calibration.weight_path(bj.models.calibrated, judges, humans)
    other = bj.calibration.weight_path(bj.models.calibrated, renamed, votes)
    for a, b in zip(one.candidates, other.candidates, strict=True):
        assert_allclose(a.human_score.values, b.human_score.values[item], atol=INVARIANT)
        assert_allclose(a.gacv, b.gacv, atol=INVARIANT)


def test_ties_are_half_wins(data):
    """A vote that ties counts as half a vote for each: the same fits."""
    judges, humans = data
    votes = humans.to_frame().drop(columns=["length_first", "length_second"])
    tied = votes.assign(verdict="tie")
    sides = [votes.assign(verdict=side, weight=votes["weight"] / 2) for side in ("first", "second")]
    one, other = (
        bj.calibration.weight_path(
            bj.models.calibrated, judges, bj.read(pd.concat(parts), kind="human")
        )
        for parts in ([votes, tied], [votes, *sides])
    )
    assert np.abs(one.human_only.human_score).max() > 0.1
    for a, b in zip(one.candidates, other.candidates, strict=True):
        assert_allclose(a.human_score.values, b.human_score.values, atol=INVARIANT)
        assert_allclose(a.human_loss, b.human_loss, atol=INVARIANT)


@pytest.mark.parametrize("kind", ["model", "sandwich"])
def test_a_common_power_changes_neither_estimate_nor_covariance(kind):
    data = bj.example_panel(), bj.example_votes()
    plain = bj.mode(bj.models.calibrated, *data, prior=False)
    powered = [bj.design(each, power=0.1) for each in data]
    other = bj.mode(bj.models.calibrated, *powered, prior=False)
    mine, theirs = plain.quantity("human_score"), other.quantity("human_score")
    np.testing.assert_allclose(theirs, mine, atol=1e-7)
    mine, theirs = (fit.covariance(kind).standard_error("human_score") for fit in (plain, other))
    np.testing.assert_allclose(theirs, mine, rtol=1e-6)
