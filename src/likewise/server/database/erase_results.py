"""Kept results of checks and batches without what was erased.

A check of an erased document is deleted. In a check of another document the erased source keeps its
place and its figures: bars stand for its text, "erased document" for its name. Results are read and
blackened outside of transactions, since that takes long, and written in short ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, delete, select, update

from likewise.library.erasure import Target, Transactions
from likewise.library.registry import Record
from likewise.library.store import now
from likewise.model import Check, Document
from likewise.progress import Progress
from likewise.report.redaction import ERASED_DOCUMENT, redact_batch, redact_check
from likewise.report.storage import (
    Unreadable,
    holds_any,
    pack_check,
    pack_view,
    unpack_check,
    unpack_view,
)
from likewise.report.view import BatchView, CheckView
from likewise.server.database import tables

checks, results = tables.checks, tables.check_results
batches, batch_results = tables.batches, tables.batch_results
exclusions, self_checks = tables.check_exclusions, tables.self_checks


@dataclass(frozen=True, slots=True)
class _Change:
    """What is to become of one check."""

    id: str
    name: str
    packed: bytes | None = None  # None: the check is of an erased document, and deleted
    summary: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    passages: int = 0


def erase_from_results(  # noqa: C901 - checks, then classes
    store: Transactions,
    target: Target,
    progress: Progress | None = None,
    *,
    dry_run: bool = False,
    record: Record | None = None,
) -> tuple[dict[str, int], int]:
    """Delete and blacken; how many of each kind, and how many results could not be read.

    With `dry_run` everything is counted and nothing is changed. `record` is told what each
    transaction did, inside it: a receipt stays true if the process is killed after any of them.
    """
    counts: dict[str, int] = {}
    unreadable = 0

    def count(**more: int) -> None:
        for what, number in more.items():
            counts[what] = counts.get(what, 0) + number

    if not target.documents and not target.hashes and not target.rows:
        return counts, unreadable
    if (answers := _self_checks_with(store, target)) and not dry_run:
        with store.beside() as connection:
            gone = self_checks.c.id.in_(answers)
            nothing = {"packed": None, "summary": None, "ends_on": now()}
            connection.execute(update(self_checks).where(gone).values(**nothing))
            if record:
                record(connection, {"self_checks": len(answers)})
    if answers:
        count(self_checks=len(answers))
    total = done = 0
    with store.reading() as connection:
        alone = list(connection.execute(_alone()).scalars())
        together = list(connection.execute(select(batches.c.id)).scalars())
        total = len(alone) + len(together)
    for done, id in enumerate(alone):
        if progress and done % 20 == 0:
            progress("erasing reports", done, total)
        try:
            with store.reading() as connection:
                change = _change_of(connection, id, target)
        except Unreadable:
            unreadable += 1
            continue
        if change is None:
            continue
        counted = _counted([change])
        count(**counted)
        if not dry_run:
            with store.beside() as connection:
                _write(connection, change)
                if record:
                    record(connection, counted)
    for done, id in enumerate(together, len(alone)):
        if progress:
            progress("erasing reports", done, total)
        try:
            batch = _changed_batch(store, id, target)
        except Unreadable:
            unreadable += 1
            continue
        if batch is None:
            continue
        changes, packed, is_empty = batch
        counted = _counted(changes)
        counted["batches_deleted" if is_empty else "batches_blackened"] = 1
        count(**counted)
        if not dry_run:
            with store.beside() as connection:
                _write_batch(connection, id, changes, packed, is_empty, target)
                if record:
                    record(connection, counted)
    return counts, unreadable


def _self_checks_with(store: Transactions, target: Target) -> list[str]:
    """Answers to students that show text of erased documents; none can be read any more."""
    with store.reading() as connection:
        query = select(self_checks.c.id).where(self_checks.c.packed.is_not(None))
        ids = list(connection.execute(query.order_by(self_checks.c.id)).scalars())
    found = []
    for id in ids:
        with store.reading() as connection:
            own = select(self_checks.c.packed).where(self_checks.c.id == id)
            packed = connection.execute(own).scalar()
        try:
            view = None if packed is None else unpack_view(bytes(packed))
        except Unreadable:
            view = None
        if isinstance(view, CheckView):
            texts = (view.document, *(source.text for source in view.sources))
            if any(text.sha256 in target.hashes for text in texts):
                found.append(id)
        elif packed is not None:  # nobody can say what it holds
            found.append(id)
    return found


def learn_hashes(store: Transactions, target: Target) -> frozenset[str]:
    """Hashes of documents that are gone from the library, as checks know them by their numbers."""
    hashes: set[str] = set()
    numbers = set(target.documents)
    with store.reading() as connection:
        rows = connection.execute(
            select(checks.c.id, checks.c.summary).where(checks.c.summary.is_not(None))
        ).all()
        for id, summary in rows:
            ids = json.loads(summary).get("ids", {})
            if not numbers.intersection(ids.values()):
                continue
            try:
                check = _read_check(connection, id)
            except Unreadable:
                continue
            for name, number in (check.ids if check else {}).items():
                text = check.texts.get(name) if check else None
                if number in numbers and text is not None and text.sha256 is not None:
                    hashes.add(text.sha256)
    return frozenset(hashes)


def _alone() -> Any:
    """Checks that are not of a batch; those of one change together with it."""
    return select(checks.c.id).where(checks.c.batch_id.is_(None)).order_by(checks.c.id)


def _counted(changes: Sequence[_Change]) -> dict[str, int]:
    remaining = [change for change in changes if change.packed is not None]
    return {
        "checks_deleted": len(changes) - len(remaining),
        "checks_blackened": len(remaining),
        "sources_blackened": sum(len(change.renamed) for change in remaining),
        "passages_blackened": sum(change.passages for change in remaining),
    }


def _change_of(connection: Connection, id: str, target: Target) -> _Change | None:
    """What is to become of a check, if it has anything to do with what is erased_ids."""
    row = connection.execute(
        select(checks.c.name, checks.c.request, checks.c.summary, results.c.packed)
        .join_from(checks, results, results.c.check_id == checks.c.id, isouter=True)
        .where(checks.c.id == id)
    ).first()
    if row is None:
        return None
    erased_ids = set(target.documents)
    summary = json.loads(row.summary) if row.summary else {}
    ids: Mapping[str, int] = summary.get("ids", {})
    is_cited = bool(erased_ids.intersection(ids.values()))
    if id in target.rows or json.loads(row.request).get("document") in erased_ids:
        return _Change(id, row.name)
    if row.packed is None:
        return None
    packed = bytes(row.packed)
    if not is_cited and not target.texts and not holds_any(packed, _words(target)):
        return None
    try:
        check = unpack_check(packed)
    except Unreadable:
        if is_cited:
            return _Change(id, row.name)  # nobody could say what of it is to go
        raise
    if is_of(check.document, target):
        return _Change(id, row.name)

    def is_erased(name: str, document: Document | None) -> bool:
        cited = check.ids.get(name, ids.get(name))
        return cited in erased_ids or (document is not None and is_of(document, target))

    blackened, renamed = redact_check(check, is_erased)
    if not renamed:
        return None
    sources = [source for source in check.sources if source.name in renamed]
    passages = sum(len(source.passages) + len(source.fragments) for source in sources)
    new_summary = json.dumps(_renamed_summary(summary, renamed)) if row.summary else None
    return _Change(id, row.name, pack_check(blackened), new_summary, renamed, passages)


def _read_check(connection: Connection, id: str) -> Check | None:
    query = select(results.c.packed).where(results.c.check_id == id)
    packed = connection.execute(query).scalar()
    return None if packed is None else unpack_check(bytes(packed))


def _words(target: Target) -> list[bytes]:
    return [one.encode() for one in sorted(target.hashes)]


def is_of(document: Document, target: Target) -> bool:
    """Whether a document is one of those that are erased, by its bytes or by its text."""
    if document.sha256 is not None:
        return document.sha256 in target.sha256s
    if not target.texts:
        return False
    text = document.text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest() in target.texts


def _renamed_summary(summary: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """What lists show, without the names."""
    top = [
        one | {"name": renamed.get(one.get("name"), one.get("name"))}
        for one in summary.get("top", [])
    ]
    ids = {name: id for name, id in summary.get("ids", {}).items() if name not in renamed}
    return {**summary, "top": top, "ids": ids}


def _write(connection: Connection, change: _Change) -> None:
    if change.packed is None:
        connection.execute(delete(checks).where(checks.c.id == change.id))
        return
    connection.execute(
        update(results).where(results.c.check_id == change.id).values(packed=change.packed)
    )
    if change.summary is not None:
        connection.execute(
            update(checks).where(checks.c.id == change.id).values(summary=change.summary)
        )
    for old, new in change.renamed.items():
        decided = (exclusions.c.check_id == change.id, exclusions.c.source == old)
        connection.execute(update(exclusions).where(*decided).values(source=new))


# Batches


def _changed_batch(
    store: Transactions, id: str, target: Target
) -> tuple[list[_Change], bytes | None, bool] | None:
    """What is to become of a batch: of its checks, of its report; and whether nothing is left."""
    with store.reading() as connection:
        members = list(_members(connection, id))
        changes = []
        for member in members:
            change = _change_of(connection, member, target)
            if change is not None:
                changes.append(change)
        query = select(batch_results.c.packed).where(batch_results.c.batch_id == id)
        report = connection.execute(query).scalar()
    packed = None if report is None else bytes(report)
    deleted = {change.name for change in changes if change.packed is None}
    is_empty = bool(members) and len(deleted) == len(members)
    is_quoted = packed is not None and holds_any(packed, _words(target))
    if not changes and not is_quoted:
        return None
    if packed is None or is_empty:
        return changes, None, is_empty
    view = unpack_view(packed)
    if not isinstance(view, BatchView):
        raise Unreadable("library.not_a_batch")
    sources = {change.name: frozenset(change.renamed) for change in changes}
    hashes = set(target.hashes)
    hashes |= {
        one.document.sha256
        for one in view.checks
        if one.document.name in deleted - _only_here(changes, target)
    }
    by_name = _only_here(changes, target)
    return changes, pack_view(redact_batch(view, hashes, sources, by_name)), False


def _only_here(changes: Sequence[_Change], target: Target) -> set[str]:
    """Members that go by themselves: others may have handed in the same bytes."""
    return {change.name for change in changes if change.packed is None and change.id in target.rows}


def _members(connection: Connection, id: str) -> Iterator[str]:
    query = select(checks.c.id).where(checks.c.batch_id == id).order_by(checks.c.id)
    yield from connection.execute(query).scalars()


def _write_batch(
    connection: Connection,
    id: str,
    changes: list[_Change],
    packed: bytes | None,
    is_empty: bool,
    target: Target,
) -> None:
    """All of a batch in one transaction: names that its checks forget are still needed for it."""
    if is_empty:
        connection.execute(delete(batches).where(batches.c.id == id))
        return
    for change in changes:
        _write(connection, change)
    if packed is not None:
        query = update(batch_results).where(batch_results.c.batch_id == id)
        connection.execute(query.values(packed=packed))
    deleted = {change.name for change in changes if change.packed is None} | target.names
    row = connection.execute(
        select(batches.c.name, batches.c.summary).where(batches.c.id == id)
    ).first()
    if row is None:
        return
    values: dict[str, Any] = {}
    if row.name in deleted:
        values["name"] = ERASED_DOCUMENT
    if row.summary is not None:
        summary = json.loads(row.summary)
        most = summary.get("most_similar")
        if most and most.get("name") in deleted:
            summary["most_similar"] = most | {"name": ERASED_DOCUMENT, "label": ""}
        summary["unread"] = [
            {"name": ERASED_DOCUMENT, "reason": ""} if one.get("name") in deleted else one
            for one in summary.get("unread", [])
        ]
        values["summary"] = json.dumps(summary)
    if values:
        connection.execute(update(batches).where(batches.c.id == id).values(**values))
