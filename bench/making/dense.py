"""English made the way the Russian and Kazakh corpus is: few documents, many edited copies.

Beside it one sees what the language costs, and what the copies cost.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from bench.making.cutting import first_chars
from bench.making.cyrillic import CHARS
from bench.making.english import with_copies

BASE_CHARS = 8_700_000  # what the Russian and Kazakh texts come to
SEED = 19


def dense(texts: Iterable[str]) -> Iterator[dict[str, object]]:
    """The records of the corpus."""
    base = first_chars(texts, BASE_CHARS)
    copies = round(CHARS * len(base) / max(sum(map(len, base)), 1)) - len(base)
    return with_copies(base, copies, random.Random(SEED))
