"""Texts to the fingerprints that a library keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import shingle_runs, winnow
from likewise.library.errors import LibraryError
from likewise.library.recipes import Sketching
from likewise.sketch.batches import Batch, sketched
from likewise.sketch.sets import runs_of

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """What is kept of a text to find it again: distinct fingerprints in order, and counts."""

    hashes: Hashes
    words: int  # dropped ones included, so that they do not depend on the stop words
    shingles: int


@dataclass(frozen=True, slots=True, eq=False)
class PositionedFingerprints:
    """Every fingerprint of a text in the order of the text, and the word it begins at."""

    hash: Hashes
    place: NDArray[np.int64]


def sketches_of(texts: Sequence[str], using: Sketching) -> list[Sketch]:
    """The fingerprints of many texts."""
    width, window = using.settings.shingle, using.settings.window

    def sketch(batch: Batch) -> list[Sketch]:
        words, offsets = batch
        runs, ends = shingle_runs(words, offsets, width)
        places, bounds_of_texts = winnow(runs, ends, window)
        fingerprints = runs[places]
        counts = np.diff(offsets).tolist(), np.diff(ends).tolist()
        bounds = bounds_of_texts.tolist()
        return [
            Sketch(distinct(fingerprints[a:b]), words_there, shingles)
            for a, b, words_there, shingles in zip(bounds[:-1], bounds[1:], *counts, strict=True)
        ]

    with using.lock:
        batches = sketched(texts, using.settings, using.lexicon, sketch)
        return [one for batch in batches for one in batch]


def locate_fingerprints(text: str, using: Sketching) -> PositionedFingerprints:
    """Every fingerprint of a text, in order."""
    with using.lock:
        runs = runs_of(text, using.settings, using.lexicon)
    places, _ = winnow(runs, np.array([0, len(runs)], dtype=np.int64), using.settings.window)
    return PositionedFingerprints(runs[places], places)


def distinct(hashes: Hashes) -> Hashes:
    """Each of them once, ascending; several times quicker than `numpy.unique`, which hashes first.

    >>> distinct(np.array([7, 2, 7], np.uint64)).tolist()
    [2, 7]
    """
    ascending = np.sort(hashes)
    is_new = np.ones(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
    return ascending[is_new]


def sketch_row(number: int, recipe_id: int, change: int, sketch: Sketch) -> dict[str, int | bytes]:
    """A sketch as its table holds it."""
    return {
        "document_id": number,
        "recipe_id": recipe_id,
        "change": change,
        "shingles": sketch.shingles,
        "fingerprints": len(sketch.hashes),
        "hashes": hashes_to(sketch.hashes),
    }


def hashes_to(hashes: Hashes) -> bytes:
    """Fingerprints as the database keeps them."""
    return hashes.astype("<u8", copy=False).tobytes()


def hashes_from(data: bytes | memoryview) -> Hashes:
    """Fingerprints as they were kept.

    >>> hashes_from(hashes_to(np.array([1, 2**63], np.uint64))).tolist()
    [1, 9223372036854775808]
    """
    try:
        return np.frombuffer(data, dtype="<u8")
    except (TypeError, ValueError) as error:
        raise LibraryError("library.fingerprints_damaged") from error
