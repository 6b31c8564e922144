"""Uploads into documents: each file read, each outcome told.

Every document of a job carries the moment at which the job was asked for. That is how an attempt
finds what an earlier one of the same job has added before it was killed, and why it tells the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import Connection, select

from likewise.errors import ReadingError
from likewise.library import schema
from likewise.library.add import add_batch, in_batches
from likewise.library.incoming import Incoming
from likewise.library.metadata import NOTHING, Metadata, cleaned, metadata_from
from likewise.library.numbers import parts_of
from likewise.library.recipes import Sketching
from likewise.library.remove import remove_documents
from likewise.library.texts import hash_of_bytes, storable
from likewise.model import Unread
from likewise.reading.archive import BEGINNINGS, Archive
from likewise.reading.folder import DEEPEST_ARCHIVE, File, by_author, members_of
from likewise.reading.read import How, read_as_asked
from likewise.reading.sandbox import stop_reading
from likewise.reading.sniff import sniff
from likewise.server.access import Caller
from likewise.server.accounts.people import person_of
from likewise.server.adding import OwnTable, table_of
from likewise.server.forms import clean_name
from likewise.server.jobs.work import Work
from likewise.server.problems import Problem
from likewise.server.quotas import bytes_of, documents_of, limits_of, waiting_bytes_of
from likewise.server.rights import ensure_may_add
from likewise.server.standing import standing_of
from likewise.server.uploads import read_upload

State = Literal["new", "copy", "again", "known", "unread"]
STATES: tuple[State, ...] = ("new", "copy", "again", "known", "unread")
_GONE = "whoever handed these files in is no longer here"
_LOST = "the upload is gone; hand it in again"
_TOO_MANY = "you may not have more documents; an administrator can give you more"
_TOO_LARGE = "you may not keep more bytes; an administrator can give you more"


def add_uploads(work: Work) -> Mapping[str, Any]:
    """Do a job of the kind `add`."""
    adding = _Adding(work)
    try:
        for batch in in_batches(adding.items()):
            adding.add(batch)
    except BaseException:
        stop_reading()  # a file may be half read
        raise
    adding.ensure_collection()
    work.site.store.take_stock()
    return adding.outcome()


@dataclass(frozen=True, slots=True)
class _Told:
    """What became of one file."""

    name: str
    state: State
    id: int | None = None
    reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "id": self.id, "state": self.state, "reason": self.reason}


class _Adding:
    """One attempt."""

    def __init__(self, work: Work) -> None:
        self._work, self._site, self._job = work, work.site, work.job
        request = work.job.request
        self._collection: str = request["collection"]
        self._uploads: list[str] = request["uploads"]
        with self._site.store.reading() as connection:
            self._caller = _who(connection, work.job.user_id)
            ensure_may_add(connection, self._caller, self._collection)
            self._table = _table(connection, request.get("table"))
        of_all = metadata_from(request.get("metadata") or {})
        self._of_all = replace(of_all, owner=self._caller.name, added_on=work.job.made_on)
        self._how = How()
        self._room = _Room(self._connected, self._caller)
        self._told: list[_Told] = []
        self._seen: set[tuple[bytes, str]] = set()
        self._done, self._total = 0, len(self._uploads)
        self._using: Sketching | None = None

    # Reading

    def items(self) -> Iterator[Incoming | Unread]:
        """Everything in the uploads, in order, as it is read."""
        for upload in self._uploads:
            with self._site.store.reading() as connection:
                found = read_upload(connection, upload)
            if found is None:
                yield Unread("upload", _LOST)
                continue
            kept, data = found
            yield from self._read(File(kept.name, lambda data=data: data))  # type: ignore[misc]

    def _read(self, file: File, depth: int = 0) -> Iterator[Incoming | Unread]:
        self._work.tell("reading files", self._done, self._total)
        name = _shown(file.name)
        try:
            data = file.load()
            if data[:4] in BEGINNINGS and sniff(data, name) == "archive":
                if depth == DEEPEST_ARCHIVE:
                    raise ReadingError("an archive within archives, deeper than is looked into")
                above = f"{file.name}/" if depth else ""
                inner = list(members_of(Archive(data, self._how.limits), above, self._how))
                most = self._site.settings.most_files
                if self._total + len(inner) - 1 > max(most, len(self._uploads)):
                    raise ReadingError(f"more files than {most:,}, which one upload may hold")
                self._total += len(inner) - 1
                for each in inner:
                    yield from self._read(each, depth + 1)
                return
            yield self._taken(file, name, data)
        except ReadingError as problem:
            yield Unread(name, str(problem))
        self._done += 1
        self._work.tell("reading files", self._done, self._total)

    def _taken(self, file: File, name: str, data: bytes) -> Incoming | Unread:
        """A file read, unless the collection holds it; refused where there is no room for it."""
        sha256 = hash_of_bytes(data)
        original = data if self._site.settings.keep_originals else None
        if self._holds(sha256):
            return Incoming(name, sha256, author=file.author, original=original)
        if reason := self._room.why_not(len(data) if original is not None else 0):
            return Unread(name, reason)

        def page(done: int, total: int) -> None:
            self._work.tell(f"reading pages {self._done + 1}/{self._total}", done, total)

        read = read_as_asked(data, name, self._how, tell_page=page)
        document = storable(by_author(read, file.author))
        self._room.take(len(data) if original is not None else 0)
        return Incoming(name, sha256, document, None, document.meta.get("author"), original)

    def _holds(self, sha256: bytes) -> bool:
        document = schema.documents.c
        query = select(document.id).where(
            document.sha256 == sha256, document.collection == self._collection
        )
        return bool(self._connected(lambda connection: connection.execute(query).first()))

    def _connected(self, ask: Callable[[Connection], Any]) -> Any:
        with self._site.store.reading() as connection:
            return ask(connection)

    # Writing

    def add(self, batch: list[Incoming | Unread]) -> None:
        """One transaction, and what became of every file in it."""
        self._work.tell("adding", self._done, self._total)
        added = add_batch(
            self._site.store, self._sketching, batch, self._metadata_of, self._collection
        )
        removed = {(one.name, one.reason) for one in added.unread}
        there = self._connected(lambda connection: self._rows(connection, batch))
        for item in batch:
            if isinstance(item, Unread):
                self._told.append(_Told(item.name, "unread", reason=item.reason))
                continue
            row = there.get(item.sha256)
            if row is None:
                reason = next((why for name, why in removed if name == item.name), "it was removed")
                self._told.append(_Told(item.name, "unread", reason=reason))
                continue
            name = self._metadata_of(item).name or cleaned(item.name)
            self._told.append(_Told(item.name, self._state(item.sha256, name, row), row.id))
            self._seen.add((item.sha256, name))

    def _state(self, sha256: bytes, name: str, row: _Row) -> State:
        """What this job did with a file, whichever of its attempts did it."""
        if (sha256, name) in self._seen:
            return "known"
        if name == row.first_name:
            return "copy" if row.is_copy else "new"
        return "again" if name in row.again else "known"

    def _metadata_of(self, item: Incoming) -> Metadata:
        own = self._table.of(item.name) if self._table else NOTHING
        # A name is that of one file, not of all in an archive.
        of_all = self._of_all if self._total == 1 else replace(self._of_all, name=None)
        return own.or_else(of_all).or_else(Metadata(author=item.author))

    def _rows(self, connection: Connection, batch: list[Incoming | Unread]) -> dict[bytes, _Row]:
        """The documents with the bytes of a batch, as far as this job had to do with them."""
        document, reference = schema.documents.c, schema.document_references.c
        readable = standing_of(connection, self._caller).readable
        hashes = [item.sha256 for item in batch if isinstance(item, Incoming)]
        query = select(
            *(document.id, document.sha256, document.name, document.owner),
            *(document.added_on, document.copy_of),
        ).where(document.sha256.in_(hashes), document.collection == self._collection)
        rows = connection.execute(query).all() if hashes else []
        again: dict[int, set[str]] = {}
        for part in parts_of([row.id for row in rows]):
            ours = select(reference.document_id, reference.name).where(
                reference.document_id.in_(part),
                reference.owner == self._caller.name,
                reference.added_on == self._job.made_on,
            )
            for number, name in connection.execute(ours):
                again.setdefault(number, set()).add(name)
        found = {}
        for row in rows:
            is_ours = row.owner == self._caller.name and row.added_on == self._job.made_on
            found[bytes(row.sha256)] = _Row(
                row.id,
                row.name if is_ours else None,
                row.copy_of is not None and _has_earlier(connection, row.copy_of, row.id, readable),
                frozenset(again.get(row.id, ())),
            )
        return found

    def _sketching(self) -> Sketching:
        """The recipe that checks use now."""
        store = self._site.store
        with store.reading() as connection:
            number = store.state(connection).recipe_id
            if self._using is None or self._using.recipe.id != number:
                self._using = Sketching(store.recipe(connection, number))
                self._using.recipe.check(store.name)
        return self._using

    def ensure_collection(self) -> None:
        """A collection may have been removed while documents went in, and they go with it."""
        try:
            self._connected(lambda c: ensure_may_add(c, self._caller, self._collection))
        except Problem:
            document = schema.documents.c
            with self._site.store.writing() as (connection, change):
                query = select(document.id).where(
                    document.collection == self._collection,
                    document.owner == self._caller.name,
                    document.added_on == self._job.made_on,
                )
                remove_documents(connection, change, list(connection.execute(query).scalars()))
            raise

    def outcome(self) -> dict[str, Any]:
        counts = {state: sum(one.state == state for one in self._told) for state in STATES}
        return {
            "documents": [one.as_dict() for one in self._told],
            "counts": counts,
            "unmatched": list(self._table.unused) if self._table else [],
        }


@dataclass(frozen=True, slots=True)
class _Row:
    """A document, and what of it comes from this job."""

    id: int
    first_name: str | None  # under which this job handed it in first
    is_copy: bool  # of a text that the caller may read
    again: frozenset[str]  # names under which this job handed it in again


class _Room:
    """What the person may still add, counted when the job begins and then as it goes on."""

    def __init__(self, ask: Callable[[Callable[[Connection], Any]], Any], caller: Caller) -> None:
        def left(connection: Connection) -> tuple[int | None, int | None]:
            limits = limits_of(connection, caller.id)
            documents = bytes_left = None
            if limits.documents is not None:
                documents = limits.documents - documents_of(connection, caller.name)
            if limits.bytes is not None:
                used = bytes_of(connection, caller.id, caller.name)
                # What waits is what is being added; it is forgotten in the end.
                bytes_left = limits.bytes - used + waiting_bytes_of(connection, caller.id)
            return documents, bytes_left

        self._documents, self._bytes = ask(left)

    def why_not(self, size: int) -> str | None:
        if self._documents is not None and self._documents < 1:
            return _TOO_MANY
        return _TOO_LARGE if self._bytes is not None and self._bytes < size else None

    def take(self, size: int) -> None:
        if self._documents is not None:
            self._documents -= 1
        if self._bytes is not None:
            self._bytes -= size


def _who(connection: Connection, user_id: str | None) -> Caller:
    person = person_of(connection, user_id) if user_id is not None else None
    if person is None or not person.is_active:
        raise Problem("not found", _GONE)
    return Caller(id=person.id, name=person.name, role=person.role, address="")


def _table(connection: Connection, upload: str | None) -> OwnTable | None:
    if upload is None:
        return None
    found = read_upload(connection, upload)
    if found is None:
        raise Problem("not found", _LOST)
    return table_of(found[1], found[0].name)


def _shown(name: str) -> str:
    """A name in an archive, each part of it without what could not be seen."""
    parts = [clean_name(part) for part in name.replace("\\", "/").split("/")]
    return "/".join(part for part in parts if part) or "unnamed"


def _has_earlier(connection: Connection, root: int, number: int, readable: tuple[str, ...]) -> bool:
    """Whether an older document of the same text is there for the caller."""
    document = schema.documents.c
    query = select(document.id).where(
        (document.id == root) | (document.copy_of == root),
        document.id < number,
        document.collection.in_(readable),
    )
    return connection.execute(query.limit(1)).first() is not None
