"""Recognition of text in pictures, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.tables import Section, provenance, table


def ocr_page(sections: dict[str, Section]) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    if "recognised pages" not in sections:
        return
    yield "## Scans and photographs"
    yield from _pages(sections["recognised pages"])
    yield from _steps(sections.get("recognition without steps"))
    yield from _receipts(sections.get("receipts"))


def _pages(section: Section) -> Iterator[str]:
    yield (
        "Pages drawn, and from severity 1 on photographed by a generator that knows nothing of the "
        "reader: perspective, curl, shadow, noise, blur, JPEG, a background. Severity 0 is a clean "
        "page at 300 dpi. Asked: at most 2 % of the characters wrong on clean pages, 6 % on "
        "photographed ones, 3 CPU-s for 3,000 characters."
    )
    yield table(
        ["language", "severity", "pages", "characters wrong", "worst page", "CPU-s for 3,000"],
        [
            [
                f["language"],
                f["severity"],
                f["pages"],
                f"{f['character_error']:.2%}",
                f"{f['worst_page']:.2%}",
                f["cpu_seconds_for_3000_characters"],
            ]
            for f in section["figures"]
        ],
    )
    yield provenance(section)


def _steps(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Each step left out in turn"
    severities = sorted({f["severity"] for f in section["figures"]})
    errors = {(f["without"], f["severity"]): f["character_error"] for f in section["figures"]}
    steps = list(dict.fromkeys(f["without"] for f in section["figures"]))
    yield table(
        ["without", *(f"severity {severity}" for severity in severities)],
        [[step, *(f"{errors[step, severity]:.2%}" for severity in severities)] for step in steps],
    )
    yield provenance(section)


def _receipts(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    whole = section["figures"][-1]
    share = whole["found"] / whole["lines"]
    yield "### Receipts"
    yield (
        f"{whole['found']:,} of {whole['lines']:,} transcribed lines of scanned receipts "
        f"({share:.1%}) are found with at most 20 % of their characters wrong; asked: 80 %."
    )
    yield provenance(section)
