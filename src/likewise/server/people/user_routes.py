"""People and what they did, for administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field

from likewise.catalogue import LanguageCode
from likewise.server.caller import Role
from likewise.server.people import audit
from likewise.server.people.access import (
    Administrator,
    ContextDep,
    RecentAdministrator,
    ensure_recently_authenticated,
)
from likewise.server.people.audit import list_act_names, list_entries
from likewise.server.people.password_resets import notify
from likewise.server.people.passwords import (
    delete_retired_password_file,
    ensure_strong,
    hash_password,
    random_password,
)
from likewise.server.people.sessions import end_sessions
from likewise.server.people.users import (
    Person,
    add_person,
    change_person,
    list_people,
    mail_address,
    remove_person,
    require_person,
    set_password,
)
from likewise.server.problems import Problem
from likewise.server.shapes import (
    Id,
    Page,
    RequestBody,
    Shape,
    SingleLine,
    Timestamp,
    to_stored_time,
)

user_router = APIRouter(tags=["users"])

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
    made_on: Timestamp
    language: str | None
    email: str | None
    most_documents: int | None = Field(description="none as the site says")
    most_bytes: int | None
    most_checks_a_day: int | None


class NewUser(RequestBody):
    """Somebody to be let in."""

    name: str = Field(max_length=256, description="to log in by; it never changes")
    shown_name: SingleLine = ""
    role: Role = "teacher"
    password: str | None = Field(default=None, max_length=1_000, description="else one is made")
    language: LanguageCode | None = None
    email: SingleLine | None = None
    most_documents: Count | None = None
    most_bytes: Bytes | None = None
    most_checks_a_day: Count | None = None


class UserChanges(RequestBody):
    """What is left out stays as it is."""

    shown_name: SingleLine | None = Field(default=None, min_length=1)
    role: Role | None = None
    is_active: bool | None = None
    language: LanguageCode | None = None
    email: SingleLine | None = None
    most_documents: Count | None = None
    most_bytes: Bytes | None = None
    most_checks_a_day: Count | None = None


class Reset(RequestBody):
    """Another password."""

    password: str | None = Field(default=None, max_length=1_000, description="else one is made")


class Added(Shape):
    """The person, and the password that was made. It is told this once."""

    user: User
    password: str | None = None


class WasReset(Shape):
    """The password that was made. It is told this once."""

    password: str | None = None


@user_router.get("/users", summary="List people")
def list_users(
    context: ContextDep,
    caller: Administrator,
    search: Annotated[SingleLine | None, Query(description="in either name")] = None,
    role: Role | None = None,
    is_active: bool | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[User]:
    """By name."""
    with context.store.reading() as connection:
        people, total = list_people(
            connection, search=search, role=role, is_active=is_active, limit=limit, offset=offset
        )
    return Page(items=[User.model_validate(one) for one in people], total=total)


@user_router.post("/users", summary="Add a person", status_code=201)
def add_user(body: NewUser, context: ContextDep, caller: Administrator) -> Added:
    """Whoever gets a password from somebody else must change it at the first log in."""
    if body.role == "administrator":
        ensure_recently_authenticated(caller)
    password = body.password or random_password()
    person = add_person(
        context,
        body.name,
        password,
        role=body.role,
        shown_name=body.shown_name,
        must_change=True,
        by=caller,
        language=body.language,
        email=mail_address(body.email),
        most_documents=body.most_documents,
        most_bytes=body.most_bytes,
        most_checks_a_day=body.most_checks_a_day,
    )
    generated = None if body.password else password
    return Added(user=User.model_validate(person), password=generated)


@user_router.get("/users/{id}", summary="Show a person")
def show_user(id: Id, context: ContextDep, caller: Administrator) -> User:
    """One person."""
    with context.store.reading() as connection:
        return User.model_validate(require_person(connection, id))


@user_router.patch("/users/{id}", summary="Change a person")
def change_user(id: Id, body: UserChanges, context: ContextDep, caller: Administrator) -> User:
    """It holds from the person's next call on. The last administrator stays one.

    Role, mail address and whether somebody may log in need a password given lately.
    """
    changes = body.model_dump(exclude_unset=True)
    for name in ("shown_name", "role", "is_active"):
        if name in changes and changes[name] is None:
            raise Problem("bad request", "server.not_null", name=name)
    if "email" in changes:
        changes["email"] = mail_address(changes["email"])
    with context.store.beside() as connection:
        before = require_person(connection, id)
        if any(changes.get(name, old) != old for name, old in _dangerous(before)):
            ensure_recently_authenticated(caller)
        after = change_person(connection, caller, id, changes)
    if before.email and before.email != after.email:
        notify(context, after, "address changed", to=before.email, by=caller.name)
    return User.model_validate(after)


@user_router.post("/users/{id}/password", summary="Reset a password")
def reset_password(
    id: Id, context: ContextDep, caller: RecentAdministrator, body: Reset | None = None
) -> WasReset:
    """All sessions of the person end, who is told of it and must change it at the next log in."""
    with context.store.reading() as connection:
        person = require_person(connection, id)
    chosen_password = body.password if body else None
    password = chosen_password or random_password()
    ensure_strong(password, person.name, context.settings.least_password_length)
    hashed = hash_password(password)
    with context.store.beside() as connection:
        set_password(connection, caller, id, hashed, why="password reset", must_change=True)
    delete_retired_password_file(context)
    notify(context, person, "password reset", by=caller.name)
    return WasReset(password=None if chosen_password else password)


@user_router.post("/users/{id}/end-sessions", summary="Log a person out", status_code=204)
def end_users_sessions(id: Id, context: ContextDep, caller: Administrator) -> None:
    """Everywhere and at once."""
    with context.store.beside() as connection:
        person = require_person(connection, id)
        ended = end_sessions(connection, id, "ended by an administrator")
        audit.record_act(connection, caller, "sessions ended", person.name, sessions=ended)


@user_router.delete("/users/{id}", summary="Deactivate or remove a person", status_code=204)
def delete_user(
    id: Id,
    context: ContextDep,
    caller: RecentAdministrator,
    remove: Annotated[
        bool, Query(description="for good, with checks and batches; the audit stays")
    ] = False,
) -> None:
    """Deactivated people cannot log in; their documents, checks and name stay."""
    with context.store.beside() as connection:
        if remove:
            remove_person(connection, caller, id)
        else:
            change_person(connection, caller, id, {"is_active": False})


audit_router = APIRouter(tags=["audit"])


class Act(Shape):
    """Something that somebody did."""

    id: str
    on: Timestamp
    user_id: str | None = Field(description="none where the person is gone, or nobody logged in")
    user_name: str | None = Field(description="as the person was called")
    act: str
    target: str | None
    address: str | None
    detail: dict[str, Any]


@audit_router.get("/audit", summary="Read the audit log")
def list_audit(
    context: ContextDep,
    caller: Administrator,
    person: Annotated[SingleLine | None, Query(description="the name or id of who did it")] = None,
    act: Annotated[SingleLine | None, Query(description="as /audit/acts lists them")] = None,
    start: Annotated[datetime | None, Query(alias="from")] = None,
    end: Annotated[datetime | None, Query(alias="to", description="before this moment")] = None,
    search: Annotated[SingleLine | None, Query(description="anywhere")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[Act]:
    """The newest first."""
    with context.store.reading() as connection:
        entries, total = list_entries(
            connection,
            person=person,
            act=act,
            start=start and to_stored_time(start),
            end=end and to_stored_time(end),
            search=search,
            limit=limit,
            offset=offset,
        )
    return Page(items=[Act.model_validate(one) for one in entries], total=total)


@audit_router.get("/audit/acts", summary="What kinds of acts there are")
def list_acts(context: ContextDep, caller: Administrator) -> list[str]:
    """In the order of the alphabet."""
    with context.store.reading() as connection:
        return list_act_names(connection)
