"""Two texts of the paper's sizes: one pair with something copied, one with nothing."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import NamedTuple

from bench.making.growing import growing
from bench.papers import corpus
from bench.papers.paper_000.pdfs import invented_vocabulary
from bench.papers.paper_003 import published

Sizes = tuple[int, int]
SMALL: tuple[Sizes, ...] = ((30, 50), (30, 150), (130, 150), (600, 150))


class Pair(NamedTuple):
    """Half of the shorter text stands in `copied` too; `unrelated` is as long, without it."""

    words: Sizes
    text: str
    copied: str
    unrelated: str


def pairs(folder: Path, small: bool) -> list[Pair]:
    """The four experiments, each longer text beginning with the shorter one of another."""
    sizes = SMALL if small else published.EXPERIMENTS
    if small:
        abstracts = list(dict.fromkeys(growing(invented_vocabulary(), 100)))
    else:
        with corpus(folder, "nsf-2008.jsonl").open(encoding="utf-8") as lines:
            # Once each: partners in a project hand in the same abstract.
            abstracts = list(dict.fromkeys(json.loads(line)["abstract"] for line in lines))
    random.Random("paper 003").shuffle(abstracts)
    middle = len(abstracts) // 2
    first, second = " ".join(abstracts[:middle]).split(), " ".join(abstracts[middle:]).split()
    return [_pair(first[:one], second[:two]) for one, two in sizes]


def _pair(one: list[str], two: list[str]) -> Pair:
    """Half of the shorter text is put into the middle of the second, in place of its own words."""
    length = min(len(one), len(two)) // 2
    here, there = (len(one) - length) // 2, (len(two) - length) // 2
    copied = [*two[:there], *one[here : here + length], *two[there + length :]]
    return Pair((len(one), len(two)), " ".join(one), " ".join(copied), " ".join(two))
