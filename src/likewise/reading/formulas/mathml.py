"""Formulas of web pages and OpenDocument: what is written for each element of MathML."""

from __future__ import annotations

import re

from likewise.reading.formulas.tex_writer import (
    ACCENTS,
    FUNCTIONS,
    LONGEST,
    Action,
    Writer,
    attribute_of,
    children_of,
    element_text,
    every,
    fraction,
    framed,
    in_rows,
    name_of,
    root,
    scripted,
    symbol,
)
from likewise.reading.package import Element

_SIZE = re.compile(r"\\(?:display|text)style\b ?")


def annotation_tex(annotation: str) -> str:
    r"""TeX that came along with a formula, without what only says how large it is set.

    >>> annotation_tex(r"{\displaystyle E=mc^{2}}")
    '{E=mc^{2}}'
    """
    tex = " ".join(_SIZE.sub("", annotation.replace("$", " ")).split())
    return tex if len(tex) <= LONGEST else ""


def _word(_writer: Writer, element: Element) -> str:
    """A name, number or sign; names of several letters are upright in MathML."""
    text = "".join(element.itertext()).strip()
    is_name = name_of(element) == "mi" and len(text) > 1 and text.isascii() and text.isalpha()
    return f"\\mathrm{{{text}}}" if is_name and text not in FUNCTIONS else symbol(text)


def _semantics(writer: Writer, element: Element) -> str:
    children = children_of(element)
    for child in children:
        is_tex = "tex" in attribute_of(child, "encoding").casefold()
        if is_tex and (tex := annotation_tex("".join(child.itertext()))):
            return tex
    return writer.all(children[:1])


def _fraction(writer: Writer, element: Element) -> str:
    over, under = writer.parts(element, 2)[:2]
    return fraction(over, under, has_bar=attribute_of(element, "linethickness") not in ("0", "0px"))


def _square_root(writer: Writer, element: Element) -> str:
    return root(every(writer, element))


def _root(writer: Writer, element: Element) -> str:
    base, degree = writer.parts(element, 2)[:2]
    return root(base, degree)


def _scripts(writer: Writer, element: Element) -> str:
    base, first, second = writer.parts(element, 3)[:3]
    name = name_of(element)
    if name == "mover":
        sign = "".join(text for child in children_of(element)[1:2] for text in child.itertext())
        if accent := ACCENTS.get(sign.strip()):
            return f"\\{accent}{{{base}}}"
    if name in ("msup", "mover"):
        first, second = "", first
    return scripted(base, first, second)


def _fenced(writer: Writer, element: Element) -> str:
    opening, closing = attribute_of(element, "open", "("), attribute_of(element, "close", ")")
    between = attribute_of(element, "separators", ",").strip()[:1]
    return framed(opening, writer.parts(element, 0), between, closing)


def _matrix(writer: Writer, element: Element) -> str:
    rows = [row for row in children_of(element) if name_of(row) in ("mtr", "mlabeledtr")]
    return in_rows(" & ".join(writer.parts(row, 0)) for row in rows)


OF_MATHML: dict[str, Action] = {
    "semantics": _semantics,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "msup": _scripts,
    "msub": _scripts,
    "msubsup": _scripts,
    "mover": _scripts,
    "munder": _scripts,
    "munderover": _scripts,
    "mfenced": _fenced,
    "mtable": _matrix,
    "mi": _word,
    "mn": _word,
    "mo": _word,
    "mtext": element_text,
    "ms": element_text,
}
