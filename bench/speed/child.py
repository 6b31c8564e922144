"""One measurement, alone in its process: `python -m bench.speed.child JOB QUESTION`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bench.speed.meter import stay_on_one_core


def main() -> None:
    """Answer one job in one line of JSON."""
    stay_on_one_core()
    job, question = sys.argv[1], json.loads(sys.argv[2])
    folder = Path(question.pop("folder"))
    if source := question.pop("source", None):
        _ensure_code_of(Path(source))
    print(json.dumps(_answer(job, folder, question)))


def _ensure_code_of(source: Path) -> None:
    """End where another code than that of an earlier release would be measured."""
    import likewise

    path = Path(str(likewise.__file__)).resolve()
    if not path.is_relative_to(source.resolve()):
        sys.exit(f"{source} was to be measured, and {path.parent} was imported")


def _answer(job: str, folder: Path, question: dict[str, Any]) -> dict[str, Any]:
    if job == "peer":
        from bench.speed.peer_job import peer_job

        return peer_job(folder, **question)
    if job == "likewise":
        from bench.speed.own_job import own_job

        return own_job(folder, **question)
    if job == "compare":
        from bench.speed.compare_job import compare_job

        return compare_job(folder, **question)
    if job == "library":
        from bench.speed.library import library_job

        return library_job(folder, **question)
    if job == "library growth":
        from bench.speed.library import growth_job

        return growth_job(folder, **question)
    if job == "library peer":
        from bench.speed.library_peers import library_peer_job

        return library_peer_job(folder, **question)
    from bench.speed.kernel_job import kernel_job

    return kernel_job(folder, **question)


if __name__ == "__main__":
    main()
