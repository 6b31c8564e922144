"""The three stages timed: tokens and shingles, signatures, LSH; and what each leaves behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.papers import Tell
from bench.papers.paper_000.published import BANDINGS
from bench.papers.paper_000.rows import SETTINGS
from bench.speed.meter import Reading
from likewise.reading import read_folder
from likewise.reading.sandbox import stop_reading
from likewise.search import Plan
from likewise.search.lsh import bucket_keys, candidates
from likewise.settings import Settings
from likewise.sketch import build_sets, signatures_of


def stages(database: Path, tell: Tell) -> tuple[dict[str, Any], dict[str, str]]:
    """What a folder of PDFs costs from the files to the candidates, and its texts by name."""
    start = Reading.now()
    documents, unread = read_folder(database, cache=False)
    stop_reading()  # the time of processes counts once they are gone
    reading = start.spent()
    texts = {document.name: document.compared_text for document in documents}

    start = Reading.now()
    sets = build_sets(texts.values(), SETTINGS)
    shingling = start.spent()

    start = Reading.now()
    signed = signatures_of(sets, SETTINGS)
    signing = start.spent()
    fast = SETTINGS.but(scheme="fast")
    start = Reading.now()
    signatures_of(sets, fast)
    signing_fast = start.spent()

    lsh = []
    for cut in BANDINGS:
        start = Reading.now()
        found = sum(len(a) for a, _ in candidates(bucket_keys(signed, Plan(*cut))))
        lsh.append({"bands": cut[0], "rows": cut[1], "candidates": found, **start.spent()})

    start = Reading.now()
    words = build_sets(texts.values(), Settings())
    shingling_words = start.spent()
    tell(f"{len(texts)} PDFs went through the three stages")
    default = signatures_of(words, Settings())
    timed = {
        "documents": len(texts),
        "unread": len(unread),
        "pages": sum(len(document.pages) for document in documents),
        "pdf_bytes": sum(path.stat().st_size for path in database.rglob("*.pdf")),
        "characters": sum(map(len, texts.values())),
        "shingles": len(sets.hashes),
        "shingle_bytes": sets.hashes.nbytes,
        "shingles_words": len(words.hashes),
        "shingle_words_bytes": words.hashes.nbytes,
        "signature_bytes": signed.nbytes,
        "signature_default_bytes": default.nbytes,
        "reading": reading,
        "shingling": shingling,
        "shingling_words": shingling_words,
        "signing": signing,
        "signing_fast": signing_fast,
        "lsh": lsh,
    }
    return timed, texts
