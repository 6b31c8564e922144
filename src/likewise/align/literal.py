"""How literal a passage is: the words that stand unchanged and in the same order in the source.

Three words in a row are an order; sentences that were moved are as literal as before. Small words
count too; capitals and marks that nobody sees do not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import scan_texts, shingle_runs
from likewise.kernels.tokens import JOIN_HYPHENS
from likewise.language.alphabet import fold_table

_IN_A_ROW = 3


def literal_share(here: str, there: str) -> float:
    """The share of the words here that stand there, at least three of them in a row.

    >>> literal_share("The old dome stands on a ridge", "the old dome was built on a ridge, twice")
    0.8571428571428571
    """
    words, offsets, *_ = scan_texts([here, there], fold_table(), JOIN_HYPHENS, None, False)
    ours, theirs = words[: offsets[1]], words[offsets[1] : offsets[2]]
    width = min(_IN_A_ROW, len(ours), len(theirs))
    if not width:
        return 0.0
    starts = np.flatnonzero(np.isin(_rows(ours, width), _rows(theirs, width)))
    literal = np.zeros(len(ours), dtype=bool)
    for step in range(width):
        literal[starts + step] = True
    return int(literal.sum()) / len(ours)


def _rows(words: NDArray[np.uint64], width: int) -> NDArray[np.uint64]:
    """So many words in a row as one number."""
    return shingle_runs(words, np.array([0, len(words)], dtype=np.int64), width)[0]
