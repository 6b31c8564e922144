"""Answers about the whole library, kept in this process until the library changes."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from likewise.server.context import Site

T = TypeVar("T")

_MOST = 2_000  # answers
_DEAR_SECONDS = 0.2
_STALE_SECONDS = 10.0  # how old a dear answer may be that need not be exact


class Remembered:
    """The newest answers; each holds for one number of changes of the library."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, tuple[int, float, float, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def of(
        self, question: Hashable, changes: int, answer: Callable[[], T], *, exact: bool = True
    ) -> T:
        """An answer from before, else a new one.

        One that took long and need not be exact is given for some seconds more, so that a library
        which grows all the time is not counted all the time.
        """
        with self._lock:
            known = self._answers.get(question)
            if known is not None:
                seen, at, took, value = known
                is_fresh = took > _DEAR_SECONDS and time.monotonic() - at < _STALE_SECONDS
                if seen == changes or (is_fresh and not exact):
                    self._answers.move_to_end(question)
                    found: T = value
                    return found
        began = time.monotonic()
        made = answer()
        ended = time.monotonic()
        with self._lock:
            self._answers[question] = changes, ended, ended - began, made
            self._answers.move_to_end(question)
            while len(self._answers) > _MOST:
                self._answers.popitem(last=False)
        return made


_of_sites: WeakKeyDictionary[Site, Remembered] = WeakKeyDictionary()
_making = threading.Lock()


def remembered(site: Site) -> Remembered:
    """What this process remembers about a site's library."""
    with _making:
        return _of_sites.setdefault(site, Remembered())
