"""Where a request comes from."""

from __future__ import annotations

import ipaddress

from fastapi import Request

from likewise.server.fields import clean


def address_of(request: Request) -> str:
    """The address; behind a trusted proxy uvicorn has put the real one here."""
    return clean(request.client.host, 64) if request.client else ""


def agent_of(request: Request) -> str:
    """What program sends it, by its own word."""
    return clean(request.headers.get("user-agent", ""), 200)


def network_of(address: str) -> str:
    """What one person is likely to hold alone: an address, or the 2⁶⁴ of a line of IPv6.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2:3:4"), network_of("testclient")
    ('192.0.2.7', '2001:db8::/64', 'testclient')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
