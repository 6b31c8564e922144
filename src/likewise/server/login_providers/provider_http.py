"""Asking a provider: by https, within limits, following nobody elsewhere.

An issuer is what an administrator typed in, and may well be inside the campus. Addresses of this
machine and of the link are refused all the same, since what answers there is meant for nobody
else, and http is: unless `LIKEWISE_PRIVATE_HOSTS` names the host.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from likewise.model import Message
from likewise.server.problems import Problem
from likewise.version import version

if TYPE_CHECKING:
    from likewise.internet import AllowedHosts
    from likewise.internet.http_client import HttpClient

MOST_BYTES = 1 << 20
SECONDS = 10.0
_PRIVATE_HOSTS = "LIKEWISE_PRIVATE_HOSTS"


class ProviderSilent(Problem):
    """A provider did not answer, or not as it should; nothing of what it said is repeated."""

    def __init__(self, why: Message) -> None:
        super().__init__("unavailable", "server.login_provider_silent", why=why)
        self.why = why


def ensure_may_ask(url: str) -> None:
    """Refuse an address that is none, or that is not https where it need be."""
    from likewise.internet.addresses import host_of, parse_url, port_of
    from likewise.internet.errors import NotFetched

    try:
        parsed = parse_url(url)
    except NotFetched as error:
        raise Problem("bad request", error.message) from None
    if parsed.scheme != "https" and not _allowed_hosts().has(host_of(parsed), port_of(parsed)):
        raise Problem("bad request", "server.login_provider_https", host=host_of(parsed))


def read_json(url: str, token: str | None = None) -> dict[str, Any]:
    """What stands at an address."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return _object(_ask(url, headers))


def post_form(
    url: str, fields: Mapping[str, str], headers: Mapping[str, str]
) -> tuple[int, dict[str, Any]]:
    """What is answered to a form, with its status: refusals say why, too."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    status, body = _exchange(url, {**headers, **form}, urlencode(fields).encode())
    return status, _object(body) if status == 200 else {}


def _ask(url: str, headers: Mapping[str, str]) -> bytes:
    status, body = _exchange(url, headers)
    if status != 200:
        raise ProviderSilent(Message("server.login_provider_status", {"status": status}))
    return body


def _exchange(
    url: str, headers: Mapping[str, str], content: bytes | None = None
) -> tuple[int, bytes]:
    from likewise.internet.addresses import parse_url
    from likewise.internet.errors import NotFetched

    ensure_may_ask(url)
    own = {
        "User-Agent": f"Likewise/{version().split()[0]}",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
    }
    if content is not None:
        own["Content-Length"] = str(len(content))
    try:
        answer = _client().ask(
            parse_url(url),
            own | dict(headers),
            method="GET" if content is None else "POST",
            content=content,
        )
    except NotFetched as error:
        raise ProviderSilent(error.message) from error
    return answer.status, answer.body


def _object(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ProviderSilent(Message("server.login_provider_no_json"))
    return answer


@cache
def _client() -> HttpClient:
    from likewise.internet.http_client import HttpClient
    from likewise.internet.model import FetchLimits

    limits = FetchLimits(
        received_bytes=MOST_BYTES,
        unpacked_bytes=MOST_BYTES,
        seconds=SECONDS,
        connect_seconds=SECONDS / 2,
    )
    return HttpClient(limits, _may_connect)


def _may_connect(host: str, port: int, address: str) -> bool:
    if _allowed_hosts().has(host, port):
        return True
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    nobodys = parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified
    return not (nobodys or parsed.is_multicast or parsed.is_reserved)


def _allowed_hosts() -> AllowedHosts:
    from likewise.internet.addresses import AllowedHosts

    return AllowedHosts(filter(None, os.environ.get(_PRIVATE_HOSTS, "").split(",")))
