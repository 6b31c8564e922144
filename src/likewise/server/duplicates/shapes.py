"""What is asked for and sent where duplicates are looked for."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import Field

from likewise.library.duplicates import MIN_SIMILARITY, DuplicateMeasure
from likewise.server.documents.shapes import DocumentFilters
from likewise.server.jobs.queue import State
from likewise.server.shapes import Shape, Timestamp, WithError


class DuplicatesRequest(DocumentFilters):
    """Among which documents, and how alike they must be."""

    threshold: float = Field(
        default=MIN_SIMILARITY, gt=0, le=1, description="the least similarity of a pair"
    )
    measure: DuplicateMeasure = Field(
        default="jaccard",
        description="shared fingerprints of all of both, or of the smaller document",
    )


class PairFigures(NamedTuple):
    """What is kept of a pair beside its documents; a list in the outcome of a job, for brevity."""

    similarity: float
    shared: int
    fingerprints_a: int
    fingerprints_b: int
    same_text: bool


class DuplicatesResult(WithError):
    """A search for duplicates: how far it is, and what it has found.

    Similarity is that of stored fingerprints, an estimate of how much text two documents share.
    """

    job: str = Field(description="its progress is at /jobs/{job}")
    state: State
    made_on: Timestamp
    request: DuplicatesRequest
    documents: int | None = Field(description="that were compared; null until it is done")
    without_fingerprints: int | None = Field(
        description="of these, without a word that counts: alike if the text is the same"
    )
    pairs: int | None = Field(description="of documents that reach the threshold")
    clusters: int | None = Field(description="of documents tied together by pairs")
    awaits_rebuild: bool | None = Field(
        description="another recipe was asked for: after the rebuild the answer may differ"
    )


class DuplicateDocument(Shape):
    """A document that another is like."""

    id: int
    name: str
    collection: str
    owner: str | None
    author: str | None
    added_on: Timestamp
    words: int


class DuplicatePairShape(Shape):
    """Two documents, the elder first."""

    a: DuplicateDocument
    b: DuplicateDocument
    similarity: float
    shared: int = Field(description="fingerprints that stand in both")
    fingerprints_a: int
    fingerprints_b: int
    same_text: bool


class DuplicateClusterShape(Shape):
    """Documents tied together by pairs."""

    documents: int
    members: list[DuplicateDocument] = Field(description="the eldest of them, a hundred at most")
    weakest: float = Field(description="the weakest tie that holds them together")
