"""How well posteriors predict verdicts on prompts they have not seen."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from bayesjudge.data.arrays import FloatArray, IntArray
from bayesjudge.data.design import Design
from bayesjudge.errors import SamplerSettingError
from bayesjudge.inference.nuts import nuts
from bayesjudge.inference.precision import in_float64
from bayesjudge.inference.program import Program, program
from bayesjudge.inference.settings import SamplerSettings, demand_seed
from bayesjudge.inference.sites import Model
from bayesjudge.studies.contenders import Contender
from bayesjudge.studies.folds import fold_of_prompt
from bayesjudge.studies.held_out import out_of_fold, shared_data
from bayesjudge.studies.prediction_loss import HeldOut

DEFAULT = SamplerSettings()


def held_out_posterior(
    programs: Mapping[str, Contender],
    folds: IntArray,
    *,
    seed: int,
    settings: SamplerSettings = DEFAULT,
) -> HeldOut:
    """Predict the verdicts of each fold by the posterior given the other folds.

    Parameters
    ----------
    programs : mapping of str to (program, Design)
        What is compared, by name, for example ``bj.models.sensitivity_pooled``; all designs hold
        the same verdicts.
    folds : ndarray of int, shape (n_rows,)
        The fold of each row, as `prompt_folds` gives it.
    seed : int
        Same seed, same draws, whichever other models are compared.
    settings : SamplerSettings
        How chains are run, from ``bayesjudge.inference.settings``.

    Returns
    -------
    HeldOut
        Posterior predictive means by model: the probability of a row averaged over draws.

    Raises
    ------
    NotConvergedError
        If chains of a fold do not agree.
    SamplerSettingError
        If the seed is no whole number, or the settings are none.
    InvalidFoldsError, MismatchedRowsError, NotMappingError, NotDesignError
        As for `held_out`.

    Notes
    -----
    The sampler is compiled once a program: folds differ in their counts alone.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.studies.folds import prompt_folds
    >>> data = bj.example_panel()
    >>> programs = {"BT": (bj.models.bradley_terry_pooled, bj.design(data, terms=()))}
    >>> found = held_out_posterior(programs, prompt_folds(data, 2, seed=1), seed=1)
    >>> round(found.log_loss["BT"], 2)
    0.64
    """
    _demand_settings(settings)
    fold_of_prompt(shared_data(programs), folds)
    seeds = np.random.SeedSequence(demand_seed(seed)).generate_state(len(np.unique(folds)))
    by_fold = {int(fold): int(each) for fold, each in zip(np.unique(folds), seeds, strict=True)}
    predict = partial(_predict_by_draws, by_fold, settings)
    return out_of_fold(programs, folds, predict, "posterior means")


def _demand_settings(settings: object) -> None:
    if not isinstance(settings, SamplerSettings):
        raise SamplerSettingError(
            f"settings is of type {type(settings).__name__}; give SamplerSettings(...) of "
            "bayesjudge.inference.settings, such as SamplerSettings(draws=500)."
        )


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
        return outcome[:, 0] + 0.5 * outcome[:, 1]

    def mean(draws: jax.Array, data: Any) -> jax.Array:  # noqa: ANN401
        start = jnp.zeros_like(win(draws[0], data))
        total, _ = jax.lax.scan(lambda sum_, phi: (sum_ + win(phi, data), None), start, draws)
        return total / draws.shape[0]

    return jax.jit(mean)
