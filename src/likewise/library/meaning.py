"""Documents of a library from which a text may be rewritten or translated: found by concepts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from likewise.language.concept_blocks import ConceptBlocks, concept_blocks
from likewise.library.candidates import Candidate
from likewise.library.filter_matcher import entries_of_representatives, find_representatives
from likewise.library.filters import Filters
from likewise.library.snapshot import Snapshot
from likewise.model import Span
from likewise.search.meaning import LikelySource, likely_sources

MOST_BY_MEANING = 10  # documents that a check aligns because they may say the same
_MORE = 10  # of which copies of one text are left out
_EXPLAINED = 0.5  # of a block: words that stand elsewhere as they are need no other source


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
    view = snapshot.concepts(filters)
    if not len(view):
        return []
    blocks = _without_explained(concept_blocks([text], overlap=True)[0], explained)
    left_out = np.array(sorted({*filters.not_ids, *(one.id for one in known)}), dtype=np.int64)

    sources = likely_sources(
        blocks, view.segments, limit + _MORE, removed=view.flags, without=left_out
    )
    return _one_of_each_text(snapshot, sources, filters, {one.root for one in known}, limit)


def _one_of_each_text(
    snapshot: Snapshot,
    sources: Sequence[LikelySource],
    filters: Filters,
    known_roots: Collection[int],
    limit: int,
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
    representatives = representatives[:limit]
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
