"""Checks are asked for: whether they may be, then all of it is kept, or nothing."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, insert, select

from likewise.library import schema
from likewise.library.filters import split_numbers
from likewise.server.caller import Caller, ensure_scope
from likewise.server.checks.request import BatchRequest, CheckRequest
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


def enqueue_check(
    context: ServerContext, caller: Caller, request: CheckRequest, files: Sequence[ReceivedFile]
) -> tuple[str, str]:
    """Accept a check, with everything that it needs, or nothing of it; its id and its job."""
    documents, templates = split_templates(request.templates, files)
    if len(documents) > 1:
        raise Problem("bad request", "server.one_document")
    if (request.document is None) != bool(documents):
        raise Problem("bad request", "server.file_or_number")
    if request.document is not None and request.keep:
        raise Problem("bad request", "server.kept_already")
    if documents and is_archive(documents[0]):
        raise Problem("unsupported file", "server.archive")
    with context.store.beside() as connection:
        ensure_may_enqueue(context, connection, caller, request, documents)
        name = request.name or (documents[0].name if documents else "")
        if request.document is not None:
            document_name = _document_name(connection, caller, request.document)
            name = name or document_name
        id = secrets.token_hex(12)
        stored_request = request.model_dump(mode="json")
        job = enqueue(
            connection,
            "check",
            caller.id,
            {
                **stored_request,
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
                request=json.dumps(stored_request),
                made_on=utc_now(),
                is_shared=False,
                summary=None,
            )
        )
    return id, job


def enqueue_documents(
    connection: Connection,
    context: ServerContext,
    caller: Caller,
    requests: Sequence[tuple[int, str, CheckRequest]],
) -> int:
    """Check documents of the library by their numbers, each under a name; how many they are.

    In the transaction of whoever has chosen them, who has seen that the caller may read them.
    """
    if not requests:
        return 0
    ensure_may_check(connection, context, caller, len(requests))
    readable = set(readable_collections(connection, caller))
    rows = []
    for number, name, request in requests:
        if not set(request.collections or ()) <= readable:  # some were taken away meanwhile
            request = request.model_copy(update={"collections": None})
        stored = request.model_dump(mode="json") | {"document": number, "keep": False}
        id = secrets.token_hex(12)
        job = enqueue(
            connection, "check", caller.id, {**stored, "check": id, "upload": None, "uploads": []}
        )
        rows.append(
            {
                "id": id,
                "user_id": caller.id,
                "job_id": job,
                "batch_id": None,
                "name": name,
                "request": json.dumps(stored),
                "made_on": utc_now(),
                "is_shared": False,
                "summary": None,
            }
        )
    connection.execute(insert(checks), rows)
    return len(rows)


def readable_numbers(connection: Connection, caller: Caller, numbers: Iterable[int]) -> set[int]:
    """Those of some documents that are there and that the caller may read."""
    document, collections = schema.documents.c, readable_collections(connection, caller)
    readable: set[int] = set()
    for part in split_numbers(sorted(set(numbers))):
        query = select(document.id).where(
            document.id.in_(part), document.collection.in_(collections)
        )
        readable.update(connection.execute(query).scalars())
    return readable


def ensure_may_enqueue(
    context: ServerContext,
    connection: Connection,
    caller: Caller,
    request: BatchRequest,
    files: Sequence[ReceivedFile],
) -> None:
    """Whether the caller may read what is asked for, add where it is kept, and ask at all today.

    That the Internet is asked is noted in the log.
    """
    for file in files:
        if file.kind == "plain":
            ensure_checkable(context, file.name, file.size)
    select_collections(connection, caller, request.collections)
    ensure_may_check(connection, context, caller, max(1, len(files)))
    if request.web is not None:
        ensure_may_ask_web(context, for_class=not isinstance(request, CheckRequest))
        if request.web.other_languages and not request.options.by_meaning:
            raise Problem("bad request", "internet.languages_by_meaning")
        if request.web.keep_pages:
            ensure_may_keep(connection, caller, request.collection)
        record_act(connection, caller, "internet asked")
    if request.keep:
        ensure_may_keep(connection, caller, request.collection)
        size = sum(file.size for file in files)
        ensure_may_add_bytes(connection, context, caller, len(files), size)


def ensure_checkable(context: ServerContext, name: str, length: int) -> None:
    """Refuse a text that no worker has the memory for, before it is tried."""
    if length > (most := context.config.most_text_bytes):
        raise Problem("too large", "server.text_too_long", name, n=length, most=most)


def ensure_may_keep(connection: Connection, caller: Caller, collection: str) -> None:
    """Whether the caller may add what a check brings."""
    ensure_scope(caller, "documents:write")
    ensure_may_add(connection, caller, collection)


def split_templates(
    templates: Sequence[str], files: Sequence[ReceivedFile]
) -> tuple[list[ReceivedFile], list[ReceivedFile]]:
    """Which of some files are documents, and which are templates."""
    if missing := sorted(set(templates) - {file.name for file in files}):
        raise Problem("bad request", "server.no_template", name=missing[0])
    documents = [file for file in files if file.name not in templates]
    return documents, [file for file in files if file.name in templates]


def is_archive(file: ReceivedFile) -> bool:
    return file.kind == "archive"


def _document_name(connection: Connection, caller: Caller, number: int) -> str:
    document = schema.documents.c
    row = connection.execute(
        select(document.name, document.collection).where(document.id == number)
    ).first()
    if row is None or row.collection not in readable_collections(connection, caller):
        raise not_found("server.noun_document")
    return str(row.name)
