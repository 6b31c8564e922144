"""Entries of a cache as files in a folder, the least recently used given up first."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

MOST_BYTES = 1 << 30
MOST_DAYS = 90.0  # that an entry is kept, however often it is used
_TIDY_EVERY = 64  # entries written; the folder is not looked through for each
_DAY_SECONDS = 86_400.0


class FileCache:
    """Packed entries under keys of hexadecimal digits."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._writes = 0

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
            self._writes += 1
            if self._writes % _TIDY_EVERY == 1:
                self.tidy()

    def use(self, path: Path) -> None:
        """Note that an entry was used; when it was made stays."""
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))

    def tidy(self) -> None:
        """Give up the least recently used entries until the rest fits."""
        entries = []
        for path in self.paths():
            with contextlib.suppress(OSError):  # another process may be tidying too
                status = path.stat()
                entries.append((max(status.st_atime, status.st_mtime), status.st_size, path))
        excess = sum(size for _, size, _ in entries) - self._most_bytes
        for _, size, path in sorted(entries, key=lambda entry: entry[0]):
            if excess <= 0:
                break
            path.unlink(missing_ok=True)
            excess -= size

    def paths(self, folders: Iterable[str] = ("??",)) -> Iterator[Path]:
        """The files of all entries, or of those whose keys begin so; half-written ones too."""
        for folder in sorted(folders):
            yield from self._folder.glob(f"{folder}/*")

    def purge(
        self,
        is_unwanted: Callable[[Path], bool] = lambda _path: True,
        folders: Iterable[str] = ("??",),
    ) -> int:
        """Delete entries; how many there were. One that cannot be deleted raises OSError."""
        purged = 0
        for path in self.paths(folders):
            with contextlib.suppress(FileNotFoundError):  # another process was quicker
                if is_unwanted(path):
                    path.unlink()
                    purged += 1
        return purged

    def purge_older(self, days: float = MOST_DAYS) -> int:
        """Delete entries that were made longer ago than some days; how many there were."""
        before = time.time() - days * _DAY_SECONDS
        return self.purge(lambda path: path.stat().st_mtime < before)
