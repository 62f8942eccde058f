"""A small network as a basis of judges' bias, where it is not linear in the answers' features."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from bayesjudge.anchor.two_step import two_step
from bayesjudge.core.arguments import demand_seed, demand_squares, real_numbers
from bayesjudge.core.arrays import Array, FloatArray, IntArray
from bayesjudge.core.wording import row_listing
from bayesjudge.data.comparisons import SECOND, Comparisons, demand_comparisons
from bayesjudge.designs.design import design
from bayesjudge.designs.features import demand_name, demand_named_arrays
from bayesjudge.designs.roster import all_historical, new_names
from bayesjudge.engine.precision import in_float64, one_blas_thread
from bayesjudge.errors import FeatureError, JudgeKindError
from bayesjudge.models.verdicts import softplus

ITERATIONS = 500
MOST_UNITS = 32
FUNCTION = "network_"  # names of the basis functions begin so
LEAST_VARIANCE = 1e-3  # of a function's contrast, where a unit of the network goes from -1 to 1


@dataclass(frozen=True, eq=False, repr=False)
class NeuralBasis:
    """Functions of an answer's features: the features themselves and units of a network.

    Attributes
    ----------
    names : tuple of str
        Names of the features.
    centre, spread : ndarray, shape (n_features,)
        What features are standardised with.
    inner : ndarray, shape (n_units, n_features)
        Weights of the standardised features.
    offset : ndarray, shape (n_units,)
        Where a unit switches.
    outer : ndarray, shape (n_units, n_functions)
        Mixes units to functions.
    line : ndarray, shape (n_features, n_functions)
        What of the functions the standardised features explain, and is taken off. Over history the
        functions' contrasts have mean square one and are uncorrelated with each other and with the
        features'; combinations of units that hardly vary are left out.
    """

    names: tuple[str, ...]
    centre: FloatArray
    spread: FloatArray
    inner: FloatArray
    offset: FloatArray
    outer: FloatArray
    line: FloatArray

    def __repr__(self) -> str:
        n_units, n_functions = self.outer.shape
        return f"NeuralBasis({', '.join(self.names)}; {n_functions} functions of {n_units} units)"

    def contrasts(self, answers: Mapping[str, ArrayLike]) -> dict[str, FloatArray]:
        """Return the basis functions of the first answer less those of the second.

        Parameters
        ----------
        answers : mapping of str to array, shape (n_rows, 2)
            The features of `names`, of the answer shown first and of the other, row by row.

        Returns
        -------
        dict of str to ndarray, shape (n_rows,)
            For `bayesjudge.new_items.features`: the features by their names, in their units, then
            ``network_1`` and so on.

        Raises
        ------
        FeatureError
            If features are missing, not two finite numbers a row, or of different lengths.
        NotMappingError
            If `answers` is no mapping.
        """
        demand_named_arrays("answers", answers)
        values = _stacked({name: answers.get(name) for name in self.names})
        linear = dict(zip(self.names, _contrasts(values).T, strict=True))
        standard = (values - self.centre) / self.spread
        units = _unit_contrasts(standard, self.inner, self.offset)
        bent = units @ self.outer - _contrasts(standard) @ self.line
        return linear | {f"{FUNCTION}{k}": column for k, column in enumerate(bent.T, 1)}


@one_blas_thread
def neural_basis(
    judges: Comparisons,
    humans: Comparisons,
    answers: Mapping[str, ArrayLike],
    *,
    units: int = 4,
    new: Sequence[str] | None = None,
    seed: int = 0,
) -> NeuralBasis:
    """Learn a basis in which judges' bias is nearly linear, from verdicts on historical items.

    Each judge's bias is a weighted sum of features and of units tanh(w'x + b) that all judges
    share, over which weights are standard normal. What is learned is the units; every judge's
    weights, sensitivity and their uncertainty are left to the fit that uses the basis.

    Parameters
    ----------
    judges, humans : Comparisons
        Verdicts of judges and votes of people.
    answers : mapping of str to array, shape (n_rows, 2)
        Features of the answer shown first and of the other, for each verdict of `judges`.
    units : int
        Width of the network.
    new : sequence of str, optional
        Items whose verdicts are not learned from; by default those without votes.
    seed : int
        Where the network starts; same seed, same basis.

    Returns
    -------
    NeuralBasis
        Its ``contrasts`` go to `bayesjudge.new_items.features`, for history and for later arrivals.

    Raises
    ------
    FeatureError
        If features do not fit the verdicts, are constant over history or have names that
        `bayesjudge.new_items.features` does not take, or the width is no small whole number.
    JudgeKindError, NewItemError, NotMappingError, NotComparisonsError
        If judges and votes stand in each other's place, `new` is no list of items, or `answers` or
        verdicts are something else.
    NoFiniteMaximumError
        If the two-step estimate that the scores come from has no finite value.

    Notes
    -----
    ANCHOR Section 3 with the network of Supplementary A.5 as a sieve: with units held, the class is
    linear, and `bayesjudge.new_items.orthogonal` is its efficient one-step estimate. The units are
    learned from verdicts that are then used again: keep them few, and cross-fit.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> lengths = np.log(np.column_stack([judges.length_first, judges.length_second]))
    >>> basis = bj.new_items.neural_basis(judges, votes, {"log_length": lengths}, units=2)
    >>> list(basis.contrasts({"log_length": lengths}))[0]
    'log_length'
    """
    judges, humans = demand_comparisons(judges), demand_comparisons(humans)
    _demand_kinds(judges, humans)
    _demand_names(answers)
    values = _stacked(answers)
    if len(values) != judges.n_rows:
        raise FeatureError(
            f"The features have {len(values)} rows and there are {judges.n_rows} verdicts; give "
            "two numbers for each verdict."
        )
    if isinstance(units, bool) or not isinstance(units, Integral) or not 1 <= units <= MOST_UNITS:
        raise FeatureError(f"units is {units!r}; give a whole number from 1 to {MOST_UNITS}.")
    history = _history(judges, humans, values, new)
    _demand_variation(history, tuple(answers))
    centre, spread = _moments(history)
    history = history._replace(answers=(history.answers - centre) / spread)
    network = _fitted(history, int(units), demand_seed(seed))
    outer, line = _functions(history, network)
    return NeuralBasis(tuple(answers), centre, spread, network.inner, network.offset, outer, line)


def _demand_kinds(judges: Comparisons, humans: Comparisons) -> None:
    if judges.human.any() or not humans.human.all():
        raise JudgeKindError(
            "A basis is learned from verdicts of judges and votes of people, and judges= holds "
            "people or humans= holds judges; give judges' verdicts first, then the votes, which "
            'bj.read(..., kind="human") reads.'
        )


def _demand_names(answers: Mapping[str, ArrayLike]) -> None:
    demand_named_arrays("answers", answers)
    for name in answers:
        demand_name(name)
        if name.startswith(FUNCTION):
            raise FeatureError(
                f"A feature is named {name!r}, as the functions of the basis are; give it a name "
                f"that does not begin with {FUNCTION!r}."
            )


def _stacked(answers: Mapping[str, ArrayLike | None]) -> FloatArray:
    """Return features as an array, shape (n_rows, 2, n_features)."""
    columns = [_two_sided(name, values) for name, values in answers.items()]
    if not columns or len({len(column) for column in columns}) != 1:
        raise FeatureError(
            "Features of answers are missing or of different lengths; give at least one, each with "
            "two numbers for each verdict."
        )
    return np.stack(columns, axis=-1)


def _two_sided(name: str, values: ArrayLike | None) -> FloatArray:
    """Return a feature of both answers, shape (n_rows, 2)."""
    if values is None:
        raise FeatureError(f"The feature {name!r} of the basis is missing; give it too.")
    numbers = real_numbers(values)
    if numbers is None or numbers.ndim != 2 or numbers.shape[1] != 2:
        raise FeatureError(
            f"The feature {name!r} must hold two finite numbers for each verdict, of the answer "
            "shown first and of the other; stack them as columns."
        )
    wrong = ~np.isfinite(numbers).all(axis=1)
    if wrong.any():
        raise FeatureError(
            f"The feature {name!r} must hold two finite numbers for each verdict and does not in "
            f"{row_listing(wrong)}; leave those verdicts out."
        )
    demand_squares(name, numbers)
    return numbers


class _History(NamedTuple):
    """Verdicts on historical items: judge, score gap, features, share won, weight."""

    judge: IntArray
    gap: FloatArray
    answers: FloatArray
    won: FloatArray
    weight: FloatArray


def _history(
    judges: Comparisons, humans: Comparisons, answers: FloatArray, new: Sequence[str] | None
) -> _History:
    named = () if new is None else new_names(new, sorted({*judges.items, *humans.items}))
    known = ~np.isin(humans.items, named)
    votes = humans.select(known[humans.first] & known[humans.second])
    voted = np.isin(judges.items, votes.items)
    old = voted[judges.first] & voted[judges.second]
    verdicts = judges.select(old)
    won = 1.0 - verdicts.verdict / SECOND
    gap = _score_gaps(verdicts, votes)
    return _History(verdicts.judge, gap, answers[old], won, verdicts.weight)


def _score_gaps(verdicts: Comparisons, votes: Comparisons) -> FloatArray:
    """Return the two-step score of the first item less that of the second, (n_rows,)."""
    items = tuple(sorted({*verdicts.items, *votes.items}))
    designs = (design(verdicts, (), items=items), design(votes, (), items=items))
    score = two_step(designs, all_historical(len(items))).score
    own = score[[items.index(name) for name in verdicts.items]]
    return np.asarray(own[verdicts.first] - own[verdicts.second])


def _demand_variation(history: _History, names: tuple[str, ...]) -> None:
    same = np.ptp(history.answers, axis=(0, 1)) == 0
    if same.any():
        raise FeatureError(
            f"The feature {names[int(same.argmax())]!r} is the same in all answers on historical "
            "items, so that nothing can be learned about it; leave it out."
        )


def _moments(history: _History) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation of the historical answers' features."""
    mean = np.average(history.answers.mean(axis=1), axis=0, weights=history.weight)
    square = ((history.answers - mean) ** 2).mean(axis=1)
    variance = np.average(square, axis=0, weights=history.weight)
    return mean, np.where(variance > 0, np.sqrt(variance), 1.0)


class _Network(NamedTuple):
    """Weights of a network shared by judges, and each judge's own."""

    inner: Array
    offset: Array
    linear: Array
    outer: Array
    slope: Array


@in_float64
def _fitted(history: _History, units: int, seed: int) -> _Network:
    """Return the network of the largest posterior density, from a random start."""
    n_features, n_judges = history.answers.shape[2], int(history.judge.max()) + 1
    rng = np.random.default_rng(seed)
    start = _Network(
        rng.normal(size=(units, n_features)),
        rng.normal(size=units),
        np.zeros((n_judges, n_features)),
        np.zeros((n_judges, units)),
        np.ones(n_judges),
    )
    flat, shaped = ravel_pytree(start)
    loss = jax.jit(jax.value_and_grad(lambda phi, data: _loss(shaped(phi), data)))

    def evaluate(phi: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = loss(phi, history)
        return float(value), np.asarray(gradient)

    end = minimize(
        evaluate, np.asarray(flat), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}
    )
    return _Network(*map(np.asarray, shaped(jnp.asarray(end.x))))


def _loss(network: _Network, history: _History) -> Array:
    """Negative log-density: verdicts, and standard normal weights but for the sensitivities."""
    linear, outer = network.linear[history.judge], network.outer[history.judge]
    units = jnp.tanh(history.answers @ network.inner.T + network.offset)
    bias = (linear * _contrasts(history.answers)).sum(1) + (outer * _contrasts(units)).sum(1)
    log_odds = network.slope[history.judge] * history.gap + bias
    verdicts = history.weight * (softplus(log_odds) - history.won * log_odds)
    weights = ravel_pytree((network.inner, network.offset, network.linear, network.outer))[0]
    return verdicts.sum() + (weights**2).sum() / 2


def _functions(history: _History, network: _Network) -> tuple[FloatArray, FloatArray]:
    """Return `outer` and `line`: principal components of what features leave of the units."""
    units = _unit_contrasts(history.answers, network.inner, network.offset)
    linear, root = _contrasts(history.answers), np.sqrt(history.weight)[:, None]
    explained = np.linalg.lstsq(root * linear, root * units)[0]
    rest = root * (units - linear @ explained)
    variance, vectors = np.linalg.eigh(rest.T @ rest / history.weight.sum())
    kept = variance > LEAST_VARIANCE
    outer = (vectors[:, kept] / np.sqrt(variance[kept]))[:, ::-1]
    return outer, explained @ outer


def _unit_contrasts(answers: FloatArray, inner: FloatArray, offset: FloatArray) -> FloatArray:
    return _contrasts(np.tanh(answers @ inner.T + offset))


def _contrasts(values: Array) -> Array:
    """Return first less second: (n_rows, 2, n) -> (n_rows, n)."""
    return values[:, 0] - values[:, 1]
