"""The words of a formula."""

from __future__ import annotations

from likewise.reading.package import Element

MATH = "{http://www.w3.org/1998/Math/MathML}"


def formula_text(math: Element) -> str:
    """The words, numbers and signs of a formula in order.

    >>> from likewise.reading.package import parse_xml
    >>> formula_text(parse_xml(
    ...     b'<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>=</mo><mn>2</mn></math>'
    ... ))
    'x = 2'
    """
    tokens = math.iter(*(MATH + name for name in ("mi", "mn", "mo", "mtext", "ms")))
    words = (" ".join("".join(token.itertext()).split()) for token in tokens)
    return " ".join(word for word in words if word)
