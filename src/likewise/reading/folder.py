"""A folder of documents, or an archive of them; what cannot be read is named, never skipped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from likewise.errors import BadInput
from likewise.machine import cores, in_order
from likewise.model import Document, Unread
from likewise.progress import PageProgress, Progress
from likewise.reading.read import read_as_asked
from likewise.reading.request import LANGUAGES, Limits, ReadOptions
from likewise.reading.sandbox import stop_reading_on_error
from likewise.reading.walk import Content, File, list_files, read_content, walk

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
    how: ReadOptions, folder: str | Path, progress: Progress | None = None
) -> tuple[list[Document], list[Unread]]:
    """The same by options."""
    folder = Path(folder)
    if not folder.exists():
        raise BadInput("reading.no_such_folder", about=folder)
    return read_files(list(list_files(folder, how.limits)), how, progress, jobs=how.jobs)


def read_files(
    files: Sequence[File | Unread],
    how: ReadOptions,
    progress: Progress | None = None,
    *,
    jobs: int | None = None,
) -> tuple[list[Document], list[Unread]]:
    """The documents in some files, wherever they come from, and the files that gave none."""
    unread = [file for file in files if isinstance(file, Unread)]
    listed = [file for file in files if isinstance(file, File)]
    telling = _Telling(progress, len(listed))
    documents: list[Document] = []

    def read(content: Content) -> Document:
        return read_document(content, how, telling.page_of(content.name))

    with stop_reading_on_error():
        for found in read_side_by_side(listed, read, how.limits, jobs):
            for one in found:
                if isinstance(one, Document):
                    documents.append(one)
                else:
                    unread.append(one)
            telling.finished()
    return documents, unread


def read_side_by_side(
    files: Sequence[File], read: Callable[[Content], T], limits: Limits, jobs: int | None
) -> Iterator[list[T | Unread]]:
    """What `read` makes of each file and of all in the archive that it may be, in order."""

    def read_all(file: File) -> list[T | Unread]:
        return [read_content(one, read) for one in walk(file, limits)]

    return in_order(read_all, files, jobs or cores())


def read_document(
    content: Content, how: ReadOptions, tell_page: PageProgress | None = None
) -> Document:
    """The document in a file, with who handed it in; who the file itself names is kept beside."""
    document = read_as_asked(content.data, content.name, how, tell_page=tell_page)
    if not content.author:
        return document
    meta = dict(document.meta)
    if own := meta.get("author"):
        meta["file_author"] = own
    return replace(document, meta=meta | {"author": content.author})


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
