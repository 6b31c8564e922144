"""Where exactly two documents share text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import ge

import numpy as np
from numpy.typing import NDArray

from likewise.align import meaning
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
from likewise.align.meaning import Rendering, meaning_of
from likewise.align.own_sentences import without_own_sentences
from likewise.align.pair import Box, Pair, pair_of
from likewise.align.seeds import NO_RUNS, RUN, Runs, runs_of, seeds_of
from likewise.align.sentences import equal_sentences, scattered_rows, with_scattered
from likewise.align.side import Side, side_of
from likewise.align.summaries import summary_of
from likewise.language import borrow_lexicon, detect
from likewise.model import Document, Kind, Passage, Span
from likewise.settings import Settings

_COPIED = ("verbatim", "edited")  # what stays as it is, whatever it means
_WORD_FOR_WORD = 0.9  # of the words of a rendering: then it is none
_MOST = 4, 5  # of a rendering: then the words say it already


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
    ) -> Alignment:
        """The passages that are more than chance among so many documents.

        A document that holds one beyond doubt is a source, and further passages from it are looked
        for in one document, not in many. Whatever is not shown as a passage is shown as a run.
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
        needed_by_meaning = self._needed_by_meaning(1 if is_source else documents)
        held = self._held(background, with_source, common_words)
        rendered = self._second_look([part for part, _ in parts], needed_by_meaning, held)
        parts = [
            (part, expected)
            for part, expected in parts
            if part.kind in _COPIED or not any(_gives_way(part.box, each.box) for each in rendered)
        ]
        passages = [self._passage(part, expected) for part, expected in parts]
        passages += [self._passage_by_meaning(each, needed_by_meaning) for each in rendered]
        boxes = [part.box for part, _ in parts] + [each.box for each in rendered]
        boxes += self.repeated if accepted else ()
        fragments = fragments_of(self.a.whole, self.b.whole, self.runs, boxes)
        return Alignment(tuple(sorted(passages, key=_place)), fragments, self.listings)

    def _needed_by_meaning(self, documents: int) -> int:
        if not self.renderings:
            return 0
        return meaning.score_needed(meaning_of(self.a), meaning_of(self.b), documents)

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

    def _second_look(
        self, parts: list[Candidate], needed: int, held: NDArray[np.float64] | None
    ) -> list[Rendering]:
        """What says the same in other words, where no passage explains it already.

        What was copied or edited stays as it is. Where it is only a part of something larger, the
        rest is looked at without it.
        """
        sides = meaning_of(self.a), meaning_of(self.b)

        def is_sure(each: Rendering) -> bool:
            if each.score < needed or held is None:
                return each.score >= needed
            return meaning.score_among(*sides, each, held) >= needed

        sure = list(filter(is_sure, self.renderings))
        copied = [part.box for part in parts if part.kind in _COPIED]
        loose = [part.box for part in parts if part.kind not in _COPIED]
        if any(self._has_rest(each.box, copied) for each in sure):
            rest = self.a.without(self.a.span(box.a0, box.a1) for box in copied)
            anew = meaning.renderings(meaning_of(rest), sides[1])
            sure = [
                each._replace(box=box)
                for each in filter(is_sure, anew)
                for box in self._around(each.box, copied)
            ]
        else:
            sure = [each for each in sure if not any(map(each.box.meets_in_a, copied))]
        chosen: list[Rendering] = []
        for each in sure:
            if not any(_explains(box, each.box) for box in loose) and not any(
                each.box.meets_in_a(other.box) for other in chosen
            ):
                chosen.append(each)
        return [each for each in chosen if not self._is_word_for_word(each.box)]

    def _is_word_for_word(self, box: Box) -> bool:
        """Whether nearly all of it is copied: words had their say on that already."""
        here, there = self.a.span(box.a0, box.a1), self.b.span(box.b0, box.b1)
        literal, _ = unchanged_words(here.of(self.a.text), there.of(self.b.text))
        return literal >= _WORD_FOR_WORD

    def _has_rest(self, box: Box, copied: list[Box]) -> bool:
        """Whether there is something of it beside what was copied in it."""
        inside = list(filter(box.meets_in_a, copied))
        return bool(inside) and bool(self._around(box, inside))

    def _around(self, box: Box, copied: list[Box]) -> list[Box]:
        """What is left of it between what was copied."""
        pieces, start = [], box.a0
        for other in sorted(filter(box.meets_in_a, copied)):
            pieces.append(box._replace(a0=start, a1=max(other.a0, start)))
            start = max(start, other.a1)
        pieces.append(box._replace(a0=start, a1=max(box.a1, start)))
        counted = np.concatenate(([0], np.cumsum(self.a.hash != 0)))
        return [
            piece
            for piece in pieces
            if int(counted[piece.a1] - counted[piece.a0]) >= meaning.FEWEST_WORDS
        ]

    def _passage_by_meaning(self, rendering: Rendering, needed: int) -> Passage:
        """A passage that was found by meaning."""
        box = rendering.box
        a, b = self.a.span(box.a0, box.a1), self.b.span(box.b0, box.b1)
        here, there = a.of(self.a.text), b.of(self.b.text)
        languages = detect(here) or detect(self.a.text), detect(there) or detect(self.b.text)
        kind: Kind = "summarised" if rendering.is_summary else "rewritten"
        both = None
        if languages[0] and languages[1] and languages[0] != languages[1]:
            kind, both = "translated", (languages[0], languages[1])
        literal, unchanged = unchanged_words(here, there, a.start)
        return Passage(
            a,
            b,
            kind,
            meaning.likeness(meaning_of(self.a), meaning_of(self.b), box),
            literal,
            meaning.expected_number(rendering.score, needed),
            both,
            by_meaning=True,
            unchanged=unchanged,
        )

    def _passage(self, part: Candidate, expected: float) -> Passage:
        box = part.first_box or part.box
        a, b = self.a.span(box.a0, box.a1), self.b.span(box.b0, box.b1)
        literal, unchanged = unchanged_words(a.of(self.a.text), b.of(self.b.text), a.start)
        if part.first_box:  # what is said again is as the first time
            unchanged = (part.a,)
        return Passage(
            part.a, part.b, part.kind, part.score, literal, expected, unchanged=unchanged
        )

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
    copied = [one.box for one in distinct if one.kind in _COPIED]
    rendered = meaning.renderings(meaning_of(a), meaning_of(b), copied) if by_meaning else []
    return Draft(a, b, shown_runs, stretches, repeated, listings, tuple(rendered))


def _stretch(pair: Pair, runs: Runs, candidate: Candidate, is_summary: bool) -> Stretch:
    is_whole = is_summary or candidate.kind == "verbatim"
    boxes = [candidate.box] if is_whole else without_own_sentences(pair, candidate.box)
    parts = [candidate if box == candidate.box else examine_box(pair, box) for box in boxes]
    is_whole_sentences = candidate.kind == "verbatim" and not candidate.extent.evidence_a
    evidence = evidence_of(pair, candidate.first_box or candidate.box, runs)
    return Stretch(evidence, tuple(parts), is_whole_sentences)


def _explains(loose: Box, rendering: Box) -> bool:
    """Whether a loose passage by words is most of what a rendering says."""
    overlap = min(loose.a1, rendering.a1) - max(loose.a0, rendering.a0)
    if not loose.meets(rendering):
        return False
    is_most = _MOST[1] * overlap >= _MOST[0] * (rendering.a1 - rendering.a0)
    return is_most or not _gives_way(loose, rendering)


def _gives_way(loose: Box, rendering: Box) -> bool:
    """Whether a rendering says most of a loose passage, and more."""
    overlap = min(loose.a1, rendering.a1) - max(loose.a0, rendering.a0)
    return loose.meets(rendering) and 2 * overlap >= loose.a1 - loose.a0


def _place(passage: Passage) -> tuple[int, int, int, int]:
    return passage.a.start, passage.a.end, passage.b.start, passage.b.end
