"""Text that very many documents hold: counted and shown, not followed, counted for nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from likewise.align import Alignment, CountedText
from likewise.align.check import MOST_COMMON
from likewise.align.exclude.exclusions import common_exclusion, without_spans
from likewise.align.resolve import union
from likewise.align.shares import literal_of
from likewise.language import Words
from likewise.library.filter_matcher import FilteredPostings
from likewise.library.sketches import PositionedFingerprints
from likewise.model import Check, Source, Span
from likewise.search.postings import Hashes, Lookup


@dataclass(frozen=True, slots=True)
class CommonRun:
    """Words that so many documents hold that these are not followed; the `eldest` are named."""

    span: Span
    holders: int
    eldest: tuple[int, ...]


def common_runs(
    words: Words,
    width: int,
    postings: FilteredPostings,
    positioned: PositionedFingerprints,
    hashes: Hashes,
    lookup: Lookup,
) -> tuple[CommonRun, ...]:
    """Where common fingerprints of `width` words stand; those that overlap or touch are one run.

    `hashes` are the distinct ones that `lookup` is about. The rarest of a run bounds how many
    documents hold all of it, and its holders are named.
    """
    which = np.searchsorted(hashes, positioned.hash)
    runs: list[list[int]] = []
    end = -1
    for k in np.flatnonzero(lookup.common[which]).tolist():
        if runs and positioned.place[k] <= end and runs[-1][-1] == k - 1:
            runs[-1].append(k)
        else:
            runs.append([k])
        end = int(positioned.place[k]) + width
    common = []
    for run in runs:
        first = int(positioned.place[run[0]])
        last = min(int(positioned.place[run[-1]]) + width, len(words)) - 1
        holders = lookup.holders[which[run]]
        rarest = int(np.argmin(holders))
        common.append(
            CommonRun(
                Span(int(words.start[first]), int(words.end[last])),
                int(holders[rarest]),
                postings.eldest(int(positioned.hash[run[rarest]])),
            )
        )
    return tuple(common)


def without_common(check: Check, runs: Sequence[CommonRun], documents: int) -> Check:
    """The check counted anew with common runs excluded, each with the number of its holders.

    Where they are more than a quarter of the text, it is no form but a text that many have copied:
    then nothing is excluded.
    """
    text = check.document.compared_text
    excluded_spans = union(exclusion.span for exclusion in check.exclusions)
    common = [
        common_exclusion(span, run.holders, documents)
        for run in runs
        for span in without_spans(run.span, excluded_spans)
        if span.of(text).strip()
    ]
    exclusions = tuple(sorted((*check.exclusions, *common), key=lambda e: e.span))
    counted = CountedText(text, exclusions)
    if not common or counted.share(run.span for run in runs) > MOST_COMMON:
        return check
    excluded = counted.excluded
    alignments: dict[str, Alignment] = {}
    for source in check.sources:
        passages, fragments = (
            tuple(p for p in some if not excluded[p.a.start : p.a.end].all())
            for some in (source.passages, source.fragments)
        )
        if passages or fragments or source.listings:
            alignments[source.name] = Alignment(passages, fragments, source.listings)
    matches = {source.name: source.match for source in check.sources}
    table_sources = {name for name, _ in check.tables}
    sources: tuple[Source, ...] = tuple(
        replace(source, match=matches[source.name]) for source in counted.sources(alignments)
    )
    return replace(
        check,
        shares=counted.shares(sources),
        sources=sources,
        literal=literal_of(sources),
        exclusions=exclusions,
        texts={
            name: text
            for name, text in check.texts.items()
            if name in alignments or name in table_sources
        },
    )
