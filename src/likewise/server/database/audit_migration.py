"""Lines of an audit log that named people, as revision 7 numbers them."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

_users = sa.table("users", *map(sa.column, ("id", "name", "email")))
_people = sa.table("audit_people", *map(sa.column, ("number", "user_id", "name")))
_audit = sa.table(
    "audit",
    *map(sa.column, ("id", "user_id", "user_name", "person", "act", "target", "address", "detail")),
)
_keys = sa.table("key_values", sa.column("key"), sa.column("value"))

_ERASED = "erased person"
_OF_PEOPLE = (
    *("person added", "person changed", "person removed", "password reset", "sessions ended"),
    *("password reset by mail", "password link asked for", "unlocked"),
    "first administrator made",
)
_NAMED_IN = ("owner", "heir", "people_revived", "people_kept_out")
_HIDDEN_OF = {"person changed": ("shown_name", "email"), "key made": ("name",)}
_MAIL_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_CHANGED = ("user_id", "user_name", "person", "target", "address", "detail")
_AT_ONCE = 1_000


def number_people(connection: sa.Connection) -> None:
    """Give everybody in the log a number, and put it where names and addresses stand."""
    _Numbers(connection).rewrite()


class _Numbers:
    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._rows: dict[str, dict[str, str | None]] = {}  # by number
        self._of_names: dict[str, str] = {}
        self._of_users: dict[str, str] = {}
        self._secrets: dict[str | None, str] = {}
        for row in connection.execute(sa.select(_users).order_by(_users.c.id)):
            number, secret = secrets.token_hex(12), secrets.token_hex(32)
            self._rows[number] = {"number": number, "user_id": row.id, "name": secret}
            self._of_users[row.id], self._secrets[number] = number, secret
            self._of_names[row.name] = number
            if row.email:
                self._of_names.setdefault(row.email, number)
        self._accounts = frozenset(self._of_names)

    def rewrite(self) -> None:
        last, told = "", _audit.c.id
        nobody = secrets.token_hex(32)
        self._secrets[None] = nobody
        while True:
            query = sa.select(_audit).where(told > last).order_by(told).limit(_AT_ONCE)
            rows = self._connection.execute(query).all()
            if not rows:
                break
            last = rows[-1].id
            self._connection.execute(
                sa.update(_audit)
                .where(told == sa.bindparam("of"))
                .values({name: sa.bindparam(f"new_{name}") for name in _CHANGED}),
                [self._line(row) for row in rows],
            )
        if not last:
            return  # nobody has done anything yet
        numbers = list(self._rows.values())
        for start in range(0, len(numbers), _AT_ONCE):
            self._connection.execute(sa.insert(_people), numbers[start : start + _AT_ONCE])
        self._connection.execute(
            sa.insert(_keys).values(key="server.audit addresses", value=nobody)
        )

    def _line(self, row: Any) -> dict[str, Any]:
        person = self._of_users.get(row.user_id) if row.user_id else None
        if person is None and row.user_name is not None:
            person = secrets.token_hex(12) if row.user_name == _ERASED else self._of(row.user_name)
        target, detail = row.target, json.loads(row.detail)
        if row.act in _OF_PEOPLE and target and target != _ERASED:
            target = f"person:{self._of(target)}"
        for name in _HIDDEN_OF.get(row.act, ()):
            if name in detail:
                detail[name] = None
        detail = {
            name: self._numbered(value, is_name=name in _NAMED_IN) for name, value in detail.items()
        }
        return {
            "of": row.id,
            "new_user_id": None,
            "new_user_name": None,
            "new_person": person,
            "new_target": self._numbered(target),
            "new_address": self._address(person, row.address),
            "new_detail": json.dumps(detail, ensure_ascii=False),
        }

    def _of(self, name: str) -> str:
        if name not in self._of_names:
            number = secrets.token_hex(12)
            self._rows[number] = {"number": number, "user_id": None, "name": name}
            self._of_names[name] = number
        return self._of_names[name]

    def _numbered(self, value: Any, *, is_name: bool = False) -> Any:
        if isinstance(value, str):
            is_person = is_name and value != _ERASED
            if value in self._accounts or is_person or _MAIL_ADDRESS.fullmatch(value):
                return f"person:{self._of(value)}"
            return value
        if isinstance(value, list):
            return [self._numbered(one, is_name=is_name) for one in value]
        if isinstance(value, Mapping):
            return {key: self._numbered(one, is_name=is_name) for key, one in value.items()}
        return value

    def _address(self, person: str | None, address: str | None) -> str | None:
        if address is None:
            return None
        secret = self._secrets.get(person, self._secrets[None])
        number = hmac.new(secret.encode(), address.encode(), hashlib.sha256).hexdigest()[:24]
        self._rows.setdefault(number, {"number": number, "user_id": None, "name": address})
        return number
