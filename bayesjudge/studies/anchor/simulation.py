"""How posteriors of a new item's score cover the truth in the default design of ANCHOR."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import xarray as xr

from bayesjudge import models
from bayesjudge.anchor.cut_posterior import cut_posterior
from bayesjudge.anchor.orthogonal import orthogonal
from bayesjudge.anchor.placement import Placement, placement
from bayesjudge.core.arrays import FloatArray
from bayesjudge.fits.mode import mode
from bayesjudge.fits.nuts import nuts
from bayesjudge.studies.anchor.baselines import (
    direct_score,
    joint_bradley_terry,
    mean_judge_score,
    oracle_score,
    people_only_score,
    pooled_judges_score,
    ppi_score,
    reweighted_score,
    two_step_score,
    unbiased_judges_score,
)
from bayesjudge.studies.anchor.draw import (
    HISTORICAL,
    DrawnArrival,
    World,
    extra_votes,
    historical_pairs,
    judged,
    last_is_new,
    new_pairs,
    voted,
)
from bayesjudge.studies.anchor.metrics import LEVEL, ArrivalEstimate, arrival_metrics, compared
from bayesjudge.studies.runner.study import Row, Setting, Study

CHAINS, WARMUP, DRAWS = 4, 500, 1500


POINT = ("error", "squared_error", "insertion_error", "exact", "coverage", "width")


def anchor_posteriors() -> Study:
    """Give the joint and the cut posterior beside ANCHOR, in the default setting, as a study.

    Returns
    -------
    Study
        Metrics of `anchor_simulation`; intervals of posteriors have equal tails.

    Examples
    --------
    >>> list(anchor_posteriors().estimators)
    ['ANCHOR', 'joint posterior', 'cut posterior']
    """
    estimators = {
        "ANCHOR": fit_anchor,
        "joint posterior": sample_jointly,
        "cut posterior": sample_cut,
    }
    return Study("ANCHOR posteriors", [DEFAULT], draw_arrival, estimators, posterior_metrics)


def sample_jointly(drawn: DrawnArrival) -> ArrivalEstimate:
    """Sample everything together, and summarise the new score."""
    tree = nuts(
        models.new_item_pooled,
        *drawn.designs,
        drawn.roster,
        seed=drawn.seed,
        chains=CHAINS,
        warmup=WARMUP,
        draws=DRAWS,
        progress=False,
    )
    return _summary(tree)


def sample_cut(drawn: DrawnArrival) -> ArrivalEstimate:
    """Sample the history and then the new score, and summarise it."""
    judges, humans = drawn.designs
    tree = cut_posterior(
        judges,
        humans,
        drawn.roster,
        seed=drawn.seed,
        chains=CHAINS,
        warmup=WARMUP,
        draws=DRAWS,
        progress=False,
    )
    return _summary(tree)


def posterior_metrics(drawn: DrawnArrival, estimates: Mapping[str, ArrivalEstimate]) -> list[Row]:
    """Compare posteriors with the truth.

    Parameters
    ----------
    drawn : DrawnArrival
        The truth.
    estimates : mapping of str to ArrivalEstimate
        By method.

    Returns
    -------
    list of mapping
        ``estimator``, ``metric`` and ``value``.
    """
    known = two_step_score(drawn.designs, drawn.roster)[:-1]
    return [
        {"estimator": name, "metric": metric, "value": value}
        for name, estimate in estimates.items()
        for metric, value in _measured(drawn, known, estimate).items()
    ]


def _measured(
    drawn: DrawnArrival, known: np.ndarray, estimate: ArrivalEstimate
) -> dict[str, float]:
    values = compared(drawn.score, known, estimate)
    parts = estimate.parts or {}
    if "lower" in parts:
        inside = parts["lower"] <= drawn.score[-1] <= parts["upper"]
        values |= {"coverage": float(inside), "width": parts["upper"] - parts["lower"]}
    return {name: values[name] for name in POINT}


def _summary(tree: xr.DataTree) -> ArrivalEstimate:
    """Mean and 95 % interval of the new score."""
    draws = tree["posterior"].to_dataset()["human_score"].values[..., -1].ravel()
    lower, upper = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return ArrivalEstimate(float(draws.mean()), None, None, {"lower": lower, "upper": upper})


FOLDS = 10


DEFAULT = {
    "votes": 2400,
    "verdicts": 5600,
    "arrivals": 500,
    "bias": 0.5,
    "shift": 0.3,
    "new_score": 0.5,
}


BIASES, SHIFTS = (0.0, 0.5, 1.0, 2.0), (0.0, 0.3, 0.6, 1.0)  # rho, tau


IN_GRID = ("ANCHOR", "two-step", "DirectScore", "JointBTL", "Oracle")


JUDGE_SIZES = (1000, 2000, 4000, 8000, 16_000)  # N_J


HISTORY_SHARE, FEW_VOTES = 0.7, 1000


def anchor_simulation() -> Study:
    """Give the default setting, with all methods, as a study.

    Returns
    -------
    Study
        Settings ``votes``, ``verdicts`` (on historical items), ``arrivals``, ``bias`` (rho),
        ``shift`` (tau), ``new_score``. Metrics of the new score: ``error``, ``squared_error``,
        ``coverage`` and ``width`` of 95 % intervals, ``insertion_error`` (ranks), ``exact`` (rank)
        and ``rank_coverage``; of ANCHOR the parts of its variance.

    Notes
    -----
    ANCHOR, Section 5.1; baselines of Supplementary Section A.8.

    Examples
    --------
    >>> study = anchor_simulation()
    >>> len(study.settings), len(study.estimators)
    (1, 12)
    """
    return Study("ANCHOR simulation", [DEFAULT], draw_arrival, METHODS, arrival_metrics)


def anchor_grid() -> Study:
    """Give the grid of judge bias and feature shift as a study.

    Returns
    -------
    Study
        As `anchor_simulation`, for some of its methods.

    Notes
    -----
    ANCHOR, Section 5.1, Figure 3.

    Examples
    --------
    >>> len(anchor_grid().settings)
    16
    """
    settings = [DEFAULT | {"bias": bias, "shift": shift} for bias in BIASES for shift in SHIFTS]
    chosen = {name: METHODS[name] for name in IN_GRID}
    return Study("ANCHOR grid", settings, draw_arrival, chosen, arrival_metrics)


def anchor_precision() -> Study:
    """Give the sweep over the number of judges' verdicts at 1,000 votes as a study.

    Returns
    -------
    Study
        As `anchor_simulation`, for ANCHOR and the joint maximum.

    Notes
    -----
    ANCHOR, Section 5.1: 70 % of the verdicts are on historical items.

    Examples
    --------
    >>> [each["arrivals"] for each in anchor_precision().settings]
    [300, 600, 1200, 2400, 4800]
    """
    settings = [
        DEFAULT
        | {
            "votes": FEW_VOTES,
            "verdicts": round(HISTORY_SHARE * size),
            "arrivals": size - round(HISTORY_SHARE * size),
        }
        for size in JUDGE_SIZES
    ]
    chosen = {name: METHODS[name] for name in ("ANCHOR", "joint MLE")}
    return Study("ANCHOR precision", settings, draw_arrival, chosen, arrival_metrics)


def draw_arrival(setting: Setting, seed: int) -> DrawnArrival:
    """Draw the verdicts of a setting.

    Parameters
    ----------
    setting : mapping
        As in `anchor_simulation`.
    seed : int
        Same seed, same verdicts.

    Returns
    -------
    DrawnArrival
        Verdicts and truth.

    Notes
    -----
    Each judge's bias has rho times the standard deviation of its score term over history.
    """
    rng = np.random.default_rng(seed)
    score = rng.normal(size=HISTORICAL)
    score = np.append(score - score.mean(), float(setting["new_score"]))
    world = World.draw(rng, score, float(setting["shift"]))
    pairs = historical_pairs(rng, int(setting["verdicts"]))
    spread = world.slope * np.std(world.gap(pairs))
    world = with_bias(rng, world, float(setting["bias"]) * spread)
    history = judged(rng, world, pairs)
    arrivals = judged(rng, world, new_pairs(rng, int(setting["arrivals"])))
    humans = voted(rng, world, int(setting["votes"]))
    made = (history.joined(arrivals).design(humans.items), humans)
    votes = extra_votes(rng, world)
    return DrawnArrival(made, last_is_new(), world.truth, votes, seed % 2**31)


def with_bias(rng: np.random.Generator, world: World, spread: FloatArray) -> World:
    """Scale each judge's effects to a standard deviation of its bias on historical pairs.

    Parameters
    ----------
    rng : numpy.random.Generator
        For answers to measure it on.
    world : World
        Effects of any size.
    spread : ndarray, shape (3,)
        Standard deviations, log-odds.

    Returns
    -------
    World
        The same with other effects.
    """
    sample = world.contrasts(rng, historical_pairs(rng, 4000))
    size = np.std(sample @ world.effects.T, axis=0)
    return replace(world, effects=world.effects * (spread / size)[:, None])


def fit_anchor(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the cross-fitted, corrected estimate with its error, rank set and variance by source.

    Parameters
    ----------
    drawn : DrawnArrival
        The verdicts.

    Returns
    -------
    ArrivalEstimate
        ``votes_variance`` (V_H), ``judges_variance`` (V_J) and, from true scores, ``bound`` (B) and
        ``variance_over_bound``.
    """
    fit = orthogonal(models.new_item, *drawn.designs, drawn.roster, folds=FOLDS, seed=drawn.seed)
    placed = placement(fit)
    votes, whole = placed.from_votes[-1, -1], placed.covariance[-1, -1]
    parts = {
        "votes_variance": votes,
        "judges_variance": placed.from_judges[-1, -1],
        "variance_over_votes": whole / votes,
    }
    if drawn.score[-1] != 0:  # at zero nothing bounds the score, whose variance then goes to zero
        bound = drawn.score[-1] ** 2 / placed.pairs.scale_information(drawn.score)
        parts |= {"bound": bound, "variance_over_bound": whole / bound}
    return replace(placed_estimate(placed), parts={k: float(v) for k, v in parts.items()})


def fit_joint(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the joint maximum with its error and rank set.

    Parameters
    ----------
    drawn : DrawnArrival
        The verdicts.

    Returns
    -------
    ArrivalEstimate
        Errors from the inverse information.
    """
    fit = mode(models.new_item, *drawn.designs, drawn.roster, prior=False)
    return placed_estimate(placement(fit))


def placed_estimate(placed: Placement) -> ArrivalEstimate:
    """Read the one new item's score, error and rank set off a placement.

    Parameters
    ----------
    placed : Placement
        With the new item last.

    Returns
    -------
    ArrivalEstimate
        At the 95 % level.
    """
    ranks, error = placed.rank_set(), float(np.sqrt(placed.covariance[-1, -1]))
    return ArrivalEstimate(float(placed.score[-1]), error, (ranks.best, ranks.worst))


def fit_people(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the estimate from 150 votes on the new item."""
    score, error = people_only_score(drawn.designs, drawn.roster, drawn.votes)
    return ArrivalEstimate(float(score[-1]), error)


def fit_oracle(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the estimate of someone who knows all but the new score."""
    score, error = oracle_score(drawn.designs, drawn.roster, drawn.truth)
    return ArrivalEstimate(float(score[-1]), error)


def _by(score: Callable[..., FloatArray], drawn: DrawnArrival) -> ArrivalEstimate:
    return ArrivalEstimate(float(score(drawn.designs, drawn.roster)[-1]))


def fit_two_step(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the two-step estimate, without an error."""
    return _by(two_step_score, drawn)


def fit_direct(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the root of the unweighted moment, without an error."""
    return _by(direct_score, drawn)


def fit_ppi(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the moment's root with people's mean residual, without an error."""
    return _by(ppi_score, drawn)


def fit_reweighted(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the moment's root after a density-weighted refit, without an error."""
    return _by(reweighted_score, drawn)


def fit_unbiased_judges(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the two-step estimate without features, without an error."""
    return _by(unbiased_judges_score, drawn)


def fit_joint_bradley_terry(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give one Bradley-Terry model of all verdicts, without an error."""
    return _by(joint_bradley_terry, drawn)


def fit_pooled_judges(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give one Bradley-Terry model of the judges, without an error."""
    return _by(pooled_judges_score, drawn)


def fit_mean_judge(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the mean of the judges' own Bradley-Terry models, without an error."""
    return _by(mean_judge_score, drawn)


METHODS: dict[str, Callable[[DrawnArrival], ArrivalEstimate]] = {
    "ANCHOR": fit_anchor,
    "joint MLE": fit_joint,
    "two-step": fit_two_step,
    "DirectScore": fit_direct,
    "HistoricalPPI": fit_ppi,
    "IPWOnly": fit_reweighted,
    "ScalarJudge": fit_unbiased_judges,
    "JointBTL": fit_joint_bradley_terry,
    "PooledLLM": fit_pooled_judges,
    "PerJudgeBTL": fit_mean_judge,
    "HumanOnly": fit_people,
    "Oracle": fit_oracle,
}
