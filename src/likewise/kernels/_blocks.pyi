# The compiled form of `blocks.py`, which documents these functions; a test holds both together.

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.blocks import (
    BlockRows,
    BlockWeights,
    Flags,
    Hashes,
    Numbers,
    RowPostings,
    Weights,
    WordRelations,
    Words,
)

def find_words(
    hashes: Hashes, offsets: Numbers, entries: Hashes, buckets: Numbers
) -> tuple[Numbers, Numbers]: ...
def rank_words(
    ids: Numbers,
    telling: Numbers,
    begins: Numbers,
    ends: Numbers,
    first: NDArray[np.int32],
    concepts: NDArray[np.int32],
    most: int,
) -> Words: ...
def block_keys(
    ids: Words,
    senses: Words,
    is_rare: Flags,
    words: int,
    rare_words: int,
    ambiguous_words: int,
    distinct: bool,
) -> Hashes: ...
def choose_rows(
    postings: RowPostings,
    numbers: Sequence[Numbers],
    part_bits: int,
    left_out: Numbers,
    blocks: int,
    most: int,
) -> Numbers: ...
def best_documents(
    blocks: Words,
    weights: BlockWeights,
    chosen: Numbers,
    segments: Sequence[BlockRows],
    relations: WordRelations,
    part_bits: int,
    most: int,
) -> tuple[Numbers, Weights, Weights]: ...
