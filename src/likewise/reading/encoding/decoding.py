"""Bytes to text, in whatever encoding they are.

Unicode is recognised by its mark, its validity or its pattern; the encodings of one byte a
character by how well what they make reads. What a file declares about itself counts, and the bytes
decide where they contradict it. Whatever is doubtful is said in a note.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

from likewise.catalogue import Value
from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.encoding.detection import (
    PRIORS,
    Guess,
    byte_order_mark,
    guesses,
    text_score,
    unmarked_unicode,
)
from likewise.reading.encoding.mojibake import repair_mojibake

__all__ = ["DecodedText", "charset", "decode"]

_LOOKED_AT = 1 << 16
_JUNK_SHARE = 0.1  # of control characters: text has hardly any, machine code a third
_JUNK_BYTES = 0.03  # of control bytes in what is not UTF-8: compressed data has .1
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x19\x1b\x7f]")
_FEW = 2  # control bytes are no evidence
_FEW_BYTES = 6  # more than characters: valid UTF-8 may be so by chance
_STRANGE = re.compile("[\u0180-\u036f\u0530-\u07ff]")  # what Cyrillic bytes may be in UTF-8
_MOST_FAULTS = 0.01  # of a text in a declared encoding that we cannot judge


def decode(data: bytes, declared: str | None = None) -> DecodedText:
    """The text in some bytes; `ReadingError` where they are none.

    >>> decode("Ұлы дала туралы жыр".encode("kz-1048"))
    DecodedText(text='Ұлы дала туралы жыр', encoding='kz-1048', note=None)
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


def _decode(data: bytes, announced: str | None) -> DecodedText:
    mark = byte_order_mark(data)
    if mark:
        encoding, length = mark
        return decode_as(data[length:], encoding)
    pattern = unmarked_unicode(data)
    if pattern:
        return decode_as(data, pattern)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _decode_other(data, error.start, announced)
    if text.isascii():
        return DecodedText(text, "utf-8")
    if announced != "utf-8" and len(data) - len(text) < _FEW_BYTES and _STRANGE.search(text):
        return _decode_tiny(data, text, announced)
    undamaged = repair_mojibake(text)
    return (
        DecodedText(undamaged[0], "utf-8", undamaged[1])
        if undamaged
        else DecodedText(text, "utf-8")
    )


def _decode_other(data: bytes, fault: int, announced: str | None) -> DecodedText:
    """Data without a mark, and not valid as UTF-8 from some place on."""
    looked_at = data[:_LOOKED_AT]
    if len(_CONTROL_BYTES.findall(looked_at)) > max(_JUNK_BYTES * len(looked_at), _FEW):
        raise ReadingError("reading.binary")
    partly = decode_partly_utf8(data, fault)
    if partly:
        return partly
    if announced and not announced.startswith("utf") and is_multibyte(announced):
        declared = decode_as(data, announced)
        if declared.text.count("\ufffd") <= _MOST_FAULTS * len(declared.text):
            return declared
    return decode_guessing(data, announced)


def _decode_tiny(data: bytes, text: str, announced: str | None) -> DecodedText:
    """Data that is valid UTF-8, but perhaps by chance: its few characters are strange ones."""
    if guesses(data)[0].score < text_score(text)[0] + SURE:
        return DecodedText(text, "utf-8")
    other = decode_guessing(data, announced)
    values = {"encoding": other.encoding, "other": "utf-8"}
    return other.with_note(Message("reading.could_be", values))


def _text_only(decoded: DecodedText) -> DecodedText:
    text = decoded.text[:_LOOKED_AT]
    if len(_CONTROL.findall(text)) > _JUNK_SHARE * len(text):
        raise ReadingError("reading.binary")
    return decoded


# What decoding gives.


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text, the encoding it was in, and what a person should know about that."""

    text: str
    encoding: str
    note: Message | None = None

    def with_note(self, note: Message | None) -> DecodedText:
        """The same, and one sentence more before what was noted."""
        if not note:
            return self
        if self.note:
            note = Message("core.sentences", {"first": note, "rest": self.note})
        return DecodedText(self.text, self.encoding, note)


def decode_as(data: bytes, encoding: str) -> DecodedText:
    """Data in a known encoding; what is not valid in it is replaced, and counted.

    >>> decoded = decode_as(b"caf\\xe9", "utf-8")
    >>> decoded.text, decoded.encoding, str(decoded.note)
    ('caf\ufffd', 'utf-8', '1 character is damaged: not valid in utf-8.')
    """
    try:
        return DecodedText(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        faults = text.count("\ufffd")
        values: dict[str, Value] = {"n": faults, "encoding": encoding}
        return DecodedText(text, encoding, Message("reading.characters_damaged", values))


# Encodings by the names that files and servers give them.

# Names that declarations use and Python does not know, or means otherwise (as browsers do).
_ALIASES = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "ansi": "cp1252",
    "unicode": "utf-16",
    "utf": "utf-8",
    "win-1251": "cp1251",
    "win1251": "cp1251",
    "cp-1251": "cp1251",
    "x-cp1251": "cp1251",
    "windows1251": "cp1251",
    "koi8": "koi8-r",
    "koi": "koi8-r",
    "dos-866": "cp866",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-sjis": "shift_jis",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
# What codecs call themselves, and what people call them.
_CALLED = {"kz1048": "kz-1048", "iso8859-5": "iso-8859-5", "iso8859-1": "cp1252", "ascii": "cp1252"}
_NO_CHARSETS = {"idna", "mbcs", "oem", "punycode", "undefined", "utf-7"}


def charset(declared: str | None) -> str | None:
    """The codec that a declaration means, None for one that does not exist.

    >>> charset("Windows-1251"), charset(' "latin1" '), charset("klingon"), charset("zlib")
    ('cp1251', 'cp1252', None, None)
    """
    if not declared or len(declared) > 50:
        return None
    name = declared.strip(" \t\r\n\"';,").lower().replace("_", "-")
    try:
        codec = codecs.lookup(_ALIASES.get(name, name))
    except (LookupError, UnicodeError, ValueError):
        return None
    name_in_python = codec.name.replace("_", "-")
    name_in_python = _CALLED.get(name_in_python, name_in_python)
    is_charset = getattr(codec, "_is_text_encoding", True) and name_in_python not in _NO_CHARSETS
    return name_in_python if is_charset and "escape" not in name_in_python else None


def is_multibyte(encoding: str) -> bool:
    """Whether some characters take more bytes than one.

    >>> is_multibyte("gb18030"), is_multibyte("cp1254")
    (True, False)
    """
    return len(bytes(range(0x80, 0x100)).decode(encoding, "replace")) < 0x80


# Text in an encoding of one byte a character: the best guess, and how sure it is.

SURE = 5.0  # nats between the best two guesses: of a hundred such guesses one is wrong
_DECLARED_BONUS = 12.0  # nats: a declaration is worth some letters, not a paragraph
_FEW_OF_MANY = 0.01  # of the characters above 127
_ENOUGH_PAIRS = 20  # pairs of bytes
_READS_WELL = -3.6  # nats by pair; running text has -3.2 to -2.5
_UNREADABLE = -5.5  # nats by pair: nothing that people write
_CYRILLIC = re.compile("[\u0400-\u052f]")


def decode_guessing(data: bytes, announced: str | None = None) -> DecodedText:
    """The text in some bytes by the encoding that makes the best of them."""
    best, *rivals = guesses(data, announced, _DECLARED_BONUS)
    if announced and _is_other(announced):
        is_cyrillic = best.language != "western" and best.readable > _READS_WELL
        if not is_cyrillic:  # we cannot judge it, and nothing contradicts it
            return decode_as(data, announced)
    decoded = decode_as(data, best.encoding)
    above = bytes(byte for byte in range(0x80, 0x100) if byte in data)
    if not _CYRILLIC.search(decoded.text):  # of names for the same text, the one that fits
        for rival in rivals:
            if rival.encoding == "cp1252" and not _differing(best, rival, above):
                best = replace(best, encoding=rival.encoding)
    renamed = replace(decoded, encoding=best.encoding)
    return renamed.with_note(_doubt(best, rivals, data, above))


def _is_other(encoding: str) -> bool:
    """Whether an encoding is one of one byte a character that we have no letters for."""
    is_known = encoding in PRIORS or encoding.startswith("utf")
    return not is_known and not is_multibyte(encoding)


def _differing(guess: Guess, other: Guess, above: bytes) -> bytes:
    """The bytes that are other characters in another encoding."""
    one, two = (above.decode(each.encoding, "replace") for each in (guess, other))
    return bytes(byte for byte, a, b in zip(above, one, two, strict=True) if a != b)


def _doubt(best: Guess, rivals: list[Guess], data: bytes, above: bytes) -> Message | None:
    """What to say about a guess that is not sure."""
    for rival in rivals:
        if best.score - rival.score >= SURE:
            break
        differing = sum(map(data.count, _differing(best, rival, above)))
        if differing:
            values = {"encoding": best.encoding, "other": rival.encoding}
            if differing < sum(map(data.count, above)) * _FEW_OF_MANY:
                return Message("reading.encoding_possible", {**values, "n": differing})
            return Message("reading.encoding_likely", values)
    if best.pairs >= _ENOUGH_PAIRS and best.readable < _UNREADABLE:
        return Message("reading.encoding_perhaps", {"encoding": best.encoding})
    return None


# UTF-8 with faults in it, or with lines in another encoding between its own.

_HIGH = bytes(range(0x80, 0x100))
_FEW_VALID = 6  # characters above 127 may be valid by chance
_NEARLY_VALID = 0.1  # faults for each valid character above 127
_AROUND = 1 << 15  # bytes before and after the first fault


def decode_partly_utf8(data: bytes, fault: int) -> DecodedText | None:
    """The text of data that is not UTF-8 from a place on, if most or some lines of it are.

    >>> data = "Степь да степь.\\n".encode() + "Путь далёк лежит.".encode("cp1251")
    >>> decode_partly_utf8(data, 27).text
    'Степь да степь.\\nПуть далёк лежит.'
    """
    faults, valid = _validity(data[max(fault - _AROUND, 0) : fault + _AROUND])
    if valid < _FEW_VALID or valid < faults * _NEARLY_VALID:
        return None
    faults, valid = _validity(data)
    lines = data.split(b"\n")
    strays = [number for number, line in enumerate(lines) if _is_stray(line)]
    if faults > valid * _NEARLY_VALID and not any(map(_is_surely_utf8, lines)):
        return None
    if not strays:
        return decode_as(data, "utf-8")
    stray = decode_guessing(b"\n".join(lines[number] for number in strays))
    texts = [line.decode("utf-8", "replace") for line in lines]
    for number, text in zip(strays, stray.text.split("\n"), strict=True):
        texts[number] = text
    note = Message("reading.stray_lines", {"n": len(strays), "encoding": stray.encoding})
    return DecodedText("\n".join(texts), "utf-8", stray.note).with_note(note)


def _validity(data: bytes) -> tuple[int, int]:
    """How many faults data has as UTF-8, and how many valid characters above 127."""
    lenient = data.decode("utf-8", "replace")
    faults = lenient.count("\ufffd")
    return faults, len(lenient) - len(data.translate(None, _HIGH)) - faults


def _is_surely_utf8(line: bytes) -> bool:
    """Whether a line is valid UTF-8, and not by chance."""
    faults, valid = _validity(line)
    return not faults and valid >= _FEW_VALID


def _is_stray(line: bytes) -> bool:
    """Whether a line is not UTF-8, apart from a fault or two."""
    if line.isascii():
        return False
    faults, valid = _validity(line)
    return valid < faults
