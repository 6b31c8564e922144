"""Bytes to documents."""

from likewise.reading.folder import is_file_of, labels, read_folder, read_folder_by
from likewise.reading.read import read, read_bytes
from likewise.reading.request import ReadOptions

__all__ = [
    "ReadOptions",
    "is_file_of",
    "labels",
    "read",
    "read_bytes",
    "read_folder",
    "read_folder_by",
]
