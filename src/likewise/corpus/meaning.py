"""Records of a corpus of which one says in other words what another says: told, never removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from likewise.align import Side, shares_by_meaning, side_of
from likewise.language import Lexicon
from likewise.model import Document
from likewise.search.meaning import pairs_by_meaning
from likewise.settings import Settings

_MOST_SIDES = 256


@dataclass(frozen=True, slots=True)
class MeaningPair:
    """Two records, of which one stays at least, and how much of each the other says otherwise."""

    a: str
    b: str
    meaning_a: float
    meaning_b: float


class PairJudge:
    """How much of each of two texts the other says in other words, among so many texts."""

    def __init__(self, settings: Settings, texts: int) -> None:
        self._lexicon = Lexicon(settings)
        self._others = max(texts - 1, 1)
        self._sides: dict[int, Side] = {}  # by the number of a text, the last used at the end

    def shares(self, a: int, text_a: str, b: int, text_b: str) -> tuple[float, float]:
        """Of two texts, which are known by their numbers."""
        return shares_by_meaning(self._side(a, text_a), self._side(b, text_b), self._others)

    def _side(self, number: int, text: str) -> Side:
        side = self._sides.pop(number, None)
        if side is None:
            side = side_of(Document.from_text(text, name=str(number)), self._lexicon)
        self._sides[number] = side
        if len(self._sides) > _MOST_SIDES:
            del self._sides[next(iter(self._sides))]
        return side


def find_meaning_pairs(
    ids: Sequence[str],
    texts: Sequence[str],
    settings: Settings,
    progress: Callable[[int], None] | None = None,
    *,
    sides: Sequence[int] | None = None,
) -> list[MeaningPair]:
    """Pairs of records with a passage that one says in other words; the largest share first.

    Each record is compared with the ten others, or the ten of the other side, that are the
    likeliest to say the same.
    """
    judge = PairJudge(settings, len(texts))
    ranked: list[tuple[float, int, int, MeaningPair]] = []
    for a, b in pairs_by_meaning(texts, sides=sides, progress=progress):
        share_a, share_b = judge.shares(a, texts[a], b, texts[b])
        if share_a > 0 or share_b > 0:
            pair = MeaningPair(ids[a], ids[b], share_a, share_b)
            ranked.append((-max(share_a, share_b), a, b, pair))
    return [pair for *_, pair in sorted(ranked, key=lambda each: each[:3])]
