"""`likewise worker`: more hands for a server."""

from __future__ import annotations

from likewise.cli.serve import RequireSandbox, Workers, configured
from likewise.cli.shared.library import Place, place_of

EXAMPLES = """[bold]Examples[/]

  likewise worker --library postgresql://likewise@db/campus --workers 4

A server does jobs itself; workers on other machines share them through the database. On a machine
that only answers, start the server with --workers 0.
"""


def worker(
    *, library: Place = None, workers: Workers = None, require_sandbox: RequireSandbox = None
) -> None:
    """Processes that read, add and check for the servers of the same library."""
    config = configured(workers=workers, require_sandbox=require_sandbox)
    place, _ = place_of(library)
    from likewise.server.run import work

    work(place, config, say=lambda sentence: print(sentence, flush=True))
