"""A minute of people at work: no error, and memory that does not grow.

The hour, the hundred thousand documents and the seconds are measured by `./dev bench speed`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench.speed.server import server_job

# Of the second half over the first: caches fill and workers start their readers, a leak goes on.
MOST_GROWTH_MB = {"server": 40.0, "workers": 150.0}
SYLLABLES = "ka la su er ta no mi ra zhe bo qu di os en at".split()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """What texts are made of: words, as unevenly frequent as those of a language."""
    dice = np.random.default_rng(17)
    made = {"".join(dice.choice(SYLLABLES, size=int(dice.integers(2, 5)))) for _ in range(6_000)}
    words = {word: 1 / (rank + 3) for rank, word in enumerate(sorted(made))}
    (tmp_path / "growing").mkdir()
    (tmp_path / "growing" / "vocabulary.json").write_text(json.dumps(words))
    return tmp_path


@pytest.mark.parametrize(
    ("engine", "people", "minutes"), [("postgresql", 10, 1.0), ("sqlite", 5, 0.5)]
)
def test_nobody_meets_an_error_and_memory_stays(
    corpus: Path, own_cache: Path, engine: str, people: int, minutes: float
) -> None:
    found = server_job(
        corpus,
        engine,
        documents=500,
        people=people,
        minutes=minutes,
        seconds=3,
        checks=2,
        pages=2,
        rest=0.5,  # nobody is as quick: it is what they call that may leak, not their pauses
        phases=("uploads", "mixed"),
    )
    assert found["errors"] == 0, found["first_errors"]
    assert found["phases"]["mixed"]["calls"] > 50 * minutes
    for who, memory in found["memory"].items():
        grown = memory["second_half_mb"] - memory["first_half_mb"]
        assert grown < MOST_GROWTH_MB[who], f"{who}: {memory}"
