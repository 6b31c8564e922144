"""ZIP archives as strangers pack them, taken apart inside a reader; `archive` is the outside."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypedDict

from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.formats import sniff

DIRECTORY_MISSING = Message("reading.directory_missing")
_ENTRY_BYTES = 46 + 512  # of a directory: its fixed part, and more name than is usual
_LOCAL_HEAD = struct.Struct("<4s22xHH")  # signature, lengths of name and extra field
_UTF8_NAME = 0x800
_TWO_ALPHABETS = re.compile("[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")
_UNICODE_PATH = 0x7075  # the extra field in which Info-ZIP keeps a name


class DirectoryEntry(TypedDict):
    """A member of an archive, as a reader tells it."""

    name: str
    start: int  # of its own head in the archive
    packed_bytes: int
    size: int
    method: int
    crc: int
    flags: int


def archive_directory(data: bytes, name: str, members: int) -> list[DirectoryEntry] | None:
    """The members of an archive, None where the bytes are something else."""
    try:
        if sniff(data, name) != "archive":
            return None
    except ReadingError:
        return None  # whoever reads it will say why
    try:
        _check_directory(data, members)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return list(_members(archive.infolist()))
    except (OSError, zipfile.BadZipFile, ValueError, struct.error) as error:
        raise ReadingError("reading.damaged_zip", error=_verbatim(error)) from error
    except NotImplementedError as error:
        raise ReadingError("reading.zip_kind", error=_verbatim(error)) from error


def unpack_member(
    data: bytes, method: int, packed_bytes: int, size: int, crc: int, flags: int, limit: int
) -> bytes:
    """A member's bytes, from where its own head stands in the archive."""
    info = zipfile.ZipInfo()
    info.compress_type, info.compress_size, info.flag_bits = method, packed_bytes, flags
    info.CRC, info.file_size = crc, size
    try:
        signature, name_bytes, extra_bytes = _LOCAL_HEAD.unpack_from(data)
        if signature != b"PK\x03\x04":
            raise ReadingError("reading.damaged_in_archive", error=DIRECTORY_MISSING)
        start = _LOCAL_HEAD.size + name_bytes + extra_bytes
        with zipfile.ZipExtFile(io.BytesIO(data[start : start + packed_bytes]), "r", info) as file:
            unpacked = file.read(limit + 1)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, ValueError, struct.error) as error:
        raise ReadingError("reading.damaged_in_archive", error=_verbatim(error)) from error
    except (NotImplementedError, RuntimeError) as error:
        raise ReadingError("reading.packed_otherwise", error=_verbatim(error)) from error
    if len(unpacked) > limit:
        raise ReadingError("reading.unpacks_more", n=limit >> 20)
    return unpacked


def _verbatim(error: Exception) -> Message:
    return Message.verbatim(str(error))


def _members(infos: Iterable[zipfile.ZipInfo]) -> Iterator[DirectoryEntry]:
    """The files among the entries; a name that comes again gets a number."""
    times: Counter[str] = Counter()
    for info in infos:
        name = _name(info)
        if info.filename.endswith("/") or is_litter(name):
            continue
        times[name] += 1
        yield {
            "name": name if times[name] == 1 else f"{name} ({times[name]})",
            "start": info.header_offset,
            "packed_bytes": info.compress_size,
            "size": info.file_size,
            "method": info.compress_type,
            "crc": info.CRC,
            "flags": info.flag_bits,
        }


def _check_directory(data: bytes, members: int) -> None:
    """Refuse a directory so long that reading it would eat the memory."""
    tail = data[-(65_535 + 22) :]
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) < end + 22:
        raise ReadingError("reading.damaged_zip", error=DIRECTORY_MISSING)
    count, directory_bytes = struct.unpack_from("<HI", tail, end + 10)
    if count > members or directory_bytes > members * _ENTRY_BYTES:
        raise ReadingError("reading.zip_files", n=members)


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
