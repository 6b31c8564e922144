# The compiled form of `blocks.py`, which documents these functions; a test holds both together.

from likewise.kernels.blocks import BlockWeights, Numbers, QueryKeys, Weights, WordConcepts, Words

def best_documents(
    asked: Numbers,
    holder: Numbers,
    keys: QueryKeys,
    weights: BlockWeights,
    part_bits: int,
    most_by_words: int,
    most_by_meaning: int,
) -> Numbers: ...
def score_documents(
    blocks: Words,
    weights: BlockWeights,
    candidates: Numbers,
    rows: Words,
    first_row: Numbers,
    lexicon: WordConcepts,
) -> tuple[Weights, Weights]: ...
