"""The method of paper 004, as published: windows of words and of numbers, two thresholds.

Lizunov, Biloshchytskyi, Kuchansky, Biloshchytska, Chala: Detection of near dublicates in tables
based on the locality-sensitive hashing method and the nearest neighbor method (2016). Formula
numbers are the paper's. It stands here to be compared with, and for those who ask for it:
`likewise.tables.matching_tables` does better.

Formula (13) subtracts the smallest of the input's own distances, so the nearest window always comes
out as 0 and condition (14) holds for any two tables that have more than one window of numbers. That
is the method, and is not mended here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from likewise.errors import BadSettings
from likewise.language import Lexicon, words_of
from likewise.settings import Settings
from likewise.tables.cells import Cell
from likewise.tables.layout import Layout

Metric = Literal["euclidean", "city-block", "minkowski"]
Verdict = Literal["near-duplicate", "worth a look", "different"]
Floats = NDArray[np.float64]
Rows = TypeVar("Rows", NDArray[np.uint64], NDArray[np.float64])

MOST_WINDOWS = 4_096  # of a table; more are thinned out evenly, since each meets each
_METRICS = ("euclidean", "city-block", "minkowski")


@dataclass(frozen=True, slots=True)
class Windows:
    """The parameters of the paper: h, c and λH for words, g, ρ and λρ for numbers."""

    words: int = 3
    bits: int = 64
    most_hamming: float = 0.1
    numbers: int = 3
    metric: Metric = "euclidean"
    power: float = 3.0  # t, of the Minkowski distance
    most_distance: float = 0.1

    def __post_init__(self) -> None:
        if self.words < 1 or self.numbers < 1:
            raise BadSettings("core.empty_window")
        if not 1 <= self.bits <= 64:
            raise BadSettings("core.setting_range", name="bits", value=self.bits, low=1, high=64)
        if self.metric not in _METRICS:
            raise BadSettings(
                "core.setting_choice",
                name="metric",
                value=repr(self.metric),
                choices=tuple(_METRICS),
            )
        if self.power < 1:
            raise BadSettings("core.minkowski_power", power=str(self.power))
        for name, value in (
            ("most_hamming", self.most_hamming),
            ("most_distance", self.most_distance),
        ):
            if not 0 <= value <= 1:
                raise BadSettings(
                    "core.setting_share_from", name=name, value=str(value), low=0, high=1
                )


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """What conditions (8) and (14) say, and how many of the input's windows they hold for."""

    words_alike: bool
    numbers_alike: bool
    word_windows: float  # share of them with a window within λH
    number_windows: float  # share of them with a normalised distance below λρ

    @property
    def verdict(self) -> Verdict:
        """Both conditions make it sure, one alone is worth a look."""
        if self.words_alike and self.numbers_alike:
            return "near-duplicate"
        return "worth a look" if self.words_alike or self.numbers_alike else "different"

    @property
    def score(self) -> float:
        """The paper has no score; to rank by, the mean of the two shares."""
        return (self.word_windows + self.number_windows) / 2


def compare_as_published(
    ours: Sequences, theirs: Sequences, windows: Windows | None = None
) -> PaperMatch:
    """Steps 6 to 12 of the paper for the input table and one table of the base."""
    sizes = windows or Windows()
    hamming = nearest_codes(
        codes_of(ours.words, sizes.words, sizes.bits),
        codes_of(theirs.words, sizes.words, sizes.bits),
        sizes.bits,
    )
    distances = normalised(nearest_windows(ours.numbers, theirs.numbers, sizes))
    words = hamming < sizes.most_hamming
    numbers = distances < sizes.most_distance
    return PaperMatch(
        bool(words.any()),
        bool(numbers.any()),
        float(words.mean()) if len(words) else 0.0,
        float(numbers.mean()) if len(numbers) else 0.0,
    )


def codes_of(words: NDArray[np.uint64], size: int, bits: int) -> NDArray[np.uint64]:
    """(5), (6): each window of words as a locality-sensitive code (Charikar's SimHash).

    A bit is that of the majority of the window's words, so windows that share words share bits.
    """
    if not len(words):
        return np.zeros(0, dtype=np.uint64)
    places = np.arange(bits, dtype=np.uint64)
    signs = ((words[:, None] >> places) & np.uint64(1)).astype(np.int32) * 2 - 1
    sums = np.vstack([np.zeros((1, bits), dtype=np.int64), np.cumsum(signs, axis=0)])
    size = min(size, len(words))
    majority = (sums[size:] - sums[:-size]) > 0
    codes: NDArray[np.uint64] = (majority.astype(np.uint64) << places).sum(axis=1, dtype=np.uint64)
    return _thinned(codes)


def nearest_codes(ours: NDArray[np.uint64], theirs: NDArray[np.uint64], bits: int) -> Floats:
    """(7): for each code the share of bits in which the nearest of the others differs."""
    if not len(ours) or not len(theirs):
        return np.ones(0)
    nearest = [
        np.bitwise_count(part[:, None] ^ theirs[None, :]).min(axis=1) / bits
        for part in _parts(ours, len(theirs))
    ]
    return np.concatenate(nearest)


def nearest_windows(ours: Floats, theirs: Floats, windows: Windows) -> Floats:
    """(9) to (12): for each window of numbers the distance to the nearest of the others."""
    size = min(windows.numbers, len(ours), len(theirs))
    if not size:
        return np.zeros(0)
    a = _thinned(sliding_window_view(ours, size))
    b = _thinned(sliding_window_view(theirs, size))
    power = {"euclidean": 2.0, "city-block": 1.0}.get(windows.metric, windows.power)
    # Scaled to 1, so that no power of a large number overflows.
    most = max(float(np.abs(a).max()), float(np.abs(b).max())) or 1.0
    nearest = []
    for part in _parts(a, len(b) * size):
        apart = np.abs(part[:, None, :] / most - b[None, :, :] / most)
        nearest.append((apart**power).sum(axis=2).min(axis=1) ** (1 / power))
    return np.concatenate(nearest) * most


def normalised(distances: Floats) -> Floats:
    """(13): distances from 0 to 1, by the input's own smallest and largest.

    Where all are equal the formula divides nothing by nothing: windows that all are found as they
    stand count as 0 apart, others as 1.

    >>> normalised(np.array([2.0, 4.0, 3.0])), normalised(np.array([5.0, 5.0]))
    (array([0. , 1. , 0.5]), array([1., 1.]))
    """
    if not len(distances):
        return distances
    least, most = float(distances.min()), float(distances.max())
    if most > least:
        return (distances - least) / (most - least)
    return np.zeros(len(distances)) if most == 0 else np.ones(len(distances))


def _thinned(rows: Rows) -> Rows:
    if len(rows) <= MOST_WINDOWS:
        return rows
    return rows[np.linspace(0, len(rows) - 1, MOST_WINDOWS).astype(np.int64)]


def _parts(rows: Rows, each: int) -> Iterator[Rows]:
    """Rows in parts whose tables of distances stay within some megabytes."""
    step = max(1, 2_000_000 // max(each, 1))
    for start in range(0, len(rows), step):
        yield rows[start : start + step]


# A table as two sequences, its words in canonical form and its numbers, as paper 004 takes it.


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """The pair ⟨N, S⟩ of formula (2): hashes of canonical words, and numbers, row by row."""

    words: NDArray[np.uint64]
    numbers: NDArray[np.float64]


def sequences_of(layout: Layout, lexicon: Lexicon) -> Sequences:
    """Words without stop words and signs, numbers with one decimal sign, in reading order.

    Formulas and pictures are set aside; a date counts as words; a cell of several kinds gives its
    words to the one sequence and its numbers to the other.
    """
    cells = [cell for row in layout.cells for cell in row]
    text = "\n".join(part for cell in cells for part in _words_in(cell))
    numbers = [number.value for cell in cells for number in cell.numbers]
    return Sequences(words_of(text, lexicon).hash, np.array(numbers, dtype=np.float64))


def word_rules(settings: Settings | None = None) -> Lexicon:
    """The lexicon that the words of tables go through."""
    return Lexicon(settings or Settings())


def _words_in(cell: Cell) -> Iterator[str]:
    if cell.text:
        yield cell.text
    for day in cell.dates:  # one word each: its parts alone would match every other date
        yield day.replace("-", "").replace(":", "")
