"""How letters follow one another, counted: makes `letters.txt` for guessing encodings.

    python -m bench.making.letters [--corpus .data] [--check]

Counts Russian pages (`ru-revisions`), Kazakh tales and laws and a Belarusian declaration
(`kazakh`), the word lists beside them (Apache Tika's, Apache-2.0), and the letter pairs that the
package `langdetect` 1.0.9 counted in encyclopedias (Apache-2.0; its folder `langdetect`, unpacked
beside the others). Only likelihoods are written. What `is_held_out` names is never counted: it is
what the scorer is tested on.
"""

from __future__ import annotations

import argparse
import csv
import html
import json
import re
import unicodedata
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.corpus import DEFAULT_FOLDER, say
from likewise.reading.encoding import letters

TARGET = Path(letters.__file__).with_suffix(".txt")
WESTERN = {"fr": 3, "de": 3, "es": 3, "pt": 2, "it": 2, "nl": 1, "sv": 1, "da": 1, "no": 1, "fi": 1}
LANGUAGES = ("ru", "kk", "uk", "be", "bg", "mk", "western")
HELD_OUT = 5  # one text of so many
_SMOOTHING = 0.005  # of a letter's followers: those that were never counted, by their frequency
_STRANGE_LETTER = 2e-7  # how frequent a letter is that a language does not have
_CAPITALS = [[0.0, 0.95, 0.05], [0.0, 0.97, 0.03], [0.0, 0.01, 0.99]]  # the manner of headings

_LEAST_CASE = 1.5e-3  # names like ЮУрГУ and МосТекс are rare in texts and frequent on pages

Pairs = dict[str, float]  # two letters, and how often they were met


def is_held_out(name: str) -> bool:
    """Whether a text is kept for testing; the revisions of a page stay together."""
    page = re.sub(r"_v\d+$", "", name)
    return zlib.crc32(page.encode()) % HELD_OUT == 0


def texts(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """Names and texts in Russian or Kazakh."""
    if language == "ru":
        for path in sorted(folder.glob("ru-revisions/*/*_v0.txt")):
            yield path.stem, path.read_text("utf-8", "replace")
    ending = "_ru.html" if language == "ru" else "_kk.html"
    for path in sorted(folder.glob(f"kazakh/kz_laws_html/*/*{ending}")):
        yield path.stem, _without_tags(path.read_text("utf-8", "replace"))
    tales = folder / "kazakh" / "fairytales" / "dataset.csv"
    if language == "kk" and tales.is_file():
        with tales.open(encoding="utf-8", newline="") as rows:
            for number, row in enumerate(csv.DictReader(rows)):
                yield f"tale {number}", row["text"]


def _without_tags(page: str) -> str:
    page = re.sub(r"(?is)<(script|style|head|nav)\b.*?</\1>|<!--.*?-->", " ", page)
    return re.sub(r"[ \t]+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))


def counted_texts(folder: Path, language: str) -> Iterator[str]:
    """Lines that are mostly in the language's script, of the texts that are not held out."""
    for name, text in texts(folder, language):
        if not is_held_out(name):
            for line in unicodedata.normalize("NFC", text).splitlines():
                cyrillic = len(re.findall(r"[\u0400-\u052f]", line))
                if cyrillic > 10 and cyrillic > len(re.findall(r"[a-zA-Z]", line)):
                    yield f" {line.strip()} "


def letter_pairs(words: Iterable[tuple[str, float]]) -> Pairs:
    """How often a letter follows a letter, with the edges of words.

    >>> letter_pairs([("Аба", 2)]) == {"#а": 2, "аб": 2, "ба": 2, "а#": 2}
    True
    """
    pairs: Pairs = defaultdict(float)
    edge = letters.WORD_EDGE
    for word, times in words:
        word = f"{edge}{word.lower()}{edge}"
        for first, second in pairwise(word):
            pairs[first + second] += times
    return pairs


def _words_of_texts(folder: Path, language: str) -> Counter[str]:
    words: Counter[str] = Counter()
    for line in counted_texts(folder, language):
        words.update(re.findall(r"[\u0400-\u052f]+", line.lower()))
    return words


def _listed_words(folder: Path, language: str) -> Counter[str]:
    name = {"ru": "rus", "kk": "kaz"}[language]
    path = folder / "kazakh" / "lexicon_facts" / "tika_common_tokens" / name
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines() if line[0] != "#")
    return Counter({word: int(times) for word, _, times in rows})


def _profile(folder: Path, language: str) -> Pairs:
    """Letter pairs as langdetect has them, a space at the edge of a word."""
    counts = json.loads((folder / "langdetect" / "profiles" / language).read_text("utf-8"))["freq"]
    pairs: Pairs = defaultdict(float)
    for pair, times in counts.items():
        if len(pair) == 2:
            pairs[pair.lower().replace(" ", letters.WORD_EDGE)] += times
    return pairs


def pairs_of(folder: Path, language: str) -> Pairs:
    """The letter pairs of a language, every source with its weight."""
    sources: list[tuple[float, Pairs]] = []
    if language == "western":
        sources = [(weight, _profile(folder, name)) for name, weight in WESTERN.items()]
    elif language in ("ru", "kk"):
        of_texts = letter_pairs(_words_of_texts(folder, language).items())
        of_lists = letter_pairs(_listed_words(folder, language).items())
        sources = [(2, of_texts), (1, of_lists)]
        if language == "ru":
            sources.append((2, _profile(folder, language)))
    elif language == "be":  # a single text; its neighbours tell what it does not show
        text = (folder / "kazakh" / "udhr" / "udhr" / "Belorus_Belaruski-UTF8").read_text("utf-8")
        of_text = letter_pairs(Counter(re.findall(r"[\u0400-\u052f]+", text.lower())).items())
        sources = [(8, of_text), (1, _profile(folder, "ru")), (1, _profile(folder, "uk"))]
    else:
        sources = [(1, _profile(folder, language))]
    mixed: Pairs = defaultdict(float)
    for weight, pairs in sources:
        total = sum(pairs.values())
        for pair, times in pairs.items():
            mixed[pair] += weight * times / total
    return mixed


def chain_of_letters(pairs: Pairs, alphabet: str) -> NDArray[np.float64]:
    """How likely a letter or the edge follows a letter or the edge (the last row and column)."""
    places = {letter: place for place, letter in enumerate(alphabet[:-1])}
    places[letters.WORD_EDGE] = len(alphabet)
    counts = np.zeros((len(alphabet) + 1, len(alphabet) + 1))
    for pair, share in pairs.items():
        first, second = places.get(pair[0]), places.get(pair[1])
        if first is not None and second is not None:
            counts[first, second] += share
    counts[-1, -1] = 0
    frequency = counts.sum(axis=0) / counts.sum() + _STRANGE_LETTER
    counts += _SMOOTHING * counts.sum(axis=1, keepdims=True) * frequency + 1e-9 * frequency
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def chain_of_kinds(lines: Iterable[str]) -> NDArray[np.float64]:
    """How likely a kind of character, a letter or a foreign letter follows another.

    After a letter it is the likelihood of a kind where a word ends.
    """
    size = len(letters.KINDS) + 2
    counts = np.full((size, size), 0.5)
    for line in lines:
        symbols, _ = letters.symbols_in(line)
        kinds = np.minimum(symbols, letters.LETTER).astype(np.int64)
        kinds[symbols >= letters.FIRST_LATIN] = letters.FOREIGN
        np.add.at(counts, (kinds[:-1], kinds[1:]), 1)
    counts[letters.LETTER, letters.LETTER] = 0
    likely: NDArray[np.float64] = counts / counts.sum(axis=1, keepdims=True)
    space, rare, box, bad = map(letters.KINDS.index, ("space", "rare", "box", "bad"))
    # The rare signs of texts are others than those of code pages. Drawings stand in few texts, and
    # make whole lines there. What is undefined has no excuse.
    for kind, met, then_space, then_letter in (
        (rare, 1e-4, 0.1, 0.02),
        (box, 2e-4, 0.2, 2e-3),
        (bad, 2e-6, 1e-2, 1e-2),
    ):
        likely[:, kind] = met
        likely[kind] = 0.01
        likely[kind, space] = then_space
        likely[kind, (letters.LETTER, letters.FOREIGN)] = then_letter
    likely[bad, bad] = 2e-6
    around = [*map(letters.KINDS.index, ("space", "nbsp", "digit", "mark"))]
    # What English and code have around quotes, dashes and signs, and our Russian texts have not.
    for name, met, then_any in (
        ("quote", 1e-4, 5e-3),
        ("opening", 2e-4, 5e-3),
        ("closing", 2e-4, 5e-3),
        ("dash", 2e-3, 5e-3),
        ("sign", 1e-3, 2e-2),
        ("nbsp", 2e-3, 5e-2),
    ):
        kind = letters.KINDS.index(name)
        likely[around, kind] = np.maximum(likely[around, kind], met)
        likely[kind, around] = np.maximum(likely[kind, around], then_any)
    quote, sign, nbsp = map(letters.KINDS.index, ("quote", "sign", "nbsp"))
    likely[nbsp, letters.FOREIGN] = 5e-2
    likely[quote, letters.LETTER] = 0.05
    likely[quote, letters.FOREIGN] = likely[letters.FOREIGN, quote] = 0.02
    likely[space, sign], likely[letters.FOREIGN, sign] = 2e-2, 1e-3
    # Words of two scripts.
    likely[letters.FOREIGN, letters.LETTER] = likely[letters.LETTER, letters.FOREIGN] = 2e-5
    return likely


def chain_of_cases(lines: Iterable[str]) -> NDArray[np.float64]:
    """How likely a letter is a capital after another letter or none."""
    counts = np.full((3, 3), 0.5)
    for line in lines:
        symbols, cases = letters.symbols_in(line)
        cases[symbols >= letters.FIRST_LATIN] = letters.NO_CASE
        np.add.at(counts, (cases[:-1].astype(np.int64), cases[1:].astype(np.int64)), 1)
    counts[:, letters.NO_CASE] = 0
    return np.asarray(np.maximum(counts / counts.sum(axis=1, keepdims=True), _LEAST_CASE))


def as_text(folder: Path) -> str:
    """What the file holds."""
    lines = [line for language in ("ru", "kk") for line in counted_texts(folder, language)]
    cases = np.concatenate([chain_of_cases(lines), np.array(_CAPITALS)])
    cases[:, letters.NO_CASE] = 1
    rows = [f"kinds {letters.format_likelihoods(row)}" for row in chain_of_kinds(lines)]
    rows += [f"cases {letters.format_likelihoods(row)}" for row in cases]
    for language in LANGUAGES:
        chain = chain_of_letters(pairs_of(folder, language), letters.letters_of(language))
        rows += [f"{language} {letters.format_likelihoods(row)}" for row in chain]
    return "\n".join(
        ["# Made by bench/making/letters.py; encoding_letters.py reads it.", *rows, ""]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    parser.add_argument("--check", action="store_true", help="only compare with the file")
    arguments = parser.parse_args()
    made = as_text(arguments.corpus)
    if arguments.check:
        same = made == TARGET.read_text("ascii")
        raise SystemExit(None if same else f"{TARGET.name} is not what the corpora give")
    TARGET.write_text(made, "ascii")
    say(f"{TARGET.name}: {len(made):,} characters")


if __name__ == "__main__":
    main()
