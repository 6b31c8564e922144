"""Files of hand-ins as their job finds them: uploads, and members of archives."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

from sqlalchemy import Row, select

from likewise.catalogue import Message
from likewise.errors import BadInput
from likewise.model import Document, Unread
from likewise.reading.folder import File, read_files, walk
from likewise.reading.request import ReadOptions
from likewise.server.assignments.rules import Assignment
from likewise.server.assignments.service import lock_assignment
from likewise.server.checks.job_inputs import read_stored_upload
from likewise.server.database import tables
from likewise.server.jobs.work import Cancelled, Work
from likewise.server.submissions.attempts import HandIn, files_by_names, take

uploads, submissions = tables.uploads, tables.submissions


class Files:
    """Bytes by their hash, read when their turn comes: a class need not be in memory all at once.

    What archives hold lies in a folder for as long as the job runs.
    """

    def __init__(self, work: Work) -> None:
        self._folder = TemporaryDirectory(prefix="likewise-")
        self._loaders: dict[bytes, Callable[[], bytes]] = {}
        self.unread: list[Unread] = []
        ids = sorted(set(work.job.request["files"].values()))
        with work.context.store.reading() as connection:
            query = select(uploads.c.id, uploads.c.sha256).where(uploads.c.id.in_(ids))
            for id, sha256 in connection.execute(query):
                self._loaders[bytes(sha256)] = lambda id=id: read_stored_upload(  # type: ignore[misc]
                    work.context, id
                )[1]

    def __enter__(self) -> Files:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def holds(self, sha256: bytes) -> bool:
        """Whether the bytes are at hand."""
        return sha256 in self._loaders

    def load(self, sha256: bytes) -> bytes:
        """The bytes of a file."""
        return self._loaders[sha256]()

    def add(self, data: bytes) -> bytes:
        """Put bytes down; their hash."""
        sha256 = hashlib.sha256(data).digest()
        if sha256 not in self._loaders:
            place = Path(self._folder.name) / sha256.hex()
            place.write_bytes(data)
            self._loaders[sha256] = place.read_bytes
        return sha256


def open_archives(work: Work, assignment: Assignment, files: Files) -> None:
    """Write down whose the files of archives are; what the job wrote before is there already."""
    for hand_in in work.job.request["archives"]:
        left = [id for id in hand_in["uploads"] if id in work.job.request["uploads"]]
        paths, hashes = _members(work, left, files)  # others were erased meanwhile
        named = files_by_names(
            paths,
            hashes,
            student=hand_in["student"],
            groups=hand_in["groups"],
            group=hand_in["group"],
        )
        act = HandIn(
            by=hand_in["by"],
            user=hand_in["user"],
            handed_in_on=datetime.fromisoformat(hand_in["on"]),
            is_timed=hand_in["is_timed"],
            consent=hand_in["consent"],
            job=work.job.id,
        )
        with work.context.store.beside() as connection:
            lock_assignment(connection, assignment.id)
            query = select(tables.assignments.c.id).where(tables.assignments.c.id == assignment.id)
            if connection.execute(query).first() is None:
                raise Cancelled
            take(connection, assignment, act, named)


def _members(
    work: Work, ids: Sequence[str], files: Files
) -> tuple[list[str], list[tuple[int, bytes]]]:
    """The paths of all files in some uploads, with their sizes and hashes."""
    paths: list[str] = []
    hashes: list[tuple[int, bytes]] = []
    limits, most = ReadOptions().limits, work.context.settings.most_files
    for done, id in enumerate(ids):
        work.report_progress("unpacking", done, len(ids))
        stored, data = read_stored_upload(work.context, id)
        file = File(stored.name, lambda data=data: data)  # type: ignore[misc]
        for one in walk(file, limits, prefix=""):
            if isinstance(one, Unread):
                files.unread.append(one)
                continue
            paths.append(one.name or stored.name)
            hashes.append((len(one.data), files.add(one.data)))
            if len(paths) > most:
                raise BadInput("server.many_files", n=most)
    return paths, hashes


def read_documents(
    work: Work,
    files: Files,
    assignment: Assignment,
    rows: Sequence[Row[Any]],
    names: Mapping[str, str],
) -> tuple[list[Document], list[Unread]]:
    """The documents of some submissions under their names, and those that could not be read.

    Of a blind assignment what a file says about its author is left out.
    """
    is_blind = bool(assignment.row.is_blind)
    listed = [
        File(
            names[row.id],
            lambda row=row: files.load(bytes(row.sha256)),  # type: ignore[misc]
            None if is_blind else row.student,
        )
        for row in rows
    ]

    def report(_stage: str, done: int, total: int) -> None:
        work.report_progress("reading", done, total)

    documents, unread = read_files(listed, ReadOptions(), report)
    if is_blind:
        documents = [replace(one, meta=_without_people(one.meta)) for one in documents]
    most = work.context.config.most_text_bytes
    too_long = [
        Unread(one.name, Message("server.text_too_long", {"n": len(one.text), "most": most}))
        for one in documents
        if len(one.text) > most
    ]
    return [one for one in documents if len(one.text) <= most], [*unread, *too_long]


_PEOPLE = ("author", "file_author")


def _without_people(meta: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in meta.items() if key not in _PEOPLE}
