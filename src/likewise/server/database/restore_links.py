"""Links and letters after a restore: none that was ended since the backup opens a report again.

A backup is of another day. What was revoked since is revoked, and what is not there any more,
because its report was deleted or erased, does not come back by it. Letters that waited then have
gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, delete, inspect, select, update

from likewise.library.store import now
from likewise.server.database import tables

links, mail = tables.report_links, tables.mail_queue


def read_present(connection: Connection) -> Mapping[str, datetime | None] | None:
    """When each link of a library that is going to be replaced was revoked, if it was."""
    if not inspect(connection).has_table(links.name):
        return None
    rows = connection.execute(select(links.c.id, links.c.revoked_on))
    return {row.id: row.revoked_on for row in rows}


def settle_links(connection: Connection, present: Mapping[str, datetime | None] | None) -> None:
    """Revoke links of the backup that the present has ended; forget letters that waited then."""
    connection.execute(delete(mail).where(mail.c.sent_on.is_(None)))
    if present is None:  # on a new machine: nobody knows better
        return
    restored = connection.execute(select(links.c.id).where(links.c.revoked_on.is_(None)))
    for id in list(restored.scalars()):
        revoked_on = present.get(id, now())
        if revoked_on is not None:
            revoked = update(links).where(links.c.id == id)
            connection.execute(revoked.values(revoked_on=revoked_on))
