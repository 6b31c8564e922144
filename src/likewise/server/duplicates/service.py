"""Searches for duplicates: begun, found again, and told as far as the caller may read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, delete, select

from likewise.library import Entry, schema
from likewise.library.entries import read_entries
from likewise.library.filters import split_numbers
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.duplicates.shapes import (
    DuplicateClusterShape,
    DuplicateDocument,
    DuplicatePairShape,
    DuplicatesRequest,
    DuplicatesResult,
    PairFigures,
)
from likewise.server.jobs.queue import (
    ENDED,
    Job,
    enqueue,
    error_fields,
    jobs,
    read_job,
)
from likewise.server.permissions import permissions_of, public_id, readable_collections
from likewise.server.problems import Problem, not_found

_MOST_SEARCHES = 5  # searches of one person
MOST_LISTED = 100  # documents of one cluster
_FIGURES = ("documents", "without_fingerprints", "pairs", "clusters", "awaits_rebuild")


def start_search(context: ServerContext, caller: Caller, request: DuplicatesRequest) -> str:
    """Ask for a search; the job that does the very same already, if there is one.

    A person has one at a time: each may read the fingerprints of a whole library.
    """
    values = request.model_dump(mode="json")
    with context.store.beside() as connection:
        permissions_of(connection, caller).chosen(request.collection)
        users = tables.users.c  # two requests at the same moment take their turns
        connection.execute(select(users.id).where(users.id == caller.id).with_for_update())
        running = select(jobs.c.id, jobs.c.request).where(
            jobs.c.user_id == caller.id, jobs.c.kind == "duplicates", jobs.c.state.not_in(ENDED)
        )
        for id, text in connection.execute(running):
            if json.loads(text).get("duplicates") == values:
                return str(id)
            raise Problem("conflict", "server.duplicates_running", details={"job": id})
        _forget_old(connection, caller)
        return enqueue(connection, "duplicates", caller.id, {"duplicates": values})


def _forget_old(connection: Connection, caller: Caller) -> None:
    """Of the searches of a person the newest are kept: each may have found thousands of pairs."""
    own = (jobs.c.user_id == caller.id, jobs.c.kind == "duplicates")
    newest_first = select(jobs.c.id).where(*own).order_by(jobs.c.made_on.desc(), jobs.c.id)
    for id in connection.execute(newest_first).scalars().all()[_MOST_SEARCHES - 1 :]:
        connection.execute(delete(jobs).where(jobs.c.id == id))


def show_search(context: ServerContext, caller: Caller, id: str) -> DuplicatesResult:
    """How far a search is, and how much it has found."""
    with context.store.reading() as connection:
        job = _own_job(connection, caller, id)
    outcome = job.outcome if job.state == "done" and job.outcome is not None else {}
    return DuplicatesResult(
        job=job.id,
        state=job.state,
        made_on=job.made_on,
        request=DuplicatesRequest.model_validate(job.request["duplicates"]),
        **{name: outcome.get(name) for name in _FIGURES},
        **error_fields(job.error if job.state == "failed" else None),
    )


def list_pairs(
    context: ServerContext, caller: Caller, id: str, limit: int, offset: int
) -> tuple[list[DuplicatePairShape], int]:
    """A page of the strongest pairs whose documents the caller may read now, and how many."""
    with context.store.reading() as connection:
        pairs = _stored_list(_own_job(connection, caller, id), "strongest_pairs")
        readable = _readable(connection, caller, (id for one in pairs for id in one["documents"]))
        pairs = [one for one in pairs if readable.issuperset(one["documents"])]
        page = pairs[offset : offset + limit]
        documents = _documents(connection, (id for one in page for id in one["documents"]))
    items = [
        DuplicatePairShape(
            a=documents[one["documents"][0]],
            b=documents[one["documents"][1]],
            **PairFigures(*one["figures"])._asdict(),
        )
        for one in page
    ]
    return items, len(pairs)


def list_clusters(
    context: ServerContext, caller: Caller, id: str, limit: int, offset: int
) -> tuple[list[DuplicateClusterShape], int]:
    """A page of the largest clusters, as far as the caller may read them now, and how many."""
    with context.store.reading() as connection:
        clusters = _stored_list(_own_job(connection, caller, id), "largest_clusters")
        readable = _readable(
            connection, caller, (id for one in clusters for id in one["documents"])
        )
        members = [[id for id in one["documents"] if id in readable] for one in clusters]
        several = [k for k, ids in enumerate(members) if len(ids) > 1]
        page = several[offset : offset + limit]
        documents = _documents(connection, (id for k in page for id in members[k][:MOST_LISTED]))
    items = [
        DuplicateClusterShape(
            documents=len(members[k]),
            members=[documents[id] for id in members[k][:MOST_LISTED]],
            weakest=clusters[k]["weakest"],
        )
        for k in page
    ]
    return items, len(several)


def _own_job(connection: Connection, caller: Caller, id: str) -> Job:
    job = read_job(connection, id)
    if job is None or job.user_id != caller.id or job.kind != "duplicates":
        raise not_found("server.noun_request")
    return job


def _stored_list(job: Job, name: str) -> list[dict[str, Any]]:
    if job.state != "done" or job.outcome is None:
        key = "server.cancelled" if job.state == "cancelled" else "server.in_progress"
        if job.state == "failed" and job.error is not None:
            why = job.error.full_message
            raise Problem("not ready", "server.failed", details={"state": job.state}, why=why)
        raise Problem("not ready", key, details={"state": job.state})
    rows: list[dict[str, Any]] = job.outcome[name]
    return rows


def _readable(connection: Connection, caller: Caller, ids: Iterable[int]) -> set[int]:
    """Those of some documents that are there, and that the caller may read."""
    document = schema.documents.c
    here = document.collection.in_(readable_collections(connection, caller))
    readable: set[int] = set()
    for part in split_numbers(sorted(set(ids))):
        query = select(document.id).where(document.id.in_(part), here)
        readable.update(connection.execute(query).scalars())
    return readable


def _documents(connection: Connection, ids: Iterable[int]) -> dict[int, DuplicateDocument]:
    return {entry.id: _document(entry) for entry in read_entries(connection, ids)}


def _document(entry: Entry) -> DuplicateDocument:
    return DuplicateDocument(
        id=entry.id,
        name=entry.name,
        collection=public_id(entry.collection),
        owner=entry.owner,
        author=entry.author,
        added_on=entry.added_on,
        words=entry.words,
    )
