"""The same small library twice: as it is, and as if one teacher kept nothing in private.

Everything that the other teacher may see is added at the same moments in both worlds. What either
of them answers to that teacher must be the same to the byte.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st
from sqlalchemy import insert

from likewise.library import Library
from likewise.model import Document, Span, Table
from likewise.server.database import tables
from tests.library.texts import invented

MINE, MINE_TOO, THEIRS = "a" * 24, "c" * 24, "b" * 24  # collections
ASKING, HIDING = "aigul", "bolat"  # the teachers
SENTENCES = tuple(f"{invented(14, seed=seed).capitalize()}." for seed in range(6))
AUTHORS = ("A. Nur", "a. nur", "B. Omar", "Secret Name", None)
NAMES = ("essay.txt", "thesis.txt", "secret.txt")
BEGUN = datetime(2026, 1, 31, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Added:
    """A document that somebody adds."""

    collection: str
    owner: str
    name: str
    sentences: tuple[int, ...]
    author: str | None
    separator: str  # the same words, other bytes
    table: int | None
    kind: str | None

    @property
    def is_hidden(self) -> bool:
        return self.collection == THEIRS

    @property
    def text(self) -> str:
        return self.separator.join(SENTENCES[n] for n in self.sentences)

    def document(self) -> Document:
        tables = () if self.table is None else (figures(self.table),)
        return Document(self.name, self.text, tables=tables)


def figures(seed: int) -> Table:
    """A table; tables of neighbouring seeds share half of their rows."""

    def row(number: int) -> tuple[str, ...]:
        dice = random.Random(number)
        return (invented(2, number), *(f"{dice.uniform(1, 9_999):.2f}" for _ in range(3)))

    head = ("name", "in spring", "in summer", "in autumn")
    return Table((head, *(row(4 * seed + n) for n in range(8))), Span(0, 0))


def csv_of(seed: int) -> bytes:
    return "\n".join(",".join(row) for row in figures(seed).rows).encode()


def _added(place: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[Added]:
    return st.builds(
        lambda place, **rest: Added(*place, **rest),
        place,
        name=st.sampled_from(NAMES),
        sentences=st.lists(st.integers(0, 5), min_size=1, max_size=3).map(tuple),
        author=st.sampled_from(AUTHORS),
        separator=st.sampled_from((" ", "\n", "-\n")),
        table=st.none() | st.integers(0, 2),
        kind=st.sampled_from((None, "essay", "secret kind")),
    )


_seen = _added(
    st.sampled_from(((MINE, ASKING), (MINE_TOO, ASKING), ("", ASKING), ("", HIDING), ("", "dean")))
)
_hidden = _added(st.just((THEIRS, HIDING)))


@st.composite
def histories(draw: st.DrawFn) -> list[Added]:
    """Documents in the order in which they come; some of the hidden ones equal what is seen."""
    seen = draw(st.lists(_seen, min_size=2, max_size=7))
    hidden = draw(st.lists(_hidden, min_size=1, max_size=4))
    for original in draw(st.lists(st.sampled_from(seen), max_size=3)):
        values = {name: getattr(original, name) for name in Added.__dataclass_fields__}
        hidden.append(Added(**values | {"collection": THEIRS, "owner": HIDING}))
    return draw(st.permutations(seen + hidden))


def make_collections(library: Library, owners: dict[str, str]) -> None:
    """Private collections under names that are the same in both worlds."""
    with library.store.beside() as connection:
        for id, owner in owners.items():
            connection.execute(
                insert(tables.collections).values(
                    id=id,
                    name="Class of 2026",
                    about="",
                    owner_id=owner,
                    is_shared=False,
                    is_open_to_students=False,
                    made_on=BEGUN.replace(tzinfo=None),
                )
            )


def add_all(library: Library, history: Sequence[Added], *, with_hidden: bool) -> None:
    """Each in a transaction of its own, as they came."""
    for hour, one in enumerate(history):
        if one.is_hidden and not with_hidden:
            continue
        library.add(
            one.document(),
            collection=one.collection,
            owner=one.owner,
            author=one.author,
            type=one.kind,
            added_on=BEGUN + timedelta(hours=hour),
            tags=() if one.kind is None else (one.kind,),
        )
