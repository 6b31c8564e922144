"""A formula while it is written as TeX, element by element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from likewise.reading.formulas.elements import child_of, children_of, name_of
from likewise.reading.formulas.signs import FUNCTIONS, characters, plain_characters
from likewise.reading.package import Element

_DEEPEST = 60  # elements inside each other; what stands deeper is passed over
_MOST_ELEMENTS = 3_000
LONGEST = 4_000  # characters; a longer formula is a page, and stays words
# What was deleted, what stands in for something that was read, what is not shown.
_SILENT = frozenset("del moveFrom Fallback annotation annotation-xml mphantom none".split())
_ATOM = re.compile(r"\\[a-zA-Z]+ ?|\d+|.", re.DOTALL)


Action = Callable[["Writer", Element], str]


class TooLongError(Exception):
    """A formula has more elements, or longer TeX, than anybody writes."""


class Writer:
    """A formula while it is written, and how much of it may still come.

    `actions` says what is written for which element; of any other one, what stands in it.
    """

    def __init__(self, actions: Mapping[str, Action]) -> None:
        self._actions = actions
        self._left = _MOST_ELEMENTS
        self._depth = 0

    def of(self, element: Element | None) -> str:
        """The TeX of one element."""
        if element is None or self._depth > _DEEPEST:
            return ""
        name = name_of(element)
        self._left -= 1
        if self._left < 0:
            raise TooLongError
        if name in _SILENT or name.endswith("Pr"):
            return ""
        self._depth += 1
        tex = self._actions.get(name, every)(self, element)
        self._depth -= 1
        if len(tex) > LONGEST:
            raise TooLongError
        return tex

    def all(self, elements: Iterable[Element]) -> str:
        """The TeX of some elements, one after the other."""
        return "".join(map(self.of, elements))

    def named(self, element: Element, name: str) -> str:
        """The TeX of the first child of this name."""
        return self.of(child_of(element, name))

    def parts(self, element: Element, count: int) -> list[str]:
        """The TeX of the children, at least so many."""
        found = [self.of(child) for child in children_of(element)]
        return found + [""] * (count - len(found))


def every(writer: Writer, element: Element) -> str:
    """Everything in an element, in order."""
    return writer.all(children_of(element))


def said(_writer: Writer, element: Element) -> str:
    """Words in a formula."""
    text = "".join(element.itertext())
    words = plain_characters(" ".join(text.split()))
    return f"\\text{{{words}}}" if words else ""


def scripted(base: str, below: str, above: str) -> str:
    """Something with what stands below and above it.

    >>> scripted("x", "", "2"), scripted("a+b", "i", "2")
    ('x^{2}', '{a+b}_{i}^{2}')
    """
    tex = grouped(base) if below or above else base
    tex = f"{tex.rstrip()}_{{{below}}}" if below else tex
    return f"{tex.rstrip()}^{{{above}}}" if above else tex


def grouped(tex: str) -> str:
    """In braces, unless it is one letter, name or number."""
    return tex if tex == "{}" or _ATOM.fullmatch(tex) else f"{{{tex}}}"


def symbol(text: str) -> str:
    """What one sign or name is: a function that TeX knows, or its characters."""
    return f"\\{text.strip()} " if text.strip() in FUNCTIONS else characters(text)


def framed(opening: str, parts: Iterable[str], between: str, closing: str) -> str:
    """Parts between brackets of whatever kind."""
    inside = characters(between).join(parts)
    return f"{characters(opening)}{inside}{characters(closing)}"


def in_rows(rows: Iterable[str]) -> str:
    """Rows below each other."""
    return "\\begin{matrix} " + " \\\\ ".join(rows) + " \\end{matrix}"


def fraction(over: str, under: str, *, has_bar: bool = True) -> str:
    return f"\\{'frac' if has_bar else 'binom'}{{{over}}}{{{under}}}"


def root(base: str, degree: str = "") -> str:
    return f"\\sqrt[{degree}]{{{base}}}" if degree else f"\\sqrt{{{base}}}"
