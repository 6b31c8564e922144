"""A deduplication as a report shows it: texts stay in the corpus, records are named by id."""

from __future__ import annotations

from itertools import islice

from likewise.corpus.dedup import AtThreshold, Deduped
from likewise.model import Unread
from likewise.report.matches import (
    MOST_CLUSTERS,
    MOST_MEMBERS,
    MOST_PAIRS,
    TextList,
    sort_clusters,
)
from likewise.report.provenance import provenance_view
from likewise.report.texts import unread_views
from likewise.report.view import (
    ClusterView,
    CollectionView,
    PairView,
    ThresholdView,
    UncheckedView,
)


def view_of_dedup(result: Deduped, date: str | None = None) -> CollectionView:
    """Pairs and clusters at the lowest threshold, and what every threshold comes to."""
    lowest = result.results[0]
    own = len(lowest.kept)
    against = result.against
    texts = TextList(is_crossed=against is not None)
    by_containment = result.settings.measure == "containment"
    pairs = []
    for pair in islice(result.pairs(lowest), MOST_PAIRS):
        contained = max(pair.containment_a, pair.containment_b)
        pairs.append(
            PairView(
                a=texts.number(pair.a, 0),
                b=texts.number(pair.b, 1),
                similarity=contained if by_containment else pair.jaccard,
                measures=None,
                jaccard=pair.jaccard,
                containment_a=pair.containment_a,
                containment_b=pair.containment_b,
                passages=(),
            )
        )
    largest = sorted(lowest.clusters, key=lambda cluster: -len(cluster.members))
    clusters = sort_clusters(
        ClusterView(
            members=tuple(
                texts.number(result.ids[place], int(place >= own))
                for place in cluster.members[:MOST_MEMBERS]
            ),
            weakest=cluster.weakest,
            more=max(0, len(cluster.members) - MOST_MEMBERS),
        )
        for cluster in largest[:MOST_CLUSTERS]
    )
    views, sides = texts.views()
    corpora = [result.corpus, *([against] if against is not None else [])]
    unread = [Unread(str(bad.place), bad.reason) for c in corpora for bad in c.bad]
    return CollectionView(
        kind="dedup",
        made=provenance_view(result.settings, date),
        names=tuple(corpus.path.name for corpus in corpora),
        measure=result.settings.measure,
        threshold=lowest.threshold,
        method=result.method,
        documents=own,
        texts=views,
        sides=sides,
        pairs=tuple(pairs),
        all_pairs=len(lowest.pairs),
        histogram=lowest.pairs.histogram(),
        clusters=clusters,
        all_clusters=len(lowest.clusters),
        thresholds=tuple(_threshold(at) for at in result.results),
        unchecked=UncheckedView(
            unread=unread_views(unread), skipped=tuple(result.corpus.left_out), left_out=()
        ),
        notes=(),
    )


def _threshold(at: AtThreshold) -> ThresholdView:
    return ThresholdView(
        threshold=at.threshold,
        pairs=len(at.pairs),
        clusters=len(at.clusters),
        kept=len(at.kept) - at.removed,
        removed=at.removed,
    )
