"""One request at a time to each site, and a pause between them."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from likewise.internet.errors import NotFetched
from likewise.model import Message


class Turns:
    """Whose turn it is at each site.

    A site that asks for longer pauses gets them, up to `longest_delay`; one that asked to be left
    alone is left alone.
    """

    def __init__(self, delay_seconds: float, longest_delay_seconds: float) -> None:
        self._delay, self._longest = delay_seconds, longest_delay_seconds
        self._lock = threading.Lock()
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._delays: dict[str, float] = {}
        self._free_at: dict[str, float] = {}
        self._resting: dict[str, tuple[float, Message]] = {}

    def ask_for(self, place: str, delay_seconds: float) -> None:
        """A site's own wish for pauses."""
        self._delays[place] = max(self._delay, min(delay_seconds, self._longest))

    def rest(self, place: str, seconds: float, why: Message) -> None:
        """Leave a site alone for some time."""
        self._resting[place] = time.monotonic() + seconds, why

    def check_rest(self, place: str) -> None:
        """`NotFetched` with the reason where a site is to be left alone."""
        until, why = self._resting.get(place, (0.0, None))
        if why and time.monotonic() < until:
            raise NotFetched(why)

    @contextmanager
    def turn(self, place: str) -> Iterator[None]:
        """Waits for the turn; whatever happens in it, the next comes a pause later."""
        with self._lock:
            lock = self._locks[place]
        with lock:
            pause = self._free_at.get(place, 0.0) - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            self.check_rest(place)
            try:
                yield
            finally:
                self._free_at[place] = time.monotonic() + self._delays.get(place, self._delay)
