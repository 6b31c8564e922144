"""The report of a work as its student may see it: of other people's works, nothing at all.

A source is open, as a page of the Internet is, or closed. Of a closed one stays which words of the
checked text it holds, and nothing else: neither name nor text, length, language, place or number.
It is made so before anything is counted, so that figures and order say nothing either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from likewise.align import Alignment, CountedText
from likewise.align.shares import literal_of
from likewise.model import Check, Document, Exclusion, Passage, Source, Span
from likewise.reading.submissions import display_name
from likewise.report.check import apply_decisions, view_of_check
from likewise.report.redaction import ANOTHER_SUBMISSION, new_names
from likewise.report.tables import own_table_view, table_match_view
from likewise.report.view import (
    CheckView,
    PassageView,
    SourceView,
    TableMatchView,
    TextView,
)
from likewise.results import Decision

FEWEST_WORDS = 30  # of a passage with a closed source, while its student may still ask again

_NOWHERE = Span(0, 0)


def student_view(
    check: Check,
    open_sources: Collection[str],
    decisions: Iterable[Decision] = (),
    date: str | None = None,
    *,
    name: str | None = None,
    fewest_words: int = 0,
) -> CheckView:
    """What a student sees of a check of the own work; `name` is what the work is called."""
    student_check = check_for_student(
        check, open_sources, decisions, name=name, fewest_words=fewest_words
    )
    return view_for_student(student_check, date)


def check_for_student(
    check: Check,
    open_sources: Collection[str],
    decisions: Iterable[Decision] = (),
    *,
    name: str | None = None,
    fewest_words: int = 0,
) -> Check:
    """The check with its closed sources made nameless, counted anew after what was decided.

    Passages with closed sources are dropped that have fewer words than `fewest_words`: who may ask
    again and again could find out what others have written, some words at a time.
    """
    check = apply_decisions(check, decisions)
    name = check.name if name is None else name
    exclusions = tuple(_exclusions(check, fewest_words))
    closed = {
        source.name: alignment
        for source in check.sources
        if source.name not in open_sources
        and (alignment := _closed_alignment(check.document, source, fewest_words)) is not None
    }
    remaining_tables = [
        (other, match)
        for other, match in check.tables
        if other in open_sources or _table_words(check.document, match.a) >= fewest_words
    ]
    # In the order in which they begin in the checked text, which is all that may tell them.
    names = sorted(closed, key=lambda other: _places(closed[other]))
    names += [other for other, _ in remaining_tables if other not in open_sources]
    renamed = new_names(dict.fromkeys(names), [name, *open_sources], ANOTHER_SUBMISSION)
    alignments = {
        source.name: Alignment(source.passages, source.fragments, source.listings)
        for source in check.sources
        if source.name in open_sources
    } | {renamed[other]: alignment for other, alignment in closed.items()}
    counted = CountedText(check.document.compared_text, exclusions, check.count)
    matches = {source.name: source.match for source in check.sources}
    sources = tuple(
        replace(source, match=matches.get(source.name) if source.name in open_sources else None)
        for source in counted.sources(alignments)
    )
    tables = tuple((renamed.get(other, other), match) for other, match in remaining_tables)
    texts = {other: text for other, text in check.texts.items() if other in open_sources}
    texts |= {
        new: _closed_document(check.texts[other], new, is_short=bool(fewest_words))
        for other, new in renamed.items()
    }
    return replace(
        check,
        name=name,
        document=replace(check.document, name=name),
        shares=counted.shares(sources),
        sources=sources,
        exclusions=exclusions,
        skipped=(),
        documents=1,  # how many there are is nobody's to count
        unread=(),
        notes=tuple((name, note) for note in check.document.notes),
        texts=texts,
        tables=tables,
        taken_out=(),
        before=None,
        partners=(),
        ids={},
        literal=literal_of(sources),
        wordings=counted.wordings(sources),
    )


def _places(alignment: Alignment) -> list[Span]:
    aligned = (*alignment.passages, *alignment.fragments)
    return sorted([*(one.a for one in aligned), *(a for a, _ in alignment.listings)])


def _exclusions(check: Check, fewest_words: int) -> Iterable[Exclusion]:
    text = check.document.text
    for one in check.exclusions:
        if one.reason != "common":
            yield one
        elif _words(text, one.span) >= fewest_words:
            yield replace(one, holders=0, detail=None)


def _closed_alignment(document: Document, source: Source, fewest_words: int) -> Alignment | None:
    """What is told of a closed source; None where that is nothing."""
    text = document.compared_text
    passages = _closed_passages(text, source.passages, fewest_words)
    fragments = _closed_passages(text, source.fragments, fewest_words)
    listings = sorted({a for a, _ in source.listings if _words(text, a) >= fewest_words})
    if fewest_words and not passages and not fragments and not listings:
        return None
    return Alignment(passages, fragments, tuple((a, _NOWHERE) for a in listings))


def _closed_passages(
    text: str, passages: Sequence[Passage], fewest_words: int
) -> tuple[Passage, ...]:
    """One for each place of the checked text: how often it stands there is not told."""
    closed: dict[Span, Passage] = {}
    for one in sorted(passages, key=lambda one: (one.a, -one.literal, one.kind)):
        if _words(text, one.a) >= fewest_words and one.a not in closed:
            # How alike two stretches are tells how long the other is, and so does a summary.
            closed[one.a] = replace(
                one,
                b=_NOWHERE,
                kind="rewritten" if one.kind == "summarised" else one.kind,
                score=one.literal,
                expected=None,
                languages=None,
            )
    return tuple(closed.values())


def _words(text: str, span: Span) -> int:
    return len(span.of(text).split())


def _table_words(document: Document, number: int) -> int:
    table = document.tables[number]
    return sum(len(cell.split()) for row in table.rows for cell in row)


def _closed_document(document: Document, name: str, *, is_short: bool) -> Document:
    """A document without text; its tables and pictures are there until the view is drawn."""
    pictures = () if is_short else document.pictures  # a picture has no words
    return Document(name=name, text="", tables=document.tables, pictures=pictures)


def web_pages(check: Check) -> frozenset[str]:
    """The names of sources that were found on the Internet: everybody may read them there."""
    return frozenset(
        name
        for name, document in check.texts.items()
        if name.startswith(("https://", "http://"))
        and document.meta.get("url") == name
        and name not in check.ids
        and display_name(name) == name
    )


# The view


def view_for_student(check: Check, date: str | None = None) -> CheckView:
    """The report of a check that `check_for_student` has made."""
    view = view_of_check(check, date)
    is_closed = [_is_closed(check.texts[source.text.name]) for source in view.sources]
    return replace(
        view,
        document=replace(view.document, label=""),
        sources=tuple(
            _closed_source(source) if closed else source
            for source, closed in zip(view.sources, is_closed, strict=True)
        ),
        passages=tuple(
            _closed_passage(one) if is_closed[one.source] else one for one in view.passages
        ),
        listings=tuple(
            _closed_passage(one) if is_closed[one.source] else one for one in view.listings
        ),
        tables=_tables(check),
        is_for_student=True,
    )


def _is_closed(document: Document) -> bool:
    """Whoever has text is open: of what is empty nothing could have been found."""
    return not document.text


def _closed_source(source: SourceView) -> SourceView:
    return replace(
        source,
        text=TextView(source.text.name, None, "", False, 0, 0, (), ()),
        measures=None,
        pictures=tuple((ours, "") for ours in dict.fromkeys(ours for ours, _ in source.pictures)),
        covered_b=0,
        whole_b=0,
    )


def _closed_passage(passage: PassageView) -> PassageView:
    return replace(
        passage, b=_NOWHERE, pages_b=None, differs_a=(), differs_b=(), correspondences=()
    )


def _tables(check: Check) -> tuple[TableMatchView, ...]:
    """Copied tables; of closed sources the own table alone, with what of it stands there."""
    numbers = {source.name: i for i, source in enumerate(check.sources)}
    views = []
    for name, match in check.tables:
        ours, theirs, source = check.document.tables[match.a], check.texts[name], numbers.get(name)
        if _is_closed(theirs):
            views.append(own_table_view(match, ours, name=name, source=source))
        else:
            table = theirs.tables[match.b]
            views.append(table_match_view(match, ours, table, name=name, source=source))
    return tuple(sorted(views, key=lambda view: (-view.score, view.place_a, view.name)))
