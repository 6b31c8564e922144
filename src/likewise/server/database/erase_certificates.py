"""Certificates without the names of what was erased: their numbers, figures and codes stay.

A certificate is known on paper elsewhere. So its row is never deleted, and it stays genuine: it no
longer says whose work it was about, or what a source was called.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from likewise.library.erasure import ERASED_PERSON, Target
from likewise.report.redaction import ERASED_DOCUMENT
from likewise.server.database import tables

certificates = tables.certificates


def erase_from_certificates(
    connection: Connection, target: Target, *, dry_run: bool = False
) -> int:
    """Take names out of certificates of erased documents and of their sources; how many."""
    if not target.hashes:
        return 0
    count = 0
    for id, facts in connection.execute(select(certificates.c.id, certificates.c.facts)).all():
        before = json.loads(facts)
        after = _without_documents(before, target)
        if after == before:
            continue
        count += 1
        if not dry_run:
            query = update(certificates).where(certificates.c.id == id)
            connection.execute(query.values(facts=json.dumps(after, ensure_ascii=False)))
    return count


def _without_documents(facts: Mapping[str, Any], target: Target) -> dict[str, Any]:
    check = facts["check"]
    sources = [
        one | {"name": ERASED_DOCUMENT, "sha256": ""} if one["sha256"] in target.hashes else one
        for one in check["sources"]
    ]
    left = {**facts, "check": {**check, "sources": sources}}
    if check["sha256"] in target.hashes:
        nobody = {"author": ERASED_PERSON, "title": ERASED_DOCUMENT, "supervisor": ""}
        if facts.get("revoked_why"):
            nobody["revoked_why"] = ERASED_DOCUMENT
        left |= nobody
        left["check"] |= {"document": ERASED_DOCUMENT, "sha256": ""}
    return left
