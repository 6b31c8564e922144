"""The few loops that take the time, each in two forms that give the same bits.

The NumPy form in `tokens`, `shingles`, `signature`, `join` and `bands` is the one to read; the
Cython form beside it (`_tokens.pyx` …) is used where it was built. `LIKEWISE_KERNELS=numpy` in the
environment chooses the readable form.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from likewise.kernels.bands import band_keys, group, pairs_of_groups
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
from likewise.kernels.shingles import set_digests, shingle_runs, shingle_sets, winnow
from likewise.kernels.signature import signatures
from likewise.kernels.tokens import hash_words, insert_words, scan_texts

ENGINE = "numpy"
if not TYPE_CHECKING and os.environ.get("LIKEWISE_KERNELS", "") != "numpy":
    try:
        from likewise.kernels import _bands, _join, _shingles, _signature, _tokens
    except ImportError:
        pass  # no compiler when it was installed: the NumPy forms give the same answers
    else:
        ENGINE = "compiled"
        band_keys, group, pairs_of_groups = _bands.band_keys, _bands.group, _bands.pairs_of_groups
        build_index, keep_shared, mark_shared = (
            _join.build_index,
            _join.keep_shared,
            _join.mark_shared,
        )
        count_holders, count_ranked = _join.count_holders, _join.count_ranked
        number, order_tokens = _join.number, _join.order_tokens
        overlaps, probe = _join.overlaps, _join.probe
        set_digests, winnow = _shingles.set_digests, _shingles.winnow
        shingle_runs, shingle_sets = _shingles.shingle_runs, _shingles.shingle_sets
        signatures = _signature.signatures
        hash_words, insert_words, scan_texts = (
            _tokens.hash_words,
            _tokens.insert_words,
            _tokens.scan_texts,
        )

__all__ = [
    "ENGINE",
    "band_keys",
    "build_index",
    "count_holders",
    "count_ranked",
    "group",
    "hash_words",
    "insert_words",
    "keep_shared",
    "mark_shared",
    "number",
    "order_tokens",
    "overlaps",
    "pairs_of_groups",
    "probe",
    "set_digests",
    "shingle_runs",
    "shingle_sets",
    "signatures",
    "scan_texts",
    "winnow",
]
