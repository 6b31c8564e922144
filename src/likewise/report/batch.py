"""The view of a batch: many checks on one dashboard, and what they share with each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from likewise.align import with_passages
from likewise.model import Check, Matches, Unread
from likewise.progress import Progress
from likewise.report.check import view_of_check
from likewise.report.matches import MOST_CLUSTERS, MOST_MEMBERS, sort_clusters, view_of_matches
from likewise.report.names import label_batch
from likewise.report.provenance import provenance_of
from likewise.report.texts import TextBudget, unread_views
from likewise.report.view import (
    BatchView,
    CheckView,
    ClusterView,
    PairView,
    TextView,
    UncheckedView,
)

CHARS_OF_SOURCES = 12_000_000  # that the report holds beside the checked texts, of all together


def view_of_batch(
    checks: Sequence[Check],
    matches: Matches,
    *,
    against: str = "",
    unread: Sequence[Unread] = (),
    date: str | None = None,
    progress: Progress | None = None,
) -> BatchView:
    """Each document of a batch as its own report would show it, the most similar first."""
    provenance = provenance_of(with_passages(matches), date)
    budget = TextBudget(CHARS_OF_SOURCES)
    views: list[CheckView] = []
    for number, check in enumerate(checks, 1):
        views.append(view_of_check(check, provenance.date, budget=budget))
        if progress:
            progress("comparing passages", number, len(checks))
    views.sort(key=lambda view: (-_similar(view), view.document.name))
    view = BatchView(
        kind="batch",
        made=provenance,
        against=against,
        checks=tuple(views),
        collection=view_of_matches(matches, provenance.date, progress=progress),
        unchecked=UncheckedView(
            unread=unread_views(unread),
            skipped=(),
            left_out=(),
        ),
    )
    return count_pairs(label_batch(view))


def _similar(view: CheckView) -> Fraction:
    """The similar share as it is, not as it is rounded."""
    return Fraction(view.shares.similar, view.shares.whole or 1)


# The documents of a batch in a line each, as tables of every kind list them.


STEPS = (5, 25, 75)  # percent of similar text, where the verdict's words change


@dataclass(frozen=True, slots=True)
class Closest:
    """Which other of a batch holds most of a document."""

    text: TextView
    share: float  # of the document, that stands there
    is_later: bool = False  # it came when the document had been checked: its report has it not


@dataclass(frozen=True, slots=True)
class Member:
    """A document of a batch: what holds most of it, and which other of the batch is closest.

    Both are measured alike, as the share of its text that stands in the other: where the best
    source is of the batch, it is the closest too, unless a later one holds more.
    """

    check: CheckView
    best: int | None  # its source that covers most of it
    is_best_of_batch: bool
    closest: Closest | None
    tricks: tuple[str, ...]  # kinds of disguises
    in_part: bool


def members_of(view: BatchView) -> tuple[Member, ...]:
    """One for each check, in the same order."""
    handed_in = {(check.document.name, check.document.sha256) for check in view.checks}
    later = _later_ones(view)
    members = []
    for check in view.checks:
        of_batch = {
            i
            for i, source in enumerate(check.sources)
            if (source.text.name, source.text.sha256) in handed_in
        }
        best = best_source(check)
        own = [note for note in check.notes if note.name == check.document.name]
        members.append(
            Member(
                check=check,
                best=best,
                is_best_of_batch=best in of_batch,
                closest=_closest(check, of_batch, later[check.document.name]),
                tricks=tuple(dict.fromkeys(note.kind for note in own if note.is_disguise)),
                in_part=any(note.in_part for note in own),
            )
        )
    return tuple(members)


def _later_ones(view: BatchView) -> dict[str, list[Closest]]:
    """Of each document that was checked before, the later ones that share its text."""
    found: dict[str, list[Closest]] = defaultdict(list)
    texts = view.collection.texts
    for pair in view.collection.pairs:
        if pair.later:
            (here, there) = (pair.a, pair.b) if pair.later == "b" else (pair.b, pair.a)
            share = pair.containment_a if pair.later == "b" else pair.containment_b
            found[texts[here].name].append(Closest(texts[there], share, is_later=True))
    return found


def _closest(check: CheckView, of_batch: Iterable[int], later: Iterable[Closest]) -> Closest | None:
    own = _most_covering(check, of_batch)
    candidates = list(later)
    if own is not None:
        source = check.sources[own]
        candidates.insert(0, Closest(source.text, source.covered / (check.shares.whole or 1)))
    return max((one for one in candidates if one.share), key=lambda one: one.share, default=None)


def with_order(view: BatchView, checked: Mapping[str, int]) -> BatchView:
    """A batch whose documents did not come at once, by name the turn in which each was checked.

    The report of the one that was checked first does not know of the other, but the pair does: how
    much of the first stands in the other is told by the other's report.
    """
    texts = view.collection.texts

    def later_of(pair: PairView) -> Literal["", "a", "b"]:
        a, b = (checked.get(texts[one].name) for one in (pair.a, pair.b))
        return "" if a is None or b is None or a == b else "b" if a < b else "a"

    pairs = tuple(replace(pair, later=later_of(pair)) for pair in view.collection.pairs)
    return count_pairs(replace(view, collection=replace(view.collection, pairs=pairs)))


def count_pairs(view: BatchView) -> BatchView:
    """The batch with its pairs and clusters measured as its documents are: by the text that counts.

    They are found by words, whatever of these counts; told is what stands in the reports of both,
    so that two documents have one figure everywhere. Which of them are pairs, and what clusters
    they make, follows from that figure.
    """
    collection = view.collection
    texts = collection.texts
    shares = {
        (check.document.name, source.text.name, source.text.sha256): source.covered
        / (check.shares.whole or 1)
        for check in view.checks
        for source in check.sources
    }
    shares_of_sources = {
        (source.text.name, source.text.sha256, check.document.name): source.covered_b
        / (source.whole_b or 1)
        for check in view.checks
        for source in check.sources
    }

    def counted(pair: PairView) -> PairView:
        a, b = texts[pair.a], texts[pair.b]
        in_b = shares.get((a.name, b.name, b.sha256), 0.0)
        in_a = shares.get((b.name, a.name, a.sha256), 0.0)
        if pair.later == "b":  # a's report does not know of b
            in_b = shares_of_sources.get((a.name, a.sha256, b.name), 0.0)
        elif pair.later == "a":
            in_a = shares_of_sources.get((b.name, b.sha256, a.name), 0.0)
        return replace(pair, similarity=max(in_a, in_b), containment_a=in_b, containment_b=in_a)

    pairs = [counted(pair) for pair in collection.pairs]
    if collection.all_pairs > len(pairs):  # of weaker ones only the number is known
        return replace(view, collection=replace(collection, pairs=tuple(pairs)))
    kept = [pair for pair in pairs if pair.similarity >= collection.threshold or pair.by_meaning]
    kept.sort(key=lambda pair: (pair.by_meaning, -pair.similarity))
    by_words = [pair for pair in kept if not pair.by_meaning]
    histogram = [0] * len(collection.histogram)
    for pair in by_words:
        histogram[int(100 * pair.similarity + 1e-9)] += 1
    clusters = _clusters(by_words)
    counted_collection = replace(
        collection,
        pairs=tuple(kept),
        all_pairs=len(kept),
        histogram=tuple(histogram),
        clusters=clusters[:MOST_CLUSTERS],
        all_clusters=len(clusters),
    )
    return replace(view, collection=counted_collection)


def _clusters(pairs: Sequence[PairView]) -> tuple[ClusterView, ...]:
    """What pairs tie together, the strongest first: twin of collection/clusters.ts of the pages."""
    parent: dict[int, int] = {}
    weakest: dict[int, float] = {}

    def root(node: int) -> int:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for pair in pairs:
        a, b = sorted((root(pair.a), root(pair.b)))
        if a != b:
            parent[b] = a
            weakest[a] = pair.similarity
    together: dict[int, list[int]] = {}
    for node in list(parent):
        together.setdefault(root(node), []).append(node)
    return sort_clusters(
        ClusterView(
            members=tuple(sorted(members)[:MOST_MEMBERS]),
            weakest=weakest[top],
            more=max(0, len(members) - MOST_MEMBERS),
        )
        for top, members in together.items()
    )


def best_source(check: CheckView) -> int | None:
    """The source that covers most of a text, of equals the first in the list."""
    return _most_covering(check, range(len(check.sources)))


def _most_covering(check: CheckView, sources: Iterable[int]) -> int | None:
    covering = sorted(i for i in sources if check.sources[i].covered)
    return max(covering, key=lambda i: check.sources[i].covered, default=None)


def similar_from(check: CheckView, percent: int) -> bool:
    """Whether so many percent of a text are similar, or more."""
    shares = check.shares
    return shares.similar > 0 and shares.similar * 100 >= percent * shares.whole
