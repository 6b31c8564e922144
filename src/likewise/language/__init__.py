"""Text to words: what counts as a word, and which words count as the same."""

from likewise.language.detect import detect
from likewise.language.lexicon import Lexicon, borrow_lexicon
from likewise.language.words import (
    Tokens,
    Words,
    canonical_text,
    canonical_words,
    scan,
    settle,
    tokens_of,
    words_of,
)

__all__ = [
    "Lexicon",
    "Tokens",
    "Words",
    "borrow_lexicon",
    "canonical_text",
    "canonical_words",
    "detect",
    "scan",
    "settle",
    "tokens_of",
    "words_of",
]
