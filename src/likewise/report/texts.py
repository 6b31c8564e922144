"""Documents as a report holds them: pages, words, and the stretches of text that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from likewise.align.resolve import union
from likewise.model import Document, Message, Note, Span, Unread
from likewise.report.characters import in_one_line
from likewise.report.view import NoteView, TextView
from likewise.results import Pages

CONTEXT_CHARS = 160  # kept around what was found
LONGEST_META = 200  # characters of a title or an author
COMPARED_AS_FOUND = frozenset({"hidden sheet", "pasted as pictures", "text in shapes"})
EDGE_CHARS = 600  # kept at each end of a passage that is too long for the report


def text_view(
    document: Document, spans: Iterable[Span] | None = None, *, budget: TextBudget | None = None
) -> TextView:
    """A document with all of its text, or with some spans of it and a little around them."""
    length = len(document.text)
    if spans is None:
        stretches: tuple[tuple[int, str], ...] = ((0, document.text),)
    else:
        excerpts = _with_context(spans, length, budget)
        stretches = tuple((span.start, span.of(document.text)) for span in excerpts)
    return TextView(
        name=document.name,
        language=document.language,
        sha256=document.sha256 or _hash_of(document.text),
        is_file=document.sha256 is not None,
        length=length,
        words=len(document.compared_text.split()),
        pages=tuple((page.number, page.span.start, page.span.end) for page in document.pages),
        stretches=stretches,
        author=_metadata(document, "author"),
        title=_metadata(document, "title"),
        fetched=_metadata(document, "fetched"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """What is known of a document beyond what its file says of itself."""

    author: str | None = None
    advisor: str | None = None
    year: int | None = None
    type: str | None = None

    def added_to(self, text: TextView) -> TextView:
        """The text with these, which somebody looked after, rather than with those of its file."""
        return replace(
            text,
            author=_shorten(self.author or "") or text.author,
            advisor=_shorten(self.advisor or ""),
            year=self.year,
            type=_shorten(self.type or ""),
        )


def _metadata(document: Document, name: str) -> str:
    """What a file says about itself may be anything, and of any length."""
    return _shorten(document.meta.get(name, ""))


def _shorten(text: str) -> str:
    value = in_one_line(text)
    return value if len(value) <= LONGEST_META else f"{value[: LONGEST_META - 1]}…"


class TextBudget:
    """How many characters of sources a report may still hold, so that its file stays small."""

    def __init__(self, chars: int) -> None:
        self._remaining = chars

    def take(self, chars: int) -> bool:
        """Whether so many characters fit; they are taken if they do."""
        if chars > self._remaining:
            return False
        self._remaining -= chars
        return True


def _with_context(
    spans: Iterable[Span], length: int, budget: TextBudget | None
) -> tuple[Span, ...]:
    """Spans with what stands around them; where there is no room, only the ends of each."""
    whole = union(_around(span, length) for span in spans)
    shortened: list[Span] = []
    for span in whole:
        if budget is None or len(span) <= 2 * EDGE_CHARS or budget.take(len(span)):
            shortened.append(span)
        else:
            shortened.append(Span(span.start, span.start + EDGE_CHARS))
            shortened.append(Span(span.end - EDGE_CHARS, span.end))
    return tuple(shortened)


def _around(span: Span, length: int) -> Span:
    return Span(max(0, span.start - CONTEXT_CHARS), min(length, span.end + CONTEXT_CHARS))


def _hash_of(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def note_views(
    notes: Iterable[tuple[str, Note]], document: Document | None = None
) -> tuple[NoteView, ...]:
    """What is told about files; places are known of the checked document alone."""
    views = []
    pages = Pages(document) if document else None
    for name, note in notes:
        spans: Sequence[Span] = ()
        if document is not None and name == document.name and note in document.notes:
            spans = note.spans
        ranges = [pages.of(span) for span in spans] if pages else []
        views.append(
            NoteView(
                name=name,
                kind=note.kind,
                message=str(note.message),
                in_part=note.kind in Note.READ_IN_PART,
                is_disguise=note.kind in Note.DISGUISES,
                places=tuple(spans),
                pages=tuple(sorted({ends[0] for ends in ranges if ends})),
                said=note.message,
                is_mended=note.kind in Note.DISGUISES - COMPARED_AS_FOUND,
            )
        )
    return tuple(views)


def unread_views(unread: Iterable[Unread]) -> tuple[tuple[str, str, Message], ...]:
    """Files that could not be read: the name, and why, in English and as data."""
    return tuple((file.name, str(file.reason), file.reason) for file in unread)
