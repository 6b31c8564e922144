"""Texts of cells that say nearly the same: shortened, with a word more or less."""

from __future__ import annotations

import re

from likewise.tables.cells import Cell

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
        found = a.formulas[0].likeness(b.formulas[0])
        return {"same": 1.0, "template": 0.5, "other": 0.0}[found]
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
    left = list(theirs)
    for word in ours:
        partner = next((other for other in left if _same_word(word, other)), None)
        if partner is not None:
            left.remove(partner)
            found_letters += len(partner)
    return found_letters / letters


def _same_word(a: str, b: str) -> bool:
    """The same, or one shortened to a beginning with a full stop."""
    if a.rstrip(".") == b.rstrip("."):
        return True
    return (a.endswith(".") and b.startswith(a[:-1])) or (b.endswith(".") and a.startswith(b[:-1]))
