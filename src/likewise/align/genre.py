"""What many documents of a genre say in the same words: headings, labels of forms, fixed sentences.

A line or sentence is of the genre if several of the compared documents hold all of it. Many such
lines in a row are a text that somebody copied, unless very many hold them, or they stand on the
first page of those documents too: what first pages have in common is a title page.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.pair import Numbers
from likewise.align.resolve import runs_of
from likewise.align.side import SENTENCE, Side
from likewise.model import Span

WIDTH = 5  # words of a phrase that is looked for in other documents
FIRST_PAGE = 150  # words that count, as many as stand on a title page at most
FEW_HOLDERS, MANY_HOLDERS = 5, 8
_FEWEST_FIRST_PAGES = 3
_SENTENCE, _BLOCK = 24, 60  # words in a row that few, and that many documents may hold
_MOST_OF_A_TEXT = 0.6  # in long rows; more than that was copied by many
_WORDS_OF_LINE = 9  # on a title page, on the average
_LABEL_ENDS = ":№"
_EDGE = 3  # words at the ends of a line or sentence that a library's fingerprints may not cover


class Genre(NamedTuple):
    """A stretch that belongs to nobody."""

    span: Span
    holders: int
    is_title_page: bool


def find_genre(
    side: Side,
    holders: Numbers,
    first_pages: Numbers,
    known_phrases: Iterable[tuple[Span, int]] = (),
) -> list[Genre]:
    """Where a text says what its genre says.

    For each phrase of words that count, as many of the compared documents as are `holders` hold it,
    and so many hold it on their first page. Of some phrases it is `known` how many documents hold
    them that were not compared.
    """
    places = np.flatnonzero(side.hash)
    if not len(holders):
        return []
    holders_of_word = _holders_of_words(side, places, holders, known_phrases)
    on_first_page = _of_words(first_pages[:FIRST_PAGE], len(places)) >= _FEWEST_FIRST_PAGES
    is_shared = (holders_of_word >= FEW_HOLDERS) | on_first_page
    if not is_shared.any():
        return []
    genre: list[Genre] = []
    words_in_rows = 0
    for first, last in _rows(side, places, is_shared):
        usual = int(np.median(holders_of_word[first:last]))
        is_title_page = bool(on_first_page[first:last].all()) and _is_set_in_lines(
            _span(side, places, first, last).of(side.text)
        )
        longest = _BLOCK if usual >= MANY_HOLDERS else _SENTENCE
        if is_title_page or last - first <= longest:
            genre.append(Genre(_span(side, places, first, last), usual, is_title_page))
            words_in_rows += last - first if last - first > _SENTENCE else 0
    return genre if words_in_rows <= _MOST_OF_A_TEXT * len(places) else []


def phrases_of_genre(
    side: Side, holders: Numbers, known_phrases: Iterable[tuple[Span, int]] = ()
) -> NDArray[np.bool_]:
    """Which words stand in phrases that several documents hold, whole lines or not.

    They say nothing about where a text comes from. Very long stretches do: somebody copied them.
    """
    in_phrase = np.zeros(len(side.hash), dtype=bool)
    places = np.flatnonzero(side.hash)
    if not len(holders):
        return in_phrase
    holders_of_word = _holders_of_words(side, places, holders, known_phrases)
    long = 0
    for row in runs_of(holders_of_word >= FEW_HOLDERS):
        first, last = row.start, row.end
        usual = int(np.median(holders_of_word[first:last]))
        if last - first <= (_BLOCK if usual >= MANY_HOLDERS else _SENTENCE):
            in_phrase[places[first:last]] = True
            long += last - first if last - first > _SENTENCE else 0
    if long > _MOST_OF_A_TEXT * len(places):
        in_phrase[:] = False
    return in_phrase


def _holders_of_words(
    side: Side, places: Numbers, holders: Numbers, known_phrases: Iterable[tuple[Span, int]]
) -> Numbers:
    """Of each word that counts: how many documents hold the phrase around it."""
    holders_of_word = _of_words(holders, len(places))
    starts = side.start[places]
    for span, number in known_phrases:
        first, last = np.searchsorted(starts, (span.start, span.end))
        holders_of_word[first:last] = np.maximum(holders_of_word[first:last], number)
    return holders_of_word


def _of_words(holders: Numbers, words: int) -> Numbers:
    """Of each word: how many documents hold the phrase around it that most of them hold."""
    most = np.zeros(words, dtype=np.int64)
    for step in range(min(WIDTH, words)):
        part = most[step : step + len(holders)]
        np.maximum(part, holders[: len(part)], out=part)
    return most


def _rows(side: Side, places: Numbers, shared: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Whole lines, sentences and labels that are held, in a row as far as their block goes."""
    begun = np.cumsum(side.breaks[:-1] >= SENTENCE)[places]  # also before small words
    begins = np.diff(begun, prepend=-1) > 0
    between = [side.text[side.end[p] : side.start[q]] for p, q in pairwise(places.tolist())]
    begins[1:] |= [any(mark in gap for mark in _LABEL_ENDS) for gap in between]
    begins_block = [True, *(gap.count("\n") > 1 for gap in between)]
    begins[1:] |= begins_block[1:]
    firsts = np.flatnonzero(begins)
    ends = np.append(firsts[1:], len(places))
    rows: list[tuple[int, int]] = []
    for first, end in zip(firsts.tolist(), ends.tolist(), strict=True):
        if not _are_all_shared(shared[first:end]):
            continue
        if rows and rows[-1][1] == first and not begins_block[first]:
            first = rows.pop()[0]
        rows.append((first, end))
    return rows


def _is_set_in_lines(text: str) -> bool:
    """Whether it stands in short lines, as title pages do: prose on a first page is prose.

    >>> _is_set_in_lines("Institute of Wells\\nTerm paper"), _is_set_in_lines("Deep wells. " * 9)
    (True, False)
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    words = sum(map(len, lines))
    return words <= _WORDS_OF_LINE * len(lines) and max(map(len, lines)) <= 2 * _WORDS_OF_LINE


def _are_all_shared(words: NDArray[np.bool_]) -> bool:
    """Whether all words are held, but for some at the ends: not every phrase is looked up."""
    inside = np.flatnonzero(words)
    if not len(inside):
        return False
    first, last = int(inside[0]), int(inside[-1]) + 1
    at_ends = len(words) - (last - first)
    is_whole = bool(words[first:last].all()) and max(first, len(words) - last) <= _EDGE
    return is_whole and at_ends <= last - first


def _span(side: Side, places: Numbers, first: int, last: int) -> Span:
    """From word to word, with the small words that belong to the same sentences."""
    begin, end = int(places[first]), int(places[last - 1]) + 1
    while begin and not side.hash[begin - 1] and side.breaks[begin] < SENTENCE:
        begin -= 1
    while end < len(side.hash) and not side.hash[end] and side.breaks[end] < SENTENCE:
        end += 1
    return side.span(begin, end)
