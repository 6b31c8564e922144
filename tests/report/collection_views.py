"""Views of collections made up for the page: known groups of documents, known similarities."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from random import Random

from likewise.model import Span
from likewise.report.view import (
    ClusterView,
    CollectionView,
    MeasuresView,
    NoteView,
    PairView,
    PassageView,
    ProvenanceView,
    TextView,
    ThresholdView,
    UncheckedView,
)

WORDS = (
    "river evening copper meadow winter harvest степь вечер документ сходство өзен құжат мәтін"
).split()
HOSTILE = (
    "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">.docx",
    "\u202etxt.exe\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627.pdf",
    "\x00\x07\x1b[31m\u2028{{ 7 * 7 }}\ud83d\ude00/" + "d" * 40 + "/long " + "имя" * 80 + ".txt",
)


def prose(rng: Random, words: int) -> str:
    """Words without a meaning, in sentences of nine."""
    chosen = [rng.choice(WORDS) for _ in range(words)]
    rows = [chosen[at : at + 9] for at in range(0, words, 9)]
    return " ".join(f"{row[0].capitalize()} {' '.join(row[1:])}." for row in rows)


def collection(
    kind: str = "find",
    groups: Sequence[int] = (5, 3, 2, 2),
    *,
    threshold: float = 0.5,
    names: Sequence[str] | None = None,
    kept_pairs: int | None = None,
    is_held: bool = True,
    words: int = 60,
) -> CollectionView:
    """Groups of documents: within a group, each two are a pair.

    In two collections every other document stands in the second. Of `kept_pairs` only so many,
    the strongest, are in the report.
    """
    rng = Random(11)
    count = sum(groups)
    names = names or [f"group/essay {i + 1:03}.docx" for i in range(count)]
    sides = tuple(i % 2 if kind == "cross" else 0 for i in range(count))
    texts = tuple(_text(rng, name, words, kind != "dedup" and is_held) for name in names[:count])
    pairs = []
    first = 0
    for size in groups:
        weakest = rng.uniform(threshold, 0.9)
        for a, b in combinations(range(first, first + size), 2):
            if kind == "cross" and sides[a] == sides[b]:
                continue
            similarity = min(1.0, round(rng.uniform(weakest, 1.02), 2 + a % 2))
            pairs.append(_pair(rng, a, b, similarity, texts, kind != "dedup"))
        first += size
    pairs.sort(key=lambda pair: (-pair.similarity, pair.a, pair.b))
    clusters = tuple(
        ClusterView(members, weakest) for members, weakest in clusters_of(pairs, threshold)
    )
    return CollectionView(
        kind=kind,  # type: ignore[arg-type]
        made=ProvenanceView(
            "1.0", "2026-11-15T12:00:00Z", "words5", {"method": "exact", "shingle": 5}
        ),
        names={"find": (), "cross": ("essays", "archive"), "dedup": ("crawl.jsonl",)}[kind],
        measure="jaccard",
        threshold=threshold,
        method="exact join (every pair that reaches the threshold)",
        documents=count + 10,
        texts=texts,
        sides=sides,
        pairs=tuple(pairs[:kept_pairs]),
        all_pairs=len(pairs),
        histogram=tuple(
            sum(low / 100 <= pair.similarity < (low + 1) / 100 for pair in pairs)
            for low in range(101)
        ),
        clusters=clusters,
        all_clusters=len(clusters),
        thresholds=tuple(
            ThresholdView(at, len(reaching(pairs, at)), len(clusters_of(pairs, at)), 30 - i, 10 + i)
            for i, at in enumerate((0.5, 0.7, 0.9) if kind == "dedup" else ())
        ),
        unchecked=UncheckedView((("scan.pdf", "no text layer", None),), (), ()),
        notes=(NoteView("essay 003.docx", "hidden text", "white text", False, True),),
    )


def reaching(pairs: Sequence[PairView], threshold: float) -> list[PairView]:
    return [pair for pair in pairs if pair.similarity >= threshold]


def clusters_of(pairs: Sequence[PairView], threshold: float) -> list[tuple[tuple[int, ...], float]]:
    """Members and weakest tie of each cluster, by walking from document to document.

    The weakest tie that is needed is the highest threshold at which the cluster still holds.
    """
    found = []
    for members in _connected(reaching(pairs, threshold)):
        own = [pair for pair in pairs if pair.a in members]
        levels = sorted({pair.similarity for pair in own})
        broken = partial(_is_broken, own, members)
        weakest = levels[bisect_left(levels, True, key=broken) - 1]
        found.append((tuple(sorted(members)), weakest))
    return sorted(found, key=lambda cluster: (-len(cluster[0]), cluster[0]))


def _is_broken(pairs: Sequence[PairView], members: set[int], threshold: float) -> bool:
    return members not in _connected(reaching(pairs, threshold))


def _connected(pairs: Sequence[PairView]) -> list[set[int]]:
    around: dict[int, set[int]] = {}
    for pair in pairs:
        around.setdefault(pair.a, set()).add(pair.b)
        around.setdefault(pair.b, set()).add(pair.a)
    found = []
    left = set(around)
    while left:
        reached, edge = set(), {left.pop()}
        while edge:
            reached |= edge
            edge = {other for one in edge for other in around[one]} - reached
        left -= reached
        found.append(reached)
    return found


def _text(rng: Random, name: str, words: int, is_held: bool) -> TextView:
    text = prose(rng, words)
    middle = len(text) // 2
    return TextView(
        name=name,
        language="ru",
        sha256="0" * 64,
        is_file=True,
        length=len(text),
        words=words,
        pages=((1, 0, middle), (2, middle, len(text))),
        stretches=((0, text),) if is_held else (),
    )


def _pair(
    rng: Random, a: int, b: int, similarity: float, texts: Sequence[TextView], aligned: bool
) -> PairView:
    half = min(texts[a].length, texts[b].length) // 2
    passages = tuple(
        PassageView(
            source=0,
            a=Span(start, start + 80),
            b=Span(start + 5, start + 90),
            kind=rng.choice(("verbatim", "edited", "rewritten")),
            score=0.9,
            words=12,
            holders=1,
            pages_a=(1, 1),
            pages_b=(1, 2),
            differs_a=(Span(start + 10, start + 16),),
            differs_b=(Span(start + 15, start + 25),),
            number=number,
        )
        for number, start in enumerate((0, half), 1)
    )
    contained = min(1.0, round(similarity + 0.05, 3))
    measures = MeasuresView(
        values={
            "jaccard": similarity,
            "containment_a": contained,
            "containment_b": similarity,
            "dice": contained,
            "signature": similarity,
            "tfidf": contained,
            "words": 0.2,
        },
        agreement=similarity,
        low=0.5,
        high=1.0,
        level=99,
        inside=("shingles", "signature", "tfidf"),
    )
    return PairView(
        a=a,
        b=b,
        similarity=similarity,
        measures=measures if aligned else None,
        jaccard=similarity,
        containment_a=contained,
        containment_b=similarity,
        passages=passages if aligned else (),
    )
