"""Each distinct word resolved once, from the word alone.

The tokeniser knows words by their hashes. The lexicon keeps a table from the hash of a word as it
is written to the hash of its canonical form, 0 where the word is dropped; only words it has not met
reach the rules below, once each. Never the neighbours, never the document: the same run of words
becomes the same hashes wherever it stands.
"""

from __future__ import annotations

import os
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import hash_words, insert_words
from likewise.language import homoglyphs
from likewise.languages import language_of, registered
from likewise.languages.registry import Letters, Stems
from likewise.settings import Settings

Hashes = NDArray[np.uint64]
_ACCENTED_LATIN = re.compile("([a-z])[\u0300-\u036f]+")
_MARKS = re.compile("[\u0300-\u036f ]")
_PLAIN_CYRILLIC = re.compile("[а-яәғқңөұүһі]+").fullmatch
_DIGITS = frozenset("0123456789")


class Lexicon:
    """What each word becomes under some settings; it learns as it reads.

    >>> Lexicon(Settings()).canonical(["running", "the", "кошками"])
    ['run', '', 'кошк']
    """

    def __init__(self, settings: Settings, dropped: Iterable[int] = ()) -> None:
        self.settings = settings
        self.dropped = np.array(sorted(dropped), dtype=np.uint64)
        self.known: Hashes | None = None
        if settings.has_word_rules or len(self.dropped):
            self.known = np.zeros((1 << 12, 2), dtype=np.uint64)
        self._size = 0
        # As they are registered now: another language may have the same code later.
        self.languages = tuple(map(language_of, settings.languages))
        shipped = tuple(each.stop_words for each in self.languages if each is not None)
        self._stop_words = _stop_words(settings.stop_words, shipped)
        self._stemmers = list(_stemmers(settings)) if settings.stem else []

    def __len__(self) -> int:
        return self._size

    def learn(self, hashes: Hashes, words: list[str]) -> Hashes:
        """Resolve new words; the canonical hash of each."""
        if self.known is None:
            return hashes
        canonical = hash_words(self.canonical(words)) if self.settings.has_word_rules else hashes
        if len(self.dropped):
            canonical = np.where(np.isin(canonical, self.dropped), np.uint64(0), canonical)
        self._grow(len(hashes))
        self._size += insert_words(self.known, hashes, canonical)
        return canonical

    def without(self, canonical: Iterable[int]) -> Lexicon:
        """The same lexicon, with these canonical words dropped as well."""
        return Lexicon(self.settings, [*self.dropped.tolist(), *canonical])

    def _grow(self, more: int) -> None:
        """Keep the table at most half full."""
        assert self.known is not None
        capacity = len(self.known)
        while (self._size + more) * 2 > capacity:
            capacity *= 2
        if capacity > len(self.known):
            old = self.known[self.known[:, 0] != 0]
            self.known = np.zeros((capacity, 2), dtype=np.uint64)
            insert_words(
                self.known, np.ascontiguousarray(old[:, 0]), np.ascontiguousarray(old[:, 1])
            )

    def canonical(self, words: list[str]) -> list[str]:
        """The canonical form of each folded word, empty where it is dropped."""
        settings = self.settings
        if not settings.has_word_rules:
            return words
        # nearly every word is of one alphabet, folded and composed already
        forms = [w if w.isascii() or _PLAIN_CYRILLIC(w) else self._mended(w) for w in words]
        forms = [form if self._is_word(form) else "" for form in forms]
        if settings.homoglyphs:
            forms = self._decide_ambiguous(forms)
        if settings.stem:
            forms = self._stems(forms)
        if settings.homoglyphs:
            ambiguous = homoglyphs.TWIN_CYRILLIC
            forms = [form if form.strip(ambiguous) else homoglyphs.skeleton(form) for form in forms]
        return forms

    def _mended(self, word: str) -> str:
        word = _tidy(word)
        return homoglyphs.repair(word) if self.settings.homoglyphs else word

    def _is_word(self, word: str) -> bool:
        settings = self.settings
        return (
            settings.min_length <= len(word) <= settings.max_length
            and word not in self._stop_words
            and not (settings.drop_digits and not _DIGITS.isdisjoint(word))
            and not (settings.drop_symbols and len(word) == 1 and _is_symbol(word))
        )

    def _decide_ambiguous(self, words: list[str]) -> list[str]:
        """Words that could be of either alphabet: both spellings get the same answer.

        They are dropped where either spelling is a stop word, English where they are in the shipped
        list, else Cyrillic.
        """
        english = homoglyphs.english_lookalikes()
        decided = []
        for word in words:
            if word and homoglyphs.is_ambiguous(word):
                latin, cyrillic = homoglyphs.spellings(word)
                if latin in self._stop_words or cyrillic in self._stop_words:
                    word = ""
                else:
                    word = latin if latin in english else cyrillic
            decided.append(word)
        return decided

    def _stems(self, words: list[str]) -> list[str]:
        stems = list(words)
        unstemmed = [i for i, word in enumerate(words) if word]
        for (first, last), stem in self._stemmers:
            offered = [i for i in unstemmed if first <= words[i][0] <= last]
            stemmed = set()
            for i, stem_of_word in zip(offered, stem([words[i] for i in offered]), strict=True):
                if stem_of_word is not None:
                    stems[i] = stem_of_word
                    stemmed.add(i)
            unstemmed = [i for i in unstemmed if i not in stemmed]
        return stems


def _tidy(word: str) -> str:
    """Compatibility forms made plain, case folded, accents gone, ё written as the е it is.

    Accents are optional in borrowed Latin words, and stress marks in Russian ones; й and the like
    are letters, which Unicode composes, so marks that are left over belong to no letter.
    """
    word = unicodedata.normalize("NFKC", word).casefold()
    word = _ACCENTED_LATIN.sub(r"\1", unicodedata.normalize("NFKD", word))
    return _MARKS.sub("", unicodedata.normalize("NFKC", word)).replace("ё", "е")


def _is_symbol(char: str) -> bool:
    """A lone Greek letter, or a mathematical sign."""
    return "\u0370" <= char <= "\u03ff" or unicodedata.category(char) == "Sm"


@lru_cache(maxsize=16)
def _stop_words(
    own: bool | frozenset[str], shipped: tuple[Callable[[], frozenset[str]], ...]
) -> frozenset[str]:
    """The user's own list, or the shipped lists of the languages; in canonical form."""
    if isinstance(own, frozenset):
        words = own
    elif own:
        words = frozenset().union(*(stop_words() for stop_words in shipped))
    else:
        return frozenset()
    return frozenset(_tidy(word) for word in words)


def _stemmers(settings: Settings) -> Iterator[tuple[Letters, Stems]]:
    """Of the languages asked for, with their letters; those that take all words come last."""
    for language in reversed(registered()):
        if language.code in settings.languages and language.stemmer is not None:
            yield language.letters, language.stemmer()


_word_rules = attrgetter(
    *("languages", "homoglyphs", "stop_words", "stem", "drop_digits", "drop_symbols"),
    *("drop_urls", "join_hyphens", "min_length", "max_length"),
)


class LexiconPool:
    """Lexicons that nobody uses at the moment, the last used at the end.

    A lexicon that learns is read by nobody else, so each is lent to one call at a time: threads
    that ask at once get one each.
    """

    MOST_IDLE = 4
    MOST_WORDS = 1 << 18  # of an idle one, whose table takes 8 MB then

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew: a process may be forked while another thread holds the lock."""
        self._lock = threading.Lock()
        self._idle: list[Lexicon] = []

    def take(self, settings: Settings) -> Lexicon:
        """A lexicon with the word rules of these settings."""
        rules, languages = _word_rules(settings), tuple(map(language_of, settings.languages))
        with self._lock:
            for lexicon in reversed(self._idle):
                if _word_rules(lexicon.settings) == rules and lexicon.languages == languages:
                    self._idle.remove(lexicon)
                    lexicon.settings = settings
                    return lexicon
        return Lexicon(settings)

    def give_back(self, lexicon: Lexicon) -> None:
        """Keep a lexicon for the next call, unless it has grown too large to lie about."""
        if len(lexicon) <= self.MOST_WORDS:
            with self._lock:
                self._idle.append(lexicon)
                del self._idle[: -self.MOST_IDLE]


_POOL = LexiconPool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_POOL.forget)


@contextmanager
def borrow_lexicon(settings: Settings) -> Iterator[Lexicon]:
    """A lexicon of these settings that may have met words before, for as long as the block runs.

    What it has met changes no answer, since a word becomes what it becomes by itself alone. It must
    not be used after the block: what lives longer, as a library, has a `Lexicon` of its own.

    >>> with borrow_lexicon(Settings()) as lexicon:
    ...     lexicon.canonical(["steppes"])
    ['stepp']
    """
    lexicon = _POOL.take(settings)
    yield lexicon
    # Whoever fails inside leaves it behind: it may have been halfway through a word.
    _POOL.give_back(lexicon)
