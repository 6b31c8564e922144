"""Unicode that announces itself by a mark, or gives itself away by the pattern of its bytes."""

from __future__ import annotations

import codecs
from unicodedata import category

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT = 1 << 13
_UNLIKELY = frozenset({"Cc", "Cn", "Co", "Cs"})  # control characters, unassigned, private, halves
_LATIN_OR_CYRILLIC = b"\x00\x04"  # the high byte of nearly all their characters
_AROUND_THEM = b"\x00\x01\x02\x03\x04\x05\x20\x21\x22\x25"  # and of their marks and signs
_LEAST_SHARE = 0.5
_LEAST_AROUND = 0.95
_LEAST_ZEROS = 0.03  # of the units of a text in other letters: its spaces, digits and line ends
_FEWEST_ZEROS = 4
_MOST_UNLIKELY = 0.02


def marked(data: bytes) -> tuple[str, int] | None:
    """The encoding that a mark at the beginning announces, and the mark's length.

    >>> marked(b"\\xff\\xfea\\x00")
    ('utf-16-le', 2)
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    return None


def unmarked(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark, where the bytes can be nothing else.

    >>> unmarked("Привет".encode("utf-16-be")), unmarked(b"Hello"), unmarked(b"")
    ('utf-16-be', None, None)
    """
    sample = data[:_LOOKED_AT]
    if len(sample) < 4 or not (b"\x00" in sample or b"\x04" in sample):
        return None
    if len(data) % 4 == 0:
        for encoding, zero, nearly_zero in (("utf-32-le", 3, 2), ("utf-32-be", 0, 1)):
            planes = sample[nearly_zero::4]
            if not sample[zero::4].strip(b"\x00") and planes.count(0) >= len(planes) * 0.9:
                return encoding if _reads(sample, encoding) else None
    for encoding, high_byte in (("utf-16-le", 1), ("utf-16-be", 0)):
        high, low = sample[high_byte::2], sample[1 - high_byte :: 2]
        units = min(len(high), len(low))
        usual = len(high) - len(high.translate(None, _LATIN_OR_CYRILLIC))
        around = len(high) - len(high.translate(None, _AROUND_THEM))
        is_ours = usual >= units * _LEAST_SHARE and around >= units * _LEAST_AROUND
        has_zeros = high.count(0) >= max(units * _LEAST_ZEROS, _FEWEST_ZEROS) and 0 not in low
        if (is_ours or has_zeros) and _reads(sample[: units * 2], encoding):
            return encoding
    return None


def _reads(sample: bytes, encoding: str) -> bool:
    """Whether a sample, perhaps cut within a pair, is text in the encoding."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return False
    unlikely = sum(category(char) in _UNLIKELY and char not in "\t\n\r\f\x1a" for char in text)
    return unlikely <= len(text) * _MOST_UNLIKELY
