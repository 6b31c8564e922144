"""The engines one would take instead, each used as its documentation says, on one thread.

An engine is prepared (its modules are imported) before the clock runs. It takes the texts and a
`Question` and gives the pairs it would report: for sketches, the candidates whose estimate reaches
the threshold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.speed.frontend import (
    agreement,
    batches,
    ordered_pairs,
    pairs_of_answers,
    pairs_of_bands,
    shingle_numbers,
    shingle_strings,
)

SLOTS, BANDS, ROWS = 128, 16, 8
SEED = 42
Pairs = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of an engine."""

    threshold: float


Engine = Callable[[list[str], Question], Pairs]


def _lengths(offsets: NDArray[Any]) -> NDArray[np.int64]:
    """How long each part is, from where they start and the last ends."""
    return np.asarray(np.diff(offsets.astype(np.int64)), np.int64)


def datasketch() -> Engine:
    """MinHash and MinHashLSH with xxHash for its hash function, the fastest it offers."""
    import xxhash

    return _datasketch(xxhash.xxh32_intdigest)


def datasketch_default() -> Engine:
    """MinHash and MinHashLSH as they come, with SHA-1."""
    return _datasketch(None)


def _datasketch(hash_function: Callable[[bytes], int] | None) -> Engine:
    from datasketch import MinHash, MinHashLSH

    options = {"hashfunc": hash_function} if hash_function else {}

    def run(texts: list[str], question: Question) -> Pairs:
        sketches: list[MinHash] = []
        for _, batch in batches(texts):
            sets = [[s.encode() for s in shingle_strings(text)] for text in batch]
            sketches += MinHash.bulk(sets, num_perm=SLOTS, **options)
        index = MinHashLSH(threshold=question.threshold, num_perm=SLOTS, params=(BANDS, ROWS))
        with index.insertion_session() as session:
            for i, sketch in enumerate(sketches):
                session.insert(i, sketch, check_duplication=False)
        pairs = pairs_of_answers([index.query(sketch) for sketch in sketches])
        alike = np.array([sketches[a].jaccard(sketches[b]) for a, b in pairs.tolist()])
        return pairs[alike >= question.threshold]

    return run


def rensa() -> Engine:
    """RMinHash and RMinHashLSH."""
    from rensa import RMinHash, RMinHashLSH

    def run(texts: list[str], question: Question) -> Pairs:
        index = RMinHashLSH(threshold=question.threshold, num_perm=SLOTS, num_bands=BANDS)
        sketches: list[RMinHash] = []
        for first, batch in batches(texts):
            sets = [shingle_strings(text) for text in batch]
            some = RMinHash.from_token_sets(sets, num_perm=SLOTS, seed=SEED)
            index.insert_many(some, start_key=first)
            sketches += some
        pairs = pairs_of_answers(index.query_all(sketches))
        alike = np.array([sketches[a].jaccard(sketches[b]) for a, b in pairs.tolist()])
        return pairs[alike >= question.threshold]

    return run


def gaoya() -> Engine:
    """MinHashStringIndex, which splits, hashes and estimates by itself."""
    from gaoya.minhash import MinHashStringIndex

    def run(texts: list[str], question: Question) -> Pairs:
        index = MinHashStringIndex(
            hash_size=32,
            jaccard_threshold=question.threshold,
            num_bands=BANDS,
            band_size=ROWS,
            num_hashes=SLOTS,
            analyzer="word",
            lowercase=True,
            ngram_range=(5, 5),
            id_container="smallvec",
        )
        for first, batch in batches(texts):
            index.par_bulk_insert_docs(list(range(first, first + len(batch))), batch)
        answers: list[list[int]] = []
        for _, batch in batches(texts):
            answers += index.par_bulk_query(batch)
        return pairs_of_answers(answers)

    return run


def fastsketch() -> Engine:
    """FastSimilaritySketch and LSH of FastSketchLSH."""
    from FastSketchLSH import LSH, FastSimilaritySketch

    def run(texts: list[str], question: Question) -> Pairs:
        sketch = FastSimilaritySketch(size=SLOTS, seed=SEED)
        parts = [
            np.asarray(sketch.batch([shingle_strings(text) for text in batch], num_threads=1))
            for _, batch in batches(texts)
        ]
        signatures = np.concatenate(parts)
        index = LSH(num_perm=SLOTS, num_bands=BANDS, num_threads=1)
        index.insert(signatures)
        found, starts = index.query(signatures, format="csr")
        asked = np.repeat(np.arange(len(texts)), _lengths(np.asarray(starts)))
        pairs = ordered_pairs(asked, np.asarray(found).astype(np.int64))
        return pairs[agreement(signatures, pairs) >= question.threshold]

    return run


def daft() -> Engine:
    """Daft's own normalize and minhash; the bands are ours, in NumPy, since it gives no pairs.

    It deletes punctuation where the others split at it, so its words differ a little.
    """
    import daft as library

    def run(texts: list[str], question: Question) -> Pairs:
        text = library.col("text").normalize(
            remove_punct=True, lowercase=True, nfd_unicode=False, white_space=True
        )
        sketch = text.minhash(num_hashes=SLOTS, ngram_size=5, seed=SEED, hash_function="xxhash")
        column = library.from_pydict({"text": texts}).select(sketch).to_arrow()["text"]
        flat = np.asarray(column.combine_chunks().flatten())
        signatures = flat.reshape(len(texts), SLOTS).astype(np.uint32)
        pairs = pairs_of_bands(signatures, BANDS, ROWS)
        return pairs[agreement(signatures, pairs) >= question.threshold]

    return run


def scipy_exact() -> Engine:
    """No library at all: the product of the sparse matrix of shingles with itself."""
    import scipy.sparse as sparse

    def run(texts: list[str], question: Question) -> Pairs:
        hashes, offsets = shingle_numbers(texts)
        sizes = _lengths(offsets)
        document = np.repeat(np.arange(len(texts)), sizes)
        _, column, holders = np.unique(hashes, return_inverse=True, return_counts=True)
        kept = holders[column] > 1
        entries = (np.ones(int(kept.sum()), np.int32), (document[kept], column[kept]))
        holds = sparse.csr_matrix(entries, shape=(len(texts), len(holders)))
        held_by = holds.T.tocsr()
        found = [np.zeros((0, 2), np.int64)]
        for first in range(0, len(texts), 1000):
            shared = (holds[first : first + 1000] @ held_by).tocoo()
            left, right = shared.row.astype(np.int64) + first, shared.col.astype(np.int64)
            alike = shared.data / (sizes[left] + sizes[right] - shared.data)
            chosen = (left < right) & (alike >= question.threshold)
            found.append(np.stack((left[chosen], right[chosen]), axis=1))
        return np.concatenate(found)

    return run


def set_similarity_search() -> Engine:
    """SetSimilaritySearch's exact all_pairs, in pure Python."""
    from SetSimilaritySearch import all_pairs

    def run(texts: list[str], question: Question) -> Pairs:
        hashes, offsets = shingle_numbers(texts)
        bounds = offsets.astype(np.int64).tolist()
        sizes = np.diff(bounds)
        filled = np.flatnonzero(sizes)  # it refuses empty sets
        sets = [hashes[bounds[i] : bounds[i + 1]].tolist() for i in filled.tolist()]
        pairs = [(a, b) for a, b, _ in all_pairs(sets, "jaccard", question.threshold)]
        flat = filled[np.array(pairs, dtype=np.int64).reshape(-1, 2)]
        return ordered_pairs(flat[:, 0], flat[:, 1])

    return run


PEERS: dict[str, Callable[[], Engine]] = {
    "daft": daft,
    "gaoya": gaoya,
    "rensa": rensa,
    "fastsketch": fastsketch,
    "datasketch": datasketch,
    "datasketch_default": datasketch_default,
    "scipy_exact": scipy_exact,
    "set_similarity_search": set_similarity_search,
}
