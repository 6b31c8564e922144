"""What the institution asks students to agree to when they hand in: versions, never changed.

A submission names the version that was shown, so that what was agreed to can be read later.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, insert, select

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people import audit
from likewise.server.problems import Problem

consent_texts, submissions = tables.consent_texts, tables.submissions


@dataclass(frozen=True, slots=True)
class ConsentText:
    """One version, by language; without any text nothing is asked."""

    id: str
    texts: Mapping[str, str]
    made_on: datetime
    submissions: int  # under which it was agreed to


def list_consent_texts(
    context: ServerContext, *, limit: int, offset: int
) -> tuple[list[ConsentText], int]:
    """Versions, the newest first: that one is asked now."""
    agreed = (
        select(func.count())
        .where(submissions.c.consent_id == consent_texts.c.id)
        .scalar_subquery()
        .label("agreed")
    )
    with context.store.reading() as connection:
        total = connection.execute(select(func.count()).select_from(consent_texts)).scalar_one()
        query = select(consent_texts, agreed).order_by(
            consent_texts.c.made_on.desc(), consent_texts.c.id
        )
        rows = connection.execute(query.limit(limit).offset(offset)).all()
    texts = [ConsentText(row.id, json.loads(row.texts), row.made_on, row.agreed) for row in rows]
    return texts, int(total)


def current_consent_text(connection: Connection) -> ConsentText | None:
    """What students are asked to agree to now; None where nothing is asked."""
    newest = select(consent_texts).order_by(consent_texts.c.made_on.desc(), consent_texts.c.id)
    row = connection.execute(newest.limit(1)).first()
    texts = {} if row is None else json.loads(row.texts)
    return ConsentText(row.id, texts, row.made_on, 0) if row is not None and texts else None


def ensure_current_consent(connection: Connection, id: str | None) -> None:
    """Refuse what a student sends without having agreed to what is asked now."""
    current = current_consent_text(connection)
    if current is not None and current.id != id:
        raise Problem("conflict", "server.consent_changed", details={"consent": current.id})


def add_consent_text(
    context: ServerContext, caller: Caller, texts: Mapping[str, str]
) -> ConsentText:
    """A version that is asked from now on; the one before stays for those who agreed to it."""
    with context.store.beside() as connection:
        stored = {language: text.strip() for language, text in texts.items() if text.strip()}
        id, made_on = secrets.token_hex(12), _later_than_all(connection)
        connection.execute(
            insert(consent_texts).values(
                id=id,
                texts=json.dumps(stored, ensure_ascii=False),
                user_id=caller.id,
                made_on=made_on,
            )
        )
        languages = {"languages": sorted(stored)}
        audit.record_act(connection, caller, "consent text added", id, **languages)
    return ConsentText(id, stored, made_on, 0)


def _later_than_all(connection: Connection) -> datetime:
    """Now, and behind the version before even where a clock was set back."""
    last = connection.execute(select(func.max(consent_texts.c.made_on))).scalar()
    now = utc_now()
    return now if last is None or last < now else last + timedelta(microseconds=1)
