"""Characters that paper cannot show, replaced one for one, so that every place stays put."""

from __future__ import annotations

import re

SIGN = "\ufffd"
# Controls, the marks that turn the direction of what follows them (a name could pose as another),
# halves of surrogate pairs, and the non-characters that XML forbids.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_REPLACEMENTS = {"\r": " ", "\f": "\n", "\v": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}


def printable(text: str) -> str:
    """The text with a sign for each character that would do something instead of being seen.

    >>> printable("a\\x00b\\u202ec\\r\\n")
    'a\ufffdb\ufffdc \\n'
    """
    return _UNPRINTABLE.sub(lambda match: _REPLACEMENTS.get(match[0], SIGN), text)


def in_one_line(text: str) -> str:
    """The same without line ends and doubled blanks: for names, headings and cells.

    >>> in_one_line("a\\n  b")
    'a b'
    """
    return " ".join(printable(text).split())


def shorten(text: str, longest: int) -> str:
    """A name without its middle, where it is long.

    >>> shorten("semester-3/essays/the-steppe-in-autumn.docx", 24)
    'semester-3/ess…utumn.docx'
    """
    text = in_one_line(text)
    if len(text) <= longest + 1:
        return text
    end = longest * 9 // 20
    return f"{text[: longest - end]}…{text[-end:]}"
