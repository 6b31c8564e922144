"""Text to words: what counts as a word, and which words count as the same."""

from likewise.language.detect import detect
from likewise.language.lexicon import Lexicon
from likewise.language.words import Words, canonical_text, scan, settle, words_of

__all__ = ["Lexicon", "Words", "canonical_text", "detect", "scan", "settle", "words_of"]
