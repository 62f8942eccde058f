"""Judges' and humans' verdicts as two blocks of one likelihood, weighted against each other."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.wording import counted, listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame, Structure
from bayesjudge.designs.variants import tempered
from bayesjudge.engine.optimise import Evaluate, Optimum, derivatives, follow, minimise
from bayesjudge.engine.point import Point
from bayesjudge.engine.prepare import prepared_data, program_data, refuse_powers
from bayesjudge.engine.program import Data, Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.errors import (
    EmptyComparisonsError,
    UnidentifiedError,
    UnknownItemsError,
    UnknownProgramError,
)
from bayesjudge.fits.mode import Mode
from bayesjudge.fits.recentre import ROUNDS, is_far, recentred
from bayesjudge.models.about import about

FLAT = 1e-9  # smallest curvature, relative to the largest


@dataclass(frozen=True, eq=False)
class Anchored:
    """The two stages of the anchored estimate, DIAL eq. (12).

    Attributes
    ----------
    phi : ndarray, shape (size,)
        Flat vector of the calibrated program.
    judges : Optimum
        Stage one: the judges' mean loss, with derivatives in the structure's coordinates.
    calibration : Optimum
        Stage two: the votes' mean loss, in the calibration coordinates.
    """

    phi: FloatArray
    judges: Optimum
    calibration: Optimum


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

    @property
    def joint_weight(self) -> float:
        """DIAL's weight of the ordinary joint model, n_l / n_h."""
        return self.n_judge_verdicts / self.n_human_votes

    @property
    def rank(self) -> int:
        """Directions of disagreement among the judges."""
        return next(frame.rank for frame in self.frames if isinstance(frame, Structure))

    @cached_property
    def calibration(self) -> BoolArray:
        """Coordinates that the human score alone has; shape (size,)."""
        chosen = np.zeros(self.program.sites.size, dtype=bool)
        chosen[self.program.sites.slices[str(about(self.program.model).calibration)]] = True
        return chosen

    def data(self, judge_power: float, human_power: float) -> Data:
        """Return what the program reads, with each block's likelihood to a power."""
        powers = (judge_power, human_power)
        layouts = [
            replace(design.layout, power=np.asarray(power))
            for design, power in zip(self.designs, powers, strict=True)
        ]
        return (*layouts, *self.frames)

    def loss(self, judge_power: float, human_power: float) -> Evaluate:
        """Return the weighted negative log-likelihood with its derivatives."""
        return derivatives(self.program.compiled.loss, self.data(judge_power, human_power))

    def scale(self, weight: float) -> float:
        """Return what the joint loss at a weight is divided by, to make it free of scale."""
        return self.n_human_votes * (1.0 + weight)

    def anchored(self) -> tuple["Blocks", Anchored]:
        """Fit the judges, then the calibration to the votes (Algorithm E.1), in its own chart."""
        starts = {name: value for frame in self.frames for name, value in frame.starts().items()}
        blocks, judges = self.in_own_chart(self.program.sites.flat(starts), Blocks.judges_fit)
        _demand_identified(blocks, judges.phi)
        calibration = blocks.calibrated(judges.phi)
        phi = blocks._with_calibration(judges.phi, calibration)
        return blocks, Anchored(phi, judges, calibration)

    def judges_fit(self, start: FloatArray) -> Optimum:
        """Fit the structure to the judges alone, from a flat vector (size,)."""
        structure = ~self.calibration
        loss = restricted(averaged(self.loss(1.0, 0.0), self.n_judge_verdicts), start, structure)
        end = minimise(loss, [start[structure]])
        phi = start.copy()
        phi[structure] = end.phi
        return replace(end, phi=phi)

    def calibrated(self, phi: FloatArray) -> Optimum:
        """Fit the calibration to the votes, with the structure of a flat vector (size,)."""
        loss = averaged(self.loss(0.0, 1.0), self.n_human_votes)
        return follow(restricted(loss, phi, self.calibration), phi[self.calibration])

    def unfitted_information(self, phi: FloatArray) -> FloatArray:
        """Return a vote's mean information on the calibration where it is zero, (free, free)."""
        even = np.where(self.calibration, 0.0, phi)
        loss = averaged(self.loss(0.0, 1.0), self.n_human_votes)
        return restricted(loss, even, self.calibration)(even[self.calibration])[2]

    def informed_directions(self, phi: FloatArray) -> int:
        """Count the directions of calibration that the votes inform, whoever wins them."""
        information = self.unfitted_information(phi)
        if not np.isfinite(information).all():
            return len(information)  # no structure of finite size, which is the judges' fault
        return int((~is_flat(np.linalg.eigvalsh(information))).sum())

    def votes_identify(self, phi: FloatArray) -> bool:
        """Whether the votes inform the calibration in every direction."""
        return self.informed_directions(phi) == int(self.calibration.sum())

    def calibrated_fit(self, phi: FloatArray) -> Mode:
        """Return `calibrated` as a fit of the joint model."""
        return self.joint_model_at(self._with_calibration(phi, self.calibrated(phi)))

    def joint_fit(self, start: FloatArray, weight: float) -> Mode:
        """Fit judges and humans at a weight, from a flat vector (size,) close by."""
        power = weight * self.n_human_votes / self.n_judge_verdicts
        scale = self.scale(weight)
        end = follow(averaged(self.loss(power, 1.0), scale), start)
        return self._mode(end.scaled(scale), power)

    def joint_model_at(self, phi: FloatArray) -> Mode:
        """Return a flat vector (size,) with the joint model's derivatives, a maximum or not."""
        return self._mode(Optimum(phi, *self.loss(1.0, 1.0)(phi)), 1.0)

    def in_own_chart[Fit: (Mode, Optimum)](
        self, start: FloatArray, fit: Callable[["Blocks", FloatArray], Fit]
    ) -> tuple["Blocks", Fit]:
        """Fit in a chart whose base point is near the fit, moved as often as needed."""
        blocks, end = self, fit(self, start)
        for _ in range(ROUNDS):
            point = Point(self.program, self.designs, blocks.frames, end.phi)
            if not is_far(point):
                break
            moved = recentred(point)
            blocks = replace(self, frames=moved.frames)
            end = fit(blocks, moved.phi)
        return blocks, end

    def _with_calibration(self, phi: FloatArray, calibration: Optimum) -> FloatArray:
        calibrated = phi.copy()
        calibrated[self.calibration] = calibration.phi
        return calibrated

    def _mode(self, end: Optimum, judge_power: float) -> Mode:
        designs = (tempered(self.designs[0], judge_power), self.designs[1])
        ended = (end.phi, False, end.value, end.gradient_norm, end.hessian)
        return Mode(self.program, designs, self.frames, *ended)


def is_flat(curvature: FloatArray) -> BoolArray:
    """Mark the ascending curvatures that are nothing beside the largest."""
    return curvature <= FLAT * curvature[-1]


def averaged(evaluate: Evaluate, number: float) -> Evaluate:
    """Divide a function and its derivatives by a number."""

    def mean(phi: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        value, gradient, hessian = evaluate(phi)
        return value / number, gradient / number, hessian / number

    return mean


def restricted(evaluate: Evaluate, phi: FloatArray, free: BoolArray) -> Evaluate:
    """Restrict a function to its free coordinates (size,), the others kept as in phi (size,)."""

    def part(values: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        full = phi.copy()
        full[free] = values
        value, gradient, hessian = evaluate(full)
        return value, gradient[free], hessian[np.ix_(free, free)]

    return part


def read_blocks(
    model: Model, judges: Comparisons | Design, humans: Comparisons | Design, *frames: Frame
) -> Blocks:
    """Read a calibrated program and its two data sets."""
    designs, frames = prepared_data(model, judges, humans, *frames)
    target = program(model, *program_data(designs, frames))
    learned = [site.name for site in target.sites.free if not site.is_real]
    if about(model).calibration is None or len(designs) != 2 or learned:
        raise UnknownProgramError(
            f"{target.model.__name__} is no program of judges and humans with priors of fixed "
            "scale; use bj.models.calibrated or bj.models.calibrated_full."
        )
    _demand_judged(*designs)
    refuse_powers(designs, "A path, which itself weighs judges against votes,")
    _demand_votes(designs[1])
    return Blocks(target, designs, frames)


def _demand_judged(judges: Design, votes: Design) -> None:
    foreign = [name for name in votes.data.items if name not in judges.data.items]
    if foreign:
        raise UnknownItemsError(
            f"People voted on {listing(foreign, 3)}, of which no judge has a verdict; leave those "
            "votes out, or sample models.calibrated_pooled, where the prior stands in."
        )


def _demand_identified(blocks: Blocks, phi: FloatArray) -> None:
    """Raise where the votes do not identify the calibration in the structure of a flat vector."""
    if blocks.votes_identify(phi):
        return
    size, informed = int(blocks.calibration.sum()), blocks.informed_directions(phi)
    lower = ", or give a smaller space (models.calibrated, or a lower rank)" if size > 1 else ""
    raise UnidentifiedError(
        f"The votes do not identify the space of {blocks.program.model.__name__} at rank "
        f"{blocks.rank}: they inform {informed} of its {counted(size, 'direction')}; collect votes "
        f"on other pairs of items{lower}."
    )


def _demand_votes(votes: Design) -> None:
    total = float(votes.weight.sum())
    if not total > 1:
        raise EmptyComparisonsError(
            f"The votes count for {total:g} in all, and the loss of a vote left out needs more "
            "than one; give more votes, with weights that are numbers of votes."
        )
