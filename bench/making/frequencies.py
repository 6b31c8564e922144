"""How frequent words are in encyclopedias: makes `frequencies.txt`.

By that list search words are chosen, and evidence is held against chance.

    python -m bench.making.frequencies [--corpus .data]

Counted from the token lists of Apache Tika (Apache-2.0; `kazakh/lexicon_facts/tika_common_tokens`),
which say in how many of half a million pages each form of a word stands. The forms of a word are
added up under its stem, and only how rare it is stays, in whole bits.
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter, defaultdict
from pathlib import Path
from textwrap import wrap

from bench.corpus import DEFAULT_FOLDER, say
from likewise.language import Lexicon, rarity
from likewise.language.rarity import without_breve
from likewise.settings import Settings

TARGET = Path(rarity.__file__).with_name("frequencies.txt")
LISTS = {"en": "eng", "ru": "rus", "kk": "kaz"}
STEMS = 4_000  # of each language; what is rarer is rare
# The lists have lost the mark on й; at the end of a word it is put back, for the stemmer's sake.
_FINAL_SHORT_I = re.compile(r"(?<=[аеоуыэюяәөұүі])и$")
HEADING = """\
# How rare common words are in each language: the stems whose pages are one in 2^bits.
# Made by bench/making/frequencies.py from the token lists of Apache Tika
# (The Apache Software Foundation, Apache License 2.0).
"""


def frequent_stems(path: Path) -> dict[int, list[str]]:
    """The most frequent stems of a list by how rare they are."""
    pages, lexicon = 1, Lexicon(Settings())
    forms: list[str] = []
    counts: list[int] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#DOC_COUNT"):
            pages = int(line.split("\t")[1])
        if not line.startswith("#"):
            form, held_by, _ = line.split("\t")
            forms.append(form)
            counts.append(int(held_by))
    stems: Counter[str] = Counter()
    spelled = [_FINAL_SHORT_I.sub("й", form) for form in forms]
    for stem, count in zip(lexicon.canonical(spelled), counts, strict=True):
        stems[without_breve(stem)] += count
    del stems[""]  # stop words
    by_bits: defaultdict[int, list[str]] = defaultdict(list)
    for stem, count in stems.most_common(STEMS):
        by_bits[max(round(math.log2(pages / count)), 1)].append(stem)
    return by_bits


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description="Make the list of frequent words.")
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    folder = parser.parse_args().corpus / "kazakh" / "lexicon_facts" / "tika_common_tokens"
    lines = [HEADING]
    for language, name in LISTS.items():
        for bits, stems in sorted(frequent_stems(folder / name).items()):
            lines.append(f"[{language} {bits}]\n")
            lines += [f"{line}\n" for line in wrap(" ".join(sorted(stems)), 100)]
    TARGET.write_text("".join(lines), "utf-8")
    say(f"{TARGET}: {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
