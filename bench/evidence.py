"""Run the papers' experiments again and render the pages of evidence: `./dev evidence`.

`docs/evidence.md` is the summary, `docs/evidence/` has a page a subject.

Takes at most 45 minutes on two cores. An experiment whose corpus is not there is left out, and
what is on file of it is shown. With --render nothing is run; with --small everything is run in
seconds, without corpora, and rendered in build/.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from bench.corpus import DEFAULT_FOLDER, say
from bench.page.all import all_pages
from bench.papers import EXPERIMENTS, SMALL
from bench.papers.__main__ import SOMETHING_IS_MISSING
from bench.record import RESULTS

DOCS = Path(__file__).parents[1] / "docs"


def main() -> int:
    """Run, then write the page from whatever results there are."""
    parser = argparse.ArgumentParser(prog="./dev evidence", description=__doc__)
    parser.add_argument(
        "--render", action="store_true", help="the page alone, from what is on file"
    )
    parser.add_argument(
        "--small", action="store_true", help="in seconds, without corpora, in build/"
    )
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    parser.add_argument("--results", type=Path, help="folder of the figures (bench/results)")
    parser.add_argument("--docs", type=Path, help="folder of the page (docs)")
    arguments = parser.parse_args()
    results = arguments.results or (SMALL / "results" if arguments.small else RESULTS)
    docs = arguments.docs or (SMALL / "docs" if arguments.small else DOCS)
    problems = [] if arguments.render else run(results, arguments.corpus, arguments.small)
    print(render(results, docs))
    for problem in problems:
        say(problem)
    return 1 if any("failed" in problem for problem in problems) else 0


def run(results: Path, corpus: Path, small: bool) -> list[str]:
    """Each experiment in a process of its own: what one does to memory is not the next one's."""
    problems = []
    for experiment in EXPERIMENTS:
        command = [sys.executable, "-m", "bench.papers", experiment]
        command += ["--corpus", str(corpus), "--output", str(results)]
        status = subprocess.run([*command, "--small"] if small else command).returncode
        if status == SOMETHING_IS_MISSING:
            problems.append(f"{experiment}: left out, since a corpus is missing (named above)")
        elif status:
            problems.append(f"{experiment}: failed with exit status {status}")
    return problems


def render(results: Path, docs: Path) -> Path:
    """The pages and their plots; the summary's path."""
    pages = all_pages(results, docs / "plots")
    subjects = docs / "evidence"
    subjects.mkdir(parents=True, exist_ok=True)
    for path in subjects.glob("*.md"):  # a subject that is no more
        path.unlink()
    for name, text in pages.items():
        (docs / name).write_text(text, "utf-8")
    return docs / "evidence.md"


if __name__ == "__main__":
    sys.exit(main())
