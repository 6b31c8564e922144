"""Documents of a library from which a text may be rewritten or translated: found by concepts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from sqlalchemy import bindparam, select

from likewise.language.concept_blocks import ConceptBlocks, Ids, concept_blocks
from likewise.library import schema
from likewise.library.candidates import Candidate
from likewise.library.filter_matcher import entries_of_representatives, find_representatives
from likewise.library.filters import NUMBERS, Filters, split_numbers
from likewise.library.sketches import blocks_from
from likewise.library.snapshot import Snapshot
from likewise.model import Span
from likewise.search.meaning import LikelySource, likely_sources, look_up_others
from likewise.search.postings import Hashes, Numbers

MOST_BY_MEANING = 10  # documents that a check aligns because they may say the same
_MORE = 10  # of which copies of one text are left out
_EXPLAINED = 0.5  # of a block: words that stand elsewhere as they are need no other source


_COLUMN = schema.concept_blocks.c
_BLOCKS_OF = select(_COLUMN.document_id, _COLUMN.blocks, _COLUMN.concepts).where(
    _COLUMN.recipe_id == bindparam("recipe_id"),
    _COLUMN.document_id.in_(NUMBERS),
    _COLUMN.blocks > 0,
)


def find_by_meaning(
    snapshot: Snapshot,
    text: str,
    filters: Filters,
    *,
    limit: int = MOST_BY_MEANING,
    known: Sequence[Candidate] = (),
    explained: Sequence[Span] = (),
) -> list[Candidate]:
    """The likeliest sources of what a text says in other words, besides those that are `known`.

    What stands elsewhere word for word is `explained`, and needs none.
    """
    view, recipe_id = snapshot.concepts(filters)
    if not len(view):
        return []
    blocks = _without_explained(concept_blocks([text], overlap=True)[0], explained)
    left_out = np.array(sorted({*filters.not_ids, *(one.id for one in known)}), dtype=np.int64)

    def look_up(keys: Hashes, most: int) -> tuple[Numbers, Numbers]:
        return look_up_others(view.segments, keys, most, left_out, removed=view.flags)

    def blocks_of(numbers: Sequence[int]) -> Mapping[int, Ids]:
        rows: list[Any] = []
        for part in split_numbers(numbers):
            rows += snapshot.connection.execute(
                _BLOCKS_OF, {"recipe_id": recipe_id, "numbers": part}
            ).all()
        ids = blocks_from(b"".join(row.concepts for row in rows))
        ends = np.cumsum([0, *(row.blocks for row in rows)]).tolist()
        return {row.document_id: ids[a:b] for row, (a, b) in zip(rows, pairwise(ends), strict=True)}

    sources = likely_sources(blocks, look_up, blocks_of, limit + _MORE)
    return _one_of_each_text(snapshot, sources, filters, {one.root for one in known})[:limit]


def _one_of_each_text(
    snapshot: Snapshot,
    sources: Sequence[LikelySource],
    filters: Filters,
    known_roots: Collection[int],
) -> list[Candidate]:
    numbers = [source.document for source in sources]
    by_number = find_representatives(snapshot.connection, numbers, filters) if numbers else {}
    representatives = []
    roots = set(known_roots)
    for number in numbers:
        one = by_number.get(number)
        if one is not None and one.root not in roots:
            roots.add(one.root)
            representatives.append(one)
    entries = entries_of_representatives(snapshot.connection, representatives)
    return [
        Candidate(entries[one.id], one.root, 0, 0.0, one.copies)
        for one in representatives
        if one.id in entries
    ]


def _without_explained(blocks: ConceptBlocks, explained: Sequence[Span]) -> ConceptBlocks:
    """The blocks, where those say nothing that stand elsewhere as they are."""
    if not explained or not len(blocks):
        return blocks
    covered = np.zeros(int(blocks.end[-1]) + 2, dtype=np.int64)
    for span in explained:
        covered[min(span.start, len(covered) - 1)] += 1
        covered[min(span.end, len(covered) - 1)] -= 1
    before = np.concatenate(([0], np.cumsum(np.cumsum(covered) > 0)))
    share = (before[blocks.end] - before[blocks.start]) / (blocks.end - blocks.start)
    ids = np.where((share >= _EXPLAINED)[:, None], np.uint32(0), blocks.ids)
    return replace(blocks, ids=ids)
