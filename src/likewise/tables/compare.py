"""Tables of one document against those of another."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.model import Table
from likewise.settings import Settings
from likewise.tables.index import index_of
from likewise.tables.match import LEAST_SCORE, TableMatch


def matching_tables(
    ours: Sequence[Table],
    theirs: Sequence[Table] | None = None,
    settings: Settings | None = None,
    *,
    threshold: float = LEAST_SCORE,
) -> tuple[TableMatch, ...]:
    """Pairs of tables that are near-duplicates, the likest first; without `theirs`, among ours.

    >>> from likewise.model import Span
    >>> a = Table((("River", "km"), ("Irtysh", "4248"), ("Ishim", "2450")), Span(0, 0))
    >>> b = Table((("km", "River"), ("2450", "Ishim"), ("4248", "Irtysh")), Span(0, 0))
    >>> [match] = matching_tables([a], [b])
    >>> match.score, match.rows, match.columns
    (1.0, ((0, 0), (1, 2), (2, 1)), ((0, 1), (1, 0)))
    """
    if theirs is None:
        found = list(index_of(ours, settings).pairs(threshold))
    else:
        index = index_of(theirs, settings)
        found = [
            match
            for place, table in enumerate(ours)
            for match in index.search(table, threshold, place)
        ]
    return tuple(sorted(found, key=lambda match: (-match.score, match.a, match.b)))
