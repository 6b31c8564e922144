"""What the look by meaning costs: all of PAN 2013 with it and without, and two theses.

./dev bench quality 'cost of meaning'
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.making.reworded import RewordedPair
from bench.quality.alignment import CORPUS, pairs_of, text_of
from bench.quality.plagdet import Region, plagdet
from bench.quality.reworded import rewritten_pairs
from likewise.align import align_sides, side_of
from likewise.language import Lexicon
from likewise.model import Document
from likewise.settings import Settings

THESIS_WORDS = 30_000

_CHARACTERS_OF_A_WORD = 7
_MOST_WORDS_OF_CASES = 24_000
_SHINGLE = 8  # words
_GAP = "\n\n"


def cost_of_meaning(folder: Path) -> list[dict[str, Any]]:
    """CPU seconds, with and without in the same run."""
    return [*_pan(folder / CORPUS), *_theses(folder)]


def _pan(corpus: Path) -> Iterator[dict[str, Any]]:
    """Every pair twice, one time after the other, texts read and prepared each time."""
    if not corpus.is_dir():
        return
    lexicon = Lexicon(Settings())
    seconds = {True: 0.0, False: 0.0}
    pairs = list(pairs_of(corpus))
    for number, (_, suspicious, source) in enumerate(pairs):
        for by_meaning in (True, False) if number % 2 else (False, True):
            began = time.process_time()
            a, b = (
                side_of(Document.from_text(text_of(corpus / part / name), name), lexicon)
                for part, name in (("susp", suspicious), ("src", source))
            )
            align_sides(a, b, by_meaning=by_meaning)
            seconds[by_meaning] += time.process_time() - began
    yield {
        "what": "PAN 2013",
        "pairs": len(pairs),
        "with_cpu_s": round(seconds[True], 1),
        "without_cpu_s": round(seconds[False], 1),
        "ratio": round(seconds[True] / seconds[False], 3),
        "asked": 1.5,
    }


def _theses(folder: Path) -> Iterator[dict[str, Any]]:
    """Two documents of 30,000 words, in two languages, with what is translated among the rest."""
    pairs = rewritten_pairs(folder)
    prose = {language: list(_prose(folder, language)) for language in ("en", "ru", "kk")}
    for a, b in (("ru", "en"), ("kk", "en"), ("kk", "ru")):
        if not pairs or sum(map(_words, prose[a])) < THESIS_WORDS // 2:
            continue
        cases = _some([pair for pair in pairs if pair.cases and _is_between(pair, a, b)])
        used = _shingles(text for pair in cases for text in (pair.suspicious, pair.source))
        one, here, other, there = (
            *_filled([pair.suspicious for pair in cases], _unlike(prose[a][::2], used)),
            *_filled([pair.source for pair in cases], _unlike(prose[b][1::2], used)),
        )
        regions = [
            Region(x + case.a_start, x + case.a_end, y + case.b_start, y + case.b_end)
            for pair, x, y in zip(cases, here, there, strict=True)
            for case in pair.cases
        ]
        seconds: dict[bool, float] = {}
        for by_meaning in (False, True):
            lexicon = Lexicon(Settings())
            began = time.process_time()
            sides = [side_of(Document.from_text(text), lexicon) for text in (one, other)]
            passages = align_sides(sides[0], sides[1], by_meaning=by_meaning).passages
            seconds[by_meaning] = round(time.process_time() - began, 2)
        found = [Region(p.a.start, p.a.end, p.b.start, p.b.end) for p in passages]
        measure = plagdet([(regions, found)])
        yield {
            "what": "two theses",
            "languages": f"{a} and {b}",
            "words": [_words(one), _words(other)],
            "cases": len(cases),
            "recall": round(measure.recall, 4),
            "precision": round(measure.precision, 4),
            "passages": dict(sorted(Counter(passage.kind for passage in passages).items())),
            "with_cpu_s": seconds[True],
            "without_cpu_s": seconds[False],
            "asked": 2,
        }


def _some(pairs: list[RewordedPair]) -> list[RewordedPair]:
    """As many as leave room for other prose in either document."""
    chosen: list[RewordedPair] = []
    here = there = 0
    for pair in pairs:
        here, there = here + _words(pair.suspicious), there + _words(pair.source)
        if max(here, there) <= _MOST_WORDS_OF_CASES:
            chosen.append(pair)
    return chosen


def _is_between(pair: RewordedPair, a: str, b: str) -> bool:
    return pair.kind.startswith(f"{b}-{a}-")


def _prose(folder: Path, language: str) -> Iterator[str]:
    if language == "en" and (path := folder / "nsf-2008.jsonl").is_file():
        for line in path.read_text("utf-8").splitlines()[::40]:
            yield json.loads(line)["abstract"]
    elif language == "ru":
        for path in sorted((folder / "ru-revisions").glob("*/*_v0.txt")):
            yield path.read_text("utf-8")
    elif language == "kk" and (path := folder / "kazakh/fairytales/dataset.csv").is_file():
        yield from path.read_text("utf-8").split('\n"')


def _unlike(texts: Iterable[str], used: set[str]) -> list[str]:
    """Texts that the cases are not made from."""
    return [text for text in texts if not _shingles([text]) & used]


def _shingles(texts: Iterable[str]) -> set[str]:
    words = [text.split() for text in texts]
    return {
        " ".join(each[at : at + _SHINGLE]) for each in words for at in range(len(each) - _SHINGLE)
    }


def _filled(parts: list[str], prose: Iterable[str]) -> tuple[str, list[int]]:
    """The parts with other texts between them, as long as a thesis; where each part begins."""
    texts, total = [], sum(map(_words, parts))
    for text in prose:
        if total >= THESIS_WORDS:
            break
        texts.append(text[: max(THESIS_WORDS - total, 0) * _CHARACTERS_OF_A_WORD])
        total += _words(texts[-1])
    places, joined = [], ""
    for number, part in enumerate(parts):
        some = texts[number * len(texts) // len(parts) : (number + 1) * len(texts) // len(parts)]
        joined += _GAP.join([*some, ""])
        places.append(len(joined))
        joined += part + _GAP
    return joined, places


def _words(text: str) -> int:
    return len(text.split())
