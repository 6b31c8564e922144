"""What a certificate says, as it was on the day of issue; kept as JSON, and drawn from it alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from likewise.catalogue import LanguageCode
from likewise.model import WORDINGS, Wording
from likewise.report.figures import has_figures, verdict_key
from likewise.report.view import CheckView, SharesView, WordingsView

MOST_SOURCES = 60  # more fit no page


@dataclass(frozen=True, slots=True)
class CertifiedSource:
    """A document that explains some of the checked text."""

    name: str
    counted: int  # visible characters, as in `CertifiedCheck.shares`
    sha256: str = ""  # of the file or text: by it an erasure finds the source


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedCheck:
    """What a check came to, without anything that somebody has to type."""

    checked_on: str  # ISO 8601, UTC
    document: str  # the name of the file
    sha256: str
    is_file: bool  # whether the hash is of a file, and not of a text
    author: str  # as the file says
    title: str
    words: int
    pages: int
    shares: SharesView
    wordings: WordingsView
    count: tuple[Wording, ...] = WORDINGS
    documents: int  # compared with
    sources: tuple[CertifiedSource, ...]  # that count, the first explains most
    all_sources: int
    taken_out: int  # sources and passages that a reader excluded
    in_part: bool  # something of the document was not read
    disguises: int  # kinds of them in the document
    on_web: bool  # the Internet was asked
    counting: dict[str, Any] = field(default_factory=dict)  # otherwise than usual
    uncounted: str = ""  # why there are no figures, as the key of a verdict
    copied_tables: int = 0  # that stand in a source: no share of text tells of them
    copied_pictures: int = 0
    recipe: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateFacts:
    """All that a certificate says, but for its number and code."""

    language: LanguageCode
    institution: str
    author: str
    title: str
    supervisor: str
    issued_by: str
    issued_on: str  # ISO 8601, UTC
    verify_at: str  # the page where a code is typed; empty where the server knows no address
    check: CertifiedCheck


def certify(view: CheckView) -> CertifiedCheck:
    """The facts of a report, counted as people decided."""
    document = view.document
    sources = [source for source in view.sources if source.counted > 0]
    sources.sort(key=lambda source: -source.counted)
    return CertifiedCheck(
        checked_on=view.made.date,
        document=document.name,
        sha256=document.sha256,
        is_file=document.is_file,
        author=document.author,
        title=document.title,
        words=document.words,
        pages=len(document.pages),
        shares=view.shares,
        wordings=view.wordings,
        count=view.count,
        documents=view.documents,
        sources=tuple(
            CertifiedSource(source.text.name, source.counted, source.text.sha256)
            for source in sources[:MOST_SOURCES]
        ),
        all_sources=len(sources),
        taken_out=len(view.taken_out) + sum(one.reason == "reader" for one in view.exclusions),
        in_part=any(note.in_part and note.name == document.name for note in view.notes),
        disguises=len(
            {note.kind for note in view.notes if note.is_disguise and note.name == document.name}
        ),
        on_web=bool(view.asked),
        counting=dict(view.made.counting),
        uncounted="" if has_figures(view) else _why_uncounted(view),
        copied_tables=view.copied_tables,
        copied_pictures=view.copied_pictures,
        recipe=view.made.recipe,
        version=view.made.version,
    )


def _why_uncounted(view: CheckView) -> str:
    return verdict_key(view.shares, 0, 0, view.documents, view.too_short)
