"""Passages of the PAN 2013 pairs: plagdet by kind of obfuscation, in folds, and the time it takes.

Folds are split by source document, so that no source stands in two of them: how far the figures of
the folds lie apart says how much they depend on the documents.
"""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.quality.plagdet import Region, plagdet
from likewise.align import align_sides, draft_of, side_of
from likewise.language import Lexicon
from likewise.model import Document
from likewise.settings import Settings

CORPUS = "pan13-train"
CLEAN = "01-no-plagiarism"
FOLDS = 5
THESIS_WORDS = 120_000  # on 300 pages
COPIED_WORDS = 400
AMONG = (1, 1_000, 100_000)  # documents


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair of documents with its true cases and what was found."""

    kind: str
    fold: int
    cases: tuple[Region, ...]
    detections: tuple[Region, ...]


def aligned_pairs(folder: Path) -> list[dict[str, Any]]:
    """One figure for all pairs, one for each kind of obfuscation, one for each fold."""
    if not (folder / CORPUS).is_dir():
        return []
    began = time.process_time()
    lexicon = Lexicon(Settings())
    judged = [_judge(folder / CORPUS, *pair, lexicon) for pair in pairs_of(folder / CORPUS)]
    seconds = time.process_time() - began
    kinds = sorted({pair.kind for pair in judged})
    figures = [{"pairs of": "all", "cpu_seconds": round(seconds, 1), **_figure(judged)}]
    figures += [
        {"pairs of": kind, **_figure([pair for pair in judged if pair.kind == kind])}
        for kind in kinds
    ]
    for fold in range(FOLDS):
        inside = [pair for pair in judged if pair.fold == fold]
        by_kind = {
            kind: round(_figure([pair for pair in inside if pair.kind == kind])["plagdet"], 4)
            for kind in kinds
            if kind != CLEAN
        }
        figures.append({"pairs of": f"fold {fold + 1}", **_figure(inside), "kinds": by_kind})
    return figures


def pairs_of(corpus: Path) -> Iterator[tuple[str, str, str]]:
    """Kind, suspicious document and source of each pair."""
    for listing in sorted(corpus.glob("*/pairs")):
        for line in listing.read_text("utf-8").splitlines():
            if line.strip():
                suspicious, source = line.split()
                yield listing.parent.name, suspicious, source


def _judge(corpus: Path, kind: str, suspicious: str, source: str, lexicon: Lexicon) -> Judged:
    a, b = (
        side_of(Document.from_text(text_of(corpus / part / name), name), lexicon)
        for part, name in (("susp", suspicious), ("src", source))
    )
    found = align_sides(a, b).passages
    truth = corpus / kind / f"{Path(suspicious).stem}-{Path(source).stem}.xml"
    return Judged(
        kind,
        zlib.crc32(source.encode()) % FOLDS,
        tuple(cases_of(truth)),
        tuple(Region(p.a.start, p.a.end, p.b.start, p.b.end) for p in found),
    )


def text_of(path: Path) -> str:
    """The characters as they stand: offsets count carriage returns too."""
    return path.read_bytes().decode("utf-8")


def cases_of(path: Path) -> Iterator[Region]:
    """The passages that a file of PAN's format names."""
    for feature in ET.parse(path).iter("feature"):
        if feature.get("name") == "plagiarism":
            this, source = (
                (int(feature.attrib[f"{side}_offset"]), int(feature.attrib[f"{side}_length"]))
                for side in ("this", "source")
            )
            yield Region(this[0], sum(this), source[0], sum(source))


def _figure(judged: list[Judged]) -> dict[str, Any]:
    measured = asdict(plagdet((pair.cases, pair.detections) for pair in judged))
    clean = sum(len(pair.detections) for pair in judged if pair.kind == CLEAN)
    rounded = {k: round(v, 4) if isinstance(v, float) else v for k, v in measured.items()}
    return {"pairs": len(judged), **rounded, "detections_in_clean_pairs": clean}


def pairs_among_many(folder: Path) -> list[dict[str, Any]]:
    """Every fifth pair, judged as if its source had been found among so many documents."""
    corpus = folder / CORPUS
    if not corpus.is_dir():
        return []
    lexicon = Lexicon(Settings())
    judged: dict[tuple[int, str], list[tuple[list[Region], list[Region]]]] = {}
    for kind, suspicious, source in list(pairs_of(corpus))[::5]:
        a, b = (
            side_of(Document.from_text(text_of(corpus / part / name), name), lexicon)
            for part, name in (("susp", suspicious), ("src", source))
        )
        truth = corpus / kind / f"{Path(suspicious).stem}-{Path(source).stem}.xml"
        cases, draft = list(cases_of(truth)), draft_of(a, b, runs_alone=True)
        for documents in AMONG:
            found = draft.judge(documents=documents).passages
            regions = [Region(p.a.start, p.a.end, p.b.start, p.b.end) for p in found]
            judged.setdefault((documents, kind), []).append((cases, regions))
    return [
        {
            "documents": documents,
            "pairs of": kind,
            "pairs": len(found),
            "recall": round(plagdet(found).recall, 4),
            "precision": round(plagdet(found).precision, 4),
        }
        for (documents, kind), found in sorted(judged.items())
        if kind != CLEAN
    ]


def two_theses(folder: Path) -> list[dict[str, Any]]:
    """Two documents of 300 pages, a third of one copied into the other: the CPU time it takes."""
    sources = sorted((folder / CORPUS / "src").glob("*.txt"))
    if not sources:
        return []
    words = [word for path in sources for word in path.read_text("utf-8").split(" ")]
    if len(words) < 2 * THESIS_WORDS:
        return []
    one = words[:THESIS_WORDS]
    other = words[THESIS_WORDS : THESIS_WORDS * 5 // 3]
    for start in range(0, THESIS_WORDS, 3 * COPIED_WORDS):
        place = start % len(other)
        other[place:place] = one[start : start + COPIED_WORDS]
    lexicon = Lexicon(Settings())
    a, b = (Document.from_text(" ".join(text)) for text in (one, other))
    began = time.process_time()
    found = align_sides(side_of(a, lexicon), side_of(b, lexicon))
    seconds = time.process_time() - began
    return [
        {
            "words": [len(one), len(other)],
            "passages": len(found.passages),
            "cpu_seconds": round(seconds, 2),
        }
    ]
