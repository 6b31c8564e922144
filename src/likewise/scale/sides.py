"""Two corpora in one numbering: what is held against has a bit of its own in its places."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

AGAINST = 1 << 62


def sides_of(places: NDArray[Any]) -> NDArray[np.uint8]:
    """0 for documents of the corpus, 1 for those it is held against.

    >>> sides_of(np.array([5, 5 + AGAINST])).tolist()
    [0, 1]
    """
    return (places >= AGAINST).astype(np.uint8)
