"""Results as small JSON files, a section for each thing measured."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.record.machine import machine

RESULTS = Path(__file__).parents[1] / "results"

Result = dict[str, Any]


def keep(path: Path, section: str, command: str, figures: Any, **facts: Any) -> None:
    """Write one section; the others stay, each with its own date, command and machine."""
    result: Result = json.loads(path.read_text("utf-8")) if path.is_file() else {"sections": {}}
    result["sections"][section] = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": command,
        "machine": machine(),
        **facts,
        "figures": figures,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read_results(folder: Path, name: str) -> dict[str, Result]:
    """The sections of one benchmark; none if it was never run."""
    path = folder / f"{name}.json"
    if not path.is_file():
        return {}
    sections: dict[str, Result] = json.loads(path.read_text("utf-8"))["sections"]
    return sections
