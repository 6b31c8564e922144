"""What the report of a check is made of: the result, and what people said about it until now."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from likewise.results import plain
from likewise.server.caller import Caller
from likewise.server.checks import comments, commission, decisions, service
from likewise.server.checks.service import SavedCheck
from likewise.server.reports.saved import ensure_done


def read_done(
    connection: Connection, caller: Caller, id: str
) -> tuple[SavedCheck, dict[str, Any], bytes]:
    """A check that has a result, what people decided about it, and the result."""
    check = service.find_check(connection, caller, id)
    ensure_done(check)
    order = read_order(connection, check) | {
        "facts": service.document_facts(connection, caller, check),
        "source_facts": service.source_facts(connection, caller, check),
    }
    return check, order, service.read_packed_result(connection, id)


def read_order(connection: Connection, check: SavedCheck) -> dict[str, Any]:
    """What a renderer is told of a check, whoever reads the report.

    Of the document only what its check was sent with: what the library knows beyond that is told
    to those who may read there.
    """
    asked = check.request.get("metadata") or {}
    return {
        "decisions": plain(decisions.read_decisions(connection, check.id)),
        "confirmations": plain(decisions.read_confirmations(connection, check.id)),
        "comments": plain(comments.read_comments(connection, check.id)),
        "commission": plain(commission.read_commission(connection, check.id)),
        "facts": {name: asked.get(name) for name in service.FACTS},
        "source_facts": {},
        "date": (check.summary or {}).get("done_on"),
    }
