"""Mail: what one wants to be told, and for administrators what waits, went or failed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from sqlalchemy import select, update

from likewise.server.database import tables
from likewise.server.mail.addresses import sends_mail
from likewise.server.mail.kinds import LONG_MINUTES, MailChoice, choice_of
from likewise.server.mail.queue import MailState, list_mail, retry_mail
from likewise.server.people import audit
from likewise.server.people.access import Administrator, ContextDep, PersonCaller
from likewise.server.people.users import person_by_id
from likewise.server.shapes import Id, Page, RequestBody, Shape, Timestamp

mail_router = APIRouter(tags=["mail"])


class MailChoiceShape(Shape):
    """What a person is told by mail."""

    is_possible: bool = Field(description="this server sends mail, and there is an address")
    address: str | None
    long_minutes: int = Field(description="from which on a check takes long")
    choice: MailChoice


class ChooseMail(RequestBody):
    """All of it, as it is to be from now on."""

    choice: MailChoice


class MailShape(Shape):
    """A letter, without what it says."""

    id: str
    state: MailState
    kind: str
    to: str
    made_on: Timestamp
    not_before: Timestamp = Field(description="when it is tried next")
    attempts: int
    sent_on: Timestamp | None
    failed_on: Timestamp | None
    error: str | None = Field(description="what the mail server said, as it said it")


@mail_router.get("/me/mail", summary="What I am told by mail")
def show_my_mail(context: ContextDep, caller: PersonCaller) -> MailChoiceShape:
    """Mail about the account itself is always sent."""
    column = tables.users.c
    with context.store.reading() as connection:
        person = person_by_id(connection, caller.id)
        stored = connection.execute(
            select(column.mail_kinds).where(column.id == caller.id)
        ).scalar()
    address = None if person is None else person.email
    return MailChoiceShape(
        is_possible=sends_mail(context.config) and address is not None,
        address=address,
        long_minutes=LONG_MINUTES,
        choice=choice_of(stored),
    )


@mail_router.put("/me/mail", summary="Choose what I am told by mail")
def choose_my_mail(body: ChooseMail, context: ContextDep, caller: PersonCaller) -> MailChoiceShape:
    """It holds from the next letter on."""
    column = tables.users.c
    with context.store.beside() as connection:
        chosen = update(tables.users).where(column.id == caller.id)
        connection.execute(chosen.values(mail_kinds=body.choice.model_dump_json()))
    return show_my_mail(context, caller)


@mail_router.get("/mail", summary="Mail that waits, went or failed")
def list_letters(
    context: ContextDep,
    caller: Administrator,
    state: MailState | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[MailShape]:
    """The newest first. What was sent is known for a week, what failed for a month."""
    with context.store.reading() as connection:
        items, total = list_mail(connection, state=state, limit=limit, offset=offset)
    return Page(items=[MailShape.model_validate(one) for one in items], total=total)


@mail_router.post("/mail/{id}/retry", summary="Send a letter again")
def retry_letter(id: Id, context: ContextDep, caller: Administrator) -> MailShape:
    """One that failed, or waits for its next attempt: it is tried at once."""
    with context.store.beside() as connection:
        letter = retry_mail(connection, id)
        audit.record_act(connection, caller, "mail tried again", id)
    return MailShape.model_validate(letter)
