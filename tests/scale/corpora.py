"""Small corpora with planted copies, and answers of both engines in one form."""

from __future__ import annotations

import json
import random
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.corpus import Deduped, dedup_corpus, open_corpus
from likewise.settings import Settings

if TYPE_CHECKING:
    from likewise.scale import SparkDeduped

Answer = dict[str, tuple[str, int]]


def planted(documents: int, seed: int = 5) -> list[dict[str, Any]]:
    """Texts of which many are copies, edited copies, or mostly the same boilerplate."""
    chance = random.Random(seed)
    words = [f"word{number}" for number in range(3000)]

    def some(least: int, most: int) -> list[str]:
        return chance.choices(words, k=chance.randint(least, most))

    boilerplate = some(150, 150)
    texts: list[list[str]] = [[]]
    for _ in range(documents - 1):
        kind = chance.random()
        if kind < 0.15:
            texts.append(chance.choice(texts))
        elif kind < 0.5:
            edited = [*chance.choice(texts), *some(1, 3)]
            for _ in range(chance.randint(1, 6)):
                edited[chance.randrange(len(edited))] = chance.choice(words)
            texts.append(edited)
        elif kind < 0.7:
            texts.append([*boilerplate, *some(1, 20)])
        else:
            texts.append(some(1, 120))
    return [
        {"id": f"d{number}", "text": " ".join(text), "score": chance.randint(0, 9)}
        for number, text in enumerate(texts)
    ]


def written(folder: Path, records: list[dict[str, Any]], parts: int = 2) -> Path:
    """The records as JSON Lines in several files."""
    folder.mkdir()
    size = -(-len(records) // parts)
    for part in range(parts):
        lines = [json.dumps(record) + "\n" for record in records[part * size : (part + 1) * size]]
        (folder / f"part-{part}.jsonl").write_text("".join(lines))
    return folder


def local_answer(
    corpus: Path, settings: Settings, against: Path | None = None, keep: Any = "first"
) -> Answer:
    """What the local engine says."""
    old = open_corpus(against) if against else None
    return answer_of(dedup_corpus(open_corpus(corpus), settings, against=old, keep=keep))


def answer_of(result: Deduped) -> Answer:
    at = result.results[0]
    kept = set(result.kept_ids(at))
    return {
        "pairs": _hashed(
            [p.a, p.b, p.jaccard, p.containment_a, p.containment_b] for p in result.pairs(at)
        ),
        "clusters": _hashed(
            [[result.ids[place] for place in c.members], c.weakest] for c in at.clusters
        ),
        "removed": _hashed([id] for id in result.ids[: len(at.kept)] if id not in kept),
    }


def spark_answer(result: SparkDeduped) -> Answer:
    """What the engine on Spark says, in the same form."""
    rows = result.clusters[min(result.clusters)].collect()
    clusters: dict[int, list[Any]] = {}
    for row in sorted(rows, key=lambda row: row.place):
        clusters.setdefault(row.cluster, [[], row.weakest])[0].append(row.id)
    return {
        "pairs": _hashed(list(row) for row in result.pairs().collect()),
        "clusters": _hashed(clusters.values()),
        "removed": _hashed([row.id] for row in result.removed().collect()),
    }


def _hashed(rows: Any) -> tuple[str, int]:
    lines = sorted(json.dumps(row) for row in rows)
    return sha256("\n".join(lines).encode()).hexdigest(), len(lines)
