"""What people are told by mail, and which of it they chose to be told."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MailKind = Literal[
    "reset link",
    "password reset",
    "password changed",
    "address changed",
    "invitation",
    "report link",
    "link ending",
    "decision",
    "finished",
    "failed jobs",
    "deletion ahead",
]
LONG_MINUTES = 10  # from asking to the end of a check that took long


class MailChoice(BaseModel):
    """What a person wants to be told. Mail about the account itself is not asked about."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    finished: Literal["never", "long", "always"] = Field(
        default="long", description="checks and classes: all of them, or those that took long"
    )
    links: bool = Field(default=True, description="that links one has made end in three days")
    decisions: bool = Field(default=True, description="of commissions about one's reports")
    failed_jobs: bool = Field(default=True, description="of everybody; for administrators alone")


def choice_of(stored: str | None) -> MailChoice:
    """As it is kept with the person; what a newer Likewise wrote is read as far as it goes.

    >>> choice_of(None).finished, choice_of('{"finished": "never"}').finished
    ('long', 'never')
    """
    if stored is None:
        return MailChoice()
    try:
        return MailChoice.model_validate_json(stored)
    except ValidationError:
        return MailChoice()
