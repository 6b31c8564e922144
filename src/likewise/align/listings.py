"""Listings that two documents share: long runs of tokens, operators and brackets included."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np

from likewise.align.pair import Numbers
from likewise.align.seeds import diagonals, equal_points, in_runs
from likewise.align.side import Side
from likewise.model import Span

RUN = 60  # tokens in a row that two listings share: some eight lines

_MOST_OF_KEY = 16
_TOKEN = re.compile(r"\w+|[^\w\s]")


def shared_listings(a: Side, b: Side) -> tuple[tuple[Span, Span], ...]:
    """Where listings of two documents have the same tokens in a row."""
    if not a.listings or not b.listings:
        return ()
    ours, theirs = _tokens(a.text, a.listings), _tokens(b.text, b.listings)
    keys = in_runs(ours[0], RUN), in_runs(theirs[0], RUN)
    points = equal_points(*keys, _MOST_OF_KEY, keep_frequent=True)
    shared: list[tuple[Span, Span]] = []
    shown = np.zeros(len(ours[0]), dtype=bool)
    rows = zip(*(x.tolist() for x in diagonals(points.a, points.b, RUN)), strict=True)
    for i, j, steps in sorted(rows, key=lambda row: -row[2]):
        if shown[i : i + steps + RUN].all():
            continue
        shown[i : i + steps + RUN] = True
        shared.append((_span(ours, i, steps + RUN), _span(theirs, j, steps + RUN)))
    return tuple(sorted(shared))


_Tokens = tuple[Numbers, list[int], list[int]]  # keys, starts, ends


def _tokens(text: str, spans: Sequence[Span]) -> _Tokens:
    found = [match for span in spans for match in _TOKEN.finditer(text, span.start, span.end)]
    keys = [zlib.crc32(match[0].encode("utf-8", "surrogatepass")) for match in found]
    return (
        np.array(keys, dtype=np.int64),
        [match.start() for match in found],
        [match.end() for match in found],
    )


def _span(tokens: _Tokens, first: int, length: int) -> Span:
    return Span(tokens[1][first], tokens[2][first + length - 1])
