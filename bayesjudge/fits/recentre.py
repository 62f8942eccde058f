"""Laying the chart of a low-rank structure anew about a fit, so that the fit does not depend on it.

A chart reaches nearly every structure, but where a fit lies far from the base point its coordinates
are large and its Hessian is badly scaled, so that an optimiser stalls and a regular optimum looks
singular. About the fit itself the same optimum has small coordinates.
"""

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame, Structure
from bayesjudge.designs.structure import canonical_structure
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.prepare import program_data
from bayesjudge.engine.program import Program

CALIBRATION, DIRECTIONS = "calibration_coordinates", "direction_coordinates"


NEAR = 0.5  # tangent of an angle: what lies nearer to the base point needs no other


ROUNDS = 10


def is_far(target: Program, phi: FloatArray) -> bool:
    """Say whether a structure lies so far from its base point that the chart matters.

    Parameters
    ----------
    target : Program
        Any program.
    phi : ndarray, shape (size,)
        Its flat vector.

    Returns
    -------
    bool
        False for programs without a chart.
    """
    place = target.sites.slices.get(DIRECTIONS)
    return place is not None and bool(np.abs(phi[place]).max(initial=0.0) > NEAR)


@in_float64
def recentred(
    target: Program, designs: tuple[Design, ...], frames: tuple[Frame, ...], phi: FloatArray
) -> tuple[tuple[Frame, ...], FloatArray]:
    """Give frames whose base point is a given point, and that point in the new chart.

    Parameters
    ----------
    target : Program
        A program that reads a `Structure`.
    designs : tuple of Design
        The verdicts.
    frames : tuple of Frame
        The frames in which `phi` is a point.
    phi : ndarray, shape (size,)
        The point.

    Returns
    -------
    frames : tuple of Frame
        The structure is new.
    phi : ndarray, shape (size,)
        The same scores of judges and humans.
    """
    found = _values(target, designs, frames, phi)
    position = phi[target.sites.slices.get("position_coordinates", slice(0))]
    score = found["judge_score"] @ helmert_basis(found["judge_score"].shape[1])
    moved = tuple(
        canonical_structure(score, position, each.rank) if isinstance(each, Structure) else each
        for each in frames
    )
    there = _start(target, moved, phi)
    if CALIBRATION in target.sites.slices:
        there = _calibrated(target, designs, moved, there, found["human_score"])
    return moved, there


def _start(target: Program, frames: tuple[Frame, ...], phi: FloatArray) -> FloatArray:
    there, slices = phi.copy(), target.sites.slices
    there[slices.get(DIRECTIONS, slice(0))] = 0.0
    for frame in frames:
        for name, value in frame.starts().items():
            if name in slices:
                there[slices[name]] = np.ravel(value)
    return there


def _calibrated(
    target: Program,
    designs: tuple[Design, ...],
    frames: tuple[Frame, ...],
    phi: FloatArray,
    score: FloatArray,
) -> FloatArray:
    """Solve for the calibration that gives a human score, which is linear in it."""
    place = target.sites.slices[CALIBRATION]
    columns = []
    for unit in np.eye(place.stop - place.start):
        phi[place] = unit
        columns.append(_values(target, designs, frames, phi)["human_score"])
    phi[place] = np.linalg.lstsq(np.column_stack(columns), score)[0]
    return phi


def _values(
    target: Program, designs: tuple[Design, ...], frames: tuple[Frame, ...], phi: FloatArray
) -> dict[str, NDArray[np.float64]]:
    found = target.compiled.values(phi, program_data(designs, frames))
    return {name: np.asarray(value) for name, value in found.items()}
