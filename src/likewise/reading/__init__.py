"""Bytes to documents."""

from likewise.reading.folder import is_file_of, labels, read_folder
from likewise.reading.read import read, read_bytes

__all__ = ["is_file_of", "labels", "read", "read_bytes", "read_folder"]
