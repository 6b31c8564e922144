"""UTF-8 with faults in it, or with lines in another encoding between its own."""

from __future__ import annotations

from likewise.model import Message
from likewise.reading.encoding.bytes import decode_guessing
from likewise.reading.encoding.decoded import Decoded, decode_known

_HIGH = bytes(range(0x80, 0x100))
_FEW = 6  # characters above 127 may be valid by chance
_NEARLY_VALID = 0.1  # faults for each valid character above 127
_AROUND = 1 << 15  # bytes before and after the first fault


def decode_partly_utf8(data: bytes, fault: int) -> Decoded | None:
    """The text of data that is not UTF-8 from a place on, if most or some lines of it are.

    >>> data = "Степь да степь.\\n".encode() + "Путь далёк лежит.".encode("cp1251")
    >>> decode_partly_utf8(data, 27).text
    'Степь да степь.\\nПуть далёк лежит.'
    """
    faults, valid = _validity(data[max(fault - _AROUND, 0) : fault + _AROUND])
    if valid < _FEW or valid < faults * _NEARLY_VALID:
        return None
    faults, valid = _validity(data)
    lines = data.split(b"\n")
    strays = [number for number, line in enumerate(lines) if _is_stray(line)]
    if faults > valid * _NEARLY_VALID and not any(map(_is_surely_utf8, lines)):
        return None
    if not strays:
        return decode_known(data, "utf-8")
    stray = decode_guessing(b"\n".join(lines[number] for number in strays))
    texts = [line.decode("utf-8", "replace") for line in lines]
    for number, text in zip(strays, stray.text.split("\n"), strict=True):
        texts[number] = text
    note = Message("reading.stray_lines", {"n": len(strays), "encoding": stray.encoding})
    return Decoded("\n".join(texts), "utf-8", stray.note).with_note(note)


def _validity(data: bytes) -> tuple[int, int]:
    """How many faults data has as UTF-8, and how many valid characters above 127."""
    lenient = data.decode("utf-8", "replace")
    faults = lenient.count("\ufffd")
    return faults, len(lenient) - len(data.translate(None, _HIGH)) - faults


def _is_surely_utf8(line: bytes) -> bool:
    """Whether a line is valid UTF-8, and not by chance."""
    faults, valid = _validity(line)
    return not faults and valid >= _FEW


def _is_stray(line: bytes) -> bool:
    """Whether a line is not UTF-8, apart from a fault or two."""
    if line.isascii():
        return False
    faults, valid = _validity(line)
    return valid < faults
