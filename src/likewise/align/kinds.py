"""How a passage was taken: word for word, edited, or retold; and which of its words differ."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.align.pair import Numbers
from likewise.kernels import scan_texts, shingle_runs
from likewise.kernels.tokens import JOIN_HYPHENS
from likewise.language import Lexicon, words_of
from likewise.language.alphabet import fold_table
from likewise.language.words import Words
from likewise.model import Kind, Passage, Span

_VERBATIM = 0.95  # share of the longer side's words that stand in the same order on the other
_EDITED = 0.6


def kind_of(a: Numbers, b: Numbers) -> Kind:
    """The kind of a passage from the words that count on either side.

    >>> import numpy as np
    >>> one = np.arange(1, 21)
    >>> kind_of(one, one), kind_of(one, np.delete(one, [3, 9, 15])), kind_of(one, one[::-1])
    ('verbatim', 'edited', 'rewritten')
    """
    longer = max(len(a), len(b), 1)
    in_order = len(chain(a, b)[0]) / longer
    if in_order >= _VERBATIM:
        return "verbatim"
    return "edited" if in_order >= _EDITED else "rewritten"


def chain(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Places of words that stand in both in the same order, a long such chain.

    The first of a word here is matched with the first there, the second with the second: so it is
    found in n log n steps, and is the longest wherever words do not repeat.
    """
    common = nth_to_nth(a, b)
    tails: list[int] = []
    ends: list[int] = []
    behind = np.full(len(common[0]), -1, dtype=np.int64)
    for k, place in enumerate(common[1].tolist()):
        at = bisect_left(tails, place)
        if at:
            behind[k] = ends[at - 1]
        if at == len(tails):
            tails.append(place)
            ends.append(k)
        else:
            tails[at], ends[at] = place, k
    picked = []
    k = ends[-1] if ends else -1
    while k >= 0:
        picked.append(k)
        k = int(behind[k])
    picked.reverse()
    return common[0][picked], common[1][picked]


def nth_to_nth(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Places of the n-th of each word here and there, in the order of a."""
    distinct, number = np.unique(np.concatenate((a, b)), return_inverse=True)
    keys = [
        of * (len(number) + 1) + _rank(of, len(distinct))
        for of in (number[: len(a)], number[len(a) :])
    ]
    _, at_a, at_b = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    order = np.argsort(at_a)
    return at_a[order], at_b[order]


def _rank(number: Numbers, size: int) -> Numbers:
    """How many times each number has come before."""
    order = np.argsort(number, kind="stable")
    count = np.bincount(number, minlength=size)
    rank = np.empty(len(number), dtype=np.int64)
    rank[order] = np.arange(len(number)) - np.repeat(np.cumsum(count) - count, count)
    return rank


# The words of a passage that differ between its two sides.


def differences(
    a_text: str, b_text: str, passage: Passage, lexicon: Lexicon
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Where each side has words that the other has not, or has elsewhere.

    Offsets are into the whole texts. Words side by side make one span.

    >>> from likewise.settings import Settings
    >>> one, other = "Grey wolves hunt at night.", "Grey wolves often sleep at night."
    >>> whole = Passage(Span(0, len(one)), Span(0, len(other)), "edited", 0.7)
    >>> here, there = differences(one, other, whole, Lexicon(Settings()))
    >>> [span.of(one) for span in here], [span.of(other) for span in there]
    (['hunt'], ['often sleep'])
    """
    here, there = passage.a.of(a_text), passage.b.of(b_text)
    a, b = words_of(here, lexicon), words_of(there, lexicon)
    same_a, same_b = chain(_numbers(a), _numbers(b))
    return (
        tuple(_others(here, a, same_a, passage.a.start)),
        tuple(_others(there, b, same_b, passage.b.start)),
    )


def _numbers(words: Words) -> Numbers:
    numbers: NDArray[np.int64] = words.hash.view(np.int64)
    return numbers


def _others(text: str, words: Words, same: Numbers, offset: int) -> Iterator[Span]:
    """The words that are not the same; those with nothing but blanks between them together."""
    differs = np.ones(len(words), dtype=bool)
    differs[same] = False
    start = end = -1
    for k in np.flatnonzero(differs).tolist():
        if end >= 0 and text[end : int(words.start[k])].isspace():
            end = int(words.end[k])
            continue
        if end >= 0:
            yield Span(offset + start, offset + end)
        start, end = int(words.start[k]), int(words.end[k])
    if end >= 0:
        yield Span(offset + start, offset + end)


# The words of a passage that stand unchanged and in the same order in the source.
#
# Three words in a row are an order; sentences that were moved are as literal as before. Small words
# count too; capitals and marks that nobody sees do not.


_IN_A_ROW = 3


def unchanged_words(here: str, there: str, offset: int = 0) -> tuple[float, tuple[Span, ...]]:
    """The share of the words here that stand there, at least three of them in a row, and where.

    What stands between such words, or beyond the last one at an end of the text, goes with them.

    >>> here = "The old dome stands on a ridge"
    >>> share, spans = unchanged_words(here, "the old dome was built on a ridge, twice")
    >>> share, [span.of(here) for span in spans]
    (0.8571428571428571, ['The old dome', 'on a ridge'])
    """
    words, offsets, starts, ends, _ = scan_texts(
        [here, there], fold_table(), JOIN_HYPHENS, None, True
    )
    ours, theirs = words[: offsets[1]], words[offsets[1] : offsets[2]]
    width = min(_IN_A_ROW, len(ours), len(theirs))
    if not width or starts is None or ends is None:
        return 0.0, ()
    rows = np.flatnonzero(np.isin(_rows(ours, width), _rows(theirs, width)))
    unchanged = np.zeros(len(ours), dtype=bool)
    for step in range(width):
        unchanged[rows + step] = True
    edges = np.flatnonzero(np.diff(np.concatenate(([False], unchanged, [False])).astype(np.int8)))
    spans = tuple(
        Span(
            offset + (int(starts[first]) if first else 0),
            offset + (int(ends[last - 1]) if last < len(ours) else len(here)),
        )
        for first, last in edges.reshape(-1, 2).tolist()
    )
    return int(unchanged.sum()) / len(ours), spans


def _rows(words: NDArray[np.uint64], width: int) -> NDArray[np.uint64]:
    """So many words in a row as one number."""
    return shingle_runs(words, np.array([0, len(words)], dtype=np.int64), width)[0]
