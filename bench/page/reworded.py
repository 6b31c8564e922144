"""Passages in other words or another language, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.tables import Figure, Section, probability, provenance, table, worse

FOLDS, WITHOUT_STORY, SHIPPED, WORDS = (
    "folds",
    "folds, without the one story",
    "as shipped",
    "words alone",
)
NOTHING_SHARED, PAPERS = "nothing-shared", "papers"
ASKED_OF_PAPERS = 0.80  # recall
ALL_PARTS = "+ numbers: all"
POOLS = {
    "English, light and heavy": "English",
    "Russian, light and heavy": "Russian",
    "Kazakh, light and heavy": "Kazakh",
    "summaries": "summaries",
    "faithful translations": "translated",
    "free translations": "freely",
}
LANGUAGES = {"en": "English", "ru": "Russian", "kk": "Kazakh"}
CLEAN = "detections in pairs that share nothing"


def reworded_page(sections: dict[str, Section]) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    known = sections.get("reworded passages")
    if known is None:
        return
    unseen = sections.get("unseen reworded passages")
    yield "## In other words"
    yield (
        "Passages rewritten, summarised or translated as a student with a language model would do "
        "it, each inside a text of its own. The corpus `rewritten` was there while alignment by "
        "meaning was made: the score that it needs is fixed in four folds, split by source "
        "document, and applied to the fifth; its other constants were chosen with all of it at "
        "hand. *Unseen* are passages in other genres that nobody looked at before, and nothing "
        "was chosen on them: they are what others may expect."
    )
    yield from _asked(known, unseen)
    yield from _classes(known, unseen)
    yield from _papers(sections.get("rewritten papers"))
    yield from _one_subject(sections.get("one subject"))
    yield from _parts(sections.get("reworded passages, parts"), known, unseen)
    yield from _peers(sections.get("reworded passages, peers"))
    yield from _lexicon(sections.get("lexicon of concepts"))
    yield from _cost(sections.get("cost of meaning"))


def _asked(known: Section, unseen: Section | None) -> Iterator[str]:
    """The pooled classes beside what was asked of them."""
    yield "### Asked and measured"
    folds, without, words = (_by_class(known, how) for how in (FOLDS, WITHOUT_STORY, WORDS))
    others, other_words = _by_class(unseen, SHIPPED), _by_class(unseen, WORDS)
    rows = []
    for name, figure in folds.items():
        if "asked" not in figure:
            continue
        asked = figure["asked"]
        other = others.get(name)
        rows.append(
            [
                name,
                probability(asked),
                _beside(figure["plagdet"], asked),
                _beside(without[name]["plagdet"], asked),
                probability(words[name]["plagdet"]),
                figure["cases"],
                _beside(other["plagdet"], asked) if other else "–",
                probability(other_words[name]["plagdet"]) if other else "–",
                other["cases"] if other else "–",
            ]
        )
    heads = ["passages", "asked", "plagdet", "without one pair", "by words alone", "cases"]
    yield table([*heads, "unseen", "unseen, by words alone", "unseen cases"], rows)
    yield from _clean_pairs(known, unseen)
    yield provenance(known)
    if unseen is not None:
        yield provenance(unseen)


def _clean_pairs(known: Section, unseen: Section | None) -> Iterator[str]:
    """What is detected where nothing is to be detected, and how the threshold came about."""
    rows: list[list[object]] = []
    for texts, section, how in (("`rewritten`", known, FOLDS), ("unseen", unseen, SHIPPED)):
        figures, words = _by_class(section, how), _by_class(section, WORDS)
        if NOTHING_SHARED in figures:
            figure = figures[NOTHING_SHARED]
            count, story = figure["detections"], figure.get("detections_in_one_story", 0)
            rows.append(
                [
                    texts,
                    figure["pairs"],
                    worse(str(count)) if count else count,
                    story,
                    words[NOTHING_SHARED]["detections"],
                ]
            )
    yield (
        "Pairs that share nothing, in one language and across two; asked: no detection. One pair "
        "of `rewritten` is listed among them though both documents hold parts of one tale, which "
        "tells the same events twice: it was read because it scored highest. It counts as it is "
        "listed; *without one pair* the threshold is not fixed by it, and by all others it is."
    )
    heads = ["texts", "pairs", "detections", "of them in that pair", "by words alone"]
    yield table(heads, rows)
    needed = {how: _by_class(known, how)[NOTHING_SHARED] for how in (FOLDS, WITHOUT_STORY)}
    lines = [
        [name, *(f"{within / 1000:.1f} / {across / 1000:.1f}" for within, across in scores)]
        for name, scores in (
            ("all pairs", needed[FOLDS]["thresholds"]),
            ("without that pair", needed[WITHOUT_STORY]["thresholds"]),
            (
                "as shipped",
                [needed[FOLDS]["shipped_thresholds"]] * len(needed[FOLDS]["thresholds"]),
            ),
        )
    ]
    yield "The score needed within a language / across two:"
    folds = range(len(lines[0]) - 1)
    yield table(["fixed by", *(f"fold {number + 1}" for number in folds)], lines)


def _classes(known: Section, unseen: Section | None) -> Iterator[str]:
    """Every class by itself."""
    yield "### By class"
    yield (
        "Macro-averaged over cases. A class of a dozen cases says little by itself: one case is "
        "eight points. *As shipped* is the one threshold that Likewise has; the columns before it "
        "have those of the folds."
    )
    folds, shipped, words = (_by_class(known, how) for how in (FOLDS, SHIPPED, WORDS))
    others = _by_class(unseen, SHIPPED)
    yield table(
        [
            *("class", "cases", "plagdet", "recall", "precision", "granularity", "as shipped"),
            *("by words alone", "unseen cases", "unseen plagdet", "recall", "precision"),
        ],
        [
            [
                name,
                figure["cases"],
                *map(probability, (figure["plagdet"], figure["recall"], figure["precision"])),
                f"{figure['granularity']:.2f}",
                probability(shipped[name]["plagdet"]),
                probability(words[name]["plagdet"]),
                *_unseen_cells(others.get(name)),
            ]
            for name, figure in folds.items()
            if name != NOTHING_SHARED and "asked" not in figure
        ],
    )
    yield from _lengths(known, unseen)
    yield "What the detections were called, where the threshold is that of the folds:"
    kinds = sorted({kind for figure in folds.values() for kind in figure["kinds"]})
    yield table(
        ["class", *kinds],
        [
            [name, *(figure["kinds"].get(kind, 0) for kind in kinds)]
            for name, figure in folds.items()
            if "asked" not in figure
        ],
    )


def _lengths(known: Section, unseen: Section | None) -> Iterator[str]:
    """How long passages and documents are, which differs between the two sets."""
    rows = []
    for name, figure in _by_class(known, FOLDS).items():
        others = _by_class(unseen, SHIPPED)
        if "asked" in figure and "median_words" in figure and name in others:
            pairs = zip(figure["median_words"], others[name]["median_words"], strict=True)
            rows.append([name, *(f"{one:.0f} / {other:.0f}" for one, other in pairs)])
    if rows:
        yield "Median number of words, in `rewritten` / in the unseen texts:"
        heads = ["passages", "passage", "what it is from", "document", "source"]
        yield table(heads, rows)


def _unseen_cells(figure: Figure | None) -> list[object]:
    if figure is None:
        return ["–"] * 4
    measures = (figure["plagdet"], figure["recall"], figure["precision"])
    return [figure["cases"], *map(probability, measures)]


def _papers(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Papers rewritten paragraph by paragraph"
    yield (
        "English papers, written for the project and kept unseen; every paragraph is a case. "
        "Asked of papers from outside, which are not to be had here: a recall of .80."
    )
    rows = []
    for how in (SHIPPED, WORDS):
        figures = _by_class(section, how)
        figure, clean = figures[PAPERS], figures.get(NOTHING_SHARED)
        recall = figure["recall"]
        rows.append(
            [
                "with the look by meaning" if how == SHIPPED else "by words alone",
                figure["pairs"],
                figure["cases"],
                _beside(recall, ASKED_OF_PAPERS) if how == SHIPPED else probability(recall),
                *map(probability, (figure["precision"], figure["plagdet"])),
                f"{figure['granularity']:.2f}",
                f"{clean['detections']} in {clean['pairs']} pairs" if clean else "–",
            ]
        )
    heads = ["alignment", "papers", "paragraphs", "recall", "precision", "plagdet"]
    yield table([*heads, "granularity", "papers with nothing in common"], rows)
    yield provenance(section)


def _parts(section: Section | None, known: Section, unseen: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### What each part gives"
    yield (
        "Plagdet on `rewritten` with parts switched off, each setting with a threshold of its own "
        "from the other folds. Stems are equal words; concepts are synonyms and translations; "
        "names are brought into one alphabet, and held against a passage where they are missing; "
        "blocks are where the search begins, of some 30 words or of 80. *Translated* is "
        "faithfully, *freely* is with changes."
    )
    folds = _by_class(known, FOLDS)
    rows: list[list[object]] = [["asked", *(probability(folds[p]["asked"]) for p in POOLS), 0]]
    for figure in section["figures"]:
        is_all = figure["parts"] == ALL_PARTS
        rows.append(
            [
                figure["parts"],
                *(_beside(figure[pool], folds[pool]["asked"] if is_all else 0.0) for pool in POOLS),
                figure["detections_in_clean_pairs"],
            ]
        )
    for name, figures in (
        ("all, without one pair", _by_class(known, WITHOUT_STORY)),
        ("unseen texts", _by_class(unseen, SHIPPED)),
    ):
        if figures:
            plagdets = (_beside(figures[p]["plagdet"], figures[p]["asked"]) for p in POOLS)
            rows.append([name, *plagdets, figures[NOTHING_SHARED]["detections"]])
    yield table(["parts", *POOLS.values(), CLEAN], rows)
    yield provenance(section)


def _peers(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### What one would take instead"
    yield (
        "Windows of three sentences, each with its likest in the source, neighbours joined. "
        "*Nothing accused*: the threshold at which no pair of the other folds that share nothing "
        "has a detection, the rule that Likewise is held to, for peers without its margin. *Best "
        "plagdet*: where plagdet is best in the other folds, whatever that accuses. *Right "
        "place*: cases in which the likest of all windows lies in the passage; of Likewise, the "
        "best of its candidates. Vectors of words come inside of wheels: wordllama for English, "
        "navec in natasha for Russian. Unseen texts are judged with the thresholds of all folds."
    )
    for corpus in ("rewritten", "unseen"):
        figures = [figure for figure in section["figures"] if figure["corpus"] == corpus]
        if not figures:
            continue
        yield f"#### On {'`rewritten`' if corpus == 'rewritten' else 'unseen texts'}"
        yield table(
            [
                *("system", "passages", "threshold", "cases", "plagdet", "recall", "precision"),
                *("right place", "detections in pairs that share nothing"),
            ],
            _beside_peers(figures),
        )
    yield (
        "Our figure is in bold where that of a peer is higher at either threshold. Pairs that "
        "share nothing are those in the languages that a peer knows."
    )
    yield provenance(section)


def _beside_peers(figures: list[Figure]) -> Iterator[list[object]]:
    """By class, ours first; ours in bold where a peer at the same rule is better."""
    for group in dict.fromkeys(figure["class"] for figure in figures):
        of_group = [figure for figure in figures if figure["class"] == group]
        ours = next(figure for figure in of_group if figure["system"] == "**Likewise**")
        best = max(figure["plagdet"] for figure in of_group)
        for figure in of_group:
            plagdet = probability(figure["plagdet"])
            yield [
                figure["system"],
                group,
                figure["rule"],
                figure["cases"],
                worse(plagdet) if figure is ours and best > figure["plagdet"] else plagdet,
                *map(probability, (figure["recall"], figure["precision"])),
                f"{figure['right_place']} of {figure['pairs']}",
                f"{figure['detections_in_clean_pairs']} in {figure['clean_pairs']}",
            ]


def _lexicon(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### The lexicon of concepts"
    figures = section["figures"]
    form = next(figure for figure in figures if figure["what"] == "form")
    words = ", ".join(f"{LANGUAGES[key]} {count:,}" for key, count in form["words"].items())
    rows: list[list[object]] = [
        ["concepts", "12,000", f"{form['concepts']:,}"],
        ["words", "–", words],
        ["words in more than four concepts", 0, form["words_in_more_than_four"]],
        ["lines with more than twelve words of a language", 0, form["lines_of_more_than_twelve"]],
    ]
    for figure in figures:
        language = LANGUAGES.get(figure.get("language", ""), "")
        if figure["what"] == "coverage":
            rows.append(
                [
                    f"covered, {language}, {figure['corpus']} ({figure['tokens']:,} tokens)",
                    f"{figure['asked']:.0%}",
                    _percent(figure["covered"], figure["asked"]),
                ]
            )
        elif figure["what"] == "precision":
            share = figure["right"] / max(figure["judged"], 1)
            rows.append(
                [
                    f"right, {language}, of {figure['judged']} covered tokens in context",
                    f"{figure['asked']:.0%}",
                    _percent(share, figure["asked"]),
                ]
            )
    yield (
        "Covered are tokens of running text that are neither stop words, numbers nor names; "
        "documents not read are those of `bench/texts/concepts-unread.tsv`."
    )
    yield table(["what", "asked", "measured"], rows)
    blocks = [figure for figure in figures if figure["what"] == "unrelated blocks"]
    if blocks:
        yield (
            "How alike blocks of three sentences are that have nothing to do with each other, of "
            "different genres: the 99.9th percentile of the cosine over concepts, weighed by how "
            "rare they are, with the lexicon as it was given and as it is. Asked: no higher than "
            "before."
        )
        yield table(["languages", "pairs", "as it was", "as it is"], _alike(blocks))
    yield provenance(section)


def _alike(figures: list[Figure]) -> Iterator[list[object]]:
    before = {f["languages"]: f["percentile"] for f in figures if f["lexicon"] == "as it was"}
    for figure in figures:
        if figure["lexicon"] == "as it is":
            languages, now = figure["languages"], figure["percentile"]
            was = before.get(languages)
            is_higher = was is not None and now > was
            yield [
                languages,
                f"{figure['pairs']:,}",
                "–" if was is None else probability(was),
                worse(probability(now)) if is_higher else probability(now),
            ]


def _one_subject(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Independent texts on one subject"
    yield (
        "Answers to one question and essays on one subject, written for the project, each by "
        "itself, and every two of them compared in both orders. Whoever has a passage is accused; "
        "asked: nobody."
    )
    rows = []
    for languages in ("one language", "two languages"):
        figures = [figure for figure in section["figures"] if figure["in"] == languages]
        pairs, accused, by_words = (
            sum(figure[key] for figure in figures)
            for key in ("pairs", "accused", "accused_by_words")
        )
        subjects = [figure["subject"] for figure in figures if figure["accused"]]
        where = ", ".join(subjects) or "–"
        rows.append([languages, pairs, worse(str(accused)) if accused else 0, by_words, where])
    yield table(["texts in", "comparisons", "accused", "by words alone", "where"], rows)
    yield provenance(section)


def _cost(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### What it costs"
    yield (
        "CPU seconds on one core with the look by meaning and without it, in the same run, texts "
        "prepared each time. The theses are prose in two languages with translated passages and "
        "their sources in it, far apart; *recall* is of the characters of those passages."
    )
    rows = []
    for figure in section["figures"]:
        is_ratio = "ratio" in figure
        value = figure["ratio"] if is_ratio else figure["with_cpu_s"]
        size = f"{figure['pairs']:,} pairs" if is_ratio else f"{min(figure['words']):,} words each"
        limit = f"{figure['asked']} × without" if is_ratio else f"{figure['asked']} s"
        shown = f"{figure['with_cpu_s']}" + (f" ({value:.2f} ×)" if is_ratio else "")
        rows.append(
            [
                f"{figure['what']}, {figure['languages']}" if not is_ratio else figure["what"],
                size,
                limit,
                worse(shown) if value > figure["asked"] else shown,
                figure["without_cpu_s"],
                "–" if is_ratio else figure["cases"],
                "–" if is_ratio else probability(figure["recall"]),
                "–" if is_ratio else probability(figure["precision"]),
            ]
        )
    heads = ["what", "size", "asked", "CPU-s with it", "without it", "cases", "recall"]
    yield table([*heads, "precision"], rows)
    yield provenance(section)


def _by_class(section: Section | None, how: str) -> dict[str, Figure]:
    figures = section["figures"] if section else []
    return {figure["class"]: figure for figure in figures if figure["how"] == how}


def _beside(value: float, asked: float) -> str:
    return worse(probability(value)) if value < asked else probability(value)


def _percent(value: float, asked: float) -> str:
    return worse(f"{value:.1%}") if value < asked else f"{value:.1%}"
