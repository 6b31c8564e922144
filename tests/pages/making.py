"""What people hand in: archives, a thesis, a class of essays."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

from tests.library.texts import invented

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
FILES = ROOT / "tests" / "files"
COPIED = ("alice-bees.txt", "oliver-printing.txt", "walter-library.txt")
MIXED = (
    *("essays/en/lighthouse.docx", "essays/en/steppe.pdf", "essays/en/steppe.odt"),
    *("essays/en/steppe.rtf", "essays/en/steppe.html", "essays/en/steppe.doc"),
    *("essays/ru/lake.docx", "essays/ru/lake.odt", "essays/ru/lake.txt", "essays/ru/lake.html"),
    *("essays/ru/tram.pdf", "essays/kk/dombra.docx", "essays/kk/apple.docx"),
    *("essays/kk/apple.txt", "essays/kk/apple.rtf", "html/mill.html", "sheet/levels.xlsx"),
    *("broken/locked.docx", "broken/locked.pdf", "broken/random.bin"),
)
BROKEN = ("locked.docx", "locked.pdf", "random.bin")


def paragraphs(name: str) -> list[str]:
    """Those of an example in the archive, without its title."""
    text = (EXAMPLES / "archive" / name).read_text("utf-8")
    return [each.strip() for each in text.split("\n\n")[1:] if each.strip()]


def mixed_archive() -> bytes:
    """Thirty files of many kinds, three of which nobody can read."""
    packed = io.BytesIO()
    paths = [*sorted((EXAMPLES / "archive").glob("*.txt")), *(FILES / each for each in MIXED)]
    assert len(paths) == 30
    with zipfile.ZipFile(packed, "w") as archive:
        for path in paths:
            archive.write(path, path.name)
    return packed.getvalue()


def thesis() -> bytes:
    """A Word file of own paragraphs and of some from three documents of the archive."""
    import docx

    made = docx.Document()
    made.add_heading("What three stories have in common", 1)
    for i, name in enumerate(COPIED):
        made.add_paragraph(f"My own words come first, number {i}. " + invented(70, seed=900 + i))
        for each in paragraphs(name)[:2]:
            made.add_paragraph(each)
    made.add_paragraph(invented(90, seed=990))
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def class_of_forty() -> dict[str, str]:
    """Essays of one class; five of them pass paragraphs around."""
    dice = random.Random(7)
    shared = [invented(60, seed=5_000 + i) for i in range(6)]
    essays = {}
    for i in range(40):
        parts = [invented(60, seed=6_000 + 10 * i + j) for j in range(3)]
        if i in RING:
            parts += dice.sample(shared, 4)
        essays[f"student-{i:02}.txt"] = "\n\n".join(parts)
    return essays


RING = (3, 11, 18, 27, 36)


def zipped(texts: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return packed.getvalue()


def payload(name: str, data: bytes | str) -> dict[str, object]:
    """A file as a browser is given one."""
    buffer = data.encode() if isinstance(data, str) else data
    return {"name": name, "mimeType": "application/octet-stream", "buffer": buffer}
