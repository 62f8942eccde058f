"""Splitting and perturbing real verdicts: what must stay together, and what must not change."""

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge.data.comparisons import FIRST, TIE
from bayesjudge.errors import InvalidFoldsError, UnmatchedPromptsError
from bayesjudge.studies.dial.record_splits import (
    decided,
    one_sided,
    split_records,
    thinned,
    with_opposed_judges,
    with_position_judges,
)

LIMIT = 4.5  # standard errors: one seed in 150,000 fails, and seeds are fixed
ITEMS = ("a", "b", "c", "d")


def table(judges, seed, orders):
    """Every judge on every prompt's pair, in one order or both; a tenth are ties."""
    rng = np.random.default_rng(seed)
    rows = []
    for prompt in range(200):
        pair = np.random.default_rng(prompt).permutation(4)[:2]
        for judge in judges:
            for first, second in (pair, pair[::-1])[:orders]:
                verdict = rng.choice(["first", "second", "tie"], p=[0.5, 0.4, 0.1])
                rows.append((ITEMS[first], ITEMS[second], verdict, judge, f"p{prompt:03d}"))
    names = ["item_first", "item_second", "verdict", "judge", "prompt"]
    return pd.DataFrame(rows, columns=names)


@pytest.fixture(scope="module")
def judges():
    return bj.read(table(["j1", "j2", "j3"], seed=1, orders=2), kind="llm")


@pytest.fixture(scope="module")
def humans():
    return bj.read(table(["h1", "h2"], seed=2, orders=1), kind="human")


def records(data):
    names = np.array(data.items)
    pairs = [
        tuple(sorted(each)) for each in zip(names[data.first], names[data.second], strict=True)
    ]
    return set(zip(np.array(data.prompts)[data.prompt].tolist(), pairs, strict=True))


def shown(data, judge):
    """One judge's verdicts by name, sorted: prompt, first item, second item, verdict."""
    names, prompts = np.array(data.items), np.array(data.prompts)
    own = data.judge == data.judges.index(judge)
    columns = (prompts[data.prompt], names[data.first], names[data.second], data.verdict)
    return sorted(zip(*(each[own].tolist() for each in columns), strict=True))


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_records_are_on_one_side_and_nothing_decided_is_lost(judges, humans, share):
    split = split_records(judges, humans, seed=3, test_share=share)
    learned, kept = records(split.humans), records(split.test)
    assert not (learned | records(split.judges)) & kept
    assert split.humans.n_rows + split.test.n_rows == decided(humans).n_rows
    assert repr(split).endswith(
        f"{split.humans.n_rows:,} votes; {split.test.n_rows:,} votes held out)"
    )
    assert len(kept) == round(share * len(records(decided(humans))))
    assert all((each.verdict != TIE).all() for each in (split.judges, split.humans, split.test))


def test_both_orders_of_a_record_stay_together(judges, humans):
    split = split_records(judges, humans, seed=4)
    of_all = decided(judges)
    lost = records(of_all) - records(split.judges)
    assert split.judges.n_rows == sum(
        each not in lost for each in map(tuple, _records_by_row(of_all))
    )


def _records_by_row(data):
    names, prompts = np.array(data.items), np.array(data.prompts)
    for row in range(data.n_rows):
        pair = tuple(sorted((names[data.first[row]], names[data.second[row]])))
        yield str(prompts[data.prompt[row]]), pair


def test_same_seed_same_split(judges, humans):
    one, again, other = (split_records(judges, humans, seed=seed) for seed in (5, 5, 6))
    assert records(one.test) == records(again.test)
    assert records(one.test) != records(other.test)


def test_a_split_needs_common_records_and_two_sides(judges, humans):
    with pytest.raises(InvalidFoldsError, match="one side without votes"):
        split_records(judges, humans, seed=1, test_share=1.0)
    foreign = table(["h"], seed=2, orders=1).assign(prompt="elsewhere")
    with pytest.raises(UnmatchedPromptsError, match="same names"):
        split_records(judges, bj.read(foreign, kind="human"), seed=1)


def test_display_is_as_one_sided_as_asked(judges):
    rng = np.random.default_rng(7)
    canonical = judges.first < judges.second
    assert one_sided(judges, 1.0, rng).n_rows == judges.n_rows
    none = one_sided(judges, 0.0, rng)
    assert (none.first < none.second).all()
    assert none.n_rows == canonical.sum()
    few = one_sided(judges, 0.3, rng)
    swapped, n = (few.first > few.second).sum(), (~canonical).sum()
    assert (few.first < few.second).sum() == canonical.sum()
    assert abs(swapped - 0.3 * n) < LIMIT * np.sqrt(0.21 * n)


def test_thinning_draws_without_replacement(judges):
    few = thinned(judges, 50, np.random.default_rng(8))
    assert few.n_rows == len(np.unique(few.source_row)) == 50
    assert thinned(judges, 10**6, np.random.default_rng(8)).n_rows == judges.n_rows


def test_position_judges_prefer_the_first_slot_whatever_is_in_it(judges):
    found = with_position_judges(decided(judges), 5, np.random.default_rng(9))
    added = np.char.startswith(np.array(found.judges), "position-")
    assert added.sum() == 5
    theirs = added[found.judge]
    assert [shown(found, name) for name in judges.judges] == [
        shown(decided(judges), name) for name in judges.judges
    ]
    for item in range(4):
        for slot in (found.first, found.second):
            won = found.verdict[theirs & (slot == item)] == FIRST
            assert abs(won.mean() - 0.9) < LIMIT * np.sqrt(0.09 / len(won))


def test_opposed_judges_flip_a_judge_of_the_panel(judges):
    panel = decided(judges)
    found = with_opposed_judges(panel, 1, np.random.default_rng(10))
    turned = [(*place, 2 - verdict) for *place, verdict in shown(found, "opposed-1")]
    of_panel = [shown(panel, name) for name in panel.judges]
    assert [sorted(turned) == own for own in of_panel].count(True) == 1
    assert [shown(found, name) for name in panel.judges] == of_panel
