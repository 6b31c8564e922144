"""Each measurement in a fresh process with one core and one thread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[2]
_THREADS = (
    "OMP_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


def measured(job: str, *, source: Path | None = None, **question: Any) -> dict[str, Any]:
    """What `bench.speed.child` answers to one job; {"failed": reason} if it does not.

    `source` is the folder of an earlier release whose code is measured instead of this.
    """
    if source is not None:
        question["source"] = source
    command = [sys.executable, "-m", "bench.speed.child", job, json.dumps(question, default=str)]
    environment = {**os.environ, **dict.fromkeys(_THREADS, "1"), "PYTHONHASHSEED": "0"}
    if source is not None:
        paths = [str(source / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    child = subprocess.run(command, cwd=_ROOT, env=environment, capture_output=True, text=True)
    if child.returncode:
        last = (child.stderr.strip().splitlines() or [f"exit status {child.returncode}"])[-1]
        return {"failed": last}
    answer: dict[str, Any] = json.loads(child.stdout.splitlines()[-1])
    return answer
