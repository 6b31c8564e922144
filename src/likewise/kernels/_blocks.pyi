# The compiled form of `blocks.py`, which documents these functions; a test holds both together.

from collections.abc import Sequence

from likewise.kernels.blocks import (
    BlockRows,
    BlockWeights,
    Numbers,
    RowPostings,
    Weights,
    WordRelations,
    Words,
)

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
