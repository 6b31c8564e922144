"""Text that very many documents hold, found out after a check: shown, counted for nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from likewise.align import Alignment, Counted
from likewise.align.check import MOST_COMMON
from likewise.align.exclude.exclusions import common_exclusion, left_of
from likewise.align.resolve import union
from likewise.align.shares import literal_of
from likewise.library.common_runs import CommonRun
from likewise.model import Check, Source

__all__ = ["MOST_COMMON", "without_common"]


def without_common(check: Check, runs: Sequence[CommonRun], documents: int) -> Check:
    """The check counted anew with common runs excluded, each with the number of its holders.

    Where they are more than a quarter of the text, it is no form but a text that many have copied:
    then nothing is excluded.
    """
    text = check.document.compared_text
    taken = union(exclusion.span for exclusion in check.exclusions)
    common = [
        common_exclusion(span, run.holders, documents)
        for run in runs
        for span in left_of(run.span, taken)
        if span.of(text).strip()
    ]
    exclusions = tuple(sorted((*check.exclusions, *common), key=lambda e: e.span))
    counted = Counted(text, exclusions)
    if not common or counted.share(run.span for run in runs) > MOST_COMMON:
        return check
    excluded = counted.excluded
    found: dict[str, Alignment] = {}
    for source in check.sources:
        passages, fragments = (
            tuple(p for p in some if not excluded[p.a.start : p.a.end].all())
            for some in (source.passages, source.fragments)
        )
        if passages or fragments or source.listings:
            found[source.name] = Alignment(passages, fragments, source.listings)
    matches = {source.name: source.match for source in check.sources}
    shown = {name for name, _ in check.tables}
    sources: tuple[Source, ...] = tuple(
        replace(source, match=matches[source.name]) for source in counted.sources(found)
    )
    return replace(
        check,
        shares=counted.shares(sources),
        sources=sources,
        literal=literal_of(sources),
        exclusions=exclusions,
        texts={name: text for name, text in check.texts.items() if name in found or name in shown},
    )
