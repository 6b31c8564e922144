"""Erasures as administrators ask for them, and what each server's own machine does about them."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from contextlib import suppress

from sqlalchemy import func, select

from likewise.library import EraseRequest, Preview, Receipt, preview_erasure, schema
from likewise.library.erase import erase_local_copies
from likewise.library.receipts import read_receipt, read_receipts
from likewise.reading.cache import cache_folder
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.database.erase_accounts import ensure_erasable
from likewise.server.jobs.queue import enqueue
from likewise.server.people import audit
from likewise.server.people.users import login_name
from likewise.server.permissions import readable_collections
from likewise.server.problems import not_found

erasures = schema.erasures


def normalize_request(request: EraseRequest) -> EraseRequest:
    """A request with the name of an account as the site keeps it."""
    if request.user is None:
        return request
    return EraseRequest(user=login_name(request.user), copies=request.copies)


def preview(context: ServerContext, caller: Caller, request: EraseRequest) -> Preview:
    """What an erasure would do."""
    return preview_erasure(context.library, normalize_request(request), by=caller.id)


def names_for(context: ServerContext, caller: Caller, numbers: Collection[int]) -> dict[int, str]:
    """The names of those documents that the caller may read; others are told by number alone."""
    document = schema.documents.c
    with context.store.reading() as connection:
        readable = readable_collections(connection, caller)
        query = select(document.id, document.name).where(
            document.id.in_(sorted(numbers)), document.collection.in_(readable)
        )
        return {row.id: row.name for row in connection.execute(query)}


def ask_for_erasure(
    context: ServerContext, caller: Caller, request: EraseRequest
) -> tuple[str, str]:
    """Accept an erasure; the letters of its receipt, and of the job that does it.

    The log says that and when, never what or whose.
    """
    normalized, id = normalize_request(request), secrets.token_hex(12)
    with context.store.beside() as connection:
        if normalized.user is not None:
            ensure_erasable(connection, normalized.user, caller.id)
        job = enqueue(
            connection, "erase", caller.id, {"erasure": id, "asked": normalized.as_dict()}
        )
        audit.record_act(connection, caller, "erasure asked for", id, kind=normalized.kind)
    return id, job


def find_erasure(context: ServerContext, id: str) -> Receipt:
    """A receipt that must be there."""
    with context.store.reading() as connection:
        receipt = read_receipt(connection, id)
    if receipt is None:
        raise not_found("server.noun_erasure")
    return receipt


def list_erasures(context: ServerContext, *, limit: int, offset: int) -> tuple[list[Receipt], int]:
    """Receipts, the newest first, and how many there are."""
    with context.store.reading() as connection:
        total = connection.execute(select(func.count()).select_from(erasures)).scalar_one()
        return read_receipts(connection, limit=limit, offset=offset), int(total)


def purge_pages(sha256s: Collection[str]) -> int:
    """Pages of the Internet that are among erased documents; none where nothing was fetched."""
    try:
        from likewise.internet.cache import page_cache
    except ImportError:
        return 0
    return page_cache().purge(sha256s)


class LocalErasures:
    """What was erased anywhere is erased on this machine too: its cache, and its index.

    Each machine has its own, and the job that erases runs on one of them. Beside them stands which
    receipts were obeyed here, so that the index is not looked through at every start.
    """

    def __init__(self) -> None:
        self._file = cache_folder() / "erasures"
        self._done_ids: set[str] = set()
        with suppress(OSError, ValueError):
            self._done_ids = set(self._file.read_text("utf-8").split())

    def follow(self, context: ServerContext) -> int:
        """Erase what has been erased since the last look; how many receipts that were."""
        with context.store.reading() as connection:
            ids = set(connection.execute(select(erasures.c.id)).scalars())
            if ids <= self._done_ids:
                return 0
            news = [one for one in read_receipts(connection) if one.id not in self._done_ids]
        done = [one for one in news if one.state == "done"]
        if done:
            hashes = {sha256 for receipt in done for sha256 in receipt.sha256s}
            erase_local_copies(context.library, hashes, purge_pages)
            self._done_ids |= {one.id for one in done}
            with suppress(OSError):  # then the next start looks once more
                self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._file.write_text("\n".join(sorted(self._done_ids)), "utf-8")
        return len(done)
