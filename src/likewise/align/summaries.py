"""A short stretch that retells a long text: its words come from all over the other document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.extend import ENDS, EVIDENCE, Extent, word_evidence
from likewise.align.pair import Box, Half, Numbers, Pair
from likewise.align.side import SENTENCE
from likewise.align.validate import Found
from likewise.model import Kind

_FOUND = 0.5  # of a summary's words stand in the text
_LEAST_EVIDENCE = 60 * EVIDENCE
_LEAST_PER_WORD = 600
_LEAST_RATIO = 2  # the text is at least so many times as long
_MOST_OF_ITS_DOCUMENT = 0.6  # a text on one subject has nothing to stand out from
_MOST_IN_ONE_PLACE = 0.8  # of the shared words, in a stretch little longer than the summary
_LITTLE_LONGER = 6, 5
# What passages in the same stretch explain: one of them, all of them.
_MOST_OF_ONE_PASSAGE, _MOST_OF_ALL_PASSAGES = 1.2, 1.8
_REST = 0.15  # of a text: too short to be left out at its beginning or end


class _Known(NamedTuple):
    """A passage, seen from the side that may be a summary."""

    first: int
    last: int
    evidence: int
    kind: Kind


def summary_of(pair: Pair, passages: list[Found]) -> Extent | None:
    """The stretch of one document that retells the other, unless passages explain it better."""
    known = [_Known(f.box.a0, f.box.a1, f.extent.evidence_a, f.kind) for f in passages]
    retold = _retelling(pair, pair.a, pair.b, known)
    if retold is not None:
        (a0, a1), (b0, b1), evidence = retold
        return Extent(Box(a0, a1, b0, b1), evidence, evidence)
    known = [_Known(f.box.b0, f.box.b1, f.extent.evidence_b, f.kind) for f in passages]
    retold = _retelling(pair, pair.b, pair.a, known)
    if retold is not None:
        (b0, b1), (a0, a1), evidence = retold
        return Extent(Box(a0, a1, b0, b1), evidence, evidence)
    return None


def _retelling(
    pair: Pair, half: Half, text: Half, known: list[_Known]
) -> tuple[tuple[int, int], tuple[int, int], int] | None:
    """Words of one side, the words of the text that they retell, and the evidence."""
    first, last, evidence = _best_stretch(half, text)
    words = half.numbers[first:last]
    words = words[words != 0]
    if (
        evidence < max(_LEAST_EVIDENCE, _LEAST_PER_WORD * len(words))
        or text.size < _LEAST_RATIO * len(words)
        or len(words) > _MOST_OF_ITS_DOCUMENT * half.size
        or _is_explained(evidence, [k for k in known if k.first < last and first < k.last])
    ):
        return None
    shared = np.unique(words[text.frequency[words] > 0])
    is_shared = np.zeros(pair.vocabulary, dtype=bool)
    is_shared[shared] = True
    hits = np.flatnonzero(is_shared[text.numbers[text.places]])
    times, over = _LITTLE_LONGER
    window = len(words) * times // over + 5
    if _most_in_one_place(text, hits, window) > _MOST_IN_ONE_PLACE * len(shared):
        return None
    retold = _retold(text, int(text.places[hits[0]]), int(text.places[hits[-1]]) + 1)
    return (first, last), retold, evidence


def _best_stretch(half: Half, text: Half) -> tuple[int, int, int]:
    """The words with the most evidence for coming from the whole of the other text."""
    evidence = word_evidence(
        text.frequency, text.size, np.maximum(half.frequency - 1, 0), half.size, _FOUND
    )
    evidence[0] = 0
    total = np.concatenate((np.zeros(1, np.int64), np.cumsum(evidence[half.numbers])))
    ends = ENDS[half.side.breaks]
    begin = ends - total
    best_begin = np.maximum.accumulate(begin)
    last = 1 + int(np.argmax((total + ends)[1:] + best_begin[:-1]))
    first = int(np.argmax(begin[:last]))
    return first, last, int(total[last] - total[first])


def _is_explained(evidence: int, known: list[_Known]) -> bool:
    """Whether the passages in the stretch say more: one copied word for word always does."""
    return (
        any(
            passage.kind == "verbatim" or passage.evidence >= _MOST_OF_ONE_PASSAGE * evidence
            for passage in known
        )
        or sum(passage.evidence for passage in known) >= _MOST_OF_ALL_PASSAGES * evidence
    )


def _most_in_one_place(text: Half, hits: Numbers, window: int) -> int:
    """How many different shared words stand together in one window of the text at most."""
    numbers = text.numbers[text.places[hits]]
    starts = np.arange(0, max(1, text.size - window + 1), max(1, window // 4))
    low, high = np.searchsorted(hits, starts), np.searchsorted(hits, starts + window)
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return max(len(np.unique(numbers[i:j])) for i, j in ends)


def _retold(text: Half, first: int, last: int) -> tuple[int, int]:
    """Whole sentences, and the whole text where little is left over."""
    breaks: NDArray[np.uint8] = text.side.breaks
    words = len(breaks) - 1
    while first > 0 and breaks[first] < SENTENCE:
        first -= 1
    while last < words and breaks[last] < SENTENCE:
        last += 1
    if first < _REST * words:
        first = 0
    if words - last < _REST * words:
        last = words
    return first, last
