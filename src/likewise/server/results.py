"""A check as programs get it: shares, sources with all measures, passages, what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from likewise.align import Counted
from likewise.model import Check, Document, Note, Passage, Source, Span
from likewise.results import Pages
from likewise.server.asked import Level
from likewise.server.measures import measures_of
from likewise.server.result_shapes import (
    CheckNote,
    CheckResult,
    ConfirmationShape,
    DecisionShape,
    Ends,
    ExclusionShape,
    PassageShape,
    SharesShape,
    SourceShape,
    Summary,
    TableShape,
    TopSource,
    UncomparedShape,
    UnreadShape,
)

MOST_TOP = 5  # sources in a summary


def result_of(
    check: Check,
    *,
    decisions: Iterable[dict[str, Any]] = (),
    confirmations: Iterable[dict[str, Any]] = (),
    readable: Iterable[int] = (),
    level: Level = 99,
    min_percentage: float = 0.0,
) -> CheckResult:
    """A check that is counted already; of its sources, `readable` ones are told by number."""
    may_read = set(readable)
    ids = {name: id for name, id in check.ids.items() if id in may_read}
    document, counted = check.document, Counted(check.document.compared_text, check.exclusions)
    pages = Pages(document)
    left_out = Counter[str]()
    for span, reason in document.left_out:
        left_out[reason] += len(span)
    common = [one.span for one in check.exclusions if one.reason == "common"]
    return CheckResult(
        name=check.name,
        language=document.language,
        length=len(document.text),
        pages=len(document.pages),
        shares=SharesShape.model_validate(check.shares),
        shares_before=None if check.before is None else SharesShape.model_validate(check.before),
        literal=check.literal,
        too_short=check.is_too_short,
        common_share=counted.share(common),
        documents=check.documents,
        sources=[
            _source(number, source, check, pages, ids.get(source.name), level, min_percentage)
            for number, source in enumerate(check.sources, 1)
        ],
        tables=[
            TableShape(
                name=name,
                document=ids.get(name),
                place=_ends(document.tables[match.a].span),
                page=document.tables[match.a].page,
                caption=document.tables[match.a].caption,
                score=match.score,
                share_a=match.share_a,
                share_b=match.share_b,
            )
            for name, match in check.tables
        ],
        exclusions=[
            ExclusionShape(
                span=_ends(one.span),
                pages=pages.of(one.span),
                reason=one.reason,
                detail=str(one.detail or ""),
                holders=one.holders,
            )
            for one in check.exclusions
        ],
        taken_out=list(check.taken_out),
        decisions=[DecisionShape.model_validate(one) for one in decisions],
        confirmations=[ConfirmationShape.model_validate(one) for one in confirmations],
        notes=[_note(name, note) for name, note in check.notes],
        unread=[UnreadShape.model_validate(file) for file in check.unread],
        skipped=list(check.skipped),
        left_out=[UncomparedShape(reason=r, characters=n) for r, n in sorted(left_out.items())],
        min_percentage=min_percentage,
        level=level,
        recipe=check.settings.recipe(),
        counting=dict(check.counting),
    )


def summary_of(check: Check, done_on: str, exclusions: int = 0) -> Summary:
    """The few figures that lists show."""
    held = [source for source in check.sources if source.passages]
    own = [note for name, note in check.notes if name == check.name]
    return Summary(
        shares=SharesShape.model_validate(check.shares),
        documents=check.documents,
        sources=len(held),
        passages=sum(len(source.passages) for source in held),
        top=[TopSource.model_validate(source) for source in held[:MOST_TOP]],
        language=check.document.language,
        words=len(check.document.text.split()),
        pages=len(check.document.pages),
        disguises=sorted({note.kind for note in own if note.kind in Note.DISGUISES}),
        in_part=any(note.kind in Note.READ_IN_PART for note in own),
        done_on=done_on,
        exclusions=exclusions,
    )


def _source(
    number: int,
    source: Source,
    check: Check,
    pages: Pages,
    id: int | None,
    level: Level,
    min_percentage: float,
) -> SourceShape:
    other, match = check.texts[source.name], source.match
    return SourceShape(
        number=number,
        name=source.name,
        author=other.meta.get("author"),
        title=other.meta.get("title"),
        document=id,
        share=source.share,
        counted=source.counted,
        under=source.under,
        literal=source.literal,
        spans=[_ends(span) for span in source.spans],
        passages=_passages(source.passages, pages, other),
        fragments=_passages(source.fragments, pages, other),
        listings=_passages(
            [Passage(a, b, "verbatim", 1.0) for a, b in source.listings], pages, other
        ),
        measures=None if match is None else measures_of(match, level, min_percentage),
    )


def _passages(found: Iterable[Passage], here: Pages, other: Document) -> list[PassageShape]:
    there = Pages(other)
    return [
        PassageShape(
            a=_ends(one.a),
            b=_ends(one.b),
            pages_a=here.of(one.a),
            pages_b=there.of(one.b),
            kind=one.kind,
            score=one.score,
            literal=one.literal,
            expected=one.expected,
        )
        for one in found
    ]


def _note(name: str, note: Note) -> CheckNote:
    return CheckNote(
        name=name,
        kind=note.kind,
        message=str(note.message),
        in_part=note.kind in Note.READ_IN_PART,
        is_disguise=note.kind in Note.DISGUISES,
        spans=[_ends(span) for span in note.spans],
    )


def _ends(span: Span) -> Ends:
    return span.start, span.end
