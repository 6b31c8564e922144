"""Formulas of Word: what is written for each element of OMML."""

from __future__ import annotations

from likewise.reading.formulas.tex_writer import (
    ACCENTS,
    Action,
    Writer,
    characters,
    child_of,
    children_of,
    element_text,
    fraction,
    framed,
    grouped,
    in_rows,
    is_on,
    name_of,
    property_of,
    root,
    scripted,
    symbol,
)
from likewise.reading.package import Element


def _run(writer: Writer, element: Element) -> str:
    texts = [child for child in children_of(element) if name_of(child) == "t"]
    if is_on(child_of(child_of(element, "rPr"), "nor")):
        return "".join(element_text(writer, text) for text in texts)
    return writer.all(texts)


def _text(_writer: Writer, element: Element) -> str:
    return symbol("".join(element.itertext()))


def _fraction(writer: Writer, element: Element) -> str:
    over, under = writer.child(element, "num"), writer.child(element, "den")
    kind = property_of(element, "fPr", "type", "bar")
    if kind == "lin":
        return f"{grouped(over)}/{grouped(under)}"
    return fraction(over, under, has_bar=kind != "noBar")


def _root(writer: Writer, element: Element) -> str:
    return root(writer.child(element, "e"), writer.child(element, "deg"))


def _scripts(writer: Writer, element: Element) -> str:
    base = writer.child(element, "e")
    below, above = writer.child(element, "sub"), writer.child(element, "sup")
    if name_of(element) == "sPre":
        return scripted("{}", below, above) + base
    return scripted(base, below, above)


def _limit(writer: Writer, element: Element) -> str:
    base, limit = writer.child(element, "e"), writer.child(element, "lim")
    low = name_of(element) == "limLow"
    return scripted(base, limit if low else "", "" if low else limit)


def _many(writer: Writer, element: Element) -> str:
    sign = characters(property_of(element, "naryPr", "chr", "∫"))
    below, above = writer.child(element, "sub"), writer.child(element, "sup")
    return f"{scripted(sign, below, above)} {writer.child(element, 'e')}"


def _fenced(writer: Writer, element: Element) -> str:
    opening, between, closing = (
        property_of(element, "dPr", name, otherwise)
        for name, otherwise in (("begChr", "("), ("sepChr", "|"), ("endChr", ")"))
    )
    parts = [writer.of(child) for child in children_of(element) if name_of(child) == "e"]
    return framed(opening, parts, between, closing)


def _function(writer: Writer, element: Element) -> str:
    return f"{writer.child(element, 'fName')} {writer.child(element, 'e')}"


def _accent(writer: Writer, element: Element) -> str:
    sign = property_of(element, "accPr", "chr", "\u0302")
    base = writer.child(element, "e")
    if accent := ACCENTS.get(sign):
        return f"\\{accent}{{{base}}}"
    return f"\\overset{{{characters(sign)}}}{{{base}}}"


def _bar(writer: Writer, element: Element) -> str:
    above = property_of(element, "barPr", "pos", "bot") == "top"
    return f"\\{'overline' if above else 'underline'}{{{writer.child(element, 'e')}}}"


def _matrix(writer: Writer, element: Element) -> str:
    rows = [row for row in children_of(element) if name_of(row) == "mr"]
    return in_rows(" & ".join(writer.parts(row, 0)) for row in rows)


def _equations(writer: Writer, element: Element) -> str:
    return in_rows(writer.of(row) for row in children_of(element) if name_of(row) == "e")


OF_WORD: dict[str, Action] = {
    "f": _fraction,
    "rad": _root,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts,
    "limLow": _limit,
    "limUpp": _limit,
    "nary": _many,
    "d": _fenced,
    "func": _function,
    "acc": _accent,
    "bar": _bar,
    "m": _matrix,
    "eqArr": _equations,
    "r": _run,
    "t": _text,
}
