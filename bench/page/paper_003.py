"""Paper 003: ten methods at four sizes of text, and the worked examples, as tables and plots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.page.paper_003_plots import HERE, PRINTED, time_plots
from bench.page.tables import Figure, Section, probability, provenance, table, worse
from bench.papers.paper_003 import published
from bench.papers.paper_003.methods import OURS

TOLD_APART = 0.02  # between the values of a copy and of none
ROD = "difflib SequenceMatcher"  # pure Python then and now


def paper_003_page(sections: dict[str, Section], plots: Path) -> Iterator[str]:
    """Paragraphs, tables and plots, for what was measured."""
    if not {"methods", "worked examples"} & set(sections):
        return
    yield "## Paper 003: ten methods and four sizes"
    yield (
        "Begadil's thesis on a plagiarism checker for a campus times ten ways to compare two texts "
        "(its Figures 26 to 28) and works small examples by hand (its sections 1.2 and 3)."
    )
    if "methods" in sections:
        yield from _methods(sections["methods"], plots)
    if "worked examples" in sections:
        yield from _examples(sections["worked examples"])


# Figures 26 to 28.


def _methods(section: Section, plots: Path) -> Iterator[str]:
    figures: Figure = section["figures"]
    sizes = [f"{one:,} / {two:,}" for one, two in figures["words"]]
    # A rehearsal has other sizes: the paper's figures would stand beside nothing of theirs.
    is_like = [tuple(words) for words in figures["words"]] == list(published.EXPERIMENTS)
    yield "### Its Figure 27: time"
    versions = ", ".join(f"{name} {v or '–'}" for name, v in figures["versions"].items())
    yield (
        "The paper's texts are not given: ours are cut from abstracts of the National Science "
        "Foundation (2008) to the same numbers of words, the same texts for every method; half of "
        "the shorter text stands in the other one too. CPU milliseconds here, the paper's in "
        "parentheses; it names neither its machine nor its Python, and numbers like 2092786056L "
        "look like Python 2. The first rows are ours, from raw text to value, with everything that "
        "Likewise does to words; the paper's *fuzz*, probably fuzzywuzzy, is rapidfuzz here; "
        f"jellyfish is written in Rust by now ({versions}). A time is the mean of as many turns as "
        "fill .3 s after a first one, or of one that takes longer. Whoever needs more than "
        f"{figures['limit_cpu_s']} CPU-s for a pair gives up."
    )
    yield table(["method", *sizes], _times(figures["methods"], is_like))
    yield from _reasons(figures, is_like)
    yield "### What the methods say"
    yield (
        "The value for the pair that shares half of its shorter text / for two unrelated texts of "
        "the same sizes. A method that gives both alike does not tell them apart. The paper gives "
        "no values."
    )
    yield table(["method", *sizes], _values(figures["methods"]))
    yield from _told_apart(figures["methods"])
    time_plots(figures, plots)
    yield f"![Time against size, measured](plots/{HERE})"
    yield f"![Time against size, as the paper prints it](plots/{PRINTED})"
    yield "Green are the methods that Likewise has; a triangle is where somebody stopped waiting."
    yield provenance(section)


def _times(methods: dict[str, list[Figure]], is_like: bool) -> Iterator[list[str]]:
    peers = [answers for name, answers in methods.items() if name not in OURS]
    for name, answers in methods.items():
        cells = []
        for i, answer in enumerate(answers):
            printed = published.SECONDS.get(name) if is_like else None
            cell = _milliseconds(answer) + (f" ({_printed(name, i)})" if printed else "")
            best = min((peer[i]["cpu_s"] for peer in peers if "cpu_s" in peer[i]), default=None)
            beyond = [limit for limit in (best, printed and printed[i]) if limit is not None]
            if name in OURS and any(answer["cpu_s"] > limit for limit in beyond):
                cell = worse(cell)
            cells.append(cell)
        yield [f"Likewise: {name}" if name in OURS else name, *cells]


def _milliseconds(answer: Figure) -> str:
    if "missing" in answer:
        return "not installed"
    if "cpu_s" not in answer:
        return f"gave up after {answer['gave_up_cpu_s']} CPU-s"
    return _short(1e3 * answer["cpu_s"])


def _short(value: float) -> str:
    """Two or three figures that count.

    >>> _short(0.0213), _short(3.14159), _short(56594.056)
    ('.021', '3.1', '56,594')
    """
    places = 0 if value >= 100 else 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:,.{places}f}".removeprefix("0" if value < 1 else " ")


def _printed(name: str, i: int) -> str:
    seconds = published.SECONDS[name][i]
    if seconds is None:
        return f"more than {1000 * published.MORE_THAN:,}"
    doubt = "?" if (name, i) == published.ILLEGIBLE else ""
    return _short(1e3 * seconds) + doubt


def _reasons(figures: Figure, is_like: bool) -> Iterator[str]:
    methods = figures["methods"]
    yield (
        "Ours stand in **bold** where any peer is faster, or the paper was. rapidfuzz compares the "
        "characters as they stand, 64 at a time; Likewise first folds the words, drops stop words "
        "and takes stems, and for two texts alone it makes its lexicon for them: that is the "
        "difference to *words met before*, which is what a text costs inside a collection. The "
        "fastest of all, rapidfuzz's Jaro, hardly tells a copy from none (below)."
    )
    if not is_like:
        return
    rod, ours = methods[ROD], methods["all four and their agreement"]
    last = len(rod) - 1
    doubtful = published.SECONDS["shingles, MinHash"][last]
    yield (
        f"One of the paper's figures (?) is illegible in our copy (“1E761202”); {doubtful:.2f} s "
        "is what the growth of its neighbours suggests."
    )
    then = published.SECONDS[ROD][0]
    four = sum(published.SECONDS[name][last] or 0 for name in list(published.SECONDS)[:4])
    if "cpu_s" in rod[0] and then:
        yield (
            "How much is the machine, and how much the method? difflib is Python then and now: at "
            f"the first size it is {then / rod[0]['cpu_s']:.0f} times as fast here, in part for "
            "the machine and the interpreter, in part for other texts. The paper's "
            f"four chosen methods took {four:.1f} s together at the last size; ours take "
            f"{ours[last]['cpu_s']:.3f} s with their agreement, "
            f"{four / ours[last]['cpu_s']:,.0f} times less."
        )


def _values(methods: dict[str, list[Figure]]) -> Iterator[list[str]]:
    for name, answers in methods.items():
        cells = [_both(answer) for answer in answers]
        if name in OURS:
            cells = [
                worse(cell) if _is_blind(answer) else cell
                for cell, answer in zip(cells, answers, strict=True)
            ]
        yield [f"Likewise: {name}" if name in OURS else name, *cells]


def _both(answer: Figure) -> str:
    if "value" not in answer:
        return "–"
    unrelated = answer.get("unrelated")
    return f"{probability(answer['value'])} / " + (
        "–" if unrelated is None else probability(unrelated)
    )


def _is_blind(answer: Figure) -> bool:
    return "unrelated" in answer and answer["value"] - answer["unrelated"] < TOLD_APART


def _told_apart(methods: dict[str, list[Figure]]) -> Iterator[str]:
    alike = [name for name, answers in methods.items() if any(map(_is_blind, answers))]
    yield (
        "Jaccard and its signature fall with the difference in size, as they must: half of 291 "
        "words is little of 1,544. Containment does not; it is what Likewise asks for partial "
        "copies. Cosines of words rise with the length of the texts, copied or not, until a copy "
        "does not show any more; at the last size that holds for the agreement of the four "
        "measures too, the paper's final answer: one reason why Likewise shows it below the shares "
        "of copied text and never instead of them. Jaro says the same of any two texts of these "
        "sizes. Less than .02 between copy and no copy (ours in **bold**) at one "
        f"size or more: {'; '.join(alike) or 'none'}."
    )


# Sections 1.2 and 3.


def _examples(section: Section) -> Iterator[str]:
    examples: list[Figure] = section["figures"]
    agreeing = sum(example["agrees"] for example in examples)
    yield "### Its worked examples"
    yield (
        f"All {len(examples)} figures of sections 1.2 and 3 that can be recomputed, by Likewise's "
        f"own functions where it has them: {agreeing} are as printed. Where they differ the paper "
        "is wrong, or its words and its program differ; the reasons stand below. What may have "
        "given its 63.37 % was found by trying some five hundred variants of the formula, five of "
        "which come within .3: the one that fits to both decimals may still be chance."
    )
    yield table(
        ["example", "section", "paper", "here", "same"],
        [
            [
                one["what"],
                one["section"],
                one["paper"],
                one["ours"],
                "yes" if one["agrees"] else "no",
            ]
            for one in examples
        ],
    )
    yield "\n".join(
        f"- {one['what'][:1].upper() + one['what'][1:]}: {one['note']}"
        for one in examples
        if one["note"]
    )
    yield provenance(section)
