"""People, for administrators."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from likewise.catalogue import LanguageCode
from likewise.server.caller import Role
from likewise.server.fields import Id, Line
from likewise.server.people import audit, first_password
from likewise.server.people.access import (
    Administrator,
    RecentAdministrator,
    TheSite,
    ensure_recently_authenticated,
)
from likewise.server.people.changes import (
    change_person,
    list_people,
    remove_person,
    set_password,
    the_person,
)
from likewise.server.people.password_resets import tell
from likewise.server.people.passwords import ensure_strong, hash_of, random_password
from likewise.server.people.sessions import end_sessions
from likewise.server.people.users import Person, add_person, mail_address
from likewise.server.problems import Problem
from likewise.server.shapes import Given, Moment, Page, Shape

router = APIRouter(tags=["users"])

Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Bytes = Annotated[int, Field(ge=0, le=2**53)]


def _dangerous(person: Person) -> tuple[tuple[str, object], ...]:
    """What lets somebody in or keeps somebody out, as it is now."""
    return ("role", person.role), ("is_active", person.is_active), ("email", person.email)


class User(Shape):
    """A person, as administrators see one."""

    id: str
    name: str
    shown_name: str
    role: Role
    is_active: bool
    must_change: bool = Field(description="the password, at the next log in")
    made_on: Moment
    language: str | None
    email: str | None
    most_documents: int | None = Field(description="none as the site says")
    most_bytes: int | None
    most_checks_a_day: int | None


class NewUser(Given):
    """Somebody to be let in."""

    name: str = Field(max_length=256, description="to log in by; it never changes")
    shown_name: Line = ""
    role: Role = "teacher"
    password: str | None = Field(default=None, max_length=1_000, description="else one is made")
    language: LanguageCode | None = None
    email: Line | None = None
    most_documents: Count | None = None
    most_bytes: Bytes | None = None
    most_checks_a_day: Count | None = None


class UserChanges(Given):
    """What is left out stays as it is."""

    shown_name: Line | None = Field(default=None, min_length=1)
    role: Role | None = None
    is_active: bool | None = None
    language: LanguageCode | None = None
    email: Line | None = None
    most_documents: Count | None = None
    most_bytes: Bytes | None = None
    most_checks_a_day: Count | None = None


class Reset(Given):
    """Another password."""

    password: str | None = Field(default=None, max_length=1_000, description="else one is made")


class Added(Shape):
    """The person, and the password that was made. It is told this once."""

    user: User
    password: str | None = None


class WasReset(Shape):
    """The password that was made. It is told this once."""

    password: str | None = None


@router.get("/users", summary="List people")
def list_users(
    site: TheSite,
    caller: Administrator,
    search: Annotated[Line | None, Query(description="in either name")] = None,
    role: Role | None = None,
    is_active: bool | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[User]:
    """By name."""
    with site.store.reading() as connection:
        found, total = list_people(
            connection, search=search, role=role, is_active=is_active, limit=limit, offset=offset
        )
    return Page(items=[User.model_validate(one) for one in found], total=total)


@router.post("/users", summary="Add a person", status_code=201)
def add_user(given: NewUser, site: TheSite, caller: Administrator) -> Added:
    """Whoever gets a password from somebody else must change it at the first log in."""
    if given.role == "administrator":
        ensure_recently_authenticated(caller)
    password = given.password or random_password()
    person = add_person(
        site,
        given.name,
        password,
        role=given.role,
        shown_name=given.shown_name,
        must_change=True,
        by=caller,
        language=given.language,
        email=mail_address(given.email),
        most_documents=given.most_documents,
        most_bytes=given.most_bytes,
        most_checks_a_day=given.most_checks_a_day,
    )
    told = None if given.password else password
    return Added(user=User.model_validate(person), password=told)


@router.get("/users/{id}", summary="Show a person")
def show_user(id: Id, site: TheSite, caller: Administrator) -> User:
    """One person."""
    with site.store.reading() as connection:
        return User.model_validate(the_person(connection, id))


@router.patch("/users/{id}", summary="Change a person")
def change_user(id: Id, given: UserChanges, site: TheSite, caller: Administrator) -> User:
    """It holds from the person's next call on. The last administrator stays one.

    Role, mail address and whether somebody may log in need a password given lately.
    """
    changes = given.model_dump(exclude_unset=True)
    for name in ("shown_name", "role", "is_active"):
        if name in changes and changes[name] is None:
            raise Problem("bad request", "server.not_null", name=name)
    if "email" in changes:
        changes["email"] = mail_address(changes["email"])
    with site.store.beside() as connection:
        before = the_person(connection, id)
        if any(changes.get(name, old) != old for name, old in _dangerous(before)):
            ensure_recently_authenticated(caller)
        after = change_person(connection, caller, id, changes)
    if before.email and before.email != after.email:
        tell(site, after, "address changed", to=before.email, by=caller.name)
    return User.model_validate(after)


@router.post("/users/{id}/password", summary="Reset a password")
def reset_password(
    id: Id, site: TheSite, caller: RecentAdministrator, given: Reset | None = None
) -> WasReset:
    """All sessions of the person end, who is told of it and must change it at the next log in."""
    with site.store.reading() as connection:
        person = the_person(connection, id)
    chosen = given.password if given else None
    password = chosen or random_password()
    ensure_strong(password, person.name, site.settings.least_password_length)
    hashed = hash_of(password)
    with site.store.beside() as connection:
        set_password(connection, caller, id, hashed, why="password reset", must_change=True)
    first_password.sweep(site)
    tell(site, person, "password reset", by=caller.name)
    return WasReset(password=None if chosen else password)


@router.post("/users/{id}/end-sessions", summary="Log a person out", status_code=204)
def end_users_sessions(id: Id, site: TheSite, caller: Administrator) -> None:
    """Everywhere and at once."""
    with site.store.beside() as connection:
        person = the_person(connection, id)
        ended = end_sessions(connection, id, "ended by an administrator")
        audit.note(connection, caller, "sessions ended", person.name, sessions=ended)


@router.delete("/users/{id}", summary="Deactivate or remove a person", status_code=204)
def delete_user(
    id: Id,
    site: TheSite,
    caller: RecentAdministrator,
    remove: Annotated[
        bool, Query(description="for good, with checks and batches; the audit stays")
    ] = False,
) -> None:
    """Deactivated people cannot log in; their documents, checks and name stay."""
    with site.store.beside() as connection:
        if remove:
            remove_person(connection, caller, id)
        else:
            change_person(connection, caller, id, {"is_active": False})
