"""The way to a provider and back: authorization code with PKCE (RFC 7636), state and nonce.

What is needed on the way back is kept under a hash of the state for ten minutes, and good once.
The browser that set out holds a cookie: an answer that somebody else's browser got, or that was
slipped to this one, logs nobody in.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from sqlalchemy import Connection, delete, insert, select, update

from likewise.server.config import Config
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.login_providers.discovery import DIRECTORY, ProviderMetadata
from likewise.server.login_providers.id_tokens import refused, verify_id_token
from likewise.server.login_providers.options import claim_at
from likewise.server.login_providers.provider_http import post_form, read_json
from likewise.server.login_providers.service import LoginProvider
from likewise.server.logs import log
from likewise.server.problems import Problem

requests = tables.login_requests

GOOD = timedelta(minutes=10)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")

# To log in, to show once more who sits there, or to let the provider vouch for an account.
Purpose = Literal["log in", "authenticate", "link"]


@dataclass(frozen=True, slots=True)
class LogInRequest:
    """What is kept while somebody is at the provider."""

    nonce: str
    verifier: str
    browser: str  # the hash of the cookie
    go_to: str
    purpose: Purpose = "log in"
    user: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the browser goes, and the cookie that it takes along."""

    address: str
    cookie: str
    value: str


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """What a provider says of somebody, at last."""

    request: LogInRequest
    claims: Mapping[str, Any]
    id_token: str
    asked_on: datetime

    @property
    def authenticated_on(self) -> datetime | None:
        """When the provider saw the person last, as moments are stored; None where unsaid."""
        moment = self.claims.get("auth_time")
        if not isinstance(moment, int) or isinstance(moment, bool) or not 0 < moment < 1 << 40:
            return None
        return min(utc_now(), datetime.fromtimestamp(moment, UTC).replace(tzinfo=None))


def site_address(config: Config) -> str:
    """Where providers send people back to. What a caller says of the host is not believed."""
    if config.public_url:
        return config.public_url.rstrip("/")
    if config.host in _LOOPBACK:
        host = f"[{config.host}]" if ":" in config.host else config.host
        return f"http://{host}:{config.port}"
    raise Problem("conflict", "server.login_without_address", variable="LIKEWISE_PUBLIC_URL")


def return_address(config: Config, provider: str) -> str:
    """Where a provider sends people back to: one for each, so that none is taken for another.

    >>> return_address(Config(public_url="https://likewise.example.kz/"), "0123456789ab")
    'https://likewise.example.kz/login/0123456789ab'
    """
    return f"{site_address(config)}/login/{provider}"


def depart(
    context: ServerContext,
    provider: LoginProvider,
    go_to: str,
    *,
    purpose: Purpose = "log in",
    user: str | None = None,
    session: str | None = None,
) -> Departure:
    """Where to send somebody who wants to log in."""
    back = return_address(context.config, provider.id)
    metadata = DIRECTORY.metadata(provider.issuer)
    state, browser = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    request = LogInRequest(
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(48),
        browser=_digest(browser).hex(),
        go_to=own_path(go_to),
        purpose=purpose,
        user=user,
        session=session,
    )
    now = utc_now()
    with context.store.beside() as connection:
        delete_ended_requests(connection)
        connection.execute(
            insert(requests).values(
                hash=_digest(state),
                provider_id=provider.id,
                request=json.dumps(asdict(request)),
                made_on=now,
                ends_on=now + GOOD,
            )
        )
    question = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": back,
        "scope": " ".join(dict.fromkeys(["openid", *provider.options.scopes])),
        "state": state,
        "nonce": request.nonce,
        "code_challenge": challenge_of(request.verifier),
        "code_challenge_method": "S256",
    }
    if purpose == "authenticate":
        question |= {"prompt": "login", "max_age": "0"}
    return Departure(
        with_query(metadata.authorization_endpoint, question), cookie_name(state), browser
    )


def arrive(
    context: ServerContext,
    provider: LoginProvider,
    *,
    state: str,
    code: str | None,
    issuer: str | None,
    cookies: Mapping[str, str],
) -> ProviderAnswer:
    """What the provider says of whoever comes back with a code; used up by it."""
    request, asked_on = _take_request(context, provider, state, cookies)
    metadata = DIRECTORY.metadata(provider.issuer)
    if (issuer is not None or metadata.names_itself) and issuer != metadata.issuer:
        raise refused()  # another provider's answer (RFC 9207)
    if not code:
        raise Problem("not allowed", "server.login_not_granted", name=provider.name)
    tokens = _exchange_code(context, provider, metadata, code, request.verifier)
    id_token = tokens.get("id_token")
    claims = verify_id_token(provider, metadata, id_token, request.nonce)
    claims = _with_user_info(provider, metadata, claims, tokens.get("access_token"))
    return ProviderAnswer(request, claims, str(id_token), asked_on)


def log_out_address(
    context: ServerContext, provider: LoginProvider, id_token: str | None
) -> str | None:
    """Where to log out at a provider too (OpenID Connect RP-Initiated Logout 1.0)."""
    try:
        metadata = DIRECTORY.metadata(provider.issuer)
    except Problem:
        return None  # whoever logs out here need not wait for it
    if metadata.end_session_endpoint is None:
        return None
    back = f"{site_address(context.config)}/login"
    question = {"client_id": provider.client_id, "post_logout_redirect_uri": back}
    if id_token:
        question["id_token_hint"] = id_token
    return with_query(metadata.end_session_endpoint, question)


def delete_ended_requests(connection: Connection) -> int:
    """Drop those of people who never came back, and those who did."""
    ended = delete(requests).where(requests.c.ends_on < utc_now() - GOOD)
    return connection.execute(ended).rowcount


def challenge_of(verifier: str) -> str:
    """What a provider is shown of a verifier (RFC 7636, appendix B).

    >>> challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    """
    return base64.urlsafe_b64encode(_digest(verifier)).rstrip(b"=").decode()


def cookie_name(state: str) -> str:
    """One for each departure, so that two windows do not take each other's."""
    return f"likewise_login_{_digest(state).hex()[:16]}"


def own_path(text: str) -> str:
    """A path of our own pages; whatever leads elsewhere leads to the first page.

    >>> own_path("/checks/7"), own_path("//evil.example"), own_path("https://evil.example")
    ('/checks/7', '/', '/')
    """
    is_ours = text.startswith("/") and text.isprintable() and len(text) <= 1_000
    is_elsewhere = text.startswith(("//", "/\\")) or "\\" in text
    return text if is_ours and not is_elsewhere else "/"


def with_query(address: str, question: Mapping[str, str]) -> str:
    """An address with more of a question than it had.

    >>> with_query("https://a.kz/auth?tenant=1", {"state": "x y"})
    'https://a.kz/auth?tenant=1&state=x+y'
    """
    parts = urlsplit(address)
    pairs = [*parse_qsl(parts.query, keep_blank_values=True), *question.items()]
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(pairs), ""))


def _take_request(
    context: ServerContext, provider: LoginProvider, state: str, cookies: Mapping[str, str]
) -> tuple[LogInRequest, datetime]:
    """What was kept at the departure; it is good once, and for the browser that set out."""
    column, now = requests.c, utc_now()
    living = (
        column.hash == _digest(state),
        column.provider_id == provider.id,
        column.used_on.is_(None),
        column.ends_on > now,
    )
    with context.store.beside() as connection:
        row = connection.execute(select(column.request, column.made_on).where(*living)).first()
        if row is None:
            raise Problem("not allowed", "server.login_too_late")
        request = LogInRequest(**json.loads(row.request))
        browser = _digest(cookies.get(cookie_name(state), "")).hex()
        if not hmac.compare_digest(browser, request.browser):
            raise Problem("not allowed", "server.login_other_browser")
        # Of two at once one finds it unused: PostgreSQL looks again after waiting.
        taken = update(requests).where(*living).values(used_on=now, request="{}")
        if connection.execute(taken).rowcount != 1:
            raise Problem("not allowed", "server.login_too_late")
    return request, row.made_on


def _exchange_code(
    context: ServerContext,
    provider: LoginProvider,
    metadata: ProviderMetadata,
    code: str,
    verifier: str,
) -> dict[str, Any]:
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": return_address(context.config, provider.id),
        "code_verifier": verifier,
    }
    headers: dict[str, str] = {}
    secret = provider.client_secret
    if secret and metadata.secret_goes_in_header:
        both = f"{quote(provider.client_id, safe='')}:{quote(secret, safe='')}"
        headers["Authorization"] = "Basic " + base64.b64encode(both.encode()).decode()
    else:
        fields["client_id"] = provider.client_id
        if secret:
            fields["client_secret"] = secret
    status, tokens = post_form(metadata.token_endpoint, fields, headers)
    if status != 200:
        log("warning", "login provider refused a code", provider=provider.id, status=status)
        raise Problem("not allowed", "server.login_not_granted", name=provider.name)
    return tokens


def _with_user_info(
    provider: LoginProvider, metadata: ProviderMetadata, claims: dict[str, Any], token: Any
) -> dict[str, Any]:
    """The claims, with those that a provider tells only whoever asks for them.

    What the signed token says holds: an answer adds to it, about the same person, and changes none.
    """
    options = provider.options
    has_roles = not options.role_claim or claim_at(claims, options.role_claim) is not None
    if has_roles and "email" in claims:
        return claims
    if metadata.userinfo_endpoint is None or not isinstance(token, str):
        return claims
    more = read_json(metadata.userinfo_endpoint, token)
    if more.get("sub") != claims["sub"]:
        raise refused()
    return more | claims


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
