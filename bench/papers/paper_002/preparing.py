"""The steps that paper 002 prepares a text with (its sections 3.1 to 3.3), each with a switch.

The paper names what is done and leaves the how open. Here words are folded, repaired, dropped and
stemmed one by one with what Likewise has for it (lists of stop words, twins of letters, stemmers),
in the paper's order, and no step does another one's work: so each can be left out alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import NamedTuple

from likewise.language import homoglyphs
from likewise.language.stopwords import shipped
from likewise.languages import kazakh
from likewise.reading.encoding import decode

LONGEST_WORD = 30  # letters; the paper drops "words of great length"
_TAG = re.compile(r"<[^<>]*>")
_RUN_OF_LETTERS = re.compile(r"[^\W_]+")
_BETWEEN_BLANKS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Steps:
    """Which steps are taken; all, unless one is left out."""

    encoding: bool = True
    tags: bool = True
    punctuation: bool = True
    case: bool = True
    look_alikes: bool = True
    stop_words: bool = True
    filtration: bool = True
    stems: bool = True

    @classmethod
    def none(cls) -> Steps:
        """The text as it stands, cut at blanks."""
        return cls(**dict.fromkeys(STEPS, False))

    @classmethod
    def without(cls, step: str) -> Steps:
        """All but one."""
        return cls(**{step: False})


STEPS = tuple(field.name for field in fields(Steps))


class Word(NamedTuple):
    """What a word of the text became, and where it stands."""

    form: str
    start: int
    end: int


def decoded(text: str) -> str:
    """The text of a file that was read byte by byte, in the encoding it is in; same length."""
    try:
        data = text.encode("latin-1")
    except UnicodeEncodeError:
        return text  # no bytes: it was read rightly
    found = decode(data, None).text
    return found if len(found) == len(text) else text


def without_tags(text: str) -> str:
    """Blanks in place of tags, so that everything else stays where it is.

    >>> without_tags("a <b>bold</b> word")
    'a    bold     word'
    """
    return _TAG.sub(lambda tag: " " * len(tag[0]), text)


def prepared(text: str, steps: Steps, frequent: frozenset[str] = frozenset()) -> list[Word]:
    """The words that remain of a text; `frequent` are those that filtration drops as common.

    >>> [word.form for word in prepared("The cats <b>ran</b> in 1999!", Steps())]
    ['cat', 'ran']
    """
    if steps.encoding:
        text = decoded(text)
    if steps.tags:
        text = without_tags(text)
    pattern = _RUN_OF_LETTERS if steps.punctuation else _BETWEEN_BLANKS
    words = []
    for found in pattern.finditer(text):
        form = _form(found[0], steps, frequent)
        if form:
            words.append(Word(form, found.start(), found.end()))
    return words


def _form(word: str, steps: Steps, frequent: frozenset[str]) -> str:
    """A word after all steps, empty where one of them drops it."""
    if steps.case:
        word = word.lower()
    if steps.look_alikes:
        word = homoglyphs.repair(word)
    if steps.stop_words and word in _stop_words():
        return ""
    if steps.filtration and (
        word in frequent or len(word) > LONGEST_WORD or any(char.isdigit() for char in word)
    ):
        return ""
    return _stem(word) if steps.stems else word


@cache
def _stop_words() -> frozenset[str]:
    return shipped("en") | shipped("ru") | shipped("kk")


@cache
def _stem(word: str) -> str:
    if word[0] <= "\u024f":
        return _snowball("english")(word)
    return kazakh.stem_if_kazakh(word) or _snowball("russian")(word)


@cache
def _snowball(language: str) -> Callable[[str], str]:
    import Stemmer

    return Stemmer.Stemmer(language, 0).stemWord  # type: ignore[no-any-return]
