"""What people do with their own account."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from sqlalchemy import Connection

from likewise.catalogue import LanguageCode
from likewise.server.caller import Role, Scope
from likewise.server.fields import Id, Line
from likewise.server.people import audit
from likewise.server.people.access import (
    CallerEvenSo,
    Person,
    PersonEvenSo,
    TheSite,
    ensure_recently_authenticated,
)
from likewise.server.people.changes import change_person, the_person
from likewise.server.people.notices import list_notices, mark_seen
from likewise.server.people.own_password import authenticate_again, change_own_password
from likewise.server.people.password_resets import tell
from likewise.server.people.sessions import end_session, end_sessions, living_sessions
from likewise.server.people.users import Person as Somebody
from likewise.server.people.users import mail_address
from likewise.server.problems import not_found
from likewise.server.shapes import Given, Moment, Page, Shape

router = APIRouter(tags=["me"])


class NoticeShape(Shape):
    """What somebody else did with one's account or texts."""

    id: str
    on: Moment
    by: str | None = Field(description="none for whoever runs the server")
    act: str
    target: str | None
    changed: list[str]
    is_new: bool


class Me(Shape):
    """Who is calling."""

    id: str
    name: str
    shown_name: str
    role: Role
    language: LanguageCode | None = Field(description="of the pages; none as the browser says")
    email: str | None = Field(description="where mail about the account goes")
    must_change: bool = Field(description="the password, before anything else")
    made_on: Moment
    most_documents: int | None
    most_bytes: int | None
    most_checks_a_day: int | None
    session: str | None = Field(description="of this log in")
    key: str | None = Field(description="of a program")
    scopes: list[Scope] | None = Field(description="of a key; a person has none and needs none")
    notices: list[NoticeShape] = Field(description="what others did with the account, unread")


class MyChanges(Given):
    """What people may change of themselves; what is left out stays."""

    shown_name: Line | None = Field(default=None, min_length=1)
    language: LanguageCode | None = None
    email: Line | None = Field(default=None, description="needs a password given lately")


class Password(Given):
    """One's own password, once more."""

    password: str = Field(max_length=1_000)


class NewPassword(Given):
    """The old password and the new one."""

    old: str = Field(max_length=1_000)
    new: str = Field(max_length=1_000)


class MySession(Shape):
    """A place where one is logged in."""

    id: str
    made_on: Moment
    used_on: Moment = Field(description="when it was refreshed last")
    ends_on: Moment
    address: str | None
    agent: str | None
    is_this: bool = Field(description="the one that asks")


@router.get("/me", summary="Who I am")
def show_me(site: TheSite, caller: CallerEvenSo) -> Me:
    """The person of the token, or of the key."""
    with site.store.reading() as connection:
        person = the_person(connection, caller.id)
        return _shown(connection, person, caller)


@router.patch("/me", summary="Change my name, language or mail address")
def change_me(given: MyChanges, site: TheSite, caller: Person) -> Me:
    """A language of null is the browser's. The old address is told that mail goes elsewhere."""
    changes = given.model_dump(exclude_unset=True)
    if "email" in changes:
        changes["email"] = mail_address(changes["email"])
    if changes.get("shown_name", "") is None:
        changes.pop("shown_name")
    with site.store.beside() as connection:
        before = the_person(connection, caller.id)
        if changes.get("email", before.email) != before.email:
            ensure_recently_authenticated(
                caller
            )  # else an open browser were enough to take it over
        after = change_person(connection, caller, caller.id, changes)
        shown = _shown(connection, after, caller)
    if before.email and before.email != after.email:
        tell(site, after, "address changed", to=before.email, by=caller.name)
    return shown


@router.post("/me/authenticate", summary="Give my password once more", status_code=204)
def authenticate(given: Password, site: TheSite, caller: Person) -> None:
    """What is refused with `authenticate again` is allowed for the next 15 minutes."""
    authenticate_again(site, caller, given.password)


@router.get("/me/notices", summary="What others did with my account and texts")
def list_my_notices(
    site: TheSite,
    caller: Person,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[NoticeShape]:
    """Of the last 90 days, the newest first: passwords, roles, and who read what is mine."""
    with site.store.reading() as connection:
        found, total = list_notices(connection, caller, limit=limit, offset=offset)
    return Page(items=[NoticeShape.model_validate(one) for one in found], total=total)


@router.post("/me/notices/seen", summary="I have read my notices", status_code=204)
def see_notices(site: TheSite, caller: PersonEvenSo) -> None:
    """What comes later is new again."""
    with site.store.beside() as connection:
        mark_seen(connection, caller)


@router.post("/me/password", summary="Change my password", status_code=204)
def change_my_password(given: NewPassword, site: TheSite, caller: PersonEvenSo) -> None:
    """Needs the old one; every other session ends."""
    change_own_password(site, caller, given.old, given.new)


@router.get("/me/sessions", summary="Where I am logged in")
def list_my_sessions(
    site: TheSite,
    caller: Person,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[MySession]:
    """The last used first."""
    with site.store.reading() as connection:
        found, total = living_sessions(connection, caller.id, limit=limit, offset=offset)
    items = [
        MySession(
            id=one.id,
            made_on=one.made_on,
            used_on=one.used_on,
            ends_on=one.ends_on,
            address=one.address,
            agent=one.agent,
            is_this=one.id == caller.session,
        )
        for one in found
    ]
    return Page(items=items, total=total)


@router.delete("/me/sessions/{id}", summary="Log out one place", status_code=204)
def end_my_session(id: Id, site: TheSite, caller: Person) -> None:
    """Its access token is refused from the next call on."""
    with site.store.beside() as connection:
        if not end_session(connection, id, "logged out", of=caller.id):
            raise not_found("server.noun_session")
        audit.note(connection, caller, "session ended", id, why="logged out")


@router.post("/me/end-everywhere", summary="Log out everywhere", status_code=204)
def end_everywhere(site: TheSite, caller: Person) -> None:
    """Every session ends, this one too. Keys of programs stay."""
    with site.store.beside() as connection:
        ended = end_sessions(connection, caller.id, "logged out everywhere")
        audit.note(connection, caller, "logged out everywhere", sessions=ended)


def _shown(connection: Connection, person: Somebody, caller: Person) -> Me:
    new, _ = list_notices(connection, caller, only_new=True, with_reads=False, limit=20)
    scopes = None if caller.scopes is None else sorted(caller.scopes)
    return Me(
        id=person.id,
        name=person.name,
        shown_name=person.shown_name,
        role=person.role,
        language=person.language,
        email=person.email,
        must_change=person.must_change,
        made_on=person.made_on,
        most_documents=person.most_documents,
        most_bytes=person.most_bytes,
        most_checks_a_day=person.most_checks_a_day,
        session=caller.session,
        key=caller.key,
        scopes=scopes,
        notices=[NoticeShape.model_validate(one) for one in new],
    )
