"""Independent texts on one subject, held side by side: nobody has rendered anybody.

    ./dev bench quality 'one subject'

In `bench/texts/subjects/` ten questions are answered in one to three languages, dryly, personally,
well or badly, each text by itself. Every two of them are compared, in both orders; whoever has a
passage is accused. What a check does with many of them at once is in `innocent`.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

from likewise.align import align
from likewise.model import Document

SUBJECTS = Path(__file__).parents[1] / "texts" / "subjects"


class Tally(NamedTuple):
    """Comparisons, and how many of them found a passage: by words and meaning, by words alone."""

    pairs: int = 0
    accused: int = 0
    accused_by_words: int = 0


def one_subject(_folder: Path) -> list[dict[str, Any]]:
    """For each subject, within one language and across two."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for subject in sorted(path for path in SUBJECTS.iterdir() if path.is_dir()):
        texts = [
            Document.from_text(path.read_text("utf-8"), path.stem)
            for path in sorted(subject.glob("*.txt"))
        ]
        for one, other in permutations(texts, 2):
            is_across = one.name[:2] != other.name[:2]
            key = subject.name, "two languages" if is_across else "one language"
            tally = tallies[key]
            tallies[key] = Tally(
                tally.pairs + 1,
                tally.accused + bool(align(one, other).passages),
                tally.accused_by_words + bool(align(one, other, by_meaning=False).passages),
            )
    return [
        {"subject": subject, "in": languages, **tally._asdict()}
        for (subject, languages), tally in sorted(tallies.items())
    ]
