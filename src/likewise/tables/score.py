"""How much of two tables each explains of the other, beyond what chance would."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.tables.align import Alignment
from likewise.tables.arrays import TableArrays
from likewise.tables.cells import Cell

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

EMPTY, EQUAL, ALTERED = 0, 1, 2
_BY_CHANCE = 1.5  # bits: -log2 of a number drawn from 0 to 1 is 1.44 on average
_ENOUGH_BITS = 24.0  # less than this is no evidence, however large its share
_FOLLOWS = 0.5  # bits to say that a row follows its neighbour
_JUMP = 0.5  # of the bits that name one row of all: most are not chosen freely
_NEARLY = 0.9  # of a cell's bits at most, unless it is equal
_MOST_TEXTS = 400  # pairs of unequal texts that are looked at
_WORTH_READING = 0.05  # share explained before texts are looked at


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """The score, the share of each table explained, and the state of each aligned cell."""

    score: float
    share_a: float
    share_b: float
    states: NDArray[np.int8]


NOTHING = Explained(0.0, 0.0, 0.0, np.zeros((0, 0), dtype=np.int8))


def explain(a: TableArrays, b: TableArrays, alignment: Alignment) -> Explained:
    """What the alignment explains.

    A cell counts the bits that would tell it from others like it: few for small integers, years and
    short words, fewer where it stands often in its table. An equal partner explains them all; a
    close number or a shortened text those that it saves. To say which row is which costs bits too:
    that is what unrelated tables of small numbers gain by choosing rows that happen to agree. It is
    taken off as Cohen's kappa takes off chance, (explained - chance) / (all - chance).

    The score is the geometric mean of two things: the share explained of both tables (itself the
    geometric mean of the two shares), and the share explained of the rows that found a partner, in
    the table where that is less. Two tables about the same countries have partners for every row,
    and explain little of them.
    """
    total_a, total_b = float(a.bits.sum()), float(b.bits.sum())
    if alignment.turned:
        b = b.turned()
    gained_a, gained_b, states = _gained(a, b, alignment)
    cost = _cost(alignment, a.shape, b.shape)
    share_a = _beyond_chance(gained_a, cost, total_a)
    share_b = _beyond_chance(gained_b, cost, total_b)
    of_rows = min(
        _beyond_chance(gained_a, cost, _bits_of_records(a, alignment.rows_a, alignment.columns_a)),
        _beyond_chance(gained_b, cost, _bits_of_records(b, alignment.rows_b, alignment.columns_b)),
    )
    enough = min(1.0, max(0.0, min(gained_a, gained_b) - cost) / _ENOUGH_BITS)
    score = enough * float(np.sqrt(np.sqrt(share_a * share_b) * of_rows))
    return Explained(min(score, 1.0), share_a, share_b, states)


def _bits_of_records(table: TableArrays, rows: Places, columns: Places) -> float:
    """The bits of the rows that found a partner; of the columns where more of these did."""
    if len(rows) >= len(columns):
        return float(table.bits[rows].sum())
    return float(table.bits[:, columns].sum())


def _gained(
    a: TableArrays, b: TableArrays, alignment: Alignment
) -> tuple[float, float, NDArray[np.int8]]:
    """The bits explained of each table, and the state of each pair of cells."""
    at_a, at_b = (
        np.ix_(alignment.rows_a, alignment.columns_a),
        np.ix_(alignment.rows_b, alignment.columns_b),
    )
    keys_a, keys_b = a.keys[at_a], b.keys[at_b]
    most = np.minimum(a.bits[at_a], b.bits[at_b])
    x, y = a.values[at_a] * alignment.factors, b.values[at_b]
    numeric = np.isfinite(x) & np.isfinite(y)
    coarser = np.maximum(a.grains[at_a] * np.abs(alignment.factors), b.grains[at_b])
    with np.errstate(invalid="ignore"):
        same_number = np.abs(x - y) <= 0.505 * coarser
    equal = np.where(numeric, same_number, (keys_a == keys_b) & (keys_a != 0))
    alike = keys_a == keys_b  # also where one stands in a head, and weighs less
    gained = np.where(equal, most, 0.0)
    for column in range(x.shape[1]):
        close = numeric[:, column] & ~equal[:, column]
        if close.any():
            saved = _closeness(x[close, column], y[close, column], y[numeric[:, column], column])
            gained[close, column] = np.minimum(saved, _NEARLY * most[close, column])
    if gained.sum() > _WORTH_READING * min(a.bits.sum(), b.bits.sum()):
        unequal = ~equal & (keys_a != 0) & (keys_b != 0) & ~numeric
        for row, column in np.argwhere(unequal)[:_MOST_TEXTS].tolist():
            likeness = text_likeness(
                a.cell(int(alignment.rows_a[row]), int(alignment.columns_a[column])),
                b.cell(int(alignment.rows_b[row]), int(alignment.columns_b[column])),
            )
            gained[row, column] = likeness * _NEARLY * most[row, column]
    states = np.where(equal, EQUAL, np.where((keys_a != 0) | (keys_b != 0), ALTERED, EMPTY))
    gained_a = np.where(equal & alike, a.bits[at_a], gained)
    gained_b = np.where(equal & alike, b.bits[at_b], gained)
    return float(gained_a.sum()), float(gained_b.sum()), states.astype(np.int8)


def _closeness(x: Floats, y: Floats, column: Floats) -> Floats:
    """Bits saved by knowing that x lies near y, where the column is as dense as it is around x.

    Of unrelated numbers one lies within the nearest share p of the column with chance p, which
    saves -log2(p) bits; what that gives on average is taken off.
    """
    in_order = np.sort(column)
    around = max(1, len(in_order) // 8)
    at = np.searchsorted(in_order, x)
    low = np.clip(at - around, 0, len(in_order) - 1)
    high = np.clip(at + around, 0, len(in_order) - 1)
    width = in_order[high] - in_order[low]
    share = (high - low) / len(in_order)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        nearer = 2 * np.abs(x - y) / width * share
        saved = -np.log2(nearer) - _BY_CHANCE
    return np.clip(np.nan_to_num(saved, nan=0.0, posinf=0.0, neginf=0.0), 0.0, None)


def _cost(alignment: Alignment, shape_a: tuple[int, int], shape_b: tuple[int, int]) -> float:
    """Bits to write the alignment down."""
    bits = _line_cost(alignment.rows_a, alignment.rows_b, shape_a[0], shape_b[0])
    bits += _line_cost(alignment.columns_a, alignment.columns_b, shape_a[1], shape_b[1])
    factors = np.abs(alignment.factors[alignment.factors != 1.0])
    powers = np.abs(np.log10(factors) - np.rint(np.log10(factors))) < 1e-9
    return bits + 3.0 * int(powers.sum()) + 8.0 * int((~powers).sum()) + 1.0


def _line_cost(a: Places, b: Places, height_a: int, height_b: int) -> float:
    """A line that follows its neighbour in both tables is cheap, another must be named."""
    order = np.argsort(a)
    follows = (np.diff(a[order]) == 1) & (np.diff(b[order]) == 1)
    name = 0.5 * (np.log2(max(height_a, 1)) + np.log2(max(height_b, 1)))
    following = int(follows.sum())
    return float(_FOLLOWS * following + _JUMP * name * (len(a) - following))


def _beyond_chance(explained: float, cost: float, total: float) -> float:
    return max(0.0, (explained - cost) / (total - cost)) if total > cost else 0.0


# Texts of cells that say nearly the same: shortened, with a word more or less.


_WORD = re.compile(r"\w+\.?")


def text_likeness(a: Cell, b: Cell) -> float:
    """How much of the longer text the shorter one repeats, from 0 to 1.

    >>> from likewise.tables.cells import read_cell
    >>> text_likeness(read_cell("Corp. TechBud"), read_cell("Corporation TechBud"))
    1.0
    >>> text_likeness(read_cell("In."), read_cell("Income")), text_likeness(Cell("text", "in"),
    ...     Cell("text", "income"))
    (1.0, 0.0)
    """
    if a.formulas and b.formulas:
        relation = a.formulas[0].likeness(b.formulas[0])
        return {"same": 1.0, "template": 0.5, "other": 0.0}[relation]
    if not a.text or not b.text:
        return 0.0
    ours = _WORD.findall(a.text[:200].casefold())
    theirs = _WORD.findall(b.text[:200].casefold())
    if not ours or not theirs:
        return 0.0
    if len(ours) > len(theirs):
        ours, theirs = theirs, ours
    letters = sum(map(len, theirs))
    found_letters = 0
    unmatched = list(theirs)
    for word in ours:
        partner = next((other for other in unmatched if _same_word(word, other)), None)
        if partner is not None:
            unmatched.remove(partner)
            found_letters += len(partner)
    return found_letters / letters


def _same_word(a: str, b: str) -> bool:
    """The same, or one shortened to a beginning with a full stop."""
    if a.rstrip(".") == b.rstrip("."):
        return True
    return (a.endswith(".") and b.startswith(a[:-1])) or (b.endswith(".") and a.startswith(b[:-1]))
