"""What is sent about a check, in lists and alone."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from likewise.results import CheckSummary, ConfirmationRow, DecisionRow
from likewise.server.caller import Caller
from likewise.server.checks.service import Kept
from likewise.server.jobs.queue import State, error_fields
from likewise.server.shapes import Shape, Timestamp, WithError


class Progress(Shape):
    """How far a check is: `done` of `total` pages, or documents, of a stage."""

    stage: str | None
    done: int
    total: int


class CheckShape(WithError):
    """A check, as lists show it."""

    id: str
    name: str = Field(description="of the document")
    state: State
    made_on: Timestamp
    owner: str = Field(description="as people call the person")
    owner_name: str = Field(description="to log in by")
    is_mine: bool
    is_shared: bool
    batch: str | None
    job: str | None
    progress: Progress
    summary: CheckSummary | None


class CheckDetail(CheckShape):
    """A check, with what was asked for and what people decided about it."""

    request: dict[str, Any]
    exclusions: list[DecisionRow]
    confirmations: list[ConfirmationRow]
    may_confirm: bool


class Shared(CheckShape):
    """A check that others may open from now on."""

    private_sources: int = Field(
        description="sources in collections that others do not read; the report shows them"
    )


def shape_of(kept: Kept, caller: Caller) -> dict[str, Any]:
    return {
        "id": kept.id,
        "name": kept.name,
        "state": kept.state,
        "made_on": kept.made_on,
        "owner": kept.owner,
        "owner_name": kept.owner_name,
        "is_mine": kept.user_id == caller.id,
        "is_shared": kept.is_shared,
        "batch": kept.batch_id,
        "job": kept.job_id,
        "progress": Progress(stage=kept.stage, done=kept.done, total=kept.total),
        **error_fields(kept.error),
        "summary": kept.summary,
    }
