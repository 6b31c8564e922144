"""Near-duplicates out of a corpus: the local batch job.

Read and sketch, join, cluster, choose who stays, write. Everything is decided on exact counts.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from likewise.corpus.meaning import MeaningPair, find_meaning_pairs
from likewise.corpus.output import Cleaned, ensure_output, write_clean
from likewise.corpus.streams import Corpus
from likewise.errors import BadSettings
from likewise.language import Lexicon
from likewise.measure import containment, jaccard
from likewise.progress import Progress, count_of
from likewise.search import Component, Pairs, components, similar
from likewise.settings import Settings
from likewise.sketch import build_sets, common_words

Keep = Literal["first", "longest"]


@dataclass(frozen=True, slots=True)
class CorpusPair:
    """Two records that are alike, by their ids."""

    a: str
    b: str
    jaccard: float
    containment_a: float
    containment_b: float


@dataclass(frozen=True, slots=True, eq=False)
class AtThreshold:
    """What one threshold comes to: the pairs, the clusters, and which records stay."""

    threshold: float
    pairs: Pairs
    clusters: list[Component]
    kept: NDArray[np.bool_]  # a flag for each place of the corpus

    @property
    def removed(self) -> int:
        """How many records go."""
        return int(np.count_nonzero(~self.kept))


@dataclass(frozen=True, slots=True, eq=False)
class Deduped:
    """The result of a deduplication, for every threshold asked for."""

    corpus: Corpus
    against: Corpus | None
    ids: Sequence[str]  # of the corpus, then of what it was held against
    settings: Settings
    method: str
    compared: int
    wordless: int  # records without a word: they resemble nothing and stay
    results: tuple[AtThreshold, ...]

    def pairs(self, result: AtThreshold, most_copies: int | None = None) -> Iterator[CorpusPair]:
        """Every pair of a threshold, strongest first.

        Of more than `most_copies` records with equal sets only the first stands in pairs: `groups`
        has them all.
        """
        for a, b, shared, size_a, size_b in result.pairs.documents(most_copies):
            yield CorpusPair(
                self.ids[a],
                self.ids[b],
                jaccard(shared, size_a, size_b),
                containment(shared, size_a),
                containment(shared, size_b),
            )

    def groups(self, result: AtThreshold, most_copies: int) -> Iterator[list[str]]:
        """The ids of each group of more than so many records with equal sets."""
        for members in result.pairs.large_groups(most_copies):
            yield [self.ids[place] for place in members]

    def kept_ids(self, result: AtThreshold) -> Iterator[str]:
        """The ids of the records that stay."""
        return (self.ids[place] for place in np.flatnonzero(result.kept).tolist())

    def pairs_by_meaning(self, progress: Progress | None = None) -> list[MeaningPair]:
        """What was rewritten or translated among the records that stay at the lowest threshold.

        Against another corpus: which of these was rewritten or translated from one of its records,
        or it from them. Nothing is removed for it. The texts are read again, and held in memory.
        """
        stays = self.results[0].kept
        records = [record for record in self.corpus.records() if stays[record.place]]
        sides = None
        if self.against is not None:
            old = list(self.against.records())
            sides = [0] * len(records) + [1] * len(old)
            records += old
        step = count_of(progress, "looking by meaning", len(records))
        ids, texts = [record.id for record in records], [record.text for record in records]
        return find_meaning_pairs(ids, texts, self.settings, step, sides=sides)

    def write(self, output: str | Path, progress: Progress | None = None) -> list[Cleaned]:
        """The cleaned corpus in the input's own format, a folder for each of several thresholds."""
        total = self.corpus.size_bytes
        cleaned = []
        for result in self.results:
            folder = Path(output)
            if len(self.results) > 1:
                folder /= f"{result.threshold:g}"
            cleaned_corpus = write_clean(
                self.corpus,
                result.kept,
                folder,
                progress=count_of(progress, "writing", total),
            )
            cleaned.append(cleaned_corpus)
        return cleaned


def lowest_first(
    settings: Settings, thresholds: Sequence[float]
) -> tuple[tuple[float, ...], Settings]:
    """The thresholds, ascending, and the settings for the lowest; each must be a sensible one."""
    ascending = tuple(sorted(set(thresholds) or {settings.threshold}))
    for threshold in ascending:
        settings.but(threshold=threshold)
    return ascending, settings.but(threshold=ascending[0])


def dedup_corpus(
    corpus: Corpus,
    settings: Settings,
    *,
    thresholds: Sequence[float] = (),
    against: Corpus | None = None,
    keep: Keep = "first",
    output: str | Path | None = None,
    jobs: int = 1,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Deduped:
    """Find the near-duplicates of a corpus, or what of it stands in another one.

    Inside one corpus each cluster keeps one record: the first, or the longest (the first of those).
    Against another, every record goes that is alike to one of the other's; nothing is compared
    inside the corpus itself.
    """
    if keep not in ("first", "longest"):
        raise BadSettings("corpus.keep", keep=keep)
    if settings.filter != "prefix":
        raise BadSettings("corpus.find_filters")
    ascending, settings = lowest_first(settings, thresholds)
    if output is not None:
        ensure_output(output, corpus)

    reading = _TextStream(corpus, against, progress)
    lexicon = Lexicon(settings)
    if settings.drop_common is not None:
        common = common_words(reading.texts(), lexicon, settings.drop_common, jobs=jobs)
        lexicon = lexicon.without(common)
    sets = build_sets(reading.texts(), settings, lexicon, jobs=jobs, memory=memory)
    if progress:
        progress("joining", 0, 0)
    own = reading.own
    sides = None
    if against is not None:
        sides = np.repeat(np.array([0, 1], dtype=np.uint8), [own, len(sets) - own])
    pairs = similar(sets, settings, sides=sides, jobs=jobs, memory=memory)
    results = []
    for threshold in ascending:
        reached = pairs.at_least(threshold)
        clusters = components(reached)
        keep_mask = (
            _keep_by_cluster(clusters, reading.lengths, keep)
            if against is None
            else _keep_against(reached, own)
        )
        results.append(AtThreshold(threshold, reached, clusters, keep_mask))
    return Deduped(
        corpus,
        against,
        reading.ids,
        settings,
        pairs.method,
        pairs.compared,
        int(np.count_nonzero(sets.sizes[:own] == 0)),
        tuple(results),
    )


class _TextStream:
    """The texts of both corpora as one stream, with their ids and lengths noted on the way."""

    def __init__(self, corpus: Corpus, against: Corpus | None, progress: Progress | None) -> None:
        self._corpora = [corpus] if against is None else [corpus, against]
        self._total = sum(each.size_bytes for each in self._corpora)
        self._progress = progress
        self.ids: list[str] = []
        self.lengths: array[int] = array("q")
        self.own = 0

    def texts(self) -> Iterator[str]:
        self.ids.clear()
        self.lengths = array("q")
        before = 0
        for corpus in self._corpora:
            for record in corpus.records(count_of(self._progress, "reading", self._total, before)):
                self.ids.append(record.id)
                self.lengths.append(len(record.text))
                yield record.text
            before += corpus.size_bytes
            if corpus is self._corpora[0]:
                self.own = len(self.ids)


def _keep_by_cluster(
    clusters: Sequence[Component], lengths: Sequence[int], keep: Keep
) -> NDArray[np.bool_]:
    keep_mask = np.ones(len(lengths), dtype=bool)
    for cluster in clusters:
        stays = cluster.members[0]
        if keep == "longest":
            stays = min(cluster.members, key=lambda place: (-lengths[place], place))
        keep_mask[list(cluster.members)] = False
        keep_mask[stays] = True
    return keep_mask


def _keep_against(pairs: Pairs, own: int) -> NDArray[np.bool_]:
    keep_mask = np.ones(own, dtype=bool)
    for groups in (pairs.left, pairs.right):
        for group in np.unique(groups).tolist():
            members = pairs.copies.of(group)
            keep_mask[members[members < own]] = False
    return keep_mask
