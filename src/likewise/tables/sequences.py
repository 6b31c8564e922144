"""A table as two sequences, its words in canonical form and its numbers, as paper 004 takes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.language import Lexicon, words_of
from likewise.settings import Settings
from likewise.tables.cells import Cell
from likewise.tables.layout import Layout


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
