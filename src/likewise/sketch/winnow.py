"""Winnowing: few fingerprints of a document, enough that no long shared run is missed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import winnow
from likewise.language import Lexicon
from likewise.settings import Settings
from likewise.sketch.sets import runs_of


@dataclass(frozen=True, slots=True, eq=False)
class Fingerprints:
    """Chosen shingles of a document, and the number of the word each begins at."""

    hash: NDArray[np.uint64]
    place: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.hash)


def fingerprints_of(text: str, settings: Settings, lexicon: Lexicon | None = None) -> Fingerprints:
    """The fingerprints of one text.

    Texts that share a run of `shingle + window - 1` canonical words share a fingerprint.

    >>> shared = "three grey geese in a green field grazing"
    >>> a = fingerprints_of("one two " + shared, Settings.plain())
    >>> b = fingerprints_of(shared + " four five six", Settings.plain())
    >>> len(set(a.hash.tolist()) & set(b.hash.tolist())) >= 1
    True
    """
    runs = runs_of(text, settings, Lexicon(settings) if lexicon is None else lexicon)
    ends = np.array([0, len(runs)], dtype=np.int64)
    places, _ = winnow(runs, ends, settings.window)
    return Fingerprints(runs[places], places)
