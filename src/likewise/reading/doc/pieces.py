"""The pieces of text in a Word file: where they stand, how wide their characters are."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from likewise.errors import ReadingError

_CHUNK = 32  # bytes
_UPPER_BYTES = (0x00, 0x04, 0x20)  # of UTF-16: Latin, Cyrillic, dashes and quotation marks
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_UNPRINTED = bytes(range(32))

# By the language of the program that wrote: Bulgarian, Russian, Ukrainian, Belarusian, Kazakh, ...
_CODE_PAGES = {
    0x02: "cp1251",
    0x19: "cp1251",
    0x22: "cp1251",
    0x23: "cp1251",
    0x3F: "kz-1048",
    0x05: "cp1250",
    0x0E: "cp1250",
    0x15: "cp1250",
    0x08: "cp1253",
    0x1F: "cp1254",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters that stand together in the file."""

    start: int  # in the row of characters
    end: int
    fc: int  # where in the file
    width: int  # bytes a character

    def fc_of(self, place: int) -> int:
        """Where in the file a character of this piece is."""
        return self.fc + (place - self.start) * self.width

    def place_of(self, fc: int) -> int:
        """Which character stands at a place in the file."""
        return self.start + (fc - self.fc) // self.width


def listed_pieces(listed: bytes, document: bytes, old: bool) -> list[Piece]:
    """The pieces of a list, which stands behind changes that nobody needs (MS-DOC 2.9.38)."""
    at = 0
    while listed[at : at + 1] == b"\x01":
        at += 3 + int.from_bytes(listed[at + 1 : at + 3], "little")
    count = (len(listed) - at - 9) // 12
    if listed[at : at + 1] != b"\x02" or count < 1:
        return []
    places = struct.unpack_from(f"<{count + 1}I", listed, at + 5)
    found: list[Piece] = []
    for i in range(count):
        fc = struct.unpack_from("<I", listed, at + 5 + 4 * (count + 1) + 8 * i + 2)[0]
        narrow = old or fc & 0x40000000
        if not old:
            fc = (fc & 0x3FFFFFFF) >> 1 if narrow else fc & 0x3FFFFFFF
        width = 1 if narrow else 2
        start = found[-1].end if found else 0
        length = min(places[i + 1] - places[i], max(len(document) - fc, 0) // width)
        end = min(start + length, len(document))  # pieces do not share their text
        if end > start:
            found.append(Piece(start, end, fc, width))
    return found


def guessed_pieces(document: bytes, old: bool) -> list[Piece]:
    """The text where the header says it is; how wide its characters are, it shows itself."""
    start, end = struct.unpack_from("<II", document, 0x18)
    end = min(end, len(document))
    if old:
        return [Piece(0, end - start, start, 1)] if end > start else []
    found: list[Piece] = []
    for fc in range(start, end, _CHUNK):
        chunk = document[fc : min(fc + _CHUNK, end)]
        upper = chunk[1::2]
        width = 2 if len(upper) * 0.9 <= sum(map(upper.count, _UPPER_BYTES)) else 1
        last = found[-1] if found else Piece(0, 0, start, width)
        past = last.end + len(chunk) // width
        if last.width == width:
            found[-1:] = [Piece(last.start, past, last.fc, width)]
        else:
            found.append(Piece(last.end, past, fc, width))
    return found


def characters(document: bytes, pieces: list[Piece], codec: str) -> str:
    """Every character in its place; one beyond the first 65,536 takes two, as in the file."""
    found: list[str] = []
    for piece in pieces:
        raw = document[piece.fc : piece.fc_of(piece.end)]
        if piece.width == 1:
            found.append(raw.decode(codec, "replace"))
            continue
        text = raw.decode("utf-16-le", "surrogatepass")
        found.append(_ASTRAL.sub(_halves, text) if len(text) * 2 < len(raw) else text)
    return "".join(found)


def old_codec(document: bytes, pieces: list[Piece], language: int) -> str:
    """The code page of a file of Word 6 or 95, which write in the code page of each font.

    A file has one or two, and those who write Russian leave no room for accents: what the bytes
    are, they tell best themselves.
    """
    from likewise.reading.encoding import decode  # not for every file

    declared = _CODE_PAGES.get(language & 0x3FF)
    raw = b"".join(document[piece.fc : piece.fc_of(piece.end)] for piece in pieces)
    try:
        guessed = decode(raw.translate(None, delete=_UNPRINTED), declared).encoding
    except ReadingError:
        guessed = "utf-8"
    return (declared or "cp1252") if guessed.startswith("utf") else guessed


def _halves(match: re.Match[str]) -> str:
    high, low = struct.unpack("<2H", match[0].encode("utf-16-le"))
    return chr(high) + chr(low)
