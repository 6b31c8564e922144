"""Makes the essays in every format, the archives, and the misnamed and broken files.

    python -m tests.files.making.essays

Needed are soffice (LibreOffice Writer), chromium and qpdf on the path, Liberation Serif and DejaVu
Serif among the fonts, and Pillow. What is made is committed: the tests need none of these.
"""

from __future__ import annotations

import codecs
import io
import random
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tests.files.making.essay_figures import figure
from tests.files.making.essay_pages import Essay, web_page
from tests.files.making.workshop import Workshop

FILES = Path(__file__).parent.parent
ESSAYS = {"en": "steppe", "ru": "lake", "kk": "apple"}
STORED = ("pdf", "doc", "docx", "odt", "rtf")
PASSWORD = "sesame"


def essays(workshop: Workshop) -> dict[str, bytes]:
    """Each essay in every format, and beside it one that says something else."""
    made = {}
    for language, name in ESSAYS.items():
        own = f"essays/{language}/{name}"
        made |= {f"{own}.{suffix}": workshop.saved(name, suffix) for suffix in STORED}
        made[f"{own}.html"] = workshop.saved_in("windows-1251", name)
        made[f"{own}-printed.pdf"] = workshop.printed(name)
    made["essays/en/steppe.txt"] = workshop.saved("steppe", "koi8-r")
    made["essays/ru/lake.txt"] = workshop.saved("lake", "koi8-r")
    # koi8-r has no Kazakh letters, and LibreOffice does not know the code page that has.
    text = workshop.saved("apple", "utf-8").removeprefix(codecs.BOM_UTF8).decode("utf-8")
    made["essays/kk/apple.txt"] = text.encode("kz1048")
    made["essays/kk/apple-utf16.txt"] = workshop.saved("apple", "utf-16")
    made["essays/en/lighthouse.docx"] = workshop.saved("lighthouse", "docx")
    made["essays/ru/tram.pdf"] = workshop.saved("tram", "pdf")
    made["essays/kk/dombra.docx"] = workshop.saved("dombra", "docx")
    return made


def archives(essays: Mapping[str, bytes]) -> dict[str, bytes]:
    """Essays as two learning platforms and a Russian Windows pack them."""
    en, ru, kk = (f"essays/{language}/{name}" for language, name in ESSAYS.items())
    online = web_page(Essay.named("lake"), figure("lake")).encode("utf-8")
    moodle = {
        "Daniel Carter_204517_assignsubmission_file_/essay.docx": essays[f"{en}.docx"],
        "Айгерім Сәрсенова_204518_assignsubmission_file_/эссе.docx": essays[f"{kk}.docx"],
        "Мария Орлова_204519_assignsubmission_onlinetext_/onlinetext.html": online,
    }
    canvas = {
        "carterdaniel_11482_920115_essay.docx": essays[f"{en}.docx"],
        "orlovamaria_LATE_11490_920131_essay.pdf": essays[f"{ru}.pdf"],
        "sarsenovaaigerim_11503_920127_essay.rtf": essays[f"{kk}.rtf"],
    }
    windows = {
        "Работы/Орлова Мария.docx": essays[f"{ru}.docx"],
        "Работы/Ёлкин Пётр.doc": essays[f"{ru}.doc"],
    }
    return {
        "archives/moodle.zip": zipped(moodle),
        "archives/canvas.zip": zipped(canvas),
        "archives/windows.zip": zipped(windows, OldName),
    }


class OldName(zipfile.ZipInfo):
    """A member whose name is in the code page of Russian DOS, without a word about it."""

    __slots__ = ()

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802
        return self.filename.encode("cp866"), self.flag_bits & ~0x800


def zipped(members: Mapping[str, bytes], member: type[zipfile.ZipInfo] = zipfile.ZipInfo) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            info = member(name, (2024, 5, 20, 12, 0, 0))
            info.create_system = 0  # as Windows writes it, on every system
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return packed.getvalue()


def misnamed(workshop: Workshop) -> dict[str, bytes]:
    """Files whose names say something else than their bytes."""
    marked = workshop.saved("winter", "utf-16")
    return {
        "misnamed/ferry.doc": workshop.saved("ferry", "rtf"),
        "misnamed/bread.doc": workshop.saved_in("windows-1251", "bread"),
        "misnamed/winter.txt": marked.removeprefix(codecs.BOM_UTF16_LE),
        "misnamed/clock.pdf": workshop.saved("clock", "docx"),
        "misnamed/station.docx": workshop.saved("station", "pdf"),
    }


def broken(workshop: Workshop) -> dict[str, bytes]:
    """Files that give no text, and one that only reading letters from a picture gives."""
    kite, well = workshop.saved("kite", "docx"), workshop.saved("well", "pdf")
    noise = random.Random(3).randbytes(4096)
    made = {
        "broken/empty.pdf": b"",
        "broken/folder.pdf/.keep": b"This folder is named like a document.\n",
        "broken/truncated.docx": kite[: len(kite) * 3 // 5],
        "broken/truncated.pdf": well[: len(well) * 3 // 5],
        "broken/random.bin": noise,
        "broken/program.exe": b"MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff\0\0"
        + bytes(48)
        + b"This program cannot be run in DOS mode.\r\r\n$\0PE\0\0L\1"
        + noise[:600],
        "broken/program": b"\x7fELF\2\1\1\0" + bytes(8) + b"\2\0\x3e\0" + noise[:600],
        "broken/scan.png": scan(),
    }
    locked = workshop.locked("kite", PASSWORD)
    return made | {f"broken/locked.{suffix}": data for suffix, data in locked.items()}


def scan() -> bytes:
    """A page as a scanner sees it: letters in a picture, in three languages."""
    lines = (
        "Minutes of the reading circle",
        "The circle met on Friday and read aloud until the lamp went out.",
        "В пятницу кружок собрался снова и читал вслух, пока не погасла лампа.",
        "Жұма күні үйірме қайта жиналып, шам өшкенше дауыстап кітап оқыды.",
    )
    image = Image.new("L", (1000, 300), 255)
    draw = ImageDraw.Draw(image)
    for i, line in enumerate(lines):
        font = ImageFont.truetype("DejaVuSerif.ttf", 36 if i == 0 else 24)
        draw.text((40, 40 + 60 * i), line, fill=0, font=font)
    packed = io.BytesIO()
    image.quantize(8).save(packed, "PNG", optimize=True, dpi=(150, 150))
    return packed.getvalue()


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        workshop = Workshop(Path(place))
        made = essays(workshop)
        made |= archives(made) | misnamed(workshop) | broken(workshop)
    for name, data in made.items():
        path = FILES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main()
