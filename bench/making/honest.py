"""Texts that nobody copied, by genre, and libraries of real text to check them against.

A genre's documents are parted: some go into the library, the others are what is checked. A library
is cut from real text alone; where more documents are asked for than there is text, pieces overlap.
Blocks of a checked text that share a run of eight words with anything in the library are left out,
except in the genre whose documents share their skeleton: there the skeleton is known.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.making.cutting import visible_text
from likewise.kernels import shingle_runs
from likewise.language import Lexicon, words_of
from likewise.settings import Settings

WRITTEN = Path(__file__).parents[1] / "texts"  # written for the project
LANGUAGES = ("en", "ru", "kk")
ESSAYS = "essays of one class"
LAWS = "laws (kk)"
RUN = 8
SHORTEST_PIECE, LONGEST_PIECE = 150, 2_000  # words of a document in the library
SHORTEST_TEXT, LONGEST_TEXT = 100, 30_000  # words of a checked text
_BLOCK = 60  # words: a checked text is put together from whole blocks
_HELD_OUT = 2  # every second document of a genre is for checking
_PIECES_BY_LENGTH = 3  # the higher, the more of a library's pieces are short
# Read, and no honest text: an encyclopaedia's article in both, whose links went with their words
# here and behind the sentence there, so that no run of eight words is left.
_COPIES = ("enabling promoters there to charge admission to games, the prominence of",)
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n\s*\n")


@dataclass(frozen=True, slots=True)
class Genre:
    """A kind of writing: what may stand in a library, and what is checked."""

    name: str
    shelved: tuple[str, ...] = field(repr=False)
    checked: tuple[str, ...] = field(repr=False)
    skeleton: str = field(default="", repr=False)  # what its documents share by design
    whole: bool = False  # its documents are checked as they are, each against all the others


def genres(folder: Path) -> list[Genre]:
    """All genres whose data are there."""
    parted = {
        "research abstracts": _abstracts(folder),
        "technical pages (ru)": _pages(folder),
        "tales (kk)": _tales(folder),
        LAWS: _laws(folder),
        "encyclopaedic and web prose": _prose(folder),
        "news": _news(folder),
    }
    found = [
        Genre(name, tuple(documents[1::_HELD_OUT]), tuple(documents[::_HELD_OUT]))
        for name, documents in parted.items()
        if documents
    ]
    suspicious = folder / "pan13-train" / "01-no-plagiarism" / "pairs"
    if suspicious.is_file():
        names = sorted({line.split()[0] for line in suspicious.read_text("utf-8").splitlines()})
        clean = tuple(_text(folder / "pan13-train" / "susp" / name) for name in names)
        found = [
            Genre(g.name, (*g.shelved, *g.checked), clean)
            if g.name == "encyclopaedic and web prose"
            else g
            for g in found
        ]
    return [*found, _class_essays(), _skeletons()]


def library(kinds: Iterable[Genre], documents: int, seed: int) -> Iterator[tuple[str, str]]:
    """Names and texts of a library: written documents whole, the rest cut from all genres."""
    dice = random.Random(seed)
    number = 0
    texts: list[list[str]] = []
    for genre in kinds:
        if genre.whole:
            for text in genre.shelved:
                number += 1
                yield f"{genre.name} {number}", text
        else:
            texts += [words for text in genre.shelved if (words := _words(text))]
    weights = [len(words) for words in texts]
    wanted_pieces = max(documents - number, 0) if texts else 0
    for words in dice.choices(texts, weights, k=wanted_pieces) if wanted_pieces else ():
        number += 1
        longest = LONGEST_PIECE / SHORTEST_PIECE
        wanted = round(SHORTEST_PIECE * longest ** (dice.random() ** _PIECES_BY_LENGTH))
        start = dice.randrange(max(len(words) - wanted, 0) + 1)
        yield f"piece {number}", "".join(words[start : start + wanted]).strip()


class Shared:
    """The runs of eight canonical words that stand in a library."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._lexicon = Lexicon(Settings())
        parts = [self._runs(text) for text in texts]
        self._known = np.unique(np.concatenate(parts))

    def with_any(self, text: str) -> bool:
        """Whether a text holds one of them."""
        return self.count_in(text) > 0

    def count_in(self, text: str) -> int:
        """How many of them a text holds."""
        runs = self._runs(text)
        if not len(runs) or not len(self._known):
            return 0
        place = np.minimum(np.searchsorted(self._known, runs), len(self._known) - 1)
        return int((self._known[place] == runs).sum())

    def _runs(self, text: str) -> np.ndarray:
        words = words_of(text, self._lexicon)
        if len(words) < RUN:
            return np.zeros(0, dtype=np.uint64)
        return np.unique(
            shingle_runs(words.hash, np.array([0, len(words)], dtype=np.int64), RUN)[0]
        )


class Checked(NamedTuple):
    """A text to be checked, and its own documents in the library, which are left out."""

    text: str
    not_ids: tuple[int, ...] = ()


def checked_texts(
    kinds: Sequence[Genre], genre: Genre, shared: Shared, count: int, seed: int
) -> Iterator[Checked]:
    """So many honest texts of a genre, of 100 to 30,000 words."""
    dice = random.Random(f"{seed} {genre.name}")
    if genre.whole:
        yield from _whole_texts(kinds, genre, count, dice)
        return
    blocks = [
        kept
        for text in genre.checked
        if (kept := [b for b in blocks_of(text) if not (shared.with_any(b) or _is_copy(b))])
    ]
    longest = min(LONGEST_TEXT, sum(len(b.split()) for kept in blocks for b in kept) // 2)
    made = 0
    while made < count:
        wanted = round(SHORTEST_TEXT * (longest / SHORTEST_TEXT) ** dice.random())
        pieces: list[str] = []
        words = 0
        for kept in dice.sample(blocks, len(blocks)):
            start = dice.randrange(len(kept))
            for block in kept[start:]:
                if words < wanted:
                    pieces.append(block)
                    words += len(block.split())
        text = "\n\n".join(pieces)
        if not shared.with_any(text):  # blocks may make a run across their ends
            made += 1
            yield Checked(text)


def _is_copy(block: str) -> bool:
    return any(words in " ".join(block.split()) for words in _COPIES)


def _whole_texts(
    kinds: Sequence[Genre], genre: Genre, count: int, dice: random.Random
) -> Iterator[Checked]:
    """Each document as it was written, then two of them in one file."""
    before = [other for other in kinds[: list(kinds).index(genre)] if other.whole]
    first = 1 + sum(len(other.shelved) for other in before)
    numbers = range(len(genre.shelved))
    for chosen in ([n] for n in dice.sample(numbers, min(count, len(numbers)))):
        yield Checked(genre.shelved[chosen[0]], (first + chosen[0],))
    for _ in range(count - len(numbers)):
        chosen = dice.sample(numbers, 2)
        text = "\n\n".join(genre.shelved[n] for n in chosen)
        yield Checked(text, tuple(first + n for n in chosen))


def blocks_of(text: str) -> list[str]:
    """Whole sentences, so many words of them."""
    blocks: list[str] = []
    now: list[str] = []
    words = 0
    for sentence in _SENTENCE_END.split(text):
        now.append(sentence)
        words += len(sentence.split())
        if words >= _BLOCK:
            blocks.append(" ".join(now))
            now, words = [], 0
    return [*blocks, " ".join(now)] if words >= _BLOCK // 2 else blocks


def _words(text: str) -> list[str]:
    """Words with the white space behind them."""
    return re.findall(r"\S+\s*", text)


def _text(path: Path) -> str:
    return path.read_text("utf-8", "replace")


def _shuffled(texts: Iterable[str]) -> list[str]:
    documents = [text for text in texts if len(text.split()) >= _BLOCK]
    random.Random(19).shuffle(documents)
    return documents


def _abstracts(folder: Path) -> list[str]:
    paths = [folder / name for name in ("nsf-2008.jsonl", "nsf-cise-2003.jsonl")]
    lines = (line for path in paths if path.is_file() for line in _text(path).splitlines())
    return _shuffled({_plain(json.loads(line)["abstract"]): None for line in lines})


def _plain(abstract: str) -> str:
    """Without the marks of a web page that the abstracts of one of the years have."""
    return abstract.replace("<br/>", "\n")


def _pages(folder: Path) -> list[str]:
    """Of the revisions of a page one."""
    return _shuffled(map(_text, sorted(folder.glob("ru-revisions/*/*_v0.txt"))))


def _tales(folder: Path) -> list[str]:
    path = folder / "kazakh" / "fairytales" / "dataset.csv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as rows:
        return _shuffled({row["text"]: None for row in csv.DictReader(rows)})


def law_files(folder: Path) -> list[Path]:
    """A law a file."""
    return sorted(folder.glob("kazakh/kz_laws_html/*/*_kk.html"))


def _laws(folder: Path) -> list[str]:
    """Parts of some two thousand words, each of one law."""
    parts = []
    for path in law_files(folder):
        words = _words(visible_text(_text(path)))
        parts += ["".join(words[at : at + 2_000]) for at in range(0, len(words), 2_000)]
    return _shuffled(parts)


def _prose(folder: Path) -> list[str]:
    return _shuffled(map(_text, sorted(folder.glob("pan13-train/src/*.txt"))))


def _news(folder: Path) -> list[str]:
    """The articles of which no near-duplicate was planted."""
    path = folder / "planted-pairs" / "articles_2500.train"
    if not path.is_file():
        return []
    planted = set(_text(path.with_suffix(".truth")).split())
    lines = (line.split(" ", 1) for line in _text(path).splitlines())
    return _shuffled(text for name, text in lines if name not in planted)


@cache
def written(name: str) -> dict[str, str]:
    """The documents of a file that was written for the project, by name."""
    parts = re.split(r"^=== (.+)$", _text(WRITTEN / f"{name}.txt"), flags=re.MULTILINE)
    return {parts[k].strip(): parts[k + 1].strip() for k in range(1, len(parts), 2)}


def _class_essays() -> Genre:
    """One prompt a language."""
    essays = [text for language in LANGUAGES for text in written(f"essays-{language}").values()]
    return Genre(ESSAYS, tuple(essays), (), whole=True)


def _skeletons() -> Genre:
    """Reports and forms; what they share is written down beside them."""
    documents: list[str] = []
    skeleton: list[str] = []
    for language in LANGUAGES:
        texts = dict(written(f"reports-{language}"))
        skeleton.append(texts.pop("skeleton"))
        documents += texts.values()
    return Genre(
        "lab reports and forms",
        tuple(documents),
        (),
        "\n".join(skeleton),
        whole=True,
    )
