"""ANCHOR: the human-scale score of items that no human has judged."""

from bayesjudge.anchor.cut_posterior import cut_posterior
from bayesjudge.anchor.history import History, fit_history, load_history
from bayesjudge.anchor.neural_basis import NeuralBasis, neural_basis
from bayesjudge.anchor.next_comparisons import next_comparisons
from bayesjudge.anchor.orthogonal import Orthogonal, orthogonal
from bayesjudge.anchor.place import place
from bayesjudge.anchor.placement import Placement, placement
from bayesjudge.anchor.rank_sets import RankSet, rank_set
from bayesjudge.designs.features import answer_contrasts, features
from bayesjudge.designs.roster import Roster, roster
from bayesjudge.diagnosis.new_item_findings import check, identify

__all__ = [
    "History",
    "NeuralBasis",
    "Orthogonal",
    "Placement",
    "RankSet",
    "Roster",
    "answer_contrasts",
    "check",
    "cut_posterior",
    "features",
    "fit_history",
    "identify",
    "load_history",
    "neural_basis",
    "next_comparisons",
    "orthogonal",
    "place",
    "placement",
    "rank_set",
    "roster",
]


def __dir__() -> list[str]:
    return __all__
