"""Makes `concept_stems.txt` from `concepts.tsv`, after words were added or corrected.

    python -m bench.making.concepts
    python -m bench.making.concepts --rarity

It says how many concepts and stems there are, and what their version is; the tests of the lexicon
(`tests/language`) say whether every line is as it should be. With `--rarity` it counts how rare
concepts are in the texts of `bench/making/honest.py` instead, and writes `concept_rarity.txt`: a
concept is as rare as in the language that uses it most.
"""

from __future__ import annotations

import math
import random
import sys
import textwrap
from collections import Counter, defaultdict
from pathlib import Path

from bench.corpus import DEFAULT_FOLDER, say
from bench.making.honest import genres
from likewise.language import concepts, detect
from likewise.language.concept_blocks import FIRST_OTHER, count_concepts

_MOST_CHARS = 9_000_000  # of a language
_CHARS_OF_A_TEXT = 20_000
_FEWEST_BLOCKS = 2  # that hold a concept, or it is among the rarest
_LEAST_SHARE_OF_OTHERS = 2**-11  # names and numbers that are rarer are not listed
_HEAD = """\
# How rare concepts are: after [n] the ids of those that stand in one block of 2^(n/4).
# Made by bench/making/concepts.py.
"""


def main() -> None:
    """Write the stems anew, or the rarity of concepts."""
    if sys.argv[1:] == ["--rarity"]:
        path = Path(concepts.__file__).with_name("concept_rarity.txt")
        path.write_text(_HEAD + _rarity(), "utf-8")
        return
    concepts.write()
    concepts.stems_head.cache_clear()
    stems = concepts.Concepts.shipped().stems
    say(f"{concepts.recipe()}: {stems:,} stems")


def _rarity() -> str:
    shares: dict[int, float] = {}
    for language, texts in _texts_by_language().items():
        counts, blocks = Counter[int](), 0
        for text in texts:
            of_text, size = count_concepts([text])
            counts.update(of_text)
            blocks += size
        say(f"{language}: {len(texts):,} texts, {blocks:,} blocks, {len(counts):,} concepts")
        for number, count in counts.items():
            if count >= _FEWEST_BLOCKS:
                shares[number] = max(shares.get(number, 0.0), (count + 0.5) / blocks)
    by_rarity = defaultdict(list)
    for number, share in sorted(shares.items()):
        if number < FIRST_OTHER or share >= _LEAST_SHARE_OF_OTHERS:
            by_rarity[round(-4 * math.log2(share))].append(str(number))
    return "".join(
        f"[{rarity}]\n{textwrap.fill(' '.join(numbers), 100)}\n"
        for rarity, numbers in sorted(by_rarity.items())
    )


def _texts_by_language() -> dict[str, list[str]]:
    dice = random.Random(3)
    texts = defaultdict(list)
    for genre in genres(DEFAULT_FOLDER):
        for text in dict.fromkeys((*genre.shelved, *genre.checked)):
            texts[detect(text[:3_000]) or "en"].append(text[:_CHARS_OF_A_TEXT])
    chosen = {}
    for language in concepts.LANGUAGES:
        dice.shuffle(texts[language])
        chars, some = 0, []
        for text in texts[language]:
            if chars <= _MOST_CHARS:
                some.append(text)
                chars += len(text)
        chosen[language] = some
    return chosen


if __name__ == "__main__":
    main()
