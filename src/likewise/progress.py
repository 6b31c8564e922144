"""How far a piece of work is: one way to tell it, from the readers to the pages of the server."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # the stage, how many are done, of how many (0: unknown)
PageProgress = Callable[[int, int], None]  # the pages of one document, as they are read
Count = Callable[[int], None]  # of things done; whoever listens knows the stage and the total


def no_progress(*_: object) -> None:
    """For work that nobody watches, whether its stages are counted or its pages."""


def count_of(progress: Progress | None, stage: str, total: int, before: int = 0) -> Count | None:
    """A count that is told as the progress of one stage; None where nobody listens."""
    if progress is None:
        return None
    return lambda done: progress(stage, before + done, total)
