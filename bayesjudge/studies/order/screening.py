r"""Judges that a screen by sensitivity would leave out, under two models of the same verdicts.

Judges are ranked by :math:`\kappa_k = \gamma_k \operatorname{RMS}(s)`, the log-odds that a standard
deviation of scores moves them by (OSCAR Sections 3.2 and 6.4).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bayesjudge.core.arguments import demand_count, demand_mapping
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.designs.design import design
from bayesjudge.designs.terms import Term
from bayesjudge.errors import UnknownOptionError
from bayesjudge.fits.mode import mode
from bayesjudge.models import sensitivity
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of, whole_numbers

PLAIN_AND_POSITION: dict[str, tuple[Term, ...]] = {"J": (), "J+P": ("position",)}


@dataclass(frozen=True, eq=False, repr=False)
class Screening:
    """Sensitivities of judges under two models.

    Attributes
    ----------
    kappa : pandas.DataFrame
        Judges by models: log-odds per standard deviation of scores.
    bottom : int
        How many judges the screen would leave out.
    verdicts : pandas.Series
        Weighted number of verdicts by judge.
    """

    kappa: pd.DataFrame
    bottom: int
    verdicts: pd.Series

    def __repr__(self) -> str:
        return f"Screening({self._caption()})"

    def _repr_html_(self) -> str | None:
        return self.table()._repr_html_()

    @property
    def ranks(self) -> pd.DataFrame:
        """Ranks by sensitivity, the most sensitive first; equal judges share a mean rank."""
        return self.kappa.rank(ascending=False)

    @property
    def left_out(self) -> dict[str, frozenset[str]]:
        """The least sensitive judges by model (the first by name among equals)."""
        least = {name: value.nsmallest(self.bottom) for name, value in self.kappa.items()}
        return {str(name): frozenset(map(str, value.index)) for name, value in least.items()}

    @property
    def shared(self) -> frozenset[str]:
        """Judges that both models would leave out."""
        first, second = self.left_out.values()
        return first & second

    @property
    def rescued(self) -> frozenset[str]:
        """Judges that only the first model would leave out."""
        first, second = self.left_out.values()
        return first - second

    @property
    def added(self) -> frozenset[str]:
        """Judges that only the second model would leave out."""
        first, second = self.left_out.values()
        return second - first

    def table(self) -> Table:
        """Tabulate sensitivities, ranks, and which judges each model would leave out.

        Returns
        -------
        Table
            One row for each judge, the least sensitive under the first model first: ``kappa`` and
            ``rank`` by model, ``screen`` ("both", the name of the only model that leaves the judge
            out, or empty), ``verdicts``.
        """
        kappa = self.kappa.add_prefix("kappa ")
        frame = kappa.join(self.ranks.add_prefix("rank "))
        frame = frame.assign(screen=self._screen(), verdicts=self.verdicts)
        ordered = frame.sort_values(kappa.columns[0], kind="stable").reset_index(names="judge")
        units = dict.fromkeys(kappa.columns, unit_of("scaled_sensitivity"))
        return Table(ordered, caption=f"{self._caption()}.", units=units)

    def _caption(self) -> str:
        shared = f"{len(self.shared)} of the {self.bottom} least sensitive judges are shared"
        return f"Screens by {' and '.join(self.kappa.columns)}: {shared}"

    def _screen(self) -> pd.Series:
        first, second = self.kappa.columns
        screen = dict.fromkeys(self.rescued, first) | dict.fromkeys(self.added, second)
        screen |= dict.fromkeys(self.shared, "both")
        return pd.Series([screen.get(judge, "") for judge in self.kappa.index], self.kappa.index)


def screening(
    data: Comparisons,
    models: Mapping[str, Sequence[Term]] = PLAIN_AND_POSITION,
    *,
    bottom: int = 3,
    **layout: Any,  # noqa: ANN401
) -> Screening:
    """Rank judges by sensitivity under two models of the same verdicts.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    models : mapping of str to sequence of {"position", "length", "family"}
        Two names and their judge-specific terms; by default the paper's J and J+P.
    bottom : int
        How many judges a screen would leave out, at least one and fewer than there are.
    **layout
        Further arguments of `bayesjudge.design`: ``reference_judge``, ``families``.

    Returns
    -------
    Screening
        Sensitivities, ranks, and the judges left out; ``table()`` shows them by judge.

    Raises
    ------
    UnknownOptionError
        If there are not two models, or `bottom` is out of range.
    NotComparisonsError, NotMappingError
        If the verdicts have not been read, or the models are not given by name.

    Notes
    -----
    OSCAR Section 6.4. A low sensitivity under a model without position is no evidence against a
    judge: the omitted position effect attenuates it.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> screens = bj.studies.screening(bj.example_panel(), bottom=2)
    >>> sorted(screens.rescued), sorted(screens.added)
    (['judge-5'], ['judge-3'])
    >>> screens.table()[["judge", "kappa J", "kappa J+P", "screen"]].head(3)
    Screens by J and J+P: 1 of the 2 least sensitive judges are shared. kappa J, kappa J+P:
    log-odds per standard deviation of scores.
         judge  kappa J  kappa J+P screen
    0  judge-2    0.242      0.476   both
    1  judge-5    0.390      0.543      J
    2  judge-3    0.577      0.447    J+P
    """
    data = demand_comparisons(data)
    if len(demand_mapping("models", models, '{"J": (), "J+P": ("position",)}')) != 2:
        raise UnknownOptionError(f"models names {len(models)} models; give two to compare.")
    most, judges = data.n_judges - 1, counted(data.n_judges, "judge")
    advice = (
        f"give a whole number from 1 to {most}, so that a screen of {judges} keeps at least one"
    )
    demand_count("bottom", bottom, advice, UnknownOptionError, most=most)
    kappa = {name: _kappa(data, terms, layout) for name, terms in models.items()}
    verdicts = np.bincount(data.judge, weights=data.weight, minlength=data.n_judges)
    counts = pd.Series(whole_numbers(verdicts), index=list(data.judges))
    return Screening(pd.DataFrame(kappa), bottom, counts)


def _kappa(data: Comparisons, terms: Sequence[Term], layout: dict[str, Any]) -> pd.Series:
    fit = mode(sensitivity, design(data, terms, **layout))
    return fit.quantity("scaled_sensitivity").to_series()
