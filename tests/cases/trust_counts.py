"""How many intervals of a fit are stated, how many of them unmarked, and how many of those miss."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

import bayesjudge as bj
from bayesjudge.fits.estimate import WIDER, read_meta

SHORT = {"chains": 2, "warmup": 300, "draws": 500}
PUBLISHED, SIGNED, POSTERIOR = "published form", "signed mode", "pooled posterior"


@dataclass(frozen=True)
class Fitted:
    """A fit, whether it reached its criterion, and whether a caution travels with it."""

    fit: object
    reached: bool = True
    cautioned: bool = False


def mode_of(program, panel, _seed):
    return Fitted(bj.mode(program, panel).covariance())


def signed(panel, seed):
    return mode_of(bj.models.signed_sensitivity, panel, seed)


def published(panel, seed):
    return mode_of(bj.models.sensitivity, panel, seed)


def posterior(panel, seed):
    """Sample short chains, and where they do not converge the package's default."""
    for length in (SHORT, {}):
        tree = bj.nuts(
            bj.models.sensitivity_pooled, panel, seed=seed, progress=False, check=False, **length
        )
        facts = read_meta(tree)
        if is_reached(facts):
            break
    ratio = facts["error_ratio"].get("score", 1.0)
    return Fitted(tree, is_reached(facts), ratio > WIDER)


def is_reached(facts):
    """Whether no caution says that the chains did not converge."""
    return not any("did not converge" in sentence for sentence in facts["cautions"])


FITS = {SIGNED: signed, POSTERIOR: posterior, PUBLISHED: published}


def count(one, truth, caution_marks=False):
    """Count intervals of scores and of differences; nothing is stated of a fit that failed."""
    ranks = bj.rank_table(one.fit).set_index("item").loc[truth.index]
    won = bj.win_probability(one.fit).sel(item=truth.index, opponent=truth.index)
    cautioned = caution_marks and one.cautioned
    scores = missed(ranks["lower"], ranks["upper"], truth)
    bounds = [np.log(won[name]) - np.log1p(-won[name]) for name in ("lower", "upper")]
    upper = np.triu_indices(len(truth), k=1)
    gaps = np.subtract.outer(truth.to_numpy(), truth.to_numpy())
    pairs = missed(*(bound.values[upper] for bound in bounds), gaps[upper])
    return {
        **tally("", scores, (marks(ranks) != "") | cautioned),
        **tally("pairs_", pairs, (won["mark"].values[upper] != "") | cautioned),
    }


def marks(table):
    """Return the column of marks, which is left out where nothing is to be said."""
    return table["mark"].to_numpy(str) if "mark" in table else np.full(len(table), "")


def missed(lower, upper, truth):
    """Mark intervals that miss with one, those that hold with zero, and missing ones with NaN."""
    lower, upper, truth = (np.asarray(one, dtype=float) for one in (lower, upper, truth))
    return np.where(np.isfinite(lower), (truth < lower) | (truth > upper), np.nan)


def tally(prefix, miss, marked):
    stated = ~np.isnan(miss)
    return {
        f"{prefix}all": len(miss),
        f"{prefix}stated": int(stated.sum()),
        f"{prefix}unmarked": int((stated & ~marked).sum()),
        f"{prefix}missed": int(np.nansum(miss[~marked])),
        f"{prefix}stated_missed": int(np.nansum(miss)),
    }


def tried(drawn, name, seed, caution_marks):
    """Fit one data set and count; a named error or a fit that failed counts as such."""
    panel = bj.design(drawn.data, terms=drawn.terms)
    try:
        one = FITS[name](panel, seed)
    except bj.errors.BayesjudgeError:
        return {"refused": 1}
    if not one.reached:
        return {"unconverged": 1}
    return count(one, drawn.truth, caution_marks)


def summed(rows):
    """Add up counts over data sets."""
    return pd.DataFrame(rows).fillna(0).astype(int).sum().to_dict() | {"sets": len(rows)}
