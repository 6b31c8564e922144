"""Files on whatever filesystem Spark reaches: stamps of inputs, markers of stages, listings."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

from likewise.scale.errors import call_spark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


PATTERN = frozenset("*?[{")


def is_pattern(spark: SparkSession, name: str) -> bool:
    """Whether a name stands for many; a file may also be called so."""
    return bool(PATTERN & set(name)) and not exists(spark, name)


def escape_path(spark: SparkSession, name: str) -> str:
    """The name as Spark's readers must be given it: they take all signs of a pattern for one."""
    if not PATTERN & set(name) or is_pattern(spark, name):
        return name
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", name)


def stamps(spark: SparkSession, folder: str) -> dict[str, tuple[int, int]]:
    """How long each file right in a folder is, and when it was changed, by its whole name."""
    path, system = _at(spark, folder)
    listed = call_spark("scale.cannot_read", folder, lambda: system.listStatus(path))
    return {
        str(status.getPath().toString()): (int(status.getLen()), int(status.getModificationTime()))
        for status in listed
    }


def exists(spark: SparkSession, name: str) -> bool:
    path, system = _at(spark, name)
    return call_spark("scale.cannot_look", name, lambda: bool(system.exists(path)))


def is_folder(spark: SparkSession, name: str) -> bool:
    path, system = _at(spark, name)
    return call_spark(
        "scale.cannot_look",
        name,
        lambda: bool(system.exists(path) and system.getFileStatus(path).isDirectory()),
    )


def list_below(spark: SparkSession, folder: str, most: int, hidden: str = "._") -> list[str]:
    """The names of the first so many files in a folder and its folders, hidden ones aside.

    Hidden are files with one of these signs in front, and those in folders that Spark passes over.
    """
    path, system = _at(spark, folder)
    root = str(system.makeQualified(path).toString()).rstrip("/") + "/"
    listing = call_spark("scale.cannot_read", folder, lambda: system.listFiles(path, True))

    def names() -> Iterator[str]:
        for _ in count():
            if not listing.hasNext():
                return
            yield str(listing.next().getPath().toString()).removeprefix(root)

    def is_visible(name: str) -> bool:
        *folders, last = name.split("/")
        return last[:1] not in hidden and not any(part[:1] in "._" for part in folders)

    visible = filter(is_visible, names())
    return sorted(name for name, _ in zip(visible, range(most), strict=False))


def is_empty(spark: SparkSession, folder: str) -> bool:
    """Whether nothing at all is in a folder, not even something hidden."""
    path, system = _at(spark, folder)
    return not call_spark("scale.cannot_read", folder, lambda: list(system.listStatus(path)))


def lies_in(spark: SparkSession, name: str, folder: str) -> bool:
    """Whether a path is a folder, or would be in it."""
    inner, outer = (qualified(spark, each).rstrip("/") + "/" for each in (name, folder))
    return inner.startswith(outer)


def qualified(spark: SparkSession, name: str) -> str:
    """The whole name, with its filesystem."""
    path, system = _at(spark, name)
    return str(system.makeQualified(path).toString())


def parts(spark: SparkSession, folder: str) -> list[int]:
    """How many files with rows lie right in a folder, and how many bytes are in them."""
    lengths = [
        length
        for name, (length, _) in stamps(spark, folder).items()
        if not name.rsplit("/", 1)[-1].startswith(("_", "."))
    ]
    return [len(lengths), sum(lengths)]


def size_bytes(spark: SparkSession, folder: str) -> int:
    """What lies in a folder, in bytes."""
    path, system = _at(spark, folder)
    summary = call_spark(
        "scale.cannot_read", folder, lambda: system.getContentSummary(path).getLength()
    )
    return int(summary)


def read(spark: SparkSession, name: str) -> str:
    """The text of a small file."""
    path, system = _at(spark, name)

    def whole() -> str:
        stream = system.open(path)
        try:
            return bytes(stream.readNBytes(int(system.getFileStatus(path).getLen()))).decode()
        finally:
            stream.close()

    return call_spark("scale.cannot_read", name, whole)


def write(spark: SparkSession, name: str, text: str) -> None:
    """A small file, whole or not at all: it is renamed into its place."""
    path, system = _at(spark, name)
    draft, _ = _at(spark, name + ".part")

    def write_draft() -> bool:
        stream = system.create(draft, True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()
        system.delete(path, False)
        return bool(system.rename(draft, path))

    if not call_spark("scale.cannot_write", name, write_draft):
        raise OSError(f"{name}: could not be renamed into place")


def rename_endings(spark: SparkSession, folder: str, old: str, new: str) -> None:
    """Files right in a folder get another ending, whatever they are packed with behind it."""
    path, system = _at(spark, folder)
    for status in call_spark("scale.cannot_read", folder, lambda: system.listStatus(path)):
        name = str(status.getPath().getName())
        stem, ending, packing = name.rpartition(old)
        if ending and not name.startswith(("_", ".")):
            target, _ = _at(spark, f"{folder.rstrip('/')}/{stem}{new}{packing}")
            system.rename(status.getPath(), target)


def remove(spark: SparkSession, name: str) -> None:
    """A file or folder with all that is in it, if it is there."""
    path, system = _at(spark, name)
    call_spark("scale.cannot_remove", name, lambda: system.delete(path, True))


def _at(spark: SparkSession, name: str) -> tuple[Any, Any]:
    jvm: Any = spark.sparkContext._jvm
    conf: Any = spark.sparkContext._jsc.hadoopConfiguration()

    def locate() -> tuple[Any, Any]:
        path = jvm.org.apache.hadoop.fs.Path(name)
        return path, path.getFileSystem(conf)

    return call_spark("scale.no_way", name, locate)
