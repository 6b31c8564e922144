"""Originals on their way: into the store, out of it, and objects that nobody needs any more."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, select, update

from likewise.library import schema
from likewise.library.errors import LibraryError
from likewise.library.filters import split_numbers
from likewise.library.inputs import PreparedDocument
from likewise.library.object_store import ObjectStore, StoreAway, StorePlace
from likewise.library.originals import (
    UPLOAD_TIME,
    ObjectAddress,
    chosen_place,
    claim,
    delete_object,
    fetch_file,
    forget_orphan,
    is_in_store,
    new_key,
    note_orphans,
    object_addresses,
    put_file,
    read_orphans,
)
from likewise.library.store import Store
from likewise.progress import Progress

_AT_ONCE = 50  # files between two looks at the database


def put_originals(
    store: Store, ready: Sequence[PreparedDocument], collection: str
) -> list[PreparedDocument]:
    """The files of documents into the store, before the transaction that adds them.

    Where the store does not answer they stay with the documents and are added to the database:
    nothing that somebody handed in waits for it. `move_to_store` takes them there later.
    """
    place = chosen_place()
    if place is None or not any(one.original is not None for one in ready):
        return list(ready)
    with store.reading() as connection:
        uid = store.state(connection).uid
        kept = _kept_hashes(connection, [one.item.sha256 for one in ready], collection)
    keys = {
        number: new_key(place, uid, one.item.sha256)
        for number, one in enumerate(ready)
        if one.original is not None and one.item.sha256 not in kept
    }
    if not keys:
        return list(ready)
    with store.beside() as connection:
        orphans = [(place.bucket, key, place.endpoint) for key in keys.values()]
        note_orphans(connection, orphans, UPLOAD_TIME)
    with_addresses = list(ready)
    with contextlib.suppress(StoreAway):
        for number, key in keys.items():
            one = ready[number]
            assert one.original is not None
            address = put_file(place, key, one.original)
            with_addresses[number] = replace(one, address=address)
    return with_addresses


def _kept_hashes(
    connection: Connection, sha256s: Sequence[bytes], collection: str
) -> frozenset[bytes]:
    """Of some files those that a collection has with their originals."""
    document, original = schema.documents.c, schema.originals.c
    query = (
        select(document.sha256)
        .join_from(schema.documents, schema.originals, original.document_id == document.id)
        .where(document.sha256.in_(sha256s), document.collection == collection)
    )
    return frozenset(bytes(one) for one in connection.execute(query).scalars())


def delete_orphans(store: Store) -> tuple[int, int]:
    """Delete objects that no row holds and whose time has come: how many, and how many are left.

    Left are those that the store did not delete now.
    """
    with store.reading() as connection:
        uid = store.state(connection).uid
        notes = read_orphans(connection)
    now = datetime.now(UTC).replace(tzinfo=None).isoformat()
    deleted = left = 0
    is_away = False
    for key, note in notes.items():
        if note["uid"] != uid:  # of the library that this one was copied from
            with store.beside() as connection:
                forget_orphan(connection, key)
        elif str(note["due"]) <= now:
            if is_away:
                left += 1
                continue
            try:
                with store.beside() as connection:
                    if forget_orphan(connection, key):
                        delete_object(key, note)
                        deleted += 1
            except StoreAway:
                is_away = True
                left += 1
    return deleted, left


def move_to_store(
    store: Store,
    progress: Progress | None = None,
    *,
    go_on: Callable[[], bool] = lambda: True,
) -> int:
    """Files that the database holds into the chosen store; how many. Killed, it goes on."""
    place = chosen_place()
    if place is None:
        return 0
    with store.reading() as connection:
        uid = store.state(connection).uid
        total = _count(connection, in_store=False)
    moved = last = 0
    while go_on():
        with store.reading() as connection:
            rows = _in_database(connection, last)
        if not rows:
            break
        last = rows[-1][0]
        moved += _move(store, place, uid, rows)
        if progress:
            progress("moving originals", moved, total)
    return moved


def _in_database(connection: Connection, last: int) -> list[Any]:
    document, original = schema.documents.c, schema.originals.c
    query = (
        select(original.document_id, document.sha256, original.packed)
        .join_from(schema.originals, schema.documents, document.id == original.document_id)
        .where(original.document_id > last, ~is_in_store())
        .order_by(original.document_id)
        .limit(_AT_ONCE)
    )
    return list(connection.execute(query).all())


def _move(store: Store, place: StorePlace, uid: str, rows: Sequence[Any]) -> int:
    keys = {row.document_id: new_key(place, uid, bytes(row.sha256)) for row in rows}
    with store.beside() as connection:
        orphans = [(place.bucket, key, place.endpoint) for key in keys.values()]
        note_orphans(connection, orphans, UPLOAD_TIME)
    addresses = {
        row.document_id: put_file(place, keys[row.document_id], bytes(row.packed)) for row in rows
    }
    moved = 0
    with store.beside() as connection:
        there = claim(connection, list(addresses.values()))
        gone: list[ObjectAddress] = []
        for number, address in addresses.items():
            if address.key not in there:
                continue
            if _replace(connection, number, address.pack(), in_store=False):
                moved += 1
            else:  # the document was removed meanwhile
                gone.append(address)
        note_orphans(connection, [(one.bucket, one.key, one.endpoint) for one in gone], timedelta())
    return moved


def move_to_database(store: Store, progress: Progress | None = None) -> int:
    """Files from their stores into the database; how many. Killed, it goes on."""
    with store.reading() as connection:
        addresses = dict(object_addresses(connection))
    moved = 0
    for part in split_numbers(list(addresses)):
        for number in part:
            packed = fetch_file(addresses[number])
            with store.beside() as connection:
                if _replace(connection, number, packed, in_store=True):
                    one = addresses[number]
                    note_orphans(connection, [(one.bucket, one.key, one.endpoint)], timedelta())
                    moved += 1
            if progress:
                progress("moving originals", moved, len(addresses))
    return moved


def _replace(connection: Connection, number: int, packed: bytes, *, in_store: bool) -> bool:
    """Change a row that is still as it was; whether it is."""
    original = schema.originals.c
    as_it_was = is_in_store() if in_store else ~is_in_store()
    change = update(schema.originals).where(original.document_id == number, as_it_was)
    return connection.execute(change.values(packed=packed)).rowcount == 1


def take_in(connection: Connection) -> int:
    """Files from their stores into the rows of a copy of a library; how many.

    The copy stands alone then: what is deleted in the library it was made of stays in it.
    """
    original, taken = schema.originals.c, 0
    for document, address in object_addresses(connection):
        connection.execute(
            update(schema.originals)
            .where(original.document_id == document)
            .values(packed=fetch_file(address))
        )
        taken += 1
    for key in read_orphans(connection):
        forget_orphan(connection, key)
    return taken


def _count(connection: Connection, *, in_store: bool) -> int:
    condition = is_in_store() if in_store else ~is_in_store()
    query = select(func.count()).select_from(schema.originals).where(condition)
    return int(connection.execute(query).scalar_one())


def count_originals(connection: Connection) -> tuple[int, int]:
    """How many are in the database, and how many elsewhere."""
    return _count(connection, in_store=False), _count(connection, in_store=True)


def store_problem() -> LibraryError | None:
    """Why the chosen store cannot be used, if it cannot."""
    place = chosen_place()
    if place is None:
        return None
    try:
        ObjectStore(place.bucket, place.endpoint).ensure()
    except LibraryError as error:
        return error
    return None
