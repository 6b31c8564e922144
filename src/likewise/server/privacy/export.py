"""All that is kept about a person, in one archive: rows as JSON, texts and files beside them."""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import IO, Any

from sqlalchemy import Connection, select

from likewise.library import LibraryError, schema
from likewise.library.entries import read_document, read_original
from likewise.report.storage import Unreadable, unpack_check, unpack_view
from likewise.report.view import CheckView
from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.http.form_parts import clean_name
from likewise.server.people import audit
from likewise.server.people.users import Person, fold_name, require_person
from likewise.server.privacy.personal_tables import PERSONAL_TABLES, PersonalTable

VERSION = 1  # of the archive's form
_MOST_IN_MEMORY = 8_000_000
_ACT_COLUMNS = ("id", "made_on", "handed_in_on", "name")


def export_personal_data(
    context: ServerContext, caller: Caller, user: str
) -> tuple[IO[bytes], str]:
    """The archive about an account, open at its beginning, and the name to log in by.

    That it was made is noted, and told to the person where somebody else asked.
    """
    file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_MOST_IN_MEMORY)  # noqa: SIM115
    try:
        with context.store.reading() as connection:
            person = require_person(connection, user)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                record = _record(connection, person)
                data = json.dumps(record, ensure_ascii=False, indent=1)
                archive.writestr("data.json", data.encode("utf-8", "surrogatepass"))
                taken: set[str] = set()
                for name, content in _files(connection, person):
                    archive.writestr(_free(f"files/{name}", taken), content)
        with context.store.beside() as connection:
            audit.record_act(connection, caller, "personal data exported", person.name)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file, person.name


def _record(connection: Connection, person: Person) -> dict[str, Any]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for one in PERSONAL_TABLES:
        if some := _rows(connection, one, person.id):
            rows.setdefault(one.name, []).extend(some)
    if documents := _documents(connection, person.name):
        rows["documents"] = documents
    if guesses := _guesses(connection, person.name):
        rows["guesses"] = guesses
    lines = audit.list_entries_about(connection, person.id)
    rows["audit"] = [
        {
            "on": _plain(line.on),
            "by": line.user_name,
            "act": line.act,
            "target": line.target,
            "address": line.address if line.user_id == person.id else None,
            "detail": line.detail,
        }
        for line in lines
    ]
    return {
        "version": VERSION,
        "made_on": _plain(utc_now()),
        "person": person.name,
        "rows": rows,
    }


def _rows(connection: Connection, one: PersonalTable, user: str) -> list[dict[str, Any]]:
    names = [column.name for column in one.table.c if column.name not in one.hidden]
    if one.extent == "act":
        names = [name for name in names if name in (*_ACT_COLUMNS, one.column)]
    query = select(*(one.table.c[name] for name in names)).where(one.belongs_to(user))
    query = query.order_by(*one.table.primary_key.columns)
    return [
        {name: _plain(value) for name, value in row._mapping.items()}
        for row in connection.execute(query)
    ]


def _documents(connection: Connection, owner: str) -> list[dict[str, Any]]:
    """Documents of the library that the person handed in."""
    table = schema.documents
    left_out = {"searched", "text_hash"}
    names = [column.name for column in table.c if column.name not in left_out]
    query = select(*(table.c[name] for name in names)).where(table.c.owner == owner)
    return [
        {name: _plain(value) for name, value in row._mapping.items()}
        for row in connection.execute(query.order_by(table.c.id))
    ]


def _guesses(connection: Connection, name: str) -> list[dict[str, Any]]:
    """Wrong passwords at the person's name, of which only a hash is kept."""
    hashed = hashlib.sha256(fold_name(name).encode("utf-8", "surrogatepass")).hexdigest()
    column = tables.guesses.c
    query = select(column.failures, column.last_on, column.locked_until)
    rows = connection.execute(query.where(column.of.startswith(f"name {hashed}")))
    return [{key: _plain(value) for key, value in row._mapping.items()} for row in rows]


def _plain(value: Any) -> Any:
    """A value of a row as JSON has it; texts of JSON are opened."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, str) and value[:1] in ("{", "["):
        with suppress(ValueError):
            return json.loads(value)
    return value


def _files(connection: Connection, person: Person) -> Iterator[tuple[str, bytes]]:
    """What the person handed in: files as they came where they are kept, else what was read."""
    document = schema.documents.c
    query = select(document.id, document.name).where(document.owner == person.name)
    for row in connection.execute(query.order_by(document.id)).all():
        with suppress(LibraryError):
            original = read_original(connection, row.id)
            if original is not None:
                yield f"library/{row.id}/{clean_name(row.name)}", original
            else:
                text = read_document(connection, row.id).text
                yield f"library/{row.id}/{clean_name(row.name)}.txt", _encoded(text)
    uploads, parts = tables.uploads, tables.upload_parts
    query = select(uploads.c.id, uploads.c.name).where(uploads.c.user_id == person.id)
    for row in connection.execute(query.order_by(uploads.c.id)).all():
        some = select(parts.c.data).where(parts.c.upload_id == row.id).order_by(parts.c.number)
        data = b"".join(bytes(one) for one in connection.execute(some).scalars())
        yield f"uploads/{row.id}/{clean_name(row.name)}", data
    submissions, checks, results = tables.submissions, tables.checks, tables.check_results
    handed_in = (
        select(submissions.c.id, submissions.c.name, results.c.packed)
        .join_from(submissions, results, results.c.check_id == submissions.c.check_id)
        .where(submissions.c.user_id == person.id)
        .order_by(submissions.c.id)
    )
    yield from _texts(connection, "submissions", handed_in)
    asked = tables.self_checks
    drafts = select(asked.c.id, asked.c.name, asked.c.packed).where(
        asked.c.user_id == person.id, asked.c.packed.is_not(None)
    )
    for draft in connection.execute(drafts.order_by(asked.c.id)).all():
        with suppress(Unreadable):
            view = unpack_view(bytes(draft.packed))
            if isinstance(view, CheckView):
                text = "".join(stretch for _, stretch in view.document.stretches)
                yield f"self-checks/{draft.id}/{clean_name(draft.name)}.txt", _encoded(text)
    own = (
        select(checks.c.id, checks.c.name, results.c.packed)
        .join_from(checks, results, results.c.check_id == checks.c.id)
        .where(checks.c.user_id == person.id, checks.c.batch_id.is_(None))
        .order_by(checks.c.id)
    )
    yield from _texts(connection, "checks", own)


def _texts(connection: Connection, folder: str, query: Any) -> Iterator[tuple[str, bytes]]:
    for row in connection.execute(query).all():
        with suppress(Unreadable):
            text = unpack_check(bytes(row.packed)).document.text
            yield f"{folder}/{row.id}/{clean_name(row.name)}.txt", _encoded(text)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _free(name: str, taken: set[str]) -> str:
    """A name that no other file of the archive has."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    taken.add(free)
    return free
