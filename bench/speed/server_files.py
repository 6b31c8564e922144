"""Files that people hand to a server: documents of ten pages, with a passage of the library."""

from __future__ import annotations

import io

import numpy as np

from bench.speed.library_texts import NEW, RAW_RUN, Texts

PAGES = 10
PAGE_WORDS = 300
PARAGRAPH_WORDS = 60


def docx_file(texts: Texts, number: int, documents: int, pages: int = PAGES) -> bytes:
    """A new document in DOCX, a page break behind each page, with thirty words of another's."""
    import docx
    from docx.enum.text import WD_BREAK

    words = new_words(texts, number, documents, pages * PAGE_WORDS)
    written = docx.Document()
    written.add_heading(f"Essay {number}", 1)
    for page in range(pages):
        first = page * PAGE_WORDS
        for at in range(first, first + PAGE_WORDS, PARAGRAPH_WORDS):
            written.add_paragraph(" ".join(words[at : at + PARAGRAPH_WORDS]) + ".")
        if page < pages - 1:
            written.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    file = io.BytesIO()
    written.save(file)
    return file.getvalue()


def new_words(texts: Texts, number: int, documents: int, length: int) -> list[str]:
    """Words of no library document, and a run of one in their middle."""
    dice = np.random.default_rng([29, number])
    words: list[str] = []
    while len(words) < length:
        words += texts.of(NEW + (number << 20) + len(words))
    source = texts.of(int(dice.integers(documents)))
    at, first = length // 2, int(dice.integers(len(source) - RAW_RUN))
    words[at : at + RAW_RUN] = source[first : first + RAW_RUN]
    return words[:length]
