"""Reports are written whole or not at all, and nothing is left behind."""

import os
import time
from pathlib import Path

import likewise as lw
from likewise.report import view_of_check, write_view
from likewise.report.write import ABANDONED_SECONDS

from .texts import OWN, RIVER, document


def abandoned(folder: Path, name: str, file: str = "report.pdf", *, hours: float = 2) -> Path:
    """What a run leaves behind that was killed so long ago."""
    left = folder / name
    left.mkdir()
    (left / file).write_bytes(b"half of it")
    then = time.time() - hours * ABANDONED_SECONDS
    os.utime(left, (then, then))
    return left


def test_what_a_killed_run_left_is_removed(tmp_path):
    old = abandoned(tmp_path, ".report-abcd1234")
    at_work = abandoned(tmp_path, ".report-efgh5678", hours=0)
    of_somebody = abandoned(tmp_path, ".report-ijkl9012", "thesis.pdf")
    view = view_of_check(lw.check(document("a", OWN), [document("b", RIVER)]))
    write_view(view, tmp_path / "report.json")
    assert not old.exists()
    assert at_work.exists() and (of_somebody / "thesis.pdf").exists()
    assert (tmp_path / "report.json").exists()
