"""English made the way the Russian and Kazakh corpus is: few documents, many edited copies.

Beside it one sees what the language costs, and what the copies cost.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from bench.making.cyrillic import CHARS
from bench.making.english import with_copies

BASE_CHARS = 8_700_000  # what the Russian and Kazakh texts come to
SEED = 19


def dense(texts: Iterable[str]) -> Iterator[dict[str, object]]:
    """The records of the corpus."""
    base: list[str] = []
    chars = 0
    for text in texts:
        if chars >= BASE_CHARS:
            break
        base.append(text)
        chars += len(text)
    copies = round(CHARS * len(base) / max(chars, 1)) - len(base)
    return with_copies(base, copies, random.Random(SEED))
