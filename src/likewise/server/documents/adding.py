"""Files that are to become documents: accepted all together, with the job that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from likewise.errors import BadInput
from likewise.library.metadata import (
    Metadata,
    MetadataTable,
    metadata_from,
    metadata_table_in,
)
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.documents.shapes import AddAccepted, AddRequest, SentFile
from likewise.server.http.form_parts import ReceivedFile, clean_name
from likewise.server.jobs.queue import enqueue
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people.audit import record_act
from likewise.server.permissions import collection_of, ensure_may_add, public_id
from likewise.server.problems import Problem
from likewise.server.quotas import ensure_may_add_bytes


def accept_files(
    context: ServerContext,
    caller: Caller,
    options: AddRequest,
    files: Sequence[ReceivedFile],
    table: ReceivedFile | None = None,
) -> AddAccepted:
    """Keep files and ask for the job that adds them, all or nothing."""
    table, files = _split_table(options, files, table)
    if not files:
        raise Problem("bad request", "server.no_file", part="file")
    values, collection = options.metadata.values(), collection_of(options.collection)
    if len(files) > 1 and values.get("name"):
        raise Problem("bad request", "server.one_name")
    metadata_from(values)  # says what is wrong with it now, not when the job runs
    size = sum(file.size for file in files) + (table.size if table else 0)
    with context.store.beside() as connection:
        ensure_may_add(connection, caller, collection)
        ensure_may_add_bytes(connection, context, caller, len(files), size)
        uploads = [keep_upload(connection, caller, file) for file in files]
        job_request = {
            "uploads": uploads,
            "collection": collection,
            "metadata": values,
            "table": keep_upload(connection, caller, table) if table else None,
        }
        job = enqueue(connection, "add", caller.id, job_request)
        record_act(
            connection,
            caller,
            "documents handed in",
            job,
            files=len(files),
            bytes=size,
            collection=public_id(collection),
        )
    return AddAccepted(
        job=job,
        collection=public_id(collection),
        files=[SentFile(name=file.name, size=file.size) for file in files],
        table=table.name if table else None,
    )


def _split_table(
    options: AddRequest, files: Sequence[ReceivedFile], table: ReceivedFile | None
) -> tuple[ReceivedFile | None, list[ReceivedFile]]:
    """The table of metadata: a part of its own, or the file that is named so."""
    if options.table_name is None:
        return table, list(files)
    name = clean_name(options.table_name)
    matching = [file for file in files if file.name == name]
    if table is not None or len(matching) != 1:
        raise Problem("bad request", "server.table_not_sent", name=name)
    return matching[0], [file for file in files if file is not matching[0]]


class CleanedTable(MetadataTable):
    """A table of metadata from which nobody learns who owns a document, or since when."""

    def __init__(self, table: MetadataTable) -> None:
        self._table = table
        self.ignored = table.ignored

    def of(self, name: str, path: str | None = None) -> Metadata:
        return replace(self._table.of(name, path), owner=None, added_on=None)

    @property
    def unused(self) -> tuple[str, ...]:
        return self._table.unused


def parse_table(data: bytes, name: str) -> CleanedTable:
    """The table of metadata in some bytes."""
    try:
        return CleanedTable(metadata_table_in(data, name))
    except BadInput as error:
        raise Problem("bad request", error.message, error.about) from error
