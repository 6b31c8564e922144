"""Whoever is calling: a person, or a program with a key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from likewise.server.problems import Problem

Role = Literal["administrator", "teacher", "student"]
Scope = Literal[
    "documents:read",
    "documents:write",
    "checks:read",
    "checks:write",
    "courses:read",
    "courses:write",
    "submissions:read",
    "submissions:write",
    "metrics",
    "administer",
]


@dataclass(frozen=True, slots=True)
class Caller:
    """A person, or a program with one of the person's keys."""

    id: str
    name: str
    role: Role
    address: str
    session: str | None = None  # of a log in
    key: str | None = None  # of a program
    scopes: frozenset[Scope] | None = None  # of a program; a person may all the role may
    must_change: bool = False  # the password, before anything else
    authenticated_on: datetime | None = None  # when the password was given last, by a person

    @property
    def is_administrator(self) -> bool:
        return self.role == "administrator" and (self.scopes is None or "administer" in self.scopes)


OF_ADMINISTRATORS: frozenset[Scope] = frozenset({"administer", "metrics"})
# A closed list: of whatever asks for another scope, a student sees nothing.
OF_STUDENTS: frozenset[Scope] = frozenset({"submissions:read", "submissions:write"})


def ensure_scope(caller: Caller, scope: Scope) -> None:
    """Refuse keys without a scope, and what a role may not to those who have it."""
    if caller.role == "student" and scope not in OF_STUDENTS:
        raise Problem("not allowed", "server.not_for_students")
    if caller.scopes is not None and scope not in caller.scopes:
        raise Problem("not allowed", "server.no_scope", scope=scope)
    if scope in OF_ADMINISTRATORS and caller.role != "administrator":
        raise Problem("not allowed", "server.administrators_only")


def require_session(caller: Caller) -> str:
    """The session of a person; refuses keys, which have none."""
    if caller.session is None:
        raise Problem("not allowed", "server.people_only")
    return caller.session
