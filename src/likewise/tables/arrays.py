"""A table as arrays: for every cell a key that equal cells share, its value, and its weight."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.language import Lexicon, words_of
from likewise.tables.cells import Cell
from likewise.tables.layout import Layout

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

FINE, COARSE = 6, 3  # digits of a number that make its keys: rounding keeps the coarse one
_BETWEEN = " ; "  # no word is joined across cells, not even a hyphenated one
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, slots=True, eq=False)
class TableArrays:
    """All that comparing needs of a table; arrays are rows by columns.

    A number's key is of its first digits alone, without sign, decimal sign and zeros around them:
    rounded numbers and changed units (thousands, percent) keep it. `bits` says how rarely a cell
    like this is met: so many bits would tell it from others.
    """

    keys: Keys  # 0 where the cell is empty
    coarse: Keys
    values: Floats  # NaN where the cell is no number
    grains: Floats  # the size of the last digit written
    bits: Floats
    in_column: Floats  # how often the key stands in its column
    in_row: Floats
    words: Keys  # distinct words of all cells
    ratios: Keys  # of numbers of a column
    layout: Layout
    is_turned: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.keys.shape
        return rows, columns

    def turned(self) -> TableArrays:
        """Rows as columns."""
        return TableArrays(
            self.keys.T,
            self.coarse.T,
            self.values.T,
            self.grains.T,
            self.bits.T,
            self.in_row.T,
            self.in_column.T,
            self.words,
            self.ratios,
            self.layout,
            not self.is_turned,
        )

    def cell(self, row: int, column: int) -> Cell:
        """The cell at a place of the arrays."""
        if self.is_turned:
            row, column = column, row
        return self.layout.cells[row][column]


def table_arrays(layout: Layout, lexicon: Lexicon) -> TableArrays:
    """The arrays of a table."""
    height = len(layout.cells)
    width = len(layout.cells[0]) if height else 0
    cells = [cell for row in layout.cells for cell in row]
    values = np.full(len(cells), np.nan)
    grains = np.ones(len(cells))
    bits = np.zeros(len(cells))
    for place, cell in enumerate(cells):
        if cell.kind == "number" or (len(cell.numbers) == 1 and not cell.text):
            number = cell.numbers[0]
            values[place], grains[place] = number.value, number.grain
        elif cell.kind != "empty":
            bits[place] = _bits_of(cell)
    numeric = ~np.isnan(values)
    keys, words = _text_keys(cells, numeric, lexicon)
    bits[numeric] = number_bits(values[numeric], grains[numeric])
    coarse = keys.copy()
    keys[numeric] = number_keys(values[numeric], FINE)
    coarse[numeric] = number_keys(values[numeric], COARSE)
    bits[: layout.head * width] /= 2  # a heading is renamed in a moment
    bits = repeated_bits(keys, bits)
    shape = (height, width)
    return TableArrays(
        keys.reshape(shape),
        coarse.reshape(shape),
        values.reshape(shape),
        grains.reshape(shape),
        bits.reshape(shape),
        _times_in_columns(keys.reshape(shape)),
        _times_in_columns(keys.reshape(shape).T).T,
        words,
        ratios_in(values.reshape(shape)),
        layout,
    )


def number_keys(values: Floats, digits: int) -> Keys:
    """Keys by the first digits.

    >>> keys = number_keys(np.array([1234.0, 1.2344, -0.01234, 0.0, 999.9, 1.0]), 3)
    >>> bool(keys[0] == keys[1] == keys[2]), len(set(keys.tolist()))
    (True, 3)
    """
    size = np.abs(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.floor(np.log10(size))
        first = np.rint(size / 10.0 ** (power - digits + 1))
    first = np.where(size > 0, first, 0)
    first = np.where(first >= 10**digits, first / 10, first)
    return _mixed(first.astype(np.uint64) + np.uint64(1)) | np.uint64(1)


def _times_in_columns(keys: Keys) -> Floats:
    columns = np.arange(keys.shape[1], dtype=np.uint64) * _GOLDEN
    _, which, times = np.unique(_mixed(keys ^ columns), return_inverse=True, return_counts=True)
    return times[which.ravel()].reshape(keys.shape).astype(np.float64)


def _bits_of(cell: Cell) -> float:
    bits = text_bits(cell.text) + sum(date_bits(day) for day in cell.dates)
    for number in cell.numbers:  # one by one arrays would cost more than they save
        digits = f"{abs(number.value):.6g}".strip("0.").replace(".", "")
        bits += 3.0 * len(digits)
    return min(bits + 10.0 * len(cell.formulas), 16.0)


def _mixed(keys: Keys) -> Keys:
    keys = (keys + _GOLDEN) * _MIX
    return keys ^ (keys >> np.uint64(29))


def _text_keys(
    cells: Sequence[Cell], numeric: NDArray[np.bool_], lexicon: Lexicon
) -> tuple[Keys, Keys]:
    """A key for each cell that is no number, from its words in any order; and all those words."""
    keys = np.zeros(len(cells), dtype=np.uint64)
    text_places = [
        place for place, cell in enumerate(cells) if cell.kind != "empty" and not numeric[place]
    ]
    if not text_places:
        return keys, keys[:0]
    texts = [cells[place].text for place in text_places]
    starts = np.cumsum([0, *(len(text) + len(_BETWEEN) for text in texts)])
    words = words_of(_BETWEEN.join(texts), lexicon)
    owner = np.searchsorted(starts, words.start, side="right") - 1
    sums = np.zeros(len(text_places), dtype=np.uint64)
    np.add.at(sums, owner, _mixed(words.hash))
    for row, place in enumerate(text_places):
        cell = cells[place]
        rest = _written_rest(cell, bool(sums[row]))
        if rest:
            digest = hashlib.blake2b(rest.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            sums[row] ^= np.uint64(int.from_bytes(digest, "little"))
    keys[text_places] = _mixed(sums) & ~np.uint64(1)
    return keys, np.unique(words.hash)


def _written_rest(cell: Cell, has_words: bool) -> str:
    """What a cell holds beside canonical words, in one form."""
    parts = list(cell.dates)
    if cell.text and not has_words:  # stop words alone, or signs
        parts.append(" ".join(cell.text.casefold().split()))
    parts += [f"{number.value:.3g}" for number in cell.numbers]
    parts += [f"{formula.template} {formula.distinctive}" for formula in cell.formulas]
    if cell.kind == "picture":
        parts.append("picture")
    return "\n".join(parts)


# How much a shared cell says: small integers, years and short words are shared by chance.


MOST_BITS = 14.0
_DIGIT = 3.32  # bits a digit tells


def number_bits(values: Floats, grains: Floats) -> Floats:
    """How rare a number is by its looks: its digits without the zeros around them.

    >>> number_bits(np.array([7.0, 1999.0, 336.85, 5000.0]), np.array([1, 1, 0.01, 1])).round(1)
    array([ 2. ,  3. , 14. ,  3.3])
    """
    size = np.abs(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        digits_written = np.where(
            size > 0, np.floor(np.log10(size)) - np.rint(np.log10(grains)) + 1, 1
        )
        digits_written = np.clip(np.nan_to_num(digits_written, nan=1, posinf=16, neginf=1), 1, 15)
        whole = np.rint(size / grains)
    zeros = np.zeros(len(values))
    for power in range(1, 13):  # trailing zeros tell nothing
        zeros += (whole > 0) & (np.mod(whole, 10.0**power) == 0)
    digits = np.clip(digits_written - zeros, 1, None)
    bits = np.clip(_DIGIT * digits, 0, MOST_BITS)
    is_whole = (grains == 1) | (whole * grains == np.floor(whole * grains))
    bits = np.where(is_whole & (size <= 12), 2.0, bits)
    bits = np.where(is_whole & (size > 12) & (size <= 31), 4.0, bits)
    return np.where(is_whole & (size >= 1900) & (size <= 2100), 3.0, bits)


def text_bits(text: str) -> float:
    """How rare a text is by its length.

    >>> text_bits("Yes"), text_bits("Northern Kazakhstan")
    (4.5, 14.0)
    """
    letters = sum(char.isalnum() for char in text[:40])
    return min(1.5 * letters, MOST_BITS) if letters else (1.0 if text else 0.0)


def date_bits(day: str) -> float:
    """A day tells more than a month, a month more than a time."""
    return {10: 7.0, 7: 5.0, 8: 6.0}.get(len(day), 7.0 if len(day) > 10 else 5.0)


def repeated_bits(keys: NDArray[np.uint64], bits: Floats) -> Floats:
    """Less for a cell that stands often in its own table: told once, it costs little again."""
    flat = keys.ravel()
    if not flat.size:
        return bits
    _, which, times = np.unique(flat, return_inverse=True, return_counts=True)
    often = times[which.ravel()].reshape(keys.shape)
    return np.minimum(bits, np.log2(flat.size / often) + bits / often)


# Ratios inside columns: what stays when a column is given in another unit.


_MOST_RATIOS = 24  # of a column
_MOST_LINES = 16
_LARGEST = 24  # numbers of a column whose ratios are taken
_FEWEST = 4
_LEAST_COMMON = 0.25  # of the ratios of one of two tables, if numbers were multiplied
_STEP = 0.004  # of a logarithm: about three digits
_LEAST_APART = 0.2  # of logarithms: numbers close to each other have the same few ratios anywhere
_SALT = np.uint64(0x27D4EB2F165667C5)


def ratios_in(values: Floats) -> Keys:
    """Keys of ratios of the largest numbers of each column, and of each row of a wide table.

    Of each line those with the smallest hashes are kept, which copies have in common.
    """
    parts = [np.zeros(0, dtype=np.uint64)]
    for lines in (values.T, values):
        if len(lines) <= _MOST_LINES:
            parts += [_ratios(line) for line in lines]
    return np.unique(np.concatenate(parts))


def may_be_scaled(a: Keys, b: Keys) -> bool:
    """Whether two tables have so many ratios in common that one may be the other times factors."""
    fewest = min(len(a), len(b))
    if fewest < _FEWEST:
        return False
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common >= max(_FEWEST, _LEAST_COMMON * fewest)


def _ratios(line: Floats) -> Keys:
    numbers = np.abs(line[np.isfinite(line)])
    numbers = np.unique(numbers[numbers > 0])[-_LARGEST:]
    if len(numbers) < _FEWEST:
        return np.zeros(0, dtype=np.uint64)
    logs = np.log(numbers)
    first, second = np.triu_indices(len(numbers), 1)
    apart = logs[second] - logs[first]
    steps = np.rint(apart[apart > _LEAST_APART] / _STEP).astype(np.uint64)
    keys = (steps ^ _SALT) * _GOLDEN
    return np.unique(keys ^ (keys >> np.uint64(31)))[:_MOST_RATIOS]
