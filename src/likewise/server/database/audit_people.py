"""The numbers by which the audit log names people, and the key that says whose a number is.

Lines of the log hold random numbers, never a name or an address. Whose number it is stands in
`audit_people`, which goes with the account: the log stays, and names nobody any more. Where a line
is about somebody, its target or a value of its detail is `person:` and a number. Addresses from
which people came have numbers too, another for each person, that are made with a secret of the
person's row: without it nobody can try out which address it was.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, or_, select, update

from likewise.library.conflicts import insert_if_new
from likewise.library.erasure import ERASED_PERSON
from likewise.library.metadata import fold_name
from likewise.library.registry import read_value, write_value
from likewise.server.database import tables

people, users, audit = tables.audit_people, tables.users, tables.audit

PERSON = "person:"
_OF_PERSON = re.compile(r"person:[0-9a-f]{24}")
_MAIL_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_KEY_OF_NOBODY = "server.audit addresses"  # of those who are not logged in
_AT_ONCE = 500


def number_of_account(connection: Connection, user_id: str) -> str:
    """The number of an account, made when it is asked for the first time."""
    query = select(people.c.number).where(people.c.user_id == user_id)
    number: str | None = connection.execute(query).scalar()
    if number is None:
        # The name holds what the numbers of the person's addresses are made with.
        row = {"number": secrets.token_hex(12), "user_id": user_id, "name": secrets.token_hex(32)}
        insert_if_new(connection, people, row)
        number = connection.execute(query).scalar_one()
    return number


def number_of_name(connection: Connection, name: str) -> str:
    """The number of whoever logs in by a name or has an address, or of somebody without account."""
    is_theirs = or_(users.c.name == name, users.c.email == name)
    if (user := connection.execute(select(users.c.id).where(is_theirs)).scalar()) is not None:
        return number_of_account(connection, user)
    query = select(people.c.number).where(people.c.user_id.is_(None), people.c.name == name)
    number: str | None = connection.execute(query).scalar()
    if number is None:
        number = secrets.token_hex(12)
        connection.execute(insert(people).values(number=number, name=name))
    return number


def number_of_address(
    connection: Connection, person: str | None, address: str | None
) -> str | None:
    """The number under which a line has the address that somebody came from."""
    if address is None:
        return None
    secret = _secret_of(connection, person)
    number = hmac.new(secret.encode(), address.encode(), hashlib.sha256).hexdigest()[:24]
    insert_if_new(connection, people, {"number": number, "user_id": None, "name": address})
    return number


def _secret_of(connection: Connection, person: str | None) -> str:
    if person is not None:
        query = select(people.c.name).where(
            people.c.number == person, people.c.user_id.is_not(None)
        )
        if secret := connection.execute(query).scalar():
            return str(secret)
    secret = read_value(connection, _KEY_OF_NOBODY)
    if secret is None:
        secret = secrets.token_hex(32)
        write_value(connection, _KEY_OF_NOBODY, secret)
    return secret


# Names out of what is written, and back into what is shown


def without_names(connection: Connection, value: Any) -> Any:
    """A value of JSON in which names and ids of accounts and mail addresses are numbers."""
    texts = set(_texts_of(value))
    texts = {text for text in texts if len(text) <= 256 and "\0" not in text}
    names = sorted(texts)
    tokens: dict[str, str] = {}
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        is_meant = or_(users.c.name.in_(some), users.c.id.in_(some))
        query = select(users.c.id, users.c.name).where(is_meant).order_by(users.c.id)
        for row in connection.execute(query).all():
            token = PERSON + number_of_account(connection, row.id)
            tokens |= {row.name: token, row.id: token}
    for text in sorted(texts - set(tokens)):
        if _MAIL_ADDRESS.fullmatch(text):
            tokens[text] = PERSON + number_of_name(connection, text)
    return _mapped(value, lambda text: tokens.get(text, text))


def with_names(connection: Connection, values: Iterable[Any]) -> list[Any]:
    """Values with the names of today; whose key is gone is an erased person."""
    some = list(values)
    numbers = {
        number.removeprefix(PERSON)
        for value in some
        for text in _texts_of(value)
        for number in _OF_PERSON.findall(text)
    }
    names = names_of(connection, numbers)

    def name(text: str) -> str:
        return _OF_PERSON.sub(
            lambda match: names.get(match[0].removeprefix(PERSON), ERASED_PERSON), text
        )

    return [_mapped(value, name) for value in some]


def names_of(connection: Connection, numbers: Collection[str]) -> dict[str, str]:
    """By what names or addresses numbers are known now; those without a key are not among them."""
    names: dict[str, str] = {}
    ordered = sorted(numbers)
    for start in range(0, len(ordered), _AT_ONCE):
        some = ordered[start : start + _AT_ONCE]
        query = named_numbers().where(people.c.number.in_(some))
        names |= {row.number: row.name for row in connection.execute(query) if row.name}
    return names


def numbers_named(*, exactly: str) -> Select[tuple[str]]:
    """The numbers of whoever has an id or a name, for a condition on lines."""
    return (
        select(people.c.number)
        .join_from(people, users, people.c.user_id == users.c.id, isouter=True)
        .where(
            or_(
                users.c.id == exactly,
                users.c.name == exactly,
                people.c.user_id.is_(None) & (people.c.name == exactly),
            )
        )
    )


def named_numbers() -> Select[tuple[str, str]]:
    """All numbers with the names that a log shows for them."""
    # The name in the row of an account is a secret, and never shown.
    name = func.coalesce(users.c.name, people.c.name).label("name")
    joined = people.outerjoin(users, people.c.user_id == users.c.id)
    return select(people.c.number, people.c.user_id, name).select_from(joined)


def _texts_of(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts_of(one)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts_of(one)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_mapped(one, change) for one in value]
    if isinstance(value, Mapping):
        return {key: _mapped(one, change) for key, one in value.items()}
    return value


# Without the key


def keep_name_of_removed(connection: Connection, user_id: str, name: str) -> None:
    """Whoever is removed, and not erased, is still called by name in the log."""
    query = update(people).where(people.c.user_id == user_id)
    connection.execute(query.values(user_id=None, name=name))


def destroy_keys(connection: Connection, names: Collection[str], account: str | None = None) -> int:
    """Forget whose the numbers of some people are, with their addresses; how many lines it was.

    Of an account, and of people without one by these names; without an account also of whoever logs
    in by such a name, who has another number from then on.
    """
    folded = {fold_name(name) for name in names}
    joined = people.outerjoin(users, people.c.user_id == users.c.id)
    columns = (people.c.number, people.c.user_id, people.c.name, users.c.name.label("login"))
    numbers: set[str] = set()
    for row in connection.execute(select(*columns).select_from(joined)):
        name = row.name if row.user_id is None else row.login
        is_named = name is not None and fold_name(name) in folded
        if row.user_id == account if account and row.user_id else is_named:
            numbers.add(row.number)
    return destroy_numbers(connection, numbers)


def destroy_numbers(connection: Connection, numbers: Collection[str]) -> int:
    """The same for numbers; how many lines of the log they did, or were about them."""
    lines = 0
    for number in sorted(numbers):
        theirs = audit.c.person == number
        is_about = or_(theirs, audit.c.target == PERSON + number)
        lines += connection.execute(select(func.count()).where(is_about)).scalar_one()
        addresses = select(audit.c.address).where(theirs, audit.c.address.is_not(None)).distinct()
        connection.execute(delete(people).where(people.c.number.in_(addresses)))
        connection.execute(delete(people).where(people.c.number == number))
    return lines


def delete_unused(connection: Connection) -> int:
    """Drop names and addresses that no line is about any more; how many there were."""
    column = audit.c
    used = set(connection.execute(select(column.address).distinct()).scalars())
    used |= set(connection.execute(select(column.person).distinct()).scalars())
    for told in (column.target, column.detail):
        query = select(told).where(told.contains(PERSON, autoescape=True))
        for text in connection.execute(query).scalars():
            used |= {one.removeprefix(PERSON) for one in _OF_PERSON.findall(text)}
    query = select(people.c.number).where(people.c.user_id.is_(None))
    unused = sorted(set(connection.execute(query).scalars()) - used)
    for start in range(0, len(unused), _AT_ONCE):
        some = unused[start : start + _AT_ONCE]
        connection.execute(delete(people).where(people.c.number.in_(some)))
    return len(unused)
