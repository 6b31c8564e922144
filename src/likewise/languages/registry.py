"""The languages that Likewise knows, each registered under its code by the file it stands in.

A new language is one file in this folder and its words in the catalogue: settings, the lexicon,
readers of pictures, reports, the command line and the API ask here which languages there are. Those
that draw up what they accept when they are loaded, as a server does, know what was registered then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from likewise.registry import Registry

Text = str | dict[str, str]  # of the catalogue: with places, or by plural category
Stems = Callable[[list[str]], list[str | None]]  # None: a word of another language
Letters = tuple[str, str]  # the first and the last of a script

LATIN: Letters = ("\0", "\u024f")  # digits among them, which no stemmer touches
CYRILLIC: Letters = ("\u0400", "\u052f")


def one_or_other(number: int) -> str:
    """The plural category of a whole number where there are two, as in English."""
    return "one" if number == 1 else "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What differs between languages. A text of its catalogue that is missing is told in English.

    Words of one script are offered to the stemmers of its languages, the last registered first,
    until one takes them for its own; so a language that takes all words of its script comes first.
    """

    code: str  # ISO 639-1
    name: str  # in English
    place: int  # lists of languages are in this order
    letters: Letters
    stop_words: Callable[[], frozenset[str]] = frozenset
    stemmer: Callable[[], Stems] | None = None  # one for each lexicon: they have a state
    is_spoken_in: Callable[[str], bool] | None = None  # a sample of a text, in lower case
    ocr_data: str  # Tesseract's name for what it knows of the language
    plural: Callable[[int], str] = one_or_other  # the category of a whole number, by CLDR
    decimal_sign: Literal[".", ","] = ","
    thousands_sign: str = "\u00a0"
    percent_sign: str = "\u00a0%"
    texts: Mapping[str, Text] | None = None  # of one from outside; others have files in `catalogue`


_LANGUAGES = Registry[Language](
    key=lambda language: language.code,
    place=lambda language: language.place,
    duplicate="two languages have the code {!r}",
)


def register(language: Language) -> Language:
    """Know one more language from now on."""
    return _LANGUAGES.add(language)


def unregister(code: str) -> None:
    """Know it no more."""
    _LANGUAGES.remove(code)


def registered() -> tuple[Language, ...]:
    """All languages, in their order."""
    return _LANGUAGES.entries()


def codes() -> tuple[str, ...]:
    """Their codes.

    >>> codes()
    ('en', 'ru', 'kk')
    """
    return _LANGUAGES.keys()


def language_of(code: str) -> Language | None:
    """The language of a code, None where nobody has registered one."""
    return _LANGUAGES.get(code)


def words_in(text: str) -> frozenset[str]:
    """The words of a list, a word a line; `#` starts a comment line."""
    lines = (line.strip().lower() for line in text.removeprefix("\ufeff").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


def listed_words(path: str) -> frozenset[str]:
    """The words of a list that stands in this folder."""
    return words_in(files(__package__).joinpath(path).read_text(encoding="utf-8"))


def snowball(algorithm: str) -> Stems:
    """A stemmer of Snowball, which takes every word for its own."""
    import Stemmer

    stemmer = Stemmer.Stemmer(algorithm, 0)  # no cache: each word comes once
    return stemmer.stemWords  # type: ignore[no-any-return]
