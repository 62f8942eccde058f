"""A program at one point of its parameter space: quantities, scores and information there."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.prepare import program_data
from bayesjudge.engine.program import Data, Program
from bayesjudge.engine.scores import Scores
from bayesjudge.models.about import about


@dataclass(frozen=True, eq=False, repr=False)
class Point:
    """A program, its data, and a value of its flat vector.

    Attributes
    ----------
    program : Program
        The program, with the map from names to slices of `phi`.
    designs : tuple of Design
        The verdicts.
    frames : tuple of Frame
        What else the program reads.
    phi : ndarray, shape (size,)
        The flat vector.
    """

    program: Program
    designs: tuple[Design, ...]
    frames: tuple[Frame, ...]
    phi: FloatArray

    @property
    def layouts(self) -> Data:
        """The arrays that the program reads."""
        return program_data(self.designs, self.frames)

    def coordinates(self, name: str | None) -> FloatArray:
        """Return the coordinates of a free site, flattened; none where there is no such site."""
        return self.phi[self.program.sites.slices.get(name or "", slice(0))]

    @cached_property
    @in_float64
    def values(self) -> dict[str, FloatArray]:
        """The bare values of the named quantities, without the work of their derivatives."""
        values = self.program.compiled.values(self.phi, self.layouts)
        return {name: np.asarray(value) for name, value in values.items()}

    @property
    def leader(self) -> str:
        """The item with the highest score, or the first where there are no scores by item."""
        score = self.values.get(about(self.program.model).score, np.zeros(1))
        return self.designs[0].items[int(score.argmax())]

    @cached_property
    @in_float64
    def jacobians(self) -> dict[str, FloatArray]:
        """Derivatives of each quantity, its own shape and then (size,)."""
        jacobians = self.program.compiled.jacobians(self.phi, self.layouts)
        return {name: np.asarray(jacobian) for name, jacobian in jacobians.items()}

    def gradient(self, name: str) -> FloatArray:
        """Return the derivatives of a quantity's scalars, flattened, shape (n, size)."""
        return self.jacobians[name].reshape(-1, len(self.phi))

    @in_float64
    def log_odds(self, design: Design) -> FloatArray:
        """Return the log-odds that the item shown first wins, shape (n_cells,)."""
        logits = self.program.compiled.logits(self.phi, self.layouts)
        return np.asarray(logits[observed_site(design.layout)]).ravel()

    def outcome_probs(self, design: Design) -> FloatArray:
        """Return the probabilities of a win, tie and loss of one data set, shape (n_cells, 3)."""
        return self._probs[observed_site(design.layout)]

    @cached_property
    @in_float64
    def _probs(self) -> dict[str, FloatArray]:
        probs = self.program.compiled.outcome_probs(self.phi, self.layouts)
        return {name: np.asarray(value) for name, value in probs.items()}

    @in_float64
    def scores(self, design: Design) -> Scores:
        """Return the scores of the verdicts of one data set, whatever its power."""
        compiled, site = self.program.compiled, observed_site(design.layout)
        slope = compiled.slopes[site](self.phi, self.layouts)
        jacobian = compiled.predictor_jacobians[site](self.phi, self.layouts)
        return Scores(np.asarray(slope), np.asarray(jacobian))

    def expected_information(self, design: Design) -> FloatArray:
        """Return the expected information of one data set, whatever its power, (size, size)."""
        counts = np.asarray(design.layout.counts).reshape(-1, 3).sum(axis=1, keepdims=True)
        return self.scores(design).products(counts * self.outcome_probs(design))

    @cached_property
    def information(self) -> FloatArray:
        """The likelihood's expected information, shape (size, size) (OSCAR, Appendix B.3)."""
        return self._power_weighted(1)

    @property
    def score_variance(self) -> FloatArray:
        """Variance of the summed scores under the model: they vary with power squared."""
        return self._power_weighted(2)

    def _power_weighted(self, exponent: int) -> FloatArray:
        parts = [
            float(design.layout.power) ** exponent * self.expected_information(design)
            for design in self.designs
        ]
        return np.sum(parts, axis=0)
