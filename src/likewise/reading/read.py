"""One file to one `Document`; what it is, its content decides."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from likewise.errors import ReadingError
from likewise.model import Document, Message
from likewise.progress import PageProgress, no_progress
from likewise.reading.archive import Archive, open_archive
from likewise.reading.cache import cache_folder, cache_in, key_of, sha256_in
from likewise.reading.formats import ZIP_BEGINNINGS, sniff
from likewise.reading.request import LANGUAGES, Limits, ReadOptions, Request
from likewise.reading.sandbox import shared_sandbox


def read(
    path: str | Path,
    name: str | None = None,
    *,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    tell_page: PageProgress | None = None,
) -> Document:
    """The document in a file, or in a member of a ZIP archive (`work.zip/essay.pdf`).

    Raises `ReadingError` with the reason where there is none.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "essay.txt")
    ...     _ = path.write_text("The caravan crossed the pass.")
    ...     read(path, cache=False).text
    'The caravan crossed the pass.'
    """
    path, options = Path(path), ReadOptions(cache=cache, ocr=ocr, verify=verify)
    try:
        if not path.exists() and (archive := _archive_above(path)):
            data = _member(archive, path.relative_to(archive).as_posix(), options.limits)
        else:
            data = file_bytes(path, options.limits)
        return read_with_options(data, name or path.name, options, tell_page=tell_page)
    except ReadingError as error:
        raise ReadingError(error.message, about=name or path) from error


def read_bytes(
    data: bytes,
    name: str,
    *,
    web_page: bool = False,
    charset: str | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    tell_page: PageProgress | None = None,
) -> Document:
    """The document in some bytes; `charset` is what a server said about them.

    >>> read_bytes("Дала мен аспан.".encode(), "a.txt").text
    'Дала мен аспан.'
    """
    try:
        options = ReadOptions(cache=cache, web_page=web_page, ocr=ocr)
        return read_with_options(data, name, options, charset=charset, tell_page=tell_page)
    except ReadingError as error:
        raise ReadingError(error.message, about=name) from error


def read_with_options(
    data: bytes,
    name: str,
    options: ReadOptions,
    *,
    charset: str | None = None,
    tell_page: PageProgress | None = None,
) -> Document:
    """The document in some bytes, from the cache or from a process that reads."""
    if not data:
        raise ReadingError("reading.empty_file")
    request = Request(
        name,
        options.limits,
        options.web_page,
        charset,
        tell_page or no_progress,
        options.ocr,
        options.verify,
    )
    key = key_of(data, request)
    return replace(_read(data, key, request, options), sha256=sha256_in(key))


def _read(data: bytes, key: str, request: Request, options: ReadOptions) -> Document:
    cache = cache_in(cache_folder()) if options.cache else None
    if cache and (cached := cache.get(key, request.name)):
        return cached
    document, is_plain_text = shared_sandbox(options.limits).read(data, request)
    if cache and not is_plain_text:  # which is read before it is looked up
        cache.put(key, document)
    return document


def identify(data: bytes, name: str, limits: Limits) -> str:
    """What some bytes are, by their content: a format, or "archive"; `ReadingError` if neither."""
    return shared_sandbox(limits).call(sniff, data, name=name)


_OF_SYSTEM = {
    errno.EACCES: Message("reading.denied"),
    errno.ENOENT: Message("reading.no_file"),
    errno.EIO: Message("reading.disk"),
    errno.ENAMETOOLONG: Message("reading.name_too_long"),
    errno.ELOOP: Message("reading.link_loop"),
}


def system_message(error: OSError) -> Message:
    """Why the system refuses a file: what happens often is a message of ours, in its words.

    >>> str(system_message(PermissionError(errno.EACCES, "Permission denied")))
    'Permission denied'
    """
    message = _OF_SYSTEM.get(error.errno or 0)
    return message or Message.verbatim(error.strerror or str(error))


def file_bytes(path: Path, limits: Limits) -> bytes:
    """The bytes of a regular file, all from one moment."""
    try:
        for _attempt in range(2):
            with _opened(path) as file:
                before = os.fstat(file.fileno())
                if not stat.S_ISREG(before.st_mode):
                    raise ReadingError("reading.not_a_file")
                if before.st_size > limits.file_bytes:
                    raise ReadingError(
                        "reading.too_long",
                        n=round(before.st_size / 2**20),
                        most=round(limits.file_bytes / 2**20),
                    )
                data = file.read(limits.file_bytes + 1)
                after = os.fstat(file.fileno())
            states = [(status.st_size, status.st_mtime_ns) for status in (before, after)]
            if states[0] == states[1] and len(data) == after.st_size:
                return data
    except OSError as error:
        raise ReadingError(system_message(error)) from error
    raise ReadingError("reading.changes")


def _opened(path: Path) -> BinaryIO:
    """The file, for reading; a pipe is not waited for until somebody writes into it."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags), "rb")


def _archive_above(path: Path) -> Path | None:
    """The file that a path goes through as if it were a folder."""
    return next((above for above in path.parents if above.is_file()), None)


def archive_at(path: Path, limits: Limits) -> Archive | None:
    """The archive that a file is, unless it is something else."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            if file.read(4) not in ZIP_BEGINNINGS:
                return None
        data = file_bytes(path, limits)
    except (OSError, ReadingError):
        return None  # whoever reads it will say why
    return open_archive(data, path.name, limits, path)


def _member(path: Path, name: str, limits: Limits) -> bytes:
    archive = archive_at(path, limits)
    for member in archive.members if archive else ():
        if archive and member.name == name:
            return archive.read(member)
    raise ReadingError("reading.no_such_member", name=path.name)
