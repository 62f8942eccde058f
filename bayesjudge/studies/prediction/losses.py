"""Out-of-fold predictions of verdicts, and their log losses."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.errors import UnknownModelError
from bayesjudge.report.table import Table
from bayesjudge.report.units import whole_numbers

SMALLEST = 1e-15  # predictions are clipped to [SMALLEST, 1 - SMALLEST] (OSCAR, Appendix E.2)
NATS = "nats a verdict"


def log_loss(probability: FloatArray, verdict: IntArray) -> FloatArray:
    """Return the log loss of predicted wins (n,), a tie counting as half a win."""
    clipped = np.clip(probability, SMALLEST, 1 - SMALLEST)
    share = 1 - verdict / 2
    return -share * np.log(clipped) - (1 - share) * np.log1p(-clipped)


def demand_model(model: object, models: tuple[str, ...]) -> None:
    """Raise unless a model is one of those compared."""
    if not isinstance(model, str) or model not in models:
        raise UnknownModelError(
            f"There is no model {model!r} in this comparison; choose from {', '.join(models)}."
        )


def demand_pairs(pairs: tuple[object, ...]) -> None:
    """Raise unless models to be compared are named two by two."""
    for pair in pairs:
        whole = isinstance(pair, tuple | list) and len(pair) == 2
        if not whole or not all(isinstance(name, str) for name in pair):  # type: ignore[attr-defined]
            raise UnknownModelError(
                f"{pair!r} is not a pair of models; give pairs of names, as in "
                'difference_table(("J", "J+P")).'
            )


@dataclass(frozen=True, eq=False, repr=False)
class HeldOut:
    """Out-of-fold predictions of several models for the same verdicts.

    Attributes
    ----------
    data : Comparisons
        The verdicts.
    folds : ndarray of int, shape (n_rows,)
        The fold of each row, which is predicted by a fit to the other folds.
    weight : ndarray, shape (n_rows,)
        How often each row is counted.
    probability : mapping of str to ndarray, shape (n_rows,)
        By model, the tie-adjusted probability that the item shown first wins.
    method : str
        How predictions were made, for captions, such as "modes".
    """

    data: Comparisons
    folds: IntArray
    weight: FloatArray
    probability: Mapping[str, FloatArray]
    method: str

    def __repr__(self) -> str:
        losses = ", ".join(f"{name} {loss:.3f}" for name, loss in self.log_loss.items())
        return f"HeldOut({counted(self._n_folds, 'fold')}, log loss {losses})"

    def _repr_html_(self) -> str | None:
        return self.table()._repr_html_()

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order given."""
        return tuple(self.probability)

    @cached_property
    def losses(self) -> dict[str, FloatArray]:
        """Loss of each row in nats, shape (n_rows,), by model."""
        return {name: log_loss(p, self.data.verdict) for name, p in self.probability.items()}

    @cached_property
    def log_loss(self) -> dict[str, float]:
        """Pooled mean log loss by model, in nats a verdict (OSCAR eq. E2)."""
        return {name: self._mean(loss) for name, loss in self.losses.items()}

    @cached_property
    def prompt_sums(self) -> dict[str, FloatArray]:
        """Weighted sum of losses over each prompt, shape (n_prompts,), by model."""
        return {name: self._sums(loss) for name, loss in self.losses.items()}

    def standard_error(self, model: str) -> float:
        """Return the standard error of a model's log loss, clustered by prompt.

        Parameters
        ----------
        model : str
            Its name.

        Returns
        -------
        float
            In nats a verdict: the root of the summed squares of the prompts' deviations from the
            mean, divided by the number of verdicts. It takes the fits as fixed; `refit_bootstrap`
            does not.

        Raises
        ------
        UnknownModelError
            If there is no such model.
        """
        return self._clustered(self._loss(model))

    def table(self) -> Table:
        """Tabulate the log loss of each model.

        Returns
        -------
        Table
            One row for each model: ``log_loss`` and ``standard_error`` in nats a verdict, and the
            numbers of ``verdicts`` and ``prompts``.
        """
        rows = [(name, self.log_loss[name], self.standard_error(name)) for name in self.models]
        frame = pd.DataFrame(rows, columns=["model", "log_loss", "standard_error"])
        return self._with_counts(frame)

    def difference_table(self, *pairs: tuple[str, str]) -> Table:
        """Tabulate paired differences of log loss.

        Parameters
        ----------
        *pairs : (str, str)
            Names of two models; a positive difference favours the second.

        Returns
        -------
        Table
            One row for each pair: ``difference`` and its ``standard_error`` in nats a verdict.

        Raises
        ------
        UnknownModelError
            If there is no model of a name, or a pair is not two names.
        """
        demand_pairs(pairs)
        gaps = [self._loss(first) - self._loss(second) for first, second in pairs]
        rows = [
            (*pair, self._mean(gap), self._clustered(gap))
            for pair, gap in zip(pairs, gaps, strict=True)
        ]
        names = ["first", "second", "difference", "standard_error"]
        return self._with_counts(pd.DataFrame(rows, columns=names))

    def _with_counts(self, frame: pd.DataFrame) -> Table:
        verdicts = whole_numbers(np.array([self.weight.sum()]))[0]
        prompts = np.unique(self.data.prompt[self.weight > 0])
        units = f"{NATS}, errors clustered by prompt"
        return Table(
            frame.assign(verdicts=verdicts, prompts=len(prompts)),
            caption=f"Held-out prediction by {self.method} of the other {self._n_folds} folds.",
            units=dict.fromkeys(["log_loss", "difference", "standard_error"], units),
        )

    @property
    def _n_folds(self) -> int:
        return len(np.unique(self.folds))

    def _loss(self, model: str) -> FloatArray:
        demand_model(model, self.models)
        return self.losses[model]

    def _mean(self, loss: FloatArray) -> float:
        return float(np.average(loss, weights=self.weight))

    def _sums(self, loss: FloatArray) -> FloatArray:
        weights = self.weight * loss
        return np.bincount(self.data.prompt, weights=weights, minlength=self.data.n_prompts)

    def _clustered(self, loss: FloatArray) -> float:
        deviation = self._sums(loss - self._mean(loss))
        return float(np.sqrt((deviation**2).sum()) / self.weight.sum())
