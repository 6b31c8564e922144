"""Files as they are handed in: counted, hashed, named, and gone afterwards."""

from __future__ import annotations

import hashlib
import io
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, SiteSettings, utc_now
from likewise.server.database import tables
from likewise.server.forms import receive_form
from likewise.server.http.error_handlers import add_error_handlers
from likewise.server.http.form_parts import FormParser
from likewise.server.jobs.uploads import (
    PART_BYTES,
    existing_uploads,
    keep_upload,
    read_upload,
)
from tests.server.test_queue import person

BOUNDARY = "steppe"
KIND = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


@pytest.fixture
def caller(context: ServerContext) -> Caller:
    return Caller(person(context, "aigul"), "aigul", "teacher", "here")


@pytest.fixture
def client(context: ServerContext, caller: Caller) -> Iterator[TestClient]:
    """A server with one route, which tells what it received and keeps it."""
    app = FastAPI()
    add_error_handlers(app)

    @app.post("/in")
    async def take_in(request: Request) -> dict[str, Any]:
        async with receive_form(request, context, caller) as form:
            with context.store.beside() as connection:
                ids = [keep_upload(connection, caller, file) for file in form.files]
            return {
                "request": form.request,
                "files": [[f.name, f.size, f.sha256.hex()] for f in form.files],
                "table": form.table and form.table.name,
                "ids": ids,
            }

    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(autouse=True)
def nothing_is_left(client: TestClient) -> Iterator[None]:
    """No temporary file outlives its request; they have no names, so the process is asked."""
    before = open_files()
    yield
    assert open_files() <= before


def open_files() -> set[str]:
    names = set()
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            names.add(str(entry.readlink()))
    return {name for name in names if "(deleted)" in name}


def settle(context: ServerContext, **settings: Any) -> None:
    with context.store.beside() as connection:
        context.change_settings(connection, SiteSettings(**settings))


def part(name: str, data: bytes, filename: str | None = None) -> bytes:
    file = "" if filename is None else f'; filename="{filename}"'
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
    return head.encode() + data + b"\r\n"


END = f"--{BOUNDARY}--\r\n".encode()


def test_files_and_request_come_in_and_are_kept_whole(
    client: TestClient, context: ServerContext
) -> None:
    long = b"steppe and sky " * 200_000
    files = [
        ("file", ("дала.txt", long)),
        ("file", ("b.txt", b"short words")),
        ("table", ("names.csv", b"file,b\n1,2\n")),
    ]
    answer = client.post("/in", files=files, data={"request": '{"collection": "c"}'}).json()
    assert answer["request"] == {"collection": "c"}
    assert answer["table"] == "names.csv"
    assert answer["files"] == [
        ["дала.txt", len(long), hashlib.sha256(long).hexdigest()],
        ["b.txt", 11, hashlib.sha256(b"short words").hexdigest()],
    ]
    with context.store.reading() as connection:
        found = read_upload(connection, answer["ids"][0])
        assert found is not None
        upload, data = found
        assert (upload.name, data) == ("дала.txt", long)
        parts = tables.upload_parts
        rows = connection.execute(parts.select().where(parts.c.upload_id == upload.id)).all()
        assert len(rows) == -(-len(long) // PART_BYTES)
        assert existing_uploads(connection, [*answer["ids"], "none"]) == set(answer["ids"])


def test_an_endless_upload_is_refused_when_the_limit_is_reached(
    client: TestClient, context: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likewise.server.forms._POLITE_SECONDS", 0.0)
    settle(context, most_upload_bytes=3_000_000, most_files=10)
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        yield part("file", b"", "a.txt")[:-2]
        while sent < 10_000_000_000:
            sent += 100_000
            yield bytes(100_000)

    body = b"".join(chunk for _, chunk in zip(range(60), endless(), strict=False))
    answer = client.post("/in", content=body, headers=KIND)
    assert (answer.status_code, answer.json()["kind"]) == (413, "too large")
    assert answer.json()["details"] == {"most_bytes": 3_000_000}


def test_an_announced_length_is_not_waited_for(client: TestClient, context: ServerContext) -> None:
    settle(context, most_upload_bytes=1_000, most_files=1)
    answer = client.post("/in", content=b"x", headers=KIND | {"Content-Length": "10000000000"})
    assert answer.json()["kind"] == "too large"


def test_too_many_files_are_refused(client: TestClient, context: ServerContext) -> None:
    settle(context, most_files=2)
    files = [("file", (f"{i}.txt", b"words")) for i in range(3)]
    answer = client.post("/in", files=files)
    assert (answer.status_code, answer.json()["details"]) == (413, {"most_files": 2})


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\\\essays\\\\a.txt", "a.txt"),
        ("a\tb\x7f.txt", "ab.txt"),
        ("\u202etxt.exe", "txt.exe"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("x" * 500 + ".docx", "x" * 195 + ".docx"),
        ("<script>.txt", "<script>.txt"),
    ],
)
def test_names_are_only_names(client: TestClient, given: str, shown: str) -> None:
    answer = client.post("/in", content=part("file", b"words", given) + END, headers=KIND)
    assert answer.json()["files"][0][0] == shown


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"x", {"Content-Type": "multipart/form-data"}),
        (b"x", {"Content-Type": "application/json"}),
        (b"x", {}),
        (b"no form at all", KIND),
        (b"", KIND),
        (part("file", b"words", "a.txt"), KIND),  # breaks off
        (part("other", b"words", "a.txt") + END, KIND),
        (part("request", b"[]") + END, KIND),
        (part("request", b"{") + END, KIND),
        (part("request", b'{"a": NaN}') + END, KIND),
        (part("request", b'{"a": "\\u0000"}') + END, KIND),
        (part("request", b'{"a": "\\ud800"}') + END, KIND),
        (part("request", b"[" * 100_000) + END, KIND),
        (part("request", b'"' + b"x" * 1_000_001 + b'"') + END, KIND),
        (part("request", b"{}") + part("request", b"{}") + END, KIND),
        (part("table", b"a", "a") + part("table", b"a", "a") + END, KIND),
        (f"--{BOUNDARY}\r\n\r\nwords\r\n".encode() + END, KIND),
    ],
)
def test_what_is_no_form_is_a_bad_request(
    client: TestClient, body: bytes, headers: dict[str, str]
) -> None:
    answer = client.post("/in", content=body, headers=headers)
    assert (answer.status_code, answer.json()["kind"]) == (422, "bad request"), answer.text


def test_content_decides_what_a_file_is(client: TestClient) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "words")
    fine = [("file", ("a.exe", b"just words")), ("file", ("b.zip", packed.getvalue()))]
    assert len(client.post("/in", files=fine).json()["files"]) == 2
    bad = [
        ("file", ("a.docx", b"\x7fELF\x02\x01")),
        ("file", ("fine.txt", b"words")),
        ("file", ("empty.txt", b"")),
    ]
    answer = client.post("/in", files=bad)
    assert (answer.status_code, answer.json()["kind"]) == (415, "unsupported file")
    assert [one["name"] for one in answer.json()["details"]["files"]] == ["a.docx", "empty.txt"]


def test_a_full_disk_is_said(client: TestClient) -> None:
    """A file that may not grow refuses as a full disk does."""
    import resource
    import signal

    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, old[1]))
    try:
        answer = client.post("/in", files=[("file", ("a.txt", b"words " * 500_000))])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert (answer.status_code, answer.json()["kind"]) == (507, "out of room")


def test_many_small_files_do_not_stay_in_memory() -> None:
    parts = FormParser(BOUNDARY.encode(), 100_000_000, 100)
    files = [bytes([65 + number]) * 900_000 for number in range(30)]
    tracemalloc.start()
    try:
        for number, data in enumerate(files):
            parts.feed(part("file", data, f"{number}.txt"))
        parts.feed(END)
        parts.finish()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10_000_000
    kept = parts.form(utc_now()).files
    for file in (*kept, *reversed(kept)):  # each is its own, whichever was read before
        file.file.seek(0)
        assert file.file.read(5) + file.file.read() == files[int(file.name.partition(".")[0])]
        assert file.sha256 == hashlib.sha256(files[int(file.name.partition(".")[0])]).digest()
    parts.close()
