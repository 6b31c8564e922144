"""What a provider has signed, and that it means us (OpenID Connect Core 1.0, 3.1.3.7)."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Mapping
from typing import Any

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from jwt.exceptions import PyJWTError

from likewise.server.login_providers.discovery import DIRECTORY, Jwk, ProviderMetadata
from likewise.server.login_providers.service import LoginProvider
from likewise.server.problems import Problem

LEEWAY_SECONDS = 60  # that clocks may differ
LOGOUT_SECONDS = 300  # that a logout token is good
_MOST_CHARS = 60_000
_LEAST_RSA_BITS = 2048
_LOGOUT = "http://schemas.openid.net/event/backchannel-logout"
_KINDS = {"RS": ("RSA",), "PS": ("RSA",), "ES": ("EC",), "Ed": ("OKP",)}
_CURVES = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}


def verify_id_token(
    provider: LoginProvider, metadata: ProviderMetadata, token: Any, nonce: str
) -> dict[str, Any]:
    """The claims of an ID token that answers our question."""
    claims = _verify(provider, metadata, token, ["exp", "iat", "iss", "aud", "sub"])
    given = claims.get("nonce")
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), nonce.encode()):
        raise refused()
    return claims


def verify_logout_token(
    provider: LoginProvider, metadata: ProviderMetadata, token: str
) -> dict[str, Any]:
    """The claims of a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6)."""
    claims = _verify(provider, metadata, token, ["iat", "iss", "aud", "jti"])
    events = claims.get("events")
    is_logout = isinstance(events, dict) and isinstance(events.get(_LOGOUT), dict)
    names_somebody = any(isinstance(claims.get(name), str) for name in ("sub", "sid"))
    made_at = claims["iat"]
    is_fresh = isinstance(made_at, int | float) and time.time() - made_at < LOGOUT_SECONDS
    if not (is_logout and names_somebody and is_fresh) or "nonce" in claims:
        raise refused()
    return claims


def refused() -> Problem:
    """Said of every token that does not hold; which check it failed helps nobody honest."""
    return Problem("not allowed", "server.login_token_refused")


def _verify(
    provider: LoginProvider, metadata: ProviderMetadata, token: Any, required: list[str]
) -> dict[str, Any]:
    if not isinstance(token, str) or len(token) > _MOST_CHARS:
        raise refused()
    try:
        header = jwt.get_unverified_header(token)
        algorithm = header.get("alg")
        if algorithm not in metadata.algorithms:
            raise refused()
        is_meant = _key_filter(str(algorithm), header.get("kid"))
        keys = DIRECTORY.find_keys(metadata.jwks_uri, is_meant)
        if len(keys) != 1:  # none, or nobody knows which
            raise refused()
        key = jwt.PyJWK(dict(keys[0]), algorithm=str(algorithm))
        _ensure_strong(key)
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[str(algorithm)],
            audience=provider.client_id,
            issuer=metadata.issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": required},
        )
    except (PyJWTError, UnsupportedAlgorithm, ValueError, TypeError, KeyError, RecursionError):
        raise refused() from None
    _ensure_for_us(provider, claims)
    return claims


def _ensure_for_us(provider: LoginProvider, claims: Mapping[str, Any]) -> None:
    """A token for several parties says which of them asked for it."""
    audience, party = claims["aud"], claims.get("azp")
    if isinstance(audience, list) and len(audience) > 1 and party is None:
        raise refused()
    if party is not None and party != provider.client_id:
        raise refused()
    if "sub" in claims and not (isinstance(claims["sub"], str) and 0 < len(claims["sub"]) <= 255):
        raise refused()


def _key_filter(algorithm: str, name: Any) -> Callable[[Jwk], bool]:
    """Which keys a token may be signed with: of its name, and of the kind of its algorithm."""

    def is_meant(key: Jwk) -> bool:
        return (
            (name is None or key.get("kid") == name)
            and key.get("kty") in _KINDS[algorithm[:2]]
            and key.get("alg", algorithm) == algorithm
            and key.get("crv") == _CURVES.get(algorithm, key.get("crv"))
        )

    return is_meant


def _ensure_strong(key: jwt.PyJWK) -> None:
    bits = getattr(key.key, "key_size", None)
    if key.key_type == "RSA" and (bits is None or bits < _LEAST_RSA_BITS):
        raise refused()
