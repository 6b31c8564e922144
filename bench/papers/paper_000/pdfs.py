"""A database of PDFs like the paper's: two columns, hyphenated, a dozen pages or fewer.

The paper's own 393 articles are not to be had. Ours are made of abstracts, twenty to a document:
that gives as many shingles as 102 MB of ten-character lines hold.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.making.growing import growing
from bench.papers import corpus
from bench.papers.paper_000 import published

ABSTRACTS_EACH = 20
LINES_A_PARAGRAPH = 12
_SYLLABLES = "ka lo mi ter van ru sel po dri an ges tu mor fi ble qua zen or sti wal".split()
_TEMPLATE = b"""
#set page(paper: "us-letter", columns: 2, margin: (x: 0.8in, y: 0.9in), numbering: "1")
#set text(font: "Libertinus Serif", size: 10pt, lang: "en", hyphenate: true)
#set par(justify: true)
#for paragraph in sys.inputs.text.split("\\n\\n") [#par(paragraph)]
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is made and tried."""

    documents: int
    abstracts_each: int
    rounds: int  # the paper's experiment is done so often, each time with other hash functions
    trials: int  # of a round


FULL = Size(published.DOCUMENTS, ABSTRACTS_EACH, rounds=10, trials=published.TRIALS)
SMALL = Size(16, 10, rounds=1, trials=20)


def articles(folder: Path, small: bool) -> tuple[list[str], Size]:
    """The texts of the database, and how much is to be tried with them."""
    size = SMALL if small else FULL
    if small:
        abstracts = list(growing(invented_vocabulary(), size.documents * size.abstracts_each))
    else:
        with corpus(folder, "nsf-2008.jsonl").open(encoding="utf-8") as lines:
            # Once each: partners in a project hand in the same abstract.
            abstracts = list(dict.fromkeys(json.loads(line)["abstract"].strip() for line in lines))
        abstracts = [abstract for abstract in abstracts if len(abstract) > 500]
        random.Random("articles").shuffle(abstracts)
    each = size.abstracts_each
    return [
        "\n\n".join(abstracts[first : first + each])
        for first in range(0, size.documents * each, each)
    ], size


def invented_vocabulary(words: int = 3000) -> dict[str, int]:
    """Words of syllables, the n-th as frequent as 1/n."""
    dice = random.Random("vocabulary")
    spelled: dict[str, int] = {}
    while len(spelled) < words:
        word = "".join(dice.choices(_SYLLABLES, k=dice.randint(1, 4)))
        spelled.setdefault(word, 1 + 100_000 // (len(spelled) + 1))
    return spelled


def write_pdf(text: str, path: Path) -> None:
    """Set a text in two columns."""
    import typst

    path.parent.mkdir(parents=True, exist_ok=True)
    set_in_type = typst.compile(_TEMPLATE, sys_inputs={"text": text}, ignore_system_fonts=True)
    path.write_bytes(bytes(set_in_type))


def copied_lines(
    lines: Sequence[Sequence[str]], original: int, similarity: float, dice: random.Random
) -> str:
    """A copy in which lines were replaced by lines from anywhere in the database, to be set."""
    mixed = [
        line if dice.random() < similarity else dice.choice(dice.choice(lines))
        for line in lines[original]
    ]
    starts = range(0, len(mixed), LINES_A_PARAGRAPH)
    return "\n\n".join(" ".join(mixed[start : start + LINES_A_PARAGRAPH]) for start in starts)
