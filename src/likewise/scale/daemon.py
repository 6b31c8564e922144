"""Spark's own maker of Python processes, without the archives it puts before everything else.

Spark shows its executors PySpark as an archive, from which Python compiles every module anew at
each start, and whose list of contents it reads again for each task: a tenth of a CPU second. Where
PySpark is installed beside Likewise, that one is taken instead.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec


def take_installed() -> None:
    """Leave archives out of the path, unless PySpark is nowhere else."""
    before = list(sys.path)
    sys.path[:] = [place for place in before if not place.endswith(".zip")]
    if find_spec("pyspark") is None or find_spec("py4j") is None:
        sys.path[:] = before


if __name__ == "__main__":
    take_installed()
    from pyspark.daemon import manager

    manager()
