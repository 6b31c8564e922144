"""Bytes to documents."""

from likewise.reading.folder import labels, read_folder
from likewise.reading.read import read, read_bytes

__all__ = ["labels", "read", "read_bytes", "read_folder"]
