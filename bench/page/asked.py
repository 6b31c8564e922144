"""What was asked of the engine, and what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot
from statistics import mean, median

from bench.page.tables import (
    Section,
    by_name,
    good_runs,
    microseconds_a_document,
    middle,
    probability,
    rate,
    standard_error,
    warm_rate,
)

Row = tuple[str, str, str, str]
FLAT = 1.5  # what we take the word to mean
_WHY = {
    "LSH, stems": (
        "Stems in Russian and Kazakh: each distinct word goes through the rules once, and a Kazakh "
        "word through a stemmer of ours in Python, where English and Russian have compiled ones; a "
        "new Cyrillic word takes some four times as long as an English one."
    ),
    "exact, a document": (
        "Why a document costs the exact join more in a large collection is told below, at "
        "[Growing collections](#growing-collections)."
    ),
}


def asked_and_measured(sections: dict[str, Section]) -> Iterator[Row]:
    """A row for each thing asked, as far as it was measured."""
    yield from _rates(sections.get("likewise"))
    yield from _licence(sections.get("licence"))
    yield from _cyrillic(sections.get("cyrillic"))
    yield from _kernel(sections.get("kernel"))
    yield from _help(sections.get("help"))
    yield from _scaling(sections.get("scaling"))


def why_missed(rows: Iterable[Row]) -> Iterator[str]:
    """The reasons for what was not reached, as far as they are known."""
    missed = [what for what, _, _, reached in rows if reached == "no"]
    for start, reason in _WHY.items():
        if any(what.startswith(start) for what in missed):
            yield reason


def _least(what: str, asked: float, measured: float, unit: str = "", places: int = 0) -> Row:
    return _row(
        what, f"at least {asked:g}{unit}", f"{measured:.{places}f}{unit}", measured >= asked
    )


def _most(what: str, asked: float, measured: float, unit: str = "", places: int = 0) -> Row:
    return _row(what, f"at most {asked:g}{unit}", f"{measured:.{places}f}{unit}", measured <= asked)


def _row(what: str, asked: str, measured: str, reached: bool) -> Row:
    return what, asked, measured, "yes" if reached else "no"


def _rates(section: Section | None) -> Iterator[Row]:
    figures = by_name(section)
    for threshold in (0.8, 0.7, 0.5):
        if figure := figures.get(f"exact english {threshold}"):
            value = middle(figure, rate)
            if value is None:
                continue
            name = f"exact at {threshold}, cold"
            yield _least(name, 100, value, " MB/CPU-s")
            run = good_runs(figure)[0]
            right = f"{probability(run['recall'])} / {probability(run['precision'])}"
            yield _row(
                f"exact at {threshold}, recall / precision", "1 / 1", right, right == "1 / 1"
            )
            peak = max(run["peak_mb"] for run in good_runs(figure))
            yield _most(f"exact at {threshold}, peak memory", 600, peak, " MB")
    if figure := figures.get("lsh english 0.8"):
        yield _least("LSH at 0.8, cold", 120, middle(figure, rate) or 0, " MB/CPU-s")
        yield _least("LSH at 0.8, warm", 250, middle(figure, warm_rate) or 0, " MB/CPU-s")
        recall = min(run["recall"] for run in good_runs(figure))
        yield _row("LSH at 0.8, recall", "at least .99", probability(recall), recall >= 0.99)
        peak = max(run["peak_mb"] for run in good_runs(figure))
        yield _most("LSH at 0.8, peak memory", 350, peak, " MB")
    if figure := figures.get("lsh stemmed english 0.8"):
        name = "LSH at 0.8, stems and stop words, cold"
        yield _least(name, 100, middle(figure, rate) or 0, " MB/CPU-s")


def _licence(section: Section | None) -> Iterator[Row]:
    figures = by_name(section)
    for threshold in (0.8, 0.5):
        with_it = figures.get(f"exact licensed {threshold}")
        without = figures.get(f"exact english {threshold}")
        if with_it and without:
            slower = _cpu(with_it) / _cpu(without)
            yield _most(f"exact at {threshold}, licence in 30 %", 2, slower, " times the CPU", 2)


def _cpu(figure: Section) -> float:
    return float(median(run["cpu_s"] for run in good_runs(figure)))


def _cyrillic(section: Section | None) -> Iterator[Row]:
    figures = by_name(section)
    for method, name in (("exact", "exact"), ("lsh", "LSH"), ("lsh stemmed", "LSH, stems")):
        theirs = figures.get(f"{method} cyrillic 0.8")
        for corpus, beside in (("english", ""), ("dense", ", with as many copies")):
            english = figures.get(f"{method} {corpus} 0.8")
            if theirs and english:
                share = (middle(theirs, rate) or 0) / (middle(english, rate) or 1)
                what = f"{name}, Russian and Kazakh beside English{beside}"
                yield _least(what, 0.7, share, " of the rate", 2)


def _kernel(section: Section | None) -> Iterator[Row]:
    if not section or "kernels" not in section["figures"]:
        return
    own, rensa = (section["figures"]["kernels"][name] for name in ("likewise", "rensa"))
    speed = "million_shingles_per_cpu_s"
    yield _least("signature, million shingles", rensa[speed], own[speed], "/CPU-s")
    ours, theirs = own["rmse_by_seed"], rensa["rmse_by_seed"]
    noise = hypot(standard_error(ours), standard_error(theirs))
    yield _row(
        "signature, error (with its standard error)",
        f"no more than rensa's {mean(theirs):.4f} ± {standard_error(theirs):.4f}",
        f"{mean(ours):.4f} ± {standard_error(ours):.4f}",
        mean(ours)
        <= mean(theirs) + 2 * noise,  # what two standard errors cannot tell apart is equal
    )


def _help(section: Section | None) -> Iterator[Row]:
    if section and "cpu_s" in section["figures"]:
        yield _most("`likewise --help`", 0.25, median(section["figures"]["cpu_s"]), " CPU-s", 3)


def _scaling(section: Section | None) -> Iterator[Row]:
    figures = by_name(section)
    for method, name in (("exact", "exact"), ("lsh", "LSH")):
        costs = {
            int(key.split()[1]): middle(figure, microseconds_a_document) or 0
            for key, figure in figures.items()
            if key.split()[0] == method
        }
        if len(costs) > 1:
            lowest, highest = min(costs.values()), max(costs.values())
            yield _row(
                f"{name}, a document, {min(costs):,} to {max(costs):,}",
                f"flat (highest at most {FLAT:g} times the lowest)",
                f"{lowest:.1f} to {highest:.1f} µs",
                highest <= FLAT * lowest,
            )
