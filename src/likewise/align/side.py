"""A document as alignment sees it: its words, and how well a passage could begin between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from likewise.align.exclude.listings import find_listings
from likewise.language import Lexicon, Tokens, tokens_of
from likewise.language.alphabet import fold_table
from likewise.model import Document, Span

Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

# What stands between two words, from the least likely to the likeliest end of a passage.
NOTHING, CAPITAL, SENTENCE, LINE, LINE_AND_SENTENCE, BLOCK, EDGE = range(7)

# White space twice in a row, or a blank line, tells blocks apart unless it stands everywhere.
_WORDS_PER_WIDE_GAP = 25

# Sentences that are shorter on the average are none: somebody has strewn marks over the text.
_WORDS_PER_SENTENCE = 5

_SENTENCE_MARKS = ".!?…؟۔।॥።。！？｡"
_WHITE_SPACE = (
    " \t\n\v\f\r\x85\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u3000"
)
_IS_MARK, _IS_LINE_END, _IS_SPACE = 1, 2, 4


def _character_table() -> NDArray[np.uint8]:
    """What each character of the basic plane is; all others are the last entry, which is none."""
    table = np.zeros(0x10000, dtype=np.uint8)
    table[[ord(c) for c in _SENTENCE_MARKS]] |= _IS_MARK
    table[[ord(c) for c in _WHITE_SPACE + "\u2028\u2029"]] |= _IS_SPACE
    table[[ord(c) for c in "\n\x85\u2028\u2029"]] |= _IS_LINE_END
    return table


_CHARACTERS = _character_table()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Side:
    """One document of a pair. `hash` is 0 where a word does not count, as for stop words.

    `breaks[k]` says what stands before word `k`; the last entry is the end of the text.
    """

    text: str
    hash: NDArray[np.uint64]
    start: Places
    end: Places
    breaks: NDArray[np.uint8]
    listings: tuple[Span, ...] = ()  # what is no prose: its words do not count
    with_listings: NDArray[np.uint64] | None = None  # all words, if there are any listings

    def without(self, spans: Iterable[Span]) -> Side:
        """The same document, where the words of some stretches do not count."""
        hashes, whole = self.hash.copy(), self.with_listings
        whole = whole if whole is None else whole.copy()
        for span in spans:
            first, last = np.searchsorted(self.start, (span.start, span.end))
            for counted in (hashes, whole):
                if counted is not None:
                    counted[first:last] = 0
        return replace(self, hash=hashes, with_listings=whole)

    @property
    def whole(self) -> Side:
        """The same document, where the words of listings count too."""
        return self if self.with_listings is None else replace(self, hash=self.with_listings)

    def span(self, first: int, last: int) -> Span:
        """Where the words from `first` to before `last` stand, marks that touch them included.

        A mark that ties a word to the next one, like a hyphen, belongs to neither.
        """
        start, end = int(self.start[first]), int(self.end[last - 1])
        floor = int(self.end[first - 1]) if first else 0
        ceiling = int(self.start[last]) if last < len(self.start) else len(self.text)
        before, behind = start, end
        while before > floor and not self.text[before - 1].isspace():
            before -= 1
        while behind < ceiling and not self.text[behind].isspace():
            behind += 1
        return Span(
            before if before > floor or floor == 0 else start,
            behind if behind < ceiling or ceiling == len(self.text) else end,
        )


def group_begins(in_order: NDArray[Any]) -> Flags:
    """Of values in order, which are the first of their group.

    >>> group_begins(np.array([3, 3, 5])).tolist()
    [True, False, True]
    """
    begins = np.ones(len(in_order), dtype=bool)
    np.not_equal(in_order[1:], in_order[:-1], out=begins[1:])
    return begins


def group_sizes(first: Places, size: int) -> Places:
    """How many there are in each group, by where each begins among all."""
    sizes = np.empty_like(first)
    np.subtract(first[1:], first[:-1], out=sizes[:-1])
    sizes[-1:] = size - first[-1:]
    return sizes


class DistinctWords:
    """The words of a side that count, and which of them are the same."""

    def __init__(self, hashes: NDArray[np.uint64]) -> None:
        self.places = np.flatnonzero(hashes)  # of those that count
        counted = hashes[self.places]
        self.order = np.argsort(counted, kind="stable")
        in_order = counted[self.order]
        begins = group_begins(in_order)
        self.first = np.flatnonzero(begins)  # of each distinct one, in this order
        self.words = in_order[self.first]
        self.number = np.empty(len(counted), dtype=np.int64)  # of each that counts
        self.number[self.order] = np.cumsum(begins) - 1
        self.frequency = group_sizes(self.first, len(counted))


_DISTINCT: WeakKeyDictionary[Side, DistinctWords] = WeakKeyDictionary()


def distinct_words(side: Side) -> DistinctWords:
    """Made once: one document may be compared with many."""
    distinct = _DISTINCT.get(side)
    if distinct is None:
        distinct = _DISTINCT[side] = DistinctWords(side.hash)
    return distinct


def side_of(
    document: Document, lexicon: Lexicon, *, listings: bool = True, tokens: Tokens | None = None
) -> Side:
    """What alignment needs of a document; make it once for one document against many.

    Listings are told from prose, unless they are to be read as prose. Its tokens may be known.
    """
    text = document.compared_text
    if tokens is None:
        tokens = tokens_of(text, lexicon)
    starts, ends = tokens.start.astype(np.int64), tokens.end.astype(np.int64)
    side = Side(document.text, tokens.hash, starts, ends, _breaks(text, starts, ends))
    if not listings or not (spans := find_listings(text)):
        return side
    return replace(side.without(spans), listings=tuple(spans), with_listings=tokens.hash)


def _breaks(text: str, start: Places, end: Places) -> NDArray[np.uint8]:
    words = len(start)
    breaks = np.full(words + 1, EDGE, dtype=np.uint8)
    if words < 2:
        return breaks
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    character = _CHARACTERS[np.minimum(codes, 0xFFFF)]
    gaps = end[:-1], start[1:]
    white = (character & _IS_SPACE) != 0
    wide = np.zeros(len(codes), dtype=bool)
    np.logical_and(white[1:], white[:-1], out=wide[1:])
    sentence = _any_in((character & _IS_MARK) != 0, gaps) & _any_in(white, gaps)
    line = _any_in((character & _IS_LINE_END) != 0, gaps)
    apart = _any_in(wide, gaps)

    first = codes[start[1:]]
    small = (fold_table()[first] == first) & ~((first >= 48) & (first <= 57))
    if int(sentence.sum()) * _WORDS_PER_SENTENCE > words:
        sentence &= ~small
    else:
        sentence &= ~(small & _any_in(_are_ellipses(codes), gaps))
    between = np.where(small, NOTHING, CAPITAL).astype(np.uint8)
    between[sentence] = SENTENCE
    if not _lines_are_wrapped(line & ~sentence, small):
        between[line] = LINE
        between[line & sentence] = LINE_AND_SENTENCE
    if int(apart.sum()) * _WORDS_PER_WIDE_GAP < words:
        between[apart & (sentence | ~small)] = BLOCK
    breaks[1:words] = between
    return breaks


def _are_ellipses(codes: NDArray[np.uint32]) -> Flags:
    """Where an ellipsis stands, as one character or in dots; behind it a sentence may go on."""
    dots = codes == ord(".")
    ellipses: Flags = codes == ord("…")
    ellipses[1:] |= dots[1:] & dots[:-1]
    return ellipses


def _any_in(flags: Flags, gaps: tuple[Places, Places]) -> Flags:
    """For each stretch of characters, whether any of them has the flag."""
    before = np.zeros(len(flags) + 1, dtype=np.int32)
    np.cumsum(flags, out=before[1:])
    has_flag: Flags = before[gaps[1]] > before[gaps[0]]
    return has_flag


def _lines_are_wrapped(line_ends: Flags, before_small_letter: Flags) -> bool:
    """Whether lines end where the page is full: then most go on with a small letter."""
    return 2 * int((line_ends & before_small_letter).sum()) > int(line_ends.sum())
