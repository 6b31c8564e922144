"""How much one person may hold and ask for; what is not limited is None."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, func, select

from likewise.library import schema
from likewise.library.originals import original_bytes
from likewise.server.caller import Caller
from likewise.server.context import ServerContext, SiteSettings, read_settings
from likewise.server.database import tables
from likewise.server.jobs.queue import database_now, jobs
from likewise.server.problems import Problem

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
_OF_UPLOADS = ("add", "check", "batch", "similar")  # jobs
_COME_AGAIN_SECONDS = 5
users = tables.users


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one person."""

    documents: int | None
    bytes: int | None
    checks_a_day: int | None


@dataclass(frozen=True, slots=True)
class Usage:
    """What one person holds, and asked for in the last 24 hours."""

    documents: int
    bytes: int
    checks_a_day: int


def limits_of(connection: Connection, user_id: str) -> Limits:
    """What is said of the person, else of everybody."""
    own = connection.execute(
        select(users.c.most_documents, users.c.most_bytes, users.c.most_checks_a_day).where(
            users.c.id == user_id
        )
    ).first()
    settings = read_settings(connection)
    general = (settings.most_documents, settings.most_bytes, settings.most_checks_a_day)
    if own is None:
        return Limits(*general)
    return Limits(
        *(
            own_limit if own_limit is not None else of
            for own_limit, of in zip(own, general, strict=True)
        )
    )


def usage_of(connection: Connection, user_id: str, name: str) -> Usage:
    """What a person holds now."""
    return Usage(
        documents_of(connection, name),
        bytes_of(connection, user_id, name),
        _checks_of(connection, user_id),
    )


def documents_of(connection: Connection, name: str) -> int:
    """How many documents somebody owns."""
    query = select(func.count()).select_from(schema.documents)
    return int(connection.execute(query.where(schema.documents.c.owner == name)).scalar_one())


def bytes_of(connection: Connection, user_id: str, name: str) -> int:
    """Of files that are kept for somebody, and of those that wait for a job."""
    return stored_bytes_of(connection, name) + waiting_bytes_of(connection, user_id)


def stored_bytes_of(connection: Connection, name: str) -> int:
    """Of files that are kept with the documents of somebody."""
    document, original = schema.documents.c, schema.originals.c
    query = (
        select(func.coalesce(func.sum(original_bytes()), 0))
        .join_from(schema.documents, schema.originals, original.document_id == document.id)
        .where(document.owner == name)
    )
    return int(connection.execute(query).scalar_one())


def waiting_bytes_of(connection: Connection, user_id: str) -> int:
    upload = tables.uploads.c
    query = select(func.coalesce(func.sum(upload.size), 0)).where(upload.user_id == user_id)
    return int(connection.execute(query).scalar_one())


def _checks_of(connection: Connection, user_id: str) -> int:
    """Documents that somebody had checked or compared in the last 24 hours.

    Jobs are counted, which stay for a day at least: what was asked for and then deleted counts too.
    """
    job = jobs.c
    today = (job.user_id == user_id, job.made_on > database_now(connection) - _DAY)
    single = select(func.count()).where(*today, job.kind == "check")
    many = connection.execute(select(job.request, job.outcome).where(*today, job.kind == "batch"))
    return int(connection.execute(single).scalar_one()) + sum(_in_batch(*row) for row in many)


def _in_batch(request: str, outcome: str | None) -> int:
    """Of a batch that has not ended, as many as there are files; archives are not opened yet."""
    request_values, result = json.loads(request), json.loads(outcome or "{}")
    files = len(request_values.get("uploads", ())) - len(request_values.get("template_uploads", ()))
    return max(1, int(result.get("documents", files)))


def ensure_may_add_bytes(
    connection: Connection, context: ServerContext, caller: Caller, documents: int, size: int
) -> None:
    """Refuse more documents or bytes than the caller may hold; in the transaction that keeps them.

    Archives count as one document here; what is in them is counted when it is added.
    """
    del context  # the limits are read in this very transaction
    limits = limits_of(connection, caller.id)
    if limits.documents is None and limits.bytes is None:
        return
    _one_at_a_time(connection, caller)
    if limits.documents is not None:
        used = documents_of(connection, caller.name)
        if used + documents > limits.documents:
            _refuse("documents", used, limits.documents)
    if limits.bytes is not None:
        used = bytes_of(connection, caller.id, caller.name)
        if used + size > limits.bytes:
            _refuse("bytes", used, limits.bytes)


def ensure_may_check(
    connection: Connection, context: ServerContext, caller: Caller, checks: int = 1
) -> None:
    """Refuse more checks a day than the caller may ask for; in the transaction that notes them."""
    del context
    most = limits_of(connection, caller.id).checks_a_day
    if most is None:
        return
    _one_at_a_time(connection, caller)
    used = _checks_of(connection, caller.id)
    if used + checks > most:
        _refuse("checks a day", used, most)


_in_flight: WeakKeyDictionary[ServerContext, Counter[str]] = WeakKeyDictionary()


@contextmanager
def uploading(context: ServerContext, caller: Caller, settings: SiteSettings) -> Iterator[None]:
    """An upload on its way in; refuses more at once than a person may send to one server."""
    coming = _in_flight.setdefault(context, Counter())
    if coming[caller.id] >= settings.most_uploads_at_once:
        raise Problem(
            "too many requests",
            "server.uploads_at_once",
            details={"retry_after": _COME_AGAIN_SECONDS},
            most=settings.most_uploads_at_once,
        )
    coming[caller.id] += 1
    try:
        yield
    finally:
        coming[caller.id] -= 1
        if not coming[caller.id]:
            del coming[caller.id]


def ensure_may_upload(context: ServerContext, caller: Caller) -> SiteSettings:
    """Refuse an upload before it comes in, where the hour's are used up or there is no room."""
    with context.store.reading() as connection:
        settings = read_settings(connection)
        most = settings.most_uploads_an_hour
        used = _uploads_of(connection, caller.id) if most is not None else 0
        if most is not None and used >= most:
            _refuse("uploads an hour", used, most)
        limits = limits_of(connection, caller.id)
        if limits.bytes is not None:
            waiting = waiting_bytes_of(connection, caller.id)
            if waiting >= limits.bytes:
                _refuse("bytes", waiting, limits.bytes)
    return settings


def _uploads_of(connection: Connection, user_id: str) -> int:
    """Requests with files in the last hour: each has become a job."""
    job = jobs.c
    since = database_now(connection) - _HOUR
    query = select(func.count()).where(
        job.user_id == user_id, job.made_on > since, job.kind.in_(_OF_UPLOADS)
    )
    return int(connection.execute(query).scalar_one())


def _one_at_a_time(connection: Connection, caller: Caller) -> None:
    """Two requests at the same moment must not each take what is left."""
    connection.execute(select(users.c.id).where(users.c.id == caller.id).with_for_update())


_QUOTAS = {
    "documents": "server.quota_documents",
    "bytes": "server.quota_bytes",
    "checks a day": "server.quota_checks",
    "uploads an hour": "server.quota_uploads",
}


def _refuse(what: str, used: int, most: int) -> None:
    raise Problem(
        "quota reached",
        _QUOTAS[what],
        details={"what": what, "used": used, "most": most},
        used=used,
        most=most,
    )
