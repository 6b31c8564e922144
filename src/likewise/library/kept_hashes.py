"""What the database keeps for an index: fingerprints in the order in which they came."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from sqlalchemy import Connection, select

from likewise.library.families import Family
from likewise.library.segments import Part
from likewise.library.sketches import hashes_from
from likewise.search.postings import Hashes, Segment, gone_among

_ROWS = 50  # that are read at a time: a long document's fingerprints are many
_LOOKED_AT = 32  # documents of a segment that are compared with the database before it is used


def later_hashes(
    connection: Connection, family: Family, recipe_id: int, change: int
) -> Iterator[tuple[int, int, Hashes]]:
    """The fingerprints that came after a change, in the order in which they came."""
    kept = family.rows.c
    query = (
        select(*family.order, kept.hashes)
        .where(kept.recipe_id == recipe_id, kept.change > change)
        .order_by(*family.order)
        .execution_options(yield_per=_ROWS)
    )
    with connection.execute(query) as rows:
        for row in rows:
            yield row.change, family.number(row), hashes_from(row.hashes)


def is_of_this_history(
    connection: Connection, family: Family, recipe_id: int, part: Part, gone: Collection[int]
) -> bool:
    """Whether a segment is of this database, and not of another history of it.

    It must hold exactly the documents of its changes that are not gone, and for some of them,
    from the first to the last, the right fingerprints.
    """
    kept, numbers = family.rows.c, part.segment.documents
    staying = numbers[~gone_among(gone)(family.documents(numbers))] if len(numbers) else numbers
    covered = (
        kept.recipe_id == recipe_id,
        kept.change > part.after,
        kept.change <= part.until,
    )
    sums = connection.execute(select(*family.sums()).where(*covered)).one()
    if tuple(int(value or 0) for value in sums) != family.sums_of(staying):
        return False
    looked_at = np.unique(np.linspace(0, len(staying) - 1, _LOOKED_AT).astype(np.int64))
    asked = set(staying[looked_at].tolist()) if len(staying) else set()
    documents = family.documents(np.array(sorted(asked), dtype=np.int64)).tolist()
    query = select(*family.order, kept.hashes).where(
        *covered, kept.document_id.in_(sorted(set(documents)))
    )
    for row in connection.execute(query):
        hashes, number = hashes_from(row.hashes), family.number(row)
        if number in asked and len(hashes) and not _holds(part.segment, number, hashes[:1]):
            return False
    return True


def _holds(segment: Segment, number: int, hashes: Hashes) -> bool:
    """Whether a segment says that a document holds a fingerprint."""
    low, high = segment.ranges(hashes)
    held = segment.numbers(np.arange(int(low[0]), int(high[0])))
    return bool((segment.documents[held] == number).any())
