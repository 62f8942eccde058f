r"""Out-of-fold log loss of models, on prompts that they were not fitted to.

.. math:: \mathrm{LL} = \frac{1}{\sum_t w_t} \sum_t w_t
          \{-Y_t \log \hat p_t - (1 - Y_t) \log(1 - \hat p_t)\}

OSCAR eq. (E2), with Y = 1, 1/2, 0 for a win, a tie and a loss of the item shown first and
:math:`\hat p_t = P(\text{win}) + P(\text{tie}) / 2` from a fit to the other folds.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from bayesjudge.core.arguments import demand_numbers, demand_seed, wanted
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.logistic import half_wins
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.variants import reweighted
from bayesjudge.engine.chains import SamplerSettings
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.program import Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.errors import InvalidWeightsError, MismatchedRowsError, SamplerSettingError
from bayesjudge.fits.mode import Mode, mode
from bayesjudge.fits.nuts import nuts
from bayesjudge.studies.prediction.folds import Contender, demand_programs, fold_of_prompt
from bayesjudge.studies.prediction.losses import HeldOut

DEFAULT = SamplerSettings()
NOT_SETTINGS = (
    "settings is of type {type}; give bayesjudge.engine.chains.SamplerSettings(...), such as "
    "SamplerSettings(draws=500)."
)
# From program, training design and fold to the probability of a win by row, shape (n_rows,).
type Predict = Callable[[Model, Design, int], FloatArray]


def held_out(
    programs: Mapping[str, Contender], folds: IntArray, weight: FloatArray | None = None
) -> HeldOut:
    """Predict the verdicts of each fold by modes of the other folds.

    Parameters
    ----------
    programs : mapping of str to (program, Design)
        The models to compare, by name; all designs hold the same verdicts.
    folds : ndarray of int, shape (n_rows,)
        The fold of each row, from `prompt_folds`.
    weight : ndarray, shape (n_rows,), optional
        How often each row is counted, in training and in the loss; by default as in the designs.

    Returns
    -------
    HeldOut
        Probabilities and losses by model and row.

    Raises
    ------
    InvalidFoldsError
        If the folds do not match the verdicts, or split a prompt.
    MismatchedRowsError
        If the designs hold different verdicts.
    InvalidWeightsError
        If the weights do not match the rows, or are negative.
    NotMappingError, NotDesignError, EmptyComparisonsError
        If programs are not given by name, each with its design.
    NotConvergedError, UnidentifiedError
        If a fit fails.

    Notes
    -----
    OSCAR Section 6.3 and Appendix E.2. Columns of terms keep the scale of the full data; which
    coefficients are free is decided on each training part (Appendix B.2).

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> programs = {
    ...     name: (bj.models.sensitivity, bj.design(data, terms))
    ...     for name, terms in {"J": (), "J+P": ("position",)}.items()
    ... }
    >>> predictions = bj.studies.held_out(programs, bj.studies.prompt_folds(data, seed=1))
    >>> predictions
    HeldOut(3 folds, log loss J 0.616, J+P 0.586)
    >>> predictions.table()
    Held-out prediction by modes of the other 3 folds. log_loss, standard_error: nats a
    verdict, errors clustered by prompt.
      model  log_loss  standard_error  verdicts  prompts
    0     J     0.616           0.013      2000      400
    1   J+P     0.586           0.014      2000      400
    """
    return out_of_fold(programs, folds, _predict_by_mode, "modes", weight)


def out_of_fold(
    programs: Mapping[str, Contender],
    folds: IntArray,
    predict: Predict,
    method: str,
    weight: FloatArray | None = None,
) -> HeldOut:
    """Predict each fold by a fit to the others; folds and weight (n_rows,)."""
    data = shared_data(programs)
    fold_of_prompt(data, folds)
    weight = _row_weight(next(iter(programs.values()))[1], weight)
    probability = {
        name: _each_fold(model, design, np.asarray(folds), predict, weight)
        for name, (model, design) in programs.items()
    }
    return HeldOut(data, np.asarray(folds), weight, probability, method)


def _row_weight(design: Design, weight: FloatArray | None) -> FloatArray:
    if weight is None:
        return design.weight
    return reweighted(design, demand_numbers("weight", weight, InvalidWeightsError)).weight


def _each_fold(
    model: Model, design: Design, folds: IntArray, predict: Predict, weight: FloatArray
) -> FloatArray:
    probability = np.empty(len(folds))
    for fold in np.unique(folds):
        test = folds == fold
        training = reweighted(design, weight * ~test)
        probability[test] = predict(model, training, int(fold))[test]
    return probability


def _predict_by_mode(model: Model, training: Design, fold: int) -> FloatArray:
    return row_win_probability(mode(model, training))


@in_float64
def row_win_probability(fit: Mode) -> FloatArray:
    """Return the tie-adjusted probability that the item shown first wins, (n_rows,).

    Rows that the fit did not count are predicted as well.
    """
    (outcome,) = fit.program.compiled.outcome_probs(fit.phi, fit.layouts).values()
    return half_wins(np.asarray(outcome))[fit.designs[0].cell_of_row]


def shared_data(programs: Mapping[str, Contender]) -> Comparisons:
    """Return the verdicts that all designs hold."""
    designs = {name: design for name, (_, design) in demand_programs(programs).items()}
    (first, one), *others = designs.items()
    for name, other in others:
        if not _same_rows(one, other):
            raise MismatchedRowsError(
                f"The designs of {first!r} and {name!r} hold different verdicts "
                f"({one.data.n_rows} and {other.data.n_rows} rows); build both from the same data."
            )
    return one.data


def _same_rows(one: Design, other: Design) -> bool:
    names = ("items", "judges", "prompts")
    rows = ("first", "second", "verdict", "judge", "prompt", "order_known")
    same = one.data is other.data or (
        all(getattr(one.data, name) == getattr(other.data, name) for name in names)
        and all(np.array_equal(getattr(one.data, row), getattr(other.data, row)) for row in rows)
    )
    return same and np.array_equal(one.weight, other.weight)


def held_out_posterior(
    programs: Mapping[str, Contender],
    folds: IntArray,
    *,
    settings: SamplerSettings = DEFAULT,
    seed: int,
) -> HeldOut:
    """Predict the verdicts of each fold by the posterior given the other folds.

    Parameters
    ----------
    programs : mapping of str to (program, Design)
        The models to compare, by name, for example ``bj.models.sensitivity_pooled``; all designs
        hold the same verdicts.
    folds : ndarray of int, shape (n_rows,)
        The fold of each row, from `prompt_folds`.
    settings : SamplerSettings
        How chains are run, from ``bayesjudge.engine.chains``.
    seed : int
        Same seed, same draws, whichever other models are compared.

    Returns
    -------
    HeldOut
        Posterior predictive means by model: the probability of a row averaged over draws.

    Raises
    ------
    NotConvergedError
        If the chains of a fold do not agree.
    SamplerSettingError
        If the seed is not a whole number, or the settings are not SamplerSettings.
    InvalidFoldsError, MismatchedRowsError, NotMappingError, NotDesignError, EmptyComparisonsError
        As for `held_out`.

    Notes
    -----
    The sampler is compiled once for each program, since folds differ only in their counts.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> programs = {"BT": (bj.models.bradley_terry_pooled, bj.design(data, terms=()))}
    >>> folds = bj.studies.prompt_folds(data, 2, seed=1)
    >>> predictions = bj.studies.held_out_posterior(programs, folds, seed=1)
    >>> round(predictions.log_loss["BT"], 2)
    0.64
    """
    wanted(SamplerSettings, settings, SamplerSettingError, NOT_SETTINGS)
    fold_of_prompt(shared_data(programs), folds)
    numbers = np.unique(folds)
    seeds = np.random.SeedSequence(demand_seed(seed)).generate_state(len(numbers))
    by_fold = dict(zip(numbers.tolist(), seeds.tolist(), strict=True))
    predict = partial(_predict_by_draws, by_fold, settings)
    return out_of_fold(programs, folds, predict, "posterior means")


def _predict_by_draws(
    seeds: Mapping[int, int], settings: SamplerSettings, model: Model, training: Design, fold: int
) -> FloatArray:
    fit = nuts(model, training, seed=seeds[fold], progress=False, **asdict(settings))
    phi = np.asarray(fit["unconstrained_posterior"].to_dataset()["phi"])
    return _predictive_mean(program(model, training.layout), training, phi)


@in_float64
def _predictive_mean(target: Program, training: Design, phi: FloatArray) -> FloatArray:
    flat = phi.reshape(-1, phi.shape[-1])
    cell = np.asarray(_mean_over_draws(target)(flat, (training.layout,)))
    return cell[training.cell_of_row]


@lru_cache(maxsize=64)
def _mean_over_draws(target: Program) -> Callable[..., jax.Array]:
    """Average each cell's probability one draw at a time: all draws at once would fill memory."""

    def win(phi: jax.Array, data: Any) -> jax.Array:  # noqa: ANN401
        (outcome,) = target.outcome_probs(phi, data).values()
        return half_wins(outcome)

    def mean(draws: jax.Array, data: Any) -> jax.Array:  # noqa: ANN401
        start = jnp.zeros_like(win(draws[0], data))
        total, _ = jax.lax.scan(lambda sum_, phi: (sum_ + win(phi, data), None), start, draws)
        return total / draws.shape[0]

    return jax.jit(mean)
