"""The local engine on the same files, with the same outputs, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.speed.meter import Reading
from bench.speed.spark_run import hashed
from likewise.settings import Settings


def local_job(data: Path, settings: Settings, with_pairs: bool = True) -> dict[str, Any]:
    """CPU seconds of `likewise dedup` from its start to its end, and what it answered."""
    with tempfile.TemporaryDirectory(prefix="likewise-local-") as scratch:
        files = {name: Path(scratch, f"{name}.jsonl") for name in ("pairs", "clusters")}
        files["kept"] = Path(scratch, "kept.txt")
        if not with_pairs:
            del files["pairs"]
        command = [sys.executable, "-m", "likewise", "dedup", str(data), "--quiet", "--jobs", "1"]
        command += ["--method", settings.method, "--threshold", str(settings.threshold)]
        for name, path in files.items():
            command += [f"--{name}", str(path)]
        start = Reading.now()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        spent = start.spent()
        listed = _lines(files["pairs"]) if with_pairs else []
        pairs = [list(json.loads(line).values()) for line in listed]
        clusters = [
            [row["members"], row["weakest"]] for row in map(json.loads, _lines(files["clusters"]))
        ]
        kept = _lines(files["kept"])
    answer = {
        "pairs": hashed(pairs),
        "clusters": hashed(clusters),
        "kept": hashed(kept),
        "numbers": {"pairs": len(pairs), "clusters": len(clusters), "kept": len(kept)},
    }
    return {**spent, "answer": answer, "found": {(pair[0], pair[1]) for pair in pairs}}


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()
