"""The same queries in other languages, for a text that may have been translated from a page.

Each word goes by its concept to the most usual word for it in the other language, as
`likewise.language.concepts.translate` chooses it. Numbers stay, and so do names, as far as the
other language writes them in the same alphabet: how a foreign name is spelled there, no rule
tells ("Дарвин" is no Darvin). Every other word without a concept is left out, and of a stretch
where few words have one there is no query.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from likewise.internet.queries import (
    LEAST_QUERY_WORDS,
    LONGEST_WORD,
    QUERY_WORDS,
    REPEATED,
    SENTENCE_ENDS,
    SHORT_QUERY_WORDS,
    Part,
    Query,
    Word,
    spread,
)
from likewise.language import detect
from likewise.language.concepts import LANGUAGES, Concepts, translate
from likewise.language.rarity import RAREST
from likewise.model import Document, Span

MOST_NAMES = 3  # and numbers: they are the rarest words, and alone say little
LEAST_DIGITS = 3  # of a number: a smaller one stands on any page
_NEAR_CHARS = 10  # before a word: where the mark stands that ends another sentence
_OPENING = " \t«»“”„\"'("


@dataclass(frozen=True, slots=True)
class _QueryWord:
    """A word of a translated query, and how much it tells; a name or number is not translated."""

    place: int
    text: str
    bits: float
    is_name: bool


def translate_parts(
    document: Document, words: Sequence[Word], parts: Sequence[Part]
) -> tuple[Part, ...]:
    """The parts with what to ask about them in the other languages of the lexicon.

    The languages take turns in the order in which parts are asked for, so that a small budget
    reaches all of them.
    """
    text = document.compared_text
    of_document = document.language or detect(text)
    starts = [word.span.start for word in words]
    queries_so_far: set[tuple[str, str]] = set()
    translated_parts = list(parts)
    for turn, number in enumerate(spread(len(parts))):
        part = parts[number]
        own = detect(part.span.of(text)) or of_document
        if own not in LANGUAGES:
            continue
        others = [language for language in LANGUAGES if language != own]
        translations: list[Query] = []
        for k, query in enumerate(part.queries):
            first = bisect_left(starts, query.span.start)
            stretch = words[first : bisect_left(starts, query.span.end)]
            for each in range(len(others)):
                to = others[(turn + k + each) % len(others)]
                translation = _translation(text, stretch, query.span, own, to, queries_so_far)
                translations += [translation] if translation else []
        translated_parts[number] = replace(part, translations=tuple(translations))
    return tuple(translated_parts)


def _translation(
    text: str,
    stretch: Sequence[Word],
    span: Span,
    own: str,
    to: str,
    queries_so_far: set[tuple[str, str]],
) -> Query | None:
    """The most telling words of a stretch in another language, in their order."""

    def worth(word: _QueryWord) -> float:
        return word.bits * (REPEATED if (to, word.text) in queries_so_far else 1.0)

    candidates = sorted(_candidates(text, stretch, own, to), key=lambda each: -worth(each))
    unique = list({each.text: each for each in reversed(candidates)}.values())[::-1]
    names = [each for each in unique if each.is_name][:MOST_NAMES]
    translated = [each for each in unique if not each.is_name][: QUERY_WORDS - len(names)]
    if len(translated) < LEAST_QUERY_WORDS:
        return None
    query_words = sorted([*names, *translated], key=lambda each: each.place)
    queries_so_far.update((to, each.text) for each in query_words)
    by_rarity = sorted(translated, key=lambda each: (each.bits == RAREST, -worth(each)))
    surest = sorted(by_rarity[:SHORT_QUERY_WORDS], key=lambda each: each.place)
    return Query(_joined(query_words), span, _joined(surest), to)


def _candidates(text: str, stretch: Sequence[Word], own: str, to: str) -> Iterator[_QueryWord]:
    for place, word in enumerate(stretch):
        if not word.bits:
            continue
        if word.spelled.isdigit():
            if len(word.spelled) >= LEAST_DIGITS:
                yield _QueryWord(place, word.spelled, word.bits, is_name=True)
        elif concepts := Concepts.shipped().of_word(word.spelled):
            # A word with several meanings may be translated by the wrong one.
            bits = word.bits / len(concepts)
            yield _QueryWord(place, translate(word.spelled, own, to), bits, is_name=False)
        elif _is_name(text, word) and (word.spelled.isascii() or "en" not in (own, to)):
            yield _QueryWord(place, word.spelled, word.bits, is_name=True)


def _is_name(text: str, word: Word) -> bool:
    """Whether a word has a capital that no sentence has given it."""
    start = word.span.start
    before = text[max(start - _NEAR_CHARS, 0) : start].rstrip(_OPENING)
    has_capital = text[start].isupper() and before[-1:] not in ("", *SENTENCE_ENDS)
    return has_capital and 2 < len(word.spelled) <= LONGEST_WORD


def _joined(words: Sequence[_QueryWord]) -> str:
    return " ".join(word.text for word in words)
