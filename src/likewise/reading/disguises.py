"""Disguises seen in the text alone: foreign letters, invisible marks, spread letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from likewise.language.homoglyphs import repair
from likewise.model import SPREAD_LETTERS, Document, Message, Note, Span

LEAST_WORDS = 3  # that are disguised, before it is more than a slip of the keyboard
LEAST_SPREAD = 12  # letters in a run that is joined; shorter ones are initials and variables
NOTED_SPREAD = 40  # letters in all; fewer are headings
_LATIN, _CYRILLIC = "A-Za-z\u00c0-\u024f", "\u0400-\u052f"
_OTHERS = "\u0370-\u03ff\u0250-\u02af"  # Greek, phonetic
_INVISIBLE = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e"
_INVISIBLE += "\u2060-\u2064\u2066-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
_BLANKS = "\u2000-\u200a\u205f\u2800\u3000"  # that are drawn as spaces; U+00A0 is ordinary

_WORD = re.compile(f"[{_LATIN}{_CYRILLIC}{_OTHERS}]+")
_SHORTEST_WORD = 4
_CYRILLIC_ALONE = re.compile(f"[{_CYRILLIC}]+")
# Roman numbers of whatever letters, and letters that phonetics borrows.
_HONEST = re.compile("^[IVXLCDMІХСМ]+$|[χɡɑɪʃθðəɔ]")
_RUNS = re.compile(f"[{_LATIN}]+|[{_CYRILLIC}]+|[{_OTHERS}]+")
_LETTER = f"[{_LATIN}{_CYRILLIC}]"
# From the beginning of a word alone, and without a second thought: a word is looked at once.
_PIERCED = re.compile(f"(?<!{_LETTER}){_LETTER}++(?:[{_INVISIBLE}]++{_LETTER}++)++")
_INVISIBLE_MARK = re.compile(f"[{_INVISIBLE}]")
_INVISIBLE_MARKS = re.compile(f"[{_INVISIBLE}]+")
_SOFT_HYPHEN = "\u00ad"
_STRANGE_GAP = re.compile(f"(?<={_LETTER})[{_BLANKS}](?={_LETTER})")
# A letter, one blank, a letter, … ; two blanks or more part the words.
_SPREAD = re.compile(
    f"(?<!\\w){_LETTER}(?:[ \u00a0]{{1,4}}{_LETTER}(?!\\w)){{{LEAST_SPREAD - 1},}}"
)
_GAP = re.compile("[ \u00a0]")
_WIDE_GAP = re.compile("[ \u00a0]{2,}")
# What keyboards without Kazakh letters made a habit of; it disguises nothing.
_HABITS = str.maketrans("iIhHəƏɵƟöÖ", "іІһҺәӘөӨөӨ")
_LONGEST_WORD = 20  # letters, on average: far more than any language has
_FEW_LETTERS = 8  # different ones; a text has more, a list of variables fewer
_VOWELS = frozenset("aeiouyаеёиоуыэюяәөүұіəɵ")


def note_disguises(document: Document) -> Document:
    """The document, with a note for every kind of disguise in it."""
    text = document.compared_text
    scan = _TextScan(text)
    spread = list(_spread(text)) if scan.lone_letters >= LEAST_SPREAD else []
    notes = [
        note
        for note in (
            _note(
                "foreign letters",
                "reading.foreign_letters",
                list(_foreign(text, scan.meetings)) if len(scan.meetings) else [],
            ),
            _note(
                "invisible characters",
                "reading.invisible",
                list(_pierced(text)) if scan.invisible else [],
            ),
            _note(
                "look-alike spaces",
                "reading.lookalike",
                [Span(*m.span()) for m in _STRANGE_GAP.finditer(text)] if scan.blanks else [],
            ),
            _note(
                "spread letters",
                "reading.spread" if _has_words(text, spread) else "reading.spread_lost",
                spread if sum(map(len, spread)) >= 2 * NOTED_SPREAD else [],
                least=1,
            ),
        )
        if note
    ]
    if not notes and not spread:
        return document
    gaps = [
        (Span(*gap.span()), SPREAD_LETTERS)
        for span in spread
        for gap in _GAP.finditer(text, span.start, span.end)
        if not _parts_words(text, gap.start())
    ]
    return replace(
        document,
        notes=(*document.notes, *notes),
        left_out=tuple(sorted((*document.left_out, *gaps))),
    )


def _note(kind: str, key: str, spans: list[Span], least: int = LEAST_WORDS) -> Note | None:
    if len(spans) < least:
        return None
    return Note(kind, Message(key, {"n": len(spans)}), tuple(spans))


class _TextScan:
    """What kinds of characters a text has, from one look at each: most texts need no second."""

    def __init__(self, text: str) -> None:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        kinds = _kinds()[codes]
        here, there = kinds[:-1], kinds[1:]
        letters = kinds <= _LAST_ALPHABET
        meet = (here != there) & letters[:-1] & letters[1:]
        self.meetings: list[int] = np.flatnonzero(meet).tolist()
        self.invisible = bool((kinds == _IS_INVISIBLE).any())
        self.blanks = bool((kinds == _IS_BLANK).any())
        lone = letters.copy()
        lone[1:] &= ~letters[:-1]
        lone[:-1] &= ~letters[1:]
        self.lone_letters = int(lone.sum())


_LAST_ALPHABET, _IS_INVISIBLE, _IS_BLANK, _IS_ELSE = 2, 3, 4, 5


@cache
def _kinds() -> NDArray[np.uint8]:
    """A number for each code point: one of three alphabets, invisible, a rare blank, or other."""
    table = np.full(0x110000, _IS_ELSE, dtype=np.uint8)
    classes = (_LATIN, _CYRILLIC, _OTHERS, _INVISIBLE, _BLANKS)
    for number, members in enumerate(classes):
        for first, last in re.findall("(.)-(.)", members, re.DOTALL):
            table[ord(first) : ord(last) + 1] = number
        for single in re.sub(".-.", "", members, flags=re.DOTALL):
            table[ord(single)] = number
    return table


def _foreign(text: str, meetings: list[int]) -> Iterator[Span]:
    """Words of one alphabet into which letters of another were put."""
    end = 0
    for start in meetings:
        if start < end:
            continue  # the same word
        while start and _WORD.match(text, start - 1, start):
            start -= 1
        match = _WORD.match(text, start)
        assert match is not None
        word, end = match[0], match.end()
        if len(word) < _SHORTEST_WORD:
            continue
        if _CYRILLIC_ALONE.fullmatch(word.translate(_HABITS)) or _HONEST.search(word):
            continue
        runs = _RUNS.findall(word)
        shortest = min(map(len, runs))
        # Two runs of some length are a stem and an ending, not a disguise; so is an index.
        if len(runs) == 2 and (shortest > 1 or (len(runs[0]) == 1 and runs[0].isupper())):
            continue
        folded = word.casefold()
        if repair(folded) != folded:
            yield Span(*match.span())


def _pierced(text: str) -> Iterator[Span]:
    """Words with something invisible between their letters, but for honest hyphenation."""
    for match in _PIERCED.finditer(text):
        marks = set(_INVISIBLE_MARK.findall(match[0]))
        parts = _INVISIBLE_MARKS.split(match[0])
        if marks != {_SOFT_HYPHEN} or not all(map(_is_syllable, parts)):
            yield Span(*match.span())


def _is_syllable(part: str) -> bool:
    """Whether hyphenation may leave such a part: two letters at least, one of them a vowel."""
    return len(part) > 1 and bool(_VOWELS & set(part.casefold()))


def _spread(text: str) -> Iterator[Span]:
    """Runs of single letters; not lists of variables, which are of few kinds and in capitals."""
    for match in _SPREAD.finditer(text):
        letters = [c for c in match[0] if c.isalpha()]
        lower = sum(c.islower() for c in letters)
        if lower > len(letters) // 2 and len(set(letters)) > min(len(letters) // 4, _FEW_LETTERS):
            yield Span(*match.span())


def _has_words(text: str, spread: list[Span]) -> bool:
    """Where the gaps between words are as wide as those between letters, nobody can tell words."""
    runs = [span.of(text) for span in spread]
    gaps = sum(len(_WIDE_GAP.findall(run)) for run in runs)
    return gaps * _LONGEST_WORD >= sum(map(len, runs)) / 2


def _parts_words(text: str, at: int) -> bool:
    """Whether a blank is one of several, and so the end of a word."""
    blanks = " \u00a0"
    return (text[at - 1 : at] in blanks and at > 0) or text[at + 1 : at + 2] in blanks
