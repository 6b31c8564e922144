"""Plain text: Unicode in the encodings that announce themselves, and UTF-8."""

from __future__ import annotations

import codecs
import re

from likewise.errors import BadInput

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT = 1 << 16
_JUNK_SHARE = 0.1  # of control characters: text has hardly any, machine code a third
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")


def decode(data: bytes, name: str) -> str:
    """The text in some bytes; `BadInput` where they are none.

    >>> decode(b"\\xff\\xfea\\x00b\\x00", "a.txt")
    'ab'
    """
    encoding = "utf-8"
    for mark, announced in _MARKS:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], announced
            break
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if len(_CONTROL.findall(data[:_LOOKED_AT].decode("latin-1"))) > _allowed(data):
            raise BadInput(f"{name}: binary data, not text") from error
        raise BadInput(
            f"{name}: not {encoding.upper()} text (byte {error.start + 1}); save it as UTF-8"
        ) from error
    if len(_CONTROL.findall(text[:_LOOKED_AT])) > _allowed(text):
        raise BadInput(f"{name}: binary data, not text")
    return text


def _allowed(content: str | bytes) -> float:
    return _JUNK_SHARE * min(len(content), _LOOKED_AT)
