"""The paper of a collection, of two, or of a corpus."""

from __future__ import annotations

from likewise.catalogue import Words
from likewise.report.characters import in_one_line, shorten
from likewise.report.paper.blocks import (
    Block,
    BothSides,
    Facts,
    Histogram,
    Paper,
    Paragraph,
    Section,
    Table,
)
from likewise.report.paper.passages import corresponding_words, side
from likewise.report.paper.sections import (
    LONGEST_NAME,
    appendix,
    notes_section,
    provenance_rows,
    settings_blocks,
    tricks_section,
    unchecked_section,
)
from likewise.report.paper.sentences import (
    describe_passage,
    maker,
    of_records,
    on_pages,
    passage_number,
)
from likewise.report.view import ClusterView, CollectionView, PairView

MOST_PAIRS = 1000  # in the table
MOST_CLUSTERS = 300
MOST_MEMBERS = 40  # of a cluster, named
PAIRS_WITH_PASSAGES = 50
PASSAGES_OF_A_PAIR = 8


def paper_of_collection(view: CollectionView, words: Words) -> Paper:
    """What was found, the pairs and clusters, then the passages of the strongest pairs."""
    sections = [
        _summary(view, words),
        pairs_section(view, words),
        clusters_section(view, words),
        _thresholds(view, words),
        tricks_section(view.notes, words) if view.kind != "dedup" else None,
        unchecked_section(view.unchecked, view.notes, words),
        *_passages(view, words),
        *appendix(words, notes_section(view.notes, words), _provenance(view, words)),
    ]
    return Paper(
        title=words(f"title.{view.kind}"),
        name=" + ".join(map(in_one_line, view.names)),
        language=words.language,
        date=view.made.date,
        maker=maker(view.made, words),
        sections=tuple(section for section in sections if section),
    )


def _count_key(view: CollectionView) -> str:
    return "count.records" if view.kind == "dedup" else "count.documents"


def _summary(view: CollectionView, words: Words) -> Section:
    threshold = words.share(view.threshold)
    by_meaning = sum(pair.by_meaning for pair in view.pairs)
    counts = words(
        "collection.at_threshold",
        threshold=threshold,
        pairs=words("count.pairs", n=view.all_pairs - by_meaning),
        clusters=words("count.clusters", n=view.all_clusters),
    )
    if view.all_pairs:
        lead = counts
    elif view.by_meaning:
        lead = words("collection.no_pairs.by_meaning")
    else:
        lead = of_records("collection.no_pairs", view, words)
    blocks: list[Block] = [Paragraph(lead, "lead")]
    if by_meaning:
        blocks.append(Paragraph(words("collection.by_meaning", n=by_meaning)))
    blocks.append(Facts(measured_facts(view, words)))
    if any(view.histogram):
        blocks.append(Paragraph(words("collection.histogram"), "faint"))
        blocks.append(_histogram(view, words))
    if view.unchecked.unread or any(note.in_part for note in view.notes):
        blocks.append(Paragraph(words("verdict.in_part")))
    return Section(words("verdict.heading"), tuple(blocks))


def measured_facts(view: CollectionView, words: Words) -> tuple[tuple[str, str], ...]:
    """What was compared, and how."""
    return (
        (words("collection.compared"), words(_count_key(view), n=view.documents)),
        (words("collection.measure"), of_records(f"measure.{view.measure}", view, words)),
        (words("collection.threshold"), words.share(view.threshold)),
        (words("made.method"), _method(view, words)),
    )


def _method(view: CollectionView, words: Words) -> str:
    """How pairs were looked for, in the words of the page."""
    key = f"method.{view.made.settings.get('method')}"
    return words(key) if words.has(key) else in_one_line(view.method)


def _histogram(view: CollectionView, words: Words) -> Histogram:
    """Hundredths two by two: broad enough to be seen. What is all alike is in the last."""
    counts, tenths = [0] * 50, [0] * 10
    for hundredth, count in enumerate(view.histogram):
        counts[min(hundredth // 2, 49)] += count
        tenths[min(hundredth // 10, 9)] += count
    return Histogram(
        counts=tuple(counts),
        tenths=tuple(
            (f"{10 * i}–{10 * i + 10} %", words.number(count), count)
            for i, count in enumerate(tenths)
        ),
        threshold=min(view.threshold, 1.0),
        most=words("count.pairs", n=max(counts)),
        label=words("collection.similarity"),
    )


def pairs_section(view: CollectionView, words: Words) -> Section | None:
    """The strongest pairs."""
    if not view.pairs:
        return None
    rows = tuple(
        (
            words.number(number),
            words("kind.by_meaning") if pair.by_meaning else words.share(pair.similarity),
            shorten(view.texts[pair.a].called, LONGEST_NAME),
            shorten(view.texts[pair.b].called, LONGEST_NAME),
            words.share(pair.containment_a),
            words.share(pair.containment_b),
        )
        for number, pair in enumerate(view.pairs[:MOST_PAIRS], 1)
    )
    heads = (
        *("№", words("collection.similarity"), of_records("collection.first", view, words)),
        *(
            of_records("collection.second", view, words),
            words("collection.of_first"),
            words("collection.of_second"),
        ),
    )
    table = Table(heads, (0, 0, 5, 5, 2, 2), (True, True, False, False, True, True), rows)
    blocks: list[Block] = [table]
    if len(rows) < view.all_pairs:
        limit_note = words("collection.shown_pairs", n=len(rows), all=view.all_pairs)
        blocks.insert(0, Paragraph(limit_note, "faint"))
    return Section(words("collection.pairs"), tuple(blocks))


def clusters_section(view: CollectionView, words: Words) -> Section | None:
    """The largest clusters."""
    if not view.clusters:
        return None
    clusters = view.clusters[:MOST_CLUSTERS]
    rows = tuple(
        (words.number(number), *_cluster(cluster, view, words))
        for number, cluster in enumerate(clusters, 1)
    )
    heads = (
        "№",
        words("paper.size"),
        of_records("paper.members", view, words),
        words("paper.weakest"),
    )
    table = Table(heads, (0, 0, 8, 2), (True, True, False, True), rows)
    blocks: list[Block] = [table]
    if len(clusters) < view.all_clusters:
        limit_note = words("collection.shown_clusters", n=len(clusters), all=view.all_clusters)
        blocks.insert(0, Paragraph(limit_note, "faint"))
    return Section(words("collection.clusters"), tuple(blocks))


def _cluster(cluster: ClusterView, view: CollectionView, words: Words) -> tuple[str, str, str]:
    size = len(cluster.members) + cluster.more
    members = cluster.members[:MOST_MEMBERS]
    names = ", ".join(shorten(view.texts[member].called, 60) for member in members)
    if size > len(members):
        names += " " + words("collection.more_members", n=size - len(members))
    return words.number(size), names, words.share(cluster.weakest)


def _thresholds(view: CollectionView, words: Words) -> Section | None:
    if not view.thresholds:
        return None
    rows = tuple(
        (
            words.share(row.threshold),
            *(words.number(n) for n in (row.pairs, row.clusters, row.kept, row.removed)),
        )
        for row in view.thresholds
    )
    heads = (
        *(words("collection.threshold"), words("collection.pairs"), words("collection.clusters")),
        *(words("collection.kept"), words("collection.removed")),
    )
    table = Table(heads, (1,) * 5, (False, True, True, True, True), rows)
    return Section(words("collection.thresholds"), (table,))


def _provenance(view: CollectionView, words: Words) -> Section:
    names = tuple((words("paper.collection"), in_one_line(name)) for name in view.names)
    facts = Facts((*names, *provenance_rows(view.made, words)))
    return Section(words("made.heading"), (facts, *settings_blocks(view.made, words)))


def _passages(view: CollectionView, words: Words) -> list[Section]:
    """A section of its own for each of the strongest pairs."""
    if view.kind == "dedup":
        explanation = Paragraph(words("collection.no_passages"))
        return [Section(words("passage.heading"), (explanation,))] if view.pairs else []
    pairs = [pair for pair in view.pairs[:PAIRS_WITH_PASSAGES] if pair.passages]
    if not pairs:
        return []
    about: list[Block] = [Paragraph(words("paper.passages_of_pairs", n=len(pairs)))]
    top = Section(words("passage.heading"), tuple(about))
    numbers = {id(pair): number for number, pair in enumerate(view.pairs, 1)}
    return [top, *(_pair(pair, numbers[id(pair)], view, words) for pair in pairs)]


def _pair(pair: PairView, number: int, view: CollectionView, words: Words) -> Section:
    a, b = view.texts[pair.a], view.texts[pair.b]
    first, second = shorten(a.called, 60), shorten(b.called, 60)
    counting = [passage for passage in pair.passages if passage.counts] or list(pair.passages)
    longest = sorted(range(len(counting)), key=lambda i: (-counting[i].words, i))
    blocks: list[Block] = []
    if pair.measures:
        low, high = words.share(pair.measures.low), words.share(pair.measures.high)
        interval = words("measures.interval", level=str(pair.measures.level), low=low, high=high)
        agreement = (
            f"{words('measures.agreement')} {words.share(pair.measures.agreement)}; {interval}"
        )
        blocks.append(Paragraph(agreement, "faint"))
    for i in sorted(longest[:PASSAGES_OF_A_PAIR]):
        passage = counting[i]
        pages_a, pages_b = on_pages(passage.pages_a, words), on_pages(passage.pages_b, words)
        blocks.append(
            BothSides(
                number=passage_number(passage, words),
                source=None,
                facts=describe_passage(passage, words, with_holders=False),
                heads=(
                    ", ".join(part for part in (first, pages_a) if part),
                    ", ".join(part for part in (second, pages_b) if part),
                ),
                here=side(a, passage.a, passage.differs_a, words),
                there=side(b, passage.b, passage.differs_b, words),
            )
        )
        if line := corresponding_words(a, b, passage, words):
            blocks.append(Paragraph(line, "faint"))
        if passage.by_meaning:
            blocks.append(Paragraph(words("passage.by_meaning"), "faint"))
    if len(counting) > PASSAGES_OF_A_PAIR:
        limit_note = words("paper.longest", n=PASSAGES_OF_A_PAIR, all=len(counting))
        blocks.append(Paragraph(limit_note, "faint"))
    how = words("kind.by_meaning") if pair.by_meaning else words.share(pair.similarity)
    heading = f"{number}. {first} – {second}, {how}"
    return Section(heading, tuple(blocks), level=2)
