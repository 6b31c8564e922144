"""The view of a check, and of two documents held against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from likewise.align import NOT_COUNTED, Alignment, CountedText, without
from likewise.align.matches import shared_pictures
from likewise.align.resolve import union
from likewise.align.shares import literal_of
from likewise.language import borrow_lexicon
from likewise.model import (
    WORDINGS,
    Check,
    Document,
    Match,
    Passage,
    Picture,
    SentQuery,
    Source,
    Span,
)
from likewise.report.passages import PairPassages, count_holders, number_passages
from likewise.report.provenance import provenance_view
from likewise.report.tables import table_match_view
from likewise.report.texts import (
    DocumentFacts,
    TextBudget,
    note_views,
    text_view,
    unread_views,
)
from likewise.report.view import (
    CheckView,
    DecisionView,
    ExclusionView,
    MeasuresView,
    PartnerView,
    PassageView,
    QueryView,
    SegmentsView,
    SharesView,
    SourceView,
    TableMatchView,
    UncheckedView,
    WordingsView,
)
from likewise.results import CommentRow, CommissionRow, Confirmation, Decision, Pages
from likewise.settings import Settings

CHARS_OF_SOURCES = 3_000_000  # that a report holds beside the checked text


def view_of_check(
    check: Check, date: str | None = None, *, budget: TextBudget | None = None
) -> CheckView:
    """One document against many. Reports of several have one room for the text of their sources."""
    return _view("check", check, date, budget=budget)


def view_of_pair(match: Match, date: str | None = None) -> CheckView:
    """Two documents, the second as the source of the first; nothing is excluded."""
    if match.documents is None:
        raise ValueError("a match without its documents has nothing to show")
    document, other = match.documents
    characters = CountedText(document.compared_text, ())
    (source,) = characters.sources(
        {other.name: Alignment(match.passages, match.fragments, match.listings)}
    ) or (Source(other.name, (), (), 0.0, 0.0, ()),)
    check = Check(
        name=document.name,
        literal=literal_of([source]),
        wordings=characters.wordings([source]),
        shares=characters.shares([source]),
        sources=(source,),
        exclusions=(),
        skipped=(),
        documents=1,
        unread=(),
        notes=(
            *((each.name, note) for each in (document, other) for note in each.notes),
            *match.notes,
        ),
        settings=match.settings or Settings(),
        document=document,
        texts={other.name: other},
        tables=tuple((other.name, table) for table in match.tables),
        concepts=match.concepts,
        counting={} if match.concepts else {"by_meaning": False},
    )
    return _view("pair", check, date, match)


def _view(
    kind: str,
    check: Check,
    date: str | None,
    match: Match | None = None,
    budget: TextBudget | None = None,
) -> CheckView:
    document = check.document
    characters = CountedText(document.compared_text, check.exclusions, check.count)
    segments = _segments(check, characters)
    budget = budget or TextBudget(CHARS_OF_SOURCES)
    copied = _copied_pictures(check)
    sources = _sources(check, segments, match, copied, budget)  # text before what is marked in it
    passages = _passages(check, budget)
    return CheckView(
        kind="pair" if kind == "pair" else "check",
        made=provenance_view(
            check.settings, date, check.counting, is_search=False, concepts=check.concepts
        ),
        document=text_view(document),
        shares=_shares(segments, check),
        sources=sources,
        passages=passages,
        exclusions=_exclusions(check),
        segments=segments,
        documents=check.documents,
        unchecked=UncheckedView(
            unread=unread_views(check.unread),
            skipped=check.skipped,
            left_out=_left_out(document),
        ),
        notes=note_views(check.notes, document),
        taken_out=check.taken_out,
        shares_before=_shares_before(check, segments),
        tables=_tables(check),
        partners=tuple(
            PartnerView(partner.library, partner.name, partner.share, dict(partner.told))
            for partner in check.partners
        ),
        asked=tuple(map(_query_view, check.asked)),
        literal=check.literal,
        too_short=check.is_too_short,
        listings=_listings(check),
        wordings=_wordings(characters, check),
        count=check.count,
        copied_tables=len({match.a for _, match in check.tables}),
        copied_pictures=len({ours for pairs in copied.values() for ours, _ in pairs}),
    )


PicturePairs = tuple[tuple[Picture, Picture], ...]


def _copied_pictures(check: Check) -> dict[str, PicturePairs]:
    """Pictures of the document that stand in each source, those of excluded text apart.

    What stands on a title page or in a template is the institution's own.
    """
    excluded = [one.span for one in check.exclusions]
    ours = [
        picture
        for picture in check.document.pictures
        # One that was erased, and one of a single colour, says nothing.
        if picture.hash and not any(s.start <= picture.span.start < s.end for s in excluded)
    ]
    if not ours:
        return {}
    copied = {}
    for source in check.sources:
        theirs = [picture for picture in check.texts[source.name].pictures if picture.hash]
        copied[source.name] = shared_pictures(ours, theirs)
    return copied


def _query_view(one: SentQuery) -> QueryView:
    return QueryView(
        provider=one.provider,
        query=one.query,
        sent_to=one.sent_to,
        on=one.on.strftime("%Y-%m-%dT%H:%M:%SZ"),
        results=one.results,
        problem=str(one.problem or ""),
        said=one.problem,
    )


def _tables(check: Check) -> tuple[TableMatchView, ...]:
    """Copied tables, those that are most alike first."""
    numbers = {source.name: i for i, source in enumerate(check.sources)}
    views = [
        table_match_view(
            match,
            check.document.tables[match.a],
            check.texts[name].tables[match.b],
            name=name,
            source=numbers.get(name),
        )
        for name, match in check.tables
    ]
    return tuple(sorted(views, key=lambda view: (-view.score, view.place_a, view.name)))


def _passages(check: Check, budget: TextBudget) -> tuple[PassageView, ...]:
    """In the order of the document; fragments among them, shown and not counted."""
    holders = count_holders([[*source.passages, *source.fragments] for source in check.sources])
    views: list[PassageView] = []
    with borrow_lexicon(check.settings) as lexicon:
        for number, (source, holders_of_source) in enumerate(
            zip(check.sources, holders, strict=True)
        ):
            text = check.texts[source.name]
            pair_passages = PairPassages(check.document, text, lexicon, budget)
            counting = len(source.passages)
            views += (
                pair_passages.view(
                    passage, source=number, holders=holders_of_source[i], counts=i < counting
                )
                for i, passage in enumerate((*source.passages, *source.fragments))
            )
    return number_passages(views)


def _listings(check: Check) -> tuple[PassageView, ...]:
    """Programs, tables of numbers and the like that stand in sources, in the order of the text."""
    with borrow_lexicon(check.settings) as lexicon:
        views = [
            PairPassages(check.document, check.texts[source.name], lexicon).view(
                Passage(a, b, "verbatim", 1.0), source=number, counts=False
            )
            for number, source in enumerate(check.sources)
            for a, b in source.listings
        ]
    return tuple(sorted(views, key=lambda view: (view.a, view.source, view.b)))


def _segments(check: Check, characters: CountedText) -> SegmentsView:
    length = len(characters.visible)
    # Of fragments too, which the reader may take out as well.
    passages = [p for source in check.sources for p in (*source.passages, *source.fragments)]
    spans = [span for passage in passages for span, _ in passage.wordings]
    ends = [end for span in spans for end in (span.start, span.end)]
    states = characters.states(check.sources)
    changes = (np.flatnonzero(np.diff(states)) + 1).tolist()  # where what counts begins or ends
    exclusion_ends = [end for e in check.exclusions for end in (e.span.start, e.span.end)]
    cuts = np.unique([0, *ends, *changes, *exclusion_ends, length])
    before = np.concatenate(([0], np.cumsum(characters.visible)))
    return SegmentsView(
        cuts=tuple(cuts.tolist()),
        visible=tuple(np.diff(before[cuts]).tolist()),
        state=tuple(states[cuts[:-1]].tolist()) if length else (),
    )


def _covered(segments: SegmentsView, spans: Sequence[Span]) -> int:
    """Visible characters of some spans that count."""
    cuts = np.array(segments.cuts)
    counting = np.where(np.array(segments.state) == 0, segments.visible, 0)
    covered = np.zeros(len(counting), dtype=bool)
    for span in spans:
        first, last = np.searchsorted(cuts, (span.start, span.end))
        covered[first:last] = True
    return int(counting[covered].sum()) if len(counting) else 0


def _shares(segments: SegmentsView, check: Check) -> SharesView:
    by_state = Counter[int]()
    for state, visible in zip(segments.state, segments.visible, strict=True):
        by_state[state] += visible
    similar = _covered(segments, [span for source in check.sources for span in source.spans])
    return SharesView(
        whole=by_state.total(),
        original=by_state[0] - similar,
        similar=similar,
        quoted=by_state[1],
        excluded=by_state[2] + by_state[NOT_COUNTED],
    )


def _wordings(characters: CountedText, check: Check) -> WordingsView:
    wordings = characters.wordings(check.sources)
    return WordingsView(*(round(getattr(wordings, each) * characters.whole) for each in WORDINGS))


def _shares_before(check: Check, segments: SegmentsView) -> SharesView | None:
    """The shares before a reader excluded anything, in characters again."""
    if check.before is None:
        return None
    whole, before = sum(segments.visible), check.before
    shares = (before.similar, before.quoted, before.excluded)
    similar, quoted, excluded = (round(share * whole) for share in shares)
    return SharesView(whole, whole - similar - quoted - excluded, similar, quoted, excluded)


def _sources(
    check: Check,
    segments: SegmentsView,
    match: Match | None,
    copied: Mapping[str, PicturePairs],
    budget: TextBudget,
) -> tuple[SourceView, ...]:
    numbers = {source.name: i for i, source in enumerate(check.sources)}
    views = []
    for source in check.sources:
        text = check.texts[source.name]
        pair_match = match or source.match
        spans = [passage.b for passage in (*source.passages, *source.fragments)]
        spans += [there for _, there in source.listings]
        views.append(
            SourceView(
                text=text_view(text, spans, budget=budget),
                covered=_covered(segments, [passage.a for passage in source.passages]),
                counted=_covered(segments, source.spans),
                under=None if source.under is None else numbers[source.under],
                measures=measures_view(pair_match) if pair_match else None,
                passages=len(source.passages),
                fragments=len(source.fragments),
                pictures=_picture_places(match.pictures if match else copied.get(source.name, ())),
                covered_b=_visible_chars(text, [passage.b for passage in source.passages]),
                whole_b=_visible_chars(text, [Span(0, len(text.compared_text))]),
                literal=source.literal,
                listings=len(source.listings),
            )
        )
    return tuple(views)


def _visible_chars(document: Document, spans: Sequence[Span]) -> int:
    """Visible characters of some spans of a source."""
    text = document.compared_text
    return sum(sum(map(len, span.of(text).split())) for span in union(spans))


def measures_view(match: Match) -> MeasuresView:
    """Every measure of two documents."""
    scores, interval = match.scores, match.scores.interval
    return MeasuresView(
        values=match.measures,
        agreement=scores.agreement,
        low=interval.low,
        high=interval.high,
        level=interval.level,
        inside=interval.inside,
    )


def _picture_places(pairs: PicturePairs) -> tuple[tuple[str, str], ...]:
    def place(picture: Picture) -> str:
        size = f"{picture.width} × {picture.height}"
        return f"{picture.page}: {size}" if picture.page else size

    return tuple((place(ours), place(theirs)) for ours, theirs in pairs)


def _exclusions(check: Check) -> tuple[ExclusionView, ...]:
    pages = Pages(check.document)
    search = _DetailSearch(check.document.text)
    # Only what stands in the document itself is a detail that needs no translation.
    quoting_reasons = ("quotation", "bibliography")
    return tuple(
        ExclusionView(
            place=exclusion.span,
            reason=exclusion.reason,
            detail=detail
            if exclusion.reason in quoting_reasons and search.near(exclusion.span, detail)
            else "",
            holders=exclusion.holders,
            pages=pages.of(exclusion.span),
        )
        for exclusion in check.exclusions
        for detail in (str(exclusion.detail or ""),)
    )


class _DetailSearch:
    """Whether details stand in a text: next to their exclusions, or else anywhere."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._searches = _MOST_SEARCHES

    def near(self, span: Span, detail: str) -> bool:
        start, end = max(0, span.start - _NEAR), span.end + _NEAR
        if self._text.find(detail, start, end) >= 0:
            return True
        self._searches -= 1  # of the whole text, which nobody may ask for without end
        return self._searches >= 0 and detail in self._text


_NEAR = 500  # characters
_MOST_SEARCHES = 1_000


def _left_out(document: Document) -> tuple[tuple[str, int], ...]:
    """What of the document was not compared, and how many characters that are."""
    counts = Counter[str]()
    for span, reason in document.left_out:
        counts[reason] += len(span)
    return tuple(sorted(counts.items()))


# What people decided about a report: who took what out of the count and why, and who agrees.


def apply_decisions(check: Check, decisions: Iterable[Decision]) -> Check:
    """The check as it counts after what was decided."""
    all_decisions = list(decisions)
    return without(
        check,
        sources={one.source for one in all_decisions if one.source is not None},
        spans=[one.span for one in all_decisions if one.span is not None],
    )


def view_with_decisions(
    check: Check,
    decisions: Sequence[Decision],
    confirmations: Sequence[Confirmation] = (),
    date: str | None = None,
    *,
    comments: Sequence[CommentRow] = (),
    commission: Sequence[CommissionRow] = (),
    facts: DocumentFacts | None = None,
    source_facts: Mapping[str, DocumentFacts] | None = None,
) -> CheckView:
    """The report of a check after what was decided, with who decided it, agrees or comments.

    `facts` are what is known of the document beyond its file, `source_facts` of its sources, by
    their names.
    """
    pages = Pages(check.document)
    view = view_of_check(apply_decisions(check, decisions), date)
    decision_views = tuple(
        DecisionView(
            source=one.source,
            place=one.span,
            pages=None if one.span is None else pages.of(one.span),
            by=one.by,
            on=one.on,
            reason=one.reason,
        )
        for one in decisions
    )
    return replace(
        view,
        document=facts.added_to(view.document) if facts else view.document,
        sources=tuple(_with_facts(source, source_facts or {}) for source in view.sources),
        decisions=decision_views,
        confirmations=tuple(confirmations),
        comments=tuple(sorted(comments, key=lambda one: (one.span, one.on, one.id))),
        commission=tuple(commission),
    )


def _with_facts(source: SourceView, source_facts: Mapping[str, DocumentFacts]) -> SourceView:
    facts = source_facts.get(source.text.name)
    return source if facts is None else replace(source, text=facts.added_to(source.text))
