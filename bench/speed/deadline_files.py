"""What students hand in before a deadline: small files in DOCX, PDF and TXT."""

from __future__ import annotations

import io
import random

from bench.making.web_server import pdf_of
from tests.library.texts import invented

ENDINGS = ("docx", "pdf", "txt")
WORDS = (300, 900)
SHARED_WORDS = 40
PARAGRAPH_WORDS = 60
SOURCES = 200  # documents of the library, of one of which each file has a run of words


def source(number: int) -> str:
    """A document of the library."""
    return invented(1_500, number)


def essay(dice: random.Random, name: str) -> tuple[str, bytes]:
    """A new file and its name."""
    words = invented(dice.randint(*WORDS), dice.randrange(1 << 40)).split()
    found = source(dice.randrange(SOURCES)).split()
    first = dice.randrange(len(found) - SHARED_WORDS)
    words[len(words) // 2 : len(words) // 2] = found[first : first + SHARED_WORDS]
    paragraphs = [
        " ".join(words[at : at + PARAGRAPH_WORDS]).capitalize() + "."
        for at in range(0, len(words), PARAGRAPH_WORDS)
    ]
    ending = dice.choice(ENDINGS)
    return f"{name}.{ending}", _WRITTEN[ending](name, paragraphs)


def _docx(title: str, paragraphs: list[str]) -> bytes:
    import docx

    written = docx.Document()
    written.add_heading(title, 1)
    for paragraph in paragraphs:
        written.add_paragraph(paragraph)
    file = io.BytesIO()
    written.save(file)
    return file.getvalue()


def _pdf(title: str, paragraphs: list[str]) -> bytes:
    return pdf_of(title, "\n\n".join(paragraphs))


def _txt(title: str, paragraphs: list[str]) -> bytes:
    return "\n\n".join((title, *paragraphs)).encode()


_WRITTEN = {"docx": _docx, "pdf": _pdf, "txt": _txt}
