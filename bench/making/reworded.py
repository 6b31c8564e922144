"""Pairs of documents in which one says again what the other says: texts that nobody tuned on.

`bench/texts/reworded/` was written for Likewise in genres that the corpus `rewritten` does not
have: sources, hosts (texts of their own) and passages of sources, rewritten, summarised or
translated, each with the place in its host where it stands. Nobody looked at them while alignment
by meaning was made.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.quality.plagdet import Region

FOLDER = Path(__file__).parents[1] / "texts" / "reworded"
SETS = ("english", "russian-kazakh")
NOTHING_SHARED = "nothing-shared"
PAPERS = "papers"
SOURCES_WITHOUT_A_CASE = 2  # that each host is held against

_GAP = "\n\n"


@dataclass(frozen=True, slots=True)
class RewordedPair:
    """A suspicious document and a source, with the passages that one has from the other."""

    kind: str
    suspicious_name: str
    source_name: str
    suspicious: str
    source: str
    cases: tuple[Region, ...]


def unseen_cases(folder: Path = FOLDER) -> list[RewordedPair]:
    """Each passage in its host, beside its source; and pairs that share nothing."""
    sources = {
        f"{name}/{path.stem}": _paragraphs(path)
        for name in SETS
        for path in sorted((folder / name / "sources").glob("*.txt"))
    }
    pairs: list[RewordedPair] = []
    for name in SETS:
        cases = _cases(folder / name / "cases.jsonl")
        by_host: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for number, case in enumerate(cases):
            by_host[case["host"]].append(case)
            pairs.append(_with_case(folder / name, f"{name}/{number}", case, sources, name))
        for host, of_host in sorted(by_host.items()):
            pairs += _without_case(folder / name, f"{name}/{host}", of_host, sources, name)
    return pairs


def unseen_papers(folder: Path = FOLDER) -> list[RewordedPair]:
    """Papers rewritten paragraph by paragraph, beside their sources and beside other papers."""
    texts = {
        (path.stem.partition("-")[0], path.stem.partition("-")[2]): _paragraphs(path)
        for path in sorted((folder / "english" / "papers").glob("*.txt"))
    }
    names = sorted({name for name, _ in texts})
    pairs = []
    for name in names:
        for other in names:
            suspicious, source = texts[name, "rewritten"], texts[other, "source"]
            cases: tuple[Region, ...] = ()
            if name == other:
                places = zip(_spans(suspicious), _spans(source), strict=True)
                cases = tuple(Region(*here, *there) for here, there in places)
            pairs.append(
                RewordedPair(
                    PAPERS if name == other else NOTHING_SHARED,
                    f"{name}-rewritten",
                    f"{other}-source",
                    _GAP.join(suspicious),
                    _GAP.join(source),
                    cases,
                )
            )
    return pairs


def _with_case(
    folder: Path, name: str, case: dict[str, Any], sources: dict[str, list[str]], of_set: str
) -> RewordedPair:
    paragraphs = _paragraphs(folder / "hosts" / f"{case['host']}.txt")
    place = case["after"] + 1
    paragraphs.insert(place, case["passage"].strip())
    source_name = f"{of_set}/{case['source']}"
    first, last = case["paragraphs"]
    places = _spans(sources[source_name])
    start, end = _spans(paragraphs)[place]
    region = Region(start, end, places[first][0], places[last][1])
    return RewordedPair(
        case["class"],
        name,
        source_name,
        _GAP.join(paragraphs),
        _GAP.join(sources[source_name]),
        (region,),
    )


def _without_case(
    folder: Path,
    name: str,
    cases: list[dict[str, Any]],
    sources: dict[str, list[str]],
    of_set: str,
) -> Iterator[RewordedPair]:
    """A host with all of its passages, beside sources that none of them is from."""
    paragraphs = _paragraphs(folder / "hosts" / f"{cases[0]['host']}.txt")
    for case in sorted(cases, key=lambda case: -case["after"]):
        paragraphs.insert(case["after"] + 1, case["passage"].strip())
    used = {f"{of_set}/{case['source']}" for case in cases}
    others = sorted(
        (source for source in sources if source not in used),
        key=lambda source: zlib.crc32(f"{name} {source}".encode()),
    )
    for source in others[:SOURCES_WITHOUT_A_CASE]:
        yield RewordedPair(
            NOTHING_SHARED, name, source, _GAP.join(paragraphs), _GAP.join(sources[source]), ()
        )


def _cases(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _paragraphs(path: Path) -> list[str]:
    return [each.strip() for each in path.read_text("utf-8").split(_GAP) if each.strip()]


def _spans(paragraphs: list[str]) -> list[tuple[int, int]]:
    """Where each paragraph stands in the text they make."""
    spans, position = [], 0
    for paragraph in paragraphs:
        spans.append((position, position + len(paragraph)))
        position += len(paragraph) + len(_GAP)
    return spans
