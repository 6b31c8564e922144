"""Texts to the fingerprints that a library keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import pack_gaps, shingle_runs, unpack_gaps, winnow
from likewise.language import canonical_words
from likewise.language.concept_blocks import MOST_WORDS, Ids, unpack_blocks
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
    """Every fingerprint of a text in the order of the text, and the words that it is made of.

    `place` is the first of these and `end` the one behind the last, counted without dropped words;
    a text that is shorter than a shingle ends before that.
    """

    hash: Hashes
    place: NDArray[np.int64]
    end: NDArray[np.int64]


def sketches_of(texts: Sequence[str], using: Sketching) -> list[Sketch]:
    """The fingerprints of many texts."""
    width, window = using.settings.shingle, using.settings.window
    if using.settings.unit == "chars":
        return [_sketch_characters(text, using) for text in texts]

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
    if using.settings.unit == "chars":
        return _locate_characters(text, using)
    with using.lock:
        runs = runs_of(text, using.settings, using.lexicon)
    places = _winnow_places(runs, using)
    return PositionedFingerprints(runs[places], places, places + using.settings.shingle)


def _winnow_places(runs: Hashes, using: Sketching) -> NDArray[np.int64]:
    return winnow(runs, np.array([0, len(runs)], dtype=np.int64), using.settings.window)[0]


# Fingerprints of characters: of the canonical words, with a blank between two of them. So they
# begin and end inside words, while everything behind the index counts in words.

_MOST_FORMS = 500_000  # words that are remembered between two texts


def _sketch_characters(text: str, using: Sketching) -> Sketch:
    words = _spelled_words(text, using)
    runs = _character_runs("".join(words), using)
    return Sketch(distinct(runs[_winnow_places(runs, using)]), len(words), len(runs))


def _locate_characters(text: str, using: Sketching) -> PositionedFingerprints:
    words = [word for word in _spelled_words(text, using) if word]
    characters = "".join(words)
    runs = _character_runs(characters, using)
    places = _winnow_places(runs, using)
    ends = np.cumsum([len(word) for word in words])  # behind the blank of each word
    last = np.minimum(places + using.settings.shingle, len(characters)) - 1
    is_blank = [characters[place] == " " for place in places.tolist()]
    first_words = np.searchsorted(ends, places, side="right") + is_blank
    return PositionedFingerprints(
        runs[places],
        first_words.astype(np.int64),
        np.searchsorted(ends, last, side="right").astype(np.int64) + 1,
    )


def _spelled_words(text: str, using: Sketching) -> list[str]:
    """All words, each with the blank behind it that the last one lacks; empty where dropped."""
    with using.lock:
        if len(using.forms) > _MOST_FORMS:
            using.forms.clear()
        words = canonical_words(text, using.lexicon, using.forms)
    last = max((i for i, word in enumerate(words) if word), default=-1)
    return [f"{word} " if word and i != last else word for i, word in enumerate(words)]


def _character_runs(characters: str, using: Sketching) -> Hashes:
    """The shingles of characters, in order, as `sketch` makes them."""
    encoded = characters.encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(encoded, dtype="<u4").astype(np.uint64)
    offsets = np.array([0, len(codes)], dtype=np.int64)
    return shingle_runs(codes, offsets, using.settings.shingle)[0]


def distinct(hashes: Hashes) -> Hashes:
    """Each of them once, ascending; several times quicker than `numpy.unique`, which hashes first.

    >>> distinct(np.array([7, 2, 7], np.uint64)).tolist()
    [2, 7]
    """
    ascending = np.sort(hashes)
    is_new = np.ones(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
    return ascending[is_new]


def sketch_row(number: int, recipe_id: int, change: int, sketch: Sketch) -> dict[str, Any]:
    """A sketch as its table holds it, in a row of its own."""
    return {
        "document_id": number,
        "recipe_id": recipe_id,
        "change": change,
        "shingles": sketch.shingles,
        "fingerprints": len(sketch.hashes),
        "others": None,
        "hashes": hashes_to(sketch.hashes),
    }


def hashes_to(hashes: Hashes) -> bytes:
    """Fingerprints as the database keeps them: packed, if they ascend and that is shorter.

    The same ones are always the same bytes. Packed ones never have a length that is a multiple of
    eight, so that they are told from those of eight bytes each, which libraries of earlier versions
    hold; and an earlier version takes them for damaged, not for others.
    """
    plain = hashes.astype("<u8", copy=False).tobytes()
    if not len(hashes) or not (hashes[1:] > hashes[:-1]).all():
        return plain
    packed = pack_gaps(np.ascontiguousarray(hashes))
    packed += b"" if len(packed) % 8 else b"\0"
    return packed if len(packed) < len(plain) else plain


def hashes_from(data: bytes | memoryview) -> Hashes:
    """Fingerprints as they were kept.

    >>> hashes_from(hashes_to(np.array([1, 2**63], np.uint64))).tolist()
    [1, 9223372036854775808]
    """
    try:
        return unpack_gaps(bytes(data)) if len(data) % 8 else np.frombuffer(data, dtype="<u8")
    except (TypeError, ValueError) as error:
        raise LibraryError("library.fingerprints_damaged") from error


def repack_hashes(data: bytes | memoryview) -> bytes:
    """Kept fingerprints as `hashes_to` packs them, however they are kept; damaged ones as they are.

    >>> kept = np.array([5, 6, 7], np.uint64)
    >>> repack_hashes(kept.tobytes()) == repack_hashes(hashes_to(kept)) == hashes_to(kept)
    True
    """
    try:
        return hashes_to(hashes_from(data))
    except LibraryError:
        return bytes(data)


def readable_blocks(row: Any) -> Ids | None:
    """The blocks of concepts that a row holds; None where they are damaged."""
    try:
        ids = unpack_blocks(row.concepts)
    except (TypeError, ValueError):
        return None
    return ids if len(ids) == row.blocks else None


def blocks_of_rows(rows: Sequence[Any]) -> Ids:
    """The blocks of several rows, one behind the other.

    Of a damaged row nothing, as many times as it has blocks: others are found all the same.
    """
    together = b"".join(row.concepts for row in rows)
    try:
        ids = unpack_blocks(together)
        if len(ids) == sum(row.blocks for row in rows):
            return ids
    except (TypeError, ValueError):
        pass  # each by itself, then
    by_row = [
        np.zeros((row.blocks, MOST_WORDS), dtype=np.uint32) if blocks is None else blocks
        for row in rows
        for blocks in (readable_blocks(row),)
    ]
    return np.concatenate([np.zeros((0, MOST_WORDS), dtype=np.uint32), *by_row])
