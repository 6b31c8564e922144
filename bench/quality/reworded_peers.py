"""What else would find reworded passages: windows of three sentences, by tf-idf and by vectors.

    ./dev bench quality 'reworded passages, peers'

Every window of the suspicious document is taken with its likest window of the source; where the
cosine is high enough, the two are a detection, and neighbours are joined. What is high enough is
fixed in the other folds, once by the rule that Likewise is held to (no detection in pairs that
share nothing; without its margin, since a cosine has little room above) and once where plagdet is
best, whatever that accuses. Vectors of words come inside of wheels, unpacked by

    pip install --target .data/peers --no-deps wordllama tokenizers safetensors navec natasha

and what is not there is left out. Each peer is asked for the languages it knows.
"""

from __future__ import annotations

import importlib
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.corpus import say
from bench.making.reworded import NOTHING_SHARED, RewordedPair, unseen_cases, unseen_papers
from bench.quality.plagdet import Plagdet, Region, plagdet
from bench.quality.reworded import (
    FOLDS,
    Needed,
    drafts_of,
    fold_of,
    judge,
    needed_of,
    rewritten_pairs,
    thresholds,
)
from likewise.language import Lexicon, detect
from likewise.settings import Settings

WINDOW_SENTENCES = 3
PEERS_FOLDER = "peers"
GROUPS: dict[str, tuple[str, ...]] = {
    "English, light and heavy": ("en-light", "en-heavy"),
    "English, summaries": ("en-summary",),
    "English, papers": ("papers",),
    "Russian, light and heavy": ("ru-light", "ru-heavy"),
    "Russian, summaries": ("ru-summary",),
    "Kazakh, light and heavy": ("kk-light", "kk-heavy"),
    "Kazakh, summaries": ("kk-summary",),
    "translations": tuple(
        f"{languages}-translated{how}"
        for languages in ("en-ru", "en-kk", "ru-kk")
        for how in ("", "-heavy")
    ),
}
NO_ACCUSATION, BEST_PLAGDET = "nothing accused", "best plagdet"

Matrix = NDArray[np.float32]
Vectors = Callable[[Sequence[str], str], Matrix]  # of texts of one document, whose class is named
_TRIED = 60  # thresholds
_JUST_ABOVE = 1 + 1e-6


@dataclass(frozen=True, slots=True)
class Peer:
    """A way to turn windows into vectors, and the languages it is for."""

    name: str
    languages: frozenset[str]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Scored:
    """Windows of a pair: regions with their cosines, in the order of the suspicious document."""

    pair: RewordedPair
    windows: tuple[tuple[Region, float, tuple[int, int]], ...]

    def detections(self, least: float) -> list[Region]:
        """Those that are like enough; neighbours in both documents are one."""
        joined: list[tuple[Region, int, int, int]] = []
        for region, score, (row, column) in self.windows:
            if score < least or not score:
                continue
            if joined:
                last, last_row, low, high = joined[-1]
                is_beside = low - WINDOW_SENTENCES <= column <= high + WINDOW_SENTENCES
                if row - last_row <= WINDOW_SENTENCES and is_beside:
                    both = Region(
                        last.a_start,
                        max(last.a_end, region.a_end),
                        min(last.b_start, region.b_start),
                        max(last.b_end, region.b_end),
                    )
                    joined[-1] = both, row, min(low, column), max(high, column)
                    continue
            joined.append((region, row, column, column))
        return [region for region, *_ in joined]

    @property
    def best(self) -> float:
        return max((score for _, score, _ in self.windows), default=0.0)

    @property
    def is_right_place(self) -> bool:
        """Whether the likest window of all lies in a case."""
        first = max(self.windows, key=lambda window: window[1], default=None)
        return first is not None and any(case.meets(first[0]) for case in self.pair.cases)


def reworded_peers(folder: Path) -> list[dict[str, Any]]:
    """Likewise and every peer that is there, on the corpus and on the texts kept unseen."""
    pairs = rewritten_pairs(folder)
    if not pairs:
        return []
    unseen = [*unseen_cases(), *unseen_papers()]
    figures = _of_likewise(pairs, unseen)
    for peer in _peers(folder, [*pairs, *unseen]):
        say(f"reworded passages, peers: {peer.name}")
        known = [_score(peer, pair) for pair in pairs if _is_for(peer, pair)]
        others = [_score(peer, pair) for pair in unseen if _is_for(peer, pair)]
        for rule in (NO_ACCUSATION, BEST_PLAGDET):
            least = _thresholds(known, rule)
            found = [(each, each.detections(least[fold_of(each.pair)])) for each in known]
            figures += _figures(peer.name, "rewritten", rule, found)
            found = [(each, each.detections(least[FOLDS])) for each in others]
            figures += _figures(peer.name, "unseen", rule, found)
    return figures


# Thresholds.


def _thresholds(scored: Sequence[Scored], rule: str) -> list[float]:
    """One for each fold, from the others; and one from all."""
    if rule == NO_ACCUSATION:
        pairs, scores = [each.pair for each in scored], [[each.best] for each in scored]
        of_folds = thresholds(pairs, scores, _JUST_ABOVE)
        return [*of_folds, max(of_folds)]  # each source stands in four of the five
    return [
        _best_threshold([each for each in scored if fold_of(each.pair) != fold])
        for fold in range(FOLDS + 1)
    ]


def _best_threshold(scored: Sequence[Scored]) -> float:
    cosines = [score for each in scored for _, score, _ in each.windows]
    tried = np.unique(np.quantile(cosines, np.linspace(0.5, 1, _TRIED)))
    return max(
        map(float, tried),
        key=lambda least: _plagdet((each, each.detections(least)) for each in scored).plagdet,
    )


# Figures.


def _figures(
    name: str, corpus: str, rule: str, found: Sequence[tuple[Scored, list[Region]]]
) -> list[dict[str, Any]]:
    clean = [regions for each, regions in found if each.pair.kind == NOTHING_SHARED]
    figures: list[dict[str, Any]] = []
    for group, kinds in GROUPS.items():
        chosen = [(each, regions) for each, regions in found if each.pair.kind in kinds]
        if not chosen:
            continue
        measure = _plagdet(chosen)
        figures.append(
            {
                "system": name,
                "corpus": corpus,
                "rule": rule,
                "class": group,
                "cases": measure.cases,
                "plagdet": round(measure.plagdet, 4),
                "recall": round(measure.recall, 4),
                "precision": round(measure.precision, 4),
                "right_place": sum(each.is_right_place for each, _ in chosen),
                "pairs": len(chosen),
                "clean_pairs": len(clean),
                "detections_in_clean_pairs": sum(map(len, clean)),
            }
        )
    return figures


def _plagdet(found: Iterable[tuple[Scored, list[Region]]]) -> Plagdet:
    return plagdet((each.pair.cases, regions) for each, regions in found)


def _of_likewise(
    pairs: Sequence[RewordedPair], unseen: Sequence[RewordedPair]
) -> list[dict[str, Any]]:
    """The same figures; its pairs that share nothing are of all languages."""
    figures = []
    for corpus, some in (("rewritten", pairs), ("unseen", unseen)):
        drafts = drafts_of(some)
        needed: list[Needed | None] = [None] * FOLDS
        if corpus == "rewritten":
            needed = [*needed_of(some, drafts)]
        found = []
        for pair, draft in zip(some, drafts, strict=True):
            windows = tuple(
                (
                    Region(*_ends(draft.a.span(*box[:2])), *_ends(draft.b.span(*box[2:]))),
                    float(each.score),
                    (0, 0),
                )
                for each in draft.renderings
                for box in (tuple(each.box),)
            )
            judgement = judge(pair, draft, needed[fold_of(pair)])
            found.append((Scored(pair, windows), list(judgement.detections)))
        figures += _figures("**Likewise**", corpus, NO_ACCUSATION, found)
    return figures


def _ends(span: Any) -> tuple[int, int]:
    return span.start, span.end


# Windows and their vectors.


def _score(peer: Peer, pair: RewordedPair) -> Scored:
    here, there = _windows(pair.suspicious), _windows(pair.source)
    a = peer.vectors(_of(pair.suspicious, here), pair.kind)
    b = peer.vectors(_of(pair.source, there), pair.kind)
    cosines = _unit(a) @ _unit(b).T
    likest = cosines.argmax(axis=1)
    return Scored(
        pair,
        tuple(
            (Region(*span, *there[column]), float(cosines[row, column]), (row, column))
            for row, (span, column) in enumerate(zip(here, likest.tolist(), strict=True))
        ),
    )


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Matrix = rows / np.maximum(lengths, 1e-9)
    return unit


def _windows(text: str) -> list[tuple[int, int]]:
    """Three sentences in a row, one sentence on each time."""
    spans = [match.span() for match in re.finditer(r"\S[^\n]*?(?:[.!?…]+(?=\s|$)|(?=\n|$))", text)]
    last = max(len(spans) - WINDOW_SENTENCES, 0)
    return [
        (spans[at][0], spans[min(at + WINDOW_SENTENCES, len(spans)) - 1][1])
        for at in range(last + 1)
    ]


def _of(text: str, spans: Iterable[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


@cache
def _languages(text: str) -> str:
    return detect(text) or ""


def _is_for(peer: Peer, pair: RewordedPair) -> bool:
    return {_languages(pair.suspicious), _languages(pair.source)} <= peer.languages


@cache
def _lexicon() -> Lexicon:
    return Lexicon(Settings())


@cache
def _stem(word: str) -> str:
    """Empty for stop words."""
    return _lexicon().canonical([word])[0]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _stems(text: str) -> list[str]:
    return [stem for word in _words(text) if (stem := _stem(word))]


# The peers.


def _peers(folder: Path, pairs: Sequence[RewordedPair]) -> list[Peer]:
    everything = frozenset(("en", "ru", "kk", ""))
    peers = [
        Peer("tf-idf, words as written", everything, TfIdf(pairs, _words)),
        Peer("tf-idf, stems without stop words", everything, TfIdf(pairs, _stems)),
    ]
    if str(folder / PEERS_FOLDER) not in sys.path:
        sys.path.append(str(folder / PEERS_FOLDER))
    for name, language, load in (
        ("wordllama, 256 dimensions", "en", _wordllama),
        ("navec of natasha, 300 dimensions", "ru", _navec),
    ):
        try:
            peers.append(Peer(name, frozenset((language,)), load(folder / PEERS_FOLDER)))
        except (ImportError, OSError) as reason:
            say(f"reworded passages, peers: {name} is left out ({reason})")
    return peers


class TfIdf:
    """Vectors of weighed words; how rare a word is, is counted in the documents of the class."""

    def __init__(self, pairs: Iterable[RewordedPair], words: Callable[[str], list[str]]) -> None:
        self._words = words
        documents: dict[str, set[str]] = {}
        for pair in pairs:
            documents.setdefault(pair.kind, set()).update((pair.suspicious, pair.source))
        self._sizes = {kind: len(texts) for kind, texts in documents.items()}
        of_text = {text: set(words(text)) for texts in documents.values() for text in texts}
        self._counts = {
            kind: Counter(word for text in texts for word in of_text[text])
            for kind, texts in documents.items()
        }
        self._columns: dict[str, int] = {}

    def __call__(self, texts: Sequence[str], kind: str) -> Matrix:
        size, counts = self._sizes[kind], self._counts[kind]
        width = 1 << 14  # columns by hash: a pair has some hundred words
        rows = np.zeros((len(texts), width), dtype=np.float32)
        for row, text in enumerate(texts):
            for word, count in Counter(self._words(text)).items():
                column = self._columns.setdefault(word, len(self._columns)) % width
                rows[row, column] += count * (math.log((1 + size) / (1 + counts[word])) + 1)
        return rows


def _wordllama(folder: Path) -> Vectors:
    """Its own loader looks for the tokenizer in a folder that the wheel names otherwise."""
    tokenizers = importlib.import_module("tokenizers")
    safetensors = importlib.import_module("safetensors.numpy")
    inference = importlib.import_module("wordllama.inference")
    inside = folder / "wordllama"
    tokenizer = tokenizers.Tokenizer.from_file(
        str(inside / "tokenizers" / "l2_supercat_tokenizer_config.json")
    )
    weights = safetensors.load_file(inside / "weights" / "l2_supercat_256.safetensors")
    model = inference.WordLlamaInference(weights["embedding.weight"], tokenizer)

    def vectors(texts: Sequence[str], kind: str) -> Matrix:
        rows: Matrix = model.embed(list(texts)).astype(np.float32)
        return rows

    return vectors


def _navec(folder: Path) -> Vectors:
    """Words of the text as written, without stop words; the mean of their vectors."""
    navec = importlib.import_module("navec")
    path = folder / "natasha" / "data" / "emb" / "navec_news_v1_1B_250K_300d_100q.tar"
    model = navec.Navec.load(str(path))

    def vectors(texts: Sequence[str], kind: str) -> Matrix:
        rows = np.zeros((len(texts), 300), dtype=np.float32)
        for row, text in enumerate(texts):
            known = [model[word] for word in _words(text) if word in model and _stem(word)]
            if known:
                rows[row] = np.mean(known, axis=0)
        return rows

    return vectors
