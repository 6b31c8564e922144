"""Text that very many documents hold: counted, not followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likewise.language import Words
from likewise.library.fitting import FittingPostings
from likewise.library.sketches import Placed
from likewise.model import Span
from likewise.search.postings import Found, Hashes


@dataclass(frozen=True, slots=True)
class CommonRun:
    """Words that so many documents hold that these are not followed; the `eldest` are named."""

    span: Span
    holders: int
    eldest: tuple[int, ...]


def common_runs(
    words: Words,
    width: int,
    postings: FittingPostings,
    placed: Placed,
    hashes: Hashes,
    found: Found,
) -> tuple[CommonRun, ...]:
    """Where common fingerprints of `width` words stand; those that overlap or touch are one run.

    `hashes` are the distinct ones that `found` is about. The rarest of a run bounds how many
    documents hold all of it, and its holders are named.
    """
    which = np.searchsorted(hashes, placed.hash)
    runs: list[list[int]] = []
    end = -1
    for k in np.flatnonzero(found.common[which]).tolist():
        if runs and placed.place[k] <= end and runs[-1][-1] == k - 1:
            runs[-1].append(k)
        else:
            runs.append([k])
        end = int(placed.place[k]) + width
    common = []
    for run in runs:
        first = int(placed.place[run[0]])
        last = min(int(placed.place[run[-1]]) + width, len(words)) - 1
        holders = found.holders[which[run]]
        rarest = int(np.argmin(holders))
        common.append(
            CommonRun(
                Span(int(words.start[first]), int(words.end[last])),
                int(holders[rarest]),
                postings.eldest(int(placed.hash[run[rarest]])),
            )
        )
    return tuple(common)
