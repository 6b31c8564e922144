"""Documents erased from the tables of the library, and people from what stays there.

What deleted rows leave behind is overwritten: free pages, journals, half-written files.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, or_, select, text, update

from likewise.library import schema
from likewise.library.entries import Entry, Reference, read_document, read_entries
from likewise.library.erasure import EraseRequest, NameHash, Receipt, Target
from likewise.library.filters import split_numbers
from likewise.library.metadata import fold_name, search_text
from likewise.library.registry import present_tables, registered_hosts
from likewise.library.remove import hand_over_to, remove_documents
from likewise.library.sketch_rows import count_sketches
from likewise.library.store import Store

_document, _reference = schema.documents.c, schema.document_references.c
_OF_DOCUMENTS = {
    "texts": schema.texts,
    "originals": schema.originals,
    "tables": schema.document_tables,
    "blocks": schema.concept_blocks,
    "tags": schema.tags,
}


def find_target(connection: Connection, request: EraseRequest) -> Target:
    """The documents and people that a request means; nothing of it need be there any more."""
    if request.person is not None:
        folded = fold_name(request.person)
        people = _spellings(connection, lambda name: fold_name(name) == folded)
        target = _of_people(connection, people, ("owner", "author"), request.copies)
        return target | _handed_in(connection, (), people, request.copies)
    if request.user is not None:
        # Documents are owned under the name to log in by.
        target = _of_people(connection, frozenset({request.user}), ("owner",), request.copies)
        target |= _handed_in(connection, [request.user], (), request.copies)
        theirs = [
            number
            for host in registered_hosts()
            for number in host.find_documents(connection, request.user)
        ]
        return target | _of_documents(connection, theirs, request.copies)
    hashes = set(request.sha256s)
    hashes |= {one.hex() for one in hashes_of(connection, request.documents)}
    target = _of_documents(connection, _with_bytes(connection, hashes), request.copies)
    # Also what was removed earlier: reports may still quote it.
    return target | Target(documents=tuple(request.documents), sha256s=frozenset(hashes))


def _handed_in(
    connection: Connection, accounts: Sequence[str], people: Collection[str], with_copies: bool
) -> Target:
    """What hosts have of people, as a target."""
    target = Target()
    for host in registered_hosts():
        handed_in = host.find_handed_in(connection, accounts, people)
        target |= _of_documents(connection, handed_in.documents, with_copies)
        target |= Target(sha256s=handed_in.sha256s, rows=handed_in.rows)
    return target


def find_again(
    connection: Connection, receipts: Iterable[Receipt], accounts: Sequence[str] = ()
) -> Target:
    """What stands in earlier receipts and has come back, from a backup or an archive."""
    target = _handed_in(connection, accounts, (), False)
    for receipt in receipts:
        if receipt.people:
            people = _spellings(connection, partial(_is_among, receipt.people))
            target |= _of_people(connection, people, ("owner", "author"), False)
            target |= _handed_in(connection, (), people, False)
        target |= Target(rows=frozenset(receipt.rows))
        hashes_of_bytes = set(receipt.sha256s)
        target |= _of_documents(connection, _with_bytes(connection, hashes_of_bytes), False)
        target |= Target(sha256s=frozenset(hashes_of_bytes), texts=frozenset(receipt.texts))
    return target


def _is_among(hashes: Collection[NameHash], name: str) -> bool:
    return any(one.fits(name) for one in hashes)


def _spellings(connection: Connection, is_meant: Callable[[str], bool]) -> frozenset[str]:
    """How the library spells people; databases do not agree on what capital letters are."""
    columns = (
        *(_document.owner, _document.author, _document.advisor),
        *(_reference.owner, _reference.author),
    )
    names: set[str] = set()
    for column in columns:
        query = select(column).where(column.is_not(None)).distinct()
        names |= set(connection.execute(query).scalars())
    meant = {name for name in names if is_meant(name)}
    for host in registered_hosts():
        meant |= host.find_people(connection, is_meant)
    return frozenset(meant)


def hashes_of(connection: Connection, numbers: Iterable[int]) -> set[bytes]:
    """The bytes of documents that are there."""
    hashes: set[bytes] = set()
    for part in split_numbers(sorted(set(numbers))):
        query = select(_document.sha256).where(_document.id.in_(part))
        hashes |= {bytes(one) for one in connection.execute(query).scalars()}
    return hashes


def _with_bytes(connection: Connection, sha256s: Collection[str]) -> list[int]:
    """The documents of some bytes, in every collection."""
    numbers: list[int] = []
    hashes = sorted(sha256s)
    for start in range(0, len(hashes), 500):
        some = [bytes.fromhex(one) for one in hashes[start : start + 500]]
        query = select(_document.id).where(_document.sha256.in_(some))
        numbers += connection.execute(query).scalars()
    return numbers


def _of_people(
    connection: Connection, people: frozenset[str], roles: Sequence[str], with_copies: bool
) -> Target:
    """All that people have handed in; a document that others handed in too stays with them."""
    names = sorted(people)
    first = [_document[role].in_(names) for role in roles]
    again = [_reference[role].in_(names) for role in roles]
    numbers = set(connection.execute(select(_document.id).where(or_(*first))).scalars())
    query = select(_reference.document_id).where(or_(*again))
    numbers |= set(connection.execute(query).scalars())
    going: list[int] = []
    staying: list[int] = []
    for part in split_numbers(sorted(numbers)):
        for entry in read_entries(connection, part):
            (staying if _others(entry, people, roles) else going).append(entry.id)
    target = _of_documents(connection, going, with_copies)
    return replace(target, left=tuple(staying), people=people, roles=tuple(roles))


def _others(entry: Entry, people: Collection[str], roles: Sequence[str]) -> list[Reference]:
    """Those who handed a document in and are not among some people."""
    first = Reference(entry.name, entry.owner, entry.author, entry.added_on, entry.path)
    return [
        one
        for one in (first, *entry.again)
        if all(getattr(one, role) not in people for role in roles)
    ]


def _of_documents(connection: Connection, numbers: Iterable[int], with_copies: bool) -> Target:
    """Documents with their names and hashes."""
    going = set(numbers)
    same = _same_text(connection, going)
    if with_copies:
        going, same = going | same, set()
    names: set[str] = set()
    sha256s: set[str] = set()
    texts: set[str] = set()
    for part in split_numbers(sorted(going)):
        query = select(_document.id, _document.name, _document.sha256, _document.is_file)
        for row in connection.execute(query.where(_document.id.in_(part))).all():
            names.add(row.name)
            sha256s.add(bytes(row.sha256).hex())
            if not row.is_file:
                text = read_document(connection, row.id).text
                texts.add(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
        again = select(_reference.name).where(_reference.document_id.in_(part))
        names |= set(connection.execute(again).scalars())
    return Target(
        documents=tuple(sorted(going)),
        copies=tuple(sorted(same - going)),
        names=frozenset(names),
        sha256s=frozenset(sha256s),
        texts=frozenset(texts),
    )


def _same_text(connection: Connection, numbers: Collection[int]) -> set[int]:
    same: set[int] = set()
    for part in split_numbers(sorted(numbers)):
        hashes = select(_document.text_hash).where(_document.id.in_(part))
        query = select(_document.id).where(_document.text_hash.in_(hashes))
        same |= set(connection.execute(query).scalars())
    return same - set(numbers)


def count_rows(connection: Connection, target: Target) -> dict[str, int]:
    """How much of each kind belongs to documents that are to go."""
    counts = {"documents": 0, "references": len(target.left)}
    for part in split_numbers(target.documents):
        there = select(func.count()).select_from(schema.documents).where(_document.id.in_(part))
        counts["documents"] += int(connection.execute(there).scalar_one())
        for what, table in _OF_DOCUMENTS.items():
            query = select(_amount(table)).where(table.c.document_id.in_(part))
            counts[what] = counts.get(what, 0) + int(connection.execute(query).scalar_one() or 0)
    counts["sketches"] = count_sketches(connection, target.documents)
    return counts


def _amount(table: Table) -> ColumnElement[Any]:
    """How much of its kind rows hold: all blocks of a document stand in one of them."""
    is_of_blocks = table is schema.concept_blocks
    return func.sum(table.c.blocks) if is_of_blocks else func.count(table.c.document_id)


def erase_from_tables(connection: Connection, change: int, target: Target) -> dict[str, int]:
    """Remove documents, and people from those that stay; how many of each kind.

    Call it in a transaction that writes.
    """
    counts = count_rows(connection, target)
    for part in split_numbers(target.left):
        for entry in read_entries(connection, part):
            hand_over_to(connection, entry, _others(entry, target.people, target.roles))
    remove_documents(connection, change, target.documents)
    counts["advisors"] = _forget_advisors(connection, target.people)
    return counts


def _forget_advisors(connection: Connection, people: Collection[str]) -> int:
    query = select(
        *(_document.id, _document.name, _document.owner, _document.author, _document.organisation)
    ).where(_document.advisor.in_(sorted(people)))
    rows = connection.execute(query).all() if people else []
    for row in rows:
        names = (row.name, row.owner, row.author, None, row.organisation)
        connection.execute(
            update(schema.documents)
            .where(_document.id == row.id)
            .values(advisor=None, searched=search_text(names))
        )
    return len(rows)


_CHECKPOINT_SECONDS = 30.0  # for others who read to finish
_LEFT_SECONDS = 600.0  # after which nobody works with a temporary folder any more


def scrub_database(store: Store, *, full: bool = False) -> dict[str, int]:
    """Make sure that no file of the database holds what was deleted; what stays, by its name.

    SQLite's file is written anew. PostgreSQL gives the room free and renews its statistics, which
    hold values; until rows come to stand there bytes may stay, unless tables are rewritten, which
    `full` asks for and which locks each of them meanwhile.
    """
    return _scrub_file(store) if store.is_file else _scrub_server(store, full)


def _scrub_file(store: Store) -> dict[str, int]:
    unreached: dict[str, int] = {}
    with store.outside_transactions() as connection:
        raw: Any = connection.connection.driver_connection
        raw.execute("PRAGMA secure_delete = on").fetchall()
        if raw.in_transaction:
            raw.rollback()
        raw.execute("VACUUM")
        until = time.monotonic() + _CHECKPOINT_SECONDS
        while raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > until:
                unreached["write-ahead log"] = 1
                break
            time.sleep(0.1)
    if copies := _copies_beside(Path(store.name)):
        unreached["damaged copies"] = len(copies)
    return unreached


def _copies_beside(path: Path) -> list[Path]:
    """What a restore or a backup that was stopped has left beside a library."""
    patterns = (f"{path.name}.damaged*", f".{path.name}.restoring*", f".{path.name}.part*")
    return [copy for pattern in patterns for copy in path.absolute().parent.glob(pattern)]


def _scrub_server(store: Store, full: bool) -> dict[str, int]:
    options = "FULL, ANALYZE" if full else "ANALYZE"
    with store.outside_transactions() as connection:
        tables = ", ".join(f'"{table.name}"' for table in present_tables(connection))
        connection.execute(text(f"VACUUM ({options}) {tables}"))
    unreached = {"write-ahead log": 1}
    return unreached if full else unreached | {"database pages": 1}


def scrub_temporary_files(older_seconds: float = _LEFT_SECONDS) -> int:
    """Delete folders of reports that processes left behind when they were killed; how many."""
    before = time.time() - older_seconds
    deleted = 0
    for path in Path(tempfile.gettempdir()).glob("likewise-report-*"):
        with contextlib.suppress(OSError):  # not ours, or gone already
            if path.stat().st_mtime < before:
                shutil.rmtree(path)
                deleted += 1
    return deleted
