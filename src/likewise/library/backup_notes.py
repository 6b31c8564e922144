"""Which backups of a library were made, and until when each is kept.

A backup cannot be changed. So the library notes where one was made from it, and an erasure says
which of them hold what was erased, and the day from which none does.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from likewise.library.erasure import BackupNote
from likewise.library.registry import read_value, write_value
from likewise.library.store import now

KEEP_DAYS = 35  # a month, and some days to notice that something is missing
_KEY = "likewise.backups"


def note_backup(connection: Connection, name: str, keep_days: int = KEEP_DAYS) -> None:
    """Write down a backup, in a transaction of its own; those that have expired go."""
    made_on = now()
    note = BackupNote(name, _written(made_on), _written(made_on + timedelta(days=keep_days)))
    others = [one for one in living_backups(connection) if one.name != name]
    rows = [[one.name, one.made_on, one.expires_on] for one in (*others, note)]
    write_value(connection, _KEY, json.dumps(rows, ensure_ascii=False))


def living_backups(connection: Connection) -> list[BackupNote]:
    """Those that are still kept, the one that expires first before the others."""
    today = _written(now())
    rows = json.loads(read_value(connection, _KEY) or "[]")
    notes = [BackupNote(*row) for row in rows if row[2] > today]
    return sorted(notes, key=lambda one: (one.expires_on, one.name))


def _written(time: datetime) -> str:
    return time.replace(tzinfo=UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
