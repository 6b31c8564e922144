"""What readers say, understood, so that a report can say it in its own language.

Readers speak English sentences. The English texts of the catalogue's group `said` are these very
sentences with {places}: each is a pattern here, and a sentence that fits one is known by its key
and by what stands in the places. There is no other list to be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from likewise.report.catalogue import Words, messages
from likewise.report.view import Said, Told

_PLACE = re.compile(r"\{(\w+)\}")
_NUMBERS = frozenset({"n", "all", "most", "share", "width", "height"})
_NUMBER = r"\d[\d,]*"
_ENCODINGS = frozenset({"encoding", "other", "wrong"})
_ENCODING = r"[^\s;]+"
_PAGES = r"\d[\d, -]*(?: and \d[\d,]* more)?"
# What stands here may be a sentence or a word of the readers itself.
_TOLD = frozenset({"which", "why", "error", "way", "kind", "wanted"})
_SENTENCE_END = re.compile(r"(?<=\.) (?=[A-Z\d])")
_KEPT = 4096
# What is longer, or has more sentences, is none of ours: names and values of strangers stand in it.
_LONGEST_SENTENCE = 4_000  # characters
_MOST_SENTENCES = 12


@lru_cache(maxsize=_KEPT)
def said(sentence: str) -> Said | None:
    """A sentence of a reader by its key and values; None where nobody knows it.

    >>> said("Only the first 1,000 of 1,200 pages were read.")
    Said(key='said.first_pages', values={'n': 1000, 'all': 1200}, then=None)
    >>> said("not read in full: it is empty").values["why"].key
    'said.pdf_empty'
    """
    if found := _one(sentence):
        return found
    ends = list(_SENTENCE_END.finditer(sentence[:_LONGEST_SENTENCE]))
    for end in ends if len(ends) < _MOST_SENTENCES else ():
        first, rest = _one(sentence[: end.start()]), said(sentence[end.end() :])
        if first and rest:
            return Said(first.key, first.values, rest)
    return None


def unread_views(unread: Iterable[tuple[str, str]]) -> tuple[tuple[str, str, Said | None], ...]:
    """Files that could not be read, by name and reason, each with its reason understood."""
    return tuple((name, reason, said(reason)) for name, reason in unread)


def spoken(sentence: str, known: Said | None, words: Words) -> str:
    """A sentence of a reader in the words of a report; one that nobody knows as it is.

    >>> spoken("the file is empty", said("the file is empty"), Words("ru"))
    'файл пуст'
    """
    return _spoken(known, words) if known else sentence


def _spoken(known: Said, words: Words) -> str:
    values = {name: _value(value, words) for name, value in known.values.items()}
    text = words(known.key, **values)
    return f"{text} {_spoken(known.then, words)}" if known.then else text


def _value(value: Told, words: Words) -> str | int:
    if isinstance(value, Said):
        return _spoken(value, words)
    if isinstance(value, tuple):
        return ", ".join(str(_value(each, words)) for each in value)
    return value


@dataclass(frozen=True, slots=True)
class _Pattern:
    key: str
    literal: str  # the longest of its words, looked for first: that is quick
    fits: re.Pattern[str]


def _one(sentence: str) -> Said | None:
    if len(sentence) > _LONGEST_SENTENCE:
        return None
    for pattern in _patterns():
        if pattern.literal in sentence and (found := pattern.fits.fullmatch(sentence)):
            values = {name: _told(name, text) for name, text in found.groupdict().items()}
            return Said(pattern.key, values)
    return None


def _told(name: str, text: str) -> Told:
    """What stands in a place: a number, pages, words of the readers, or a name as it is."""
    if name in _NUMBERS:
        return int(text.replace(",", ""))
    if name == "list":
        return (_one(text) if "more" in text else None) or text.replace("-", "–")
    if name == "parts":
        return tuple(_one(part) or part for part in text.split(", "))
    return (said(text) if name in _TOLD else None) or text


@cache
def _patterns() -> tuple[_Pattern, ...]:
    """The most telling first: a sentence with few places fits better than one with many."""
    found = [_pattern(key, text) for key, text in _texts()]
    return tuple(pattern for _, pattern in sorted(found, key=lambda each: -each[0]))


def _texts() -> Iterator[tuple[str, str]]:
    for key, message in messages("en").items():
        if key.startswith("said."):
            for text in dict.fromkeys(message.values() if isinstance(message, dict) else [message]):
                yield key, text


def _pattern(key: str, text: str) -> tuple[int, _Pattern]:
    literals = _PLACE.sub("\0", text).split("\0")
    expression = "".join(
        re.escape(part) if i % 2 == 0 else f"(?P<{part}>{_what_fits(part, key)})"
        for i, part in enumerate(_PLACE.split(text))
    )
    telling = sum(map(len, literals))
    return telling, _Pattern(key, max(literals, key=len), re.compile(expression, re.DOTALL))


def _what_fits(place: str, key: str) -> str:
    if place in _NUMBERS:
        return _NUMBER
    if place in _ENCODINGS:
        return _ENCODING
    if place == "list":
        return r"\d[\d, -]*" if key == "said.and_more" else _PAGES
    return ".+?"
