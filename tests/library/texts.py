"""Small texts that share nothing unless they are made to."""

from __future__ import annotations

import random

from tests.texts import MARKET, OWN, RIVER

__all__ = ["MARKET", "OWN", "RIVER", "invented"]


_CONSONANTS, _VOWELS = "bdfgklmnprtvz", "aeiou"


def invented(words: int, seed: int) -> str:
    """A text of words that nobody else uses in this order.

    >>> invented(3, seed=1) == invented(3, seed=1), invented(3, seed=1) == invented(3, seed=2)
    (True, False)
    """
    dice = random.Random(seed)

    def word() -> str:
        syllables = range(dice.randint(2, 4))
        return "".join(dice.choice(_CONSONANTS) + dice.choice(_VOWELS) for _ in syllables)

    return " ".join(word() for _ in range(words))
