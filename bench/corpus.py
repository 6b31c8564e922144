"""The corpora that Likewise is measured on: made once, kept in a folder that git ignores.

    python -m bench.corpus [--corpus .data] [english] [licensed] [cyrillic] [dense] [growing]

`english` is made from packages downloaded from Debian unless `english/docs.jsonl` is there;
`licensed`, `dense` and `growing` are made from it; `cyrillic` from the folders `ru-revisions` and
`kazakh`, unpacked beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from bench.making.cyrillic import cyrillic
from bench.making.dense import dense
from bench.making.english import english
from bench.making.growing import growing, vocabulary_of
from bench.making.licensed import licensed
from bench.making.truth import Truth, true_pairs

DEFAULT_FOLDER = Path(__file__).parents[1] / ".data"
# Below this, pairs are left out of the truth; the licence alone makes millions of them.
LEAST_JACCARD = {"english": 0.3, "licensed": 0.5, "cyrillic": 0.3, "dense": 0.3}
NAMES = (*LEAST_JACCARD, "growing")

Records = Iterable[dict[str, object]]


def provide(folder: Path, name: str) -> None:
    """Make a corpus and its truth, unless they are there."""
    if name == "growing":
        _provide_vocabulary(folder)
        return
    documents = folder / name / "docs.jsonl"
    if not documents.is_file():
        say(f"making {documents}")
        if name in ("licensed", "dense"):
            provide(folder, "english")
        makers: dict[str, Callable[[], Records]] = {
            "english": lambda: english(folder / "english"),
            "licensed": lambda: licensed(texts_of(folder, "english")),
            "cyrillic": lambda: cyrillic(folder),
            "dense": lambda: dense(texts_of(folder, "english")),
        }
        _write(documents, makers[name]())
    pairs = folder / name / "pairs.npz"
    if not pairs.is_file():
        say(f"counting the true pairs: {pairs}")
        truth = true_pairs(texts_of(folder, name), LEAST_JACCARD[name])
        np.savez_compressed(pairs, left=truth.left, right=truth.right, jaccard=truth.jaccard)


def texts_of(folder: Path, name: str, limit: int | None = None) -> Iterator[str]:
    """The texts of a corpus, or the first of them; `growing` has as many as asked for."""
    if name == "growing":
        vocabulary = json.loads((folder / name / "vocabulary.json").read_text("utf-8"))
        yield from growing(vocabulary, limit or 0)
        return
    with (folder / name / "docs.jsonl").open(encoding="utf-8") as lines:
        for line in islice(lines, limit):
            yield json.loads(line)["text"]


def truth_of(folder: Path, name: str, limit: int | None = None) -> Truth:
    """The true pairs of a corpus, or of its first documents."""
    with np.load(folder / name / "pairs.npz") as arrays:
        truth = Truth(arrays["left"], arrays["right"], arrays["jaccard"])
    return truth.among_first(limit) if limit else truth


def _provide_vocabulary(folder: Path) -> None:
    path = folder / "growing" / "vocabulary.json"
    if not path.is_file():
        provide(folder, "english")
        say(f"making {path}")
        words = vocabulary_of(texts_of(folder, "english"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(words), "utf-8")


def _write(path: Path, records: Records) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8") as lines:
        for record in records:
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
    unfinished.replace(path)


def say(message: str) -> None:
    """A line for whoever waits."""
    print(message, file=sys.stderr, flush=True)


def main() -> None:
    """Make the corpora named, or all."""
    parser = argparse.ArgumentParser(description="Make the corpora of the benchmarks.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)} (default: all)"
    )
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(NAMES)
    if unknown:
        parser.error(f"no corpus {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    for name in arguments.names or NAMES:
        provide(arguments.corpus, name)


if __name__ == "__main__":
    main()
