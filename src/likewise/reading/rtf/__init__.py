"""RTF to a draft."""

from likewise.reading.rtf.reader import read_rtf

__all__ = ["read_rtf"]
