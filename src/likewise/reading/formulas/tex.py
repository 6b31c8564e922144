"""Formulas as TeX, alone and among words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from likewise.reading.formulas.mathml import OF_MATHML
from likewise.reading.formulas.omml import OF_WORD
from likewise.reading.formulas.tex_writer import TooLongError, Writer
from likewise.reading.package import Element

_ACTIONS = OF_WORD | OF_MATHML  # no element of the one is called as one of the other
_BLANK_AFTER_NAME = re.compile(r"(\\[a-zA-Z]+) +(?![a-zA-Z])")
_LEADING_NUMBER = re.compile(r"[\d.,]+")
# Each sign is read in one way only: a blank is never part of what stands before it.
_NO_FORMULA = re.compile(r"(?:\\pm|\\%|\\text\{[^{}]*\}|[^\\^_=<>*/a-zA-Z])*+")


def tex_of(element: Element) -> str:
    r"""The TeX of a formula; nothing where it is too long for one, or has nothing in it.

    >>> from likewise.reading.package import parse_xml
    >>> tex_of(parse_xml(b"<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"))
    '\\frac{a}{b}'
    >>> tex_of(parse_xml(b"<oMath><rad><e><r><t>x+1</t></r></e></rad></oMath>"))
    '\\sqrt{x+1}'
    """
    try:
        return _tidy(Writer(_ACTIONS).of(element))
    except TooLongError:
        return ""


def in_dollars(tex: str) -> str:
    r"""A formula as it stands among words; nothing where it is only a number or words.

    A dollar before a digit is a price to many readers, so a number in front stands in braces.

    >>> in_dollars("2x+1"), in_dollars("-12.5")
    ('${2}x+1$', '')
    """
    if _NO_FORMULA.fullmatch(tex):
        return ""
    number = _LEADING_NUMBER.match(tex)
    return f"${{{number[0]}}}{tex[number.end() :]}$" if number else f"${tex}$"


def with_formulas(words: str, formulas: Iterable[tuple[int, int, str]]) -> str:
    """A text with its formulas, each `from`, `to` and in TeX, in place of their words.

    >>> with_formulas("speed s t of light", [(6, 9, "s/t")])
    'speed $s/t$ of light'
    """
    parts, done = [], 0
    for first, past, tex in formulas:
        if quoted := in_dollars(tex):
            parts += [words[done:first], quoted]
            done = past
    return "".join([*parts, words[done:]])


def _tidy(tex: str) -> str:
    return _BLANK_AFTER_NAME.sub(r"\1", " ".join(tex.split()))
