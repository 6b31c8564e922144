"""Which URLs may be asked for at all, and which addresses are on the public Internet."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import httpx

from likewise.internet.errors import NotFetched

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
        address_object = ip_address(address)
    except ValueError:
        return False
    target = (
        _embedded_ipv4(address_object)
        if isinstance(address_object, IPv6Address)
        else address_object
    )
    if isinstance(target, IPv4Address):
        return not any(target in network for network in _NOT_PUBLIC)
    return target in _UNICAST and not any(target in network for network in _NOT_PUBLIC_6)


def _embedded_ipv4(address: IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address inside an IPv6 one, where packets go there."""
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def system_resolver(host: str, port: int) -> list[str]:
    """The addresses of a host, as this machine knows them."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in addresses))


_PORTS = {"http": 80, "https": 443}
_LONGEST = 4096
_CONTROL = re.compile(r"[\x00-\x20\x7f]")


def parse_url(url: str) -> httpx.URL:
    """A URL that can be asked for: http or https, a host, no credentials, no fragment.

    >>> str(parse_url("HTTP://Example.org/a#b"))
    'http://example.org/a'
    """
    if len(url) > _LONGEST:
        raise NotFetched("internet.url_long", n=_LONGEST)
    if _CONTROL.search(url.strip()):
        raise NotFetched("internet.url_blanks")
    try:
        url_object = httpx.URL(url.strip())
        host = url_object.raw_host.decode("ascii")  # here, since IDNA is checked when it is needed
    except (httpx.InvalidURL, UnicodeError, ValueError, TypeError):
        raise NotFetched("internet.url_bad") from None
    if url_object.scheme not in _PORTS:
        if not url_object.scheme:
            raise NotFetched("internet.no_scheme")
        raise NotFetched("internet.scheme", scheme=url_object.scheme)
    if not host:
        raise NotFetched("internet.url_no_host")
    if url_object.userinfo:
        raise NotFetched("internet.password_in_url")
    if url_object.port is not None and not 0 < url_object.port < 65536:
        raise NotFetched("internet.url_bad")
    return url_object.copy_with(fragment=None)


def port_of(url: httpx.URL) -> int:
    """The port that is meant where none is written."""
    return url.port or _PORTS[url.scheme]


def site_of(url: httpx.URL) -> str:
    """Host and port, as politeness and robots.txt know a site.

    >>> site_of(httpx.URL("https://example.org/a"))
    'example.org:443'
    """
    return f"{host_of(url)}:{port_of(url)}"


def host_of(url: httpx.URL) -> str:
    """The name of the host in the letters of DNS, without the dot at its end."""
    return url.raw_host.decode("ascii").lower().removesuffix(".")


def redacted_url(url: str) -> str:
    """A URL that people may see: without credentials and fragment.

    >>> redacted_url("https://me:secret@example.org/a#b"), redacted_url("https://me:se cret@[::1")
    ('https://example.org/a', 'https://[::1')
    """
    bare = url.partition("#")[0]
    return re.sub(r"^([^/?]*:?//)[^/?]*@", r"\1", bare)


class AllowedHosts:
    """Hosts that an administrator lets us fetch from although they are not public.

    `intranet.example` allows its usual ports, `intranet.example:8080` that one.

    >>> allowed = AllowedHosts(["Intranet.example", "[::1]:8080"])
    >>> allowed.has("intranet.example", 443), allowed.has("::1", 8080), allowed.has("::1", 80)
    (True, True, False)
    """

    def __init__(self, hosts: Iterable[str] = ()) -> None:
        self._places = frozenset(place for host in hosts for place in _places(host))

    def has(self, host: str, port: int) -> bool:
        return (host.lower().removesuffix("."), port) in self._places

    def check_port(self, url: httpx.URL) -> None:
        """Only the usual ports, where an administrator allowed no other."""
        port = port_of(url)
        if port not in _PORTS.values() and not self.has(host_of(url), port):
            raise NotFetched("internet.port", port=port)


def _places(host: str) -> list[tuple[str, int]]:
    name, colon, port = host.strip().lower().rpartition(":")
    if not colon or not port.isdigit() or (":" in name and not name.endswith("]")):
        name, ports = host.strip().lower(), list(_PORTS.values())
    else:
        ports = [int(port)]
    return [(name.strip("[]").removesuffix("."), number) for number in ports]
