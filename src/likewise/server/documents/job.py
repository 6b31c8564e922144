"""Uploads into documents: each file read, each outcome told.

Every document of a job carries the moment at which the job was asked for. That is how an attempt
finds what an earlier one of the same job has added before it was killed, and why it tells the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import Connection, select

from likewise.errors import ReadingError
from likewise.library import schema
from likewise.library.add import add_batch, group_in_batches
from likewise.library.entries import hash_of_bytes, storable
from likewise.library.inputs import InputItem
from likewise.library.metadata import (
    MOST_CHARS,
    NOTHING,
    TEXTS,
    Metadata,
    metadata_from,
    shorten_name,
)
from likewise.library.recipes import Sketching
from likewise.model import Message, Unread
from likewise.reading.folder import Content, File, read_content, read_document, walk
from likewise.reading.request import ReadOptions
from likewise.reading.sandbox import stop_reading
from likewise.server.caller import Caller
from likewise.server.documents.adding import CleanedTable, parse_table
from likewise.server.documents.job_rows import AddedDocument, find_added, remove_orphans
from likewise.server.documents.remaining_quota import RemainingQuota
from likewise.server.http.form_parts import clean_name
from likewise.server.jobs.uploads import naming_file, read_upload
from likewise.server.jobs.work import Work
from likewise.server.people.users import person_by_id
from likewise.server.permissions import ensure_may_add
from likewise.server.problems import Problem, with_code
from likewise.server.shapes import clean_line

State = Literal["new", "copy", "again", "known", "unread"]
STATES: tuple[State, ...] = ("new", "copy", "again", "known", "unread")


def add_uploads(work: Work) -> Mapping[str, Any]:
    """Do a job of the kind `add`."""
    try:
        adding = _Adding(work)
        for batch in group_in_batches(adding.items()):
            adding.add(batch)
        adding.ensure_collection()
    except BaseException:
        stop_reading()  # a file may be half read
        remove_orphans(work.context.store, work.job.request["collection"], work.job.made_on)
        raise
    work.context.store.take_stock()
    return adding.outcome()


@dataclass(frozen=True, slots=True)
class _FileOutcome:
    """What became of one file."""

    name: str
    state: State
    id: int | None = None
    reason: Message | None = None

    def as_dict(self) -> dict[str, Any]:
        about = {"name": self.name, "id": self.id, "state": self.state}
        return about | with_code("reason", self.reason)


class _Adding:
    """One attempt."""

    def __init__(self, work: Work) -> None:
        self._work, self._context, self._job = work, work.context, work.job
        request = work.job.request
        self._collection: str = request["collection"]
        self._uploads: list[str] = request["uploads"]
        with self._context.store.reading() as connection:
            self._caller = _caller_of(connection, work.job.user_id)
            ensure_may_add(connection, self._caller, self._collection)
            self._table = _read_table(connection, request.get("table"))
        common = metadata_from(request.get("metadata") or {})
        self._common = replace(common, owner=self._caller.name, added_on=work.job.made_on)
        self._options = ReadOptions()
        self._quota = RemainingQuota(self._context, self._caller)
        self._outcomes: list[_FileOutcome] = []
        self._added: set[tuple[bytes, str]] = set()
        self._done, self._total = 0, len(self._uploads)
        self._using: Sketching | None = None

    # Reading

    def items(self) -> Iterator[InputItem | Unread]:
        """Everything in the uploads, in order, as it is read."""
        for upload_id in self._uploads:
            with self._context.store.reading() as connection:
                stored = read_upload(connection, upload_id)
            if stored is None:
                yield Unread("upload", Message("server.upload_lost"))
                continue
            upload, data = stored
            self._work.report_progress("reading files", self._done, self._total)
            file = File(upload.name, lambda data=data: data)  # type: ignore[misc]
            for one in walk(file, self._options.limits, prefix="", on_archive=self._count):
                yield read_content(replace(one, name=_clean_path(one.name)), self._read)
                self._done += 1
                self._work.report_progress("reading files", self._done, self._total)

    def _count(self, members: Sequence[File]) -> None:
        """The files of an archive stand in its place, as long as they are not too many."""
        most, total = self._context.settings.most_files, self._total + len(members) - 1
        if total > max(most, len(self._uploads)):
            raise ReadingError("server.archive_files", most=most)
        self._total = total
        self._work.report_progress("reading files", self._done, self._total)

    def _read(self, content: Content) -> InputItem | Unread:
        """A file read, unless the collection holds it; refused where there is no room for it."""
        name, data = content.name, content.data
        sha256 = hash_of_bytes(data)
        original = data if self._context.settings.keep_originals else None
        if self._holds(sha256):
            return InputItem(name, sha256, author=content.author, original=original)
        if reason := self._quota.refusal(len(data) if original is not None else 0):
            return Unread(name, reason)

        def page(done: int, total: int) -> None:
            self._work.report_progress(f"reading pages {self._done + 1}/{self._total}", done, total)

        with naming_file(name):
            document = storable(read_document(content, self._options, page))
        self._quota.take(len(data) if original is not None else 0)
        return InputItem(name, sha256, document, None, document.meta.get("author"), original)

    def _holds(self, sha256: bytes) -> bool:
        document = schema.documents.c
        query = select(document.id).where(
            document.sha256 == sha256, document.collection == self._collection
        )
        return bool(self._query(lambda connection: connection.execute(query).first()))

    def _query(self, read: Callable[[Connection], Any]) -> Any:
        with self._context.store.reading() as connection:
            return read(connection)

    # Writing

    def add(self, batch: list[InputItem | Unread]) -> None:
        """One transaction, and what became of every file in it."""
        self._work.report_progress("adding", self._done, self._total)
        added = add_batch(
            self._context.store, self._sketching, batch, self._metadata_of, self._collection
        )
        removed = {(one.name, one.reason) for one in added.unread}
        beyond = self._quota.settle(self._new_of(batch)) or Message("server.document_removed")
        rows = self._query(
            lambda c: find_added(c, self._job, self._caller, self._collection, batch)
        )
        for item in batch:
            if isinstance(item, Unread):
                self._outcomes.append(_FileOutcome(item.name, "unread", reason=item.reason))
                continue
            row = rows.get(item.sha256)
            if row is None:
                reason = next((why for name, why in removed if name == item.name), beyond)
                self._outcomes.append(_FileOutcome(item.name, "unread", reason=reason))
                continue
            name = self._metadata_of(item).name or shorten_name(item.name)
            state = self._state(item.sha256, name, row)
            missing = None if row.has_text else Message("core.no_text")
            self._outcomes.append(_FileOutcome(item.name, state, row.id, missing))
            self._added.add((item.sha256, name))

    def _state(self, sha256: bytes, name: str, row: AddedDocument) -> State:
        """What this job did with a file, whichever of its attempts did it."""
        if (sha256, name) in self._added:
            return "known"
        if name == row.first_name:
            return "copy" if row.is_copy else "new"
        return "again" if name in row.again else "known"

    def _new_of(self, batch: list[InputItem | Unread]) -> list[int]:
        """Documents that this job has made of a batch."""
        document = schema.documents.c
        hashes = [item.sha256 for item in batch if isinstance(item, InputItem)]
        query = select(document.id).where(
            document.sha256.in_(hashes),
            document.collection == self._collection,
            document.owner == self._caller.name,
            document.added_on == self._job.made_on,
        )
        return list(self._query(lambda connection: connection.execute(query).scalars().all()))

    def _metadata_of(self, item: InputItem) -> Metadata:
        own = self._table.of(item.name) if self._table else NOTHING
        # A name is that of one file, not of all in an archive.
        common = self._common if self._total == 1 else replace(self._common, name=None)
        return _clean_metadata(own.or_else(common).or_else(Metadata(author=item.author)))

    def _sketching(self) -> Sketching:
        """The recipe that checks use now."""
        store = self._context.store
        with store.reading() as connection:
            number = store.state(connection).recipe_id
            if self._using is None or self._using.recipe.id != number:
                self._using = Sketching(store.recipe(connection, number))
                self._using.recipe.check(store.name)
        return self._using

    def ensure_collection(self) -> None:
        """A collection may have been removed while documents went in, and they go with it."""
        self._query(lambda c: ensure_may_add(c, self._caller, self._collection))

    def outcome(self) -> dict[str, Any]:
        counts = {state: sum(one.state == state for one in self._outcomes) for state in STATES}
        return {
            "documents": [one.as_dict() for one in self._outcomes],
            "counts": counts,
            "unmatched": list(self._table.unused) if self._table else [],
        }


def _caller_of(connection: Connection, user_id: str | None) -> Caller:
    person = person_by_id(connection, user_id) if user_id is not None else None
    if person is None or not person.is_active:
        raise Problem("not found", "server.person_lost")
    return Caller(id=person.id, name=person.name, role=person.role, address="")


def _clean_metadata(metadata: Metadata) -> Metadata:
    """Values without what the eye does not see: a mark that turns the writing round lies."""
    texts = {name: getattr(metadata, name) for name in TEXTS}
    cleaned: dict[str, Any] = {
        name: clean_line(text, MOST_CHARS) for name, text in texts.items() if text
    }
    tags = tuple(clean_line(tag, MOST_CHARS) for tag in metadata.tags)
    return replace(metadata, **cleaned, tags=tags)


def _read_table(connection: Connection, upload_id: str | None) -> CleanedTable | None:
    if upload_id is None:
        return None
    stored = read_upload(connection, upload_id)
    if stored is None:
        raise Problem("not found", "server.upload_lost")
    return parse_table(stored[1], stored[0].name)


def _clean_path(name: str) -> str:
    """A name in an archive, each part of it without what could not be seen; the end if it is long.

    PostgreSQL orders names by an index that takes no more than some 2,700 bytes.
    """
    parts = [clean_name(part) for part in name.replace("\\", "/").split("/")]
    path = "/".join(part for part in parts if part) or "unnamed"
    while len(path) > MOST_CHARS:
        path = path.partition("/")[2]
    return path
