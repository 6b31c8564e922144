"""What the accounts no longer need: dated keys, ended sessions, old guesses and old notes."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection, delete

from likewise.server.context import SiteSettings, utc_now
from likewise.server.database import tables
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
        "login_requests": _delete_log_in_requests(connection),
        "mail": delete_old_mail(connection),
        "signing_keys": signing.delete_ended_keys(connection),
    }


def _delete_log_in_requests(connection: Connection) -> int:
    """Of people who went to a provider: whether they came back or not, it is over."""
    requests = tables.login_requests
    ended = delete(requests).where(requests.c.ends_on < utc_now() - timedelta(hours=1))
    return connection.execute(ended).rowcount
