"""`likewise serve`: the library for everybody with a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.shared.library import Place, resolve_place
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.server.config import Config

EXAMPLES = """[bold]Examples[/]

  likewise serve
  likewise serve --library campus.db --port 9000 --no-browser
  likewise serve --library postgresql://likewise@db/campus --host 0.0.0.0 --workers 4
  likewise serve --library campus.db --require-sandbox

Every option can be set in the environment too: LIKEWISE_PORT=9000. docs/administration.md has all.
"""

Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="Processes that do jobs; default 2."),
]


RequireSandbox = Annotated[
    bool | None,
    typer.Option(
        "--require-sandbox",
        help="Read nothing where readers cannot be confined; see likewise doctor.",
        show_default=False,
    ),
]


def serve(
    *,
    place_option: Place = None,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="To listen on; default this machine alone."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", help="To listen on; default 8000, 0 for a free one."),
    ] = None,
    workers: Workers = None,
    require_sandbox: RequireSandbox = None,
    open_browser: Annotated[
        bool | None,
        typer.Option(
            "--browser/--no-browser", help="Open a browser; default where a person starts it."
        ),
    ] = None,
) -> None:
    """The library for everybody with a browser: pages, an API, and jobs that survive."""
    config = read_config(host=host, port=port, workers=workers, require_sandbox=require_sandbox)
    place, is_explicit = resolve_place(place_option)
    if not is_explicit:
        Path(place).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    from likewise.server.run import serve as run

    if open_browser is None:
        open_browser = config.host in ("127.0.0.1", "::1", "localhost") and _has_screen()
    run(place, config, say=_say, opens_browser=open_browser)


def read_config(**options: object) -> Config:
    """How to run, by the command line and the environment."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401

        from likewise.server.config import Config
    except ImportError as error:
        raise BadInput("cli.server_packages") from error
    logs = {} if not sys.stderr.isatty() else {"LIKEWISE_LOG_FORMAT": "text"}

    return Config.from_environment(logs | dict(os.environ), **options)


def _has_screen() -> bool:
    if not (sys.stdin and sys.stdin.isatty()):
        return False
    return os.name == "nt" or sys.platform == "darwin" or bool(os.environ.get("DISPLAY"))


def _say(sentence: str) -> None:
    print(sentence, flush=True)
