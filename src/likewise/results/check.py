"""A check as programs get it, from the server and from the command line alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from likewise.align import CountedText
from likewise.model import (
    WORDINGS,
    Check,
    Document,
    ExclusionReason,
    Kind,
    Note,
    Partner,
    Passage,
    SentQuery,
    Shares,
    Source,
    Span,
    Unread,
    Wording,
    Wordings,
)
from likewise.results.codec import SCHEMA, plain
from likewise.results.decisions import CommentRow, ConfirmationRow, DecisionRow
from likewise.results.measures import (
    Level,
    MeasuresResult,
    SourceOrder,
    doc,
    match_at_level,
    match_result,
    measures_result,
)
from likewise.results.pages import PageRange, Pages
from likewise.tables import TableMatch
from likewise.version import version

MOST_TOP = 5  # sources in a summary


@dataclass(frozen=True, slots=True)
class PassageResult:
    """A stretch of the checked text (`a`) that stands in a source (`b`), in code points."""

    a: Span
    b: Span
    pages_a: PageRange | None
    pages_b: PageRange | None
    kind: Kind
    score: float
    literal: float = field(metadata=doc("of its words, those that are unchanged and in order"))
    expected: float | None = field(
        metadata=doc("as strong ones that chance would give; or unknown")
    )
    languages: tuple[str, str] | None = field(
        default=None, metadata=doc("of a translated one: here, and in the source")
    )
    by_meaning: bool = field(
        default=False, metadata=doc("found by what it means: for a person to read")
    )
    unchanged: tuple[Span, ...] = field(
        default=(), metadata=doc("where the words of `a` stand as in `b`")
    )


@dataclass(frozen=True, slots=True)
class SourceResult:
    """A document that holds text of the checked one."""

    number: int = field(metadata=doc("from 1, as reports number them"))
    name: str
    author: str | None
    title: str | None
    document: int | None = field(metadata=doc("its number, where the caller may read it"))
    share: float = field(metadata=doc("of the checked text that it covers"))
    counted: float = field(metadata=doc("of that, what no source above it explains"))
    under: str | None = field(metadata=doc("the source that explains its text, if it adds nothing"))
    literal: float = field(metadata=doc("of the checked text, what stands unchanged in it"))
    spans: tuple[Span, ...] = field(metadata=doc("what is counted for it"))
    passages: tuple[PassageResult, ...]
    fragments: tuple[PassageResult, ...] = field(metadata=doc("too short to be counted"))
    listings: tuple[PassageResult, ...] = field(
        metadata=doc("programs and figures, which do not count")
    )
    measures: MeasuresResult | None
    match: dict[str, Any] | None = field(metadata=doc("the measures as searches give them"))


@dataclass(frozen=True, slots=True)
class ExclusionResult:
    """A stretch that does not count, and why; of common text, how many documents hold it."""

    span: Span
    pages: PageRange | None
    reason: ExclusionReason
    detail: str
    holders: int


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table that stands in another document too."""

    name: str
    document: int | None
    place: Span
    page: int | None
    caption: str
    score: float
    share_a: float
    share_b: float
    a: int = field(metadata=doc("its place among the tables of the checked document"))
    b: int = field(metadata=doc("the place of the other one"))
    transposed: bool
    rows: tuple[tuple[int, int], ...]
    columns: tuple[tuple[int, int], ...]
    cells: tuple[tuple[str, ...], ...]
    row_factors: tuple[float, ...]
    column_factors: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class NoteResult:
    """What a person should know about how a file was read or compared."""

    name: str
    kind: str
    message: str
    in_part: bool
    is_disguise: bool
    spans: tuple[Span, ...]
    type: Literal["note"] = "note"
    code: str = field(default="", metadata=doc("what the message says, for programs"))
    values: dict[str, Any] = field(default_factory=dict, metadata=doc("what stands in its places"))


@dataclass(frozen=True, slots=True)
class UnreadResult:
    """A file that gave nothing to compare."""

    name: str
    reason: str
    code: str | None = field(default=None, metadata=doc("what it is, for programs"))
    values: dict[str, Any] | None = field(default=None, metadata=doc("what stands in the reason"))


@dataclass(frozen=True, slots=True)
class UncomparedResult:
    """Text of the checked document that was not compared."""

    reason: str
    characters: int


@dataclass(frozen=True, slots=True)
class QueryResult:
    """A query that left the machine: these very words went to this host at this time."""

    provider: str
    query: str
    sent_to: str
    on: str = field(metadata=doc("ISO 8601, UTC"))
    results: int
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """Everything that a check found."""

    type: Literal["check"] = "check"
    schema: int = field(default=SCHEMA, metadata=doc("the version of what stands here"))
    name: str
    language: str | None
    length: int = field(metadata=doc("of the text, in code points"))
    pages: int
    shares: Shares
    shares_before: Shares | None = field(metadata=doc("before anything was taken out"))
    wordings: Wordings = field(metadata=doc("those that count add up to what is similar"))
    count: tuple[Wording, ...] = field(metadata=doc("the wordings that count as similar"))
    characters: int = field(metadata=doc("visible ones: the whole of which shares are told"))
    literal: float = field(metadata=doc("of the text, what stands unchanged in a source"))
    too_short: bool = field(metadata=doc("too few words to be called original"))
    common_share: float = field(metadata=doc("of the text, held by very many documents"))
    documents: int = field(metadata=doc("compared with"))
    sources: tuple[SourceResult, ...]
    tables: tuple[TableResult, ...]
    exclusions: tuple[ExclusionResult, ...]
    taken_out: tuple[str, ...]
    decisions: tuple[DecisionRow, ...]
    confirmations: tuple[ConfirmationRow, ...]
    notes: tuple[NoteResult, ...]
    unread: tuple[UnreadResult, ...]
    skipped: tuple[str, ...]
    left_out: tuple[UncomparedResult, ...]
    partners: tuple[Partner, ...] = field(metadata=doc("documents of other institutions"))
    asked: tuple[QueryResult, ...] = field(metadata=doc("what was sent to search engines"))
    min_percentage: float
    level: int
    settings: dict[str, Any]
    recipe: str
    version: str = field(metadata=doc("of the Likewise that tells it"))
    counting: dict[str, Any] = field(metadata=doc("what was counted otherwise than usual"))
    concepts: str = field(
        default="", metadata=doc("the lexicon, if passages were looked for by meaning too")
    )
    comments: tuple[CommentRow, ...] = field(
        default=(), metadata=doc("what people wrote beside places of the text")
    )


@dataclass(frozen=True, slots=True)
class TopSource:
    """One of the sources that explain most."""

    name: str
    share: float
    counted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSummary:
    """A check in a few figures."""

    shares: Shares
    documents: int = field(metadata=doc("compared with"))
    sources: int
    passages: int
    top: tuple[TopSource, ...]
    language: str | None
    words: int | None = None
    pages: int
    disguises: tuple[str, ...] = field(metadata=doc("kinds of them in the checked document"))
    in_part: bool = field(metadata=doc("something of it could not be read"))
    done_on: str
    exclusions: int = field(default=0, metadata=doc("by readers"))
    wordings: Wordings | None = field(
        default=None, metadata=doc("those that count add up to what is similar; or unknown")
    )
    count: tuple[Wording, ...] = field(
        default=WORDINGS, metadata=doc("the wordings that count as similar")
    )


def check_result(
    check: Check,
    *,
    decisions: Sequence[DecisionRow] = (),
    confirmations: Sequence[ConfirmationRow] = (),
    comments: Sequence[CommentRow] = (),
    readable: Collection[int] | None = None,
    level: Level = 99,
    min_percentage: float = 0.0,
    sort: SourceOrder = "share",
) -> CheckResult:
    """A check that is counted already; of its sources, `readable` ones are told by number.

    Sorted by agreement, sources keep the numbers that reports give them.
    """
    ids = {name: id for name, id in check.ids.items() if readable is None or id in readable}
    document, counted = check.document, CountedText(check.document.compared_text, check.exclusions)
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
        shares=check.shares,
        shares_before=check.before,
        wordings=check.wordings,
        count=check.count,
        characters=counted.whole,
        literal=check.literal,
        too_short=check.is_too_short,
        common_share=counted.share(common),
        documents=check.documents,
        sources=tuple(
            _source(number, source, check, pages, ids.get(source.name), level, min_percentage)
            for number, source in sources_in_order(check, sort, level)
        ),
        tables=tuple(_table(name, match, document, ids.get(name)) for name, match in check.tables),
        exclusions=tuple(
            ExclusionResult(
                span=one.span,
                pages=pages.of(one.span),
                reason=one.reason,
                detail=str(one.detail or ""),
                holders=one.holders,
            )
            for one in check.exclusions
        ),
        taken_out=check.taken_out,
        decisions=tuple(decisions),
        confirmations=tuple(confirmations),
        notes=tuple(note_result(name, note) for name, note in check.notes),
        unread=tuple(map(unread_result, check.unread)),
        skipped=check.skipped,
        left_out=tuple(UncomparedResult(*each) for each in sorted(left_out.items())),
        partners=check.partners,
        asked=tuple(map(_query, check.asked)),
        min_percentage=min_percentage,
        level=level,
        settings=check.settings.as_dict(),
        recipe=check.settings.recipe(),
        version=version(),
        counting=dict(check.counting),
        concepts=check.concepts,
        comments=tuple(comments),
    )


def sources_in_order(check: Check, sort: SourceOrder, level: Level) -> list[tuple[int, Source]]:
    """The sources, each with its number: by what they explain, or those first that agree most."""
    numbered = list(enumerate(check.sources, 1))
    if sort == "share":
        return numbered

    def rank(row: tuple[int, Source]) -> tuple[float, int]:
        number, source = row
        match = source.match
        return (0.0 if match is None else -measures_result(match, level).agreement), number

    return sorted(numbered, key=rank)


def check_at_level(check: Check, level: Level) -> Check:
    """The check, with its sources measured at another level of confidence."""
    return replace(
        check,
        sources=tuple(
            source
            if source.match is None
            else replace(source, match=match_at_level(source.match, level))
            for source in check.sources
        ),
    )


def check_summary(check: Check, done_on: str, exclusions: int = 0) -> CheckSummary:
    """The few figures that lists show."""
    with_passages = [source for source in check.sources if source.passages]
    own = [note for name, note in check.notes if name == check.name]
    return CheckSummary(
        shares=check.shares,
        documents=check.documents,
        sources=len(with_passages),
        passages=sum(len(source.passages) for source in with_passages),
        top=tuple(TopSource(one.name, one.share, one.counted) for one in with_passages[:MOST_TOP]),
        language=check.document.language,
        words=len(check.document.text.split()),
        pages=len(check.document.pages),
        disguises=tuple(sorted({note.kind for note in own if note.kind in Note.DISGUISES})),
        in_part=any(note.kind in Note.READ_IN_PART for note in own),
        done_on=done_on,
        exclusions=exclusions,
        wordings=check.wordings,
        count=check.count,
    )


def note_result(name: str, note: Note) -> NoteResult:
    """What is told of a file, in English and for programs."""
    return NoteResult(
        name=name,
        kind=note.kind,
        message=str(note.message),
        in_part=note.kind in Note.READ_IN_PART,
        is_disguise=note.kind in Note.DISGUISES,
        spans=note.spans,
        **note.message.for_programs(),
    )


def unread_result(file: Unread) -> UnreadResult:
    """A file that gave nothing to compare, and why, in English and for programs."""
    return UnreadResult(file.name, str(file.reason), **file.reason.for_programs())


def _source(
    number: int,
    source: Source,
    check: Check,
    pages: Pages,
    id: int | None,
    level: Level,
    min_percentage: float,
) -> SourceResult:
    other, match = check.texts[source.name], source.match
    listings = [Passage(a, b, "verbatim", 1.0) for a, b in source.listings]
    return SourceResult(
        number=number,
        name=source.name,
        author=other.meta.get("author"),
        title=other.meta.get("title"),
        document=id,
        share=source.share,
        counted=source.counted,
        under=source.under,
        literal=source.literal,
        spans=source.spans,
        passages=_passages(source.passages, pages, other),
        fragments=_passages(source.fragments, pages, other),
        listings=_passages(listings, pages, other),
        measures=None if match is None else measures_result(match, level, min_percentage),
        match=None if match is None else plain(match_result(match)),
    )


def _passages(
    passages: Iterable[Passage], here: Pages, other: Document
) -> tuple[PassageResult, ...]:
    there = Pages(other)
    return tuple(
        PassageResult(
            a=one.a,
            b=one.b,
            pages_a=here.of(one.a),
            pages_b=there.of(one.b),
            kind=one.kind,
            score=one.score,
            literal=one.literal,
            expected=one.expected,
            languages=one.languages,
            by_meaning=one.by_meaning,
            unchanged=one.unchanged,
        )
        for one in passages
    )


def _table(name: str, match: TableMatch, document: Document, id: int | None) -> TableResult:
    table = document.tables[match.a]
    return TableResult(
        name=name,
        document=id,
        place=table.span,
        page=table.page,
        caption=table.caption,
        score=match.score,
        share_a=match.share_a,
        share_b=match.share_b,
        a=match.a,
        b=match.b,
        transposed=match.transposed,
        rows=match.rows,
        columns=match.columns,
        cells=match.cells,
        row_factors=match.row_factors,
        column_factors=match.column_factors,
    )


def _query(one: SentQuery) -> QueryResult:
    return QueryResult(
        provider=one.provider,
        query=one.query,
        sent_to=one.sent_to,
        on=one.on.isoformat(),
        results=one.results,
        problem=None if one.failure is None else str(one.failure),
    )
