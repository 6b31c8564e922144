"""Bytes to text: which encoding they are in, and what was doubtful about it."""

from likewise.reading.encoding.decoding import DecodedText, charset, decode

__all__ = ["DecodedText", "charset", "decode"]
