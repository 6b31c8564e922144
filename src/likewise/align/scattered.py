"""Sentences taken over one by one: each too short for a passage, together a good part of a text."""

from __future__ import annotations

import math

import numpy as np

from likewise.align.extend import EVIDENCE
from likewise.align.pair import Box, Half, Numbers, Pair
from likewise.align.sentences import Equal, count_of
from likewise.align.shelf import Shelf
from likewise.align.validate import Found, examine, word_for_word

# So many sentences are no chance; a passage copied word for word stands for half a one. Where equal
# sentences are a good share of the longer document, one beside another or a passage is enough.
_LEAST_SENTENCES, _LARGE_SHARE = 3, 0.1
_LEAST_WORDS = 4  # that count, for a sentence to be told from a phrase
# How much less likely each further word makes it that a sentence stands in both by chance, as a
# logarithm. Less than single words would have it, for people say the same things in the same way;
# less so beside sentences that were copied.
_NATS_OF_A_WORD, _NATS_AMONG_COPIES, _NATS_OF_A_SMALL_WORD = 2, 3, 1
_MOSTLY_THE_SAME = 0.5  # of the longer document in equal sentences: then every one counts
_SAME_REST = 0.45  # Dice of the words between equal sentences: then the whole is a passage
# A short stretch that is no whole sentence counts beside scattered sentences when it is strong.
_LEAST_STRENGTH = 15 * EVIDENCE


def scattered_rows(pair: Pair, equal: list[Equal], strong: list[Found]) -> list[Box]:
    """Equal sentences outside of verbatim passages, where there are enough not to be chance.

    What is enough depends on how long the documents are: of all pairs of their sentences, not one
    should be equal by chance. Where some were copied, others are likelier to be.
    """
    whole = Shelf(found.box for found in strong if found.kind == "verbatim")
    loose = [row for row in equal if not whole.holds(row.box)]
    chance = math.log(max(count_of(pair.a) * count_of(pair.b), 1))
    clear = {
        row.key
        for row in loose
        if row.size >= _LEAST_WORDS and _nats(row, _NATS_OF_A_WORD) >= chance
    }
    pieces = len(clear) + len(whole.boxes)
    share = sum(row.size for row in equal) / max(pair.a.size, pair.b.size)
    if share >= _MOSTLY_THE_SAME:
        return [row.box for row in loose]
    enough = len(clear) + len(whole.boxes) / 2 >= _LEAST_SENTENCES
    if clear and (enough or (pieces > 1 and share >= _LARGE_SHARE)):
        chance -= math.log(pieces)
        return [row.box for row in loose if _nats(row, _NATS_AMONG_COPIES) >= chance]
    return []


def with_scattered(
    pair: Pair, rows: list[Box], strong: list[Found], all_found: list[Found]
) -> list[Found]:
    """The strong passages, unless they are made of scattered sentences; and those sentences."""
    pieces = Shelf(rows)
    kept = [f for f in strong if f.kind == "verbatim" or not _is_made_of(pair, f.box, pieces)]
    taken, rest = _grown(pair, kept, pieces.boxes)
    taken += [word_for_word(pair, box) for box in rest]
    return taken + _beside(pair, taken, all_found)


def _grown(pair: Pair, kept: list[Found], rows: list[Box]) -> tuple[list[Found], list[Box]]:
    """The passages with the sentences that go on from them, and the sentences that are left."""
    shelf = Shelf(found.box for found in kept)
    now = {found.box: found for found in kept}
    rest = []
    for row in rows:
        near = shelf.touching(row)
        if any(now[box].box.holds(row) for box in near):
            continue
        for box in near:
            found = now[box]
            grown = examine(pair, found.extent._replace(box=found.box.joined(row)))
            if grown.kind == found.kind:
                now[box] = grown
                break
        else:
            rest.append(row)
    return list(now.values()), rest


def _nats(row: Equal, of_a_word: int) -> int:
    """How unlikely it is that these sentences stand in both documents by chance; 0 for refrains."""
    if row.is_refrain:
        return 0
    here, there = row.box.a1 - row.box.a0, row.box.b1 - row.box.b0
    small = here - row.size if here == there else 0
    return of_a_word * row.size + _NATS_OF_A_SMALL_WORD * small


def _beside(pair: Pair, taken: list[Found], all_found: list[Found]) -> list[Found]:
    """Strong stretches of any length, without a word of the others, where much is copied."""
    of_a = np.zeros(len(pair.a.numbers), dtype=bool)
    of_b = np.zeros(len(pair.b.numbers), dtype=bool)
    for found in taken:
        of_a[found.box.a0 : found.box.a1] = True
        of_b[found.box.b0 : found.box.b1] = True
    longer = of_a if len(of_a) > len(of_b) else of_b
    if longer.mean() < _LARGE_SHARE:
        return []
    return [
        found
        for found in all_found
        if found.strength >= _LEAST_STRENGTH
        and found.kind != "paraphrased"
        and not of_a[found.box.a0 : found.box.a1].any()
        and not of_b[found.box.b0 : found.box.b1].any()
    ]


def _is_made_of(pair: Pair, box: Box, pieces: Shelf) -> bool:
    """Whether the pieces in it are all that is shared: the rest of a is not the rest of b."""
    inside = pieces.meeting(box)
    if not inside:
        return False
    a = _rest(pair.a, box.a0, box.a1, [(piece.a0, piece.a1) for piece in inside])
    b = _rest(pair.b, box.b0, box.b1, [(piece.b0, piece.b1) for piece in inside])
    distinct, here = np.unique(a, return_counts=True)
    common = int(np.minimum(here, pair.count(distinct, b)).sum())
    return 2 * common < _SAME_REST * (len(a) + len(b))


def _rest(half: Half, first: int, last: int, pieces: list[tuple[int, int]]) -> Numbers:
    """The words that count of a stretch, without those in pieces."""
    numbers = half.numbers[first:last].copy()
    for start, end in pieces:
        numbers[max(start - first, 0) : max(end - first, 0)] = 0
    rest: Numbers = numbers[numbers != 0]
    return rest
