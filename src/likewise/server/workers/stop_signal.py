"""Being asked to stop, by a signal or a thread."""

from __future__ import annotations

import time

_LOOK_EVERY_SECONDS = 0.1


class StopSignal:
    """Whether it was asked to stop. Without a lock, which two signals at once would both want."""

    is_set = False

    def set(self) -> None:
        self.is_set = True

    def wait(self) -> None:
        """Until it was asked."""
        while not self.is_set:
            time.sleep(_LOOK_EVERY_SECONDS)
