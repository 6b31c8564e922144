"""A short stretch that retells a long text: its words come from all over the other document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.candidates import Candidate
from likewise.align.extend import ENDS, Extent, word_evidence
from likewise.align.pair import Box, Half, Numbers, Pair
from likewise.align.side import SENTENCE
from likewise.kernels.relations import NAT
from likewise.model import Kind

_EXPECTED_SHARE = 0.5  # of a summary's words stand in the text
_LEAST_EVIDENCE = 60 * NAT
_LEAST_PER_WORD = 600
_LEAST_RATIO = 2  # the text is at least so many times as long
_MOST_OF_ITS_DOCUMENT = 0.6  # a text on one subject has nothing to stand out from
_MOST_IN_ONE_PLACE = 0.8  # of the shared words, in a stretch little longer than the summary
_LITTLE_LONGER = 6, 5
# What passages in the same stretch explain: one of them, all of them.
_MOST_OF_ONE_PASSAGE, _MOST_OF_ALL_PASSAGES = 1.2, 1.8
_MOST_OF_COPIED = 0.5  # what sentences copied one by one explain
_REST = 0.15  # of a text: too short to be left out at its beginning or end


class _PassageEvidence(NamedTuple):
    """A passage, seen from the side that may be a summary."""

    first: int
    last: int
    evidence: int
    kind: Kind


def summary_of(pair: Pair, passages: list[Candidate], copied: list[Box]) -> Extent | None:
    """The stretch of the checked document that retells the other.

    Unless passages explain it better, or sentences that were copied one by one. Never the other way
    round: a long checked text does not come from the few lines that tell the same.
    """
    passage_evidence = [
        _PassageEvidence(f.box.a0, f.box.a1, f.extent.evidence_a, f.kind) for f in passages
    ]
    retold = _retelling(
        pair, pair.a, pair.b, passage_evidence, [(box.a0, box.a1) for box in copied]
    )
    if retold is None:
        return None
    (a0, a1), (b0, b1), evidence = retold
    return Extent(Box(a0, a1, b0, b1), evidence, evidence)


def _retelling(
    pair: Pair,
    half: Half,
    text: Half,
    passage_evidence: list[_PassageEvidence],
    copied: list[tuple[int, int]],
) -> tuple[tuple[int, int], tuple[int, int], int] | None:
    """Words of one side, the words of the text that they retell, and the evidence."""
    total = _evidence_before(half, text)
    first, last = _best_stretch(half, total)
    evidence = int(total[last] - total[first])
    words = half.numbers[first:last]
    words = words[words != 0]
    if (
        evidence < max(_LEAST_EVIDENCE, _LEAST_PER_WORD * len(words))
        or text.size < _LEAST_RATIO * len(words)
        or len(words) > _MOST_OF_ITS_DOCUMENT * half.size
        or _copied_evidence(total, first, last, copied) > _MOST_OF_COPIED * evidence
        or _is_explained(
            evidence, [k for k in passage_evidence if k.first < last and first < k.last]
        )
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


def _evidence_before(half: Half, text: Half) -> Numbers:
    """Before each word, the evidence so far for coming from the whole of the other text."""
    evidence = word_evidence(
        text.frequency, text.size, np.maximum(half.frequency - 1, 0), half.size, _EXPECTED_SHARE
    )
    evidence[0] = 0
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(evidence[half.numbers])))


def _best_stretch(half: Half, total: Numbers) -> tuple[int, int]:
    """The words with the most evidence, where beginning and end weigh in too."""
    ends = ENDS[half.side.breaks]
    begin = ends - total
    best_begin = np.maximum.accumulate(begin)
    last = 1 + int(np.argmax((total + ends)[1:] + best_begin[:-1]))
    return int(np.argmax(begin[:last])), last


def _copied_evidence(total: Numbers, first: int, last: int, copied: list[tuple[int, int]]) -> int:
    """The evidence in sentences of the stretch that were copied."""
    inside = [(max(start, first), min(end, last)) for start, end in copied]
    return sum(int(total[end] - total[start]) for start, end in inside if start < end)


def _is_explained(evidence: int, passage_evidence: list[_PassageEvidence]) -> bool:
    """Whether the passages in the stretch say more: one copied word for word always does."""
    return (
        any(
            passage.kind == "verbatim" or passage.evidence >= _MOST_OF_ONE_PASSAGE * evidence
            for passage in passage_evidence
        )
        or sum(passage.evidence for passage in passage_evidence) >= _MOST_OF_ALL_PASSAGES * evidence
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
