"""What starts Python processes for Spark on every machine, in sessions of ours.

Before each task PySpark has Python forget what lies on its path. Python then reads the directories
of Spark's own archives there again, thousands of names: more work than most of our tasks are. Those
archives do not change while a process lives.
"""

from __future__ import annotations

import zipimport

from pyspark import daemon


def _keep(archive: zipimport.zipimporter) -> None:
    """What was read of an archive stays."""


if __name__ == "__main__":
    zipimport.zipimporter.invalidate_caches = _keep  # type: ignore[assignment, method-assign]
    daemon.manager()  # type: ignore[no-untyped-call]
