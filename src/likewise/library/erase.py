"""Erase everywhere: documents, or all of a person, out of every place that this library reaches.

The tables and the receipt change in one transaction; then come results that hosts keep, caches, the
index and the files of the database. Killed at any moment it goes on where it was: the
receipt says what is meant, and every step finds what is left of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import Connection, select, update

from likewise.library import schema
from likewise.library.backup_notes import living_backups
from likewise.library.engine import WRITES, address_of, engine_at
from likewise.library.erase_rows import (
    count_rows,
    erase_from_tables,
    find_again,
    find_target,
    scrub_database,
    scrub_temporary_files,
)
from likewise.library.erasure import (
    EraseRequest,
    NameHash,
    OneTransaction,
    Receipt,
    Target,
    Transactions,
)
from likewise.library.errors import LibraryError, explain_errors
from likewise.library.filters import split_numbers
from likewise.library.library import Library
from likewise.library.metadata import fold_name
from likewise.library.original_transfer import delete_orphans
from likewise.library.receipts import new_receipt, read_receipt, read_receipts, write_receipt
from likewise.library.registry import Record, noted_tables, registered_hosts
from likewise.library.store import Store, now
from likewise.library.versions import version_of
from likewise.progress import Progress, no_progress
from likewise.reading.cache import cache_folder, cache_in

# Deletes what another cache holds of files with some hashes; how many entries there were.
PurgeCache = Callable[[Collection[str]], int]

_WAIT_SECONDS = 600.0  # for tasks of hosts that may have read what was erased


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
            _ensure_erasable(connection, request.user, by)
        target, accounts = _find_target(connection, request)
        counts = count_rows(connection, target)
        for host in registered_hosts():
            _add(counts, host.count_rows(connection, target, accounts))
    more, _ = erase_results(store, target, dry_run=True)
    _add(counts, more)
    counts["cache_entries"] = cache_in(cache_folder()).count(target.sha256s)
    present = _present_documents(store, target.documents)
    return Preview(present, target.left, target.copies, {k: n for k, n in counts.items() if n})


def _add(counts: dict[str, int], more: Mapping[str, int]) -> None:
    for kind, number in more.items():
        counts[kind] = counts.get(kind, 0) + number


def _ensure_erasable(connection: Connection, account: str, by: str | None) -> None:
    for host in registered_hosts():
        host.ensure_erasable(connection, account, by)


def _present_documents(store: Store, numbers: Sequence[int]) -> tuple[int, ...]:
    document = schema.documents.c
    present: list[int] = []
    with store.reading() as connection:
        for part in split_numbers(numbers):
            query = select(document.id).where(document.id.in_(part)).order_by(document.id)
            present += connection.execute(query).scalars()
    return tuple(present)


def run_erasure(
    library: Library,
    request: EraseRequest | None,
    *,
    id: str | None = None,
    by: tuple[str, str] | None = None,
    task: str | None = None,
    full: bool = False,
    progress: Progress | None = None,
    purge_pages: PurgeCache | None = None,
    wait_seconds: float = _WAIT_SECONDS,
) -> Receipt:
    """Erase what is asked for; the receipt, which is kept in the library too.

    With the `id` of a receipt that is there, an erasure goes on that was killed; then no request is
    needed. `by` is the id and name of who asked, `task` the work of a host that does it.
    """
    store = library.store
    progress = progress or no_progress
    progress("erasing documents", 0, 0)
    receipt = _begin(store, request, id, by, task)
    if receipt.state == "done":
        return receipt
    target = Target.of_receipt(receipt)
    receipt = _erase_copies(library, receipt, target, progress, purge_pages)
    has_waited = False
    running: dict[str, int] = {}
    for host in registered_hosts():
        waited, still_running = host.wait_for_tasks(store, task, progress, wait_seconds)
        has_waited |= waited
        running |= still_running
    if has_waited:
        # What they read before the first transaction may stand in their results, and in caches.
        receipt = _erase_copies(library, receipt, target, progress, purge_pages)
    progress("rewriting the database", 0, 0)
    unreached = dict(receipt.unreached) | scrub_database(store, full=full)
    unreached |= {"backups": 1, "partners": 1, "downloads": 1} | running
    receipt = replace(receipt, state="done", ended_on=now(), unreached=unreached)
    with store.beside() as connection:
        write_receipt(connection, receipt)
    return receipt


def _find_target(connection: Connection, request: EraseRequest) -> tuple[Target, list[str]]:
    """The documents and the accounts that a request is about."""
    if request.again:
        receipts = read_receipts(connection)
        accounts = _find_accounts(connection, receipts)
        return find_again(connection, receipts, accounts), accounts
    return find_target(connection, request), [request.user] if request.user else []


def _find_accounts(connection: Connection, receipts: Sequence[Receipt]) -> list[str]:
    """Accounts that were erased earlier and have come back."""
    return [
        account
        for host in registered_hosts()
        for account in host.find_accounts(connection, receipts)
    ]


def _begin(
    store: Store,
    request: EraseRequest | None,
    id: str | None,
    by: tuple[str, str] | None,
    task: str | None,
) -> Receipt:
    """Everything that stands in rows of its own, and the receipt: one transaction."""
    with store.reading() as connection:
        begun = read_receipt(connection, id) if id is not None else None
    if begun is not None:
        return begun
    if request is None:
        raise ValueError("there is nothing to erase, and nothing to go on with")
    by_id, by_name = by or (None, None)
    learned: set[str] = set()
    if request.documents:
        with store.reading() as connection:
            first = find_target(connection, request)
        for host in registered_hosts():
            learned |= host.learn_hashes(store, first)
    with store.writing() as (connection, change):
        if request.user is not None:
            _ensure_erasable(connection, request.user, by_id)
        target, accounts = _find_target(connection, request)
        if learned - target.sha256s:
            with_bytes = replace(request, documents=(), sha256s=tuple(sorted(learned)))
            target |= find_target(connection, with_bytes)
        receipt = new_receipt(request.kind, connection.dialect.name, by_name, id)
        receipt = replace(
            receipt,
            documents=target.documents,
            sha256s=tuple(sorted(target.sha256s)),
            texts=tuple(sorted(target.texts)),
            rows=tuple(sorted(target.rows)),
            backups=tuple(living_backups(connection)),
            people=tuple(NameHash.of(name) for name in _distinct(target.people))
            if request.user is None
            else (),
            users=tuple(map(NameHash.of, accounts)),
        )
        # Counted first: what is removed from the library goes from the cache with it.
        receipt = receipt.counted({"cache_entries": cache_in(cache_folder()).count(target.sha256s)})
        counts = erase_from_tables(connection, change, target)
        for host in registered_hosts():
            options = {"receipt_id": receipt.id, "heir": by_id, "task": task}
            _add(counts, host.erase_rows(connection, target, accounts, **options))
        receipt = receipt.counted(counts)
        write_receipt(connection, receipt, by_id)
    return receipt


def _distinct(people: Collection[str]) -> list[str]:
    """One spelling of each name."""
    return sorted({fold_name(name) for name in people})


def erase_results(
    store: Transactions,
    target: Target,
    progress: Progress | None = None,
    *,
    dry_run: bool = False,
    record: Record | None = None,
) -> tuple[dict[str, int], dict[str, int]]:
    """What hosts keep of checks: how many of each kind, and what was not reached."""
    counts: dict[str, int] = {}
    unreached: dict[str, int] = {}
    for host in registered_hosts():
        counted, missed = host.erase_results(
            store, target, progress, dry_run=dry_run, record=record
        )
        _add(counts, counted)
        _add(unreached, missed)
    return counts, unreached


def _erase_copies(
    library: Library,
    receipt: Receipt,
    target: Target,
    progress: Progress,
    purge_pages: PurgeCache | None,
) -> Receipt:
    """What was made of documents: results, caches, the index, files that were left behind."""
    store = library.store

    def record(connection: Connection, more: Mapping[str, int]) -> None:
        nonlocal receipt
        receipt = receipt.counted(more)
        write_receipt(connection, receipt)

    _, missed = erase_results(store, target, progress, record=record)
    progress("erasing caches", 0, 0)
    counts, failed = erase_local_copies(library, target.sha256s, purge_pages)
    missed["files"] = failed
    deleted, missed["originals"] = delete_orphans(store)
    counts["objects"] = deleted
    with store.beside() as connection:
        for host in registered_hosts():
            missed |= host.count_unreached(connection)
        missed["host tables"] = len(noted_tables(connection))
        unreached = {kind: n for kind, n in receipt.unreached.items() if kind not in missed}
        unreached |= {kind: number for kind, number in missed.items() if number}
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
    known = {receipt.id: receipt.state for receipt in read_receipts(connection)}
    later = [receipt for receipt in receipts if known.get(receipt.id) != "done"]
    if not later:
        return 0
    changes = schema.library.c.changes
    connection.execute(update(schema.library).values(changes=changes + 1))
    change = int(connection.execute(select(changes)).scalar_one())
    accounts = _find_accounts(connection, later)
    target = find_again(connection, later, accounts)
    erase_from_tables(connection, change, target)
    for host in registered_hosts():
        host.erase_rows(connection, target, accounts)
    erase_results(OneTransaction(connection), target)
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
