"""Where hidden text stands in a cell, which is written as one line with single blanks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from likewise.reading.office.blocks import Paragraph

_WORD = re.compile(r"\S+")


def hidden_in_line(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[int, int, str]]:
    """The hidden stretches of paragraphs that are joined, with one blank between two words.

    >>> paragraph = Paragraph()
    >>> paragraph.add("May   was  "); paragraph.add("dry and  warm", "tiny text")
    >>> list(hidden_in_line([Paragraph(), paragraph]))
    [(8, 20, 'tiny text')]
    """
    if not any(paragraph.hidden for paragraph in paragraphs):
        return
    words = [m.span() for m in _WORD.finditer(" ".join(p.text for p in paragraphs))]
    starts, ends = [start for start, _ in words], [end for _, end in words]
    written = [0, *accumulate(end - start + 1 for start, end in words)]
    before = 0
    for paragraph in paragraphs:
        for first, past, way in paragraph.hidden:
            first, past = first + before, past + before
            left, right = bisect_right(ends, first), bisect_left(starts, past) - 1
            if left <= right:
                yield (
                    written[left] + max(first - starts[left], 0),
                    written[right] + min(past, ends[right]) - starts[right],
                    way,
                )
        before += paragraph.length + 1
