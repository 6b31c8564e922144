"""Collections of any size: documents of random words, as frequent as in the English corpus.

The first documents of a larger collection are those of a smaller one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from bench.making.planting import WORD

VOCABULARY = 50_000
BLOCK = 10_000  # documents made from one seed
SHARE_OF_COPIES = 0.1
CHANGED = 0.02  # of the words of a copy: about .8 of its shingles stay


def vocabulary_of(texts: Iterable[str]) -> dict[str, int]:
    """The most frequent words of a corpus and how often each stands in it."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(WORD.findall(text.lower()))
    return dict(counts.most_common(VOCABULARY))


def growing(vocabulary: dict[str, int], documents: int) -> Iterator[str]:
    """Documents of 40 to 400 words (a mean of about 80), one in ten a slightly edited copy."""
    words = np.array(list(vocabulary), dtype=object)
    edges = np.cumsum(np.array(list(vocabulary.values()), dtype=np.float64))
    edges /= edges[-1]
    for first in range(0, documents, BLOCK):
        dice = np.random.default_rng([17, first])
        lengths = np.clip(dice.lognormal(4.2, 0.5, BLOCK), 40, 400).astype(int)
        drawn = np.searchsorted(edges, dice.random(lengths.sum()), side="right")
        originals = np.split(drawn, np.cumsum(lengths)[:-1])
        is_copy = dice.random(BLOCK) < SHARE_OF_COPIES
        for i in range(min(BLOCK, documents - first)):
            chosen = originals[i]
            if is_copy[i] and i:
                chosen = originals[int(dice.integers(i))].copy()
                changed = dice.random(len(chosen)) < CHANGED
                chosen[changed] = dice.integers(len(words), size=int(changed.sum()))
            yield " ".join(words[chosen])
