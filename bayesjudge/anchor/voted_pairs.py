"""Votes by pair of historical items."""

from dataclasses import dataclass

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.logistic import logistic_information
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import flat_cells


@dataclass(frozen=True, eq=False)
class VotedPairs:
    """Votes by pair of historical items, from which the people's scale is estimated.

    Attributes
    ----------
    contrast : ndarray, shape (n, n_items)
        Plus one at the first item, minus one at the second.
    votes : ndarray, shape (n,)
        How many.
    """

    contrast: FloatArray
    votes: FloatArray

    def scale_information(self, score: FloatArray) -> float:
        """Return the information about a common factor of all scores; no judge can add to it."""
        gap = self.contrast @ score
        return float(logistic_information(gap[:, None], self.votes, gap)[0, 0])


def voted_pairs(humans: Design) -> VotedPairs:
    """Return the votes of a design by pair."""
    votes = flat_cells(humans)
    votes = votes.at(votes.total > 0)
    return VotedPairs(votes.pair_contrast, votes.total)
