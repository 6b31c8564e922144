"""What is sent about a batch, in lists and alone."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from likewise.results import UnreadResult
from likewise.server.jobs.queue import State
from likewise.server.reports.saved import Progress
from likewise.server.shapes import Shape, Timestamp, WithError


class MostSimilar(Shape):
    """The document with the largest similar share."""

    name: str
    label: str = Field(default="", description="what people call it; empty in older classes")
    similar: float


class BatchSummary(Shape):
    """A batch in a few figures."""

    documents: int
    unread: list[UnreadResult]
    pairs: int = Field(description="alike among themselves")
    clusters: int
    similar: int = Field(description="documents that are similar to a quarter or more")
    most_similar: MostSimilar | None
    done_on: str


class BatchCountsShape(Shape):
    """How many documents need a look, as the thresholds are now and as people decided."""

    notice: int = Field(description="from the first threshold on, below the second")
    high: int = Field(description="from the second threshold on")
    tricks: int = Field(description="whose file holds tricks")


class BatchShape(WithError):
    """Documents that were checked together."""

    id: str
    name: str
    state: State
    made_on: Timestamp
    owner: str
    owner_name: str
    is_mine: bool
    is_shared: bool
    closed_on: Timestamp | None = Field(description="since when nothing needs to be looked at")
    assignment: str | None = Field(description="whose class it is; pages show it there")
    counts: BatchCountsShape | None = Field(description="once there is a result")
    job: str
    progress: Progress
    summary: BatchSummary | None


class BatchDetail(BatchShape):
    """A batch, with what was asked for."""

    request: dict[str, Any]
