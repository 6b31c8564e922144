"""Tables of whole documents: of two, of one against many, of many against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from likewise.model import Check, Document, Match, Note, Picture, Table, Unread
from likewise.progress import Progress
from likewise.settings import Settings, ensure_threshold
from likewise.tables.index import TableIndex, index_of
from likewise.tables.match import LEAST_SCORE, TableMatch

NamedMatch = tuple[str, TableMatch]  # a table that stands in a document of this name too


@dataclass(frozen=True, slots=True)
class TablePair:
    """Two tables that are alike, and their documents; `match` has the tables' places there."""

    a: str
    b: str
    table_a: Table
    table_b: Table
    match: TableMatch


@dataclass(frozen=True, slots=True, eq=False)
class TablePairs(Sequence[TablePair]):
    """Pairs of tables, the likest first, and what they were found among."""

    pairs: tuple[TablePair, ...]
    threshold: float
    documents: int
    sides: tuple[int, ...]  # how many tables there were, here and there
    unread: tuple[Unread, ...] = ()
    notes: tuple[tuple[str, Note], ...] = ()

    @property
    def tables(self) -> int:
        return sum(self.sides)

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, index: int) -> TablePair: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TablePair, ...]: ...
    def __getitem__(self, index: int | slice) -> TablePair | tuple[TablePair, ...]:
        return self.pairs[index]

    def __iter__(self) -> Iterator[TablePair]:
        return iter(self.pairs)


class TablesOf:
    """The tables of some documents, which can be asked for those of another, or for pairs."""

    def __init__(self, documents: Sequence[Document], settings: Settings | None = None) -> None:
        self._index = TableIndex(settings)
        self._homes: list[tuple[Document, int]] = []  # of each table: its document, its place there
        for document in documents:
            for place, table in enumerate(document.tables):
                self._index.add(table)
                self._homes.append((document, place))

    def __len__(self) -> int:
        return len(self._homes)

    def like(self, document: Document, threshold: float = LEAST_SCORE) -> Iterator[NamedMatch]:
        """The tables that are like one of a document, with the names of theirs."""
        for pair in self.pairs_with(document, threshold):
            yield pair.b, pair.match

    def pairs_with(self, document: Document, threshold: float) -> Iterator[TablePair]:
        """The same as pairs."""
        for place, table in enumerate(document.tables):
            for match in self._index.search(table, threshold, place):
                home, there = self._homes[match.b]
                yield TablePair(
                    document.name, home.name, table, home.tables[there], replace(match, b=there)
                )

    def pairs(self, threshold: float) -> Iterator[TablePair]:
        """Every two of them that are alike, also in one document."""
        for match in self._index.pairs(threshold):
            (one, here), (two, there) = self._homes[match.a], self._homes[match.b]
            placed = replace(match, a=here, b=there)
            yield TablePair(one.name, two.name, one.tables[here], two.tables[there], placed)


def with_tables(match: Match) -> Match:
    """A match of two documents, with the tables that they share."""
    if match.documents is None:
        return match
    a, b = match.documents
    if not a.tables or not b.tables:
        return match
    return replace(match, tables=matching_tables(a.tables, b.tables, match.settings))


def check_with_tables(check: Check, others: Sequence[Document]) -> Check:
    """A check, with the tables of the document that stand in others, the likest first.

    A document may share a table and no text; it is no source of text then, and is named here.
    """
    if not check.document.tables:
        return check
    compared = [other for other in others if other.name not in check.skipped]
    matches = ranked(TablesOf(compared, check.settings).like(check.document))
    texts = {other.name: other for other in compared}
    sources = {name: texts[name] for name, _ in matches}
    return replace(check, tables=matches, texts={**sources, **check.texts})


def ranked(matches: Iterable[NamedMatch]) -> tuple[NamedMatch, ...]:
    """Each once, the likest first."""
    return tuple(
        sorted(
            dict.fromkeys(matches),
            key=lambda each: (-each[1].score, each[1].a, each[0], each[1].b),
        )
    )


def pairs_of_tables(
    ours: Sequence[Document],
    theirs: Sequence[Document] | None = None,
    settings: Settings | None = None,
    *,
    threshold: float = LEAST_SCORE,
    unread: Sequence[Unread] = (),
    progress: Progress | None = None,
) -> TablePairs:
    """Near-duplicates among all tables of some documents, or between two lots of documents.

    >>> from likewise.model import Span
    >>> rows = (("River", "km"), ("Irtysh", "4248"), ("Ishim", "2450"))
    >>> turned = tuple(zip(*rows))
    >>> one, two = (Document(n, "", tables=(Table(r, Span(0, 0)),))
    ...             for n, r in (("a", rows), ("b", turned)))
    >>> [(pair.a, pair.b, pair.match.transposed) for pair in pairs_of_tables([one, two])]
    [('a', 'b', True)]
    """
    ensure_threshold(threshold)
    if progress:
        progress("reading tables", 0, 0)
    index = TablesOf(ours if theirs is None else theirs, settings)
    pairs: list[TablePair] = []
    if theirs is None:
        if progress:
            progress("comparing tables", 0, 0)
        pairs += index.pairs(threshold)
    else:
        for done, document in enumerate(ours):
            if progress:
                progress("comparing tables", done, len(ours))
            pairs += index.pairs_with(document, threshold)
    sides = [ours] if theirs is None else [ours, theirs]
    documents = [document for side in sides for document in side]
    return TablePairs(
        tuple(sorted(pairs, key=_likest)),
        threshold,
        len(documents),
        tuple(sum(len(document.tables) for document in side) for side in sides),
        tuple(unread),
        tuple((document.name, note) for document in documents for note in document.notes),
    )


def _likest(pair: TablePair) -> tuple[float, str, int, str, int]:
    return -pair.match.score, pair.a, pair.match.a, pair.b, pair.match.b


# Tables of one document against those of another.


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
        matches = list(index_of(ours, settings).pairs(threshold))
    else:
        index = index_of(theirs, settings)
        matches = [
            match
            for place, table in enumerate(ours)
            for match in index.search(table, threshold, place)
        ]
    return tuple(sorted(matches, key=lambda match: (-match.score, match.a, match.b)))


# Pictures inside tables: set aside from the cells, compared by how they look.


MOST_BITS_APART = 10  # of 64


def pictures_in(table: Table, pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """The pictures of a document that stand inside one of its tables."""
    return tuple(
        picture
        for picture in pictures
        if table.span.start <= picture.span.start and picture.span.end <= table.span.end
    )


def same_pictures(
    ours: Sequence[Picture], theirs: Sequence[Picture]
) -> tuple[tuple[Picture, Picture], ...]:
    """Pairs that look alike, each picture once, the likest first."""
    pairs = sorted(
        (
            (a.bits_apart(b), i, j)
            for i, a in enumerate(ours)
            for j, b in enumerate(theirs)
            if a.bits_apart(b) <= MOST_BITS_APART
        )
    )
    taken_a: set[int] = set()
    taken_b: set[int] = set()
    same = []
    for _, i, j in pairs:
        if i not in taken_a and j not in taken_b:
            taken_a.add(i)
            taken_b.add(j)
            same.append((ours[i], theirs[j]))
    return tuple(same)
