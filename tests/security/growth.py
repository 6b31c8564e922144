"""How the time of some work grows with its input, on a machine that has other things to do."""

from __future__ import annotations

import gc
import math
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

CLEARLY_MORE = 1.4  # n·log n looks like 1.1 between these sizes, a square like 2
FLOOR_SECONDS = 0.03  # what takes less at the largest size says nothing, and harms nobody
MOST_SECONDS = 0.8  # nobody need wait longer to see that something grows


@dataclass(frozen=True)
class Growth:
    """The exponent of the time between sizes, and the times it was seen in."""

    exponent: float
    seconds: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def is_superlinear(self) -> bool:
        return self.exponent > CLEARLY_MORE and self.seconds[-1] > FLOOR_SECONDS

    def __str__(self) -> str:
        times = ", ".join(
            f"{n:,}: {1000 * s:.1f} ms" for n, s in zip(self.sizes, self.seconds, strict=True)
        )
        return f"n^{self.exponent:.2f} ({times})"


def growth(work: Callable[[Any], object], make: Callable[[int], Any], size: int) -> Growth:
    """The growth of `work` on inputs of doubling sizes, by the CPU time of this thread.

    Sizes double until the work takes long enough to be told from noise; the exponent is that of
    the last three doublings. Suspicious times are taken again, and the least counts.
    """
    sizes: list[int] = []
    seconds: list[float] = []
    while True:
        taken = cpu_seconds(work, make(size))
        sizes.append(size)
        seconds.append(taken)
        size *= 2
        if taken >= MOST_SECONDS:  # it was ended, so nobody knows how long it would have taken
            ended_at = sizes.pop()
            del seconds[-1]
            if sizes and (burst := _burst(work, make, sizes, seconds, ended_at)):
                return burst
            break
        if len(sizes) >= 4 and (taken > 3 * FLOOR_SECONDS or len(sizes) == _MOST_SIZES):
            break
    if len(sizes) < 3:  # too few to tell: look at smaller ones
        smaller = (sizes[0] if sizes else size // 2) // 8
        return growth(work, make, smaller) if smaller else Growth(math.inf, (taken,), (size,))
    first = max(0, len(sizes) - 4)
    measured = Growth(_exponent(sizes[first:], seconds[first:]), tuple(seconds), tuple(sizes))
    if not measured.is_superlinear:
        return measured
    for at in range(first, len(sizes)):  # a pause of the machine must not look like growth
        times = 3 if seconds[at] < 0.1 else 1
        again = [cpu_seconds(work, make(sizes[at])) for _ in range(times)]
        seconds[at] = min([seconds[at], *again])
    return Growth(_exponent(sizes[first:], seconds[first:]), tuple(seconds), tuple(sizes))


def _burst(
    work: Callable[[Any], object],
    make: Callable[[int], Any],
    sizes: list[int],
    seconds: list[float],
    ended_at: int,
) -> Growth | None:
    """What doubles its input once and then does not end: an exponential has no other times."""
    if seconds[-1] * _BURST > MOST_SECONDS or cpu_seconds(work, make(ended_at)) < MOST_SECONDS:
        return None
    least = math.log2(MOST_SECONDS / max(seconds[-1], 1e-6)) / math.log2(ended_at / sizes[-1])
    return Growth(least, (*seconds, MOST_SECONDS), (*sizes, ended_at))


_BURST = 12.0  # times as long for twice the input: more than a cube
_MOST_SIZES = 7


class _TooLong(Exception):
    pass


def _stop(*_: object) -> None:
    raise _TooLong


def cpu_seconds(work: Callable[[Any], object], made: Any) -> float:
    """The CPU time of one run, which is ended after `MOST_SECONDS`."""
    before = signal.signal(signal.SIGPROF, _stop)
    enabled = gc.isenabled()
    gc.disable()  # what others left is not ours to collect
    start = time.thread_time()
    try:
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        work(made)
        signal.setitimer(signal.ITIMER_PROF, 0)
        return time.thread_time() - start
    except _TooLong:
        return MOST_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if enabled:
            gc.enable()


def _exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of the logarithms, by least squares."""
    if len(sizes) < 2:
        return math.inf
    xs = [math.log(n) for n in sizes]
    ys = [math.log(max(s, 1e-6)) for s in seconds]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )
