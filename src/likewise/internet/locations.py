"""Which URLs may be asked for at all, before any name is looked up."""

from __future__ import annotations

import re
from collections.abc import Iterable

import httpx

from likewise.internet.errors import NotFetched

_PORTS = {"http": 80, "https": 443}
_LONGEST = 4096
_CONTROL = re.compile(r"[\x00-\x20\x7f]")


def parsed(url: str) -> httpx.URL:
    """A URL that can be asked for: http or https, a host, no credentials, no fragment.

    >>> str(parsed("HTTP://Example.org/a#b"))
    'http://example.org/a'
    """
    if len(url) > _LONGEST:
        raise NotFetched("internet.url_long", n=_LONGEST)
    if _CONTROL.search(url.strip()):
        raise NotFetched("internet.url_blanks")
    try:
        known = httpx.URL(url.strip())
        host = known.raw_host.decode("ascii")  # here, since IDNA is checked when it is needed
    except (httpx.InvalidURL, UnicodeError, ValueError, TypeError):
        raise NotFetched("internet.url_bad") from None
    if known.scheme not in _PORTS:
        if not known.scheme:
            raise NotFetched("internet.no_scheme")
        raise NotFetched("internet.scheme", scheme=known.scheme)
    if not host:
        raise NotFetched("internet.url_no_host")
    if known.userinfo:
        raise NotFetched("internet.password_in_url")
    if known.port is not None and not 0 < known.port < 65536:
        raise NotFetched("internet.url_bad")
    return known.copy_with(fragment=None)


def port_of(url: httpx.URL) -> int:
    """The port that is meant where none is written."""
    return url.port or _PORTS[url.scheme]


def place_of(url: httpx.URL) -> str:
    """Host and port, as politeness and robots.txt know a site.

    >>> place_of(httpx.URL("https://example.org/a"))
    'example.org:443'
    """
    return f"{host_of(url)}:{port_of(url)}"


def host_of(url: httpx.URL) -> str:
    """The name of the host in the letters of DNS, without the dot at its end."""
    return url.raw_host.decode("ascii").lower().removesuffix(".")


def shown(url: str) -> str:
    """A URL that people may see: without credentials and fragment.

    >>> shown("https://me:secret@example.org/a#b"), shown("https://me:se cret@[::1")
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
