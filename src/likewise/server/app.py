"""The application: every route, and what holds for all of them.

    Proxies ▸ ConnectionClose ▸ SecureHeaders ▸ Compression ▸ RequestLog ▸ HeadLimit ▸ Hosts
    ▸ BodyLimit ▸ DiskSpaceLimit ▸ error handlers ▸ routes | pages

From the outside to the inside: each is plain ASGI and passes streams on as they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, compile_path
from starlette.types import Scope

from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.http.addresses import Hosts, Proxies, parse_networks
from likewise.server.http.compression import Compression
from likewise.server.http.disk_reserve import DiskReserve, DiskSpaceLimit
from likewise.server.http.draining import ConnectionClose, Drain
from likewise.server.http.error_handlers import add_error_handlers
from likewise.server.http.openapi import describe_api
from likewise.server.http.pages import Pages, SecureHeaders
from likewise.server.http.request_limits import BodyLimit, HeadLimit
from likewise.server.http.request_log import RequestLog, RequestMetrics
from likewise.server.people.access import caller
from likewise.server.routers import ROUTERS
from likewise.version import version

API = "/api/v1"
# Nothing else of the API answers whoever brings no token.
OPEN_TO_ALL = frozenset(
    {
        *(f"{API}/token", f"{API}/token/refresh", f"{API}/health", f"{API}/health/live"),
        *(f"{API}/health/ready", f"{API}/health/process"),
        *(f"{API}/login", f"{API}/login/{{id}}", f"{API}/login/{{id}}/callback"),
        f"{API}/login/{{id}}/logout",  # signed by the provider
        *(f"{API}/password-resets", f"{API}/password-resets/use"),
        *(f"{API}/institution", f"{API}/certificates/{{code}}/verify"),
        # These ask for the token of a link, and for nothing else but of links for one person.
        *(f"{API}/shared", f"{API}/shared/view", f"{API}/shared/report"),
        *(f"{API}/shared/comments", f"{API}/shared/comments/{{comment}}"),
        f"{API}/shared/decisions",
    }
)
ABOUT = """Finds documents that say the same thing, shows where, and says how sure it is.

Log in with `POST /api/v1/token` and send the access token as `Authorization: Bearer …`; programs
send an API key in its place. What takes long is a job: the answer names it, and its progress is at
`/api/v1/jobs/{job}`. Every refusal has the same shape: a `kind` for programs, a `message` for
people, and `details`."""


def make_app(context: ServerContext) -> FastAPI:
    """An application over an open library."""
    app = FastAPI(
        title="Likewise",
        version=version(),
        description=ABOUT,
        openapi_url=None,  # ours asks for a token
        docs_url=None,  # a page whose scripts come from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.context, app.state.metrics = context, RequestMetrics()
    app.state.drain = Drain(context.config.drain_seconds)
    app.router.routes.extend(_api_routes())
    app.router.default = Pages()
    app.openapi = partial(_describe, app)  # type: ignore[method-assign]
    add_error_handlers(app)
    _surround(app, context)
    return app


def _surround(app: FastAPI, context: ServerContext) -> None:
    """From the inside to the outside."""
    config, templates = context.config, dict(_templates())
    is_always_https = config.public_url.startswith("https://")
    takes_files = _upload_finder()
    app.state.reserve = DiskReserve(context.store)
    app.add_middleware(DiskSpaceLimit, reserve=app.state.reserve, takes_files=takes_files)
    app.add_middleware(BodyLimit, takes_files=takes_files)
    app.add_middleware(Hosts, allowed=config.allowed_hosts)
    app.add_middleware(HeadLimit)
    app.add_middleware(RequestLog, metrics=app.state.metrics, templates=templates)
    app.add_middleware(Compression)
    app.add_middleware(SecureHeaders, is_always_https=is_always_https)
    app.add_middleware(ConnectionClose, drain=app.state.drain)
    app.add_middleware(Proxies, trusted=parse_networks(config.trusted_proxies))


_description = APIRouter()


@_description.get("/openapi.json", include_in_schema=False)
def read_description(request: Request, caller: Annotated[Caller, Depends(caller)]) -> JSONResponse:
    return JSONResponse(request.app.openapi())


def _describe(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        app.openapi_schema = describe_api(app, OPEN_TO_ALL)
    return app.openapi_schema


@cache
def _api_routes() -> tuple[BaseRoute, ...]:
    """Made once, whatever the library: what they read of a request is found out at the first."""
    router = APIRouter()
    for each in (*ROUTERS, _description):
        router.include_router(each, prefix=API)
    return tuple(router.routes)


def _routes() -> Iterator[APIRoute]:
    for router in ROUTERS:
        for route in router.routes:
            if isinstance(route, APIRoute):
                yield route


def _templates() -> Iterator[tuple[Callable[..., Any], str]]:
    for route in _routes():
        yield route.endpoint, API + route.path_format


def _upload_finder() -> Callable[[Scope], bool]:
    """Which requests may bring files: those to routes that are described so."""
    taking = [
        (route.methods, compile_path(API + route.path)[0])
        for route in _routes()
        if "multipart/form-data" in str((route.openapi_extra or {}).get("requestBody"))
    ]

    def takes_files(scope: Scope) -> bool:
        return any(
            scope["method"] in (methods or ()) and pattern.match(scope["path"])
            for methods, pattern in taking
        )

    return takes_files
