"""Judges whose verdicts contradict scores that a program with positive sensitivities gives."""

import numpy as np

from bayesjudge.core.intervals import normal_half_width
from bayesjudge.engine.point import Point

ERROR = 0.05  # of naming any judge wrongly, over all judges


def contradicting_judges(fit: Point) -> list[str]:
    """Name the judges whose sensitivity would be negative, given the scores of a log-scale fit.

    One Newton step from the fitted sensitivity, on the real scale, with its normal interval at a
    level that allows for the number of judges.
    """
    logarithmic = any(site.logarithmic for site in fit.program.sites.free)
    if not logarithmic or not {"score", "sensitivity"} <= set(fit.values):
        return []
    design = fit.designs[0]
    shape, scores = design.layout.counts.shape[:-1], fit.scores(design)
    counts = np.asarray(design.layout.counts).reshape(-1, 3)
    contrast = np.broadcast_to(design.layout.contrast(fit.values["score"]), shape).ravel()
    judge = np.broadcast_to(design.layout.by_judge(np.arange(design.layout.n_judges)), shape)
    slope, probs = scores.slope[..., 0], fit.outcome_probs(design)
    pull = (counts * slope).sum(axis=1) * contrast
    weight = counts.sum(axis=1) * (probs * slope**2).sum(axis=1) * contrast**2
    information, pulled = (np.bincount(judge.ravel(), part) for part in (weight, pull))
    known = np.flatnonzero(information > 0)
    if not len(known):
        return []
    relative = fit.values["sensitivity"] / fit.values["sensitivity"].mean()
    upper = relative[known] + pulled[known] / information[known]
    upper += normal_half_width(1 - ERROR / len(known)) / np.sqrt(information[known])
    return [design.data.judges[j] for j in known[upper < 0]]
