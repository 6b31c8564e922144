"""The files of a folder or an archive, archives within archives opened, in order of their names.

Each file is given with its bytes, or with the reason why it has none; nothing is skipped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from likewise.errors import BadInput, ReadingError
from likewise.model import Message, Unread
from likewise.reading.archive import Archive, open_archive
from likewise.reading.read import archive_at, file_bytes, system_message
from likewise.reading.request import Limits
from likewise.reading.submissions import authors
from likewise.reading.unpack import is_litter

DEEPEST_ARCHIVE = 3  # archives within archives

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class File:
    """A file that has not been loaded yet, and who wrote it if its place tells."""

    name: str
    load: Callable[[], bytes]
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file that is no archive."""

    name: str
    data: bytes = field(repr=False)
    author: str | None = None


def list_files(path: Path, limits: Limits) -> Iterator[File | Unread]:
    """Every file in a folder, or in the archive that a file is; archives in the folder opened."""
    if path.is_file():
        archive = archive_at(path, limits)
        if archive is None:
            raise BadInput("reading.folder_needed", about=path)
        yield from _members(archive, "")
        return
    paths: dict[str, Path] = {}
    for one in _files_below(path):
        if isinstance(one, Unread):
            yield one
        else:
            paths[_name_below(one, path)] = one
    known = authors(list(paths))
    for name in sorted(paths):
        here = paths[name]
        try:
            archive = archive_at(here, limits)
        except ReadingError as problem:
            yield Unread(name, problem.message)
            continue
        if archive:
            yield from _members(archive, f"{name}/")
        else:
            yield file_at(here, limits, name, known.get(name))


def file_at(path: Path, limits: Limits, name: str, author: str | None = None) -> File:
    """A file on disk, read when its turn comes."""
    return File(name, lambda: file_bytes(path, limits), author)


def list_members(data: bytes, name: str, limits: Limits, prefix: str) -> list[File] | None:
    """The files in the archive that some bytes are, `prefix` before their names; None if none."""
    archive = open_archive(data, name, limits)
    return None if archive is None else _members(archive, prefix)


def walk(
    file: File,
    limits: Limits,
    *,
    prefix: str | None = None,
    on_archive: Callable[[list[File]], None] | None = None,
    depth: int = 0,
) -> Iterator[Content | Unread]:
    """A file's bytes, or those of all files in the archive that it is.

    `prefix` stands before the names of its members instead of its own name; `on_archive` hears of
    the members of every archive and refuses them by a `ReadingError`.
    """
    members: list[File] | None = None
    try:
        data = file.load()
        above = f"{file.name}/" if prefix is None else prefix
        members = list_members(data, file.name, limits, above)
        if members is not None:
            if depth == DEEPEST_ARCHIVE:
                raise ReadingError("reading.archive_depth")
            if on_archive:
                on_archive(members)
    except ReadingError as problem:
        yield Unread(file.name, problem.message)
        return
    if members is None:
        yield Content(file.name, data, file.author)
        return
    for member in members:
        yield from walk(member, limits, on_archive=on_archive, depth=depth + 1)


def read_content(content: Content | Unread, read: Callable[[Content], T]) -> T | Unread:
    """What `read` makes of a file, or why it makes nothing of it."""
    if isinstance(content, Unread):
        return content
    try:
        return read(content)
    except ReadingError as problem:
        return Unread(content.name, problem.message)


def _members(archive: Archive, prefix: str) -> list[File]:
    known = authors([member.name for member in archive.members])
    return [
        File(
            prefix + member.name,
            lambda member=member: archive.read(member),  # type: ignore[misc]
            known.get(member.name),
        )
        for member in archive.members
    ]


def _files_below(folder: Path) -> Iterator[Path | Unread]:
    """Every file that is not hidden, links followed; and the folders that cannot be opened."""
    closed: list[Unread] = []

    def note(error: OSError) -> None:
        name = _name_below(Path(error.filename), folder)
        closed.append(Unread(name, system_message(error)))

    seen: dict[tuple[int, int], Path] = {}
    for place, folders, files in os.walk(folder, onerror=note, followlinks=True):
        yield from closed
        closed.clear()
        here = Path(place)
        identity = here.stat()
        earlier = seen.setdefault((identity.st_dev, identity.st_ino), here)
        if earlier != here:
            folders.clear()
            of = _name_below(earlier, folder)
            reason = Message("reading.same_folder_top")
            if of != ".":
                reason = Message("reading.same_folder", {"name": of})
            yield Unread(_name_below(here, folder), reason)
            continue
        folders[:] = sorted(name for name in folders if not is_litter(name))
        for name in sorted(files):
            if not is_litter(name):
                yield here / name
    yield from closed


def _name_below(path: Path, folder: Path) -> str:
    """The path below the folder, with /, whatever bytes are in it."""
    name = path.relative_to(folder).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
