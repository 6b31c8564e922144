"""Access tokens: who logged in and in which session, signed; what they may is looked up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import jwt

from likewise.server.context import Site
from likewise.server.people.signing import keys_of

ALGORITHM = "HS256"
ISSUER = "likewise"
AUDIENCE = "likewise-api"
_LONGEST = 2_000  # ours have some 300 characters
_SKEW = timedelta(seconds=5)  # by which the clocks of two servers may differ
_CLAIMS = ["sub", "sid", "iat", "exp", "iss", "aud"]


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says and its signature proves."""

    user: str
    session: str


def make_access_token(site: Site, user: str, session: str) -> str:
    """A token for one session, good for `config.access_minutes`."""
    key, moment = keys_of(site).newest(), datetime.now(UTC)
    return jwt.encode(
        {
            "sub": user,
            "sid": session,
            "iat": moment,
            "exp": moment + timedelta(minutes=site.config.access_minutes),
            "iss": ISSUER,
            "aud": AUDIENCE,
        },
        key.secret,
        algorithm=ALGORITHM,
        headers={"kid": key.id},
    )


def read_access_token(site: Site, token: str) -> Claims | None:
    """What a token claims; None for one that is forged, damaged, for others or too old."""
    if len(token) > _LONGEST:
        return None
    try:
        kid = jwt.get_unverified_header(token).get("kid")
        key = keys_of(site).known(kid) if isinstance(kid, str) else None
        if key is None:
            return None
        claims = jwt.decode(
            token,
            key.secret,
            algorithms=[ALGORITHM],
            issuer=ISSUER,
            audience=AUDIENCE,
            leeway=_SKEW,
            options={"require": _CLAIMS},
        )
    except (jwt.InvalidTokenError, ValueError):
        return None
    user, session = claims["sub"], claims["sid"]
    return Claims(user, session) if isinstance(session, str) else None
