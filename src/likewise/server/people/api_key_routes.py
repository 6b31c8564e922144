"""Keys for programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, Field

from likewise.server.caller import Scope
from likewise.server.fields import Id, Line
from likewise.server.people.access import Person, RecentPerson, TheSite
from likewise.server.people.api_keys import list_keys, make_key, revoke_key
from likewise.server.problems import Problem
from likewise.server.shapes import Given, Moment, Page, Shape, stored_moment

router = APIRouter(tags=["api keys"])


class Key(Shape):
    """A key without its secret."""

    id: str
    user_id: str
    user_name: str
    name: str
    scopes: list[Scope]
    made_on: Moment
    ends_on: Moment | None
    used_on: Moment | None = Field(description="to the minute")
    ended_on: Moment | None = Field(description="when it was revoked")


class NewKey(Given):
    """What a key is for, and what it may."""

    name: Line = Field(min_length=1)
    scopes: list[Scope] = Field(min_length=1, max_length=20)
    ends_on: AwareDatetime | None = None


class MadeKey(Shape):
    """The key, and its secret, which is told this once."""

    key: Key
    secret: str = Field(description="sent as Authorization: Bearer …")


@router.get("/keys", summary="List keys")
def list_all_keys(
    site: TheSite,
    caller: Person,
    everybody: Annotated[bool, Query(description="of all people, for administrators")] = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[Key]:
    """One's own, the newest first."""
    if everybody and not caller.is_administrator:
        raise Problem("not allowed", "server.keys_of_others")
    with site.store.reading() as connection:
        user = None if everybody else caller.id
        found, total = list_keys(connection, user=user, limit=limit, offset=offset)
    return Page(items=[Key.model_validate(one) for one in found], total=total)


@router.post("/keys", summary="Make a key", status_code=201)
def make_own_key(given: NewKey, site: TheSite, caller: RecentPerson) -> MadeKey:
    """It never may more than its person, and ends when the person is deactivated or demoted."""
    ends_on = None if given.ends_on is None else stored_moment(given.ends_on)
    with site.store.beside() as connection:
        key, secret = make_key(connection, caller, given.name, given.scopes, ends_on)
    return MadeKey(key=Key.model_validate(key), secret=secret)


@router.delete("/keys/{id}", summary="Revoke a key", status_code=204)
def revoke_own_key(id: Id, site: TheSite, caller: Person) -> None:
    """One's own; administrators may revoke everybody's."""
    with site.store.beside() as connection:
        revoke_key(connection, caller, id)
