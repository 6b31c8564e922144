"""What `likewise --help` costs, in CPU seconds of its process."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_AS_THE_SCRIPT_DOES = "import sys; sys.argv[0] = 'likewise'; from likewise.cli import main; main()"


def help_job(repeat: int) -> dict[str, Any]:
    """CPU seconds of each run, after one that nobody counts; or why there are none."""
    if find_spec("likewise.cli") is None:
        return {"skipped": "there is no command line yet"}
    script = Path(sys.executable).with_name("likewise")
    command = [str(script)] if script.is_file() else [sys.executable, "-c", _AS_THE_SCRIPT_DOES]
    runs = []
    for _ in range(repeat + 1):
        process = subprocess.Popen(
            [*command, "--help"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            return {"skipped": f"likewise --help ended with status {process.returncode}"}
        runs.append(round(used.ru_utime + used.ru_stime, 4))
    return {"cpu_s": runs[1:]}
