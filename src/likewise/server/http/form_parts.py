"""The parts of a form: counted, hashed and looked at, one after the other."""

from __future__ import annotations

import hashlib
import io
import json
import time
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

from python_multipart.multipart import MultipartParser, parse_options_header

from likewise.errors import BadInput, ReadingError
from likewise.library.metadata import check_metadata_table
from likewise.reading.formats import ZIP_BEGINNINGS
from likewise.reading.read import identify
from likewise.reading.request import MB, Limits
from likewise.server.http.request_limits import MOST_DEPTH, is_too_deep
from likewise.server.problems import Problem, with_code

MOST_REQUEST_BYTES = 1_000_000  # of the part `request`
MOST_NAME_CHARS = 200
_FIELDS = ("file", "request", "table")
_AROUND_BYTES = 1_000  # of a form, for each file that it may hold
_IN_MEMORY_BYTES = 1 << 20
_IDENTIFIED_BYTES = 1 << 20
_COMPOUND = b"\xd0\xcf\x11\xe0"  # whose directory may stand anywhere


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """A file of a form; `file` is open for as long as the form is."""

    name: str  # to be shown; never a path
    size: int
    sha256: bytes
    file: IO[bytes]
    kind: str = "plain"  # by its content: a format, or "archive"


@dataclass(frozen=True, slots=True)
class ReceivedForm:
    """Everything that was handed in with one request."""

    request: dict[str, Any]
    files: list[ReceivedFile]
    received_on: datetime  # when all of it had come, before it waited for others
    table: ReceivedFile | None = None  # of metadata: the part `table`


class FormParser:
    """The parts of a form, as far as they have come in."""

    def __init__(self, boundary: bytes, most_bytes: int, most_files: int) -> None:
        self._most_bytes, self._most_files = most_bytes, most_files
        self._most_body = most_bytes + MOST_REQUEST_BYTES + _AROUND_BYTES * most_files
        self._fed = self._counted = 0
        self._is_whole = False
        # One for all parts: neither memory nor open files grow with how many there are.
        self._buffer: IO[bytes] = SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115
        self._parts: list[_Part] = []
        self._files = 0
        self._header, self._value, self._disposition = bytearray(), bytearray(), b""
        self._parser = MultipartParser(
            boundary,
            {
                "on_header_begin": self._header_begins,
                "on_header_field": self._header_goes_on,
                "on_header_value": self._value_goes_on,
                "on_header_end": self._header_ends,
                "on_headers_finished": self._part_begins,
                "on_part_data": self._part_goes_on,
                "on_end": self._all_came,
            },
        )

    def announced(self, body_bytes: int) -> None:
        """Refuse what says itself that it is too much."""
        if body_bytes > self._most_body:
            raise Problem(
                "too large",
                "server.upload_bytes",
                details={"most_bytes": self._most_bytes},
                most=self._most_bytes,
            )

    def feed(self, data: bytes) -> None:
        self._fed += len(data)
        self.announced(self._fed)
        self._parser.write(data)

    def finish(self) -> None:
        self._parser.finalize()
        if not self._is_whole:
            raise Problem("bad request", "server.form_broke_off")

    def close(self) -> None:
        self._buffer.close()

    def form(self, received_on: datetime) -> ReceivedForm:
        """What came in, once all of it has."""
        request: dict[str, Any] = {}
        files, table = [], None
        for part in self._parts:
            window = cast(IO[bytes], _Window(self._buffer, part.start, part.size))
            if part.field == "request":
                request = _json_object(window.read())
                continue
            file = ReceivedFile(part.name, part.size, part.sha256.digest(), window)
            if part.field == "table":
                table = file
            else:
                files.append(file)
        return ReceivedForm(request, files, received_on, table)

    def _header_begins(self) -> None:
        self._header, self._value = bytearray(), bytearray()

    def _header_goes_on(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _value_goes_on(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_ends(self) -> None:
        if bytes(self._header).lower() == b"content-disposition":
            self._disposition = bytes(self._value)

    def _part_begins(self) -> None:
        kind, options = parse_options_header(self._disposition)
        self._disposition = b""
        field = options.get(b"name", b"").decode("utf-8", "replace")
        if kind != b"form-data" or field not in _FIELDS:
            first, second, third = _FIELDS
            raise Problem(
                "bad request", "server.form_parts", first=first, second=second, third=third
            )
        if field != "file" and any(part.field == field for part in self._parts):
            raise Problem("bad request", "server.form_part_again", name=field)
        self._files += field == "file"
        if self._files > self._most_files:
            raise Problem(
                "too large",
                "server.upload_files",
                details={"most_files": self._most_files},
                n=self._most_files,
            )
        name = clean_name(options.get(b"filename", b"").decode("utf-8", "replace"))
        self._parts.append(_Part(field, name, self._counted))

    def _all_came(self) -> None:
        self._is_whole = True

    def _part_goes_on(self, data: bytes, start: int, end: int) -> None:
        part, size = self._parts[-1], end - start
        part.size += size
        if part.field == "request" and part.size > MOST_REQUEST_BYTES:
            raise Problem("bad request", "server.request_bytes", most=MOST_REQUEST_BYTES)
        self._counted += size
        if self._counted > self._most_bytes:
            self.announced(self._most_body + 1)
        part.sha256.update(data[start:end])
        self._buffer.write(data[start:end])


class _Part:
    """One part, on its way in; `start` is where it begins in the file that keeps all."""

    def __init__(self, field: str, name: str, start: int) -> None:
        self.field, self.name, self.start, self.size = field, name, start, 0
        self.sha256 = hashlib.sha256()


class _Window(io.RawIOBase):
    """A stretch of a file, read as if it were one of its own."""

    def __init__(self, whole: IO[bytes], start: int, size: int) -> None:
        self._whole, self._start, self._size, self._at = whole, start, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = min(max(0, base + offset), self._size)
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        remaining = self._size - self._at
        count = remaining if size is None or size < 0 else min(size, remaining)
        self._whole.seek(self._start + self._at)  # others read elsewhere in it
        data = self._whole.read(count)
        self._at += len(data)
        return data


def clean_name(filename: str) -> str:
    r"""A name to be shown: without folders and without letters that nobody sees.

    >>> clean_name("..\\..\\etc/essay\x00.docx"), clean_name("/")
    ('essay.docx', 'unnamed')
    """
    last = filename.replace("\\", "/").rpartition("/")[2]
    visible = "".join(letter for letter in last if unicodedata.category(letter)[0] != "C")
    name = " ".join(unicodedata.normalize("NFC", visible).split())
    if len(name) > MOST_NAME_CHARS:
        stem, dot, ending = name.rpartition(".")
        keeps_ending = dot and len(ending) <= 10
        end = dot + ending if keeps_ending else ""
        name = (stem if keeps_ending else name)[: MOST_NAME_CHARS - len(end)] + end
    return name if name.strip(". ") else "unnamed"


_IDENTIFYING = Limits(memory_bytes=2048 * MB, seconds=10.0, total_seconds=10.0)
_IDENTIFYING_SECONDS = 30.0  # for all files of a form; an honest one takes a few milliseconds


def identify_files(form: ReceivedForm) -> ReceivedForm:
    """The form with what its files are; a problem that names all that nobody can read here.

    Readers look at them, since any of them may be made to hurt whoever looks.
    """
    files, refused = [], []
    end = time.monotonic() + _IDENTIFYING_SECONDS
    for file in (*form.files, *((form.table,) if form.table else ())):
        if time.monotonic() > end:
            raise Problem("unsupported file", "server.identified_late")
        try:
            files.append(replace(file, kind=_kind(file)))
        except ReadingError as error:
            refused.append((file.name, error.message))
    if refused:
        name, message = refused[0]
        file_reasons = [{"name": each, **with_code("reason", why)} for each, why in refused[:100]]
        raise Problem("unsupported file", message, name, details={"files": file_reasons})
    table = files.pop() if form.table else None
    _check_table(form.request.get("table_name"), table, files)
    return ReceivedForm(form.request, files, form.received_on, table)


def _check_table(table_name: Any, table: ReceivedFile | None, files: list[ReceivedFile]) -> None:
    """Say what is wrong with a table of metadata, or with the file that is named as one."""
    if table is None and isinstance(table_name, str):
        table = next((file for file in files if file.name == clean_name(table_name)), None)
    if table is None:
        return
    table.file.seek(0)
    try:
        check_metadata_table(table.file.read(), table.name)
    except BadInput as error:
        raise Problem("bad request", error.message, error.about) from error


def _kind(file: ReceivedFile) -> str:
    """What a file is. Of an archive or an old office document the whole has to be seen."""
    file.file.seek(0)
    head = file.file.read(_IDENTIFIED_BYTES)
    if head.startswith((*ZIP_BEGINNINGS, _COMPOUND)):
        head += file.file.read()
    return identify(head, file.name, _IDENTIFYING)


def _json_object(data: bytes) -> dict[str, Any]:
    if is_too_deep(data):
        raise Problem("bad request", "server.json_depth", n=MOST_DEPTH)
    try:
        value = json.loads(data or b"{}", parse_constant=_no_number)
        _only_letters(value)
    except (ValueError, RecursionError):
        raise Problem("bad request", "server.request_not_json", name="request") from None
    if not isinstance(value, dict):
        raise Problem("bad request", "server.request_not_object", name="request")
    return value


def _no_number(literal: str) -> float:
    raise ValueError(literal)


def _only_letters(value: Any) -> None:
    """Neither engine keeps a zero character, nor half of a letter."""
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("zero character")
        value.encode()
    elif isinstance(value, dict):
        for key, inner in value.items():
            _only_letters(key)
            _only_letters(inner)
    elif isinstance(value, list):
        for inner in value:
            _only_letters(inner)
