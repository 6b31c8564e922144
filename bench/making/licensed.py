"""The English corpus with the same hundred words of a licence in three documents of ten."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

SHARE = 0.3
WORDS = 100
SEED = 11
_LICENCE = Path(__file__).parents[2] / "LICENSE"


def licensed(texts: Iterable[str]) -> Iterator[dict[str, object]]:
    """The records of the corpus: the licence stands on top or at the end."""
    dice = random.Random(SEED)
    licence = " ".join(_LICENCE.read_text("utf-8").split()[:WORDS])
    for i, text in enumerate(texts):
        chance = dice.random()
        if chance < SHARE / 2:
            text = f"{licence}\n\n{text}"
        elif chance < SHARE:
            text = f"{text}\n\n{licence}"
        yield {"id": i, "text": text, "licensed": chance < SHARE}
