"""Text of a document that is not to count as copied, and why."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from likewise.align.exclude.bibliography import find_bibliographies
from likewise.align.exclude.common import Common, CommonRuns, Templates, find_common, find_templates
from likewise.align.exclude.contents import find_contents
from likewise.align.exclude.lines import DetailedSpan, lines_of
from likewise.align.exclude.listings import find_listings
from likewise.align.exclude.quotations import find_quotations
from likewise.align.exclude.title_page import find_title_page
from likewise.model import Document, Exclusion, ExclusionReason, Message, Span

__all__ = ["Common", "Exclusion", "Exclusions", "CommonRuns", "ORDER", "Templates", "exclude"]

# In this order: what stands in two of them has the first as its reason, and is counted once.
ORDER: tuple[ExclusionReason, ...] = get_args(ExclusionReason)


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Which kinds of text are excluded. Templates are, if any are given."""

    quotations: bool = True
    bibliography: bool = True
    contents: bool = True
    title_page: bool = True
    common: bool = True
    listings: bool = True


ALL = Exclusions()


def exclude(
    document: Document,
    which: Exclusions = ALL,
    *,
    common: Common | CommonRuns | None = None,
    templates: Sequence[Document] | Templates = (),
) -> tuple[Exclusion, ...]:
    """What of a document is not to count as copied, in order; no two overlap.

    A quotation counts only with a citation, and only in the text itself: a title in quotation marks
    is no quotation in a bibliography, even where bibliographies are not excluded.

    >>> text = "Lee writes: “grass grows better where nobody walks” [7]. Nobody walks on grass."
    >>> for found in exclude(Document.from_text(text)):
    ...     print(found.reason, found.span.of(text), found.detail)
    quotation “grass grows better where nobody walks” [7]
    """
    text = document.compared_text
    lines = lines_of(text)
    contents = find_contents(lines)
    tables_of_contents = [span for span, _ in contents]
    bibliography = find_bibliographies(lines, tables_of_contents)
    first_page = document.pages[0].span if document.pages else None
    title = find_title_page(lines, first_page, tables_of_contents)
    title_page = [title] if title else []
    parts = [span for part in (title_page, contents, bibliography) for span, _ in part]

    spans_by_reason: dict[ExclusionReason, Iterable[DetailedSpan]] = {}
    if which.title_page:
        spans_by_reason["title page"] = title_page
    if which.contents:
        spans_by_reason["contents"] = contents
    if which.bibliography:
        spans_by_reason["bibliography"] = bibliography
    if which.quotations:
        spans_by_reason["quotation"] = find_quotations(text, lines, parts)
    if templates:
        prepared = templates if isinstance(templates, Templates) else Templates.of(templates)
        spans_by_reason["template"] = find_templates(text, prepared)
    common_text: list[Exclusion] = []
    if which.common and common is not None:
        common_runs = find_common(text, common)
        common_text = [common_exclusion(span, n, common.documents) for span, n in common_runs]
    if which.listings:
        spans_by_reason["listing"] = [(span, "") for span in find_listings(text)]

    exclusions: list[Exclusion] = []
    for reason in ORDER:
        excluded = sorted(exclusion.span for exclusion in exclusions)
        of_reason = [_exclusion(reason, *each) for each in spans_by_reason.get(reason, ())]
        for one in _apart(common_text if reason == "common" else of_reason):
            for rest in without_spans(one.span, excluded):
                if trimmed := _trimmed(text, rest):
                    exclusions.append(replace(one, span=trimmed))
    return tuple(sorted(exclusions, key=lambda exclusion: exclusion.span))


def common_exclusion(span: Span, holders: int, documents: int) -> Exclusion:
    """Common text, with how many of the documents hold it."""
    return Exclusion(
        span, "common", Message("core.held_by", {"n": holders, "all": documents}), holders
    )


def _exclusion(reason: ExclusionReason, span: Span, detail: str | Message) -> Exclusion:
    if isinstance(detail, str):
        return Exclusion(span, reason, Message.verbatim(detail) if detail else None)
    return Exclusion(span, reason, detail)


def merged_exclusions(
    exclusions: Sequence[Exclusion], more: Iterable[Exclusion]
) -> tuple[Exclusion, ...]:
    """Exclusions with others beside them, as far as they overlap none."""
    excluded = sorted(exclusion.span for exclusion in exclusions)
    beside = [
        replace(exclusion, span=span)
        for exclusion in more
        for span in without_spans(exclusion.span, excluded)
    ]
    return tuple(sorted([*exclusions, *beside], key=lambda exclusion: exclusion.span))


def _apart(exclusions: Iterable[Exclusion]) -> list[Exclusion]:
    """Sorted; what overlaps is one if the details are the same, else cut."""
    apart: list[Exclusion] = []
    for one in sorted(exclusions, key=lambda each: (each.span, str(each.detail or ""))):
        before = apart[-1] if apart else Exclusion(Span(0, 0), one.reason)
        if one.span.end <= before.span.end:
            continue
        if one.span.start < before.span.end and one.detail == before.detail:
            apart[-1] = replace(before, span=Span(before.span.start, one.span.end))
        else:
            start = max(one.span.start, before.span.end)
            apart.append(replace(one, span=Span(start, one.span.end)))
    return apart


def without_spans(span: Span, excluded: Sequence[Span]) -> list[Span]:
    """What is left of a span without some disjoint ones in order."""
    remaining: list[Span] = []
    start = span.start
    first = bisect_right(excluded, start, key=lambda other: other.end)
    for place in range(first, len(excluded)):  # a slice would copy all that follow, for each span
        other = excluded[place]
        if other.start >= span.end:
            break
        if other.start > start:
            remaining.append(Span(start, other.start))
        start = other.end
    return [*remaining, Span(start, span.end)] if start < span.end else remaining


def _trimmed(text: str, span: Span) -> Span | None:
    """A span without white space around it, if it says anything."""
    text_here = span.of(text)
    if not any(map(str.isalnum, text_here)):
        return None
    start = span.start + len(text_here) - len(text_here.lstrip())
    return Span(start, start + len(text_here.strip()))
