"""Entries of a cache as files in a folder, the least recently used given up first.

Anything in it may be deleted at any time. An entry is written aside and renamed, so that nobody
sees half of one.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

MOST_BYTES = 1 << 30
_TIDY_EVERY = 64  # entries written; the folder is not looked through for each


class KeptFiles:
    """Packed entries under keys of hexadecimal digits."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._written = 0

    def path(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]

    def put(self, key: str, packed: bytes) -> None:
        """Keep an entry; a cache that cannot be written to is no reason to fail."""
        path = self.path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, aside = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(packed)
                Path(aside).replace(path)
            except BaseException:
                Path(aside).unlink(missing_ok=True)
                raise
            self._written += 1
            if self._written % _TIDY_EVERY == 1:
                self.tidy()

    def tidy(self) -> None:
        """Give up the least recently used entries until the rest fits."""
        entries = []
        for path in self._folder.glob("??/*"):
            with contextlib.suppress(OSError):  # another process may be tidying too
                seen = path.stat()
                entries.append((seen.st_mtime, seen.st_size, path))
        excess = sum(size for _, size, _ in entries) - self._most_bytes
        for _, size, path in sorted(entries, key=lambda entry: entry[0]):
            if excess <= 0:
                break
            path.unlink(missing_ok=True)
            excess -= size
