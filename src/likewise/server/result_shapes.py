"""What is sent about a result: shares, sources, passages, decisions, and its summary."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from likewise.model import ExclusionReason, Kind
from likewise.server.measures import MeasuresShape
from likewise.server.shapes import Shape

Ends = tuple[int, int]
Format = Literal["html", "pdf", "docx", "json", "csv"]


class SharesShape(Shape):
    """What the checked text is made of; shares of 1 that add up to 1."""

    original: float
    similar: float
    quoted: float
    excluded: float


class PassageShape(Shape):
    """A stretch of the checked text (`a`) that stands in a source (`b`), in code points."""

    a: Ends
    b: Ends
    pages_a: Ends | None
    pages_b: Ends | None
    kind: Kind
    score: float
    literal: float = Field(description="of its words, those that are unchanged and in order")
    expected: float | None = Field(description="as strong ones that chance would give; or unknown")


class SourceShape(Shape):
    """A document that holds text of the checked one."""

    number: int = Field(description="from 1, as reports number them")
    name: str
    author: str | None
    title: str | None
    document: int | None = Field(description="its number, where the caller may read it")
    share: float = Field(description="of the checked text that it covers")
    counted: float = Field(description="of that, what no source above it explains")
    under: str | None = Field(description="the source that explains its text, if it adds nothing")
    literal: float = Field(description="of the checked text, what stands unchanged in it")
    spans: list[Ends] = Field(description="what is counted for it")
    passages: list[PassageShape]
    fragments: list[PassageShape] = Field(description="too short to be counted")
    listings: list[PassageShape] = Field(description="programs and figures, which do not count")
    measures: MeasuresShape | None


class ExclusionShape(Shape):
    """A stretch that does not count, and why; of common text, how many documents hold it."""

    span: Ends
    pages: Ends | None
    reason: ExclusionReason
    detail: str
    holders: int


class TableShape(Shape):
    """A table that stands in another document too."""

    name: str
    document: int | None
    place: Ends
    page: int | None
    caption: str
    score: float
    share_a: float
    share_b: float


class CheckNote(Shape):
    """What a person should know about how a file was read or compared."""

    name: str
    kind: str
    message: str
    in_part: bool
    is_disguise: bool
    spans: list[Ends]


class UnreadShape(Shape):
    """A file that gave nothing to compare."""

    name: str
    reason: str
    code: str | None = Field(default=None, description="what it is, for programs")
    values: dict[str, Any] | None = Field(default=None, description="what stands in the reason")


class UncomparedShape(Shape):
    """Text of the checked document that was not compared."""

    reason: str
    characters: int


class DecisionShape(Shape):
    """What somebody took out of the count."""

    id: str
    source: str | None
    span: Ends | None
    by: str
    on: str
    reason: str


class ConfirmationShape(Shape):
    """That another teacher has read the report and agrees."""

    id: str
    by: str
    on: str
    comment: str


class CheckResult(Shape):
    """Everything that a check found."""

    name: str
    language: str | None
    length: int = Field(description="of the text, in code points")
    pages: int
    shares: SharesShape
    shares_before: SharesShape | None = Field(description="before anything was taken out")
    literal: float = Field(description="of the text, what stands unchanged in a source")
    too_short: bool = Field(description="too few words to be called original")
    common_share: float = Field(description="of the text, held by very many documents")
    documents: int = Field(description="compared with")
    sources: list[SourceShape]
    tables: list[TableShape]
    exclusions: list[ExclusionShape]
    taken_out: list[str]
    decisions: list[DecisionShape]
    confirmations: list[ConfirmationShape]
    notes: list[CheckNote]
    unread: list[UnreadShape]
    skipped: list[str]
    left_out: list[UncomparedShape]
    min_percentage: float
    level: int
    recipe: str
    counting: dict[str, Any] = Field(description="what was counted otherwise than usual")


class TopSource(Shape):
    """One of the sources that explain most."""

    name: str
    share: float
    counted: float


class Summary(Shape):
    """A check in a few figures."""

    shares: SharesShape
    documents: int = Field(description="compared with")
    sources: int
    passages: int
    top: list[TopSource]
    language: str | None
    words: int | None = None
    pages: int
    disguises: list[str] = Field(description="kinds of them in the checked document")
    in_part: bool = Field(description="something of it could not be read")
    done_on: str
    exclusions: int = Field(default=0, description="by readers")
