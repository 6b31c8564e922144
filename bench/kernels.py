"""The compiled kernels beside their NumPy twins: `./dev bench kernels`.

The same search over the same texts in two fresh processes, one with each form: CPU seconds of user
code for words, shingles, signatures and the joins. The answers must be equal to the bit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.record import RESULTS, keep
from bench.speed.meter import Reading

if TYPE_CHECKING:
    from likewise.settings import Method

FORMS = ("compiled", "numpy")
METHODS = ("exact", "lsh")


def texts(count: int, words: int) -> list[str]:
    """Texts of random words, as frequent as in a language; every tenth is an edited copy."""
    draw = random.Random(22)
    vocabulary = [f"w{number:x}" for number in range(30_000)]
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    made: list[list[str]] = []
    for number in range(count):
        if number % 10 == 9:
            text = list(draw.choice(made))
            for _ in range(words // 50):
                text[draw.randrange(words)] = draw.choice(vocabulary)
        else:
            text = draw.choices(vocabulary, weights, k=words)
        made.append(text)
    return [" ".join(text) for text in made]


def measure(method: Method, count: int, words: int) -> dict[str, float | str]:
    """One search in this process."""
    import likewise as lw
    from likewise.settings import Settings

    documents = [
        lw.Document.from_text(text, name=f"{n}") for n, text in enumerate(texts(count, words))
    ]
    lw.find(
        documents[:20], settings=Settings.plain(method=method, threshold=0.5), jobs=1
    )  # imports
    before = Reading.now()
    matches = lw.find(documents, settings=Settings.plain(method=method, threshold=0.5), jobs=1)
    pairs = [(match.a, match.b, match.jaccard) for match in matches]
    return {
        "cpu_s": before.spent()["user_s"],
        "pairs": hashlib.sha256(repr(pairs).encode()).hexdigest()[:16],
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench kernels", description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=400)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS / "kernels.json")
    parser.add_argument("--measure", choices=METHODS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure, options.documents, options.words)))
        return
    figures = []
    for method in METHODS:
        runs = {
            form: [_run(form, method, options) for _ in range(options.repeat)] for form in FORMS
        }
        cpu = {form: median(run["cpu_s"] for run in runs[form]) for form in FORMS}
        figures.append(
            {
                "method": method,
                "documents": options.documents,
                "compiled, CPU-s": round(cpu["compiled"], 3),
                "NumPy, CPU-s": round(cpu["numpy"], 3),
                "times": round(cpu["numpy"] / cpu["compiled"], 1),
                "same pairs": len({run["pairs"] for form in FORMS for run in runs[form]}) == 1,
            }
        )
        print(figures[-1])
    keep(
        options.output,
        "compiled and NumPy",
        f"./dev bench kernels --repeat {options.repeat}",
        figures,
    )


def _run(form: str, method: str, options: argparse.Namespace) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.kernels", "--measure", method]
    command += ["--documents", str(options.documents), "--words", str(options.words)]
    environment = os.environ | {"LIKEWISE_KERNELS": "numpy" if form == "numpy" else ""}
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return dict(json.loads(shown.stdout))


if __name__ == "__main__":
    main()
