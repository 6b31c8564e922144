"""What the jobs about checks have in common: who asks, what may be read, files from uploads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, literal, select

from likewise.errors import BadInput, ReadingError
from likewise.library import Filters, schema
from likewise.library.entries import read_document
from likewise.model import Document, ensure_text
from likewise.progress import PageProgress, Progress
from likewise.reading import read_bytes
from likewise.server.caller import Caller
from likewise.server.checks.request import FiltersInput
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.jobs.queue import enqueue
from likewise.server.jobs.uploads import Upload, naming_file, read_upload
from likewise.server.jobs.work import Work
from likewise.server.people.users import person_by_id
from likewise.server.permissions import readable_collections
from likewise.server.problems import with_file

_STAGES = {
    "comparing": "aligning",
    "comparing with each other": "pairing",
    "comparing tables": "tables",
    "comparing passages": "passages",
}


def job_caller(connection: Connection, work: Work) -> Caller:
    """Who asked for a job, with the rights of now."""
    person = person_by_id(connection, work.job.user_id) if work.job.user_id else None
    if person is None or not person.is_active:
        raise BadInput("server.asker_without_login")
    return Caller(person.id, person.name, person.role, address="")


def source_filters(
    connection: Connection, caller: Caller, request: Mapping[str, Any], not_ids: Iterable[int] = ()
) -> Filters:
    """What may be a source: of what was asked for, that which the caller reads now."""
    requested, readable = request.get("collections"), readable_collections(connection, caller)
    collections = (
        readable if requested is None else tuple(one for one in requested if one in readable)
    )
    if not collections:
        raise BadInput("server.collections_lost")
    not_by = request.get("not_by")
    return FiltersInput.model_validate(request.get("filters", {})).filters(
        collection=collections,
        not_owner=caller.name
        if request.get("not_mine") and _owns(connection, caller, collections)
        else None,
        not_author=tuple(not_by) if isinstance(not_by, list) else not_by,
        not_ids=tuple(not_ids),
    )


def _owns(connection: Connection, caller: Caller, collections: Sequence[str]) -> bool:
    """Whether there is anything to leave out; else the check would say that nobody is called so."""
    document, reference = schema.documents.c, schema.document_references.c
    here = document.collection.in_(collections)
    first = select(document.id).where(here, document.owner == caller.name)
    again = (
        select(reference.document_id)
        .join_from(
            schema.document_references, schema.documents, reference.document_id == document.id
        )
        .where(here, reference.owner == caller.name)
    )
    return any(connection.execute(query.limit(1)).first() for query in (first, again))


def read_stored_upload(context: ServerContext, id: str) -> tuple[Upload, bytes]:
    with context.store.reading() as connection:
        stored = read_upload(connection, id)
    if stored is None:
        raise BadInput("server.file_lost")
    return stored


def read_upload_document(work: Work, upload: str) -> Document:
    """The document in an upload; its pages are told as they are read."""
    stored, data = read_stored_upload(work.context, upload)
    work.report_progress("reading", 0, 0)
    with naming_file(stored.name):
        document = read_bytes(data, stored.name, tell_page=page_progress(work))
    ensure_text(document)
    return document


def page_progress(work: Work) -> PageProgress:
    return lambda done, total: work.report_progress("reading", done, total)


def read_library_document(connection: Connection, caller: Caller, number: int) -> Document:
    """A document of the library that the caller may read now."""
    column = schema.documents.c
    collection = connection.execute(select(column.collection).where(column.id == number)).scalar()
    if collection is None or collection not in readable_collections(connection, caller):
        raise BadInput("server.document_lost", number=number)
    return read_document(connection, number)


def read_templates(work: Work, uploads: Iterable[str]) -> list[Document]:
    templates = []
    for upload in uploads:
        stored, data = read_stored_upload(work.context, upload)
        work.report_progress("reading", 0, 0)
        try:
            templates.append(read_bytes(data, stored.name))
        except ReadingError as error:
            why = with_file(error.message, error.about)
            raise BadInput("server.template_unread", why=why) from error
    return templates


def job_progress(work: Work) -> Progress:
    """The library's progress, in stages that pages have words for."""
    return lambda stage, done, total: work.report_progress(_STAGES.get(stage, stage), done, total)


def enqueue_adding(
    connection: Connection, work: Work, uploads: Iterable[str], request: Mapping[str, Any]
) -> str:
    """Have the files of this job added to the library, by a job with copies of them."""
    uploads_table, part = tables.uploads, tables.upload_parts
    copies: list[str] = []
    for upload in uploads:
        copy = f"{work.job.id}{len(copies)}"
        others = [column for column in uploads_table.c if column.name not in ("id", "made_on")]
        columns = ["id", "made_on", *(column.name for column in others)]
        row = select(literal(copy), literal(utc_now()), *others).where(uploads_table.c.id == upload)
        connection.execute(insert(uploads_table).from_select(columns, row))
        parts = select(literal(copy), part.c.number, part.c.data).where(part.c.upload_id == upload)
        connection.execute(insert(part).from_select(["upload_id", "number", "data"], parts))
        copies.append(copy)
    return enqueue(
        connection,
        "add",
        work.job.user_id,
        {
            "uploads": copies,
            "collection": request.get("collection", ""),
            "metadata": request.get("metadata", {}),
            "table": None,
        },
    )
