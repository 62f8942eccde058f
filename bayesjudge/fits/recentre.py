"""Moving the base point of a low-rank chart to a fit, so that the fit does not depend on it.

A chart reaches nearly every structure, but where a fit lies far from the base point its coordinates
are large and its Hessian is badly scaled, so that an optimiser stalls and a regular optimum looks
singular. About the fit itself the same optimum has small coordinates.
"""

from dataclasses import replace

import numpy as np

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.frames import Frame, Structure
from bayesjudge.designs.structure import canonical_structure
from bayesjudge.engine.point import Point
from bayesjudge.models.about import about

NEAR = 0.5  # tangent of an angle: what lies nearer to the base point needs no other
ROUNDS = 10


def is_far(point: Point) -> bool:
    """Whether a structure lies so far from its base point that the chart matters."""
    directions = point.coordinates(about(point.program.model).directions)
    return bool(np.abs(directions).max(initial=0.0) > NEAR)


def recentred(point: Point) -> Point:
    """Return the same scores, in a chart whose base point they are."""
    judge_score = point.values["judge_score"]
    score = judge_score @ helmert_basis(judge_score.shape[1])
    position = point.coordinates("position_coordinates")
    frames = tuple(
        canonical_structure(score, position, frame.rank) if isinstance(frame, Structure) else frame
        for frame in point.frames
    )
    moved = replace(point, frames=frames, phi=_base_point(point, frames))
    calibration = about(point.program.model).calibration
    return _calibrated(moved, calibration, point.values["human_score"]) if calibration else moved


def _base_point(point: Point, frames: tuple[Frame, ...]) -> FloatArray:
    """Return the flat vector at the base point of the frames, other coordinates kept."""
    sites = point.program.sites
    starts = {name: value for frame in frames for name, value in frame.starts().items()}
    starts |= {str(about(point.program.model).directions): np.zeros(())}
    phi = point.phi.copy()
    for name in starts.keys() & sites.slices.keys():
        phi[sites.slices[name]] = np.ravel(starts[name])
    return phi


def _calibrated(point: Point, calibration: str, score: FloatArray) -> Point:
    """Solve for the calibration that gives a human score, which is linear in it."""
    place = point.program.sites.slices[calibration]
    unit_scores = []
    for unit in np.eye(place.stop - place.start):
        phi = point.phi.copy()
        phi[place] = unit
        unit_scores.append(replace(point, phi=phi).values["human_score"])
    phi = point.phi.copy()
    phi[place] = np.linalg.lstsq(np.column_stack(unit_scores), score)[0]
    return replace(point, phi=phi)
