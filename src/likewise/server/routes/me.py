"""What people do with their own account."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from likewise.server.access import CallerEvenSo, Person, PersonEvenSo, Role, Scope, TheSite
from likewise.server.accounts import audit
from likewise.server.accounts.changes import change_person, the_person
from likewise.server.accounts.lines import Id, Line
from likewise.server.accounts.own_password import change_own_password
from likewise.server.accounts.people import Person as Somebody
from likewise.server.accounts.sessions import end_session, end_sessions, living_sessions
from likewise.server.problems import not_found
from likewise.server.shapes import Given, Moment, Page, Shape

router = APIRouter(tags=["me"])

Language = Literal["en", "ru", "kk"]


class Me(Shape):
    """Who is calling."""

    id: str
    name: str
    shown_name: str
    role: Role
    language: Language | None = Field(description="of the pages; none as the browser says")
    must_change: bool = Field(description="the password, before anything else")
    made_on: Moment
    most_documents: int | None
    most_bytes: int | None
    most_checks_a_day: int | None
    session: str | None = Field(description="of this log in")
    key: str | None = Field(description="of a program")
    scopes: list[Scope] | None = Field(description="of a key; a person has none and needs none")


class MyChanges(Given):
    """What people may change of themselves; what is left out stays."""

    shown_name: Line | None = Field(default=None, min_length=1)
    language: Language | None = None


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
        return _shown(the_person(connection, caller.id), caller)


@router.patch("/me", summary="Change my name or language")
def change_me(given: MyChanges, site: TheSite, caller: Person) -> Me:
    """A language of null is the browser's."""
    changes = given.model_dump(exclude_unset=True)
    if changes.get("shown_name", "") is None:
        changes.pop("shown_name")
    with site.store.beside() as connection:
        return _shown(change_person(connection, caller, caller.id, changes), caller)


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
            raise not_found("session")
        audit.note(connection, caller, "session ended", id, why="logged out")


@router.post("/me/end-everywhere", summary="Log out everywhere", status_code=204)
def end_everywhere(site: TheSite, caller: Person) -> None:
    """Every session ends, this one too. Keys of programs stay."""
    with site.store.beside() as connection:
        ended = end_sessions(connection, caller.id, "logged out everywhere")
        audit.note(connection, caller, "logged out everywhere", sessions=ended)


def _shown(person: Somebody, caller: Person) -> Me:
    scopes = None if caller.scopes is None else sorted(caller.scopes)
    return Me(
        id=person.id,
        name=person.name,
        shown_name=person.shown_name,
        role=person.role,
        language=person.language,  # type: ignore[arg-type]
        must_change=person.must_change,
        made_on=person.made_on,
        most_documents=person.most_documents,
        most_bytes=person.most_bytes,
        most_checks_a_day=person.most_checks_a_day,
        session=caller.session,
        key=caller.key,
        scopes=scopes,
    )
