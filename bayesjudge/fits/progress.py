"""How far chains are: a bar where somebody watches, else a line on how long a long run takes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock
from time import monotonic

from bayesjudge.engine.chains import BLOCK, Report, SamplerSettings

LONG = 60.0  # seconds of a run that are waited for in silence
SETTLED = 3 * BLOCK  # transitions of a chain; its step size and first metric are adapted by then


@contextmanager
def sampling_progress(
    shown: bool, settings: SamplerSettings, clock: Callable[[], float] = monotonic
) -> Iterator[Report]:
    """Give a function that is told of every block of transitions."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    total = settings.chains * (settings.warmup + settings.draws)
    if not shown:
        yield lambda done: None
    elif console.is_terminal or console.is_jupyter:
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(f"{settings.chains} chains", total=total)
            yield lambda done: bar.advance(task, done)
    else:
        yield Forecast(settings, partial(console.print, highlight=False), clock).report


class Forecast:
    """Says once how long sampling takes, if that is long, from the pace of the latest blocks.

    A run whose first transitions alone take long is given an upper bound before that.
    """

    def __init__(
        self,
        settings: SamplerSettings,
        say: Callable[[str], None],
        clock: Callable[[], float],
    ) -> None:
        self._say, self._clock, self._lock = say, clock, Lock()
        self._marks = [(clock(), 0)]
        self._total = settings.chains * (settings.warmup + settings.draws)
        self._settled = settings.chains * min(settings.warmup, SETTLED)
        self._recent = settings.chains * BLOCK
        self._bounded = self._told = False

    def report(self, count: int) -> None:
        """Take note of so many transitions more."""
        with self._lock:
            now, done = self._clock(), self._marks[-1][1] + count
            self._marks.append((now, done))
            if done >= self._settled and not self._told:
                self._told = True
                self._forecast("Sampling will take about {} more.")
            elif now - self._marks[0][0] > LONG and not (self._told or self._bounded):
                self._bounded = True
                self._forecast("Sampling will take up to {} more: transitions are slow at first.")

    def _forecast(self, sentence: str) -> None:
        (start, _), (now, done) = self._marks[0], self._marks[-1]
        before = [mark for mark in self._marks if mark[1] <= done - self._recent] or self._marks[:1]
        left = (self._total - done) * (now - before[-1][0]) / (done - before[-1][1])
        if now - start + left > LONG:
            self._say(sentence.format(duration(left)))


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it."""
    for unit, length in (("hours", 3600.0), ("minutes", 60.0)):
        if seconds > 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} seconds"
