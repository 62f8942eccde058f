"""GACV approximates exact leave-one-vote-out, to second order in the number of votes."""

import numpy as np

import bayesjudge as bj

VOTES = (200, 400, 800)
SEEDS = range(4)


def gaps(votes, seed):
    """GACV less leave-one-out at the anchored fit, at a fixed weight and for humans alone."""
    humans = bj.synthetic_votes(votes, seed=seed)
    path = bj.calibration.weight_path(
        bj.models.calibrated, bj.example_panel(), humans, weights=[5.0]
    )
    table = bj.calibration.leave_one_vote_out(path)
    return np.abs(table["gacv"] - table["leave_one_out"]).to_numpy()


def test_gap_falls_with_the_square_of_the_votes():
    """Log-log slopes lie about -2 (Theorem 5; 4 seeds; fails by chance less than once in 1000)."""
    found = np.array([[gaps(votes, seed) for seed in SEEDS] for votes in VOTES])
    typical = np.log(np.median(found, axis=1))
    slopes = np.polyfit(np.log(VOTES), typical, 1)[0]
    assert ((slopes > -2.6) & (slopes < -1.5)).all(), slopes
