"""What paper 001 prints: Azgomi et al., "A method for finding similar documents relying on …"."""

from typing import NamedTuple

DOCUMENTS = 645
ALL_PAIRS = 207_690
SHINGLE_CHARS = 5
THRESHOLD = 0.9


class Row(NamedTuple):
    """A row of its Table 1, and how many pairs its text says were dismissed."""

    seconds: int
    comparisons: int
    pairs: int
    dismissed: int


TABLE = {
    "length": Row(2 * 3600 + 11 * 60 + 35, 25_854, 243, 181_836),
    "positions": Row(1 * 3600 + 1 * 60 + 52, 12_324, 243, 193_366),
}
