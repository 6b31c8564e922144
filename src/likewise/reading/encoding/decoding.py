"""Bytes to text, in whatever encoding they are.

Unicode is recognised by its mark, its validity or its pattern; the encodings of one byte a
character by how well what they make reads. What a file declares about itself counts, and the bytes
decide where they contradict it. Whatever is doubtful is said in a note.
"""

from __future__ import annotations

import re

from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.encoding.bytes import SURE, decode_guessing
from likewise.reading.encoding.decoded import Decoded, decode_known
from likewise.reading.encoding.guess import guesses, text_score
from likewise.reading.encoding.mixed import decode_partly_utf8
from likewise.reading.encoding.names import charset, is_multibyte
from likewise.reading.encoding.repair import repaired
from likewise.reading.encoding.unicode import marked, unmarked

__all__ = ["Decoded", "charset", "decode"]

_LOOKED_AT = 1 << 16
_JUNK_SHARE = 0.1  # of control characters: text has hardly any, machine code a third
_JUNK_BYTES = 0.03  # of control bytes in what is not UTF-8: compressed data has .1
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x19\x1b\x7f]")
_FEW = 2  # control bytes are no evidence
_FEW_BYTES = 6  # more than characters: valid UTF-8 may be so by chance
_STRANGE = re.compile("[\u0180-\u036f\u0530-\u07ff]")  # what Cyrillic bytes may be in UTF-8
_MOST_FAULTS = 0.01  # of a text in a declared encoding that we cannot judge


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """The text in some bytes; `ReadingError` where they are none.

    >>> decode("Ұлы дала туралы жыр".encode("kz-1048"))
    Decoded(text='Ұлы дала туралы жыр', encoding='kz-1048', note=None)
    >>> decode(b"\\xff\\xfea\\x00b\\x00").text
    'ab'
    >>> str(decode("Привет, степь!".encode(), declared="windows-1251").note)
    'It declares windows-1251, but its bytes are utf-8.'
    """
    announced = charset(declared)
    decoded = _text_only(_decode(data, announced))
    contradicts = announced and not decoded.encoding.startswith(announced)
    if contradicts and declared and not decoded.text.isascii():
        values = {"declared": declared.strip(), "encoding": decoded.encoding}
        return decoded.with_note(Message("reading.declares", values))
    return decoded


def _decode(data: bytes, announced: str | None) -> Decoded:
    mark = marked(data)
    if mark:
        encoding, length = mark
        return decode_known(data[length:], encoding)
    pattern = unmarked(data)
    if pattern:
        return decode_known(data, pattern)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _decode_other(data, error.start, announced)
    if text.isascii():
        return Decoded(text, "utf-8")
    if announced != "utf-8" and len(data) - len(text) < _FEW_BYTES and _STRANGE.search(text):
        return _decode_tiny(data, text, announced)
    undamaged = repaired(text)
    return Decoded(undamaged[0], "utf-8", undamaged[1]) if undamaged else Decoded(text, "utf-8")


def _decode_other(data: bytes, fault: int, announced: str | None) -> Decoded:
    """Data without a mark, and not valid as UTF-8 from some place on."""
    looked_at = data[:_LOOKED_AT]
    if len(_CONTROL_BYTES.findall(looked_at)) > max(_JUNK_BYTES * len(looked_at), _FEW):
        raise ReadingError("reading.binary")
    partly = decode_partly_utf8(data, fault)
    if partly:
        return partly
    if announced and not announced.startswith("utf") and is_multibyte(announced):
        declared = decode_known(data, announced)
        if declared.text.count("\ufffd") <= _MOST_FAULTS * len(declared.text):
            return declared
    return decode_guessing(data, announced)


def _decode_tiny(data: bytes, text: str, announced: str | None) -> Decoded:
    """Data that is valid UTF-8, but perhaps by chance: its few characters are strange ones."""
    if guesses(data)[0].score < text_score(text)[0] + SURE:
        return Decoded(text, "utf-8")
    other = decode_guessing(data, announced)
    values = {"encoding": other.encoding, "other": "utf-8"}
    return other.with_note(Message("reading.could_be", values))


def _text_only(decoded: Decoded) -> Decoded:
    text = decoded.text[:_LOOKED_AT]
    if len(_CONTROL.findall(text)) > _JUNK_SHARE * len(text):
        raise ReadingError("reading.binary")
    return decoded
