"""A folder of documents, or an archive of them; what cannot be read is named, never skipped."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from likewise.errors import BadInput, ReadingError
from likewise.machine import cores, in_order
from likewise.model import Document, Message, Unread
from likewise.progress import PageProgress, Progress
from likewise.reading.archive import Archive, open_archive
from likewise.reading.read import How, archive_at, file_bytes, read_as_asked
from likewise.reading.request import LANGUAGES
from likewise.reading.sandbox import stop_reading
from likewise.reading.submissions import authors
from likewise.reading.unpack import is_litter

DEEPEST_ARCHIVE = 3  # archives within archives


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
    folder, how = Path(folder), How(cache=cache, ocr=ocr, verify=verify)
    if not folder.exists():
        raise BadInput(f"{folder}: there is no such folder")
    unread: list[Unread] = []
    files = list(files_of(folder, how, unread))
    documents, failed = read_files(files, how, progress, jobs=jobs)
    return documents, [*unread, *failed]


def read_files(
    files: Sequence[File], how: How, progress: Progress | None = None, *, jobs: int | None = None
) -> tuple[list[Document], list[Unread]]:
    """The documents in some files, wherever they come from, and the files that gave none."""
    telling = _Telling(progress, len(files))
    documents: list[Document] = []
    unread: list[Unread] = []
    try:
        for found in in_order(lambda file: _read(file, how, telling), files, jobs or cores()):
            for one in found:
                if isinstance(one, Document):
                    documents.append(one)
                else:
                    unread.append(one)
            telling.finished()
    except BaseException:
        stop_reading()
        raise
    return documents, unread


@dataclass(frozen=True, slots=True)
class File:
    """Something to be read, and who wrote it if its place tells."""

    name: str
    load: Callable[[], bytes]
    author: str | None = None


def files_of(folder: Path, how: How, unread: list[Unread]) -> Iterator[File]:
    """Every file, archives opened, in the order of their names."""
    if folder.is_file():
        archive = archive_at(folder, how.limits)
        if archive is None:
            raise BadInput(f"{folder}: this is a file; a folder or a ZIP archive is needed")
        yield from members_of(archive, "")
        return
    paths = {name_below(path, folder): path for path in files_below(folder, unread)}
    known = authors(list(paths))
    for name in sorted(paths):
        path = paths[name]
        try:
            archive = archive_at(path, how.limits)
        except ReadingError as problem:
            unread.append(Unread(name, problem.message))
            continue
        if archive:
            yield from members_of(archive, f"{name}/")
        else:
            yield File(name, lambda path=path: file_bytes(path, how.limits), known.get(name))  # type: ignore[misc]


def members_of(archive: Archive, above: str) -> Iterator[File]:
    """The files in an archive."""
    known = authors([member.name for member in archive.members])
    for member in archive.members:
        yield File(
            above + member.name,
            lambda member=member: archive.read(member),  # type: ignore[misc]
            known.get(member.name),
        )


def _read(file: File, how: How, telling: _Telling, depth: int = 0) -> list[Document | Unread]:
    """What a file gives: a document, a reason, or all that is in an archive within an archive."""
    try:
        data = file.load()
        if archive := open_archive(data, file.name, how.limits):
            if depth == DEEPEST_ARCHIVE:
                raise ReadingError("an archive within archives, deeper than is looked into")
            inner = members_of(archive, f"{file.name}/")
            return [one for each in inner for one in _read(each, how, telling, depth + 1)]
        document = read_as_asked(data, file.name, how, tell_page=telling.page_of(file.name))
    except ReadingError as problem:
        return [Unread(file.name, problem.message)]
    return [by_author(document, file.author)]


def by_author(document: Document, author: str | None) -> Document:
    """The document with who handed it in; who the file itself names is kept beside."""
    if not author:
        return document
    meta = dict(document.meta)
    if own := meta.get("author"):
        meta["file_author"] = own
    return replace(document, meta=meta | {"author": author})


class _Telling:
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


def files_below(folder: Path, unread: list[Unread]) -> Iterator[Path]:
    """Every file that is not hidden, links followed; what cannot be opened goes to `unread`."""

    def closed(error: OSError) -> None:
        name = name_below(Path(error.filename), folder)
        unread.append(Unread(name, Message.verbatim(error.strerror or str(error))))

    seen: dict[tuple[int, int], Path] = {}
    for place, folders, files in os.walk(folder, onerror=closed, followlinks=True):
        here = Path(place)
        identity = here.stat()
        earlier = seen.setdefault((identity.st_dev, identity.st_ino), here)
        if earlier != here:
            folders.clear()
            of = name_below(earlier, folder)
            reason = Message("reading.same_folder_top")
            if of != ".":
                reason = Message("reading.same_folder", {"name": of})
            unread.append(Unread(name_below(here, folder), reason))
            continue
        folders[:] = sorted(name for name in folders if not is_litter(name))
        for name in sorted(files):
            if not is_litter(name):
                yield here / name


def name_below(path: Path, folder: Path) -> str:
    """The path below the folder, with /, whatever bytes are in it."""
    name = path.relative_to(folder).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
