"""Choosing the rank of disagreement and the weight of the judges together, by GACV."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.structure import structure
from bayesjudge.dial.weight_path import WeightPath, weight_path
from bayesjudge.engine.sites import Model
from bayesjudge.errors import NoAdmissibleFitError, RankError


@dataclass(frozen=True, eq=False, repr=False)
class RankSelection:
    """Weight paths at several ranks.

    Attributes
    ----------
    paths : dict of int to WeightPath
        By rank.
    """

    paths: dict[int, WeightPath]

    @property
    def rank(self) -> int:
        """The rank whose best admissible fit has the smallest GACV."""
        gacv = {rank: path.selected.gacv for rank, path in self.paths.items() if path.admissible}
        if not gacv:
            raise NoAdmissibleFitError(
                "No rank and weight give a fit that may be reported; collect more votes."
            )
        return min(gacv, key=gacv.__getitem__)

    @property
    def selected(self) -> WeightPath:
        """The path at the chosen rank; its ``selected`` is the chosen fit."""
        return self.paths[self.rank]

    def table(self) -> pd.DataFrame:
        """Tabulate all paths, as ``WeightPath.table``, with the rank in front."""
        tables = [
            path.table().drop(columns="selected").assign(rank=rank)
            for rank, path in self.paths.items()
        ]
        table = pd.concat(tables, ignore_index=True)
        return table[["rank", *table.columns.drop("rank")]]

    def __repr__(self) -> str:
        ranks = ", ".join(map(str, self.paths))
        admissible = any(path.admissible for path in self.paths.values())
        return f"RankSelection(ranks {ranks}; selected: {self.rank if admissible else 'none'})"

    def _repr_html_(self) -> str:
        return str(self.table().to_html(index=False, float_format="{:.4g}".format))


def select_rank(
    model: Model,
    judges: Comparisons | Design,
    humans: Comparisons | Design,
    ranks: Sequence[int],
    *,
    weights: Sequence[float] | None = None,
) -> RankSelection:
    """Fit the weight path at several ranks and choose rank and weight together.

    Parameters
    ----------
    model : callable
        ``bj.models.calibrated`` or ``bj.models.calibrated_full``.
    judges, humans : Comparisons or Design
        Verdicts and votes.
    ranks : sequence of int
        Numbers of directions of disagreement; zero is allowed.
    weights : sequence of float, optional
        As for `bayesjudge.calibration.weight_path`.

    Returns
    -------
    RankSelection
        With ``rank``, ``selected`` and ``table()``.

    Raises
    ------
    RankError
        If there is no rank, or one that the panel does not allow.
    UnidentifiedError
        If the votes do not identify the space at one of the ranks, which the message names.

    Notes
    -----
    DIAL E.3.1; every rank is refitted.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> select_rank(bj.models.calibrated, judges, votes, [0, 1], weights=[10.0]).rank
    0
    """
    if not isinstance(ranks, Iterable):
        raise RankError(f"ranks is {ranks!r}; give a list of ranks, such as [0, 1, 2].")
    paths = {
        rank: weight_path(
            model, judges, humans, structure(judges, humans, rank=rank), weights=weights
        )
        for rank in ranks
    }
    if not paths:
        raise RankError("ranks is empty; give at least one rank, such as [0, 1, 2].")
    return RankSelection(paths)
