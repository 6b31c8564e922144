"""What the accounts no longer need: dated keys, ended sessions, old guesses and old notes."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from likewise.server.context import SiteSettings, utc_now
from likewise.server.mail.queue import delete_old_mail
from likewise.server.people import audit, login_throttle, password_resets, sessions
from likewise.server.people import tokens as signing

_SESSION_RETENTION = timedelta(days=30)  # after their end, so that reuse is still told apart


def tidy_accounts(connection: Connection, settings: SiteSettings) -> dict[str, int]:
    """Drop what is old; how many rows of each kind."""
    now = utc_now()
    return {
        "audit": audit.delete_before(connection, now - timedelta(days=settings.keep_audit_days)),
        "sessions": sessions.delete_ended_sessions(connection, now - _SESSION_RETENTION),
        "guesses": login_throttle.delete_old_counts(connection),
        "password_resets": password_resets.delete_ended_resets(connection),
        "mail": delete_old_mail(connection),
        "signing_keys": signing.delete_ended_keys(connection),
    }
