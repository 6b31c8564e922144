"""Paper 000: what its three stages cost and leave behind, and its three uses."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.tables import Figure, Section, provenance, rounded, table
from bench.papers.paper_000 import published


def stages_part(section: Section) -> Iterator[str]:
    """Times and sizes beside the paper's."""
    figures = section["figures"]
    reading, shingling = figures["reading"]["cpu_s"], figures["shingling"]["cpu_s"]
    lsh = [run["cpu_s"] for run in figures["lsh"]]
    whole = reading + shingling + figures["signing"]["cpu_s"] + max(lsh)
    yield "### The three stages, and what they leave behind"
    yield (
        f"{figures['documents']} PDFs with {figures['pages']:,} pages, "
        f"{figures['characters'] / 1e6:.1f} million characters and {figures['shingles'] / 1e6:.1f} "
        "million shingles of 10 characters. The paper does not say how long its articles are; "
        f"{published.SHINGLES_MB} MB are {published.SHINGLES_MB / 11:.1f} million shingles, if "
        "each is a line of ten characters. Ours have no pictures. The paper gives clock times, "
        "in Python with PDFMiner, on a processor of 2013; ours are CPU seconds of all processes "
        "together. They tell a scale, not a ratio."
    )
    yield table(
        ["stage", "paper", "Likewise, CPU-s"],
        [
            ["PDFs to tokens to shingles", "36 minutes", rounded(reading + shingling, 2)],
            ["– of this, reading the PDFs", "", rounded(reading, 2)],
            ["– of this, words and shingles of 10 characters", "", rounded(shingling, 2)],
            [
                "– words and shingles of 5 words instead, as Likewise comes",
                "",
                rounded(figures["shingling_words"]["cpu_s"], 2),
            ],
            ["signatures, 100 slots, classic", "4 minutes", _time(figures["signing"])],
            ["signatures, 100 slots, as Likewise comes", "", _time(figures["signing_fast"])],
            ["LSH, the four bandings", "few seconds", f"{min(lsh):.4f} to {max(lsh):.4f}"],
            ["all", "more than 40 minutes", rounded(whole, 2)],
        ],
    )
    yield table(
        ["what", "paper", "Likewise"],
        [
            ["PDFs", f"over {published.PDF_MB} MB", _mb(figures["pdf_bytes"])],
            [
                "shingles of 10 characters",
                f"{published.SHINGLES_MB} MB",
                _mb(figures["shingle_bytes"]),
            ],
            ["shingles of 5 words, as Likewise comes", "", _mb(figures["shingle_words_bytes"])],
            [
                "signatures, 100 slots",
                f"{published.SIGNATURES_KB} kB",
                _kb(figures["signature_bytes"]) + " (16 bits a slot)",
            ],
            _default_signatures(figures),
        ],
    )
    yield provenance(section)


def _default_signatures(figures: Figure) -> list[str]:
    size = figures["signature_default_bytes"]
    shown = _kb(size)
    if size > 1000 * published.SIGNATURES_KB:
        shown = f"**{shown}** (256 slots of 16 bits: 2.6 times the slots, for a smaller error)"
    return ["signatures, as Likewise comes", "", shown]


def uses_part(section: Section) -> Iterator[str]:
    """Inside a folder, between two, one against many."""
    uses = {use["use"]: use for use in section["figures"]}
    find, cross, check = uses["find"], uses["cross"], uses["check"]
    copies = sum(part["copies"] for part in check["right"])
    yield "### The three uses"
    yield (
        "Likewise as it comes (five-word shingles, exact), asked for pairs of Jaccard .01 and "
        f"more, on the PDFs and {copies} copies of them, set as PDFs too, with lines replaced as "
        "above. *Right* is a copy whose first answer is its original. CPU seconds, reading of all "
        'PDFs included. The paper gives no times for these; it calls the first two "quite slow" '
        'and the third "pretty fast".'
    )
    labels = {
        "find": "inside one folder (`find`)",
        "cross": "between two folders (`cross`)",
        "check": "one PDF against a library (`check`)",
    }
    yield table(
        ["use", "CPU-s", *(f"right at {t}".replace("0.", ".") for t in published.SIMILARITIES)],
        [
            [
                labels[name],
                _use_time(use, copies),
                *(f"{part['right']} of {part['copies']}" for part in use["right"]),
            ]
            for name, use in (("find", find), ("cross", cross), ("check", check))
        ],
    )
    yield (
        f"Filling the library took {check['adding']['cpu_s']:.1f} CPU-s for {check['documents']} "
        "PDFs, once. A check does more than the paper's third use: it aligns the text with every "
        "source and shows the passages, and these copies hold lines of nearly all documents."
    )
    yield provenance(section)


def _use_time(use: Figure, copies: int) -> str:
    if use["use"] == "check":
        return f"{use['cpu_s'] / copies:.2f} a PDF"
    return f"{use['cpu_s']:.1f} for {use['documents']} PDFs"


def _time(spent: Figure) -> str:
    return f"{spent['cpu_s']:.2f}" if spent["cpu_s"] >= 0.1 else f"{spent['cpu_s']:.3f}"


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _kb(size: int) -> str:
    return f"{size / 1e3:.0f} kB"
