"""Fits over the weight of the judges, from anchored to human-only, and the choice by GACV."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real

import numpy as np
import pandas as pd

from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.dial.blocks import Anchored, Blocks, read_blocks
from bayesjudge.dial.candidates import Candidate, anchored_candidate, finite_candidate, human_only
from bayesjudge.dial.two_sample_covariance import anchored_covariance, two_sample_covariance
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.engine.sites import Model
from bayesjudge.errors import NoAdmissibleFitError, UnknownFitError, WeightError
from bayesjudge.fits.covariance import Covariance
from bayesjudge.fits.meat import Cluster
from bayesjudge.fits.mode import Mode

MULTIPLES, N_WEIGHTS = (0.01, 10.0), 7  # of n_l / n_h, the ordinary joint model's weight
SAME_WEIGHT = 1e-6  # relative difference


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

    @property
    def admissible(self) -> list[Candidate]:
        """The fits that may be reported, by descending weight."""
        return [candidate for candidate in self.candidates if candidate.fault is None]

    @cached_property
    def selected(self) -> Candidate:
        """DIAL-Ada: the admissible fit with the smallest GACV.

        Raises
        ------
        NoAdmissibleFitError
            If no fit passes the guards.
        """
        if not self.admissible:
            reasons = "; ".join(f"{fit.weight:g}: {fit.fault}" for fit in self.candidates)
            raise NoAdmissibleFitError(
                f"No weight gives a fit that may be reported ({reasons}); collect more votes, give "
                "bj.calibration.structure(judges, rank=0), or sample models.calibrated_pooled, "
                "which has a prior."
            )
        return min(self.admissible, key=lambda candidate: candidate.gacv)

    def at(self, weight: float) -> Candidate:
        """Return the fit at a weight of the path.

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
            for candidate in self.candidates:
                if np.isclose(candidate.weight, weight, rtol=SAME_WEIGHT, atol=0.0):
                    return candidate
        weights = ", ".join(f"{candidate.weight:.7g}" for candidate in self.candidates)
        raise WeightError(f"The path has no weight {weight!r}; it has {weights}.")

    def joint_fit(self, weight: float) -> Mode:
        """Return the fit of judges and humans at a weight.

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
        candidate = self.at(weight)
        if candidate.weight == 0 or candidate.fit is None:
            raise WeightError(
                "At weight zero the judges have no part; choose another weight of the path."
            )
        return candidate.fit

    @one_blas_thread
    def covariance(
        self, weight: float | None = None, cluster: Cluster | Sequence[str] = "prompt"
    ) -> Covariance:
        """Estimate the covariance at a fixed weight.

        Parameters
        ----------
        weight : float, optional
            One of the path's; by default the selected one, whose intervals are then
            post-selection.
        cluster : {"prompt", "cell", "row"} or sequence of str
            Which verdicts depend on each other; see `bayesjudge.calibration.two_sample_covariance`.

        Returns
        -------
        Covariance
            DIAL (D.8); at an infinite weight the two-stage limit with the judges' noise.

        Raises
        ------
        NoAdmissibleFitError
            If the fit may not be reported.
        UnknownClusterError
            For other clusters.
        """
        chosen = self.selected if weight is None else self.at(weight)
        fit = chosen.admissible()
        if np.isinf(chosen.weight):
            return anchored_covariance(self.blocks, self.staged, fit, cluster)
        if chosen.weight == 0 and not isinstance(cluster, str):
            cluster = self._labels_of_votes(cluster)
        return two_sample_covariance(fit, cluster)

    def _labels_of_votes(self, labels: Sequence[str]) -> Sequence[str]:
        """Return the votes' labels, of one label for each verdict and vote."""
        judges, votes = (design.data.n_rows for design in self.blocks.designs)
        return labels[judges:] if len(labels) == judges + votes else labels

    def __repr__(self) -> str:
        number, refused = len(self.candidates), len(self.candidates) - len(self.admissible)
        if refused == number:
            return f"WeightPath({number} weights, none admissible)"
        admissible = f"{number - refused} of them" if refused else "all of them"
        names = {0.0: "votes alone", np.inf: "anchored"}
        selected = names.get(self.selected.weight, f"{self.selected.weight:.4g}")
        return f"WeightPath({number} weights, {admissible} admissible; selected: {selected})"

    def _repr_html_(self) -> str:
        return str(self.table().to_html(index=False, float_format="{:.4g}".format))

    def table(self) -> pd.DataFrame:
        """Tabulate the path.

        Returns
        -------
        pandas.DataFrame
            One row a weight: ``multiple`` of the joint model's weight n_l / n_h, ``vote_loss`` and
            ``gacv`` (nats a vote), ``effective_parameters``, ``fault`` and ``selected``.
        """
        rows = [
            {
                "weight": candidate.weight,
                "multiple": candidate.weight / self.blocks.joint_weight,
                "vote_loss": candidate.human_loss,
                "effective_parameters": candidate.optimism,
                "gacv": candidate.gacv,
                "fault": candidate.fault or "",
                "selected": candidate.fault is None and candidate is self.selected,
            }
            for candidate in self.candidates
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
        ``bj.calibration.structure(judges, rank=...)`` for another rank than one.
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
    UnidentifiedError
        If the votes do not identify the space, as with votes on one pair and two directions.

    Notes
    -----
    DIAL, Algorithms E.1 and E.2: the path starts at the anchored fit and follows descending
    weights, each fit starting from the last admissible one.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> path = bj.calibration.weight_path(
    ...     bj.models.calibrated, bj.example_panel(), bj.example_votes()
    ... )
    >>> path.selected.human_score.idxmax().item()
    'maple'
    """
    blocks = read_blocks(model, judges, humans, *frames)
    descending = _demand_weights(weights, blocks)
    blocks, staged = blocks.anchored()
    anchored, votes_alone = anchored_candidate(blocks, staged), human_only(blocks)
    finite = _descend(blocks, staged.phi, descending)
    return WeightPath(blocks, staged, (anchored, *finite, votes_alone))


def demand_path(path: object) -> WeightPath:
    """Return what is a weight path."""
    return wanted(
        WeightPath,
        path,
        UnknownFitError,
        "A weight path is wanted and this is of type {type}; give what "
        "bj.calibration.weight_path(...) returned.",
    )


def _descend(blocks: Blocks, start: FloatArray, weights: tuple[float, ...]) -> list[Candidate]:
    """Fit at descending weights, each from the last admissible fit (Algorithm E.2)."""
    candidates = []
    for weight in weights:
        candidate = finite_candidate(blocks, start, weight)
        candidates.append(candidate)
        if candidate.fault is None and candidate.fit is not None:
            blocks, start = replace(blocks, frames=candidate.fit.frames), candidate.fit.phi
    return candidates


def _demand_weights(weights: Sequence[float] | None, blocks: Blocks) -> tuple[float, ...]:
    """Return finite weights, descending; by default log-spaced about the joint model's (E.3.2)."""
    if weights is None:
        low, high = np.log10(MULTIPLES)
        return tuple(blocks.joint_weight * np.logspace(high, low, N_WEIGHTS))
    listed = list(weights) if isinstance(weights, Iterable) else [None]
    numbers = [w for w in listed if isinstance(w, Real) and not isinstance(w, bool)]
    if len(numbers) < len(listed) or not all(0 < float(number) < np.inf for number in numbers):
        raise WeightError(
            f"weights is {weights!r}; give finite numbers above zero (the anchored and "
            "the human-only fit are always on the path)."
        )
    return tuple(sorted({float(number) for number in numbers}, reverse=True))
