"""Bytes to documents."""

from likewise.reading.read import read, read_bytes

__all__ = ["read", "read_bytes"]
