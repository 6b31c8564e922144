"""Edited copies of a document, as much alike as asked."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

WORD = re.compile(r"[^\W_]+")
SHINGLE_WORDS = 5
_STEPS = 8  # halvings of the strength of an edit: to within 1/256

Words = list[str]


def shingle_set(text: str) -> set[tuple[str, ...]]:
    """The runs of five words of a text.

    >>> sorted(shingle_set("One, two; three four FIVE six"))
    [('one', 'two', 'three', 'four', 'five'), ('two', 'three', 'four', 'five', 'six')]
    """
    words = WORD.findall(text.lower())
    return set(zip(*(words[start:] for start in range(SHINGLE_WORDS)), strict=False))


def jaccard(a: set[tuple[str, ...]], b: set[tuple[str, ...]]) -> float:
    """The share of common elements; of two empty sets, 0."""
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if a or b else 0.0


@dataclass(frozen=True, slots=True)
class Material:
    """What edits are made with: single words to scatter, and foreign text to paste."""

    fillers: Sequence[str]
    donor: Sequence[str]


# Each edit takes the words, a strength from 0 (nothing) to 1 (nearly everything), and dice.


def substitute(words: Words, strength: float, material: Material, dice: random.Random) -> Words:
    """Scattered words replaced by others."""
    return [dice.choice(material.fillers) if dice.random() < strength / 2 else w for w in words]


def insert_and_delete(
    words: Words, strength: float, material: Material, dice: random.Random
) -> Words:
    """Scattered words lost, others put in."""
    edited: Words = []
    for word in words:
        chance = dice.random()
        if chance >= strength / 4:
            edited.append(word)
        if chance >= 1 - strength / 4:
            edited.append(dice.choice(material.fillers))
    return edited


def truncate(words: Words, strength: float, material: Material, dice: random.Random) -> Words:
    """The end cut off."""
    return words[: max(2 * SHINGLE_WORDS, round(len(words) * (1 - strength)))]


def append(words: Words, strength: float, material: Material, dice: random.Random) -> Words:
    """Foreign text behind it, up to three times its length."""
    return [*words, *material.donor[: round(3 * strength * len(words))]]


def replace_block(words: Words, strength: float, material: Material, dice: random.Random) -> Words:
    """One run of words replaced by foreign text."""
    length = round(strength * len(words))
    start = dice.randrange(len(words) - length + 1)
    return [*words[:start], *material.donor[:length], *words[start + length :]]


Edit = Callable[[Words, float, Material, random.Random], Words]
EDITS: tuple[Edit, ...] = (substitute, insert_and_delete, truncate, append, replace_block)


def edited_copy(
    text: str, target: float, edit: Edit, material: Material, dice: random.Random
) -> tuple[str, float]:
    """A copy whose Jaccard similarity comes close to the target, and that similarity.

    A stronger edit of the same dice leaves less alike, so the strength is found by halving.
    """
    words, original = text.split(), shingle_set(text)
    seed = dice.getrandbits(64)
    weak, strong = 0.0, 1.0
    closest = (text, 1.0)
    for _ in range(_STEPS):
        strength = (weak + strong) / 2
        copy = " ".join(edit(words, strength, material, random.Random(seed)))
        alike = jaccard(original, shingle_set(copy))
        if abs(alike - target) < abs(closest[1] - target):
            closest = (copy, alike)
        if alike > target:
            weak = strength
        else:
            strong = strength
    return closest


@dataclass(frozen=True, slots=True)
class Copy:
    """An edited copy, and what it is a copy of."""

    text: str
    of: int
    edit: str
    jaccard: float


def plant(
    texts: Sequence[str],
    copies: int,
    low: float,
    high: float,
    dice: random.Random,
    shortest_words: int = 60,
) -> Iterator[Copy]:
    """Copies of documents drawn at random, most of them copied once, some up to ten times."""
    long_enough = [i for i, text in enumerate(texts) if text.count(" ") >= shortest_words]
    fillers = [
        w for i in dice.sample(long_enough, min(2000, len(long_enough))) for w in texts[i].split()
    ]
    planted = 0
    while planted < copies:
        original = dice.choice(long_enough)
        family = 1 if dice.random() < 0.8 else dice.randint(2, 10)
        for _ in range(min(family, copies - planted)):
            donor = _foreign_words(texts, 3 * len(texts[original].split()), dice)
            edit = dice.choice(EDITS)
            target = dice.uniform(low, high)
            text, alike = edited_copy(texts[original], target, edit, Material(fillers, donor), dice)
            yield Copy(text, original, edit.__name__, round(alike, 4))
            planted += 1


def _foreign_words(texts: Sequence[str], count: int, dice: random.Random) -> Words:
    words: Words = []
    while len(words) < count:
        words += dice.choice(texts).split()
    return words
