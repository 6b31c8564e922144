"""Being asked to stop, by a signal or a thread."""

from __future__ import annotations

import time

_LOOK_EVERY_SECONDS = 0.1


class StopSignal:
    """Whether it was asked to stop. Without a lock, which two signals at once would both want."""

    asked = False

    def ask(self) -> None:
        self.asked = True

    def wait(self) -> None:
        """Until it was asked."""
        while not self.asked:
            time.sleep(_LOOK_EVERY_SECONDS)
