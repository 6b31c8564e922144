"""Where exactly two documents share text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import ge

import numpy as np
from numpy.typing import NDArray

from likewise.align.candidates import (
    Candidate,
    examine,
    examine_box,
    long_runs,
    strong,
    without_overlaps,
    without_repetitions,
)
from likewise.align.clusters import boxes_of
from likewise.align.evidence import (
    USUAL_DOCUMENTS,
    Background,
    Evidence,
    Flags,
    evidence_of,
    expected_number,
    is_beyond_genre,
    score_needed,
    score_of,
)
from likewise.align.fragments import fragments_of, shared_listings
from likewise.align.kinds import unchanged_words
from likewise.align.meaning import Rendering, is_much_longer, meaning_of, renderings
from likewise.align.own_sentences import without_own_sentences
from likewise.align.pair import Box, Pair, pair_of
from likewise.align.second_look import COPIED, SecondLook, gives_way
from likewise.align.seeds import NO_RUNS, RUN, Runs, runs_of, seeds_of
from likewise.align.sentences import equal_sentences, scattered_rows, with_scattered
from likewise.align.side import Side, distinct_words, side_of
from likewise.align.summaries import summary_of
from likewise.language import borrow_lexicon
from likewise.model import Document, Passage, Span
from likewise.settings import Settings

_COPIED_RUN = 12  # words that count, unbroken: whatever is around them, these were copied


@dataclass(frozen=True, slots=True)
class Alignment:
    """What two documents share: passages, and runs of words that do not count as passages."""

    passages: tuple[Passage, ...]
    fragments: tuple[Passage, ...]
    listings: tuple[tuple[Span, Span], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """What two documents seem to share, before it is held against chance."""

    a: Side
    b: Side
    runs: Runs
    stretches: tuple[Stretch, ...]
    repeated: tuple[Box, ...] = ()  # places that say again what a stretch says
    listings: tuple[tuple[Span, Span], ...] = ()
    renderings: tuple[Rendering, ...] = ()  # what may say the same in other words

    def __bool__(self) -> bool:
        """Whether there is anything to be judged or shown."""
        return bool(self.stretches or len(self.runs.a) or self.listings or self.renderings)

    def is_beyond_genre(self, documents: int, common_words: Flags | None = None) -> bool:
        """Whether anything of it is too strong to be what honest documents have in common."""
        return any(is_beyond_genre(one.evidence, documents, common_words) for one in self.stretches)

    def judge(
        self,
        background: Background | None = None,
        documents: int = 1,
        common_words: Flags | None = None,
        rivals: Sequence[Rendering] = (),
    ) -> Alignment:
        """The passages that are more than chance among so many documents.

        A document that holds one beyond doubt is a source, and further passages from it are looked
        for in one document, not in many. Whatever is not shown as a passage is shown as a run.
        `rivals` are what other documents render of the same text.
        """
        with_source = background is None or not self.is_beyond_genre(documents, common_words)
        scores = [
            score_of(one.evidence, background, with_source, common_words) for one in self.stretches
        ]
        needed = [score_needed(one.evidence, documents) for one in self.stretches]
        is_source = any(map(ge, scores, needed)) or self._is_source_in_all(scores, documents)
        if is_source:
            needed = [
                least if score >= least else score_needed(one.evidence, 1)
                for one, score, least in zip(self.stretches, scores, needed, strict=True)
            ]
        accepted = [
            (one, expected_number(score, least))
            for one, score, least in zip(self.stretches, scores, needed, strict=True)
            if is_source and (score >= least or one.is_whole_sentences)
        ]
        parts = [(part, expected) for one, expected in accepted for part in one.parts]
        look = SecondLook(
            self.a,
            self.b,
            self.renderings,
            1 if is_source else documents,
            self._held(background, with_source, common_words),
            rivals,
        )
        rendered = look.accepted([part for part, _ in parts])
        parts = [
            (part, expected)
            for part, expected in parts
            if part.kind in COPIED
            or not (
                any(gives_way(part.box, each.box) for each in rendered)
                or (part.kind == "rewritten" and self._is_denied(part.box, look))
            )
        ]
        passages = [self._passage(part, expected) for part, expected in parts]
        passages += map(look.passage, rendered)
        boxes = [part.box for part, _ in parts] + [each.box for each in rendered]
        boxes += self.repeated if accepted else ()
        fragments = fragments_of(self.a.whole, self.b.whole, self.runs, boxes)
        return Alignment(tuple(sorted(passages, key=_place)), fragments, self.listings)

    def _is_denied(self, loose: Box, look: SecondLook) -> bool:
        """Whether its meaning says that it is none; but what was copied in it was copied."""
        if not look.denies(loose):
            return False
        long = np.flatnonzero(self.runs.length >= _COPIED_RUN)
        a = distinct_words(self.a.whole).places[self.runs.a[long]]
        b = distinct_words(self.b.whole).places[self.runs.b[long]]
        is_inside = (loose.a0 <= a) & (a < loose.a1) & (loose.b0 <= b) & (b < loose.b1)
        return not is_inside.any()

    def _held(
        self, background: Background | None, with_source: bool, common_words: Flags | None
    ) -> NDArray[np.float64] | None:
        """The share of other documents that hold each word; all of them where it is common."""
        if not self.renderings or background is None:
            return None
        words = meaning_of(self.a)
        others = max(background.documents - with_source, 0)
        holders, _, _ = background.others_holding(words.words, with_source)
        held = holders / (others + USUAL_DOCUMENTS)
        if common_words is not None:
            held[words.of_all[common_words & (words.of_all >= 0)]] = 1.0
        return held

    def _passage(self, part: Candidate, expected: float) -> Passage:
        box = part.first_box or part.box
        a, b = self.a.span(box.a0, box.a1), self.b.span(box.b0, box.b1)
        literal, unchanged = unchanged_words(a.of(self.a.text), b.of(self.b.text), a.start)
        if part.first_box:  # what is said again is as the first time
            unchanged = (part.a,)
        kind = part.kind
        if kind == "rewritten" and is_much_longer(self._words(self.b, b), self._words(self.a, a)):
            kind = "summarised"
        return Passage(part.a, part.b, kind, part.score, literal, expected, unchanged=unchanged)

    @staticmethod
    def _words(side: Side, span: Span) -> int:
        """How many words of a stretch count."""
        first, last = np.searchsorted(side.start, (span.start, span.end))
        return int(np.count_nonzero(side.hash[first:last]))

    def _is_source_in_all(self, scores: list[int], documents: int) -> bool:
        """Whether several runs, none of them enough by itself, are enough together.

        Each further one counts by what it has beyond two texts that have nothing to do with each
        other.
        """
        runs = sorted(
            (score, score_needed(one.evidence, 1), score_needed(one.evidence, documents))
            for one, score in zip(self.stretches, scores, strict=True)
            if one.evidence.longest_run >= RUN
        )
        if len(runs) < 2:
            return False
        best, _, least = runs.pop()
        return best + sum(max(score - chance, 0) for score, chance, _ in runs) >= least


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """A passage that may be: its evidence, and the parts of it that are not own sentences."""

    evidence: Evidence
    parts: tuple[Candidate, ...]
    # Sentences that stand word for word in both, of which it is known already that there are too
    # many of them to be chance between these two documents.
    is_whole_sentences: bool = False


def align(
    a: Document, b: Document, settings: Settings | None = None, *, by_meaning: bool = True
) -> Alignment:
    """The passages that two documents share, in the order of the first.

    By words, and by what the words mean unless that is not asked for: rewritten or translated.

    >>> text = "Rivers of the steppe rise in spring, flood the meadows and sink into sand."
    >>> one = Document.from_text(f"{text} Nobody counts them.")
    >>> other = Document.from_text(f"A traveller wrote: {text}")
    >>> [passage.a.of(one.text) == text for passage in align(one, other).passages]
    [True]
    """
    with borrow_lexicon(settings or Settings()) as lexicon:
        return align_sides(side_of(a, lexicon), side_of(b, lexicon), by_meaning=by_meaning)


def align_sides(a: Side, b: Side, documents: int = 1, *, by_meaning: bool = True) -> Alignment:
    """The same for documents that were prepared before, with the same lexicon."""
    return draft_of(a, b, by_meaning=by_meaning).judge(documents=documents)


def draft_of(a: Side, b: Side, *, runs_alone: bool = False, by_meaning: bool = True) -> Draft:
    """Everything that might be a passage; `a` is the side that is checked.

    An unbroken run of some thirty words can be one by itself, if asked for: a check judges it
    against chance, while two documents that somebody holds side by side are read by that somebody.
    """
    pair = pair_of(a, b)
    all_runs = runs_of(pair_of(a.whole, b.whole)) if a.listings or b.listings else None
    listings = shared_listings(a, b)
    if not pair.a.size or not pair.b.size:
        return Draft(a, b, NO_RUNS if all_runs is None else all_runs, (), (), listings)
    runs = runs_of(pair)
    extents = without_overlaps(pair, boxes_of(seeds_of(pair, runs)))
    examined = [examine(pair, extent) for extent in extents]
    candidates = strong(pair, examined)
    rows = scattered_rows(pair, equal_sentences(pair), candidates)
    summary = summary_of(pair, candidates, rows)
    if summary is not None:
        candidates = [f for f in candidates if not f.box.meets(summary.box)]
        candidates.append(replace(examine(pair, summary), kind="summarised"))
        rows = [row for row in rows if not row.meets(summary.box)]
    if rows:
        candidates = with_scattered(pair, rows, candidates, examined)
    if runs_alone:
        candidates = [*candidates, *long_runs(pair, runs, candidates)]
    distinct = without_repetitions(pair, candidates)
    retelling = summary.box if summary is not None else None
    stretches = tuple(_stretch(pair, runs, one, one.box == retelling) for one in distinct)
    distinct_boxes = {one.box for one in distinct}
    repeated = tuple(f.box for f in candidates if f.box not in distinct_boxes)
    shown_runs = runs if all_runs is None else all_runs
    copied = [one.box for one in distinct if one.kind in COPIED]
    rendered = renderings(meaning_of(a), meaning_of(b), copied) if by_meaning else []
    return Draft(a, b, shown_runs, stretches, repeated, listings, tuple(rendered))


def _stretch(pair: Pair, runs: Runs, candidate: Candidate, is_summary: bool) -> Stretch:
    is_whole = is_summary or candidate.kind == "verbatim"
    boxes = [candidate.box] if is_whole else without_own_sentences(pair, candidate.box)
    parts = [candidate if box == candidate.box else examine_box(pair, box) for box in boxes]
    is_whole_sentences = candidate.kind == "verbatim" and not candidate.extent.evidence_a
    evidence = evidence_of(pair, candidate.first_box or candidate.box, runs)
    return Stretch(evidence, tuple(parts), is_whole_sentences)


def _place(passage: Passage) -> tuple[int, int, int, int]:
    return passage.a.start, passage.a.end, passage.b.start, passage.b.end
