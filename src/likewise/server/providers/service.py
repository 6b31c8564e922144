"""The providers of a site: by the environment of its processes, else as administrators set them.

What the environment says of a provider holds alone: no page can send a key of the environment to
another address. An address that was typed in must be on the public Internet, unless
`LIKEWISE_PRIVATE_HOSTS` names its host: else a page would reach into the network of the server.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Connection

from likewise.errors import LikewiseError
from likewise.library.registry import read_value, write_value
from likewise.model import Message
from likewise.server.caller import Caller
from likewise.server.context import ServerContext, lock_settings
from likewise.server.people.audit import record_act
from likewise.server.problems import Problem, not_found
from likewise.server.secret_values import decrypt, encrypt

if TYPE_CHECKING:
    from likewise.internet import Kind, Provider

_KEY = "server.internet providers"
_PREFIX = "LIKEWISE_"
TEST_QUERY = "university library catalogue opening hours"

Outcome = Literal["works", "wrong key", "unreachable", "quota", "refused"]
_OUTCOMES: Mapping[str, Outcome] = {
    "internet.wrong_key": "wrong key",
    "internet.quota": "quota",
    "internet.limiter": "quota",
    "internet.too_fast": "quota",
    **dict.fromkeys(
        (
            *("internet.no_answer", "internet.no_connection", "internet.no_connection_in_time"),
            *("internet.refuses_connections", "internet.unreachable", "internet.lookup"),
            *("internet.lookup_late", "internet.no_host", "internet.not_public"),
            *("internet.broke", "internet.certificate", "internet.not_secure"),
            *("internet.not_whole", "internet.no_http", "internet.its_fault"),
        ),
        "unreachable",
    ),
}


@dataclass(frozen=True, slots=True)
class ProviderField:
    """One thing that a provider needs: a key, or where it is. Of a secret no value is told."""

    name: str
    is_secret: bool
    is_set: bool
    value: str | None


@dataclass(frozen=True, slots=True)
class ProviderState:
    """A provider as administrators see it."""

    name: str
    title: str
    host: str | None
    is_on: bool
    is_set: bool
    by_environment: bool
    fields: Sequence[ProviderField]
    what: Message | None
    problem: Message | None


@dataclass(frozen=True, slots=True)
class TestResult:
    """What came back for one query."""

    outcome: Outcome
    results: int
    message: Message | None


@dataclass(frozen=True, slots=True)
class _Stored:
    """As administrators have set it: who is not asked, and variables without their prefix."""

    off: frozenset[str]
    values: Mapping[str, str]


def asked_providers(context: ServerContext) -> list[Provider]:
    """Those that are set and switched on; none where the package for it is not installed.

    One that cannot be made is left out: its page says why.
    """
    providers = []
    with context.store.reading() as connection:
        stored = _read(context, connection)
    for kind in _kinds():
        if kind.name.lower() not in stored.off:
            provider, _problem = _provider_of(kind, stored)
            if provider is not None:
                providers.append(provider)
    return providers


def list_providers(context: ServerContext) -> list[ProviderState]:
    """All kinds that there are, in the order of the registry."""
    with context.store.reading() as connection:
        stored = _read(context, connection)
    return [_state(kind, stored) for kind in _kinds()]


def change_provider(
    context: ServerContext,
    caller: Caller,
    name: str,
    *,
    is_on: bool | None = None,
    values: Mapping[str, str | None],
) -> ProviderState:
    """Switch one on or off, set or erase what it needs; the log says which, and no value."""
    kind = _kind(name)
    with context.store.beside() as connection:
        lock_settings(connection)  # two administrators at once must not undo each other's
        before = _read(context, connection)
        if values and _is_by_environment(kind):
            raise Problem("conflict", "server.provider_environment", name=kind.make.name)
        after = dict(before.values)
        for field, value in values.items():
            variable = _variable(kind, field)
            if text := (value or "").strip():
                after[variable] = text
            else:
                after.pop(variable, None)
        place, key = f"{kind.name}_URL", f"{kind.name}_KEY"
        if key in after and after.get(place) != before.values.get(place) and "key" not in values:
            del after[key]  # a key is for the place it was given for, and for no other
        off = before.off if is_on is None else before.off - {name}
        now = _Stored(off | {name} if is_on is False else off, after)
        if switch := now.values.get(kind.switch):
            _, problem = _provider_of(kind, now)
            if problem is not None and switch != before.values.get(kind.switch):
                raise Problem("bad request", problem)
        if now != before:
            _write(context, connection, before, now)
            detail = {"fields": sorted(values)} if values else {}
            if is_on is not None and (name in before.off) is is_on:
                detail["is_on"] = is_on  # type: ignore[assignment]
            record_act(connection, caller, "provider changed", kind.make.name, **detail)
    return _state(kind, now)


def test_provider(context: ServerContext, name: str) -> TestResult:
    """Ask one provider for the same few words as always; nothing of any document is sent."""
    from likewise.internet import ProviderFailed

    kind = _kind(name)
    with context.store.reading() as connection:
        stored = _read(context, connection)
    provider, problem = _provider_of(kind, stored)
    if provider is None:
        return TestResult("refused", 0, problem or Message("server.provider_not_set"))
    try:
        results = provider.search(TEST_QUERY, 3)
    except ProviderFailed as error:
        return TestResult(_OUTCOMES.get(error.message.key, "refused"), 0, error.message)
    return TestResult("works", len(results), None)


def _state(kind: Kind, stored: _Stored) -> ProviderState:
    name, by_environment = kind.name.lower(), _is_by_environment(kind)
    variables = _variables(kind, stored)
    fields = []
    for variable in kind.fields:
        value = variables.get(_PREFIX + variable, "").strip()
        is_secret = variable.endswith("_KEY")
        shown = value if value and not is_secret else None
        fields.append(ProviderField(_field(kind, variable), is_secret, bool(value), shown))
    provider, problem = _provider_of(kind, stored)
    return ProviderState(
        name=name,
        title=kind.make.name,
        host=None if provider is None else provider.host,
        is_on=name not in stored.off,
        is_set=provider is not None,
        by_environment=by_environment,
        fields=fields,
        what=kind.make.sends,
        problem=problem,
    )


def _provider_of(kind: Kind, stored: _Stored) -> tuple[Provider | None, Message | None]:
    """The provider as it is set, or why there is none; neither where nobody has set it."""
    from likewise.internet import AllowedHosts, is_public, is_set, make_provider

    variables = _variables(kind, stored)
    if not is_set(kind, variables):
        return None, None
    try:
        provider = make_provider(kind, variables)
    except LikewiseError as error:
        return None, error.message
    if not _is_by_environment(kind):
        allowed = AllowedHosts(filter(None, os.environ.get(_PRIVATE_HOSTS, "").split(",")))
        provider.restrict(lambda host, port, address: is_public(address) or allowed.has(host, port))
    return provider, None


_PRIVATE_HOSTS = "LIKEWISE_PRIVATE_HOSTS"


def _variables(kind: Kind, stored: _Stored) -> Mapping[str, str]:
    if _is_by_environment(kind):
        return os.environ
    return {_PREFIX + name: value for name, value in stored.values.items()}


def _is_by_environment(kind: Kind) -> bool:
    return bool(os.environ.get(_PREFIX + kind.switch, "").strip())


def _field(kind: Kind, variable: str) -> str:
    """What a page calls a variable: `GOOGLE_ENGINE` is the `engine` of Google."""
    return variable.removeprefix(f"{kind.name}_").lower()


def _variable(kind: Kind, field: str) -> str:
    for variable in kind.fields:
        if _field(kind, variable) == field:
            return variable
    raise Problem("bad request", "server.provider_field", name=field)


def _kind(name: str) -> Kind:
    for kind in _kinds():
        if kind.name.lower() == name:
            return kind
    raise not_found("server.noun_provider")


def _kinds() -> Sequence[Kind]:
    try:
        from likewise.internet import KINDS
    except ImportError:
        return ()
    return KINDS


def _read(context: ServerContext, connection: Connection) -> _Stored:
    text = read_value(connection, _KEY)
    if text is None:
        return _Stored(frozenset(), {})
    stored = json.loads(text)
    values = {
        name: value
        for name, sealed in stored["values"].items()
        if (value := decrypt(context, connection, name, sealed)) is not None
    }
    return _Stored(frozenset(stored["off"]), values)


def _write(context: ServerContext, connection: Connection, before: _Stored, after: _Stored) -> None:
    """What was not changed stays as it is sealed, also where this process cannot read it."""
    sealed = json.loads(read_value(connection, _KEY) or '{"values": {}}')["values"]
    for name in before.values.keys() - after.values.keys():
        sealed.pop(name, None)
    for name, value in after.values.items():
        if before.values.get(name) != value:
            sealed[name] = encrypt(context, connection, name, value)
    text = json.dumps({"off": sorted(after.off), "values": sealed})
    write_value(connection, _KEY, text)
