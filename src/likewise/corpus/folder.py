"""A folder of documents, read one file at a time; what cannot be read is named, never skipped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from likewise.errors import BadInput
from likewise.model import Document, Unread
from likewise.reading import read

Progress = Callable[[str, int, int], None]


def read_folder(
    folder: str | Path, progress: Progress | None = None
) -> tuple[list[Document], list[Unread]]:
    """The documents in a folder and below, and the files that gave none.

    Hidden files and folders (a dot in front) are not looked at.
    """
    folder = Path(folder)
    if not folder.exists():
        raise BadInput(f"{folder}: there is no such folder")
    if not folder.is_dir():
        raise BadInput(f"{folder}: this is a file; a folder of documents is needed")
    unread: list[Unread] = []
    files = sorted(files_below(folder, unread), key=lambda path: _name(path, folder))
    documents = []
    for i, path in enumerate(files, 1):
        name = _name(path, folder)
        try:
            documents.append(read(path, name))
        except BadInput as problem:
            unread.append(Unread(name, _reason(str(problem), name, path)))
        if progress:
            progress("reading files", i, len(files))
    return documents, unread


def files_below(folder: Path, unread: list[Unread]) -> Iterator[Path]:
    """Every file that is not hidden; folders that cannot be opened go to `unread`."""

    def closed(error: OSError) -> None:
        unread.append(Unread(_name(Path(error.filename), folder), error.strerror or str(error)))

    for place, folders, files in os.walk(folder, onerror=closed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            if not name.startswith("."):
                yield Path(place, name)


def _name(path: Path, folder: Path) -> str:
    """The path below the folder, with /, whatever bytes are in it."""
    name = path.relative_to(folder).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _reason(problem: str, name: str, path: Path) -> str:
    for prefix in (f"{name}: ", f"{path}: "):
        problem = problem.removeprefix(prefix)
    return problem
