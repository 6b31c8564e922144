"""Paper 002's detection: five words make a shingle, and shared shingles are copied text."""

from __future__ import annotations

from collections.abc import Sequence

from bench.papers.paper_002.preparing import Word
from likewise.model import Span

WORDS = 5  # of a shingle


def shingles(words: Sequence[Word]) -> set[tuple[str, ...]]:
    """All runs of five words. The paper keeps their MD5 codes, which are equal where these are."""
    return {_run(words, at) for at in range(len(words) - WORDS + 1)}


def shared_spans(words: Sequence[Word], others: set[tuple[str, ...]]) -> list[Span]:
    """Where the shingles of a text stand that others have too, from first word to last."""
    return [
        Span(words[at].start, words[at + WORDS - 1].end)
        for at in range(len(words) - WORDS + 1)
        if _run(words, at) in others
    ]


def _run(words: Sequence[Word], at: int) -> tuple[str, ...]:
    return tuple(word.form for word in words[at : at + WORDS])
