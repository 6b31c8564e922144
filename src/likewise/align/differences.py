"""The words of a passage that differ between its two sides."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.align.kinds import chain
from likewise.align.pair import Numbers
from likewise.language import Lexicon, words_of
from likewise.language.words import Words
from likewise.model import Passage, Span


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
