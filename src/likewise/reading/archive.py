"""A ZIP archive as a folder of documents."""

from __future__ import annotations

import io
import re
import struct
import threading
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from likewise.errors import ReadingError
from likewise.reading.request import Limits

BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")  # with members, and without any
_ENTRY_BYTES = 46 + 512  # of a directory: its fixed part, and more name than is usual
_UTF8_NAME = 0x800
_LOCKED = 0x1
_TWO_ALPHABETS = re.compile("[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")
_UNICODE_PATH = 0x7075  # the extra field in which Info-ZIP keeps a name


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive, under a name for people."""

    name: str
    info: zipfile.ZipInfo


class Archive:
    """The members of a ZIP archive, each unpacked on demand and never beyond the limits.

    Several threads may read; opening it again after `close` costs the directory once more.
    """

    def __init__(self, source: Path | bytes, limits: Limits) -> None:
        self._source = source
        self._limits = limits
        self._left = limits.archive_bytes
        self._lock = threading.Lock()
        self._zip = self._opened()
        self.members = tuple(_members(self._zip.infolist()))

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()

    def read(self, member: Member) -> bytes:
        """The bytes of a member."""
        info, limit = member.info, self._limits.unpacked_bytes
        if info.flag_bits & _LOCKED:
            raise ReadingError("it is locked with a password in the archive")
        with self._lock:
            limit = min(limit, self._left)
        try:
            with self._zip.open(info) as unpacking:
                data = unpacking.read(limit + 1)
        except (OSError, EOFError, zipfile.BadZipFile, zlib.error, ValueError) as error:
            raise ReadingError(f"damaged in the archive ({error})") from error
        except (NotImplementedError, RuntimeError) as error:
            raise ReadingError(f"packed in a way that is not read ({error})") from error
        with self._lock:
            self._left -= min(len(data), self._left)
        if len(data) > limit:
            raise ReadingError(f"it unpacks to more than {limit >> 20:,} MB")
        return data

    def _opened(self) -> zipfile.ZipFile:
        try:
            source = io.BytesIO(self._source) if isinstance(self._source, bytes) else self._source
            _check_directory(self._source, self._limits)
            return zipfile.ZipFile(source)
        except (OSError, zipfile.BadZipFile, ValueError, struct.error) as error:
            raise ReadingError(f"a damaged ZIP archive ({error})") from error
        except NotImplementedError as error:
            raise ReadingError(f"a ZIP archive of a kind that is not read ({error})") from error


def _members(infos: Iterable[zipfile.ZipInfo]) -> Iterator[Member]:
    """The files among the entries; a name that comes again gets a number."""
    times: Counter[str] = Counter()
    for info in infos:
        name = _name(info)
        if info.filename.endswith("/") or is_litter(name):
            continue
        times[name] += 1
        yield Member(name if times[name] == 1 else f"{name} ({times[name]})", info)


def _check_directory(source: Path | bytes, limits: Limits) -> None:
    """Refuse a directory so long that reading it would eat the memory."""
    longest = 65_535 + 22
    if isinstance(source, bytes):
        tail = source[-longest:]
    else:
        with source.open("rb") as file:
            file.seek(max(0, source.stat().st_size - longest))
            tail = file.read(longest)
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) < end + 22:
        raise zipfile.BadZipFile("its directory is missing")
    members, directory_bytes = struct.unpack_from("<HI", tail, end + 10)
    if members > limits.members or directory_bytes > limits.members * _ENTRY_BYTES:
        raise ReadingError(f"a ZIP archive of more than {limits.members:,} files")


def _name(info: zipfile.ZipInfo) -> str:
    """A member's name with /, in letters that people can read."""
    name = info.filename
    if not info.flag_bits & _UTF8_NAME:
        raw = name.encode("cp437", "replace")
        name = _unicode_path(info.extra) or _in_some_code_page(raw)
    parts = name.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in {"", ".", ".."}) or "unnamed"


def _in_some_code_page(raw: bytes) -> str:
    """Names without a mark: UTF-8 from some systems, else the code page of a Russian Windows.

    >>> _in_some_code_page("Дипломная работа.docx".encode("cp866"))
    'Дипломная работа.docx'
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        pass
    for code_page in ("cp866", "cp1251"):
        try:
            name = raw.decode(code_page)
        except UnicodeDecodeError:
            continue
        foreign = [c for c in name if c > "\x7f" and c != "№" and not "\u0400" <= c <= "\u04ff"]
        if not foreign and not _TWO_ALPHABETS.search(name):
            return name
    return raw.decode("cp437")


def _unicode_path(extra: bytes) -> str | None:
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == _UNICODE_PATH and size > 5:
            try:
                return extra[9 : 4 + size].decode()
            except UnicodeDecodeError:
                return None
        extra = extra[4 + size :]
    return None


def is_litter(name: str) -> bool:
    """Whether a file is hidden, or something that an operating system or office leaves behind.

    >>> is_litter("work/__MACOSX/._a.docx"), is_litter("~$essay.docx"), is_litter("a/b.pdf")
    (True, True, False)
    """
    parts = name.split("/")
    return (
        any(part.startswith(".") or part == "__MACOSX" for part in parts)
        or parts[-1].startswith("~$")
        or parts[-1].casefold() in {"thumbs.db", "desktop.ini"}
    )
