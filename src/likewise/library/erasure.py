"""Requests to erase, and the receipts that say what became of them.

A receipt holds figures and hashes, never a text or a name: with the hashes, what comes back from a
backup or an archive is known again. It is begun in the transaction that removes the first row, so
that an erasure which was killed goes on with the same receipt, and ends with its last step.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from sqlalchemy import Connection

from likewise.errors import BadInput
from likewise.library.errors import LibraryError
from likewise.library.filters import check_numbers
from likewise.library.metadata import fold_name

VERSION = 1  # of receipts
Kind = Literal["documents", "file", "person", "user", "again"]
State = Literal["running", "done"]
ERASED_PERSON = "erased person"  # the name of everybody


@dataclass(frozen=True, slots=True)
class EraseRequest:
    """What is to be erased: documents by number, a file's bytes, or all of a person or an account.

    `person` is an author or owner as the library spells the name, `user` a name to log in by.
    """

    documents: tuple[int, ...] = ()
    sha256s: tuple[str, ...] = ()
    person: str | None = None
    user: str | None = None
    copies: bool = False  # documents of other bytes with the same text too
    again: bool = False  # what was erased before and has come back

    def __post_init__(self) -> None:
        choices = (self.documents, self.sha256s, self.person, self.user, self.again)
        if sum(map(bool, choices)) != 1:
            raise BadInput("library.nothing_to_erase")
        check_numbers(self.documents)
        for sha256 in self.sha256s:
            if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
                raise BadInput("library.not_sha256")

    @property
    def kind(self) -> Kind:
        if self.again:
            return "again"
        if self.person is not None:
            return "person"
        if self.user is not None:
            return "user"
        return "documents" if self.documents else "file"

    def as_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> EraseRequest:
        values = dict(written)
        for name in ("documents", "sha256s"):
            values[name] = tuple(values.get(name, ()))
        return cls(**values)


@dataclass(frozen=True, slots=True)
class NameHash:
    """A name that is known again, and not told."""

    salt: str
    hash: str

    @classmethod
    def of(cls, name: str) -> NameHash:
        salt = secrets.token_hex(16)
        return cls(salt, cls._hash(salt, name))

    def fits(self, name: str) -> bool:
        """Whether this is the hash of a name, however it is spaced and capitalised.

        >>> NameHash.of("Aigul Nur").fits(" aigul  NUR"), NameHash.of("Aigul Nur").fits("Asel")
        (True, False)
        """
        return secrets.compare_digest(self._hash(self.salt, name), self.hash)

    @staticmethod
    def _hash(salt: str, name: str) -> str:
        data = f"{salt} {fold_name(name)}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class BackupNote:
    """A backup that was made: the name of its file, and the days between which it is kept."""

    name: str
    made_on: str  # as JSON has days and times, in UTC
    expires_on: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased: how much of each kind, and what could not be reached."""

    id: str
    kind: Kind
    made_on: datetime  # in UTC, when it began
    by: str | None = None  # the name of who asked; None for the machine's own operator
    state: State = "running"
    ended_on: datetime | None = None
    documents: tuple[int, ...] = ()  # numbers: partners know documents by them
    sha256s: tuple[str, ...] = ()  # of the bytes
    texts: tuple[str, ...] = ()  # SHA-256 of texts that never were files
    people: tuple[NameHash, ...] = ()  # authors and owners
    users: tuple[NameHash, ...] = ()  # names of accounts
    counts: Mapping[str, int] = field(default_factory=dict)
    unreached: Mapping[str, int] = field(default_factory=dict)
    rows: tuple[str, ...] = ()  # of hosts, by their ids: results that go whole
    backups: tuple[BackupNote, ...] = ()  # that hold it still, until they expire
    engine: str = ""  # sqlite or postgresql

    def counted(self, more: Mapping[str, int]) -> Receipt:
        """With some more of each kind."""
        counts = dict(self.counts)
        for what, number in more.items():
            counts[what] = counts.get(what, 0) + number
        return replace(self, counts=counts)

    def with_hashes(self, documents: Iterable[int], sha256s: Iterable[str]) -> Receipt:
        """With more documents, each told once."""
        return replace(
            self,
            documents=tuple(sorted({*self.documents, *documents})),
            sha256s=tuple(sorted({*self.sha256s, *sha256s})),
        )

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON; who asked stands in the row alone, where it can be taken out."""
        record = {"version": VERSION} | asdict(self)
        del record["by"]
        for name in ("made_on", "ended_on"):
            record[name] = None if record[name] is None else _format_time(record[name])
        for name in ("counts", "unreached"):
            record[name] = {what: n for what, n in record[name].items() if n or name == "unreached"}
        return record


def _format_time(time: datetime) -> str:
    return time.replace(tzinfo=UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None)


def receipt_of(record: Mapping[str, Any], by: str | None = None) -> Receipt:
    """The receipt that was written as JSON."""
    if record.get("version", VERSION) > VERSION:
        raise LibraryError("library.newer_receipt")
    values = {name: record[name] for name in Receipt.__slots__ if name in record}
    for name in ("documents", "sha256s", "texts"):
        values[name] = tuple(values.get(name, ()))
    for name in ("people", "users"):
        values[name] = tuple(NameHash(**one) for one in values.get(name, ()))
    values["rows"] = tuple(values.get("rows", ()))
    values["backups"] = tuple(BackupNote(**one) for one in values.get("backups", ()))
    values["made_on"] = _parse_time(values["made_on"])
    if values.get("ended_on") is not None:
        values["ended_on"] = _parse_time(values["ended_on"])
    return Receipt(**values | {"by": by})


@dataclass(frozen=True, slots=True)
class Target:
    """What an erasure is about, as the library stands now.

    `documents` go altogether, `left` stay with others who handed them in too. Names are those of
    the library, in every spelling; hashes are of files and of texts.
    """

    documents: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    copies: tuple[int, ...] = ()  # of the same text, which stay
    names: frozenset[str] = frozenset()  # of documents
    people: frozenset[str] = frozenset()
    roles: tuple[str, ...] = ("owner", "author")  # in which these people are meant
    sha256s: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()  # of hosts: results that go, whatever their text

    @property
    def hashes(self) -> frozenset[str]:
        """By which reports know documents."""
        return self.sha256s | self.texts

    @classmethod
    def of_receipt(cls, receipt: Receipt) -> Target:
        """The same for what is gone from the tables already."""
        return cls(
            documents=receipt.documents,
            sha256s=frozenset(receipt.sha256s),
            texts=frozenset(receipt.texts),
            rows=frozenset(receipt.rows),
        )

    def __or__(self, other: Target) -> Target:
        return Target(
            documents=tuple(sorted({*self.documents, *other.documents})),
            left=tuple(sorted({*self.left, *other.left} - {*self.documents, *other.documents})),
            copies=tuple(sorted({*self.copies, *other.copies} - {*self.documents})),
            names=self.names | other.names,
            people=self.people | other.people,
            roles=self.roles if self.people else other.roles,
            sha256s=self.sha256s | other.sha256s,
            texts=self.texts | other.texts,
            rows=self.rows | other.rows,
        )


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What people gave to a host: documents of the library, bytes, and results by their ids."""

    documents: tuple[int, ...] = ()
    sha256s: frozenset[str] = frozenset()  # that nobody else has
    rows: frozenset[str] = frozenset()


class Transactions(Protocol):
    """Where rows are read and written a few at a time: a store, or one transaction of it."""

    def reading(self) -> AbstractContextManager[Connection]: ...
    def beside(self) -> AbstractContextManager[Connection]: ...


@dataclass(frozen=True, slots=True)
class OneTransaction:
    """All in the transaction of a connection."""

    connection: Connection

    def reading(self) -> AbstractContextManager[Connection]:
        return nullcontext(self.connection)

    def beside(self) -> AbstractContextManager[Connection]:
        return nullcontext(self.connection)
