"""What a notebook shows of a fit is a line, not its arrays."""

import numpy as np

import bayesjudge as bj


def test_fits_are_shown_in_a_line():
    judges, votes = bj.example_panel(), bj.example_votes()
    path = bj.calibration.weight_path(bj.models.calibrated, judges, votes, weights=[5.0])
    maple = votes.items.index("maple")
    seen = votes.select((votes.first != maple) & (votes.second != maple))
    fit = bj.new_items.orthogonal(bj.models.new_item, judges, seen, folds=2)
    old = judges.select(~np.isin(judges.first, [maple]) & ~np.isin(judges.second, [maple]))
    shown = [
        path,
        path.anchored,
        path.joint_fit(5.0),
        path.covariance(5.0),
        bj.calibration.local_information(path),
        fit,
        bj.new_items.placement(fit),
        bj.new_items.fit_history(old, seen, folds=2),
    ]
    for each in shown:
        assert repr(each).startswith(f"{type(each).__name__}(")
        assert "\n" not in repr(each)
        assert len(repr(each)) < 250
    assert repr(bj.new_items.placement(fit)) == "Placement(maple among 7 items)"
    covariance = repr(path.covariance(5.0))
    assert covariance.startswith("Covariance(sandwich by prompt, of Mode(calibrated")
