"""The refresh token of a browser: in a cookie that no script reads and no other site can use."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request
from starlette.responses import Response

from likewise.server.context import Site
from likewise.server.problems import Problem

NAME = "likewise_refresh"
PAGE_HEADER, PAGE = "X-Likewise", "page"  # other sites cannot send it without asking us first
_PATH = "/api/v1/token"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class LoggedOut(Problem):
    """The cookie is good for nothing any more; the browser is told to forget it."""

    def __init__(self, key: str, forgetting: str) -> None:
        super().__init__("not logged in", key)
        self._forgetting = forgetting

    @property
    def headers(self) -> dict[str, str]:
        return super().headers | {"Set-Cookie": self._forgetting}


def set_cookie(response: Response, site: Site, request: Request, token: str) -> None:
    """Hand a refresh token to a browser."""
    response.set_cookie(
        NAME,
        token,
        max_age=site.config.refresh_days * 86_400,
        path=_path(site),
        secure=_is_secure(site, request),
        httponly=True,
        samesite="strict",
    )


def clear_cookie(response: Response, site: Site, request: Request) -> None:
    """Tell a browser to forget it."""
    response.delete_cookie(
        NAME,
        path=_path(site),
        secure=_is_secure(site, request),
        httponly=True,
        samesite="strict",
    )


def logged_out(key: str, site: Site, request: Request) -> LoggedOut:
    """A refusal that also clears the cookie."""
    response = Response()
    clear_cookie(response, site, request)
    return LoggedOut(key, response.headers["set-cookie"])


def cookie_of(site: Site, request: Request) -> str | None:
    """The token in the cookie, if our own page sends it."""
    token = request.cookies.get(NAME)
    if not token:
        return None
    if request.headers.get(PAGE_HEADER) != PAGE:
        raise Problem("not allowed", "server.page_header", header=PAGE_HEADER, value=PAGE)
    ensure_same_origin(site, request)
    return token


def ensure_same_origin(site: Site, request: Request) -> None:
    """Refuse what a browser sends for another site's page. Programs say nothing of either."""
    from_where = request.headers.get("sec-fetch-site")
    if from_where is not None and from_where != "same-origin":
        raise Problem("not allowed", "server.another_site")
    origin = request.headers.get("origin")
    if origin is None:
        return
    # A proxy may take TLS off, so the host is compared and not the scheme.
    ours = {_host(f"//{request.headers.get('host', '')}", origin)}
    if site.config.public_url:
        ours.add(_host(site.config.public_url, site.config.public_url))
    theirs = _host(origin, origin)
    if theirs is None or theirs not in ours:
        raise Problem("not allowed", "server.another_site")


def _host(address: str, of_scheme: str) -> tuple[str, int | None] | None:
    """Host and port, the port of the scheme where none is written."""
    try:
        parts, scheme = urlsplit(address), urlsplit(of_scheme).scheme
        if not parts.hostname:
            return None
        return parts.hostname, parts.port or _DEFAULT_PORTS.get(scheme)
    except ValueError:
        return None


def _path(site: Site) -> str:
    """Only what is about tokens gets the cookie, also where a proxy serves us under a path."""
    return urlsplit(site.config.public_url).path.rstrip("/") + _PATH


def _is_secure(site: Site, request: Request) -> bool:
    return request.url.scheme == "https" or site.config.public_url.startswith("https://")
