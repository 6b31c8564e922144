"""Pictures inside tables: set aside from the cells, compared by how they look."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.model import Picture, Table

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
    found = []
    for _, i, j in pairs:
        if i not in taken_a and j not in taken_b:
            taken_a.add(i)
            taken_b.add(j)
            found.append((ours[i], theirs[j]))
    return tuple(found)
