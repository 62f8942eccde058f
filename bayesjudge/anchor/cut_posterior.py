"""A posterior in which verdicts on new items do not change what is known of the old ones."""

import json
from dataclasses import asdict, dataclass

import numpy as np
import xarray as xr
from scipy.interpolate import CubicSpline
from scipy.special import expit

from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.logistic import verdict_variance
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.flat_cells import flat_cells
from bayesjudge.designs.layouts import retained_mask
from bayesjudge.designs.roster import Roster, default_roster, demand_roster
from bayesjudge.designs.variants import reweighted
from bayesjudge.engine.chains import sampler_settings
from bayesjudge.engine.prepare import demand_kinds
from bayesjudge.errors import FeatureError, NewItemError
from bayesjudge.fits.estimate import META, read_meta
from bayesjudge.fits.nuts import nuts
from bayesjudge.fits.tree import count_arrays, data_arrays
from bayesjudge.models.new_item import judge_log_odds, new_item_pooled

REACH, COARSE, FINE = 7.0, 41, 1001  # grid of a conditional posterior: reach in deviations
NEWTON_STEPS, ARRIVED = 40, 1e-10  # of a conditional mode: steps, and where they may stop
AT_ONCE = 200  # draws in memory together


def cut_posterior(
    judges: Comparisons | Design,
    humans: Comparisons | Design,
    roster: Roster | None = None,
    *,
    seed: int,
    chains: int = 4,
    warmup: int = 500,
    draws: int = 1000,
    progress: bool = True,
    check: bool = True,
) -> xr.DataTree:
    """Sample the history's posterior, then each new score given it.

    In the joint posterior (``bj.nuts(bj.models.new_item_pooled, ...)``) verdicts on new items also
    inform sensitivities, biases and historical scores. Here they do not: a misfit among arrivals
    cannot move the old ranking, and one history serves all new items, as in the two-step estimate.

    Parameters
    ----------
    judges, humans : Comparisons or Design
        Verdicts of judges, with features as terms, and votes.
    roster : Roster, optional
        Which items are new; by default those without votes.
    seed : int
        Same seed, same draws.
    chains, warmup, draws : int
        As for `bayesjudge.nuts`.
    progress : bool
        Whether to show a progress bar.
    check : bool
        Whether to refuse a history's chains that did not converge, as `bayesjudge.nuts` does.

    Returns
    -------
    xarray.DataTree
        As `bayesjudge.nuts`, with all items in ``human_score``; reports read it.

    Raises
    ------
    NewItemError
        If two new items were compared with each other: their scores are then not independent given
        the history.
    FeatureError
        If a term varies among a judge's arrivals and never did in its history.

    Notes
    -----
    A cut, or modular, posterior (Plummer 2015). Given a draw of the history a new score has one
    dimension and a log-concave density, which is drawn from by its inverse distribution function.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.new_items.cut_posterior.__name__
    'cut_posterior'
    """
    prepared = designs(judges, humans)
    demand_kinds(new_item_pooled, prepared)
    n_items = len(prepared[0].items)
    frame = default_roster(prepared) if roster is None else demand_roster(roster, n_items)
    seed = demand_seed(seed)
    settings = asdict(sampler_settings(chains, warmup, draws, 0.9, 10))
    _demand_apart(prepared, frame)
    old = [_historical(design, frame.is_new) for design in prepared]
    _demand_known_effects(prepared[0], old[0])
    history = Roster(frame.basis, np.zeros((n_items, 0)))
    sampler = {"chains": chains, "warmup": warmup, "draws": draws}
    sampler |= {"progress": progress, "check": check}
    tree = nuts(new_item_pooled, *old, history, seed=seed, **sampler)  # type: ignore[arg-type]
    return _with_new_items(tree, prepared, frame, seed, settings)


def _historical(design: Design, is_new: BoolArray) -> Design:
    """Return a design in which verdicts on new items do not count."""
    arrives = flat_cells(design).touches(is_new)[design.cell_of_row]
    return reweighted(design, design.weight * ~arrives)


def _demand_apart(prepared: tuple[Design, ...], roster: Roster) -> None:
    for cells in map(flat_cells, prepared):
        new = cells.pair_contrast[cells.total > 0][:, roster.is_new] != 0
        if (new.sum(axis=1) > 1).any():
            raise NewItemError(
                "Two new items were compared with each other, so that their scores are not "
                "independent given the history; leave those verdicts out, or sample jointly with "
                "bj.nuts."
            )


def _demand_known_effects(whole: Design, history: Design) -> None:
    """Raise where a term varies among a judge's arrivals and never did in its history."""
    unknown = retained_mask(whole.layout) & ~retained_mask(history.layout)
    if unknown.any():
        term, judge = (int(place) for place in np.argwhere(unknown)[0])
        raise FeatureError(
            f"{whole.layout.terms[term]} varies among the arrivals of {whole.data.judges[judge]!r} "
            "and never did in its history, so that its effect is unknown; leave the term, or that "
            "judge's arrivals, out."
        )


def _with_new_items(
    tree: xr.DataTree,
    prepared: tuple[Design, ...],
    roster: Roster,
    seed: int,
    settings: dict[str, object],
) -> xr.DataTree:
    """Return the history's draws with those of new scores, and all data."""
    posterior = tree["posterior"].to_dataset()
    score = posterior["human_score"].copy(deep=True)
    rng, flat = np.random.default_rng(seed), score.values.reshape(-1, score.shape[-1])
    for place in map(int, np.flatnonzero(roster.is_new)):
        flat[:, place] = _new_score_density(posterior, prepared, place).draws(rng)
    posterior["human_score"] = score.copy(data=flat.reshape(score.shape))
    whole = tree.copy()
    whole["posterior"] = xr.DataTree(posterior)
    whole["observed_data"] = xr.DataTree(count_arrays(prepared))
    whole["constant_data"] = xr.DataTree(data_arrays(prepared))
    verdicts = [float(design.weight.sum()) for design in prepared]
    meta = {
        "inference": "cut",
        "label": "cut posterior",
        "verdicts": verdicts,
        "settings": settings,
    }
    whole.attrs[META] = json.dumps(read_meta(tree) | meta)
    return whole


@dataclass(frozen=True, eq=False)
class ScoreDensity:
    """Densities of a new score t: normal(0, spread) times verdicts with log-odds slope t + known.

    Attributes
    ----------
    slope, known : ndarray, shape (draws, n_cells)
        One row a draw of the history.
    wins, total : ndarray, shape (n_cells,)
        Verdicts on the item.
    spread : ndarray, shape (draws,)
        Standard deviation of the prior.
    """

    slope: FloatArray
    known: FloatArray
    wins: FloatArray
    total: FloatArray
    spread: FloatArray

    def draws(self, rng: np.random.Generator) -> FloatArray:
        """Return one draw from each density, (draws,)."""
        uniform = rng.random(len(self.spread))
        parts = [slice(start, start + AT_ONCE) for start in range(0, len(uniform), AT_ONCE)]
        return np.concatenate([self._part(rows).quantile(uniform[rows]) for rows in parts])

    def _part(self, rows: slice) -> "ScoreDensity":
        some = self.slope[rows], self.known[rows], self.wins, self.total, self.spread[rows]
        return ScoreDensity(*some)

    def quantile(self, prob: FloatArray) -> FloatArray:
        """Return a quantile of each density: (draws,) -> (draws,)."""
        mode, error = self._normal_shape()
        # Dense about the mode and as far as the prior reaches, where all verdicts are won or lost.
        grid, fine = np.linspace(-1.0, 1.0, COARSE), np.linspace(-1.0, 1.0, FINE)
        stretch = np.arcsinh(REACH * np.maximum(1.0, self.spread / error))[:, None]
        score = mode[:, None] + error[:, None] * np.sinh(stretch * grid)
        height = self._log_density(score) + np.log(np.cosh(stretch * grid))
        spline = CubicSpline(grid, height, axis=1)
        density = np.exp(spline(fine) - height.max(axis=1, keepdims=True))
        steps = np.cumsum((density[:, 1:] + density[:, :-1]) / 2, axis=1)
        share = np.column_stack([np.zeros(len(mode)), steps]) / steps[:, -1:]
        place = np.array([np.interp(p, row, fine) for p, row in zip(prob, share, strict=True)])
        return mode + error * np.sinh(stretch[:, 0] * place)

    def _log_density(self, score: FloatArray) -> FloatArray:
        """Return log-densities up to a constant: (draws, n) -> (draws, n)."""
        log_odds = score[:, :, None] * self.slope[:, None, :] + self.known[:, None, :]
        likelihood = log_odds @ self.wins - np.logaddexp(0.0, log_odds) @ self.total
        return likelihood - (score / self.spread[:, None]) ** 2 / 2

    def _normal_shape(self) -> tuple[FloatArray, FloatArray]:
        """Return the mode and the standard deviation of each density by Newton's method."""
        mode, error = np.zeros(len(self.spread)), self.spread
        for _ in range(NEWTON_STEPS):
            log_odds = mode[:, None] * self.slope + self.known
            residual = self.wins - self.total * expit(log_odds)
            gradient = (self.slope * residual).sum(axis=1) - mode / self.spread**2
            information = (self.slope**2 * self.total * verdict_variance(log_odds)).sum(axis=1)
            curvature = information + 1 / self.spread**2
            error = 1 / np.sqrt(curvature)
            step = np.clip(gradient / curvature, -self.spread, self.spread)
            mode = mode + step
            if np.abs(step).max() < ARRIVED:
                break
        return mode, error


def _new_score_density(
    posterior: xr.Dataset, prepared: tuple[Design, ...], place: int
) -> ScoreDensity:
    """Return the density of one new item's score under each draw of the history."""
    score = posterior["human_score"].values.reshape(-1, posterior.sizes["item"])
    judges, votes = (flat_cells(design).seen_from(place) for design in prepared)
    sensitivity = _of_judges(posterior["sensitivity"])
    effects = np.zeros((*sensitivity.shape, judges.columns.shape[1]))
    for term, name in enumerate(prepared[0].layout.terms):
        effects[..., term] = _of_judges(posterior[name])
    known = judge_log_odds(judges, score, sensitivity, effects)
    return ScoreDensity(
        np.hstack([judges.by_judge(sensitivity), np.ones((len(score), len(votes)))]),
        np.hstack([known, votes.contrast(score)]),
        np.concatenate([judges.wins, votes.wins]),
        np.concatenate([judges.total, votes.total]),
        posterior["new_score_spread"].values.ravel(),
    )


def _of_judges(values: xr.DataArray) -> FloatArray:
    """Return draws of a quantity by judge, shape (draws, n_judges)."""
    return np.asarray(values.values.reshape(-1, values.sizes["judge"]))
