"""Documents as they are asked for and sent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from likewise.library import Filters
from likewise.server.shapes import RequestBody, Shape, Timestamp, clean_line

# fmt: off
Sort = Literal[
    "id", "name", "owner", "author", "added_on", "year", "language", "type", "words",
    "-id", "-name", "-owner", "-author", "-added_on", "-year", "-language", "-type", "-words",
]
# fmt: on
Word = Annotated[str, Field(max_length=500)]
Words = Annotated[list[Word], Field(max_length=100)]


def _clean(text: str) -> str:
    return clean_line(text, 500)


CleanWord = Annotated[Word, AfterValidator(_clean)]  # without what the eye does not see
Tags = Annotated[
    list[Annotated[str, Field(max_length=200), AfterValidator(_clean)]], Field(max_length=100)
]
Year = Annotated[int, Field(ge=0, le=9999)]
Number = Annotated[int, Field(strict=True, ge=1, le=(1 << 63) - 1)]  # true is no number


class DocumentFilters(RequestBody):
    """Documents that fit everything given here; of several values, one is enough."""

    collection: Words | None = None
    language: Words | None = None
    type: Words | None = None
    organisation: Words | None = None
    author: Words | None = None
    owner: Words | None = None
    advisor: Words | None = None
    year_from: Year | None = None
    year_to: Year | None = None
    tag: Words | None = Field(default=None, description="all of them")

    def filters(self, collections: tuple[str, ...]) -> Filters:
        """The same as the library understands it, in these collections."""
        names = ("language", "type", "organisation", "author", "owner", "advisor", "tag")
        values: dict[str, Any] = {
            name: tuple(value) for name in names if (value := getattr(self, name)) is not None
        }
        years = (self.year_from, self.year_to)
        return Filters(
            collection=collections, year=None if years == (None, None) else years, **values
        )


class DocumentsRequest(DocumentFilters):
    """One page of a list of documents."""

    search: str = Field(default="", max_length=200, description="words in names and people")
    sort: Sort = "-added_on"
    limit: int = Field(default=50, ge=1, le=500)
    offset: int = Field(default=0, ge=0, le=(1 << 31) - 1)


class MetadataInput(RequestBody):
    """What is known about a document; who owns it is whoever hands it in."""

    name: CleanWord | None = None
    language: Annotated[str, Field(max_length=20), AfterValidator(_clean)] | None = None
    type: CleanWord | None = None
    organisation: CleanWord | None = None
    author: CleanWord | None = None
    advisor: CleanWord | None = None
    year: Annotated[int, Field(ge=1, le=9999)] | None = None
    month: Annotated[int, Field(ge=1, le=12)] | None = None
    tags: Tags = Field(default_factory=list)

    def values(self) -> dict[str, Any]:
        """What was given, null too."""
        return self.model_dump(exclude_unset=True)


class AddRequest(RequestBody):
    """What holds for all files of an upload."""

    collection: str = Field(default="library", max_length=200, description="its id")
    metadata: MetadataInput = MetadataInput()
    table_name: str | None = Field(
        default=None,
        max_length=1_000,
        description="the file among those sent that is the table of metadata (CSV)",
    )


class SentFile(Shape):
    name: str
    size: int


class AddAccepted(Shape):
    """Files that were accepted; the job's outcome tells what became of each."""

    job: str
    collection: str
    files: list[SentFile]
    table: str | None


class DocumentShape(Shape):
    """A document, without its text."""

    id: int
    name: str
    collection: str
    owner: str | None
    added_on: Timestamp
    words: int
    chars: int
    language: str | None
    type: str | None
    organisation: str | None
    author: str | None
    advisor: str | None
    year: int | None
    month: int | None
    tags: list[str]
    copy_of: int | None = Field(description="the first document here with the same text")
    handed_in: int = Field(description="how often these bytes were handed in")
    may_change: bool


class SpanShape(Shape):
    start: int
    end: int


class NoteShape(Shape):
    """What a person should know about how a file was read."""

    kind: str
    message: str
    code: str = Field(description="what it is, for programs: docs/codes.md")
    values: dict[str, Any] = Field(description="what stands in the message")
    is_trick: bool = Field(description="something that hides copying")
    is_partial: bool = Field(description="the file was not read in full")
    spans: list[SpanShape]


class CopyShape(Shape):
    """A document with the same text."""

    id: int
    name: str
    owner: str | None
    collection: str


class ReferenceShape(Shape):
    """That the same bytes were handed in again."""

    name: str
    owner: str | None
    author: str | None
    added_on: Timestamp


class DocumentWhole(DocumentShape):
    """Everything that is known about a document."""

    pages: int
    tables: int
    pictures: int
    left_out: int = Field(description="characters of the text that are not compared")
    notes: list[NoteShape]
    tricks: list[str] = Field(description="kinds of notes that hide copying")
    has_original: bool
    original_bytes: int | None
    sha256: str | None
    copies: list[CopyShape]
    references: list[ReferenceShape]
    may_remove: bool


class PageShape(Shape):
    number: int
    start: int
    end: int


class LeftOutShape(Shape):
    start: int
    end: int
    reason: str


class TextShape(Shape):
    """The text of a document; offsets are of code points."""

    id: int
    name: str
    language: str | None
    text: str
    pages: list[PageShape]
    left_out: list[LeftOutShape]


class DocumentSelection(RequestBody):
    """Documents by number, or all that fit; without some of them."""

    ids: Annotated[list[Number], Field(min_length=1, max_length=1_000)] | None = None
    filters: DocumentFilters | None = None
    search: str = Field(default="", max_length=200)
    without: Annotated[list[Number], Field(max_length=1_000)] = Field(
        default=[], description="of those that fit"
    )
    expected: int | None = Field(
        default=None,
        ge=0,
        description="how many fit as far as the caller knows; of another number nothing is done",
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> DocumentSelection:
        if (self.ids is None) == (self.filters is None):
            raise ValueError("give ids or filters, one of them")
        return self


class ChangeMany(DocumentSelection):
    """The same correction of several documents."""

    metadata: MetadataInput


class ChangeCount(Shape):
    documents: int


class RemoveRequest(RequestBody):
    """Documents by number, or all that fit."""

    ids: Annotated[list[Number], Field(max_length=10_000)] | None = None
    filters: DocumentFilters | None = None
    search: str = Field(default="", max_length=200)
    without: Annotated[list[Number], Field(max_length=1_000)] = Field(
        default=[], description="of those that fit"
    )
    expected: int | None = Field(
        default=None,
        ge=0,
        description="how many fit as far as the caller knows; of another number nothing is done",
    )


class RemovedShape(Shape):
    """`references` stay with others who handed them in too."""

    documents: int
    references: int


class Facet(Shape):
    value: str | int | None
    documents: int


class Facets(Shape):
    """The values in use, the most frequent first."""

    type: list[Facet]
    language: list[Facet]
    organisation: list[Facet]
    year: list[Facet]
    tag: list[Facet]


class MonthShape(Shape):
    month: str
    documents: int
    total: int


class Growth(Shape):
    """Documents by the month in which they were added."""

    months: list[MonthShape]
