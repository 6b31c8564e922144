"""What is asked for and sent where similar documents are looked for."""

from __future__ import annotations

from pydantic import Field

from likewise.results import Level, MeasuresResult
from likewise.server.checks.request import OneOrMore
from likewise.server.shapes import RequestBody, Shape


class SimilarRequest(RequestBody):
    """Paper 003's request: which documents are similar, by every measure."""

    language: OneOrMore = None
    type: OneOrMore = None
    min_percentage: float | None = Field(
        default=None,
        ge=0,
        le=100,
        description="of agreement; where none is given, every document that shares text is told",
    )
    level: Level = Field(default=99, description="of the confidence interval, in percent")
    limit: int = Field(default=100, ge=1, le=500, description="documents that are told at most")
    wait_seconds: float = Field(default=60, ge=0, le=300, description="then the answer is a job")


class SimilarDocument(Shape):
    """A document that is similar to the file."""

    document: int
    name: str
    author: str | None
    language: str | None
    type: str | None
    year: int | None
    shared_fingerprints: float = Field(description="of the file's fingerprints")
    measures: MeasuresResult


class SimilarResult(Shape):
    """Which documents are similar, the likest first."""

    job: str
    similar: list[SimilarDocument]
    total: int = Field(description="documents that are similar; the likest are told here")
    documents: int | None = Field(
        description="that the caller reads and that fit; unknown of requests before this was told"
    )
    measured: int = Field(
        description="of these, those whose measures were taken: all, or of more than 3,000 those "
        "that share most text"
    )
    damaged: int = Field(description="documents whose text cannot be read any more")
    beyond: int = Field(description="documents more that share some, and were not measured")
    common_share: float = Field(description="of the text, held by so many that none is named")
    min_percentage: float
    level: int
