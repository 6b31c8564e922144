"""People and what they did, for administrators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field
from sqlalchemy import Connection

from likewise.catalogue import LanguageCode
from likewise.server.caller import Caller, Role
from likewise.server.context import ServerContext
from likewise.server.downloads import download
from likewise.server.people import audit
from likewise.server.people.access import (
    Administrator,
    ContextDep,
    RecentAdministrator,
    ensure_recently_authenticated,
)
from likewise.server.people.audit import list_act_names, list_entries
from likewise.server.people.login import ensure_passwords_allowed
from likewise.server.people.login_throttle import LogInDelay, read_delays, reset_name
from likewise.server.people.password_resets import ensure_may_invite, invite, notify
from likewise.server.people.passwords import (
    delete_retired_password_file,
    ensure_strong,
    hash_password,
    random_password,
)
from likewise.server.people.second_factor import people_with_one, take_away_second_factor
from likewise.server.people.sessions import end_sessions
from likewise.server.people.users import (
    Person,
    add_person,
    change_person,
    count_holdings,
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


class LogInDelayShape(Shape):
    """That a person has to wait before the next password, because of wrong ones."""

    wrong_passwords: int
    seconds: int = Field(description="between two tries")
    until: Timestamp | None = Field(description="none where the next try is looked at")


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
    log_in_delay: LogInDelayShape | None = None
    has_second_factor: bool = False


class Holdings(Shape):
    """What a person has, and what becomes of it when the person is removed."""

    documents: int = Field(description="stay in the library, under the person's name")
    collections: int = Field(description="go to the heir, else to whoever removes the person")
    checks: int = Field(description="go to the heir, else are deleted; without those of classes")
    batches: int
    api_keys: int = Field(description="end at once")
    jobs: int = Field(description="that wait or run are given up")


class NewUser(RequestBody):
    """Somebody to be let in."""

    name: str = Field(max_length=256, description="to log in by; it never changes")
    shown_name: SingleLine = ""
    role: Role = "teacher"
    password: str | None = Field(default=None, max_length=1_000, description="else one is made")
    language: LanguageCode | None = None
    email: SingleLine | None = None
    invite: bool = Field(
        default=False, description="by mail, with a link to a first password, which nobody is told"
    )
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
        return Page(items=_users(connection, context, people), total=total)


def _users(connection: Connection, context: ServerContext, people: Sequence[Person]) -> list[User]:
    delays = read_delays(connection, [one.name for one in people], context.settings)
    with_factor = people_with_one(connection, [one.id for one in people])
    return [
        User.model_validate(one).model_copy(
            update={
                "log_in_delay": _delay_shape(delays.get(one.name)),
                "has_second_factor": one.id in with_factor,
            }
        )
        for one in people
    ]


def _delay_shape(delay: LogInDelay | None) -> LogInDelayShape | None:
    return None if delay is None else LogInDelayShape.model_validate(delay)


@user_router.post("/users", summary="Add a person", status_code=201)
def add_user(body: NewUser, context: ContextDep, caller: Administrator) -> Added:
    """Whoever gets a password from somebody else must change it at the first log in."""
    if body.role == "administrator":
        ensure_recently_authenticated(caller)
    if body.invite:
        ensure_may_invite(context, mail_address(body.email))
        if body.password:
            raise Problem("bad request", "server.invite_password")
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
    if body.invite:
        with context.store.beside() as connection:
            _invite(context, connection, caller, person)
    generated = None if body.password or body.invite else password
    return Added(user=User.model_validate(person), password=generated)


@user_router.post("/users/{id}/invite", summary="Invite a person by mail", status_code=204)
def invite_user(id: Id, context: ContextDep, caller: RecentAdministrator) -> None:
    """A link to a password is sent to the person's address, good for some days."""
    with context.store.beside() as connection:
        _invite(context, connection, caller, require_person(connection, id))


def _invite(context: ServerContext, connection: Connection, caller: Caller, person: Person) -> None:
    invite(context, connection, person, caller.name)
    audit.record_act(connection, caller, "person invited", person.name)


@user_router.get("/users/{id}", summary="Show a person")
def show_user(id: Id, context: ContextDep, caller: Administrator) -> User:
    """One person."""
    with context.store.reading() as connection:
        return _users(connection, context, [require_person(connection, id)])[0]


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
    ensure_passwords_allowed(context)
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


@user_router.delete(
    "/users/{id}/second-factor", summary="Take a lost second factor away", status_code=204
)
def take_users_second_factor(id: Id, context: ContextDep, caller: RecentAdministrator) -> None:
    """The password alone lets the person in again, who is told of it; recovery codes go too."""
    with context.store.beside() as connection:
        person = require_person(connection, id)
        if not take_away_second_factor(connection, caller, id, person.name):
            raise Problem("conflict", "server.no_second_factor")


@user_router.post("/users/{id}/end-sessions", summary="Log a person out", status_code=204)
def end_users_sessions(id: Id, context: ContextDep, caller: Administrator) -> None:
    """Everywhere and at once."""
    with context.store.beside() as connection:
        person = require_person(connection, id)
        ended = end_sessions(connection, id, "ended by an administrator")
        audit.record_act(connection, caller, "sessions ended", person.name, sessions=ended)


@user_router.post("/users/{id}/unlock", summary="Clear a log-in delay", status_code=204)
def unlock_user(id: Id, context: ContextDep, caller: Administrator) -> None:
    """Wrong passwords at the person's name are forgotten: the next try is looked at at once."""
    with context.store.beside() as connection:
        person = require_person(connection, id)
        reset_name(connection, person.name)
        audit.record_act(connection, caller, "unlocked", person.name)


@user_router.get("/users/{id}/holdings", summary="What a person has")
def show_holdings(id: Id, context: ContextDep, caller: Administrator) -> Holdings:
    """How much there is of each; told before the person is removed."""
    with context.store.reading() as connection:
        return Holdings(**count_holdings(connection, require_person(connection, id)))


@user_router.delete("/users/{id}", summary="Deactivate or remove a person", status_code=204)
def delete_user(
    id: Id,
    context: ContextDep,
    caller: RecentAdministrator,
    remove: Annotated[
        bool, Query(description="for good, with checks and batches; the audit stays")
    ] = False,
    heir: Annotated[
        str | None,
        Query(max_length=64, description="whose collections, checks and batches they become"),
    ] = None,
) -> None:
    """Deactivated people cannot log in; their documents, checks and name stay.

    Without an heir, checks and batches of who is removed are deleted, and collections go to the
    caller.
    """
    with context.store.beside() as connection:
        if remove:
            remove_person(connection, caller, id, heir=heir)
        else:
            change_person(connection, caller, id, {"is_active": False})


audit_router = APIRouter(tags=["audit"])
MOST_EXPORTED = 100_000


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
    selection = _selection(person, act, start, end, search)
    with context.store.reading() as connection:
        entries, total = list_entries(connection, **selection, limit=limit, offset=offset)
    return Page(items=[Act.model_validate(one) for one in entries], total=total)


def _selection(
    person: str | None,
    act: str | None,
    start: datetime | None,
    end: datetime | None,
    search: str | None,
) -> dict[str, Any]:
    times = {"start": start and to_stored_time(start), "end": end and to_stored_time(end)}
    return {"person": person, "act": act, "search": search, **times}


@audit_router.get(
    "/audit/export",
    summary="The audit log as a table",
    response_class=Response,
    responses={
        200: {
            "description": "a CSV file, at most 100,000 lines, the newest first",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
def export_audit(
    context: ContextDep,
    caller: Administrator,
    person: Annotated[SingleLine | None, Query(description="the name or id of who did it")] = None,
    act: Annotated[SingleLine | None, Query(description="as /audit/acts lists them")] = None,
    start: Annotated[datetime | None, Query(alias="from")] = None,
    end: Annotated[datetime | None, Query(alias="to", description="before this moment")] = None,
    search: Annotated[SingleLine | None, Query(description="anywhere")] = None,
) -> Response:
    """The same selection as the list. Times are in UTC; that it was taken is noted itself."""
    selection = _selection(person, act, start, end, search)
    with context.store.reading() as connection:
        entries, _ = list_entries(connection, **selection, limit=MOST_EXPORTED)
    with context.store.beside() as connection:
        audit.record_act(connection, caller, "audit exported", None, lines=len(entries))
    return download(audit.entries_as_csv(entries).encode("utf-8-sig"), "audit.csv")


@audit_router.get("/audit/acts", summary="What kinds of acts there are")
def list_acts(context: ContextDep, caller: Administrator) -> list[str]:
    """In the order of the alphabet."""
    with context.store.reading() as connection:
        return list_act_names(connection)
