"""What a person may still add while a job adds."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from likewise.catalogue import Message
from likewise.library import schema
from likewise.library.originals import original_bytes
from likewise.library.remove import remove_documents
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.quotas import Limits, documents_of, limits_of, stored_bytes_of

TOO_MANY = Message("server.no_more_documents")
TOO_LARGE = Message("server.no_more_bytes")


class RemainingQuota:
    """Counted when the job begins and then as it goes on; what counts in the end is `settle`."""

    def __init__(self, context: ServerContext, caller: Caller) -> None:
        self._store, self._caller = context.store, caller
        with self._store.reading() as connection:
            limits = limits_of(connection, caller.id)
            self._documents, self._bytes = self._remaining(connection, limits)

    def _remaining(self, connection: Connection, limits: Limits) -> tuple[int | None, int | None]:
        documents = size = None
        if limits.documents is not None:
            documents = limits.documents - documents_of(connection, self._caller.name)
        if limits.bytes is not None:
            size = limits.bytes - stored_bytes_of(connection, self._caller.name)
        return documents, size

    def refusal(self, size: int) -> Message | None:
        if self._documents is not None and self._documents < 1:
            return TOO_MANY
        return TOO_LARGE if self._bytes is not None and self._bytes < size else None

    def take(self, size: int) -> None:
        if self._documents is not None:
            self._documents -= 1
        if self._bytes is not None:
            self._bytes -= size

    def settle(self, numbers: Sequence[int]) -> Message | None:
        """Take back as many of these new documents as are too many; why, if there were any.

        Two jobs of a person may each have found room for the same documents. Whoever writes waits
        for others who do, so that one of them finds the other's.
        """
        if not numbers or (self._documents is None and self._bytes is None):
            return None
        with self._store.writing() as (connection, change):
            limits = limits_of(connection, self._caller.id)
            documents, size = self._remaining(connection, limits)
            sizes = _sizes_of(connection, numbers)
            beyond: list[int] = []
            reason = None
            for number in sorted(numbers, reverse=True):  # the last that came goes first
                if documents is not None and documents < 0:
                    reason = TOO_MANY
                elif size is not None and size < 0:
                    reason = TOO_LARGE
                else:
                    break
                beyond.append(number)
                documents = None if documents is None else documents + 1
                size = None if size is None else size + sizes.get(number, 0)
            remove_documents(connection, change, beyond)
            return reason


def _sizes_of(connection: Connection, numbers: Sequence[int]) -> dict[int, int]:
    original = schema.originals.c
    query = select(original.document_id, original_bytes().label("size"))
    rows = connection.execute(query.where(original.document_id.in_(numbers)))
    return {row.document_id: row.size for row in rows}
