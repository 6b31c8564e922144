"""Whether the store of originals answers, asked now and then and beside whoever wants to know."""

from __future__ import annotations

import threading
import time

from likewise.library.original_transfer import store_problem
from likewise.library.originals import chosen_place

_FRESH_SECONDS = 15.0


class _Probe:
    """The newest answer of the store, and since when it is known."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked_at: float | None = None
        self._answers = True

    def answers(self) -> bool:
        """As it was a moment ago; asks once more where that is too long ago."""
        if chosen_place() is None:
            return True
        with self._lock:
            now = time.monotonic()
            if self._asked_at is None or now - self._asked_at > _FRESH_SECONDS:
                self._asked_at = now
                threading.Thread(target=self._ask, name="originals", daemon=True).start()
            return self._answers

    def _ask(self) -> None:
        self._answers = store_problem() is None


store_answers = _Probe().answers
