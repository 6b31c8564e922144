"""What people decide about a check: what is not to count and why, and that they agree."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import AfterValidator, Field, model_validator

from likewise.model import Span
from likewise.results import ConfirmationRow, DecisionRow
from likewise.server.checks import decisions
from likewise.server.checks import service as checks
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.shapes import Id, RequestBody, clean_line

router = APIRouter(prefix="/checks", tags=["checks"])

LONGEST_REASON = 1_000


def _said(text: str) -> str:
    said = clean_line(" ".join(text.split()), LONGEST_REASON)
    if not said:
        raise ValueError("say why, in a few words")
    return said


Place = Annotated[int, Field(ge=0, le=(1 << 31) - 1)]


class Exclude(RequestBody):
    """A source by its name, or a stretch of the checked text in code points; and why."""

    source: str | None = Field(default=None, min_length=1, max_length=1_000)
    span: tuple[Place, Place] | None = None
    reason: Annotated[str, Field(max_length=LONGEST_REASON), AfterValidator(_said)]

    @model_validator(mode="after")
    def _one_of_them(self) -> Exclude:
        if (self.source is None) == (self.span is None):
            raise ValueError("give a source or a span, one of them")
        if self.span is not None and self.span[0] >= self.span[1]:
            raise ValueError("a span runs forwards")
        return self


class Confirm(RequestBody):
    comment: str = Field(default="", max_length=LONGEST_REASON)


@router.get("/{id}/exclusions", summary="What was taken out of the count")
def list_exclusions(id: Id, site: ContextDep, caller: ChecksRead) -> list[DecisionRow]:
    """With who did it, when and why."""
    with site.store.reading() as connection:
        checks.find_check(connection, caller, id)
        return decisions.read_decisions(connection, id)


@router.post("/{id}/exclusions", status_code=201, summary="Take a source or a passage out")
def exclude(id: Id, given: Exclude, site: ContextDep, caller: ChecksWrite) -> DecisionRow:
    """Everything is counted anew, in every report; what others confirmed is withdrawn."""
    span = None if given.span is None else Span(*given.span)
    return decisions.take_out(site, caller, id, reason=given.reason, source=given.source, span=span)


@router.delete("/{id}/exclusions/{exclusion}", status_code=204, summary="Count it again")
def include(id: Id, exclusion: Id, site: ContextDep, caller: ChecksWrite) -> None:
    decisions.put_back(site, caller, id, exclusion)


@router.post("/{id}/confirmations", status_code=201, summary="Confirm a report")
def confirm(id: Id, given: Confirm, site: ContextDep, caller: ChecksWrite) -> ConfirmationRow:
    """Another teacher than the owner has read it and agrees; once."""
    comment = clean_line(" ".join(given.comment.split()), LONGEST_REASON)
    return decisions.confirm(site, caller, id, comment)


@router.delete(
    "/{id}/confirmations/{confirmation}", status_code=204, summary="Withdraw a confirmation"
)
def withdraw(id: Id, confirmation: Id, site: ContextDep, caller: ChecksWrite) -> None:
    decisions.withdraw(site, caller, id, confirmation)
