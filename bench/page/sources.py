"""The sources of rewritten and translated passages in libraries, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bench.page.tables import (
    Figure,
    Section,
    beside_peers,
    leading_number,
    probability,
    provenance,
    table,
    worse,
)

OURS = "**Likewise**, by meaning"
POOLS = ("rewritten", "translated")
CORPORA = ("rewritten", "unseen")
TARGETS = {"rewritten": 0.97, "translated": 0.93}  # of the corpus `rewritten`
TARGET_SIZE = 100_000  # documents
TARGET_CPU_MS = {100_000: 4, 1_000_000: 8}  # for each 1,000 words
PAIRS = (
    "English",
    "Russian",
    "Kazakh",
    "English to Russian",
    "English to Kazakh",
    "Russian to Kazakh",
)


def sources_page(sections: dict[str, Section]) -> Iterator[str]:
    """For each size of library who is found, by what, and what it costs."""
    section = sections.get("sources in a library")
    if section is None:
        return
    yield "## Sources in a library"
    yield (
        "Passages of 80 words and more, rewritten or translated from documents of the library, one "
        "to five in honest texts of 800 to 30,000 words that share no run of eight words with it: "
        "for how many is the source among the first ten documents of the answer to the whole text? "
        "The library is of real texts in three languages, each at most once; what more a size "
        "asks for is composed of their sentences, with words exchanged. *Unseen* are passages that "
        "nothing was chosen on. BM25 is asked paragraph by paragraph; *sum* adds what a document "
        "gets from all paragraphs, *best* takes the most that it gets from one. Peers, and "
        "ourselves where nothing is pruned, were asked about every sixth of the texts."
    )
    figures: list[Figure] = section["figures"]
    for size in sorted({figure["documents"] for figure in figures}):
        of_size = [figure for figure in figures if figure["documents"] == size]
        yield f"### {size:,} documents"
        yield from _recall(of_size, size)
        yield "In one language and from one to another (`rewritten`, all lengths):"
        yield from _pairs(of_size)
        yield "CPU milliseconds for each 1,000 words of the text, median / 95th percentile:"
        yield from _cost(of_size, size)
    yield from _lengths(figures)
    yield from _classes(figures)
    yield provenance(section)
    yield from _checks(sections.get("checks of rewritten texts"))


def _checks(section: Section | None) -> Iterator[str]:
    """What people see in the end: the passages that a whole check tells."""
    if section is None:
        return
    yield "### What a check tells"
    yield (
        "The same texts, checked: a passage is *told* if the check shows a passage from its source "
        "in it. The ten likeliest documents are aligned, and what chance would give among all "
        "documents of the library is not shown, so that no honest author is accused: a check tells "
        "less than the search finds, and the less the larger the library is."
    )
    figures: list[Figure] = section["figures"]
    classes = [figure for figure in figures if "told" in figure]
    kinds = sorted({figure["class"] for figure in classes})
    for name, members in (("kind", ("light", "heavy", "summary", "translated")), ("class", kinds)):
        rows = []
        for member in members:
            cells = [
                _told(
                    figure
                    for figure in classes
                    if (figure["documents"], figure["corpus"]) == (size, corpus)
                    and (figure["class"] == member or _kind(figure["class"]) == member)
                )
                for size in sorted({figure["documents"] for figure in classes})
                for corpus in CORPORA
            ]
            rows.append([member, *cells])
        heads = [
            f"{size:,} documents{', unseen' if corpus == 'unseen' else ''}"
            for size in sorted({figure["documents"] for figure in classes})
            for corpus in CORPORA
        ]
        yield table([name, *heads], rows)
    for figure in figures:
        if "other_sources" in figure:
            yield (
                f"Among {figure['documents']:,} documents {figure['other_sources']} others were "
                f"told as sources in {figure['texts']:,} texts."
            )
    yield provenance(section)


def _kind(name: str) -> str:
    """How something was taken over, whatever the languages are.

    >>> _kind("ru-light"), _kind("en-kk-translated-heavy")
    ('light', 'translated')
    """
    return "translated" if "translated" in name else name.rpartition("-")[2]


def _told(figures: Iterable[Figure]) -> str:
    told = passages = 0
    for figure in figures:
        told, passages = told + figure["told"], passages + figure["passages"]
    return f"{probability(told / passages)} ({told} of {passages})" if passages else "–"


def _recall(figures: Sequence[Figure], size: int) -> Iterator[str]:
    """All rewritten and all translated passages; reciprocal ranks behind."""
    columns = [(corpus, pool) for corpus in CORPORA for pool in POOLS]
    rows = [
        [_name(system, votes), *(_share(figures, system, votes, *column) for column in columns)]
        for system, votes in _systems(figures)
    ]
    rows = beside_peers(rows, dict.fromkeys(range(1, len(columns) + 1), "more"))
    if size == TARGET_SIZE:
        for row in rows:
            for place, (corpus, pool) in enumerate(columns, 1):
                share = leading_number(row[place])
                has_target = row[0] == OURS and corpus == "rewritten"
                if has_target and share is not None and share < TARGETS[pool]:
                    row[place] = worse(row[place])
        targets = [probability(TARGETS[pool]) if c == "rewritten" else "–" for c, pool in columns]
        rows.insert(0, ["asked", *targets])
    heads = [f"{pool}{', unseen' if corpus == 'unseen' else ''}" for corpus, pool in columns]
    yield "Share among the first ten (mean reciprocal rank):"
    yield table(["system", *heads], rows)


def _share(figures: Sequence[Figure], system: str, votes: str, corpus: str, name: str) -> str:
    figure = _figure(figures, system, votes, corpus, name)
    if figure is None:
        return "–"
    return f"{probability(figure['share'])} ({probability(figure['reciprocal_rank'])})"


def _figure(
    figures: Sequence[Figure],
    system: str,
    votes: str,
    corpus: str,
    name: str,
    words: int | None = None,
) -> Figure | None:
    facts = {"system": system, "votes": votes, "corpus": corpus, "class": name, "words": words}
    fitting = (
        figure
        for figure in figures
        if all(figure.get(key) == value for key, value in facts.items())
    )
    return next(fitting, None)


def _systems(figures: Sequence[Figure]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((f["system"], f["votes"]) for f in figures if "votes" in f))


def _name(system: str, votes: str) -> str:
    return f"{system}, {votes}" if votes else system


def _pairs(figures: Sequence[Figure]) -> Iterator[str]:
    rows = [
        [
            _name(system, votes),
            *(
                _share(figures, system, votes, "rewritten", pair).partition(" ")[0]
                for pair in PAIRS
            ),
        ]
        for system, votes in _systems(figures)
    ]
    yield table(["system", *PAIRS], beside_peers(rows, dict.fromkeys(range(1, 7), "more")))


def _cost(figures: Sequence[Figure], size: int) -> Iterator[str]:
    costs = [figure for figure in figures if "cpu_ms_of_1000_words" in figure]
    lengths = sorted({figure["words"] for figure in costs})
    by_place = {(figure["system"], figure["words"]): figure for figure in costs}
    rows = [
        [system, *(_cpu(by_place.get((system, length)), system, size) for length in lengths)]
        for system in dict.fromkeys(figure["system"] for figure in costs)
    ]
    yield table(["system", *(f"{length:,} words" for length in lengths)], rows)


def _cpu(figure: Figure | None, system: str, size: int) -> str:
    if figure is None:
        return "–"
    median, most = figure["cpu_ms_of_1000_words"], figure["cpu_ms_of_1000_words_p95"]
    cell = f"{median:.1f} / {most:.1f}"
    if postings := figure.get("postings_of_1000_words"):
        cell += f" ({postings:,} postings)"
    target = TARGET_CPU_MS.get(size)
    return worse(cell) if system == OURS and target is not None and median > target else cell


def _lengths(figures: Sequence[Figure]) -> Iterator[str]:
    """By the length of the checked text."""
    rows = []
    for size in sorted({figure["documents"] for figure in figures}):
        of_size = [figure for figure in figures if figure["documents"] == size]
        for length in sorted({f["words"] for f in of_size if "votes" in f and "words" in f}):
            cells = [
                "–" if figure is None else probability(figure["share"])
                for corpus in CORPORA
                for pool in POOLS
                for figure in (_figure(of_size, OURS, "", corpus, pool, length),)
            ]
            rows.append([f"{size:,}", f"{length:,}", *cells])
    if any(cell != "–" for row in rows for cell in row[2:]):
        yield "### Longer texts"
        heads = [*POOLS, *(f"{pool}, unseen" for pool in POOLS)]
        yield table(["documents", "words of the text", *heads], rows)


def _classes(figures: Sequence[Figure]) -> Iterator[str]:
    """Every class as it is in the data."""
    rows = []
    for figure in figures:
        is_class = "-" in figure.get("class", "") and figure["system"] == OURS
        if is_class:
            rows.append(
                [
                    f"{figure['documents']:,}",
                    figure["corpus"],
                    figure["class"],
                    figure["passages"],
                    probability(figure["share"]),
                    probability(figure["reciprocal_rank"]),
                ]
            )
    if rows:
        yield "### By class"
        yield table(
            ["documents", "corpus", "class", "passages", "in the first ten", "reciprocal rank"],
            rows,
        )
