"""A receipt of an erasure as people read it: plain text or a page, in three languages."""

from __future__ import annotations

import html
from collections.abc import Iterator

from likewise.catalogue import LanguageCode, Words
from likewise.library.erasure import Kind, Receipt, Unreached

_KINDS: dict[Kind, str] = {
    "documents": "library.receipt_documents",
    "file": "library.receipt_file",
    "person": "library.receipt_person",
    "user": "library.receipt_user",
    "again": "library.receipt_again",
}
# Each kind of thing that is counted.
COUNTS = {
    "documents": "library.erased_documents",
    "references": "library.erased_references",
    "advisors": "library.erased_advisors",
    "texts": "library.erased_texts",
    "originals": "library.erased_originals",
    "sketches": "library.erased_sketches",
    "tables": "library.erased_tables",
    "tags": "library.erased_tags",
    "segments": "library.erased_segments",
    "cache_entries": "library.erased_cache_entries",
    "pages": "library.erased_pages",
    "temporary_files": "library.erased_temporary_files",
    "checks_deleted": "library.erased_checks_deleted",
    "checks_blackened": "library.erased_checks_blackened",
    "sources_blackened": "library.erased_sources_blackened",
    "passages_blackened": "library.erased_passages_blackened",
    "batches_deleted": "library.erased_batches_deleted",
    "batches_blackened": "library.erased_batches_blackened",
    "uploads": "library.erased_uploads",
    "jobs": "library.erased_jobs",
    "requests": "library.erased_requests",
    "audit": "library.erased_audit",
    "accounts": "library.erased_accounts",
    "sessions": "library.erased_sessions",
    "api_keys": "library.erased_api_keys",
    "collections": "library.erased_collections",
    "comments": "library.erased_comments",
}
UNREACHED: dict[Unreached, str] = {
    "backups": "library.unreached_backups",
    "partners": "library.unreached_partners",
    "downloads": "library.unreached_downloads",
    "database pages": "library.unreached_database_pages",
    "write-ahead log": "library.unreached_write_ahead_log",
    "damaged copies": "library.unreached_damaged_copies",
    "waiting archives": "library.unreached_waiting_archives",
    "unreadable results": "library.unreached_unreadable_results",
    "running jobs": "library.unreached_running_jobs",
    "files": "library.unreached_files",
}

Section = tuple[str, list[str]]


def count_name(what: str, words: Words) -> str:
    """What a kind of erased things is called; one that the catalogue does not know as it stands.

    >>> count_name("cache_entries", Words("en")), count_name("dreams", Words("en"))
    ("entries of the reader's cache", 'dreams')
    """
    return words(COUNTS[what]) if what in COUNTS else what


def _sections(receipt: Receipt, language: LanguageCode) -> Iterator[Section]:
    """What a receipt says, under headings; the first is its title."""
    words = Words(language)
    ended = receipt.ended_on
    yield (
        words("library.receipt_title"),
        [
            f"{words('library.receipt_id')}: {receipt.id}",
            f"{words('library.receipt_began')}: {receipt.made_on:%Y-%m-%d %H:%M:%S} UTC",
            f"{words('library.receipt_ended')}: "
            + (
                words("library.receipt_unfinished")
                if ended is None
                else f"{ended:%Y-%m-%d %H:%M:%S} UTC"
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
        [words(key) for what, key in UNREACHED.items() if what in receipt.unreached],
    )
    if receipt.documents:
        yield words("library.receipt_numbers"), [", ".join(map(str, receipt.documents))]
    if receipt.sha256s:
        yield words("library.receipt_hashes"), list(receipt.sha256s)


def receipt_text(receipt: Receipt, language: LanguageCode = "en") -> str:
    """A receipt as plain text."""
    parts = [
        "\n".join([heading, "=" * len(heading), *lines])
        for heading, lines in _sections(receipt, language)
        if lines
    ]
    return "\n\n".join(parts) + "\n"


def receipt_page(receipt: Receipt, language: LanguageCode = "en") -> str:
    """A receipt as a page that needs nothing else."""
    sections = list(_sections(receipt, language))
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
