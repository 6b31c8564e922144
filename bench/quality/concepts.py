"""The lexicon of concepts: its size, what it covers, how right it is, how alike it makes texts.

    ./dev bench quality 'lexicon of concepts'
    python -m bench.quality.concepts --sample 300 kk

Coverage is counted over the tokens of running text that are neither stop words, numbers nor names
(capitals inside of a sentence), in documents that were not looked at while the lexicon was written
(`bench/texts/concepts-unread.tsv`) and in `bench/texts/reworded/`. A sample is for a person to
judge: one covered token a line, its sentence, and the words of its concepts; with a verdict, yes or
no, in front it is kept as `bench/texts/concepts-LANGUAGE.tsv`, and precision is made from there.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.corpus import DEFAULT_FOLDER, say
from bench.making.reworded import FOLDER as UNSEEN_FOLDER
from likewise import read
from likewise.language import Lexicon, concepts, detect
from likewise.language.concepts import LANGUAGES, MOST_CONCEPTS, Concepts
from likewise.settings import Settings

TEXTS = Path(__file__).parents[1] / "texts"
UNREAD = TEXTS / "concepts-unread.tsv"
BEFORE = Path("../shared/data/concepts.tsv")  # as it was given, if it is at hand
ASKED = {"en": 0.88, "ru": 0.85, "kk": 0.85}
MOST_WORDS = 12  # of a line, in one language
BLOCK_SENTENCES = 3
BLOCKS = 400  # of a genre and language
PERCENTILE = 99.9
SEED = 23

_LETTERS = {
    "en": re.compile("[a-z]+"),
    "ru": re.compile("[а-яё]+"),
    "kk": re.compile("[а-яёәғқңөұүһі]+"),
}
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE = re.compile(r"\S[^\n]*?(?:[.!?…]+(?=\s|$)|(?=\n|$))")
_BEFORE_NAME = re.compile(r"[^\s\"«“(.!?:][ \t\"«“(]*$")


@dataclass(frozen=True, slots=True)
class Text:
    """A document with what it is."""

    genre: str
    language: str
    name: str
    text: str


def lexicon_of_concepts(folder: Path) -> list[dict[str, Any]]:
    """Size and form; coverage by language and corpus; precision; unrelated blocks."""
    return [
        _form(),
        *_coverage("documents not read", unread_texts(folder)),
        *_coverage("unseen passages", unseen_texts()),
        *_precision(),
        *_unrelated(unread_texts(folder)),
    ]


# Texts.


def unread_texts(folder: Path) -> list[Text]:
    """Documents of the corpora that were not looked at, as far as they are there."""
    listed = [line.split("\t") for line in UNREAD.read_text("utf-8").splitlines()[1:]]
    names = {(genre, name): language for genre, language, name in listed}
    texts = [
        Text(genre, names[genre, name], name, text)
        for genre, name, text in _documents(folder, set(names))
    ]
    return sorted(texts, key=lambda text: (text.genre, text.name))


def unseen_texts() -> list[Text]:
    """Those of `bench/texts/reworded/`."""
    texts = [
        Text(path.parent.name, "", path.stem, path.read_text("utf-8"))
        for path in sorted(UNSEEN_FOLDER.glob("*/*/*.txt"))
    ]
    for path in sorted(UNSEEN_FOLDER.glob("*/cases.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            texts.append(Text("passages", "", str(number), json.loads(line)["passage"]))
    return [Text(t.genre, detect(t.text) or "", t.name, t.text) for t in texts]


def _documents(folder: Path, names: set[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    awards, tales = folder / "nsf-2008.jsonl", folder / "kazakh" / "fairytales" / "dataset.csv"
    if awards.is_file():
        for line in awards.read_text("utf-8").splitlines():
            award = json.loads(line)
            if ("nsf", award["id"]) in names:
                yield "nsf", award["id"], award["abstract"]
    if tales.is_file():
        with tales.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.DictReader(file)):
                if ("tale", str(number)) in names:
                    yield "tale", str(number), max(row.values(), key=len)
    for genre, name in sorted(names - {each for each in names if each[0] in ("nsf", "tale")}):
        if genre == "pan":
            path = folder / "pan13-train" / "src" / name
            if path.is_file():
                yield genre, name, path.read_text("utf-8", errors="replace")
            continue
        top, _, parent = genre.partition("/")
        for path in sorted((folder / top).rglob(name)):
            if path.parent.name == parent:
                yield genre, name, read(path).text


# Size and form.


def _form() -> dict[str, Any]:
    lines = list(concepts.lines(_shipped_text()))
    uses = [
        Counter(word for line in lines for word in set(line[column]))
        for column in range(len(LANGUAGES))
    ]
    return {
        "what": "form",
        "concepts": len(lines),
        "words": {language: len(words) for language, words in zip(LANGUAGES, uses, strict=True)},
        "words_in_more_than_four": sum(
            count > MOST_CONCEPTS for words in uses for count in words.values()
        ),
        "lines_of_more_than_twelve": sum(max(map(len, line)) > MOST_WORDS for line in lines),
    }


def _shipped_text() -> str:
    return Path(concepts.__file__).with_name("concepts.tsv").read_text("utf-8")


# Coverage and precision.


def _coverage(corpus: str, texts: Sequence[Text]) -> Iterator[dict[str, Any]]:
    known = _Known(Concepts.shipped())
    for language in LANGUAGES:
        chosen = [text for text in texts if text.language == language]
        covered = total = 0
        for text in chosen:
            for word, _ in tokens(text):
                if known.counts(word):
                    total += 1
                    covered += bool(known.concepts(word))
        if total:
            yield {
                "what": "coverage",
                "corpus": corpus,
                "language": language,
                "documents": len(chosen),
                "tokens": total,
                "covered": round(covered / total, 4),
                "asked": ASKED[language],
            }


class _Known:
    """What words stand for, asked once for each."""

    def __init__(self, lexicon: Concepts) -> None:
        self._lexicon = lexicon
        self._stems = Lexicon(Settings())
        self._counts: dict[str, bool] = {}
        self._concepts: dict[str, tuple[int, ...]] = {}

    def counts(self, word: str) -> bool:
        """Whether it is no stop word."""
        if word not in self._counts:
            self._counts[word] = bool(self._stems.canonical([word])[0])
        return self._counts[word]

    def concepts(self, word: str) -> tuple[int, ...]:
        if word not in self._concepts:
            self._concepts[word] = self._lexicon.of_word(word)
        return self._concepts[word]


def tokens(text: Text) -> Iterator[tuple[str, int]]:
    """Words of the text's language in small letters, with their places; no numbers, no names.

    >>> [word for word, _ in tokens(Text("", "en", "", "Then Anna saw 3 dogs. They slept."))]
    ['then', 'saw', 'dogs', 'they', 'slept']
    """
    for match in _WORD.finditer(text.text):
        word = match[0]
        if word[0].isupper() and _BEFORE_NAME.search(
            text.text, max(match.start() - 8, 0), match.start()
        ):
            continue
        word = word.lower()
        if len(word) > 1 and _LETTERS[text.language].fullmatch(word):
            yield word, match.start()


def _precision() -> Iterator[dict[str, Any]]:
    """From the samples that somebody has judged."""
    for language in LANGUAGES:
        path = TEXTS / f"concepts-{language}.tsv"
        if not path.is_file():
            continue
        verdicts = Counter(
            line.partition("\t")[0].strip()
            for line in path.read_text("utf-8").splitlines()
            if line and not line.startswith("#")
        )
        yield {
            "what": "precision",
            "language": language,
            "judged": verdicts["yes"] + verdicts["no"],
            "right": verdicts["yes"],
            "asked": 0.95,
        }


def sample(folder: Path, language: str, size: int) -> Iterator[str]:
    """Covered tokens for a person to judge: a verdict to fill in, token, sentence, concepts."""
    known = _Known(Concepts.shipped())
    lines = list(concepts.lines(_shipped_text()))
    covered = [
        (text, word, place)
        for text in unread_texts(folder)
        if text.language == language
        for word, place in tokens(text)
        if known.counts(word) and known.concepts(word)
    ]
    for text, word, place in random.Random(SEED).sample(covered, size):
        sentence = next(
            (m[0] for m in _SENTENCE.finditer(text.text) if m.start() <= place < m.end()), ""
        )
        of_word = (lines[number] for number in known.concepts(word))
        column = LANGUAGES.index(language)
        notions = " | ".join(f"{', '.join(line[column])} = {line[0][0]}" for line in of_word)
        yield "\t".join(("?", word, " ".join(sentence.split())[:240], notions))


# Unrelated blocks.


def _unrelated(texts: Sequence[Text]) -> Iterator[dict[str, Any]]:
    """How alike blocks are that have nothing to do with each other, before and now."""
    blocks = _blocks(texts)
    if not blocks:
        return
    for name, lexicon in _lexicons():
        for languages, cosines in _cosines(blocks, lexicon):
            yield {
                "what": "unrelated blocks",
                "lexicon": name,
                "concepts": lexicon.size,
                "languages": languages,
                "pairs": len(cosines),
                "percentile": round(float(np.percentile(cosines, PERCENTILE)), 4),
                "mean": round(float(cosines.mean()), 4),
            }


def _lexicons() -> Iterator[tuple[str, Concepts]]:
    if BEFORE.is_file():
        with _other_lines(BEFORE.read_text("utf-8")):
            head, _, rows = concepts.as_text().partition("\n")
        cells = rows.rstrip("\n").replace("\n", "\t").split("\t")
        yield "as it was", Concepts(int(head.split()[1]), cells[0::2], cells[1::2])
    else:
        say(f"lexicon of concepts: {BEFORE} is not there, so nothing is compared with it")
    yield "as it is", Concepts.shipped()


@contextmanager
def _other_lines(text: str) -> Iterator[None]:
    """Another `concepts.tsv`, for a while."""
    shipped = concepts._read
    concepts._read = lambda name: text if name == "concepts.tsv" else shipped(name)
    try:
        yield
    finally:
        concepts._read = shipped


def _blocks(texts: Sequence[Text]) -> list[tuple[Text, list[str]]]:
    """Three sentences each, so many of a genre and language, at most two of a document."""
    dice = random.Random(SEED)
    by_kind: dict[tuple[str, str], list[tuple[Text, list[str]]]] = {}
    for text in texts:
        sentences = [match.span() for match in _SENTENCE.finditer(text.text)]
        starts = range(0, max(len(sentences) - BLOCK_SENTENCES + 1, 0), BLOCK_SENTENCES)
        for start in dice.sample(starts, min(len(starts), 12)):
            span = sentences[start][0], sentences[start + BLOCK_SENTENCES - 1][1]
            part = Text(text.genre, text.language, text.name, text.text[slice(*span)])
            words = [word for word, _ in tokens(part)]
            if len(words) >= 20:
                kind = text.genre.partition("/")[0], text.language
                by_kind.setdefault(kind, []).append((text, words))
    return [
        block
        for _, blocks in sorted(by_kind.items())
        for block in dice.sample(blocks, min(len(blocks), BLOCKS))
    ]


def _cosines(
    blocks: Sequence[tuple[Text, list[str]]], lexicon: Concepts
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Of all pairs of blocks of different genres, by their languages."""
    known = _Known(lexicon)
    rows = np.zeros((len(blocks), lexicon.size), dtype=np.float32)
    for row, (_, words) in enumerate(blocks):
        for word in words:
            if known.counts(word) and (of_word := known.concepts(word)):
                rows[row, list(of_word)] += 1 / len(of_word)
    rows *= np.log(len(blocks) / np.maximum((rows > 0).sum(axis=0), 1)).astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    genres = np.unique([text.genre.partition("/")[0] for text, _ in blocks], return_inverse=True)[1]
    spoken = np.array([text.language for text, _ in blocks])
    everything: list[NDArray[np.float32]] = []
    for one, other in combinations_with_replacement(LANGUAGES, 2):
        a, b = np.flatnonzero(spoken == one), np.flatnonzero(spoken == other)
        cosines = rows[a] @ rows[b].T
        is_other = genres[a][:, None] != genres[b][None, :]
        if one == other:
            is_other &= a[:, None] < b[None, :]
        if is_other.any():
            everything.append(cosines[is_other])
            yield f"{one} and {other}", everything[-1]
    yield "all", np.concatenate(everything)


def main() -> None:
    """Print a sample to be judged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", nargs=2, metavar=("SIZE", "LANGUAGE"), required=True)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    arguments = parser.parse_args()
    size, language = arguments.sample
    print("# verdict (yes, no)\ttoken\tsentence\twords of its concepts")
    for line in sample(arguments.corpus, language, int(size)):
        print(line)


if __name__ == "__main__":
    main()
