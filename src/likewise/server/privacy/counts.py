"""How much of each kind is kept about a person, for whoever looks before taking all of it along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from sqlalchemy import func, select

from likewise.library import schema
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.people import audit
from likewise.server.privacy.personal_tables import PERSONAL_TABLES

PersonalKind = Literal[
    "log_in",
    "sessions",
    "keys",
    "mail",
    "courses",
    "submissions",
    "self_checks",
    "documents",
    "checks",
    "classes",
    "remarks",
    "certificates",
    "links",
    "links_received",
    "collections",
    "uploads",
    "jobs",
    "acts",
    "log",
]
# What people would count as one thing. Rows below another's, such as the parts of an upload, are
# counted with it; the account itself is one of a kind.
COUNTED_AS: Mapping[str, PersonalKind | None] = {
    "users": None,
    "identities": "log_in",
    "second_factors": "log_in",
    "recovery_codes": "log_in",
    "password_resets": "log_in",
    "mail_queue": "mail",
    "sessions": "sessions",
    "refresh_tokens": None,
    "api_keys": "keys",
    "collections": "collections",
    "uploads": "uploads",
    "upload_parts": None,
    "jobs": "jobs",
    "batches": "classes",
    "batch_results": None,
    "checks": "checks",
    "check_results": None,
    "check_exclusions": "remarks",
    "check_confirmations": "remarks",
    "check_comments": "remarks",
    "commission_decisions": "remarks",
    "certificates": "certificates",
    "courses": "acts",
    "course_members": "courses",
    "assignments": "acts",
    "consent_texts": "acts",
    "submissions": "submissions",
    "submissions.handed_in_by": "acts",
    "self_checks": "self_checks",
    "report_links": "links",
    "report_links.recipient_id": "links_received",
    "report_link_openings": "links_received",
    "erasures": "acts",
}


def kind_of(table: str) -> PersonalKind | None:
    """What rows of the export are counted as; those of a table that is new as what one did."""
    return COUNTED_AS.get(table, "acts")


def count_personal_data(context: ServerContext, caller: Caller) -> dict[PersonalKind, int]:
    """How much of each kind there is about the caller, in the order in which it is told."""
    counts: dict[PersonalKind, int] = dict.fromkeys(get_args(PersonalKind), 0)
    documents = schema.documents
    with context.store.reading() as connection:
        for one in PERSONAL_TABLES:
            if (kind := kind_of(one.name)) is not None:
                query = select(func.count()).select_from(one.table)
                query = query.where(one.belongs_to(caller.id))
                if one.name == "submissions.handed_in_by":  # one's own are counted as submissions
                    query = query.where(one.table.c.user_id.is_distinct_from(caller.id))
                counts[kind] += int(connection.execute(query).scalar_one())
        mine = select(func.count()).where(documents.c.owner == caller.name)
        counts["documents"] = int(connection.execute(mine).scalar_one())
        counts["log"] = audit.count_entries_about(connection, caller.id)
    return counts
