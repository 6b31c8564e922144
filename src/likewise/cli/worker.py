"""`likewise worker`: more hands for a server."""

from __future__ import annotations

from likewise.cli.serve import RequireSandbox, Workers, read_config
from likewise.cli.shared.library import Place, resolve_place

EXAMPLES = """[bold]Examples[/]

  likewise worker --library postgresql://likewise@db/campus --workers 4

A server does jobs itself; workers on other machines share them through the database. On a machine
that only answers, start the server with --workers 0.
"""


def worker(
    *, place_option: Place = None, workers: Workers = None, require_sandbox: RequireSandbox = None
) -> None:
    """Processes that read, add and check for the servers of the same library."""
    config = read_config(workers=workers, require_sandbox=require_sandbox)
    place, _ = resolve_place(place_option)
    from likewise.server.run import work

    work(place, config, say=lambda sentence: print(sentence, flush=True))
