"""A posterior in which verdicts on new items do not change what is known of the old ones."""

import json
from dataclasses import asdict

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.special import expit

from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.flat_cells import ArrivalRows, arrival_rows, counted_rows, flat_cells
from bayesjudge.designs.roster import Roster, default_roster, demand_roster
from bayesjudge.designs.variants import reweighted
from bayesjudge.engine.chains import sampler_settings
from bayesjudge.engine.prepare import demand_kinds
from bayesjudge.errors import FeatureError, NewItemError
from bayesjudge.fits.nuts import nuts
from bayesjudge.fits.tree import META, count_arrays, data_arrays, read_meta
from bayesjudge.models.new_item import new_item_pooled

REACH, COARSE, FINE = 7.0, 41, 1001  # grid of a conditional posterior: reach in deviations


NEWTON_STEPS = 40


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
    >>> bj.cut_posterior.__name__
    'cut_posterior'
    """
    made = designs(judges, humans)
    demand_kinds(new_item_pooled, made)
    found = default_roster(made) if roster is None else demand_roster(roster, len(made[0].items))
    seed = demand_seed(seed)
    settings = sampler_settings(chains, warmup, draws, 0.9, 10)
    history = Roster(found.basis, np.zeros((len(found.new), 0)))
    arrives = [_arrives(each, found.is_new) for each in made]
    _demand_apart(made, found)
    old = [reweighted(each, each.weight * ~rows) for each, rows in zip(made, arrives, strict=True)]
    _demand_known_effects(made[0], old[0])
    sampler = {"chains": chains, "warmup": warmup, "draws": draws}
    sampler |= {"progress": progress, "check": check}
    tree = nuts(new_item_pooled, *old, history, seed=seed, **sampler)  # type: ignore[arg-type]
    return _with_new_items(tree, made, found, seed, asdict(settings))


def _arrives(of: Design, is_new: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return flat_cells(of).touches(is_new)[of.cell_of_row]


def _demand_apart(made: tuple[Design, ...], roster: Roster) -> None:
    for each in made:
        cells, used = flat_cells(each), counted_rows(each).sum(axis=1) > 0
        new = (cells.contrast[used] != 0) @ np.asarray(roster.new).sum(axis=1)
        if (new > 1).any():
            raise NewItemError(
                "Two new items were compared with each other, so that they do not stand alone "
                "given the history; leave those verdicts out, or sample jointly with bj.nuts."
            )


def _demand_known_effects(whole: Design, history: Design) -> None:
    """Raise where a term varies among a judge's arrivals and never did in its history."""
    lost = np.array(whole.layout.retained, dtype=bool) & ~np.array(history.layout.retained, bool)
    if lost.any():
        term, judge = (int(place) for place in np.argwhere(lost)[0])
        raise FeatureError(
            f"{whole.layout.terms[term]} varies among the arrivals of {whole.data.judges[judge]!r} "
            "and never did in its history, so that its effect is unknown; leave the term, or that "
            "judge's arrivals, out."
        )


def _with_new_items(
    tree: xr.DataTree,
    made: tuple[Design, ...],
    roster: Roster,
    seed: int,
    settings: dict[str, object],
) -> xr.DataTree:
    posterior = tree["posterior"].to_dataset()
    score = posterior["human_score"].copy(deep=True)
    rng = np.random.default_rng(seed)
    flat = score.values.reshape(-1, score.shape[-1])
    for place in np.flatnonzero(roster.is_new):
        flat[:, place] = _new_score(posterior, made, int(place), rng)
    posterior["human_score"] = score.copy(data=flat.reshape(score.shape))
    found = tree.copy()
    found["posterior"] = xr.DataTree(posterior)
    found["observed_data"] = xr.DataTree(count_arrays(made))
    found["constant_data"] = xr.DataTree(data_arrays(made))
    content = read_meta(tree) | {
        "inference": "cut",
        "verdicts": [float(each.weight.sum()) for each in made],
        "settings": settings,
    }
    found.attrs[META] = json.dumps(content)
    return found


def _new_score(
    posterior: xr.Dataset, made: tuple[Design, ...], place: int, rng: np.random.Generator
) -> FloatArray:
    """Draw one new item's score, once for every draw of the history."""
    slope, known, wins, total = _arrivals(posterior, made, place)
    spread = posterior["new_score_spread"].values.ravel()
    uniform = rng.random(len(spread))
    parts = [slice(start, start + AT_ONCE) for start in range(0, len(spread), AT_ONCE)]
    return np.concatenate(
        [_drawn(slope[at], known[at], wins, total, spread[at], uniform[at]) for at in parts]
    )


def _arrivals(
    posterior: xr.Dataset, made: tuple[Design, ...], place: int
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Give slopes and known log-odds, (draws, n_cells), and wins and totals, (n_cells,)."""
    score = posterior["human_score"].values.reshape(-1, posterior.sizes["item"])
    found = []
    for each in made:
        rows = arrival_rows(each, place)
        slope, bias = _judged(posterior, each, rows)
        found.append((slope, slope * (score @ rows.rest.T) + bias, rows.wins, rows.total))
    slopes, knowns, wins, totals = zip(*found, strict=True)
    return np.hstack(slopes), np.hstack(knowns), np.concatenate(wins), np.concatenate(totals)


def _judged(posterior: xr.Dataset, of: Design, rows: ArrivalRows) -> tuple[FloatArray, FloatArray]:
    """Give sensitivity and bias behind each verdict, (draws, n_cells); people have one and none."""
    none = np.zeros((posterior["new_score_spread"].size, len(rows)))
    if of.data.human.all():
        return none + 1.0, none
    parts = [
        _of_judges(posterior[term])[:, rows.judge] * column
        for term, column in zip(of.layout.terms, rows.columns.T, strict=True)
    ]
    return _of_judges(posterior["sensitivity"])[:, rows.judge], sum(parts, none)


def _of_judges(values: xr.DataArray) -> FloatArray:
    found: FloatArray = values.values.reshape(-1, values.sizes["judge"])
    return found


def _drawn(
    slope: FloatArray,
    known: FloatArray,
    wins: FloatArray,
    total: FloatArray,
    spread: FloatArray,
    uniform: FloatArray,
) -> FloatArray:
    """Draw from the density of a score t under Normal(0, spread) and log-odds slope t + known."""
    mode, error = _normal_shape(slope, known, wins, total, spread)
    # Dense about the mode and as far as the prior reaches, where all verdicts are won or lost.
    grid, fine = np.linspace(-1.0, 1.0, COARSE), np.linspace(-1.0, 1.0, FINE)
    stretch = np.arcsinh(REACH * np.maximum(1.0, spread / error))[:, None]
    at = mode[:, None] + error[:, None] * np.sinh(stretch * grid)
    log_odds = at[:, :, None] * slope[:, None, :] + known[:, None, :]
    height = log_odds @ wins - np.logaddexp(0.0, log_odds) @ total - (at / spread[:, None]) ** 2 / 2
    height += np.log(np.cosh(stretch * grid))
    density = np.exp(CubicSpline(grid, height, axis=1)(fine) - height.max(axis=1, keepdims=True))
    steps = np.cumsum((density[:, 1:] + density[:, :-1]) / 2, axis=1)
    share = np.column_stack([np.zeros(len(mode)), steps]) / steps[:, -1:]
    found = np.array([np.interp(u, row, fine) for u, row in zip(uniform, share, strict=True)])
    return mode + error * np.sinh(stretch[:, 0] * found)


def _normal_shape(
    slope: FloatArray, known: FloatArray, wins: FloatArray, total: FloatArray, spread: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give mode and deviation of each draw's density by Newton's method."""
    at, error = np.zeros(len(spread)), spread
    for _ in range(NEWTON_STEPS):
        share = expit(at[:, None] * slope + known)
        gradient = (slope * (wins - total * share)).sum(axis=1) - at / spread**2
        curvature = (slope**2 * total * share * (1 - share)).sum(axis=1) + 1 / spread**2
        error = 1 / np.sqrt(curvature)
        step = np.clip(gradient / curvature, -spread, spread)
        at = at + step
        if np.abs(step).max() < 1e-10:
            break
    return at, error
