"""Makes `concept_stems.txt` from `concepts.tsv`, after words were added or corrected.

    python -m bench.making.concepts

It says how many concepts and stems there are, and what their version is; the tests of the lexicon
(`tests/language`) say whether every line is as it should be.
"""

from __future__ import annotations

from bench.corpus import say
from likewise.language import concepts


def main() -> None:
    """Write the stems anew."""
    concepts.write()
    concepts.stems_head.cache_clear()
    stems = concepts.Concepts.shipped().stems
    say(f"{concepts.recipe()}: {stems:,} stems")


if __name__ == "__main__":
    main()
