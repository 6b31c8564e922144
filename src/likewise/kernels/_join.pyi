# The compiled form of `join.py`, which documents these functions; a test holds both together.

from likewise.kernels.join import Cells, Hashes, Index, Numbers, Offsets, Sides

def mark_shared(
    sets: Hashes, offsets: Offsets, sides: Sides, across: bool, cells: Cells
) -> None: ...
def keep_shared(
    sets: Hashes, offsets: Offsets, need: Offsets, cells: Cells
) -> tuple[Offsets, Hashes, Offsets]: ...
def number(items: Hashes) -> tuple[Numbers, int]: ...
def count_holders(numbers: Numbers, offsets: Offsets, sides: Sides, n: int) -> Numbers: ...
def count_ranked(numbers: Numbers, offsets: Offsets, rank: Numbers) -> Offsets: ...
def order_tokens(
    numbers: Numbers,
    offsets: Offsets,
    rank: Numbers,
    documents: Offsets,
    ends: Offsets,
    vocabulary: int,
) -> Numbers: ...
def build_index(tokens: Numbers, offsets: Offsets, indexed: Offsets, vocabulary: int) -> Index: ...
def probe(
    tokens: Numbers,
    offsets: Offsets,
    sizes: Offsets,
    sides: Sides,
    across: bool,
    probed: Offsets,
    smallest: Offsets,
    index: Index,
    threshold: float,
    contained: bool,
    first: int,
    last: int,
) -> tuple[Numbers, int]: ...
def overlaps(sets: Hashes, offsets: Offsets, left: Numbers, right: Numbers) -> Numbers: ...
