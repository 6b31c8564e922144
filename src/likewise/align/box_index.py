"""Boxes in order, so that those near another are found without looking at all of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from likewise.align.pair import Box, Numbers


class BoxIndex:
    """Boxes that can be asked which of them meet another.

    >>> shelf = BoxIndex([Box(0, 9, 0, 9), Box(20, 30, 5, 15)])
    >>> shelf.meeting(Box(8, 25, 14, 20))
    [Box(a0=20, a1=30, b0=5, b1=15)]
    """

    def __init__(self, boxes: Iterable[Box]) -> None:
        self.boxes = sorted(boxes)
        corners = np.array(self.boxes, dtype=np.int64).reshape(-1, 4)
        self._a0, self._a1, self._b0, self._b1 = corners.T
        self._farthest = np.maximum.accumulate(self._a1)

    def meeting(self, box: Box) -> list[Box]:
        return [self.boxes[k] for k in self._met(box).tolist()]

    def touching(self, box: Box) -> list[Box]:
        """Those that meet it or stand right beside it, on both sides."""
        return self.meeting(Box(box.a0 - 1, box.a1 + 1, box.b0 - 1, box.b1 + 1))

    def holds(self, box: Box) -> bool:
        return any(self.boxes[k].holds(box) for k in self._met(box).tolist())

    def _met(self, box: Box) -> Numbers:
        low = int(np.searchsorted(self._farthest, box.a0, side="right"))
        high = int(np.searchsorted(self._a0, box.a1))
        part = slice(low, max(low, high))
        met = (self._a1[part] > box.a0) & (self._b0[part] < box.b1) & (self._b1[part] > box.b0)
        return low + np.flatnonzero(met)
