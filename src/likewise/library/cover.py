"""Which documents explain what no other does."""

from __future__ import annotations

import numpy as np

from likewise.search.postings import Found, Numbers


class Cover:
    """Which of the fingerprints found are held by documents that were taken."""

    def __init__(self, found: Found) -> None:
        order = np.argsort(found.holder, kind="stable")
        self._holder, self._held = found.holder[order], found.held[order]
        self._covered = np.zeros(len(found.holders), dtype=bool)

    def adds(self, document: int) -> bool:
        """Whether it holds something that none of these holds."""
        return not self._covered[self._of(document)].all()

    def take(self, document: int) -> None:
        self._covered[self._of(document)] = True

    def _of(self, document: int) -> Numbers:
        first, end = np.searchsorted(self._holder, (document, document + 1))
        return self._held[int(first) : int(end)]
