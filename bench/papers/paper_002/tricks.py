"""What a preparation is for: texts changed so that a plain comparison is blind.

Each trick changes a text sentence by sentence, so that it stays known which characters are copied.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from bench.making.disguises import Disguised
from likewise.language.stopwords import shipped
from likewise.model import Span

Trick = Callable[[str, str, random.Random], str]

CODES = {"English": "en", "Russian": "ru", "Kazakh": "kk"}
_LATIN, _CYRILLIC = "oaeyxcp", "оаеухср"  # the paper's own examples
_TWINS = {
    "English": dict(zip(_LATIN, _CYRILLIC, strict=True)),
    "Russian": dict(zip(_CYRILLIC, _LATIN, strict=True)),
    "Kazakh": dict(zip(_CYRILLIC, _LATIN, strict=True)),
}
_ENCODINGS = {"Russian": "koi8-r", "Kazakh": "kz1048"}
_WORD = re.compile(r"[^\W\d_]+")


def _look_alikes(text: str, language: str, dice: random.Random) -> str:
    twins = _TWINS[language]
    return "".join(twins[c] if c in twins and dice.random() < 1 / 3 else c for c in text)


def _capitals(text: str, language: str, dice: random.Random) -> str:
    return "".join(c.upper() if len(c.upper()) == 1 else c for c in text)


def _behind_words(signs: str) -> Trick:
    def behind(text: str, language: str, dice: random.Random) -> str:
        return _WORD.sub(
            lambda word: word[0] + (dice.choice(signs) if dice.random() < 1 / 3 else ""), text
        )

    return behind


def _tags(text: str, language: str, dice: random.Random) -> str:
    def tagged(word: re.Match[str]) -> str:
        return f'<span class="s{dice.randrange(9)}">{word[0]}</span>'

    return _WORD.sub(lambda w: tagged(w) if dice.random() < 1 / 3 else w[0], text)


def _fillers(text: str, language: str, dice: random.Random) -> str:
    stop_words = sorted(word for word in shipped(CODES[language]) if word.isalpha())
    return _WORD.sub(
        lambda w: f"{w[0]} {dice.choice(stop_words)}" if dice.random() < 1 / 4 else w[0], text
    )


def _numbers(text: str, language: str, dice: random.Random) -> str:
    return _WORD.sub(
        lambda w: f"{w[0]} {dice.randrange(10, 999)}" if dice.random() < 1 / 4 else w[0], text
    )


def _other_encoding(text: str, language: str, dice: random.Random) -> str:
    """As a program sees it that takes each byte for a letter."""
    encoding = _ENCODINGS.get(language, "ascii")
    return text.encode(encoding, "replace").decode("latin-1")


# The trick, and the step that undoes it.
TRICKS: dict[str, tuple[str, Trick]] = {
    "another encoding": ("encoding", _other_encoding),
    "a third of the words in HTML tags": ("tags", _tags),
    "a comma or the like behind a third of the words": ("punctuation", _behind_words(",;:")),
    "an ellipsis behind a third of the words": ("punctuation", _behind_words("…")),
    "capital letters": ("case", _capitals),
    "a third of o a e y x c p in the other alphabet": ("look_alikes", _look_alikes),
    "a stop word put behind a fourth of the words": ("stop_words", _fillers),
    "a number put behind a fourth of the words": ("filtration", _numbers),
}


def tricked(text: Disguised, trick: Trick, language: str, dice: random.Random) -> Disguised:
    """The same text after a trick, with the copied places where they stand now."""
    changed, at = "", 0
    copied = []
    for span, source in sorted(text.copied, key=lambda one: one[0].start):
        changed += trick(text.text[at : span.start], language, dice)
        start = len(changed)
        changed += trick(span.of(text.text), language, dice)
        copied.append((Span(start, len(changed)), source))
        at = span.end
    changed += trick(text.text[at:], language, dice)
    return Disguised(changed, tuple(copied), text.words_changed)
