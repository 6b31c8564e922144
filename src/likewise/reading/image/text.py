"""What recognition made of a page: lines of words, and how sure it is of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LEGIBLE_LINE = 40.0  # confidence from which a line is taken for text
LEGIBLE_PAGE = 50.0  # mean confidence from which a page is


@dataclass(frozen=True, slots=True)
class Word:
    """A word, with the engine's confidence from 0 to 100."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words; `starts_paragraph` where white space stands above it.

    `box` is where it stands on the cleaned page: left, top, right, bottom.
    """

    words: tuple[Word, ...]
    starts_paragraph: bool = False
    box: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def confidence(self) -> float:
        return mean_confidence(self.words)


@dataclass(frozen=True, slots=True)
class Recognised:
    """The lines of one page in reading order.

    >>> page = Recognised((Line((Word("Steppe", 96.0), Word("sky", 90.0))),))
    >>> page.text, page.confidence, page.is_legible
    ('Steppe sky', 94.0, True)
    """

    lines: tuple[Line, ...] = ()
    is_complete: bool = True  # else it took too long

    @property
    def text(self) -> str:
        parts: list[str] = []
        for line in self.lines:
            if parts:
                parts.append("\n\n" if line.starts_paragraph else "\n")
            parts.append(line.text)
        return "".join(parts)

    @property
    def confidence(self) -> float:
        """The mean over all characters; 0 where there are none."""
        return mean_confidence(word for line in self.lines for word in line.words)

    @property
    def is_legible(self) -> bool:
        return self.confidence >= LEGIBLE_PAGE

    @property
    def characters(self) -> int:
        return sum(len(word.text) for line in self.lines for word in line.words)


def mean_confidence(words: Iterable[Word]) -> float:
    """The confidence of a character on average, so that specks between words hardly count."""
    words = tuple(words)
    characters = sum(len(word.text) for word in words)
    if not characters:
        return 0.0
    return sum(word.confidence * len(word.text) for word in words) / characters
