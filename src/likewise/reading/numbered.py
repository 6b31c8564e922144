"""Numbers of pages and pictures in few words."""

from __future__ import annotations

from collections.abc import Iterable

MOST_RANGES = 20


def numbered(numbers: Iterable[int], noun: str = "page") -> str:
    """
    >>> numbered([2, 5, 6, 7]), numbered([3]), numbered([4, 4], "picture")
    ('pages 2, 5-7', 'page 3', 'picture 4')
    """
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    listed = ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs[:MOST_RANGES])
    if len(runs) > MOST_RANGES:
        listed += f" and {sum(b - a + 1 for a, b in runs[MOST_RANGES:]):,} more"
    is_one = len(runs) == 1 and runs[0][0] == runs[0][1]
    return f"{noun} {listed}" if is_one else f"{noun}s {listed}"
