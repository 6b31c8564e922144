"""What the measures of a pair are called."""

from __future__ import annotations

from likewise.catalogue import Words
from likewise.measure import agreeing

_COUNTED_IN_WORDS = 4  # so many agree, unless somebody registers another


def measure_name(name: str, words: Words) -> str:
    """A measure as people call it; one that the catalogue does not have by its key.

    >>> measure_name("words", Words("en")), measure_name("toy", Words("en"))
    ('words (cosine)', 'toy')
    """
    key = f"measures.{name}"
    return words(key) if words.has(key) else name


def agreement_heading(words: Words) -> str:
    """The heading of the measures that are to agree."""
    return _counted("measures.heading", words)


def agreement_explained(words: Words) -> str:
    """What their agreement says, and what it does not."""
    return _counted("measures.explained", words)


def _counted(key: str, words: Words) -> str:
    number = len(agreeing())
    return words(key) if number == _COUNTED_IN_WORDS else words(f"{key}_n", n=number)
