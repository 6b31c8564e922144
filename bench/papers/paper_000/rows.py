"""Rows: the lines of the PDFs, cleaned, and the shingles of each.

The paper's window "slides from the begin to the end of the line": no shingle reaches over a line's
end. A document's set is all shingles of its rows, and a copy is a list of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.papers.paper_000 import published
from bench.papers.paper_000.recipe import shingle_hashes
from likewise.kernels import shingle_runs
from likewise.language import Lexicon, canonical_text
from likewise.settings import Settings
from likewise.sketch import Sets

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]

# Stop words, numbers, punctuation and mathematical signs go, hyphenated words are joined.
SETTINGS = Settings(
    languages=("en",),
    homoglyphs=False,
    stem=False,
    drop_digits=True,
    drop_urls=False,
    unit="chars",
    shingle=published.SHINGLE_CHARS,
    scheme="minhash",
    slots=published.SLOTS,
    method="lsh",
)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """All rows of a database; row i has the shingles starts[i] to starts[i + 1].

    Document d has the rows documents[d] to documents[d + 1]. Every shingle is known by Likewise's
    hash and by the paper's.
    """

    ours: Hashes
    theirs: Numbers
    starts: Numbers
    documents: Numbers

    def __len__(self) -> int:
        return len(self.documents) - 1

    def of(self, document: int) -> Numbers:
        """The numbers of the rows of a document."""
        return np.arange(self.documents[document], self.documents[document + 1])

    def places(self, rows: Numbers) -> Numbers:
        """Where the shingles of some rows stand."""
        sizes = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(sizes)
        moved: Numbers = np.repeat(self.starts[rows] - ends + sizes, sizes)
        return moved + np.arange(ends[-1])


def rows_of(texts: Iterable[str]) -> Rows:
    """Cut texts into rows; a row without a whole shingle is left out."""
    lexicon, forms = Lexicon(SETTINGS), dict[int, str]()
    cleaned: list[str] = []
    documents = [0]
    for text in texts:
        rows = (canonical_text(line, lexicon, forms) for line in text.splitlines())
        cleaned += [row for row in rows if len(row) >= published.SHINGLE_CHARS]
        documents.append(len(cleaned))
    flat = "".join(cleaned).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(flat, dtype=np.uint32).astype(np.uint64)
    offsets = np.cumsum([0, *map(len, cleaned)]).astype(np.int64)
    ours, starts = shingle_runs(codes, offsets, published.SHINGLE_CHARS)
    theirs = shingle_hashes(codes, offsets)
    return Rows(np.asarray(ours), theirs, np.asarray(starts), np.array(documents, dtype=np.int64))


def sets_of(rows: Rows, lists: Sequence[Numbers]) -> Sets:
    """Likewise's sets of documents that are given as lists of rows."""
    sets = [np.unique(rows.ours[rows.places(chosen)]) for chosen in lists]
    return Sets(np.concatenate(sets), np.cumsum([0, *map(len, sets)]).astype(np.int64))
