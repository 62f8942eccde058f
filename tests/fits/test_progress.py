"""How long a run will take: said once, only where it is long, from the latest pace."""

import pytest

from bayesjudge.engine.chains import BLOCK, SamplerSettings
from bayesjudge.fits.progress import LONG, Forecast, duration, sampling_progress

SETTINGS = SamplerSettings(chains=4, warmup=500, draws=1000)
BLOCKS = SETTINGS.chains * (SETTINGS.warmup + SETTINGS.draws) // BLOCK


def forecasts(settings, seconds_of_block):
    """Play a run whose n-th block takes so many seconds; return the sentences and their blocks."""
    now, said = 0.0, []
    forecast = Forecast(settings, lambda words: said.append((block, words)), lambda: now)
    blocks = settings.chains * (settings.warmup + settings.draws) // BLOCK
    for block in range(1, blocks + 1):
        now += seconds_of_block(block)
        forecast.report(BLOCK)
    return said


def test_a_short_run_is_silent():
    assert forecasts(SETTINGS, lambda block: 0.9 * LONG / BLOCKS) == []


@pytest.mark.parametrize("seconds", [1.0, 7.0, 200.0])
def test_a_long_run_is_told_of_once_its_pace_is_known(seconds):
    said = forecasts(SETTINGS, lambda block: seconds)
    block, words = said[-1]
    assert block == 4 * 3  # three blocks of each chain
    assert words == f"Sampling will take about {duration((BLOCKS - block) * seconds)} more."
    assert all("up to" in other for _, other in said[:-1])


def test_slow_first_transitions_do_not_count():
    said = forecasts(SETTINGS, lambda block: 4.0 if block <= 8 else 1.0)
    assert [words for _, words in said] == ["Sampling will take about 108 seconds more."]


def test_a_run_that_is_slow_from_the_start_gets_a_bound_first():
    said = forecasts(SETTINGS, lambda block: 40.0 if block <= 8 else 1.0)
    assert [block for block, _ in said] == [2, 12]
    assert said[0][1] == (
        f"Sampling will take up to {duration(40.0 * (BLOCKS - 2))} more: transitions are slow at "
        "first."
    )


def test_a_short_warmup_is_waited_for():
    settings = SamplerSettings(chains=1, warmup=BLOCK, draws=10 * BLOCK)
    assert forecasts(settings, lambda block: 10.0)[0][0] == 1


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(95.0, "95 seconds"), (130.0, "2 minutes"), (3600.0, "60 minutes"), (9000.0, "2 hours")],
)
def test_times_are_in_the_unit_that_suits_them(seconds, words):
    assert duration(seconds) == words


def test_nothing_is_shown_unasked(capsys):
    with sampling_progress(False, SETTINGS) as report:
        report(BLOCK)
    assert capsys.readouterr() == ("", "")


def test_a_line_goes_to_standard_error(capsys):
    times = iter(range(0, 100 * BLOCKS, 100))
    with sampling_progress(True, SETTINGS, lambda: float(next(times))) as report:
        for _ in range(20):
            report(BLOCK)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("Sampling will take about") == 1
