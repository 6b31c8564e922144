"""A corpus of any size for the cluster: English documents, copies, and a licence in three of ten.

The English corpus has 44,464 documents. More are made by a cipher: in every block of 20,000 the
words of real documents are exchanged one for one with words about as frequent. What was alike
inside a block is alike still, lengths and repetitions are those of real text, and two blocks share
only their most frequent words, the licence and what quotes it.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from bench.corpus import texts_of

BLOCK = 20_000
PARTS = 8  # files
COPIES, EDITED = 0.02, 0.08  # shares of documents that repeat an earlier one of their block
LICENSED = 0.3
LICENCE_WORDS = 100
KEPT_WORDS = 200  # the most frequent ones, which no cipher touches
NEIGHBOURS = 50  # a word is exchanged with one of as many of about its frequency
_WORD = re.compile(r"[A-Za-z]+")
_LICENCE = Path(__file__).parents[2] / "LICENSE"


def written(folder: Path, documents: int, corpora: Path) -> Path:
    """So many documents as JSON Lines in a folder, made once; the first are those of a smaller."""
    place = folder / f"spark-{documents}"
    if place.is_dir():
        return place
    draft = folder / f"spark-{documents}.part"
    draft.mkdir(parents=True, exist_ok=True)
    each = -(-documents // PARTS)
    records = records_of(corpora, documents)
    for part in range(PARTS):
        with (draft / f"part-{part}.jsonl").open("w", encoding="utf-8") as lines:
            for record in islice(records, each):
                lines.write(json.dumps(record, ensure_ascii=False) + "\n")
    draft.rename(place)
    return place


def records_of(corpora: Path, documents: int) -> Iterator[dict[str, str]]:
    """Documents in the order of their ids."""
    base = list(texts_of(corpora, "english", 2 * BLOCK))
    words = [word for word, _ in _counts(base).most_common()]
    licence = " ".join(_LICENCE.read_text("utf-8").split()[:LICENCE_WORDS])
    number = 0
    for block in range(-(-documents // BLOCK)):
        dice = random.Random(f"block {block}")
        half = base[BLOCK * (block % 2) : BLOCK * (block % 2 + 1)]
        secret = _cipher(words, dice) if block > 1 else {}
        texts: list[str] = []
        for text in half:
            chance = dice.random()
            if texts and chance < COPIES:
                text = dice.choice(texts)
            elif texts and chance < COPIES + EDITED:
                text = _edited(dice.choice(texts), words, dice)
            else:
                text = _WORD.sub(partial(_exchanged, secret), text) if secret else text
                place = dice.random()
                if place < LICENSED / 2:
                    text = f"{licence}\n\n{text}"
                elif place < LICENSED:
                    text = f"{text}\n\n{licence}"
            texts.append(text)
            if number < documents:
                yield {"id": f"d{number}", "text": text}
            number += 1


def _counts(texts: list[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(_WORD.findall(text.lower()))
    return counts


def _cipher(words: list[str], dice: random.Random) -> dict[str, str]:
    """A word for each word but the most frequent ones, one for one."""
    secret: dict[str, str] = {}
    for first in range(KEPT_WORDS, len(words), NEIGHBOURS):
        some = words[first : first + NEIGHBOURS]
        secret |= dict(zip(some, dice.sample(some, len(some)), strict=True))
    return secret


def _exchanged(secret: dict[str, str], found: re.Match[str]) -> str:
    return secret.get(found[0].lower(), found[0])


def _edited(text: str, words: list[str], dice: random.Random) -> str:
    """A copy with some words replaced: from almost none of its shingles to a third of them."""
    made, strength = text.split(), dice.uniform(0.002, 0.06)
    for place in range(len(made)):
        if dice.random() < strength:
            made[place] = dice.choice(words[:20_000])
    return " ".join(made)


def heavy_written(folder: Path, documents: int, copies: int, corpora: Path) -> Path:
    """The same with so many copies of its first document in two files more."""
    place = folder / f"spark-{documents}-heavy-{copies}"
    if place.is_dir():
        return place
    usual = written(folder, documents, corpora)
    draft = folder / f"{place.name}.part"
    draft.mkdir(parents=True, exist_ok=True)
    for path in sorted(usual.iterdir()):
        (draft / path.name).write_bytes(path.read_bytes())
    text = json.loads((draft / "part-0.jsonl").open(encoding="utf-8").readline())["text"][:600]
    for half in range(2):
        with (draft / f"part-copies-{half}.jsonl").open("w", encoding="utf-8") as lines:
            for number in range(half, copies, 2):
                lines.write(json.dumps({"id": f"copy{number}", "text": text}) + "\n")
    draft.rename(place)
    return place
