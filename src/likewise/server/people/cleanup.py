"""What the accounts no longer need: dated keys, ended sessions, old guesses and old notes."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from likewise.server.context import SiteSettings, this_moment
from likewise.server.people import audit, login_throttle, password_resets, sessions, signing

_SESSIONS_ARE_KEPT = timedelta(days=30)  # after their end, so that reuse is still told apart


def tidy_accounts(connection: Connection, settings: SiteSettings) -> dict[str, int]:
    """Drop what is old; how many rows of each kind."""
    moment = this_moment()
    return {
        "audit": audit.forget_before(connection, moment - timedelta(days=settings.keep_audit_days)),
        "sessions": sessions.forget_ended(connection, moment - _SESSIONS_ARE_KEPT),
        "guesses": login_throttle.forget_old(connection),
        "password_resets": password_resets.forget_ended(connection),
        "signing_keys": signing.forget_ended(connection),
    }
