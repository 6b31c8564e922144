"""What was read once is not read again: documents by the hash of their bytes, in a cache folder.

Anything in it may be deleted at any time. An entry is written aside and renamed, so that nobody
sees half of one; one that cannot be understood counts as missing. Names of entries begin with the
SHA-256 of the file's bytes, so that all that is kept of a file can be purged by it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import string
from collections.abc import Collection
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import zstandard

from likewise.machine import user_cache_folder
from likewise.model import Document
from likewise.reading.file_cache import MOST_BYTES, MOST_DAYS, FileCache
from likewise.reading.formats import FORMATS, is_table_name
from likewise.reading.image.engine import usable
from likewise.reading.request import Request
from likewise.reading.serialization import pack, unpack

# To be raised with every change that makes a file read differently, but for a new format, which
# is in the keys by its name.
READER_VERSION = 6
_LIBRARIES = (
    "lxml",
    "opencv-python-headless",
    "pdf_oxide",
    "pillow",
    "pypdfium2",
    "python-calamine",
    "resiliparse",
    "tesserocr",
    "trafilatura",
)
_SHA256_CHARS, _KEY_CHARS = 64, 104  # hexadecimal digits


class Cache:
    """Documents in a folder, the least recently used given up first."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._files = FileCache(folder, most_bytes)

    def get(self, key: str, name: str) -> Document | None:
        """The document under a key, if there is one."""
        path = self._files.path(key)
        try:
            packed = zstandard.ZstdDecompressor().decompress(path.read_bytes())
            document = unpack(packed, name)
            self._files.use(path)
        except (OSError, ValueError, zstandard.ZstdError):
            return None
        return document

    def put(self, key: str, document: Document) -> None:
        """Keep a document; a cache that cannot be written to is no reason to fail."""
        self._files.put(key, zstandard.ZstdCompressor().compress(pack(document)))

    def tidy(self) -> None:
        """Give up the least recently used entries until the rest fits."""
        self._files.tidy()

    def purge(self, sha256s: Collection[str] | None = None) -> int:
        """Delete what is kept of files with these hashes, or everything; how many entries."""
        if sha256s is None:
            return self._files.purge()
        unwanted = frozenset(sha256s)
        folders = {sha256[:2] for sha256 in unwanted}
        return self._files.purge(lambda path: _sha256_of(path) in unwanted, folders)

    def purge_unnamed(self) -> int:
        """Delete entries whose names do not tell which file they are of; how many there were.

        Those of older versions are never found again; half-written ones are of processes that died,
        or are written anew when they are needed.
        """
        return self._files.purge(lambda path: not _is_entry(path))

    def purge_older(self, days: float = MOST_DAYS) -> int:
        """Delete entries that were made longer ago than some days; how many there were."""
        return self._files.purge_older(days)

    def count(self, sha256s: Collection[str]) -> int:
        """How many entries there are of files with these hashes."""
        unwanted = frozenset(sha256s)
        folders = {sha256[:2] for sha256 in unwanted}
        return sum(_sha256_of(path) in unwanted for path in self._files.paths(folders))


def purge_files(sha256s: Collection[str]) -> int:
    """Delete what this user's cache keeps of files with these hashes; how many entries."""
    return cache_in(cache_folder()).purge(sha256s)


def _name_of(path: Path) -> str:
    return path.parent.name + path.name


def _sha256_of(path: Path) -> str:
    return sha256_in(_name_of(path))


def _is_entry(path: Path) -> bool:
    name = _name_of(path)
    return len(name) == _KEY_CHARS and set(name) <= set(string.hexdigits)


def key_of(data: bytes, request: Request) -> str:
    """What the answer depends on: the bytes, the readers, and what was asked of them.

    >>> key_of(b"x", Request("a.html")).startswith(hashlib.sha256(b"x").hexdigest())
    True
    """
    # Text may stand in pictures: language data may come later, and change the answer.
    ocr = (request.ocr, _usable(request.ocr), request.verify)
    is_table = is_table_name(request.name)  # all that a name decides
    readers = (READER_VERSION, tuple(FORMATS), _library_versions())
    conditions = (readers, is_table, request.web_page, request.charset, ocr)
    how = hashlib.blake2b(repr((conditions, request.limits)).encode(), digest_size=20)
    return hashlib.sha256(data).hexdigest() + how.hexdigest()


def sha256_in(key: str) -> str:
    """The SHA-256 of the bytes that a key is for."""
    return key[:_SHA256_CHARS]


_usable = lru_cache(maxsize=16)(usable)  # it looks through folders, which is slow for each file


@lru_cache(maxsize=1)
def _library_versions() -> tuple[tuple[str, str], ...]:
    versions = []
    for name in _LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions.append((name, metadata.version(name)))
    return tuple(versions)


def cache_folder() -> Path:
    """Where this user's caches belong; LIKEWISE_CACHE names another place."""
    if folder := os.environ.get("LIKEWISE_CACHE"):
        return Path(folder)
    return user_cache_folder()


@lru_cache(maxsize=4)
def cache_in(folder: Path) -> Cache:
    """The one cache in a folder."""
    return Cache(folder / "documents")
