"""Paper 002: T1 to T4, with each step of the preparation left out in turn, as tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from bench.page.plots import OURS, THEIRS, axes, save
from bench.page.tables import Figure, Section, probability, provenance, table, worse

TESTS = ("T1", "T2", "T3", "T4")
PRINTED = {  # the paper's Table 1: recall
    "AntiPlagiat": (0.98, 0.63, 0.89, 0.99),
    "AdvegoPlagiatus": (0.99, 0.92, 0.73, 0.89),
    "AntiPlagiarism.NET": (0.83, 0.58, 0.72, 0.90),
    "Etxt.ru": (0.75, 0.83, 0.65, 0.49),
    "Content-watch.ru": (0.90, 0.76, 0.87, 0.90),
    "Text.Rucont.ru": (0.94, 0.95, 0.94, 0.91),
    "Unicheck.com": (0.95, 0.32, 0.74, 0.96),
    "Avtor.NET (the authors')": (0.99, 0.97, 0.94, 0.99),
}
BEST = [max(column) for column in zip(*PRINTED.values(), strict=True)]
ALL = "nothing"
STEPS = {
    ALL: "nothing",
    "encoding": "encoding found",
    "tags": "HTML tags removed",
    "punctuation": "punctuation removed",
    "case": "lower case",
    "look_alikes": "look-alike letters put back",
    "stop_words": "stop words dropped",
    "filtration": "filtration: numbers, long and common words",
    "stems": "stems",
    "all of them": "all of them",
}


def paper_002_page(sections: dict[str, Section], plots: Path) -> Iterator[str]:
    """Paragraphs, tables and a plot, for what was measured."""
    if not {"published method", "likewise", "tricks"} <= set(sections):
        return
    yield "## Paper 002: disguised copies, and what each step of the preparation gives"
    published, ours = sections["published method"]["figures"], sections["likewise"]["figures"]
    yield (
        "E. V. Sharapova and R. V. Sharapov, The problem of fuzzy duplicate detection of large "
        "texts. T1: sentences reordered; T2: tenses and forms of words changed; T3: reordered, "
        "with own text between; T4: compiled from several documents, reordered. The authors' "
        "Russian essays are not published and the services they asked cannot be asked again, so "
        "their figures stand beside ours for other texts: ten texts of some 400 words for each "
        "test and language, made by their recipe from abstracts of the National Science "
        "Foundation, Russian documentation, and Kazakh tales and laws. Each is compared with the "
        "ten whole documents. Letters count, not documents: recall is the share of copied "
        "ones that are reported, precision the share of copied ones among those reported."
    )
    yield from _table_1(published, ours)
    yield provenance(sections["likewise"])
    yield from _steps("The published method, a step left out", published)
    yield (
        "In letters. The detector is the paper's, written anew: words prepared in its order, and "
        "every run of five that a document shares counted as copied. The paper leaves open what "
        "its steps do exactly; ours use the lists, twins of letters and stemmers of Likewise, and "
        "drop words with digits, with more than 30 letters, or in more than half of the corpus. T1 "
        "to T4 as they are defined need one step alone: in T2 only stems make changed forms equal. "
        "Every step that drops words costs some recall in T1, T3 and T4, for the reason above; "
        "also lower case does, since stop words with a capital letter are not dropped without it. "
        "In T2 dropping them helps in turn in English and Russian, where changed forms of them are "
        "gone; and a word with a sign behind it has no stem unless punctuation is removed."
    )
    yield provenance(sections["published method"])
    yield from _steps("Likewise, a step left out", ours)
    yield (
        "Likewise aligns sentences and not only runs of five words, so it needs the steps less. "
        "What is not listed cannot be left out: case and punctuation are no part of a word to it, "
        "encodings and tags are left behind when a file is read. Numbers are words to it."
    )
    yield from _tricks(sections["tricks"], plots)


def _table_1(published: list[Figure], ours: list[Figure]) -> Iterator[str]:
    yield "### Its Table 1, and ours beside it"
    rows: list[list[str]] = [
        [name, "theirs, Russian", *map(_two, recalls), "“trends to 1”"]
        for name, recalls in PRINTED.items()
    ]
    for name, figures, recall in (
        ("Published method, by us, in letters", published, "recall"),
        ("Published method, by us, in prepared words", published, "recall_of_words"),
        ("Likewise, in letters", ours, "recall"),
    ):
        for language in _languages(figures):
            found = {
                f["test"]: f for f in figures if f["language"] == language and f["without"] == ALL
            }
            cells = [
                _beside(found[test][recall], best) for test, best in zip(TESTS, BEST, strict=True)
            ]
            least = min(found[test]["precision"] for test in TESTS)
            rows.append([name, f"ours, {language}", *cells, probability(least)])
    yield table(["system", "texts", *TESTS, "least precision"], rows)
    yield (
        "Recall. In bold what is below the best of the eight systems, to two decimals; it is the "
        "published method as we wrote it, not Likewise. The paper does not say what its recall is "
        "a share of. Where sentences are reordered no shingle reaches over their ends: words that "
        "were dropped there are in no shingle that is found, so in letters it finds less than in "
        "words; and a sentence that the preparation leaves fewer than five words is lost either "
        "way, which is all that T1 misses in words: Kazakh tales and documentation have short "
        "sentences. In T2 a form that the "
        "stemmer does not bring back breaks five shingles; more than a fourth of all words of "
        "ours is in another form, and the paper does not say how many of its own are."
    )


def _beside(recall: float, best: float) -> str:
    shown = probability(recall)
    return shown if round(recall, 2) >= best else worse(shown)


def _two(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _languages(figures: list[Figure]) -> list[str]:
    return list(dict.fromkeys(figure["language"] for figure in figures))


def _steps(title: str, figures: list[Figure]) -> Iterator[str]:
    yield f"### {title}"
    languages = _languages(figures)
    by_place = {(f["without"], f["language"], f["test"]): f for f in figures}
    rows = []
    for step in (step for step in STEPS if any(f["without"] == step for f in figures)):
        found = [by_place[step, language, test] for language in languages for test in TESTS]
        least = min(figure["precision"] for figure in found)
        recalls = [probability(figure["recall"]) for figure in found]
        rows.append([STEPS[step], *recalls, probability(least)])
    columns = [f"{test}, {language}" for language in languages for test in TESTS]
    yield table(["left out", *columns, "least precision"], rows)


def _tricks(section: Section, plots: Path) -> Iterator[str]:
    figures = section["figures"]
    yield "### What the other steps are for"
    yield (
        "T1 once more, each time with a trick on top that one of the steps undoes: recall with all "
        "steps, and without that one. For Likewise *without* means: the setting off; for encodings "
        "and tags, the text as it stands in the file; numbers are kept as words unless "
        "`drop_digits` is set. A – is a step that it cannot leave out."
    )
    found = {
        (f["trick"], f["language"], f["method"], f["without"] == ALL): f["recall"] for f in figures
    }
    rows = []
    for trick, language in dict.fromkeys((f["trick"], f["language"]) for f in figures):
        theirs, without, ours, ours_without = (
            found.get((trick, language, method, is_on))
            for method in ("published", "likewise")
            for is_on in (True, False)
        )
        shown = _shown(ours)
        rows.append(
            [
                trick,
                language,
                _shown(theirs),
                _shown(without),
                worse(shown) if (ours or 0) < (theirs or 0) else shown,
                _shown(ours_without),
            ]
        )
    heads = ["published", "published, without", "likewise", "likewise, without"]
    yield table(["trick", "language", *heads], rows)
    _plot(figures, plots / "paper-002-tricks.svg")
    yield "![Recall under tricks, with and without the step](plots/paper-002-tricks.svg)"
    yield (
        "Without the step that a trick is made for, the published method loses most of the text: "
        "the steps earn their place, though the four tests do not show it. (In bold where the "
        "published method finds more than Likewise, if anywhere. Signs that an encoding does not "
        "have, such as quotation marks in KOI8-R, become question marks, which end sentences. "
        "The Russian documentation has tags of its own in its text, which go too.)"
    )
    yield provenance(section)


def _shown(recall: float | None) -> str:
    return "–" if recall is None else probability(recall)


def _plot(figures: list[Figure], path: Path) -> None:
    """Means over the languages, as bars from the left."""
    figure, area = axes("recall, mean over the languages", "")
    tricks = list(dict.fromkeys(f["trick"] for f in figures))[::-1]
    bars = (
        ("likewise", True, OURS, 1.0, "Likewise"),
        ("likewise", False, OURS, 0.35, "Likewise, without the step"),
        ("published", True, THEIRS, 1.0, "published method"),
        ("published", False, THEIRS, 0.35, "published method, without the step"),
    )
    for place, (method, is_on, colour, strength, label) in enumerate(bars):
        for row, trick in enumerate(tricks):
            recalls = [
                f["recall"]
                for f in figures
                if f["trick"] == trick and f["method"] == method and (f["without"] == ALL) == is_on
            ]
            if recalls:
                area.barh(
                    row + 0.3 - 0.2 * place,
                    mean(recalls),
                    height=0.18,
                    color=colour,
                    alpha=strength,
                    label=label if row == 0 or (method, is_on) == ("likewise", False) else None,
                )
    area.set_yticks(range(len(tricks)), labels=tricks, fontsize=8)
    area.set_xlim(0, 1)
    handles, labels = area.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    figure.legend(
        unique.values(),
        unique.keys(),
        frameon=False,
        ncols=2,
        fontsize=8,
        loc="outside upper center",
    )
    save(figure, path)
