"""The view of pairs and clusters: inside one collection, or between two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from likewise.align import with_passages
from likewise.language import Lexicon
from likewise.model import Cluster, Document, Match, Matches, Span
from likewise.progress import Progress
from likewise.report.check import measures_view
from likewise.report.passages import PairPassages, number_passages
from likewise.report.provenance import provenance_of
from likewise.report.texts import TextBudget, note_views, text_view, unread_views
from likewise.report.view import (
    ClusterView,
    CollectionView,
    PairView,
    TextView,
    UncheckedView,
)

MOST_PAIRS = 5_000
MOST_CLUSTERS = 500
MOST_MEMBERS = 200
MOST_CHARS = 6_000_000  # of all documents together
CHARS_OF_CORRESPONDENCES = 2_000_000  # of all pairs together


def view_of_matches(
    matches: Matches,
    date: str | None = None,
    *,
    other_languages: int | None = None,
    progress: Progress | None = None,
) -> CollectionView:
    """Pairs, strongest first, each with its passages, and the clusters they make."""
    matches = with_passages(matches)
    lexicon = Lexicon(matches.settings)
    texts = TextList(is_crossed=matches.is_crossed)
    pairs: list[PairView] = []
    budget = TextBudget(CHARS_OF_CORRESPONDENCES)
    by_words = len(matches) - (matches.pairs_by_meaning or 0)
    ranks = [*range(min(by_words, MOST_PAIRS))]
    ranks += range(by_words, min(len(matches), by_words + MOST_PAIRS))
    for done, k in enumerate(ranks, 1):
        pairs.append(_pair(matches[k], texts, matches.settings.measure, lexicon, budget))
        if progress:
            progress("comparing passages", done, len(ranks))
    others = sum(collection.other_languages for collection in matches.collections)
    labels = matches.names if matches.is_crossed else ()
    clusters = _clusters(matches.clusters, texts, labels)
    views, sides = texts.views()
    return CollectionView(
        kind="cross" if matches.is_crossed else "find",
        made=provenance_of(matches, date),
        names=matches.names,
        measure=matches.settings.measure,
        threshold=matches.settings.threshold,
        method=matches.method,
        documents=matches.documents,
        texts=views,
        sides=sides,
        pairs=tuple(pairs),
        all_pairs=by_words + sum(pair.by_meaning for pair in pairs),
        histogram=matches.histogram,
        clusters=clusters,
        all_clusters=len(matches.clusters),
        thresholds=(),
        unchecked=UncheckedView(
            unread=unread_views(matches.unread),
            skipped=(),
            left_out=(),
            other_languages=others if other_languages is None else other_languages,
        ),
        notes=note_views(matches.notes),
        by_meaning=matches.pairs_by_meaning is not None,
    )


class TextList:
    """The documents that pairs and clusters name, numbered as they come."""

    def __init__(self, *, is_crossed: bool = False) -> None:
        self._is_crossed = is_crossed
        self._numbers: dict[tuple[int, str], int] = {}
        self._documents: list[Document | None] = []
        self._spans: list[list[Span]] = []

    def number(self, name: str, side: int = 0, document: Document | None = None) -> int:
        """The number of a document; the same for the same name on the same side."""
        side = side if self._is_crossed else 0
        number = self._numbers.setdefault((side, name), len(self._documents))
        if number == len(self._documents):
            self._documents.append(document)
            self._spans.append([])
        return number

    def keep(self, number: int, spans: Iterable[Span]) -> None:
        """These spans are shown."""
        self._spans[number].extend(spans)

    def knows(self, name: str, side: int) -> bool:
        return (side, name) in self._numbers

    def views(self) -> tuple[tuple[TextView, ...], tuple[int, ...]]:
        """The documents, and the number of the collection of each."""
        budget = TextBudget(MOST_CHARS)
        sides, views = [], []
        for (side, name), number in self._numbers.items():
            document = self._documents[number]
            sides.append(side)
            views.append(
                text_view(document, self._spans[number], budget=budget)
                if document
                else TextView(name, None, "", False, 0, 0, (), ())
            )
        return tuple(views), tuple(sides)


def _pair(
    match: Match, texts: TextList, measure: str, lexicon: Lexicon, budget: TextBudget
) -> PairView:
    if match.documents is None:
        raise ValueError("a match without its documents has nothing to show")
    a, b = match.documents
    one, two = texts.number(a.name, 0, a), texts.number(b.name, 1, b)
    pair_passages = PairPassages(a, b, lexicon, budget)
    passages = tuple(
        pair_passages.view(passage, counts=i < len(match.passages))
        for i, passage in enumerate((*match.passages, *match.fragments))
    )
    texts.keep(one, (passage.a for passage in (*match.passages, *match.fragments)))
    texts.keep(two, (passage.b for passage in (*match.passages, *match.fragments)))
    containment = max(match.containment_a, match.containment_b)
    return PairView(
        a=one,
        b=two,
        similarity=containment if measure == "containment" else match.jaccard,
        measures=measures_view(match),
        jaccard=match.jaccard,
        containment_a=match.containment_a,
        containment_b=match.containment_b,
        passages=number_passages(passages),
        by_meaning=match.meaning_share is not None,
    )


def _clusters(
    clusters: Sequence[Cluster], texts: TextList, names: Sequence[str]
) -> tuple[ClusterView, ...]:
    """The largest clusters; members of crossed collections are found by name or by side/name."""

    def number(member: str) -> int:
        for side, label in enumerate(names):
            bare = member.removeprefix(f"{label}/")
            if bare != member and texts.knows(bare, side):
                return texts.number(bare, side)
        is_second = bool(names) and texts.knows(member, 1) and not texts.knows(member, 0)
        return texts.number(member, int(is_second))

    largest = sorted(clusters, key=lambda cluster: -len(cluster))[:MOST_CLUSTERS]
    return sort_clusters(
        ClusterView(
            members=tuple(number(member) for member in cluster.members[:MOST_MEMBERS]),
            weakest=cluster.weakest,
            more=max(0, len(cluster) - MOST_MEMBERS),
        )
        for cluster in largest
    )


def sort_clusters(clusters: Iterable[ClusterView]) -> tuple[ClusterView, ...]:
    """Clusters as the page numbers them: the largest first, of equals by their first documents."""
    sorted_inside = (replace(each, members=tuple(sorted(each.members))) for each in clusters)
    return tuple(
        sorted(sorted_inside, key=lambda each: (-len(each.members) - each.more, each.members))
    )
