"""Fits over the weight of the judges, from anchored to human-only, and the choice by GACV."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.dial.blocks import Anchored, Blocks, anchored, blocks, judges_alone
from bayesjudge.dial.candidates import Candidate, anchored_candidate, finite_candidate, human_only
from bayesjudge.dial.two_sample_covariance import Kernel, anchored_covariance, two_sample_covariance
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.engine.sites import Model
from bayesjudge.errors import NoAdmissibleFitError, UnknownFitError, WeightError
from bayesjudge.fits.covariance import Covariance
from bayesjudge.fits.mode import Mode

MULTIPLES = (0.01, 10.0)  # of n_l / n_h, the weight of the ordinary joint model


N_WEIGHTS = 7


@dataclass(frozen=True, eq=False, repr=False)
class WeightPath:
    """Fits over the judges' weight, from the anchored one down to humans alone.

    Attributes
    ----------
    blocks : Blocks
        Program and data.
    staged : Anchored
        The anchored fit's two stages.
    candidates : tuple of Candidate
        By descending weight; the first is the anchored fit, the last humans alone.
    """

    blocks: Blocks
    staged: Anchored
    candidates: tuple[Candidate, ...]

    @property
    def anchored(self) -> Candidate:
        """DIAL-Anc: judges first, humans calibrate."""
        return self.candidates[0]

    @property
    def human_only(self) -> Candidate:
        """Humans alone, without judges."""
        return self.candidates[-1]

    @cached_property
    def selected(self) -> Candidate:
        """DIAL-Ada: the admissible fit with the smallest GACV.

        Raises
        ------
        NoAdmissibleFitError
            If no fit passes the guards.
        """
        admissible = [each for each in self.candidates if each.fault is None]
        if not admissible:
            reasons = "; ".join(f"{each.weight:g}: {each.fault}" for each in self.candidates)
            raise NoAdmissibleFitError(
                f"No weight gives a fit that may be reported ({reasons}); collect more votes, give "
                "bj.structure(judges, rank=0), or sample models.calibrated_pooled, which has a "
                "prior."
            )
        return min(admissible, key=lambda each: each.gacv)

    def at(self, weight: float) -> Candidate:
        """Give the fit at a weight of the path.

        Parameters
        ----------
        weight : float
            One of the table's weights (infinite and zero too).

        Returns
        -------
        Candidate
            The nearest weight's, which must agree within a millionth.

        Raises
        ------
        WeightError
            For a weight that is not on the path.
        """
        if isinstance(weight, Real) and not isinstance(weight, bool):
            for each in self.candidates:
                if each.weight == weight or np.isclose(each.weight, weight, rtol=1e-6, atol=0.0):
                    return each
        there = ", ".join(f"{each.weight:.4g}" for each in self.candidates)
        raise WeightError(f"The path has no weight {weight!r}; it has {there}.")

    def joint_fit(self, weight: float) -> Mode:
        """Give the fit of judges and humans at a weight.

        Parameters
        ----------
        weight : float
            One of the path's, above zero.

        Returns
        -------
        Mode
            At an infinite weight the anchored estimate, with the joint model's Hessian.

        Raises
        ------
        WeightError
            For weight zero, where the judges have no part, or one that is not on the path.
        """
        found = self.at(weight)
        if found.weight == 0 or found.fit is None:
            raise WeightError(
                "At weight zero the judges have no part; choose another weight of the path."
            )
        return found.fit

    @one_blas_thread
    def covariance(
        self, weight: float | None = None, kernel: Kernel | Sequence[str] = "cell"
    ) -> Covariance:
        """Estimate the covariance at a fixed weight.

        Parameters
        ----------
        weight : float, optional
            One of the path's; by default the selected one, whose intervals are then
            post-selection.
        kernel : {"cell", "row", "prompt"} or sequence of str
            Which verdicts depend on each other; see `bayesjudge.two_sample_covariance`.

        Returns
        -------
        Covariance
            DIAL (D.8); at an infinite weight the two-stage limit with the judges' noise.

        Raises
        ------
        NoAdmissibleFitError
            If the fit may not be reported.
        UnknownClusterError
            For another kernel.
        """
        chosen = self.selected if weight is None else self.at(weight)
        fit = chosen.admissible()
        if np.isinf(chosen.weight):
            return anchored_covariance(self.blocks, self.staged, kernel)
        if chosen.weight == 0 and not isinstance(kernel, str):
            kernel = self._labels_of_votes(kernel)
        return two_sample_covariance(fit, kernel)

    def _labels_of_votes(self, labels: Sequence[str]) -> Sequence[str]:
        """Of one label for each verdict and vote, those of the votes."""
        judges, votes = (each.data.n_rows for each in self.blocks.designs)
        return labels[judges:] if len(labels) == judges + votes else labels

    def __repr__(self) -> str:
        refused = sum(each.fault is not None for each in self.candidates)
        told = f"{len(self.candidates)} weights, {refused} of them not to be reported"
        if refused == len(self.candidates):
            return f"WeightPath({told})"
        chosen = {0.0: "votes alone", np.inf: "anchored"}.get(
            self.selected.weight, f"{self.selected.weight:.4g}"
        )
        return f"WeightPath({told}; chosen: {chosen})"

    def table(self) -> pd.DataFrame:
        """Tabulate the path.

        Returns
        -------
        pandas.DataFrame
            One row a weight: ``multiple`` of the joint model's weight n_l / n_h, ``vote_loss`` and
            ``gacv`` (nats a vote), ``effective_parameters``, ``fault`` and ``selected``.
        """
        joint = self.blocks.n_judge_verdicts / self.blocks.n_human_votes
        rows = [
            {
                "weight": each.weight,
                "multiple": each.weight / joint,
                "vote_loss": each.human_loss,
                "effective_parameters": each.optimism,
                "gacv": each.gacv,
                "fault": each.fault or "",
                "selected": each.fault is None and each is self.selected,
            }
            for each in self.candidates
        ]
        return pd.DataFrame(rows)


@one_blas_thread
def weight_path(
    model: Model,
    judges: Comparisons | Design,
    humans: Comparisons | Design,
    *frames: Frame,
    weights: Sequence[float] | None = None,
) -> WeightPath:
    """Fit humans and judges over a range of weights, and choose by GACV (DIAL-Ada).

    Parameters
    ----------
    model : callable
        ``bj.models.calibrated`` or ``bj.models.calibrated_full``: the space of calibration.
    judges, humans : Comparisons or Design
        Verdicts of judges and votes of people; ties count as half wins.
    *frames : Frame
        ``bj.structure(judges, rank=...)`` for another rank than one.
    weights : sequence of float, optional
        Finite weights above zero; by default seven from 0.01 to 10 times n_l / n_h, the weight of
        the ordinary joint model. The anchored and the human-only fit are always there.

    Returns
    -------
    WeightPath
        With ``table()``, ``selected``, ``anchored``, ``human_only`` and ``covariance(...)``.

    Raises
    ------
    WeightError
        For weights that are not finite numbers above zero.
    UnknownProgramError
        For another program.

    Notes
    -----
    DIAL, Algorithms E.1 and E.2: the path starts at the anchored fit and follows descending
    weights, each fit starting from the last admissible one.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> path = bj.weight_path(bj.models.calibrated, bj.example_panel(), bj.example_votes())
    >>> path.selected.human_score.idxmax().item()
    'maple'
    """
    of = blocks(model, judges, humans, *frames)
    chosen = _demand_weights(weights, of)
    of, alone = judges_alone(of)
    staged = anchored(of, alone)
    first = anchored_candidate(of, staged)
    return WeightPath(of, staged, (first, *_descend(of, staged.phi, chosen), human_only(of)))


def default_weights(of: Blocks) -> tuple[float, ...]:
    """Give DIAL's weights: log-spaced multiples of the joint model's.

    Parameters
    ----------
    of : Blocks
        Judges and humans.

    Returns
    -------
    tuple of float
        Seven, descending, from 10 to 0.01 times n_l / n_h (E.3.2).
    """
    joint = of.n_judge_verdicts / of.n_human_votes
    low, high = np.log10(MULTIPLES)
    return tuple(joint * np.logspace(high, low, N_WEIGHTS))


def demand_path(path: object) -> WeightPath:
    """Check that something is a weight path.

    Parameters
    ----------
    path : object
        What a user gave.

    Returns
    -------
    WeightPath
        The same.

    Raises
    ------
    UnknownFitError
        If it is none.
    """
    if not isinstance(path, WeightPath):
        raise UnknownFitError(
            f"A weight path is wanted and this is of type {type(path).__name__}; give what "
            "bj.weight_path(...) returned."
        )
    return path


def _descend(of: Blocks, start: NDArray[np.float64], weights: tuple[float, ...]) -> list[Candidate]:
    found = []
    for weight in weights:
        candidate = finite_candidate(of, start, weight)
        found.append(candidate)
        if candidate.fault is None and candidate.fit is not None:
            of, start = replace(of, frames=candidate.fit.frames), candidate.fit.phi
    return found


def _demand_weights(weights: Sequence[float] | None, of: Blocks) -> tuple[float, ...]:
    if weights is None:
        return default_weights(of)
    given = list(weights) if isinstance(weights, Iterable) else [None]
    numbers = [each for each in given if isinstance(each, Real) and not isinstance(each, bool)]
    if len(numbers) < len(given) or not all(0 < float(each) < np.inf for each in numbers):
        raise WeightError(
            f"weights is {weights!r}; give finite numbers above zero (the anchored and "
            "the human-only fit are always on the path)."
        )
    return tuple(sorted({float(each) for each in numbers}, reverse=True))
