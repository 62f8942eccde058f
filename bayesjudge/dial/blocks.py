"""Judges' and humans' verdicts as two blocks of one likelihood, weighted against each other."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, tempered
from bayesjudge.designs.frames import Frame
from bayesjudge.engine.optimise import Evaluate, Optimum, derivatives, follow, minimise
from bayesjudge.engine.prepare import prepared_data, program_data, refuse_powers
from bayesjudge.engine.program import Data, Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.errors import EmptyComparisonsError, UnknownItemsError, UnknownProgramError
from bayesjudge.fits.mode import Mode
from bayesjudge.fits.recentre import CALIBRATION, ROUNDS, is_far, recentred


class Located(Protocol):
    """Something that lies at a flat vector."""

    @property
    def phi(self) -> NDArray[np.float64]:
        """The flat vector."""


T = TypeVar("T", bound=Located)


@dataclass(frozen=True, eq=False)
class Blocks:
    """A program of judges and humans, whose blocks can be weighted.

    Attributes
    ----------
    program : Program
        Such as ``models.calibrated``.
    designs : tuple of Design
        Judges' and humans' verdicts.
    frames : tuple of Frame
        What else the program reads.
    """

    program: Program
    designs: tuple[Design, ...]
    frames: tuple[Frame, ...]

    @cached_property
    def n_judge_verdicts(self) -> float:
        """DIAL's n_l, weighted."""
        return float(self.designs[0].weight.sum())

    @cached_property
    def n_human_votes(self) -> float:
        """DIAL's n_h, weighted."""
        return float(self.designs[1].weight.sum())

    @cached_property
    def calibration(self) -> NDArray[np.bool_]:
        """Coordinates that the human score alone has; shape (size,)."""
        chosen = np.zeros(self.program.sites.size, dtype=bool)
        chosen[self.program.sites.slices[CALIBRATION]] = True
        return chosen

    def power(self, weight: float) -> float:
        """Power of the judges' likelihood that DIAL's weight lambda means: lambda n_h / n_l."""
        return weight * self.n_human_votes / self.n_judge_verdicts

    def data(self, judge_power: float, human_power: float) -> Data:
        """Layouts with powers, and frames."""
        powers = (judge_power, human_power)
        layouts = [
            replace(each.layout, power=np.asarray(power))
            for each, power in zip(self.designs, powers, strict=True)
        ]
        return (*layouts, *self.frames)

    def loss(self, judge_power: float, human_power: float) -> Evaluate:
        """Give the weighted negative log-likelihood with its derivatives.

        Parameters
        ----------
        judge_power, human_power : float
            What each block's log-likelihood is multiplied with.

        Returns
        -------
        callable
            Value, gradient and Hessian at a flat vector.
        """
        return derivatives(self.program.compiled.loss, self.data(judge_power, human_power))

    def scale(self, weight: float) -> float:
        """Give what the joint loss at a weight is divided by, so that its size does not matter."""
        return self.n_human_votes * (1.0 + weight)

    def joint_fit(self, start: NDArray[np.float64], weight: float) -> Mode:
        """Maximise the joint likelihood at a weight, from a start that is close.

        Parameters
        ----------
        start : ndarray, shape (size,)
            The fit at a similar weight, or to similar votes.
        weight : float
            DIAL's lambda, finite and above zero.

        Returns
        -------
        Mode
            Not checked to be a maximum.
        """
        power, everything = self.power(weight), np.ones(len(start), dtype=bool)
        loss = restricted(self.loss(power, 1.0), start, everything, self.scale(weight))
        return self.fit_from(follow(loss, start).scaled(self.scale(weight)), power)

    def recentred(self, phi: NDArray[np.float64]) -> tuple["Blocks", NDArray[np.float64]]:
        """Give the same blocks with a chart about a point, and the point in it.

        Parameters
        ----------
        phi : ndarray, shape (size,)
            In the present chart.

        Returns
        -------
        blocks : Blocks
            With another base point.
        phi : ndarray, shape (size,)
            The same scores.
        """
        frames, there = recentred(self.program, self.designs, self.frames, phi)
        return replace(self, frames=frames), there

    def about_itself(
        self, phi: NDArray[np.float64], fit: Callable[["Blocks", NDArray[np.float64]], T]
    ) -> tuple["Blocks", T]:
        """Fit in a chart whose base point is near the fit, moving it as often as needed.

        Parameters
        ----------
        phi : ndarray, shape (size,)
            Where to start.
        fit : callable
            From blocks and a start to something with a flat vector ``phi``.

        Returns
        -------
        blocks : Blocks
            In the last chart.
        fit : object
            The last fit.
        """
        of, end = self, fit(self, phi)
        for _ in range(ROUNDS):
            if not is_far(of.program, end.phi):
                break
            of, there = of.recentred(end.phi)
            end = fit(of, there)
        return of, end

    def fit_at(self, phi: NDArray[np.float64], judge_power: float) -> Mode:
        """Give the joint fit at a flat vector, with the judges' likelihood to a power.

        Parameters
        ----------
        phi : ndarray, shape (size,)
            Where.
        judge_power : float
            Power of the judges' likelihood.

        Returns
        -------
        Mode
            Not checked to be a maximum.
        """
        end = Optimum(phi, *self.loss(judge_power, 1.0)(phi))
        return self.fit_from(end, judge_power)

    def fit_from(self, end: Optimum, judge_power: float) -> Mode:
        """Give the joint fit from where an optimisation of its loss ended.

        Parameters
        ----------
        end : Optimum
            Of ``loss(judge_power, 1.0)``, not scaled.
        judge_power : float
            Power of the judges' likelihood.

        Returns
        -------
        Mode
            Not checked to be a maximum.
        """
        judges = tempered(self.designs[0], judge_power)
        return Mode(
            self.program,
            (judges, self.designs[1]),
            self.frames,
            end.phi,
            False,
            end.value,
            end.gradient_norm,
            end.hessian,
        )


def blocks(
    model: Model, judges: Comparisons | Design, humans: Comparisons | Design, *frames: Frame
) -> Blocks:
    """Read a calibrated program and its two data sets.

    Parameters
    ----------
    model : callable
        Such as ``bj.models.calibrated``.
    judges, humans : Comparisons or Design
        Verdicts of judges and votes of people.
    *frames : Frame
        A structure of another rank than one.

    Returns
    -------
    Blocks
        The program, laid out.

    Raises
    ------
    UnknownProgramError
        If the program has no calibration to judges, or learns a scale.
    UnknownItemsError
        If people voted on items that no judge saw.
    WeightError
        If a design has a power: the path itself weighs judges against votes.
    EmptyComparisonsError
        If there is no more than one vote.
    """
    designs, found = prepared_data(model, judges, humans, *frames)
    target = program(model, *program_data(designs, found))
    learned = [site.name for site in target.sites.free if not site.is_real]
    if CALIBRATION not in target.sites.slices or len(designs) != 2 or learned:
        raise UnknownProgramError(
            f"{target.model.__name__} is no program of judges and humans with priors of fixed "
            "scale; use bj.models.calibrated or bj.models.calibrated_full."
        )
    _demand_judged(designs)
    _demand_whole_votes(designs)
    return Blocks(target, designs, found)


def _demand_judged(designs: tuple[Design, ...]) -> None:
    judges, votes = (each.data for each in designs)
    foreign = [name for name in votes.items if name not in judges.items]
    if foreign:
        raise UnknownItemsError(
            f"People voted on {listing(foreign, 3)}, of which no judge has a verdict; leave those "
            "votes out, or sample models.calibrated_pooled, where the prior stands in."
        )


def _demand_whole_votes(designs: tuple[Design, ...]) -> None:
    refuse_powers(designs, "A path, which itself weighs judges against votes,")
    votes = float(designs[1].weight.sum())
    if not votes > 1:
        raise EmptyComparisonsError(
            f"The votes count for {votes:g} in all, and the loss of a vote left out needs more "
            "than one; give more votes, with weights that are numbers of votes."
        )


def restricted(
    evaluate: Evaluate, phi: NDArray[np.float64], free: NDArray[np.bool_], scale: float
) -> Evaluate:
    """Restrict a function to some coordinates, the others kept, and scale it.

    Parameters
    ----------
    evaluate : callable
        Value, gradient and Hessian at a flat vector.
    phi : ndarray, shape (size,)
        Values of the coordinates that are kept.
    free : ndarray of bool, shape (size,)
        Coordinates that remain.
    scale : float
        What the function is divided by.

    Returns
    -------
    callable
        Of the remaining coordinates.
    """

    def inner(part: NDArray[np.float64]) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        full = phi.copy()
        full[free] = part
        value, gradient, hessian = evaluate(full)
        return value / scale, gradient[free] / scale, hessian[np.ix_(free, free)] / scale

    return inner


@dataclass(frozen=True, eq=False)
class Anchored:
    """The two stages of the anchored estimate, DIAL eq. (12).

    Attributes
    ----------
    phi : ndarray, shape (size,)
        Flat vector of the calibrated program.
    judges : Optimum
        Stage one: the judges' loss, by verdict, with derivatives in the structure's coordinates.
    calibration : Optimum
        Stage two: the humans' loss, by vote, in the calibration coordinates.
    """

    phi: NDArray[np.float64]
    judges: Optimum
    calibration: Optimum


def judges_alone(of: Blocks) -> tuple[Blocks, Optimum]:
    """Fit the judges by themselves, in a chart about their own fit.

    Parameters
    ----------
    of : Blocks
        Judges and humans, about any base point.

    Returns
    -------
    blocks : Blocks
        About the judges' fit.
    judges : Optimum
        Their loss by verdict, at the flat vector of the whole program; its gradient and Hessian are
        those of the structure's coordinates.
    """
    known = {name: value for frame in of.frames for name, value in frame.starts().items()}
    return of.about_itself(of.program.sites.flat(known), _judges)


def anchored(of: Blocks, judges: Optimum) -> Anchored:
    """Calibrate the judges' fit by the votes.

    Parameters
    ----------
    of : Blocks
        Judges and humans, in the chart of the fit.
    judges : Optimum
        What `judges_alone` gave.

    Returns
    -------
    Anchored
        Not checked.
    """
    calibration = calibrate(of, judges.phi)
    phi = judges.phi.copy()
    phi[of.calibration] = calibration.phi
    return Anchored(phi, judges, calibration)


def calibrate(of: Blocks, phi: NDArray[np.float64]) -> Optimum:
    """Fit the calibration coordinates to the humans, the structure kept.

    Parameters
    ----------
    of : Blocks
        Judges and humans.
    phi : ndarray, shape (size,)
        Where the structure is kept, and where calibration starts.

    Returns
    -------
    Optimum
        A convex problem, by vote.
    """
    loss = restricted(of.loss(0.0, 1.0), phi, of.calibration, of.n_human_votes)
    return follow(loss, phi[of.calibration])


def _judges(of: Blocks, start: NDArray[np.float64]) -> Optimum:
    free = ~of.calibration
    loss = restricted(of.loss(1.0, 0.0), start, free, of.n_judge_verdicts)
    end = minimise(loss, [start[free]])
    phi = start.copy()
    phi[free] = end.phi
    return replace(end, phi=phi)
