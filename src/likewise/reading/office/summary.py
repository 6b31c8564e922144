"""What an old Office file says about itself: title, author, when it was made."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta

from likewise.reading.office.code_pages import page_codec
from likewise.reading.office.compound import Compound

_CODE_PAGE = 1
_TOLD = {
    2: "title",
    4: "author",
    8: "last_author",
    12: "created",
    13: "modified",
    18: "producer",
}
_SHORT, _BYTES, _WIDE, _MOMENT = 2, 30, 31, 64
_MOST_PROPERTIES = 256
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def summary(compound: Compound) -> dict[str, str]:
    """The title, the authors, when it was made and with what, as far as they are told."""
    raw = compound.stream("\x05SummaryInformation") or b""
    try:
        found = _properties(raw)
    except struct.error:  # cut short
        return {}
    codec = "cp1252"
    if isinstance(page := found.get(_CODE_PAGE), int):
        codec = page_codec(page & 0xFFFF) or codec
    told: dict[str, str] = {}
    for number, name in _TOLD.items():
        value = found.get(number)
        if isinstance(value, bytes):
            value = value.decode(codec, "replace")
        if isinstance(value, str):
            told[name] = " ".join(value.split("\0")[0].split())
    return told


def _properties(raw: bytes) -> dict[int, int | bytes | str]:
    found: dict[int, int | bytes | str] = {}
    start = struct.unpack_from("<I", raw, 44)[0]
    count = struct.unpack_from("<I", raw, start + 4)[0]
    for i in range(min(count, _MOST_PROPERTIES)):
        number, at = struct.unpack_from("<II", raw, start + 8 + 8 * i)
        at += start
        kind, length = struct.unpack_from("<II", raw, at)
        if kind == _SHORT:
            found[number] = length
        elif kind == _BYTES:
            found[number] = raw[at + 8 : at + 8 + length]
        elif kind == _WIDE:
            found[number] = raw[at + 8 : at + 8 + 2 * length].decode("utf-16-le", "replace")
        elif kind == _MOMENT:
            found[number] = _moment(struct.unpack_from("<Q", raw, at + 4)[0])
    return found


def _moment(ticks: int) -> str:
    """A moment counted in tenths of microseconds, as ISO 8601.

    >>> _moment(131959926000000000), _moment(0)
    ('2019-03-02T09:30:00Z', '')
    """
    try:
        moment = _EPOCH + timedelta(microseconds=ticks // 10)
    except OverflowError:
        return ""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment.year > 1980 else ""
