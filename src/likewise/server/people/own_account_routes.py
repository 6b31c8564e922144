"""What people do with their own account: name, password, notices, log ins, keys for programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, Field
from sqlalchemy import Connection

from likewise.catalogue import LanguageCode
from likewise.server.caller import OF_STUDENTS, Role, Scope
from likewise.server.context import ServerContext
from likewise.server.people import audit
from likewise.server.people.access import (
    ContextDep,
    MaybeExpiredCaller,
    MaybeExpiredPerson,
    PersonCaller,
    RecentPerson,
    ensure_recently_authenticated,
)
from likewise.server.people.api_keys import list_keys, make_key, revoke_key
from likewise.server.people.identities import list_identities, remove_identity
from likewise.server.people.login import authenticate_again, change_own_password
from likewise.server.people.notices import NoticeKind, list_notices, mark_notices_read
from likewise.server.people.password_resets import notify
from likewise.server.people.sessions import Why, end_session, end_sessions, list_sessions
from likewise.server.people.users import (
    Person,
    change_person,
    has_password,
    mail_address,
    require_person,
)
from likewise.server.problems import Problem, not_found
from likewise.server.shapes import (
    Id,
    Page,
    RequestBody,
    Shape,
    SingleLine,
    Timestamp,
    to_stored_time,
)

me_router = APIRouter(tags=["me"])


class NoticeShape(Shape):
    """What somebody else did with one's account or texts."""

    id: str
    on: Timestamp
    by: str | None = Field(description="none for whoever runs the server, or held a link")
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
    least_password_length: int = Field(description="of a new one, in characters")
    made_on: Timestamp
    most_documents: int | None
    most_bytes: int | None
    most_checks_a_day: int | None
    session: str | None = Field(description="of this log in")
    has_password: bool = Field(description="none where providers alone vouch for me")
    key: str | None = Field(description="of a program")
    scopes: list[Scope] | None = Field(description="of a key; a person has none and needs none")
    notices: list[NoticeShape] = Field(description="what others did with the account, unread")


class MyChanges(RequestBody):
    """What people may change of themselves; what is left out stays."""

    shown_name: SingleLine | None = Field(default=None, min_length=1)
    language: LanguageCode | None = None
    email: SingleLine | None = Field(default=None, description="needs a password given lately")


class Password(RequestBody):
    """One's own password, once more."""

    password: str = Field(max_length=1_000)


class NewPassword(RequestBody):
    """The old password and the new one."""

    old: str = Field(max_length=1_000)
    new: str = Field(max_length=1_000)


class MySession(Shape):
    """A place where one is logged in."""

    id: str
    made_on: Timestamp
    used_on: Timestamp = Field(description="when it was refreshed last")
    ends_on: Timestamp
    address: str | None
    agent: str | None
    provider: str | None = Field(description="who vouched for me; none where a password did")
    is_this: bool = Field(description="the one that asks")


class MyIdentity(Shape):
    """A provider that vouches for me."""

    id: str
    provider_id: str
    provider: str
    made_on: Timestamp
    used_on: Timestamp


@me_router.get("/me", summary="Who I am")
def show_me(context: ContextDep, caller: MaybeExpiredCaller) -> Me:
    """The person of the token, or of the key."""
    with context.store.reading() as connection:
        person = require_person(connection, caller.id)
        return _describe_me(context, connection, person, caller)


@me_router.patch("/me", summary="Change my name, language or mail address")
def change_me(body: MyChanges, context: ContextDep, caller: PersonCaller) -> Me:
    """A language of null is the browser's. The old address is told that mail goes elsewhere."""
    changes = body.model_dump(exclude_unset=True)
    if "email" in changes:
        changes["email"] = mail_address(changes["email"])
    if changes.get("shown_name", "") is None:
        changes.pop("shown_name")
    with context.store.beside() as connection:
        before = require_person(connection, caller.id)
        if changes.get("email", before.email) != before.email:
            ensure_recently_authenticated(
                caller
            )  # else an open browser were enough to take it over
        after = change_person(connection, caller, caller.id, changes)
        me = _describe_me(context, connection, after, caller)
    if before.email and before.email != after.email:
        notify(context, after, "address changed", to=before.email, by=caller.name)
    return me


@me_router.post("/me/authenticate", summary="Give my password once more", status_code=204)
def authenticate(body: Password, context: ContextDep, caller: PersonCaller) -> None:
    """What is refused with `authenticate again` is allowed for the next 15 minutes."""
    authenticate_again(context, caller, body.password)


@me_router.get("/me/notices", summary="What others did with my account and texts")
def list_my_notices(
    context: ContextDep,
    caller: PersonCaller,
    kind: Annotated[NoticeKind | None, Query(description="only these")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[NoticeShape]:
    """Of the last 90 days, the newest first: passwords, roles, and who read what is mine."""
    with context.store.reading() as connection:
        notices, total = list_notices(connection, caller, kind=kind, limit=limit, offset=offset)
    return Page(items=[NoticeShape.model_validate(one) for one in notices], total=total)


@me_router.post("/me/notices/seen", summary="I have read my notices", status_code=204)
def see_notices(context: ContextDep, caller: MaybeExpiredPerson) -> None:
    """What comes later is new again."""
    with context.store.beside() as connection:
        mark_notices_read(connection, caller)


@me_router.post("/me/password", summary="Change my password", status_code=204)
def change_my_password(body: NewPassword, context: ContextDep, caller: MaybeExpiredPerson) -> None:
    """Needs the old one; every other session ends."""
    change_own_password(context, caller, body.old, body.new)


@me_router.get("/me/sessions", summary="Where I am logged in")
def list_my_sessions(
    context: ContextDep,
    caller: PersonCaller,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[MySession]:
    """The last used first."""
    with context.store.reading() as connection:
        sessions, total = list_sessions(connection, caller.id, limit=limit, offset=offset)
    items = [
        MySession(
            id=one.id,
            made_on=one.made_on,
            used_on=one.used_on,
            ends_on=one.ends_on,
            address=one.address,
            agent=one.agent,
            provider=one.provider,
            is_this=one.id == caller.session,
        )
        for one in sessions
    ]
    return Page(items=items, total=total)


@me_router.delete("/me/sessions", summary="Log out everywhere else", status_code=204)
def end_my_other_sessions(context: ContextDep, caller: PersonCaller) -> None:
    """Every session ends but the one that asks. Keys of programs stay."""
    with context.store.beside() as connection:
        why: Why = "logged out elsewhere"
        ended = end_sessions(connection, caller.id, why, but=caller.session)
        audit.record_act(connection, caller, "logged out elsewhere", sessions=ended)


@me_router.delete("/me/sessions/{id}", summary="Log out one place", status_code=204)
def end_my_session(id: Id, context: ContextDep, caller: PersonCaller) -> None:
    """Its access token is refused from the next call on."""
    with context.store.beside() as connection:
        if not end_session(connection, id, "logged out", of=caller.id):
            raise not_found("server.noun_session")
        audit.record_act(connection, caller, "session ended", id, why="logged out")


@me_router.get("/me/identities", summary="Who vouches for me")
def list_my_identities(context: ContextDep, caller: PersonCaller) -> list[MyIdentity]:
    """The providers by which I log in."""
    with context.store.reading() as connection:
        return [MyIdentity.model_validate(one) for one in list_identities(connection, caller.id)]


@me_router.delete("/me/identities/{id}", summary="Log in by a provider no more", status_code=204)
def remove_my_identity(id: Id, context: ContextDep, caller: RecentPerson) -> None:
    """Refused where nothing else would let me in. Sessions that it vouched for end."""
    with context.store.beside() as connection:
        remove_identity(connection, caller, id)


@me_router.post("/me/end-everywhere", summary="Log out everywhere", status_code=204)
def end_everywhere(context: ContextDep, caller: PersonCaller) -> None:
    """Every session ends, this one too. Keys of programs stay."""
    with context.store.beside() as connection:
        ended = end_sessions(connection, caller.id, "logged out everywhere")
        audit.record_act(connection, caller, "logged out everywhere", sessions=ended)


def _describe_me(
    context: ServerContext, connection: Connection, person: Person, caller: PersonCaller
) -> Me:
    new, _ = list_notices(connection, caller, kind="account", only_new=True, limit=20)
    scopes = None if caller.scopes is None else sorted(caller.scopes)
    return Me(
        id=person.id,
        name=person.name,
        shown_name=person.shown_name,
        role=person.role,
        language=person.language,
        email=person.email,
        must_change=caller.must_change,
        least_password_length=context.settings.least_password_length,
        made_on=person.made_on,
        most_documents=person.most_documents,
        most_bytes=person.most_bytes,
        most_checks_a_day=person.most_checks_a_day,
        session=caller.session,
        has_password=has_password(connection, person.id),
        key=caller.key,
        scopes=scopes,
        notices=[NoticeShape.model_validate(one) for one in new],
    )


key_router = APIRouter(tags=["api keys"])


class Key(Shape):
    """A key without its secret."""

    id: str
    user_id: str
    user_name: str
    name: str
    scopes: list[Scope]
    made_on: Timestamp
    ends_on: Timestamp | None
    used_on: Timestamp | None = Field(description="to the minute")
    ended_on: Timestamp | None = Field(description="when it was revoked")


class NewKey(RequestBody):
    """What a key is for, and what it may."""

    name: SingleLine = Field(min_length=1)
    scopes: list[Scope] = Field(min_length=1, max_length=20)
    ends_on: AwareDatetime | None = None


class MadeKey(Shape):
    """The key, and its secret, which is told this once."""

    key: Key
    secret: str = Field(description="sent as Authorization: Bearer …")


@key_router.get("/keys", summary="List keys")
def list_all_keys(
    context: ContextDep,
    caller: PersonCaller,
    everybody: Annotated[bool, Query(description="of all people, for administrators")] = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[Key]:
    """One's own, the newest first."""
    if everybody and not caller.is_administrator:
        raise Problem("not allowed", "server.keys_of_others")
    with context.store.reading() as connection:
        user = None if everybody else caller.id
        keys, total = list_keys(connection, user=user, limit=limit, offset=offset)
    return Page(items=[Key.model_validate(one) for one in keys], total=total)


@key_router.post("/keys", summary="Make a key", status_code=201)
def make_own_key(body: NewKey, context: ContextDep, caller: RecentPerson) -> MadeKey:
    """It never may more than its person, and ends when the person is deactivated or demoted."""
    if caller.role == "student" and not set(body.scopes) <= OF_STUDENTS:
        raise Problem("not allowed", "server.not_for_students")
    ends_on = None if body.ends_on is None else to_stored_time(body.ends_on)
    with context.store.beside() as connection:
        key, secret = make_key(connection, caller, body.name, body.scopes, ends_on)
    return MadeKey(key=Key.model_validate(key), secret=secret)


@key_router.delete("/keys/{id}", summary="Revoke a key", status_code=204)
def revoke_own_key(id: Id, context: ContextDep, caller: PersonCaller) -> None:
    """One's own; administrators may revoke everybody's."""
    with context.store.beside() as connection:
        revoke_key(connection, caller, id)
