"""How files are read, as tables."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bench.page.tables import Section, probability, provenance, table

MOST_OF_BARE = 1.15
MOST_MILLISECONDS = 30


def reading_page(sections: dict[str, Section]) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    known = ("every file", "PDF speed", "office speed", "encodings", "web pages", "ruled tables")
    if not any(name in sections for name in known):
        return
    yield "## Reading"
    yield from _asked(sections)
    yield from _every_file(sections.get("every file"))
    yield from _damaged(sections.get("damaged files"))
    yield from _pdf(sections.get("PDF speed"))
    yield from _office(sections.get("office speed"))
    yield from _encodings(sections.get("encodings"))
    yield from _web(sections.get("web pages"))
    yield from _tables(sections.get("ruled tables"))


def _asked(sections: dict[str, Section]) -> Iterator[str]:
    rows: list[list[str]] = []
    if section := sections.get("PDF speed"):
        ratio = next(f["of_bare"] for f in section["figures"] if f["what"] == "text")
        rows.append(["PDF text, CPU beside bare PDFium", "1.15", f"{ratio:.2f}"])
    if section := sections.get("office speed"):
        slowest = max(section["figures"], key=lambda figure: figure["ms"])
        told = f"{slowest['ms']:.0f} ms ({slowest['what']})"
        rows.append(["20 pages of DOC, DOCX, ODT, RTF: the slowest", "30 ms", told])
    if section := sections.get("encodings"):
        figure = section["figures"][0]
        pages, snippets = figure["pages"], figure["snippets"]["all"]
        told = f"{pages['right']} of {pages['pages']}"
        if pages["listed wrongly"]:
            told += f"; listed wrongly, as we see it: {', '.join(pages['listed wrongly'])}"
        rows.append(["encoding of real pages", "99 %", told])
        rows.append(["encoding of 15 characters", "98 %", f"{snippets['share']:.1%}"])
    if section := sections.get("every file"):
        figure = section["figures"][0]
        told = f"{figure['crashes']}, {figure['hangs']}; slowest {figure['slowest_s']} s"
        rows.append(["crashes, hangs over 30 s", "0, 0", told])
    if section := sections.get("ruled tables"):
        share = section["figures"][0]["ruled_share"]
        rows.append(["cells of ruled tables right", "80 %", f"{share:.1%}"])
    yield table(["what", "asked", "measured"], rows)


def _every_file(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Every file of extraction projects' tests"
    yield "`formats`, by what the files are called; each read in the sandbox, without the cache."
    figures = section["figures"]
    columns = ("read", "without text", "refused", "with notes")
    yield table(
        ["ending", *columns],
        [
            [f["what"], *(f.get(column, 0) for column in columns)]
            for f in figures
            if f["what"] not in ("formats", "reason")
        ],
    )
    yield "Why files were refused:"
    yield table(
        ["reason", "files"],
        [[f["reason"], f["files"]] for f in figures if f["what"] == "reason"],
    )
    yield provenance(section)


def _damaged(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Damaged files"
    yield "Small documents with one to four things wrong in each copy, read in the sandbox."
    columns = ("a document", "a reason", "a crash in the sandbox", "given up", "slowest_s")
    yield table(
        ["taken for", "a document", "a reason", "a crash", "given up", "slowest, s"],
        [[f["format"], *(f.get(column, 0) for column in columns)] for f in section["figures"]],
    )
    yield provenance(section)


def _pdf(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### PDF, CPU time"
    yield "All PDF files of `formats` and ICDAR in one process; stages in turn, medians."
    yield table(
        ["stage", "files", "pages", "CPU-s", "of bare PDFium"],
        [
            [f["what"], f["files"], f["pages"], f"{median(f['cpu_s']):.2f}", f"{f['of_bare']:.2f}"]
            for f in section["figures"]
        ],
    )
    yield provenance(section)


def _office(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Office documents of twenty pages"
    yield "10,500 words with tables and footnotes, made by LibreOffice."
    yield table(
        ["format", "kB", "words read", "CPU ms"],
        [[f["what"], f["kB"], f"{f['words']:,}", f["ms"]] for f in section["figures"]],
    )
    yield provenance(section)


def _encodings(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    figure = section["figures"][0]
    yield "### Encodings"
    yield (
        "Snippets of 15 characters of real text, encoded and guessed; right is the text, whatever "
        "the encoding is called. `letters.txt` was made from other texts."
    )
    yield table(
        ["text", "snippets", "right", "wrong without a note"],
        [
            [name, f"{f['asked']:,}", probability(f["share"]), f["wrong without a note"]]
            for name, f in figure["snippets"].items()
        ],
    )
    yield provenance(section)


def _web(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    figure = section["figures"][0]
    yield "### Web pages"
    yield (
        "Russian and Kazakh pages as raw bytes (`pages`): whole text. A page is near where its "
        "letters are as many as listed."
    )
    simple = {k: v for k, v in figure.items() if isinstance(v, int | float)}
    yield table(["what", "measured"], [[name, f"{value:g}"] for name, value in simple.items()])
    yield provenance(section)


def _tables(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    figure = section["figures"][0]
    yield "### Tables of ICDAR 2013 (European part)"
    yield "A cell is right where every place it covers has its text; the rule is in the module."
    yield table(
        ["tables", "number", "cells", "right"],
        [
            [kind, figure[f"{kind}_tables"], figure[f"{kind}_cells"], figure[f"{kind}_right"]]
            for kind in ("ruled", "all")
        ],
    )
    yield f"Tables read that are none: {figure['extra_tables']}."
    yield provenance(section)
