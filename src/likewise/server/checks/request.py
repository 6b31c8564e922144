"""What a check is asked for: which documents count as sources, and what of the text counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import Field, field_validator

from likewise.errors import BadInput
from likewise.front import FEWEST_WORDS, CheckOptions, Exclusions
from likewise.library import Filters
from likewise.library.metadata import metadata_from
from likewise.model import WORDINGS, Document, Wording
from likewise.results import Level
from likewise.server.checks.web import WebInput
from likewise.server.permissions import collection_of
from likewise.server.shapes import RequestBody

Word = Annotated[str, Field(min_length=1, max_length=200)]
Words = Annotated[list[Word], Field(max_length=100)]
OneOrMore = Word | Words | None
Year = Annotated[int, Field(ge=0, le=9999)]
Number = Annotated[int, Field(ge=1, le=(1 << 63) - 1)]
METADATA_FIELDS = frozenset(
    ("author", "advisor", "organisation", "type", "language", "year", "month", "tags")
)


class FiltersInput(RequestBody):
    """Documents that fit everything given here."""

    language: OneOrMore = None
    type: OneOrMore = None
    organisation: OneOrMore = None
    year_from: Year | None = None
    year_to: Year | None = None
    tag: OneOrMore = None

    def filters(self, **more: Any) -> Filters:
        """The same, as the library understands it."""
        years = (self.year_from, self.year_to)
        return Filters(
            language=_as_tuple(self.language),
            type=_as_tuple(self.type),
            organisation=_as_tuple(self.organisation),
            tag=_as_tuple(self.tag),
            year=None if years == (None, None) else years,
            **more,
        )


class ExclusionsInput(RequestBody):
    """Which kinds of text do not count as copied."""

    quotations: bool = True
    bibliography: bool = True
    contents: bool = True
    title_page: bool = True
    common: bool = Field(default=True, description="text that very many documents share")
    listings: bool = Field(default=True, description="programs, tables of numbers, logs, formulas")

    def exclusions(self) -> Exclusions:
        return Exclusions(**self.model_dump())


assert set(ExclusionsInput.model_fields) == set(asdict(Exclusions()))


class OptionsInput(RequestBody):
    """What counts, and from where on it is shown."""

    min_words: int = Field(
        default=FEWEST_WORDS, ge=1, le=1_000_000, description="of a passage that counts"
    )
    min_share: float | None = Field(
        default=None, ge=0, le=1, description="of the text in a source; else as the site says"
    )
    min_percentage: float = Field(
        default=0, ge=0, le=100, description="of agreement, from which a source is called similar"
    )
    level: Level = Field(
        default=99, description="of the confidence interval of the measures, in percent"
    )
    count: list[Wording] = Field(
        default=list(WORDINGS),
        min_length=1,
        max_length=len(WORDINGS),
        description="what counts as similar; the rest is shown, and not counted",
    )
    by_meaning: bool = Field(
        default=True,
        description="look for passages by what they mean too: rewritten, summarised, translated",
    )
    exclusions: ExclusionsInput = ExclusionsInput()

    def check_options(self, templates: Iterable[Document], site_min_share: float) -> CheckOptions:
        """The same, as checks understand it; where no share was given, that of the site holds."""
        return CheckOptions(
            exclusions=self.exclusions.exclusions(),
            templates=tuple(templates),
            min_words=self.min_words,
            min_share=site_min_share if self.min_share is None else self.min_share,
            count=tuple(self.count),
            by_meaning=self.by_meaning,
        )


class CheckingRequest(RequestBody):
    """What a check, a batch and an assignment are asked for alike."""

    filters: FiltersInput = FiltersInput()
    collections: list[Annotated[str, Field(max_length=200)]] | None = Field(
        default=None, max_length=1_000, description="ids; all that the caller reads, where none are"
    )
    not_mine: bool = Field(
        default=False, description="leave out documents that the caller alone has handed in"
    )
    not_by: OneOrMore = Field(default=None, description="an author whose documents are left out")
    options: OptionsInput = OptionsInput()
    keep: bool = Field(default=False, description="add what was checked to the library afterwards")
    collection: str = Field(
        default="library", validate_default=True, max_length=200, description="where it is kept"
    )
    metadata: dict[str, Any] = Field(default={}, description="of what is kept")
    web: WebInput | None = Field(
        default=None, description="ask the Internet too; words of the documents are sent there"
    )

    @field_validator("collection")
    @classmethod
    def _internal_collection(cls, value: str) -> str:
        return collection_of(value)

    @field_validator("collections")
    @classmethod
    def _internal_collections(cls, value: list[str] | None) -> list[str] | None:
        return None if value is None else list(map(collection_of, value))

    @field_validator("metadata")
    @classmethod
    def _validate_metadata(cls, value: dict[str, Any]) -> dict[str, Any]:
        if unknown := sorted(value.keys() - METADATA_FIELDS):
            known = ", ".join(sorted(METADATA_FIELDS))
            raise ValueError(f"{unknown[0]!r} cannot be given; there are {known}")
        try:
            metadata_from(value)
        except BadInput as error:
            raise ValueError(str(error)) from error
        return value


class BatchRequest(CheckingRequest):
    """What a check and a batch are asked for alike."""

    name: str = Field(default="", max_length=200, description="to be shown; else the file's")
    templates: Annotated[list[Word], Field(max_length=100)] = Field(
        default=[], description="names of those files here whose text everyone may use"
    )


class CheckRequest(BatchRequest):
    """One document: a file of the form, or one of the library by its number."""

    document: Number | None = None


def _as_tuple(value: OneOrMore) -> str | tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) else value
