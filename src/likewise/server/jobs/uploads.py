"""Files that were handed to the server: counted while they stream in, kept until a job took them.

An upload is accepted when its row and all its parts are in the database, together with the job that
is to read it: what is accepted survives the server, and any worker on any machine can reach it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from likewise.server.caller import Caller
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile

PART_BYTES = 1 << 20
_TOGETHER = 500  # asked for in one statement


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was accepted."""

    id: str
    user_id: str
    name: str
    size: int
    sha256: bytes


class FileNeedsMemory(MemoryError):
    """There is not enough memory for a file; the message is its name."""


@contextmanager
def naming_file(name: str) -> Iterator[None]:
    """Have it said of which file there was too much for the memory."""
    try:
        yield
    except FileNeedsMemory:
        raise
    except MemoryError as error:
        raise FileNeedsMemory(name) from error


def keep_upload(connection: Connection, caller: Caller, file: ReceivedFile) -> str:
    """Keep a file, in the transaction that asks for its job; the upload's name."""
    file.file.seek(0)
    return keep_bytes(connection, caller.id, file)


def keep_bytes(connection: Connection, user_id: str, file: ReceivedFile) -> str:
    """The same for somebody who is not calling, from where the file is open."""
    upload = secrets.token_hex(12)
    connection.execute(
        insert(tables.uploads).values(
            id=upload,
            user_id=user_id,
            name=file.name,
            size=file.size,
            sha256=file.sha256,
            made_on=utc_now(),
        )
    )
    number = 0
    while data := file.file.read(PART_BYTES):
        connection.execute(
            insert(tables.upload_parts).values(upload_id=upload, number=number, data=data)
        )
        number += 1
    return upload


def read_upload(connection: Connection, id: str) -> tuple[Upload, bytes] | None:
    """An upload and its bytes."""
    column, part = tables.uploads.c, tables.upload_parts.c
    row = connection.execute(
        select(column.id, column.user_id, column.name, column.size, column.sha256).where(
            column.id == id
        )
    ).first()
    if row is None:
        return None
    upload = Upload(row.id, row.user_id, row.name, row.size, bytes(row.sha256))
    with naming_file(upload.name):
        parts = connection.execute(
            select(part.data).where(part.upload_id == id).order_by(part.number)
        ).scalars()
        return upload, b"".join(map(bytes, parts))


def existing_uploads(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Those of some uploads that are still there."""
    wanted_ids, id = sorted(set(ids)), tables.uploads.c.id
    existing: set[str] = set()
    for start in range(0, len(wanted_ids), _TOGETHER):
        some = select(id).where(id.in_(wanted_ids[start : start + _TOGETHER]))
        existing |= set(connection.execute(some).scalars())
    return existing


def forget_upload(connection: Connection, id: str) -> None:
    """A job is done with it."""
    connection.execute(delete(tables.uploads).where(tables.uploads.c.id == id))
