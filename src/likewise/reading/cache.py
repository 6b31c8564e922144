"""What was read once is not read again: documents by the hash of their bytes, in a cache folder.

Anything in it may be deleted at any time. An entry is written aside and renamed, so that nobody
sees half of one; one that cannot be understood counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import zstandard

from likewise.machine import home_folder
from likewise.model import Document
from likewise.reading.image.engine import usable
from likewise.reading.kept_files import MOST_BYTES, KeptFiles
from likewise.reading.packed import pack, unpack
from likewise.reading.request import Request
from likewise.reading.sniff import is_table_name

READER_VERSION = 5  # to be raised with every change that makes a file read differently
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
_FRESH_SECONDS = 3600.0  # an entry's age is renewed at most that often


class Cache:
    """Documents in a folder, the least recently used given up first."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._files = KeptFiles(folder, most_bytes)

    def get(self, key: str, name: str) -> Document | None:
        """The document under a key, if there is one."""
        path = self._files.path(key)
        try:
            packed = zstandard.ZstdDecompressor().decompress(path.read_bytes())
            document = unpack(packed, name)
            if time.time() - path.stat().st_mtime > _FRESH_SECONDS:
                path.touch()
        except (OSError, ValueError, zstandard.ZstdError):
            return None
        return document

    def put(self, key: str, document: Document) -> None:
        """Keep a document; a cache that cannot be written to is no reason to fail."""
        self._files.put(key, zstandard.ZstdCompressor().compress(pack(document)))

    def tidy(self) -> None:
        """Give up the least recently used entries until the rest fits."""
        self._files.tidy()


def key_of(data: bytes, request: Request) -> str:
    """What the answer depends on: the bytes, the readers, and what was asked of them."""
    # Text may stand in pictures: language data may come later, and change the answer.
    ocr = (request.ocr, _usable(request.ocr), request.verify)
    is_table = is_table_name(request.name)  # all that a name decides
    asked = (READER_VERSION, _library_versions(), is_table, request.web_page, request.charset, ocr)
    digest = hashlib.blake2b(data, digest_size=20)
    digest.update(repr((asked, request.limits)).encode())
    return digest.hexdigest()


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
    if named := os.environ.get("LIKEWISE_CACHE"):
        return Path(named)
    if os.name == "nt":
        above = Path(os.environ.get("LOCALAPPDATA") or home_folder() / "AppData" / "Local")
    elif sys.platform == "darwin":
        above = home_folder() / "Library" / "Caches"
    else:
        above = Path(os.environ.get("XDG_CACHE_HOME") or home_folder() / ".cache")
    return above / "likewise"


@lru_cache(maxsize=4)
def cache_in(folder: Path) -> Cache:
    """The one cache in a folder."""
    return Cache(folder / "documents")
