"""The pictures in a Word file: in the line, in the stream `Data`; or floating, as drawings."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from likewise.reading.doc.word_file import ANCHORS, DRAWINGS, WordFile

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_DRAWING, _PICTURE_ENTRY, _SHAPE, _SHAPE_SETTINGS = 0xF002, 0xF007, 0xF00A, 0xF00B
_WHICH_PICTURE = 0x4104  # a setting: the number of the picture that fills the shape
_ANCHOR_BYTES, _FLAGS, _BELOW_TEXT = 26, slice(20, 22), 0x4000
_DEEPEST = 32  # groups in groups


def picture_in_line(file: WordFile, at: int) -> bytes | None:
    """The picture at a place in the stream `Data`; None for a drawing of Windows."""
    length = int.from_bytes(file.data[at : at + 4], "little")
    return _image(file.data[at : at + length])


def shapes_at(file: WordFile) -> dict[int, int]:
    """The numbers of the shapes that float over the body, by where they are anchored."""
    places, anchors = file.places(ANCHORS, _ANCHOR_BYTES)
    return {
        place: int.from_bytes(anchor[:4], "little")
        for place, anchor in zip(places, anchors, strict=False)
    }


def is_any_shape_below_text(file: WordFile) -> bool:
    """Whether a picture or a shape lies behind the text of the body."""
    _, anchors = file.places(ANCHORS, _ANCHOR_BYTES)
    return any(int.from_bytes(anchor[_FLAGS], "little") & _BELOW_TEXT for anchor in anchors)


def floating_pictures(file: WordFile) -> dict[int, bytes]:
    """The pictures that fill shapes, by the numbers of the shapes."""
    pictures: list[bytes | None] = []
    filled: dict[int, int] = {}
    shape = 0
    for kind, content in _records(file.table(DRAWINGS)):
        if kind == _PICTURE_ENTRY:
            pictures.append(_stored(file, content))
        elif kind == _SHAPE and len(content) >= 4:
            shape = int.from_bytes(content[:4], "little")
        elif kind == _SHAPE_SETTINGS:
            for at in range(0, len(content) - 5, 6):
                setting, value = struct.unpack_from("<HI", content, at)
                if setting == _WHICH_PICTURE:
                    filled[shape] = value
    by_shape = {shape: pictures[n - 1] for shape, n in filled.items() if 0 < n <= len(pictures)}
    return {shape: picture for shape, picture in by_shape.items() if picture is not None}


def _stored(file: WordFile, entry: bytes) -> bytes | None:
    """The picture of an entry: behind the entry, or at a place among the text."""
    if len(entry) < 36:
        return None
    size, at = struct.unpack_from("<I4xI", entry, 20)
    return _image(entry[36:]) or _image(file.document[at : at + size])


def _image(raw: bytes) -> bytes | None:
    starts = [at for at in (raw.find(_PNG), raw.find(_JPEG)) if at >= 0]
    return raw[min(starts) :] if starts else None


def _records(raw: bytes, depth: int = 0) -> Iterator[tuple[int, bytes]]:
    """The records of a drawing, those inside others after them."""
    at = 0
    while at + 8 <= len(raw):
        kind, length = struct.unpack_from("<HI", raw, at + 2)
        if depth == 0 and kind != _DRAWING and raw[at + 3 : at + 5] == b"\x02\xf0":
            at += 1  # a byte before each drawing says whether it is of the body or of headers
            continue
        content = raw[at + 8 : at + 8 + length]
        if raw[at] & 0xF == 0xF and depth < _DEEPEST:
            yield from _records(content, depth + 1)
        else:
            yield kind, content
        at += 8 + length
