"""What deleted rows leave behind, overwritten: free pages, journals, half-written files."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from sqlalchemy import text

from likewise.library.registry import present_tables
from likewise.library.store import Store

_CHECKPOINT_SECONDS = 30.0  # for others who read to finish
_LEFT_SECONDS = 600.0  # after which nobody works with a temporary folder any more


def scrub_database(store: Store, *, full: bool = False) -> dict[str, int]:
    """Make sure that no file of the database holds what was deleted; what stays, by its name.

    SQLite's file is written anew. PostgreSQL gives the room free and renews its statistics, which
    hold values; until rows come to stand there bytes may stay, unless tables are rewritten, which
    `full` asks for and which locks each of them meanwhile.
    """
    return _scrub_file(store) if store.is_file else _scrub_server(store, full)


def _scrub_file(store: Store) -> dict[str, int]:
    unreached: dict[str, int] = {}
    with store.outside_transactions() as connection:
        raw: Any = connection.connection.driver_connection
        raw.execute("PRAGMA secure_delete = on").fetchall()
        if raw.in_transaction:
            raw.rollback()
        raw.execute("VACUUM")
        until = time.monotonic() + _CHECKPOINT_SECONDS
        while raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > until:
                unreached["write-ahead log"] = 1
                break
            time.sleep(0.1)
    if copies := _copies_beside(Path(store.name)):
        unreached["damaged copies"] = len(copies)
    return unreached


def _copies_beside(path: Path) -> list[Path]:
    """What a restore or a backup that was stopped has left beside a library."""
    patterns = (f"{path.name}.damaged*", f".{path.name}.restoring*", f".{path.name}.part*")
    return [copy for pattern in patterns for copy in path.absolute().parent.glob(pattern)]


def _scrub_server(store: Store, full: bool) -> dict[str, int]:
    options = "FULL, ANALYZE" if full else "ANALYZE"
    with store.outside_transactions() as connection:
        tables = ", ".join(f'"{table.name}"' for table in present_tables(connection))
        connection.execute(text(f"VACUUM ({options}) {tables}"))
    unreached = {"write-ahead log": 1}
    return unreached if full else unreached | {"database pages": 1}


def scrub_temporary_files(older_seconds: float = _LEFT_SECONDS) -> int:
    """Delete folders of reports that processes left behind when they were killed; how many."""
    before = time.time() - older_seconds
    deleted = 0
    for path in Path(tempfile.gettempdir()).glob("likewise-report-*"):
        with contextlib.suppress(OSError):  # not ours, or gone already
            if path.stat().st_mtime < before:
                shutil.rmtree(path)
                deleted += 1
    return deleted
