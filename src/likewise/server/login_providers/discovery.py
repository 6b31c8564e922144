"""What a provider says of itself, and the keys that it signs with (OpenID Connect Discovery 1.0).

Both are asked for once an hour. A token signed with a key that nobody knows makes us ask at once,
since providers change keys when they like; but not again and again, or whoever sends such tokens
would make us ask all day.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from likewise.model import Message
from likewise.server.login_providers.provider_http import (
    ProviderSilent,
    ensure_may_ask,
    read_json,
)

FRESH_SECONDS = 3600.0
STALE_SECONDS = 24 * 3600.0  # for which keys are good while their provider is silent
UNKNOWN_KEY_SECONDS = 10.0  # between two looks for a key that nobody knows
_MOST_KEYS = 100
# Only those by which somebody who can verify cannot sign.
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)

T = TypeVar("T")
Jwk = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ProviderMetadata:
    """Where a provider is asked, and how."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None
    end_session_endpoint: str | None
    algorithms: tuple[str, ...]
    secret_goes_in_header: bool
    names_itself: bool  # in the answer that the browser brings (RFC 9207)


@dataclass(slots=True)
class _Cached:
    value: Any
    read_at: float


class ProviderDirectory:
    """What this process knows of providers."""

    def __init__(self) -> None:
        self._cached: dict[tuple[str, str], _Cached] = {}
        self._missed_at: dict[str, float] = {}
        self._lock = threading.Lock()

    def metadata(self, issuer: str, *, anew: bool = False) -> ProviderMetadata:
        """What an issuer says of itself."""
        return self._of("metadata", issuer, lambda: read_metadata(issuer), anew=anew)

    def keys(self, jwks_uri: str, *, anew: bool = False) -> tuple[Jwk, ...]:
        """The public keys at an address."""
        return self._of("keys", jwks_uri, lambda: read_keys(jwks_uri), anew=anew)

    def find_keys(self, jwks_uri: str, is_meant: Callable[[Jwk], bool]) -> tuple[Jwk, ...]:
        """Those that may be meant; looks for new ones where none is, but not at every call."""
        known = tuple(filter(is_meant, self.keys(jwks_uri)))
        if known or not self._may_look(jwks_uri):
            return known
        return tuple(filter(is_meant, self.keys(jwks_uri, anew=True)))

    def _may_look(self, jwks_uri: str) -> bool:
        with self._lock:
            now = time.monotonic()
            if now - self._missed_at.get(jwks_uri, float("-inf")) < UNKNOWN_KEY_SECONDS:
                return False
            self._missed_at[jwks_uri] = now
            return True

    def _of(self, kind: str, place: str, read: Callable[[], T], *, anew: bool) -> T:
        with self._lock:
            cached = self._cached.get((kind, place))
        age = float("inf") if cached is None else time.monotonic() - cached.read_at
        if cached is not None and age < FRESH_SECONDS and not anew:
            value: T = cached.value
            return value
        try:
            value = read()
        except ProviderSilent:
            if cached is None or anew or age > STALE_SECONDS:
                raise
            stale: T = cached.value
            return stale
        with self._lock:
            self._cached[kind, place] = _Cached(value, time.monotonic())
        return value


DIRECTORY = ProviderDirectory()


def read_metadata(issuer: str) -> ProviderMetadata:
    """Ask an issuer, and believe it only if it is the one that was asked."""
    said = read_json(issuer.rstrip("/") + "/.well-known/openid-configuration")
    if said.get("issuer") != issuer:
        raise ProviderSilent(Message("server.login_provider_other_issuer"))
    supported = said.get("id_token_signing_alg_values_supported")
    names = supported if isinstance(supported, list) else ["RS256"]
    algorithms = tuple(name for name in ALGORITHMS if name in names)
    if not algorithms:
        raise ProviderSilent(Message("server.login_provider_algorithms"))
    methods = said.get("token_endpoint_auth_methods_supported")
    by_header = not isinstance(methods, list) or "client_secret_basic" in methods
    return ProviderMetadata(
        issuer=issuer,
        authorization_endpoint=_endpoint(said, "authorization_endpoint"),
        token_endpoint=_endpoint(said, "token_endpoint"),
        jwks_uri=_endpoint(said, "jwks_uri"),
        userinfo_endpoint=_optional_endpoint(said, "userinfo_endpoint"),
        end_session_endpoint=_optional_endpoint(said, "end_session_endpoint"),
        algorithms=algorithms,
        secret_goes_in_header=by_header,
        names_itself=said.get("authorization_response_iss_parameter_supported") is True,
    )


def read_keys(jwks_uri: str) -> tuple[Jwk, ...]:
    """The keys to verify with; none of those that are shared, or for encryption."""
    keys = read_json(jwks_uri).get("keys")
    if not isinstance(keys, list):
        raise ProviderSilent(Message("server.login_provider_no_json"))
    return tuple(
        key
        for key in keys[:_MOST_KEYS]
        if isinstance(key, dict)
        and key.get("kty") in ("RSA", "EC", "OKP")
        and key.get("use", "sig") == "sig"
    )


def _endpoint(said: Mapping[str, Any], name: str) -> str:
    address = _optional_endpoint(said, name)
    if address is None:
        raise ProviderSilent(Message("server.login_provider_lacks", {"name": name}))
    return address


def _optional_endpoint(said: Mapping[str, Any], name: str) -> str | None:
    address = said.get(name)
    if not isinstance(address, str) or not address:
        return None
    ensure_may_ask(address)
    return address
