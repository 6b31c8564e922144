"""Erase everywhere: documents, or all of a person, out of every place that this library reaches.

The tables and the receipt change in one transaction; then come kept results, caches, the index and
the files of the database. Killed at any moment it goes on where it was: the receipt says what is
meant, and every step finds what is left of it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import Connection, select, update

from likewise.library import schema
from likewise.library.engine import WRITES, address_of, engine_at
from likewise.library.erase_accounts import (
    accounts_again,
    count_account,
    ensure_erasable,
    erase_account,
)
from likewise.library.erase_documents import (
    Target,
    count_rows,
    erase_from_tables,
    find_again,
    find_target,
)
from likewise.library.erase_jobs import (
    count_waiting_archives,
    erase_from_jobs,
    erase_people_from_records,
    running_jobs,
    unwanted_uploads,
)
from likewise.library.erase_results import OneTransaction, erase_from_results, learn_hashes
from likewise.library.erasure import (
    EraseRequest,
    NameHash,
    Receipt,
    fold_name,
    new_receipt,
    read_receipt,
    read_receipts,
    write_receipt,
)
from likewise.library.errors import LibraryError, explain_errors
from likewise.library.library import Library
from likewise.library.numbers import split_numbers
from likewise.library.scrub import scrub_database, scrub_temporary_files
from likewise.library.store import Store, now
from likewise.library.versions import version_of
from likewise.progress import Progress
from likewise.reading.cache import cache_folder, cache_in

# Deletes what another cache holds of files with some hashes; how many entries there were.
PurgeCache = Callable[[Collection[str]], int]

_WAIT_SECONDS = 600.0  # for jobs that run and may have read what was erased
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Preview:
    """What an erasure would do; nothing was changed."""

    documents: tuple[int, ...]
    left: tuple[int, ...]  # that stay with others who handed them in too
    copies: tuple[int, ...]  # of the same text, which stay
    counts: dict[str, int] = field(default_factory=dict)


def preview_erasure(library: Library, request: EraseRequest, *, by: str | None = None) -> Preview:
    """What there is to erase; `by` is the id of who asks, where it is an account."""
    store = library.store
    with store.reading() as connection:
        if request.user is not None:
            ensure_erasable(connection, request.user, by)
        target, users = _meant(connection, request)
        counts = count_rows(connection, target)
        counts["uploads"] = len(unwanted_uploads(connection, target))
        for user in users:
            for what, number in count_account(connection, user).items():
                counts[what] = counts.get(what, 0) + number
    more, _ = erase_from_results(store, target, dry_run=True)
    for what, number in more.items():
        counts[what] = counts.get(what, 0) + number
    counts["cache_entries"] = cache_in(cache_folder()).count(target.sha256s)
    there = _there(store, target.documents)
    return Preview(there, target.left, target.copies, {k: n for k, n in counts.items() if n})


def _there(store: Store, numbers: Sequence[int]) -> tuple[int, ...]:
    document = schema.documents.c
    found: list[int] = []
    with store.reading() as connection:
        for part in split_numbers(numbers):
            query = select(document.id).where(document.id.in_(part)).order_by(document.id)
            found += connection.execute(query).scalars()
    return tuple(found)


def run_erasure(
    library: Library,
    request: EraseRequest | None,
    *,
    id: str | None = None,
    by: tuple[str, str] | None = None,
    job: str | None = None,
    full: bool = False,
    progress: Progress | None = None,
    purge_pages: PurgeCache | None = None,
    wait_seconds: float = _WAIT_SECONDS,
) -> Receipt:
    """Erase what is asked for; the receipt, which is kept in the library too.

    With the `id` of a receipt that is there, an erasure goes on that was killed; then no request is
    needed. `by` is the id and name of who asked, `job` the job that does it.
    """
    store = library.store
    tell = progress or (lambda _stage, _done, _total: None)
    tell("erasing documents", 0, 0)
    receipt = _begin(store, request, id, by, job)
    if receipt.state == "done":
        return receipt
    target = Target.of_receipt(receipt)
    receipt = _erase_copies(library, receipt, target, tell, purge_pages)
    waited, running = _wait_for_jobs(store, job, tell, wait_seconds)
    if waited:
        # What they read before the first transaction may stand in their results, and in caches.
        receipt = _erase_copies(library, receipt, target, tell, purge_pages)
    tell("rewriting the database", 0, 0)
    unreached = dict(receipt.unreached) | scrub_database(store, full=full)
    unreached |= {"backups": 1, "partners": 1, "downloads": 1}
    if running:
        unreached["running jobs"] = running
    receipt = replace(receipt, state="done", ended_on=now(), unreached=unreached)
    with store.beside() as connection:
        write_receipt(connection, receipt)
    return receipt


def _meant(connection: Connection, request: EraseRequest) -> tuple[Target, list[str]]:
    """The documents and the accounts that a request is about."""
    if request.again:
        receipts = read_receipts(connection)
        return find_again(connection, receipts), accounts_again(connection, receipts)
    return find_target(connection, request), [request.user] if request.user else []


def _begin(
    store: Store,
    request: EraseRequest | None,
    id: str | None,
    by: tuple[str, str] | None,
    job: str | None,
) -> Receipt:
    """Everything that stands in rows of its own, and the receipt: one transaction."""
    with store.reading() as connection:
        begun = read_receipt(connection, id) if id is not None else None
    if begun is not None:
        return begun
    if request is None:
        raise ValueError("there is nothing to erase, and nothing to go on with")
    learned: frozenset[str] = frozenset()
    if request.documents:
        with store.reading() as connection:
            first = find_target(connection, request)
        learned = learn_hashes(store, first)
    with store.writing() as (connection, change):
        if request.user is not None:
            ensure_erasable(connection, request.user, by[0] if by else None)
        target, users = _meant(connection, request)
        if learned - target.sha256s:
            with_bytes = replace(request, documents=(), sha256s=tuple(sorted(learned)))
            target |= find_target(connection, with_bytes)
        engine = connection.dialect.name
        receipt = new_receipt(request.kind, engine, by[1] if by else None, id)
        receipt = replace(
            receipt,
            documents=target.documents,
            sha256s=tuple(sorted(target.sha256s)),
            texts=tuple(sorted(target.texts)),
            people=tuple(NameHash.of(name) for name in _distinct(target.people))
            if request.user is None
            else (),
            users=tuple(map(NameHash.of, users)),
        )
        # Counted first: what is removed from the library goes from the cache with it.
        receipt = receipt.counted({"cache_entries": cache_in(cache_folder()).count(target.sha256s)})
        counts = erase_rows(connection, change, target, users, heir=by[0] if by else None, own=job)
        receipt = receipt.counted(counts)
        write_receipt(connection, receipt, by[0] if by else None)
        if job is not None:  # the names in it are not needed any more
            asked = json.dumps({"erasure": receipt.id})
            jobs = schema.server.jobs
            connection.execute(update(jobs).where(jobs.c.id == job).values(request=asked))
    return receipt


def _distinct(people: Collection[str]) -> list[str]:
    """One spelling of each name."""
    return sorted({fold_name(name) for name in people})


def erase_rows(
    connection: Connection,
    change: int,
    target: Target,
    users: Sequence[str],
    *,
    heir: str | None = None,
    own: str | None = None,
) -> dict[str, int]:
    """Everything but kept results, in a transaction that writes; how many rows of each kind."""
    counts = erase_from_tables(connection, change, target)
    for more in (
        erase_from_jobs(connection, target, own),
        erase_people_from_records(connection, sorted(target.people)),
        *(erase_account(connection, user, heir=heir, own=own) for user in users),
    ):
        for what, number in more.items():
            counts[what] = counts.get(what, 0) + number
    return counts


def _erase_copies(
    library: Library,
    receipt: Receipt,
    target: Target,
    tell: Progress,
    purge_pages: PurgeCache | None,
) -> Receipt:
    """What was made of documents: results, caches, the index, files that were left behind."""
    store = library.store

    def record(connection: Connection, more: Mapping[str, int]) -> None:
        nonlocal receipt
        receipt = receipt.counted(more)
        write_receipt(connection, receipt)

    _, unreadable = erase_from_results(store, target, tell, record=record)
    tell("erasing caches", 0, 0)
    counts, failed = erase_local_copies(library, target.sha256s, purge_pages)
    unreached = dict(receipt.unreached)
    with store.beside() as connection:
        left = {
            "unreadable results": unreadable,
            "files": failed,
            "waiting archives": count_waiting_archives(connection),
        }
        unreached = {k: n for k, n in unreached.items() if k not in left}
        unreached |= {what: number for what, number in left.items() if number}
        receipt = replace(receipt.counted(counts), unreached=unreached)
        write_receipt(connection, receipt)
    return receipt


def erase_local_copies(
    library: Library, sha256s: Collection[str], purge_pages: PurgeCache | None = None
) -> tuple[dict[str, int], int]:
    """What this machine keeps beside the database; and how many places could not be cleaned."""
    counts: dict[str, int] = {}
    failed = 0
    cache = cache_in(cache_folder())
    steps: dict[str, list[Callable[[], int]]] = {
        "cache_entries": [lambda: cache.purge(sha256s), cache.purge_unnamed],
        "pages": [lambda: purge_pages(sha256s) if purge_pages else 0],
        "segments": [library.erase_removed_from_index],
        "temporary_files": [scrub_temporary_files],
    }
    for what, some in steps.items():
        for step in some:
            try:
                counts[what] = counts.get(what, 0) + step()
            except OSError:
                failed += 1
    return counts, failed


def _wait_for_jobs(
    store: Store, own: str | None, tell: Progress, most_seconds: float
) -> tuple[bool, int]:
    """Let jobs end that ran while rows were erased; whether there were any, how many still run."""
    with store.reading() as connection:
        waiting = first = running_jobs(connection, own)
    until = time.monotonic() + most_seconds
    while waiting and time.monotonic() < until:
        tell("waiting for jobs", len(first) - len(waiting), len(first))
        time.sleep(_LOOK_SECONDS)
        with store.reading() as connection:
            waiting = [one for one in running_jobs(connection, own) if one in first]
    return bool(first), len(waiting)


# What comes back


def read_erasures(path: Path) -> list[Receipt]:
    """The receipts of a library in a file that is about to be replaced.

    None where there is no library, or one that is too damaged to tell.
    """
    if not path.exists():
        return []
    engine = engine_at(address_of(path))
    try:
        with explain_errors(str(path)), engine.connect() as connection:
            return read_receipts(connection) if version_of(connection) == schema.VERSION else []
    except LibraryError:
        return []
    finally:
        engine.dispose()


def reapply_erasures(connection: Connection, receipts: Sequence[Receipt]) -> int:
    """Erase again what a restored backup has brought back; how many documents.

    In the transaction that restores: nobody sees a moment in which they are there. Receipts that
    the backup holds already were obeyed before it was made; what it has of such documents was added
    again since, and stays. The others are kept with it.
    """
    kept = {one.id: one for one in read_receipts(connection)}
    later = [one for one in receipts if kept.get(one.id, one).state != "done" or one.id not in kept]
    if not later:
        return 0
    changes = schema.library.c.changes
    connection.execute(update(schema.library).values(changes=changes + 1))
    change = int(connection.execute(select(changes)).scalar_one())
    target = find_again(connection, later)
    erase_rows(connection, change, target, accounts_again(connection, later))
    erase_from_results(OneTransaction(connection), target)
    for receipt in later:
        write_receipt(connection, receipt)
    return len(target.documents)


def reapply_erasures_to_file(path: Path, receipts: Sequence[Receipt]) -> int:
    """The same for a backup that is about to become a library, in a file of its own."""
    if not receipts:
        return 0
    engine = engine_at(address_of(path))
    try:
        with (
            explain_errors(str(path)),
            engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            erased = reapply_erasures(connection, receipts)
        with engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert raw is not None
            raw.execute("PRAGMA secure_delete = on").fetchall()
            raw.execute("VACUUM")
        return erased
    finally:
        engine.dispose()
