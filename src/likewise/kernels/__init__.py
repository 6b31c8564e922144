"""The few loops that take the time, each in two forms that give the same bits.

The NumPy form in `tokens`, `shingles`, `signature`, `join`, `bands`, `blocks`, `relations` and
`packing` is the one to read; the Cython form beside it (`_tokens.pyx` …) is used where it was
built. In the environment, `LIKEWISE_KERNELS=numpy` chooses the readable form.
"""

from __future__ import annotations

import os

from likewise.kernels.bands import band_keys, group, pairs_of_groups
from likewise.kernels.blocks import (
    best_documents,
    block_keys,
    choose_rows,
    find_words,
    rank_words,
)
from likewise.kernels.join import (
    build_index,
    count_holders,
    count_ranked,
    keep_shared,
    mark_shared,
    number,
    order_tokens,
    overlaps,
    probe,
)
from likewise.kernels.packing import (
    find_ranges,
    pack_gaps,
    read_bits,
    sort_postings,
    unpack_gaps,
    write_bits,
)
from likewise.kernels.relations import fit_stretch
from likewise.kernels.shingles import set_digests, shingle_runs, shingle_sets, winnow
from likewise.kernels.signature import signatures
from likewise.kernels.tokens import hash_words, insert_words, scan_texts

ENGINE = "numpy"
if os.environ.get("LIKEWISE_KERNELS", "") != "numpy":
    try:  # all or none of them
        from likewise.kernels import (  # noqa: F401
            _bands,
            _blocks,
            _join,
            _packing,
            _relations,
            _shingles,
            _signature,
            _tokens,
        )
    except ImportError:
        pass  # no compiler when it was installed: the NumPy forms give the same answers
    else:
        ENGINE = "compiled"
        from likewise.kernels._bands import band_keys, group, pairs_of_groups
        from likewise.kernels._blocks import (
            best_documents,
            block_keys,
            choose_rows,
            find_words,
            rank_words,
        )
        from likewise.kernels._join import (
            build_index,
            count_holders,
            count_ranked,
            keep_shared,
            mark_shared,
            number,
            order_tokens,
            overlaps,
            probe,
        )
        from likewise.kernels._packing import (
            find_ranges,
            pack_gaps,
            read_bits,
            sort_postings,
            unpack_gaps,
            write_bits,
        )
        from likewise.kernels._relations import fit_stretch
        from likewise.kernels._shingles import set_digests, shingle_runs, shingle_sets, winnow
        from likewise.kernels._signature import signatures
        from likewise.kernels._tokens import hash_words, insert_words, scan_texts

__all__ = [
    "ENGINE",
    "band_keys",
    "best_documents",
    "block_keys",
    "build_index",
    "choose_rows",
    "count_holders",
    "count_ranked",
    "find_ranges",
    "find_words",
    "fit_stretch",
    "group",
    "hash_words",
    "insert_words",
    "keep_shared",
    "mark_shared",
    "number",
    "order_tokens",
    "overlaps",
    "pack_gaps",
    "pairs_of_groups",
    "probe",
    "rank_words",
    "read_bits",
    "set_digests",
    "shingle_runs",
    "shingle_sets",
    "signatures",
    "scan_texts",
    "sort_postings",
    "unpack_gaps",
    "winnow",
    "write_bits",
]
