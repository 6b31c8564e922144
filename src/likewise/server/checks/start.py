"""Checks are asked for: whether they may be, then all of it is kept, or nothing."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from likewise.library import schema
from likewise.server.caller import Caller, ensure_scope
from likewise.server.checks.request import Asked, CheckAsked
from likewise.server.checks.service import checks
from likewise.server.checks.web import ensure_may_ask_web
from likewise.server.context import ServerContext, utc_now
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.jobs.queue import enqueue
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people.audit import record_act
from likewise.server.permissions import ensure_may_add, readable_collections, select_collections
from likewise.server.problems import Problem, not_found
from likewise.server.quotas import ensure_may_add_bytes, ensure_may_check


def ask_for_check(
    site: ServerContext, caller: Caller, asked: CheckAsked, files: Sequence[ReceivedFile]
) -> tuple[str, str]:
    """Accept a check, with everything that it needs, or nothing of it; its id and its job."""
    documents, templates = parted(asked.templates, files)
    if len(documents) > 1:
        raise Problem("bad request", "server.one_document")
    if (asked.document is None) != bool(documents):
        raise Problem("bad request", "server.file_or_number")
    if asked.document is not None and asked.keep:
        raise Problem("bad request", "server.kept_already")
    if documents and is_archive(documents[0]):
        raise Problem("unsupported file", "server.archive")
    with site.store.beside() as connection:
        ensure_may_ask(site, connection, caller, asked, documents)
        if asked.web is not None:
            ensure_may_ask_web(site)
            if asked.web.keep_pages:
                ensure_may_keep(connection, caller, asked.collection)
            record_act(connection, caller, "internet asked")
        name = asked.name or (documents[0].name if documents else "")
        if asked.document is not None:
            called = _name_of_document(connection, caller, asked.document)
            name = name or called
        id = secrets.token_hex(12)
        request = asked.model_dump(mode="json")
        job = enqueue(
            connection,
            "check",
            caller.id,
            {
                **request,
                "check": id,
                "upload": keep_upload(connection, caller, documents[0]) if documents else None,
                "uploads": [keep_upload(connection, caller, file) for file in templates],
            },
        )
        connection.execute(
            insert(checks).values(
                id=id,
                user_id=caller.id,
                job_id=job,
                batch_id=None,
                name=name,
                request=json.dumps(request),
                made_on=utc_now(),
                is_shared=False,
                summary=None,
            )
        )
    return id, job


def ensure_may_ask(
    site: ServerContext,
    connection: Connection,
    caller: Caller,
    asked: Asked,
    files: Sequence[ReceivedFile],
) -> None:
    """Whether the caller may read what is asked for, add where it is kept, and ask at all today."""
    select_collections(connection, caller, asked.collections)
    ensure_may_check(connection, site, caller, max(1, len(files)))
    if asked.keep:
        ensure_may_keep(connection, caller, asked.collection)
        size = sum(file.size for file in files)
        ensure_may_add_bytes(connection, site, caller, len(files), size)


def ensure_may_keep(connection: Connection, caller: Caller, collection: str) -> None:
    """Whether the caller may add what a check brings."""
    ensure_scope(caller, "documents:write")
    ensure_may_add(connection, caller, collection)


def parted(
    templates: Sequence[str], files: Sequence[ReceivedFile]
) -> tuple[list[ReceivedFile], list[ReceivedFile]]:
    """Which of some files are documents, and which are templates."""
    if missing := sorted(set(templates) - {file.name for file in files}):
        raise Problem("bad request", "server.no_template", name=missing[0])
    documents = [file for file in files if file.name not in templates]
    return documents, [file for file in files if file.name in templates]


def is_archive(file: ReceivedFile) -> bool:
    return file.kind == "archive"


def _name_of_document(connection: Connection, caller: Caller, number: int) -> str:
    document = schema.documents.c
    row = connection.execute(
        select(document.name, document.collection).where(document.id == number)
    ).first()
    if row is None or row.collection not in readable_collections(connection, caller):
        raise not_found("server.noun_document")
    return str(row.name)
