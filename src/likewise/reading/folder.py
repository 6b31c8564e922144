"""A folder of documents, or an archive of them, in the order of the names of its files.

Archives within archives are opened. Each file is given with its bytes, or with the reason why it
has none: what cannot be read is named, never skipped.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from likewise.errors import BadInput, ReadingError
from likewise.machine import cores, in_order
from likewise.model import Document, Message, Unread
from likewise.progress import PageProgress, Progress
from likewise.reading.archive import Archive, open_archive
from likewise.reading.read import archive_at, file_bytes, read_with_options, system_message
from likewise.reading.request import LANGUAGES, Limits, ReadOptions
from likewise.reading.sandbox import stop_reading_on_error
from likewise.reading.submissions import CANVAS, MOODLE
from likewise.reading.unpack import is_litter

T = TypeVar("T")


def read_folder(
    folder: str | Path,
    progress: Progress | None = None,
    *,
    jobs: int | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
) -> tuple[list[Document], list[Unread]]:
    """The documents in a folder and below, or in a ZIP archive, and the files that gave none.

    Archives in the folder are folders too. Hidden files (a dot in front) and what operating
    systems leave behind are not looked at.
    """
    options = ReadOptions(cache=cache, ocr=ocr, verify=verify, jobs=jobs)
    return read_folder_by(options, folder, progress)


def read_folder_by(
    options: ReadOptions, folder: str | Path, progress: Progress | None = None
) -> tuple[list[Document], list[Unread]]:
    """The same by options."""
    folder = Path(folder)
    if not folder.exists():
        raise BadInput("reading.no_such_folder", about=folder)
    return read_files(
        list(list_files(folder, options.limits)), options, progress, jobs=options.jobs
    )


def read_files(
    files: Sequence[File | Unread],
    options: ReadOptions,
    progress: Progress | None = None,
    *,
    jobs: int | None = None,
) -> tuple[list[Document], list[Unread]]:
    """The documents in some files, wherever they come from, and the files that gave none."""
    unread = [file for file in files if isinstance(file, Unread)]
    listed = [file for file in files if isinstance(file, File)]
    folder_progress = _FolderProgress(progress, len(listed))
    documents: list[Document] = []

    def read(content: Content) -> Document:
        return read_document(content, options, folder_progress.page_of(content.name))

    with stop_reading_on_error():
        for batch in read_side_by_side(listed, read, options.limits, jobs):
            for one in batch:
                if isinstance(one, Document):
                    documents.append(one)
                else:
                    unread.append(one)
            folder_progress.finished()
    return documents, unread


def read_side_by_side(
    files: Sequence[File], read: Callable[[Content], T], limits: Limits, jobs: int | None
) -> Iterator[list[T | Unread]]:
    """What `read` makes of each file and of all in the archive that it may be, in order."""

    def read_all(file: File) -> list[T | Unread]:
        return [read_content(one, read) for one in walk(file, limits)]

    return in_order(read_all, files, jobs or cores())


def read_document(
    content: Content, options: ReadOptions, tell_page: PageProgress | None = None
) -> Document:
    """The document in a file, with who handed it in; who the file itself names is kept beside."""
    document = read_with_options(content.data, content.name, options, tell_page=tell_page)
    if not content.author:
        return document
    meta = dict(document.meta)
    if own := meta.get("author"):
        meta["file_author"] = own
    return replace(document, meta=meta | {"author": content.author})


class _FolderProgress:
    """Progress in files, and in pages for those that have many."""

    def __init__(self, progress: Progress | None, files: int) -> None:
        self._progress = progress
        self._done, self._files = 0, files
        self._lock = threading.Lock()

    def finished(self) -> None:
        self._tell("reading files", 1)

    def page_of(self, name: str) -> PageProgress | None:
        if not self._progress:
            return None
        short = name.rpartition("/")[2]

        def page(done: int, total: int) -> None:
            self._tell(f"reading files ({short}, page {done:,} of {total:,})", 0)

        return page

    def _tell(self, stage: str, more: int) -> None:
        with self._lock:
            self._done += more
            if self._progress:
                self._progress(stage, self._done, self._files)


def labels(left: Path, right: Path) -> tuple[str, str]:
    """What to call two folders, so that they can be told apart.

    >>> labels(Path("2023/essays"), Path("archive")), labels(Path("a/x"), Path("b/x"))
    (('essays', 'archive'), ('a/x', 'b/x'))
    """
    names = left.resolve().name, right.resolve().name
    if names[0] == names[1]:
        names = left.as_posix(), right.as_posix()
    return names if names[0] != names[1] else ("a", "b")


def is_file_of(file: Path, folder: Path, document: Document) -> bool:
    """Whether a document that was read from a folder is this very file, and not one of its name."""
    path = folder / document.name
    return path.absolute() == file.absolute() or (path.is_file() and path.samefile(file))


# The files of a folder or an archive, archives within archives opened, in order of their names.
#
# Each file is given with its bytes, or with the reason why it has none; nothing is skipped.

DEEPEST_ARCHIVE = 3  # archives within archives


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
    author_of = authors(list(paths))
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
            yield file_at(here, limits, name, author_of.get(name))


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
    author_of = authors([member.name for member in archive.members])
    return [
        File(
            prefix + member.name,
            lambda member=member: archive.read(member),  # type: ignore[misc]
            author_of.get(member.name),
        )
        for member in archive.members
    ]


def _files_below(folder: Path) -> Iterator[Path | Unread]:
    """Every file that is not hidden, links followed; and the folders that cannot be opened."""
    closed: list[Unread] = []

    def note(error: OSError) -> None:
        name = _name_below(Path(error.filename), folder)
        closed.append(Unread(name, system_message(error)))

    first_paths: dict[tuple[int, int], Path] = {}
    for place, folders, files in os.walk(folder, onerror=note, followlinks=True):
        yield from closed
        closed.clear()
        here = Path(place)
        identity = here.stat()
        earlier = first_paths.setdefault((identity.st_dev, identity.st_ino), here)
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


# Who handed a file in, by the names that learning platforms give.


def authors(names: Sequence[str]) -> dict[str, str]:
    """The author of each file of an archive or a folder whose name tells.

    Canvas's names are like others', so they count only where every file has one.

    >>> authors(["Asel Nur_70123_assignsubmission_file_/essay.docx", "notes.txt"])
    {'Asel Nur_70123_assignsubmission_file_/essay.docx': 'Asel Nur'}
    >>> authors(["nurasel_LATE_4711_90210_essay.docx", "leedana_4712_90211_final_1.docx"])
    {'nurasel_LATE_4711_90210_essay.docx': 'nurasel', 'leedana_4712_90211_final_1.docx': 'leedana'}
    >>> authors(["report_2023_112_final.docx", "plan.docx"])
    {}
    """
    author_of = {name: match["author"] for name in names if (match := MOODLE.search(name))}
    if author_of:
        return author_of
    matches = [CANVAS.fullmatch(name.rpartition("/")[2]) for name in names]
    together = dict(zip(names, matches, strict=True))
    if all(matches):
        return {name: match["author"] for name, match in together.items() if match}
    return {}
