"""Sketches are stored and compared years later: the same text gives the same integers."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from likewise.settings import SKETCH_VERSION, Settings
from likewise.sketch import build_sets, fingerprints_of, signatures_of

PARAGRAPHS = [
    "The steppe doesn't end at the horizon: it begins there, well-known to those who co-\noperate "
    "with the wind. See http://example.org/steppe for 12 naïve façades² and the рublished maps.",
    "Степь не кончается у горизонта — там она только начинается. Всё, что мы знаем о ней, расска-\n"
    "зали кочевники, и кoчевники молчали о том, чего не знали; α ≥ 5.",
    "Дала көкжиекте аяқталмайды, ол сол жерден басталады. Көшпенділердің қалаларымыз туралы "
    "айтқандары бізге жетті, қаһарман батырлардың әңгімелері ұмытылмайды.",
]
CHOSEN = {
    "default": Settings(),
    "plain": Settings.plain(),
    "characters": Settings.plain(unit="chars", shingle=5, scheme="minhash", slots=84, bits=64),
    "multiset": Settings(measure="multiset", shingle=1, slots=100, bits=32),
}
CHANGED = (
    "The same text gives other integers than before. If that is meant, raise SKETCH_VERSION in "
    "settings.py, so that stored sketches are not compared with new ones, and pin the new digests. "
    "If not: a kernel, a shipped list, the stemmer or the tables of Unicode have changed."
)
EXPECTED = {
    "default": "1:37b974240ff1e2fd",
    "plain": "1:fe387a6ff81f2db1",
    "characters": "1:b52677b4f3b58933",
    "multiset": "1:f5faa6a85b245206",
}


def digest(name: str) -> str:
    """Sets, signatures and fingerprints of the three paragraphs in one number."""
    chosen = CHOSEN[name]
    sets = build_sets(PARAGRAPHS, chosen)
    arrays = [sets.hashes, sets.offsets, signatures_of(sets, chosen)]
    arrays += [fingerprints_of(text, chosen).hash for text in PARAGRAPHS]
    together = hashlib.blake2b(digest_size=8)
    for array in arrays:
        together.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())
    return together.hexdigest()


@pytest.mark.parametrize("name", CHOSEN)
def test_the_same_text_gives_the_same_integers_as_ever(name: str) -> None:
    assert f"{SKETCH_VERSION}:{digest(name)}" == EXPECTED[name], CHANGED


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_both_forms_of_the_kernels_give_these_integers(engine: str) -> None:
    chosen = "numpy" if engine == "numpy" else ""
    asking = subprocess.run(
        [sys.executable, __file__],
        env=os.environ | {"LIKEWISE_KERNELS": chosen},
        capture_output=True,
        text=True,
    )
    assert asking.returncode == 0, asking.stderr
    assert asking.stdout.split() == [engine, *EXPECTED.values()], CHANGED


if __name__ == "__main__":
    from likewise.kernels import ENGINE

    print(ENGINE, *(f"{SKETCH_VERSION}:{digest(name)}" for name in CHOSEN))
