"""Passages rewritten, summarised or translated: plagdet by class, with one threshold set in folds.

    ./dev bench quality 'reworded passages' 'unseen reworded passages' 'rewritten papers'

On `rewritten` (PAN's format, a folder a class) the score that alignment by meaning needs, within a
language and across two, is fixed in four folds, split by source document, and applied to the fifth:
the smallest that leaves no detection in the pairs of the four that share nothing, and a margin. On
texts that nobody tuned on (`bench/making/reworded.py`) it is the one that is shipped.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from unittest.mock import patch

from bench.making.reworded import NOTHING_SHARED, RewordedPair, unseen_cases, unseen_papers
from bench.quality.alignment import cases_of, pairs_of, text_of
from bench.quality.plagdet import Region, plagdet
from likewise.align import Side, draft_of, meaning, side_of
from likewise.align.align import Draft
from likewise.align.second_look import SecondLook
from likewise.language import Lexicon
from likewise.model import Document
from likewise.settings import Settings

CORPUS = "rewritten"
FOLDS = 5
MARGIN = 1.15  # above the highest score of pairs that share nothing
# Listed as a pair that shares nothing; both documents hold parts of one tale, which tells the same
# events twice, as they happen and as somebody recounts them. It was read because it scored highest.
# It counts as it is listed; what is reached without it is told beside.
ONE_STORY = ("suspicious-en_kk_translated-0850470.txt", "source-kk_rewritten-kk016.txt")


# Classes that are judged together, and the plagdet asked of them.
POOLS: dict[str, tuple[tuple[str, ...], float]] = {
    "English, light and heavy": (("en-light", "en-heavy"), 0.95),
    "Russian, light and heavy": (("ru-light", "ru-heavy"), 0.90),
    "Kazakh, light and heavy": (("kk-light", "kk-heavy"), 0.90),
    "summaries": (("en-summary", "ru-summary", "kk-summary"), 0.85),
    "faithful translations": (
        ("en-ru-translated", "en-kk-translated", "ru-kk-translated"),
        0.90,
    ),
    "free translations": (
        ("en-ru-translated-heavy", "en-kk-translated-heavy", "ru-kk-translated-heavy"),
        0.80,
    ),
    "English to Russian": (("en-ru-translated", "en-ru-translated-heavy"), 0.75),
    "English to Kazakh": (("en-kk-translated", "en-kk-translated-heavy"), 0.75),
    "Russian to Kazakh": (("ru-kk-translated", "ru-kk-translated-heavy"), 0.75),
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """A pair of documents with its true cases, what was found, and as what."""

    pair: RewordedPair
    detections: tuple[Region, ...]
    kinds: tuple[str, ...] = ()  # of the detections


def reworded_passages(folder: Path) -> list[dict[str, Any]]:
    """By words alone, by meaning with the threshold of the folds, and as shipped."""
    pairs = rewritten_pairs(folder)
    if not pairs:
        return []
    drafts = drafts_of(pairs)
    figures = []
    for how, with_story in (("folds", True), ("folds, without the one story", False)):
        needed = needed_of(pairs, drafts, with_story=with_story)
        judgements = [
            judge(pair, draft, needed[fold_of(pair)])
            for pair, draft in zip(pairs, drafts, strict=True)
        ]
        facts = {"thresholds": needed, "shipped_thresholds": Needed.shipped()}
        figures += figures_of(judgements, how, facts)
    figures += figures_of([*map(judge, pairs, drafts)], "as shipped")
    return figures + figures_of(judged(pairs, by_meaning=False), "words alone")


def unseen_reworded_passages(folder: Path) -> list[dict[str, Any]]:
    """The same as shipped on texts that were kept unseen; nothing is fixed on them."""
    return [
        figure
        for how, by_meaning in (("as shipped", True), ("words alone", False))
        for figure in figures_of(judged(unseen_cases(), by_meaning), how)
    ]


def rewritten_papers(folder: Path) -> list[dict[str, Any]]:
    """Papers that were rewritten from end to end: their paragraphs are the cases."""
    figures = []
    for how, by_meaning in (("as shipped", True), ("words alone", False)):
        judgements = judged(unseen_papers(), by_meaning)
        for kind in sorted({judgement.pair.kind for judgement in judgements}):
            chosen = [judgement for judgement in judgements if judgement.pair.kind == kind]
            figures.append({"how": how, "class": kind, **_figure(chosen)})
    return figures


def judged(pairs: Sequence[RewordedPair], by_meaning: bool = True) -> list[Judgement]:
    """As shipped."""
    drafts = drafts_of(pairs, by_meaning=by_meaning)
    return [judge(pair, draft) for pair, draft in zip(pairs, drafts, strict=True)]


# The corpus.


def rewritten_pairs(folder: Path) -> list[RewordedPair]:
    """The pairs of the corpus, if it is there."""
    corpus = folder / CORPUS
    return [_pair(corpus, *names) for names in pairs_of(corpus)]


def _pair(corpus: Path, kind: str, suspicious: str, source: str) -> RewordedPair:
    truth = corpus / kind / f"{Path(suspicious).stem}-{Path(source).stem}.xml"
    return RewordedPair(
        re.sub(r"^\d+-", "", kind),
        suspicious,
        source,
        text_of(corpus / "susp" / suspicious),
        text_of(corpus / "src" / source),
        tuple(cases_of(truth)) if truth.is_file() else (),
    )


def fold_of(pair: RewordedPair) -> int:
    """By the source document, so that none stands in two folds."""
    return zlib.crc32(pair.source_name.encode()) % FOLDS


# Likewise.


def drafts_of(pairs: Iterable[RewordedPair], *, by_meaning: bool = True) -> list[Draft]:
    """What each pair seems to share, before it is held against chance."""
    lexicon = Lexicon(Settings())
    sides: dict[str, Side] = {}

    def side(name: str, text: str) -> Side:
        if name not in sides:
            sides[name] = side_of(Document.from_text(text, name), lexicon)
        return sides[name]

    return [
        draft_of(
            side(f"suspicious {pair.suspicious_name}", pair.suspicious),
            side(f"source {pair.source_name}", pair.source),
            by_meaning=by_meaning,
        )
        for pair in pairs
    ]


class Needed(NamedTuple):
    """The scores that a passage by meaning needs, in thousandths of a nat."""

    within: float  # one language
    across: float  # two

    @classmethod
    def shipped(cls) -> Needed:
        return cls(meaning._NEEDED, meaning._NEEDED_ACROSS)


def scores_of(draft: Draft, *, across: bool) -> list[float]:
    """What its renderings score beyond what longer texts need anyway, in one language or two."""
    if not draft.renderings:
        return []
    sides = meaning.meaning_of(draft.a), meaning.meaning_of(draft.b)
    shipped = Needed.shipped()
    least = round(shipped.across if across else shipped.within)
    look = SecondLook(draft.a, draft.b, draft.renderings, 1, None, ())
    return [
        float(each.score - meaning.score_needed_by(each, *sides, 1, across) + least)
        for each in draft.renderings
        if bool(look._languages(each.box)) == across
    ]


def needed_of(
    pairs: Sequence[RewordedPair], drafts: Sequence[Draft], *, with_story: bool = True
) -> list[Needed]:
    """For each fold, what the others say is needed."""
    within, across = (
        thresholds(
            pairs, [scores_of(draft, across=across) for draft in drafts], with_story=with_story
        )
        for across in (False, True)
    )
    return list(map(Needed, within, across))


def judge(pair: RewordedPair, draft: Draft, needed: Needed | None = None) -> Judgement:
    """The passages of a pair; with thresholds of their own, if they are given."""
    with score_needed(needed or Needed.shipped()):
        passages = draft.judge().passages
    regions = tuple(Region(p.a.start, p.a.end, p.b.start, p.b.end) for p in passages)
    return Judgement(pair, regions, tuple(passage.kind for passage in passages))


@contextmanager
def score_needed(needed: Needed) -> Iterator[None]:
    """Other values for the constants that alignment by meaning judges by, for a while."""
    with (
        patch.object(meaning, "_NEEDED", round(needed.within)),
        patch.object(meaning, "_NEEDED_ACROSS", round(needed.across)),
    ):
        yield


# Thresholds and figures.


def thresholds(
    pairs: Sequence[RewordedPair],
    scores: Sequence[Sequence[float]],
    margin: float = MARGIN,
    *,
    with_story: bool = True,
) -> list[float]:
    """For each fold, the highest score of the pairs of the others that share nothing, and more."""
    highest = [0.0] * FOLDS
    for pair, of_pair in zip(pairs, scores, strict=True):
        is_story = (pair.suspicious_name, pair.source_name) == ONE_STORY
        if not pair.cases and (with_story or not is_story):
            for fold in range(FOLDS):
                if fold != fold_of(pair):
                    highest[fold] = max(highest[fold], *of_pair, 0.0)
    return [margin * score for score in highest]


def figures_of(
    judgements: Sequence[Judgement], how: str, facts: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """A figure for each class, for the classes pooled, and for the pairs that share nothing."""
    kinds = sorted({judgement.pair.kind for judgement in judgements} - {NOTHING_SHARED})
    groups: dict[str, tuple[str, ...]] = {kind: (kind,) for kind in kinds}
    groups |= {name: members for name, (members, _) in POOLS.items() if set(members) & set(kinds)}
    figures = []
    for name, members in groups.items():
        chosen = [judgement for judgement in judgements if judgement.pair.kind in members]
        asked = {"asked": POOLS[name][1]} if name in POOLS else {}
        figures.append({"how": how, "class": name, **asked, **_figure(chosen)})
    clean = [judgement for judgement in judgements if judgement.pair.kind == NOTHING_SHARED]
    figures.append({"how": how, "class": NOTHING_SHARED, **_figure(clean), **(facts or {})})
    return figures


def _figure(judgements: Sequence[Judgement]) -> dict[str, Any]:
    measure = asdict(plagdet((each.pair.cases, each.detections) for each in judgements))
    rounded = {k: round(v, 4) if isinstance(v, float) else v for k, v in measure.items()}
    kinds = Counter(kind for each in judgements for kind in each.kinds)
    in_story = sum(
        len(each.detections)
        for each in judgements
        if (each.pair.suspicious_name, each.pair.source_name) == ONE_STORY
    )
    return {
        "pairs": len(judgements),
        **rounded,
        **_lengths([each.pair for each in judgements if each.pair.cases]),
        "kinds": dict(sorted(kinds.items())),
        **({"detections_in_one_story": in_story} if in_story else {}),
    }


def _lengths(pairs: Sequence[RewordedPair]) -> dict[str, Any]:
    """How long passages and their documents are."""
    words = [
        [
            len(text.split())
            for text in (
                pair.suspicious[case.a_start : case.a_end],
                pair.source[case.b_start : case.b_end],
                pair.suspicious,
                pair.source,
            )
        ]
        for pair in pairs
        for case in pair.cases
    ]
    return (
        {"median_words": [median(column) for column in zip(*words, strict=True)]} if words else {}
    )
