"""Arrays of unknown length, in memory or, past a limit, on disk."""

from __future__ import annotations

import mmap
import sys
import tempfile
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from likewise.catalogue import Message
from likewise.errors import OutputFailed
from likewise.machine import memory_bytes

RESERVE_FROM = 8_000_000  # bytes; smaller arrays are copied as they grow
LARGE_PAGES = 128 << 20  # bytes; further ones the system would have to go and look for, measured
_MAP_NORESERVE = 0x4000  # Linux: promise no memory before it is used


class GrowingArray:
    """An array that is appended to, in memory up to a limit and in an unnamed file beyond it.

    >>> numbers = GrowingArray(np.dtype(np.uint32))
    >>> numbers.append(np.arange(2, dtype=np.uint32))
    >>> numbers.append(np.arange(3, dtype=np.uint32))
    >>> numbers.finish().tolist()
    [0, 1, 0, 1, 2]
    """

    def __init__(self, dtype: np.dtype[Any], memory: int | None = None) -> None:
        self._memory = memory
        self._length = 0
        self._array: NDArray[Any] = np.zeros(0, dtype=dtype)
        self._pages: mmap.mmap | None = None
        self._file: IO[bytes] | None = None

    def append(self, items: NDArray[Any]) -> None:
        """Add items at the end."""
        end = self._length + len(items)
        if self._file is None and self._memory is not None and end * items.itemsize > self._memory:
            self._move_to_disk()
        if self._file is not None:
            self._write(self._file, items)
        else:
            self._reserve(end)
            self._array[self._length : end] = items
        self._length = end

    def finish(self) -> NDArray[Any]:
        """Everything appended."""
        if self._file is None or not self._length:
            return self._array[: self._length]
        with self._file as file:  # the mapping holds on to what is in it
            file.flush()
            return np.memmap(file, dtype=self._array.dtype, mode="r", shape=(self._length,))

    def _move_to_disk(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="likewise-")  # noqa: SIM115 finish() closes it
        self._write(self._file, self._array[: self._length])
        self._array, self._pages = np.zeros(0, dtype=self._array.dtype), None

    @staticmethod
    def _write(file: IO[bytes], items: NDArray[Any]) -> None:
        try:
            file.write(np.ascontiguousarray(items).data)
        except OSError as error:
            file.close()
            raise OutputFailed(
                "core.disk_work",
                about=tempfile.gettempdir(),
                why=Message.verbatim(error.strerror or str(error)),
            ) from error

    def _reserve(self, length: int) -> None:
        if length <= len(self._array):
            return
        larger = None
        if self._pages is None and length * self._array.itemsize > RESERVE_FROM:
            larger = self._reserved(length)
        if larger is None:
            larger = np.empty(max(length, 2 * len(self._array), 1 << 10), dtype=self._array.dtype)
        larger[: self._length] = self._array[: self._length]
        self._array = larger

    def _reserved(self, length: int) -> NDArray[Any] | None:
        """Room for all we may ever need: pages count only once they are touched.

        Nothing is ever copied again, and the first pages are large ones, which cost few faults.
        """
        most = self._memory or memory_bytes() or 0
        if sys.platform != "linux" or most < length * self._array.itemsize:
            return None
        try:
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
            self._pages = mmap.mmap(-1, most, flags=flags)
        except (OSError, ValueError):  # a limit on addresses
            return None
        self._pages.madvise(mmap.MADV_HUGEPAGE, 0, min(most, LARGE_PAGES))
        return np.frombuffer(
            self._pages, dtype=self._array.dtype, count=most // self._array.itemsize
        )
