"""Which addresses are on the public Internet, and whom a name leads to."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Resolver = Callable[[str, int], Sequence[str]]

# IANA's registries of special-purpose addresses, and multicast. Written out: what Python counts
# as global differs between its releases.
_NOT_PUBLIC = tuple(
    IPv4Network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
)
_UNICAST = IPv6Network("2000::/3")  # all that was ever given out; private addresses are elsewhere
_NOT_PUBLIC_6 = tuple(
    IPv6Network(network)
    for network in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")  # with Teredo and 6to4
)
_NAT64 = IPv6Network("64:ff9b::/96")  # the last four bytes are the address that is meant


def is_public(address: str) -> bool:
    """Whether an address is one of the public Internet, however it is written.

    >>> is_public("93.184.215.14"), is_public("127.0.0.1"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    try:
        known = ip_address(address)
    except ValueError:
        return False
    meant = _meant(known) if isinstance(known, IPv6Address) else known
    if isinstance(meant, IPv4Address):
        return not any(meant in network for network in _NOT_PUBLIC)
    return meant in _UNICAST and not any(meant in network for network in _NOT_PUBLIC_6)


def _meant(address: IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address inside an IPv6 one, where packets go there."""
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def system_resolver(host: str, port: int) -> list[str]:
    """The addresses of a host, as this machine knows them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
