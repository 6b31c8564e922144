"""OpenDocument texts, packed and flat, to a draft."""

from likewise.reading.odt.reader import read_odt

__all__ = ["read_odt"]
