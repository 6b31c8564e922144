"""What each part of alignment by meaning gives: the same pairs with parts of it switched off.

    ./dev bench quality 'reworded passages, parts'

Each setting gets a threshold of its own, fixed in the other folds as for the whole, so that none
is judged by a score that was made for another. Parts are switched off by constants of the modules
and by leaving rows out of what words stand for; nothing of it is an option of Likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.making.reworded import NOTHING_SHARED
from bench.quality.plagdet import plagdet
from bench.quality.reworded import (
    POOLS,
    Judgement,
    drafts_of,
    fold_of,
    judge,
    needed_of,
    rewritten_pairs,
)
from likewise.align import meaning
from likewise.language.concepts import BEYOND_CONCEPTS, Concepts, Features, Hashes, Keys

SMALL, LARGE = 0, 1  # places among the sizes of blocks


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts are on."""

    concepts: bool = True
    names: bool = True
    numbers: bool = True
    blocks: tuple[int, ...] = (SMALL, LARGE)


SETTINGS: dict[str, Parts] = {
    "stems alone": Parts(concepts=False, names=False, numbers=False),
    "+ concepts": Parts(names=False, numbers=False),
    "+ names": Parts(numbers=False),
    "+ numbers: all": Parts(),
    "all but concepts": Parts(concepts=False),
    "small blocks alone": Parts(blocks=(SMALL,)),
    "large blocks alone": Parts(blocks=(LARGE,)),
}


def parts_of_meaning(folder: Path) -> list[dict[str, Any]]:
    """Plagdet of the pooled classes for each setting; and without any look by meaning."""
    pairs = rewritten_pairs(folder)
    if not pairs:
        return []
    drafts = drafts_of(pairs, by_meaning=False)
    figures = [_figure("words alone", [*map(judge, pairs, drafts)])]
    for name, parts in SETTINGS.items():
        with switched(parts):
            drafts = drafts_of(pairs)
            needed = needed_of(pairs, drafts)
            judgements = [
                judge(pair, draft, needed[fold_of(pair)])
                for pair, draft in zip(pairs, drafts, strict=True)
            ]
        figures.append(_figure(name, judgements))
    return figures


@contextmanager
def switched(parts: Parts) -> Iterator[None]:
    """Alignment by meaning with some parts, for a while; for documents prepared inside of it."""
    whole = Concepts.features

    def features(self: Concepts, hashes: Hashes, spelled: Callable[[Keys], list[str]]) -> Features:
        """Rows whose keys are concepts, then numbers, then names."""
        every = whole(self, hashes, spelled)
        is_concept = every.key < BEYOND_CONCEPTS
        is_name = every.key >= 2 * BEYOND_CONCEPTS
        is_number = ~is_concept & ~is_name
        keep = (is_concept & parts.concepts) | (is_name & parts.names) | (is_number & parts.numbers)
        return Features(every.key[keep], every.word[keep], every.weight[keep])

    blocks = tuple(meaning._HALF_BLOCKS[place] for place in parts.blocks)
    with ExitStack() as stack:
        stack.enter_context(patch.object(Concepts, "features", features))
        stack.enter_context(patch.object(meaning, "_HALF_BLOCKS", blocks))
        if not parts.names:
            stack.enter_context(patch.object(meaning, "_MISSING_NAME_A", 0))
            stack.enter_context(patch.object(meaning, "_MISSING_NAME_B", 0))
        yield


def _figure(name: str, judgements: Sequence[Judgement]) -> dict[str, Any]:
    of_pools = {}
    for pool, (kinds, _) in POOLS.items():
        chosen = [each for each in judgements if each.pair.kind in kinds]
        measure = plagdet((each.pair.cases, each.detections) for each in chosen)
        of_pools[pool] = round(measure.plagdet, 4)
    clean = [each for each in judgements if each.pair.kind == NOTHING_SHARED]
    return {
        "parts": name,
        **of_pools,
        "detections_in_clean_pairs": sum(len(each.detections) for each in clean),
    }
