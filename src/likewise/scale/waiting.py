"""A cluster that gives no machine: Spark waits for ever, and somebody must say so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE_SECONDS = 10
AGAIN_SECONDS = 60


@contextmanager
def told_while_waiting(spark: SparkSession, tell: Callable[[str], None]) -> Iterator[None]:
    """Tells, now and then, that no executor is there; where all is one machine, nothing."""
    master = str(spark.sparkContext.master)
    if master.startswith("local"):
        yield
        return
    ended = threading.Event()

    def watch() -> None:
        seconds = PATIENCE_SECONDS
        while not ended.wait(seconds):
            seconds = AGAIN_SECONDS
            try:
                waiting = _executors(spark) == 0
            except Exception:  # the session is being stopped, and there is nothing to tell
                return
            if waiting and not ended.is_set():
                tell(
                    f"waiting: {master} has given no executor; are workers running, with the "
                    "memory and the cores that this job asks for?"
                )

    threading.Thread(target=watch, name="likewise-waiting", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _executors(spark: SparkSession) -> int:
    """How many executors have joined; the driver counts itself among them."""
    context: Any = spark.sparkContext._jsc
    return int(context.sc().getExecutorMemoryStatus().size()) - 1
