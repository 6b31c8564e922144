"""Bytes to text: which encoding they are in, and what was doubtful about it."""

from likewise.reading.encoding.decoding import Decoded, charset, decode

__all__ = ["Decoded", "charset", "decode"]
