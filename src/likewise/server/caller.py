"""Whoever is calling: a person, or a program with a key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["administrator", "teacher"]
Scope = Literal[
    "documents:read", "documents:write", "checks:read", "checks:write", "metrics", "administer"
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
