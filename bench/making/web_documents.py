"""Documents compiled from one to ten pages of the small Internet, with text of their own between.

Each page gives a run of its sentences, verbatim or edited: words replaced, left out and put in,
sentences moved. Pages that hold the same text as a planted one are known as its twins.
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bench.making.planting import WORD
from bench.making.web_pages import UNREADABLE
from likewise.kernels import hash_words, shingle_sets
from likewise.model import Document, Span

SHINGLE_WORDS = 5
TWIN = 0.3  # of the planted words in a row that another page must hold to be as good a source
MOST_SHARED = 0.02  # of a text of one's own that may stand on the Internet by chance
PLANTED_WORDS = (60, 300)
OWN_WORDS = (60, 350)
MOST_PAGES = 10
REPLACED, LEFT_OUT, PUT_IN = (0.08, 0.25), 0.06, 0.06
UNREADABLE_OF_100 = 4  # pages that nobody can read, to see whether they are named
LANGUAGES = {"en": 60, "ru": 20, "kk": 20}
_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+(?=\s)|\n|$)", re.DOTALL)

Treatment = Literal["verbatim", "edited"]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Planted:
    """A run of a page's sentences in a document."""

    page: int
    treatment: Treatment
    span: Span
    can_be_read: bool
    twins: frozenset[int]  # pages that hold the same, this one among them


@dataclass(frozen=True, slots=True)
class Compiled:
    """A document and where it comes from."""

    document: Document
    language: str
    planted: tuple[Planted, ...]

    @property
    def words(self) -> int:
        return len(self.document.text.split())


class World:
    """The pages by number, and which of them hold given words in a row."""

    def __init__(self, path: Path) -> None:
        database = sqlite3.connect(path)
        self.pages: dict[int, tuple[str, str, str]] = {
            number: (language, kind, text)
            for number, language, kind, text in database.execute(
                "SELECT id, language, kind, text FROM pages ORDER BY id"
            )
        }
        self.own: dict[str, list[str]] = {}
        for language, text in database.execute("SELECT language, text FROM own ORDER BY id"):
            self.own.setdefault(language, []).append(text)
        database.close()
        shingles = [_shingles(text) for _, _, text in self.pages.values()]
        held = np.concatenate(shingles)
        holder = np.repeat(np.array(list(self.pages)), [len(each) for each in shingles])
        order = np.argsort(held, kind="stable")
        self._held, self._holder = held[order], holder[order]

    def holders(self, text: str, share: float) -> frozenset[int]:
        """Pages that hold at least so much of a text."""
        asked = _shingles(text)
        first = np.searchsorted(self._held, asked, "left")
        last = np.searchsorted(self._held, asked, "right")
        found = [self._holder[a:b] for a, b in zip(first, last, strict=True) if a < b]
        if not found:
            return frozenset()
        pages, counts = np.unique(np.concatenate(found), return_counts=True)
        return frozenset(pages[counts >= share * len(asked)].tolist())


def compiled_documents(world: World, count: int, seed: int) -> list[Compiled]:
    """As many as asked, the same for the same seed."""
    dice = random.Random(f"compiled:{seed}")
    by_language: dict[str, list[int]] = {language: [] for language in LANGUAGES}
    for number, (language, _, _) in world.pages.items():
        by_language[language].append(number)
    fillers = {
        language: WORD.findall(" ".join(world.pages[n][2] for n in dice.sample(numbers, 40)))
        for language, numbers in by_language.items()
    }
    languages = dice.choices(list(LANGUAGES), list(LANGUAGES.values()), k=count)
    return [
        _compiled(world, by_language[language], fillers[language], language, number, dice)
        for number, language in enumerate(languages)
    ]


def _compiled(
    world: World,
    pages: Sequence[int],
    fillers: Sequence[str],
    language: str,
    number: int,
    dice: random.Random,
) -> Compiled:
    text, planted = "", []
    chosen: set[int] = set()
    for _ in range(dice.randint(1, MOST_PAGES)):
        text += _own(world, language, dice) + "\n\n"
        wants_readable = dice.random() * 100 >= UNREADABLE_OF_100
        page, run = _run(world, pages, chosen, wants_readable, dice)
        chosen.add(page)
        treatment: Treatment = dice.choice(("verbatim", "edited"))
        put = run if treatment == "verbatim" else _edited(run, fillers, dice)
        span = Span(len(text), len(text) + len(put))
        readable = world.pages[page][1] not in UNREADABLE
        twins = world.holders(run, TWIN) | {page}
        planted.append(Planted(page, treatment, span, readable, twins))
        text += put + "\n\n"
    text += _own(world, language, dice)
    document = Document.from_text(text, name=f"{number}.txt", language=language)
    return Compiled(document, language, tuple(planted))


def _run(
    world: World, pages: Sequence[int], taken: set[int], readable: bool, dice: random.Random
) -> tuple[int, str]:
    """Some sentences in a row of a page that nothing was taken from."""
    while True:
        page = dice.choice(pages)
        _, kind, text = world.pages[page]
        if page not in taken and (kind not in UNREADABLE) == readable:
            run = _sentences(text, dice.randint(*PLANTED_WORDS), dice)
            if len(run.split()) >= PLANTED_WORDS[0]:
                return page, run


def _own(world: World, language: str, dice: random.Random) -> str:
    """Sentences in a row of a text that is not on the Internet."""
    while True:
        run = _sentences(dice.choice(world.own[language]), dice.randint(*OWN_WORDS), dice)
        if len(run.split()) >= OWN_WORDS[0] // 2 and not world.holders(run, MOST_SHARED):
            return run


def _sentences(text: str, words: int, dice: random.Random) -> str:
    sentences = [found.span() for found in _SENTENCE.finditer(text)]
    first = dice.randrange(len(sentences))
    start, end = sentences[first]
    for _, end in sentences[first:]:
        if len(text[start:end].split()) >= words:
            break
    return " ".join(text[start:end].split()[: words + 40])


def _edited(run: str, fillers: Sequence[str], dice: random.Random) -> str:
    """Words replaced, left out and put in; one time in three the sentences are moved."""
    replaced = dice.uniform(*REPLACED)
    edited = []
    for word in run.split():
        chance = dice.random()
        if chance < replaced:
            edited.append(dice.choice(fillers))
        elif chance >= replaced + LEFT_OUT:
            edited.append(word)
        if dice.random() < PUT_IN:
            edited.append(dice.choice(fillers))
    text = " ".join(edited)
    if dice.random() < 1 / 3:
        sentences = [found.group() for found in _SENTENCE.finditer(text)]
        dice.shuffle(sentences)
        text = " ".join(sentences)
    return text


def _shingles(text: str) -> NDArray[np.uint64]:
    words = hash_words(WORD.findall(text.lower()))
    shingles, _, _ = shingle_sets(words, np.array([0, len(words)]), SHINGLE_WORDS, False)
    return np.asarray(shingles)
