"""Two documents side by side, all pairs of PAN 2013: through the front door, and aligned alone.

What the front door costs beside the alignment is measures, figures of tables and what is made anew
for each call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import likewise
from bench.quality.alignment import CORPUS
from bench.speed.meter import Reading, peak_mb
from likewise.align import align_sides, side_of
from likewise.kernels import ENGINE
from likewise.language import Lexicon
from likewise.model import Document
from likewise.settings import Settings


def compare_job(folder: Path, way: str, limit: int | None = None) -> dict[str, Any]:
    """Every pair in turn, the texts in memory; `digest` tells whether the matches are the same."""
    pairs = _pairs(folder / CORPUS)[:limit]
    compared: Callable[[Document, Document], Any] = WAYS[way]
    compared(*pairs[0])  # what a process does once is no part of it
    start = Reading.now()
    found = [compared(a, b) for a, b in pairs]
    spent = start.spent()
    told = "\n".join(map(repr, found)).encode("utf-8", "surrogatepass")
    return {
        "kernels": ENGINE,
        "documents": len(pairs),
        "mb": sum(len(a.text) + len(b.text) for a, b in pairs) / 1e6,
        **spent,
        "peak_mb": peak_mb(),
        "digest": hashlib.blake2b(told, digest_size=16).hexdigest(),
    }


def _pairs(corpus: Path) -> list[tuple[Document, Document]]:
    read: dict[str, Document] = {}

    def document(part: str, name: str) -> Document:
        if name not in read:
            text = (corpus / part / name).read_bytes().decode("utf-8")
            read[name] = Document.from_text(text, name)
        return read[name]

    return [
        (document("susp", suspicious), document("src", source))
        for listing in sorted(corpus.glob("*/pairs"))
        for suspicious, source in map(str.split, listing.read_text("utf-8").splitlines())
    ]


def _aligned_alone() -> Callable[[Document, Document], Any]:
    lexicon = Lexicon(Settings())
    return lambda a, b: align_sides(side_of(a, lexicon), side_of(b, lexicon))


WAYS: dict[str, Callable[[Document, Document], Any]] = {
    "compare": likewise.compare,
    "alignment alone": _aligned_alone(),
}
