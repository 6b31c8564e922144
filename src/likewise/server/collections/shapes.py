"""Collections as they are asked for and sent."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from likewise.server.shapes import RequestBody, Shape, SingleLine, Timestamp

KeepDays = Annotated[int, Field(ge=1, le=36_500)]


class CollectionInput(RequestBody):
    """A collection that is to be made; private unless asked otherwise."""

    name: SingleLine
    about: str = ""
    is_shared: bool = False


class CollectionChange(RequestBody):
    """What is given is changed."""

    name: SingleLine | None = None
    about: str | None = None
    is_shared: bool | None = None
    is_open_to_students: bool | None = Field(
        default=None, description="whether reports of students may name and show its documents"
    )
    keep_days: KeepDays | None = Field(
        default=None, description="documents, from when they were added; null without end"
    )


class CollectionShape(Shape):
    """A collection; `name` and `about` are null where it is somebody else's private one."""

    id: str
    name: str | None
    about: str | None
    owner: str | None
    is_shared: bool
    is_open_to_students: bool = Field(
        description="reports of students name and show its documents; of others nothing"
    )
    is_mine: bool
    may_add: bool
    may_change: bool
    may_read: bool
    documents: int
    made_on: Timestamp | None
    keep_days: int | None = Field(description="after which documents are deleted; none without end")


class CollectionWhole(CollectionShape):
    """A collection with its size."""

    words: int
    bytes: int


class CollectionRemoved(Shape):
    documents: int
