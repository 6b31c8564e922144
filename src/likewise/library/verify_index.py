"""Whether an index says what the database says."""

from __future__ import annotations

from typing import Any

import numpy as np
from sqlalchemy import Connection, select

from likewise.library.errors import LibraryError
from likewise.library.families import TABLES, Family
from likewise.library.index import Index
from likewise.library.sketches import hashes_from
from likewise.library.store import State, Store
from likewise.library.view import View
from likewise.model import Message
from likewise.search.postings import Numbers, segment_of


def verify_index(
    connection: Connection, store: Store, state: State, family: Family, used: Index
) -> list[Message]:
    """What is wrong with the segments of a family; these are thrown away and made anew."""
    # An index of its own, which no other thread carries on while it is looked at.
    index = Index(store.address, store.changes, family)
    wrong = [
        Message("library.verify_index_damaged", {"name": path.name})
        for path in index.damaged(state)
    ]
    if not wrong:
        try:
            view = index.view(connection, state)
            wrong = _against_rows(connection, state.recipe_id, view, family)
        except LibraryError as error:
            wrong = [Message("library.verify_index_impossible", {"why": error.full_message})]
    if wrong:
        index.clear()
        used.forget()
    return wrong


def _against_rows(
    connection: Connection, recipe_id: int, view: View, family: Family
) -> list[Message]:
    """Whether the index holds the fingerprints of every document, and no others."""
    counts: dict[int, int] = {}
    gone = set(view.gone.tolist())
    sums: dict[int, int] = {}
    for segment in view.segments:
        for start in range(0, len(segment), 1 << 20):
            places = np.arange(start, min(len(segment), start + (1 << 20)))
            number = segment.numbers(places)
            for_each = np.bincount(number)
            checks = _sums(number, segment.keys[places])
            for k in np.flatnonzero(for_each).tolist():
                document = int(segment.documents[k])
                counts[document] = counts.get(document, 0) + int(for_each[k])
                sums[document] = (sums.get(document, 0) + int(checks[k])) % (1 << 64)
    problems = []
    is_tables = family is TABLES
    lacks = (
        "library.verify_index_lacks_tables"
        if is_tables
        else "library.verify_index_lacks_fingerprints"
    )
    kept = family.rows.c
    query = select(*family.order, kept.hashes).where(kept.recipe_id == recipe_id)
    for row in connection.execute(query.execution_options(yield_per=1000)):
        if len(row.hashes) % 8:
            continue  # told of the document itself
        hashes, known_as = hashes_from(row.hashes), family.number(row)
        own = segment_of([known_as], [hashes])
        expected = _sums(np.zeros(len(own), np.int64), own.keys)
        total = int(expected[0]) if len(expected) else 0
        found = counts.pop(known_as, 0), sums.pop(known_as, 0)
        if found != (len(hashes), total):
            problems.append(Message(lacks, {"n": row.document_id}))
    left = family.documents(np.array(sorted(counts), dtype=np.int64)).tolist()
    problems += [
        Message("library.verify_index_holds_more", {"n": document})
        for document in dict.fromkeys(left)
        if document not in gone
    ]
    return list(dict.fromkeys(problems))


def _sums(number: Numbers, keys: Any) -> Any:
    """The sum of the fingerprints of each document, so that two indexes can be told apart."""
    sums = np.zeros(int(number.max()) + 1 if len(number) else 0, dtype=np.uint64)
    np.add.at(sums, number, keys >> np.uint64(24))
    return sums
