"""Receipts of erasures: in their table, and as people read them.

What people read is plain text or a page, in three languages.
"""

from __future__ import annotations

import contextlib
import html
import json
import secrets
from collections.abc import Iterator

from sqlalchemy import Connection, insert, select, update

from likewise.catalogue import LanguageCode, Words
from likewise.library import schema
from likewise.library.erasure import Kind, Receipt, receipt_of
from likewise.library.registry import registered_hosts
from likewise.library.store import now

erasures = schema.erasures


def new_receipt(kind: Kind, engine: str, by: str | None = None, id: str | None = None) -> Receipt:
    """The beginning of one."""
    return Receipt(id or secrets.token_hex(12), kind, now(), by, engine=engine)


def write_receipt(connection: Connection, receipt: Receipt, user_id: str | None = None) -> None:
    """Keep a receipt as it stands now, in the transaction of what it tells."""
    row = erasures.c
    record = json.dumps(receipt.as_dict())
    query = update(erasures).where(row.id == receipt.id).values(receipt=record)
    if not connection.execute(query).rowcount:
        connection.execute(
            insert(erasures).values(
                id=receipt.id,
                made_on=receipt.made_on,
                user_id=user_id,
                user_name=receipt.by,
                receipt=record,
            )
        )


def read_receipt(connection: Connection, id: str) -> Receipt | None:
    """A receipt by its letters."""
    column = erasures.c
    query = select(column.receipt, column.user_name).where(column.id == id)
    row = connection.execute(query).first()
    return None if row is None else receipt_of(json.loads(row.receipt), row.user_name)


def read_receipts(
    connection: Connection, *, limit: int | None = None, offset: int = 0
) -> list[Receipt]:
    """Receipts, the newest first."""
    column = erasures.c
    query = select(column.receipt, column.user_name).order_by(column.made_on.desc(), column.id)
    page = query.offset(offset) if limit is None else query.limit(limit).offset(offset)
    receipts = []
    for row in connection.execute(page).all():
        with contextlib.suppress(ValueError, KeyError, TypeError):  # damaged: it says nothing
            receipts.append(receipt_of(json.loads(row.receipt), row.user_name))
    return receipts


_KINDS: dict[Kind, str] = {
    "documents": "library.receipt_documents",
    "file": "library.receipt_file",
    "person": "library.receipt_person",
    "user": "library.receipt_user",
    "again": "library.receipt_again",
}
# Each kind of thing that is counted, besides those of hosts.
_COUNTS = {
    "documents": "library.erased_documents",
    "references": "library.erased_references",
    "advisors": "library.erased_advisors",
    "texts": "library.erased_texts",
    "originals": "library.erased_originals",
    "objects": "library.erased_objects",
    "sketches": "library.erased_sketches",
    "tables": "library.erased_tables",
    "blocks": "library.erased_blocks",
    "tags": "library.erased_tags",
    "segments": "library.erased_segments",
    "cache_entries": "library.erased_cache_entries",
    "pages": "library.erased_pages",
    "temporary_files": "library.erased_temporary_files",
}
# What no program here reaches: the receipt says so, and a person goes on from there.
_UNREACHED = {
    "backups": "library.unreached_backups",  # made before
    "partners": "library.unreached_partners",  # fingerprints that were exported
    "downloads": "library.unreached_downloads",  # reports and originals that people have saved
    "database pages": "library.unreached_database_pages",  # of PostgreSQL, until a full vacuum
    # Of SQLite, while others read; of PostgreSQL, its archive and replicas.
    "write-ahead log": "library.unreached_write_ahead_log",
    "damaged copies": "library.unreached_damaged_copies",  # files that a restore has moved aside
}
_UNREACHED_LAST = {
    "files": "library.unreached_files",  # of the cache or the index, which could not be deleted
    "originals": "library.unreached_originals",  # in a store that does not answer
    "host tables": "library.unreached_host_tables",  # of hosts that are not installed
}

Section = tuple[str, list[str]]


def count_keys() -> dict[str, str]:
    """The catalogue's key for each kind of thing that is counted."""
    return _COUNTS | {k: key for host in registered_hosts() for k, key in host.count_keys.items()}


def unreached_keys() -> dict[str, str]:
    """The same for what is not reached, in the order in which it is told."""
    hosts = registered_hosts()
    of_hosts = {kind: key for host in hosts for kind, key in host.unreached_keys.items()}
    return _UNREACHED | of_hosts | _UNREACHED_LAST


def staying_keys() -> dict[str, str]:
    """What stays of a kind that was erased, and why, in the words of the catalogue."""
    return {kind: key for host in registered_hosts() for kind, key in host.staying_keys.items()}


def count_name(what: str, words: Words) -> str:
    """What a kind of erased things is called; one that the catalogue does not know as it stands.

    >>> count_name("cache_entries", Words("en")), count_name("dreams", Words("en"))
    ("entries of the reader's cache", 'dreams')
    """
    keys = count_keys()
    return words(keys[what]) if what in keys else what


def _sections(receipt: Receipt, language: LanguageCode, time_zone: str) -> Iterator[Section]:
    """What a receipt says, under headings; the first is its title."""
    words = Words(language, time_zone=time_zone)
    began, ended = words.day_and_time(receipt.made_on.isoformat()), receipt.ended_on
    yield (
        words("library.receipt_title"),
        [
            f"{words('library.receipt_id')}: {receipt.id}",
            f"{words('library.receipt_began')}: {began}",
            f"{words('library.receipt_ended')}: "
            + (
                words("library.receipt_unfinished")
                if ended is None
                else words.day_and_time(ended.isoformat())
            ),
            f"{words('library.receipt_by')}: {receipt.by or words('library.receipt_operator')}",
            f"{words('library.receipt_kind')}: {words(_KINDS[receipt.kind])}",
        ],
    )
    counts = [
        f"{count_name(what, words)}: {number}" for what, number in receipt.counts.items() if number
    ]
    yield words("library.receipt_erased"), counts or [words("library.receipt_nothing")]
    yield (
        words("library.receipt_unreached"),
        [words(key) for what, key in unreached_keys().items() if what in receipt.unreached],
    )
    stays = [words(key) for what, key in staying_keys().items() if receipt.counts.get(what)]
    if stays:
        yield words("library.receipt_stays"), stays
    if receipt.backups:
        yield (
            words("library.receipt_backups"),
            [
                words(
                    "library.receipt_backup",
                    name=one.name,
                    made=words.day_and_time(one.made_on),
                    expires=words.day_and_time(one.expires_on),
                )
                for one in receipt.backups
            ],
        )
    if receipt.documents:
        yield words("library.receipt_numbers"), [", ".join(map(str, receipt.documents))]
    if receipt.sha256s:
        yield words("library.receipt_hashes"), list(receipt.sha256s)


def receipt_text(receipt: Receipt, language: LanguageCode = "en", time_zone: str = "UTC") -> str:
    """A receipt as plain text."""
    parts = [
        "\n".join([heading, "=" * len(heading), *lines])
        for heading, lines in _sections(receipt, language, time_zone)
        if lines
    ]
    return "\n\n".join(parts) + "\n"


def receipt_page(receipt: Receipt, language: LanguageCode = "en", time_zone: str = "UTC") -> str:
    """A receipt as a page that needs nothing else."""
    sections = list(_sections(receipt, language, time_zone))
    title = html.escape(sections[0][0])
    body = "".join(
        f"<h{1 + (number > 0)}>{html.escape(heading)}</h{1 + (number > 0)}><ul>"
        + "".join(f"<li>{html.escape(line)}</li>" for line in lines)
        + "</ul>"
        for number, (heading, lines) in enumerate(sections)
        if lines
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{title}</title></head><body>{body}</body></html>\n"
    )
