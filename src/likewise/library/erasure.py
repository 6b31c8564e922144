"""Requests to erase, and the receipts that say what became of them.

A receipt holds figures and hashes, never a text or a name: with the hashes, what comes back from a
backup or an archive is known again. It is begun in the transaction that removes the first row, so
that an erasure which was killed goes on with the same receipt, and ends with its last step.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection, insert, select, update

from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.errors import LibraryError
from likewise.library.numbers import check_numbers
from likewise.library.store import now

erasures = schema.server.erasures

VERSION = 1  # of receipts
Kind = Literal["documents", "file", "person", "user", "again"]
State = Literal["running", "done"]
# What no program here reaches: the receipt says so, and a person goes on from there.
Unreached = Literal[
    "backups",  # made before
    "partners",  # fingerprints that were exported
    "downloads",  # reports and originals that people have saved
    "database pages",  # of PostgreSQL, until a full vacuum
    "write-ahead log",  # of SQLite, while others read; of PostgreSQL, its archive and replicas
    "damaged copies",  # files that a restore has moved aside
    "waiting archives",  # uploads whose members nobody has looked at yet
    "unreadable results",  # kept by a newer version, or damaged
    "running jobs",  # that did not end while the erasure waited
    "files",  # of the cache or the index, which could not be deleted
]


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
        asked = (self.documents, self.sha256s, self.person, self.user, self.again)
        if sum(map(bool, asked)) != 1:
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
    def from_dict(cls, told: Mapping[str, Any]) -> EraseRequest:
        values = dict(told)
        for name in ("documents", "sha256s"):
            values[name] = tuple(values.get(name, ()))
        return cls(**values)


def fold_name(name: str) -> str:
    """A name as it is compared, however it is written.

    >>> fold_name("  A.  NUR ") == fold_name("a. Nur")
    True
    """
    return " ".join(name.split()).casefold()


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
        """
        >>> NameHash.of("Aigul Nur").fits(" aigul  NUR"), NameHash.of("Aigul Nur").fits("Asel")
        (True, False)
        """
        return secrets.compare_digest(self._hash(self.salt, name), self.hash)

    @staticmethod
    def _hash(salt: str, name: str) -> str:
        data = f"{salt} {fold_name(name)}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(data).hexdigest()


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
        told = {"version": VERSION} | asdict(self)
        del told["by"]
        for name in ("made_on", "ended_on"):
            told[name] = None if told[name] is None else _written(told[name])
        for name in ("counts", "unreached"):
            told[name] = {what: n for what, n in told[name].items() if n or name == "unreached"}
        return told


def _written(moment: datetime) -> str:
    return moment.replace(tzinfo=UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _read_moment(written: str) -> datetime:
    return datetime.fromisoformat(written).astimezone(UTC).replace(tzinfo=None)


def receipt_of(told: Mapping[str, Any], by: str | None = None) -> Receipt:
    """The receipt that was written as JSON."""
    if told.get("version", VERSION) > VERSION:
        raise LibraryError("library.newer_receipt")
    values = {name: told[name] for name in Receipt.__slots__ if name in told}
    for name in ("documents", "sha256s", "texts"):
        values[name] = tuple(values.get(name, ()))
    for name in ("people", "users"):
        values[name] = tuple(NameHash(**one) for one in values.get(name, ()))
    values["made_on"] = _read_moment(values["made_on"])
    if values.get("ended_on") is not None:
        values["ended_on"] = _read_moment(values["ended_on"])
    return Receipt(**values | {"by": by})


# The table


def new_receipt(kind: Kind, engine: str, by: str | None = None, id: str | None = None) -> Receipt:
    """The beginning of one."""
    return Receipt(id or secrets.token_hex(12), kind, now(), by, engine=engine)


def write_receipt(connection: Connection, receipt: Receipt, user_id: str | None = None) -> None:
    """Keep a receipt as it stands now, in the transaction of what it tells."""
    row = erasures.c
    written = json.dumps(receipt.as_dict())
    query = update(erasures).where(row.id == receipt.id).values(receipt=written)
    if not connection.execute(query).rowcount:
        connection.execute(
            insert(erasures).values(
                id=receipt.id,
                made_on=receipt.made_on,
                user_id=user_id,
                user_name=receipt.by,
                receipt=written,
            )
        )


def read_receipt(connection: Connection, id: str) -> Receipt | None:
    """A receipt by its letters."""
    row = erasures.c
    query = select(row.receipt, row.user_name).where(row.id == id)
    kept = connection.execute(query).first()
    return None if kept is None else receipt_of(json.loads(kept.receipt), kept.user_name)


def read_receipts(
    connection: Connection, *, limit: int | None = None, offset: int = 0
) -> list[Receipt]:
    """Receipts, the newest first."""
    row = erasures.c
    query = select(row.receipt, row.user_name).order_by(row.made_on.desc(), row.id)
    page = query.offset(offset) if limit is None else query.limit(limit).offset(offset)
    found = []
    for kept in connection.execute(page).all():
        with contextlib.suppress(ValueError, KeyError, TypeError):  # damaged: it says nothing
            found.append(receipt_of(json.loads(kept.receipt), kept.user_name))
    return found
