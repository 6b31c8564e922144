"""The disks on which a server keeps something, and how full they are."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from likewise.reading.cache import cache_folder
from likewise.server.context import ServerContext
from likewise.server.shapes import Shape

DiskUse = Literal["library", "cache", "temporary"]
LOW_SHARE, LOW_BYTES, ENOUGH_BYTES = 0.1, 2_000_000_000, 50_000_000_000


class Disk(Shape):
    """A disk where a server keeps something."""

    holds: list[DiskUse]
    folders: list[str] = Field(description="where, in the same order")
    free_bytes: int
    total_bytes: int
    is_low: bool = Field(description="less is free than should be")


def read_disks(context: ServerContext) -> list[Disk]:
    """Where this server writes, each disk once; PostgreSQL looks after its own."""
    places: dict[DiskUse, Path] = {}
    if context.store.is_file:
        places["library"] = Path(context.store.name).absolute().parent
    places |= {"cache": cache_folder(), "temporary": Path(tempfile.gettempdir())}
    by_device: dict[int, list[tuple[DiskUse, Path]]] = {}
    for use, place in places.items():
        folder = place
        while not folder.exists():  # it is made when it is needed
            folder = folder.parent
        by_device.setdefault(folder.stat().st_dev, []).append((use, folder))
    return [_disk(some) for some in by_device.values()]


def _disk(places: Sequence[tuple[DiskUse, Path]]) -> Disk:
    usage = shutil.disk_usage(places[0][1])
    return Disk(
        holds=[use for use, _ in places],
        folders=[str(folder) for _, folder in places],
        free_bytes=usage.free,
        total_bytes=usage.total,
        is_low=is_low(usage.free, usage.total),
    )


def is_low(free_bytes: int, total_bytes: int) -> bool:
    """Whether somebody should make room: a tenth is left, or less than any server needs.

    >>> is_low(1_000_000_000, 5_000_000_000), is_low(90_000_000_000, 2_000_000_000_000)
    (True, False)
    """
    if free_bytes >= ENOUGH_BYTES:
        return False
    return free_bytes < LOW_BYTES or free_bytes < LOW_SHARE * total_bytes
