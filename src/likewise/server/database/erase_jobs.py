"""Uploads, jobs and people's names in records without what was erased."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from likewise.library.erasure import ERASED_PERSON, Target, Transactions
from likewise.library.metadata import fold_name
from likewise.library.store import now
from likewise.progress import Progress
from likewise.report.redaction import ERASED_DOCUMENT
from likewise.server.database import tables
from likewise.server.database.audit_people import destroy_keys

uploads, parts = tables.uploads, tables.upload_parts
jobs, checks, batches = tables.jobs, tables.checks, tables.batches
certificates = tables.certificates

_ARCHIVE = b"PK\x03\x04"
_ERASED_FILE = {"name": ERASED_DOCUMENT, "reason": None, "code": None, "values": None}
_ENDED = ("done", "failed", "cancelled")
_AT_ONCE = 500
_LOOK_SECONDS = 0.5


def erase_from_jobs(connection: Connection, target: Target, own: str | None) -> dict[str, int]:
    """Delete uploads of the same bytes, and scrub what jobs tell of them; how many of each.

    A job that waits goes on without such a file, or is cancelled where it has no other; `own` is
    the job that erases.
    """
    unwanted = unwanted_uploads(connection, target)
    counts = {"uploads": len(unwanted), "jobs": 0}
    rows = connection.execute(select(jobs).where(jobs.c.id != (own or ""))).all()
    for row in rows:
        values = _scrubbed_job(connection, row, unwanted, target)
        if values:
            connection.execute(update(jobs).where(jobs.c.id == row.id).values(**values))
            counts["jobs"] += 1
    for id in sorted(unwanted):
        connection.execute(delete(uploads).where(uploads.c.id == id))
    return counts


def unwanted_uploads(connection: Connection, target: Target) -> set[str]:
    """Uploads whose bytes are those of erased documents."""
    ids: set[str] = set()
    hashes = sorted(target.sha256s)
    for start in range(0, len(hashes), _AT_ONCE):
        some = [bytes.fromhex(one) for one in hashes[start : start + _AT_ONCE]]
        query = select(uploads.c.id).where(uploads.c.sha256.in_(some))
        ids |= set(connection.execute(query).scalars())
    return ids


def count_waiting_archives(connection: Connection) -> int:
    """Uploads that may hold anything, because nobody has opened them yet."""
    first = func.substr(parts.c.data, 1, len(_ARCHIVE))
    query = select(func.count()).select_from(parts).where(parts.c.number == 0, first == _ARCHIVE)
    return int(connection.execute(query).scalar_one())


def running_jobs(connection: Connection, own: str | None) -> list[str]:
    """Jobs that run now and may have read what was erased before it was."""
    query = select(jobs.c.id).where(
        jobs.c.state == "running",
        jobs.c.kind.in_(("add", "check", "batch", "duplicates")),
        jobs.c.id != (own or ""),
    )
    return sorted(connection.execute(query).scalars())


def wait_for_jobs(
    store: Transactions, own: str | None, progress: Progress, most_seconds: float
) -> tuple[bool, int]:
    """Let jobs end that ran while rows were erased; whether there were any, how many still run."""
    with store.reading() as connection:
        waiting = first = running_jobs(connection, own)
    until = time.monotonic() + most_seconds
    while waiting and time.monotonic() < until:
        progress("waiting for jobs", len(first) - len(waiting), len(first))
        time.sleep(_LOOK_SECONDS)
        with store.reading() as connection:
            waiting = [one for one in running_jobs(connection, own) if one in first]
    return bool(first), len(waiting)


def point_job_to_receipt(connection: Connection, job: str, receipt_id: str) -> None:
    """The names in the request of a job that erases are not needed any more."""
    request = json.dumps({"erasure": receipt_id})
    connection.execute(update(jobs).where(jobs.c.id == job).values(request=request))


def _scrubbed_job(
    connection: Connection, row: Row[Any], unwanted: set[str], target: Target
) -> dict[str, Any]:
    """What is to be changed of a job."""
    request: dict[str, Any] = json.loads(row.request)
    outcome: dict[str, Any] | None = None if row.outcome is None else json.loads(row.outcome)
    erased_ids = set(target.documents)
    upload_ids = [*(request.get("uploads") or ()), request.get("upload"), request.get("table")]
    is_about = (
        bool(unwanted.intersection(filter(None, upload_ids)))
        or request.get("document") in erased_ids
    )
    documents = outcome and outcome.get("documents")
    if isinstance(documents, list) and documents:
        is_about |= all(one.get("id") in erased_ids for one in documents)
    scrubbed = _without_people(request, target.people)
    if is_about:
        scrubbed = _without_upload(scrubbed, unwanted)
    values: dict[str, Any] = {}
    if scrubbed != request:
        values["request"] = json.dumps(scrubbed)
    if (
        outcome is not None
        and (cleaned := _scrubbed_outcome(outcome, erased_ids, is_about)) != outcome
    ):
        values["outcome"] = json.dumps(cleaned)
    if row.error:
        error = _without_names(row.error, target.names)
        if is_about or error != row.error:
            values["error"] = error
    if is_about and row.state not in _ENDED and not _has_files(scrubbed):
        values |= _cancelled(connection, row, request)
    elif is_about and row.state in ("failed", "cancelled"):
        _delete_requested(connection, request)
    return values


def _cancelled(connection: Connection, row: Row[Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """A job without its files comes to nothing, and so does what was asked for."""
    _delete_requested(connection, request)
    if row.state == "queued":
        return {"state": "cancelled", "ended_on": now()}
    return {"is_unwanted": True}


def _delete_requested(connection: Connection, request: Mapping[str, Any]) -> None:
    """Checks and batches that have no result, and never will."""
    for table, id in ((checks, request.get("check")), (batches, request.get("batch"))):
        if id is not None:
            query = delete(table).where(table.c.id == id, table.c.summary.is_(None))
            connection.execute(query)


def _has_files(request: Mapping[str, Any]) -> bool:
    templates = set(request.get("template_uploads") or ())
    files = [one for one in request.get("uploads") or () if one not in templates]
    return bool(files) or request.get("upload") is not None


def _without_upload(request: Mapping[str, Any], unwanted: set[str]) -> dict[str, Any]:
    """A request without files that are gone, and without what it said about them."""
    cleaned = dict(request)
    for name in ("uploads", "template_uploads"):
        if isinstance(cleaned.get(name), list):
            cleaned[name] = [one for one in cleaned[name] if one not in unwanted]
    for name in ("upload", "table"):
        if cleaned.get(name) in unwanted:
            cleaned[name] = None
    if cleaned.get("name"):
        cleaned["name"] = ERASED_DOCUMENT
    if "metadata" in cleaned:
        cleaned["metadata"] = {}
    return cleaned


def _scrubbed_outcome(
    outcome: Mapping[str, Any], erased_ids: set[int], is_about: bool
) -> dict[str, Any]:
    """What came of a job, with nothing told of erased_ids documents but that they were there."""
    cleaned = dict(outcome)
    if isinstance(documents := cleaned.get("documents"), list):
        cleaned["documents"] = [
            one | _ERASED_FILE if one.get("id") in erased_ids else one for one in documents
        ]
    for name in ("first", "similar"):
        if isinstance(matches := cleaned.get(name), list):
            cleaned[name] = [one for one in matches if one.get("document") not in erased_ids]
    if isinstance(pairs := cleaned.get("strongest_pairs"), list):
        cleaned["strongest_pairs"] = [
            one for one in pairs if erased_ids.isdisjoint(one["documents"])
        ]
    if isinstance(clusters := cleaned.get("largest_clusters"), list):
        remaining = [[id for id in one["documents"] if id not in erased_ids] for one in clusters]
        cleaned["largest_clusters"] = [
            one | {"documents": ids}
            for one, ids in zip(clusters, remaining, strict=True)
            if len(ids) > 1
        ]
    if is_about and cleaned.get("unmatched"):
        cleaned["unmatched"] = []
    return cleaned


def _without_names(error: str, names: Collection[str]) -> str:
    """The error of a job, a message as JSON or a sentence of before, without these names."""

    def scrubbed(text: str) -> str:
        for name in sorted(names, key=len, reverse=True):
            text = text.replace(name, ERASED_DOCUMENT)
        return text

    try:
        message = json.loads(error)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        return scrubbed(error)
    return json.dumps(_mapped(message, scrubbed), ensure_ascii=False)


def _without_people(value: Any, people: Collection[str]) -> Any:
    """Every text that is the name of an erased person, under another."""
    folded = {fold_name(name) for name in people}
    return _mapped(value, lambda text: ERASED_PERSON if fold_name(text) in folded else text)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """A value of JSON with each text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_mapped(one, change) for one in value]
    if isinstance(value, dict):
        fixed = "key" if "values" in value else None  # of a message, which is no text
        return {key: one if key == fixed else _mapped(one, change) for key, one in value.items()}
    return value


# People in what is kept of others


def erase_people_from_records(
    connection: Connection, people: Sequence[str], account: str | None = None
) -> dict[str, int]:
    """Take names out of requests and certificates, and destroy the audit log's keys to them.

    The log keeps what was done and when: whoever looks after a site needs it. It no longer says by
    or to whom. How many rows of each.
    """
    if not people:
        return {}
    counts = {"requests": 0, "audit": 0, "certificates": 0}
    for row in connection.execute(select(certificates)).all():
        facts = json.loads(row.facts)
        scrubbed = _without_people({"name": row.user_name, "facts": facts}, people)
        if scrubbed != {"name": row.user_name, "facts": facts}:
            stored = json.dumps(scrubbed["facts"], ensure_ascii=False)
            query = update(certificates).where(certificates.c.id == row.id)
            connection.execute(query.values(user_name=scrubbed["name"], facts=stored))
            counts["certificates"] += 1
    for table in (checks, batches):
        for id, request in connection.execute(select(table.c.id, table.c.request)).all():
            before = json.loads(request)
            scrubbed = _without_people(before, people)
            if scrubbed != before:
                query = update(table).where(table.c.id == id)
                connection.execute(query.values(request=json.dumps(scrubbed)))
                counts["requests"] += 1
    counts["audit"] = destroy_keys(connection, people, account)
    return counts


def names_of_account(connection: Connection, user: str) -> tuple[str, ...]:
    """Under which names somebody stands in records: to log in by, as shown, as a student."""
    users, submissions = tables.users.c, tables.submissions.c
    query = select(users.id, users.name, users.shown_name, users.email).where(users.name == user)
    row = connection.execute(query).first()
    if row is None:
        return (user,)
    handed_in = select(submissions.student).where(submissions.user_id == row.id).distinct()
    names = [row.name, row.shown_name, *filter(None, [row.email])]
    return tuple(dict.fromkeys([*names, *connection.execute(handed_in).scalars()]))
