"""How files are read: every one of `formats`, and how long PDF and office documents take.

The documents of twenty pages are made with LibreOffice; without it they are left out.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from likewise.errors import ReadingError
from likewise.reading.formats import Format, read_as, sniff
from likewise.reading.read import file_bytes, read_with_options
from likewise.reading.request import Limits, ReadOptions, Request

Figure = dict[str, Any]
REPEATS = 5
SLOWEST_SECONDS = 30
MOST_MILLISECONDS = 30


def every_file(folder: Path) -> list[Figure]:
    """Each file of `formats`: read, or refused with a reason; by what it is called."""
    files = sorted(path for path in (folder / "formats").rglob("*") if path.is_file())
    if not files:
        return []
    outcomes: dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    slowest = 0.0
    for path in files:
        counts = outcomes.setdefault(path.suffix.lstrip(".").lower() or "none", Counter())
        began = time.monotonic()
        try:
            document = read_with_options(
                file_bytes(path, Limits()), path.name, ReadOptions(cache=False)
            )
            counts["read" if document.text.strip() else "without text"] += 1
            counts["with notes"] += bool(document.notes)
        except ReadingError as error:
            counts["refused"] += 1
            reasons[re.sub(r"\d+", "0", str(error))] += 1
        slowest = max(slowest, time.monotonic() - began)
    crashes = sum(n for reason, n in reasons.items() if "crashed" in reason)
    hangs = sum(n for reason, n in reasons.items() if "given up" in reason)
    return [
        {"what": "formats", "crashes": crashes, "hangs": hangs, "slowest_s": round(slowest, 1)},
        *({"what": kind, **counts} for kind, counts in sorted(outcomes.items())),
        *({"what": "reason", "reason": r, "files": n} for r, n in reasons.most_common()),
    ]


def pdf_speed(folder: Path) -> list[Figure]:
    """CPU time of our stages beside bare pypdfium2, over all PDF files, in one process."""
    files = [path.read_bytes() for path in sorted(folder.glob("formats/**/*.pdf"))]
    files += [path.read_bytes() for path in sorted(folder.glob("icdar13-tables-eu/*.pdf"))]
    if not files:
        return []
    figures: list[Figure] = _in_a_process(_time_pdfs, files)
    return figures


def _bare_pages(data: bytes) -> int:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return 0
    pages = 0
    for page in document:
        text = page.get_textpage()
        text.get_text_range()
        text.close()
        page.close()
        pages += 1
    document.close()
    return pages


def _time_pdfs(files: list[bytes]) -> list[Figure]:
    from likewise.reading.pdf import pdf_text, read_pdf

    stages: dict[str, Callable[[bytes], object]] = {
        "bare pypdfium2": _bare_pages,
        "text": lambda data: pdf_text(data, Request()),
        "text, tables, pictures and tricks": lambda data: read_pdf(data, Request(ocr=())),
    }
    files = [data for data in files if _bare_pages(data)]  # what is rescued has no peer
    pages = sum(_bare_pages(data) for data in files)
    spent: dict[str, list[float]] = {name: [] for name in stages}
    for _ in range(REPEATS):
        for name, stage in stages.items():
            began = time.process_time()
            for data in files:
                with contextlib.suppress(ReadingError):
                    stage(data)
            spent[name].append(time.process_time() - began)
    bare = median(spent["bare pypdfium2"])
    return [
        {
            "what": name,
            "files": len(files),
            "pages": pages,
            "cpu_s": [round(value, 3) for value in values],
            "of_bare": round(median(values) / bare, 3),
        }
        for name, values in spent.items()
    ]


def office_speed(_folder: Path) -> list[Figure]:
    """CPU time for a document of twenty pages with tables and notes, in each format."""
    if not shutil.which("soffice"):
        return []
    figures = []
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "twenty.fodt"
        source.write_text(_twenty_pages(), "utf-8")
        for form, asked in (
            ("docx", "docx"),
            ("odt", "odt"),
            ("doc", "doc:MS Word 97"),
            ("rtf", "rtf"),
        ):
            subprocess.run(
                [
                    *("soffice", f"-env:UserInstallation=file://{place}/profile", "--headless"),
                    *("--convert-to", asked, "--outdir", place, str(source)),
                ],
                check=True,
                capture_output=True,
            )
            data = (Path(place) / f"twenty.{form}").read_bytes()
            figures.append({"what": form, "kB": len(data) // 1000} | _milliseconds(form, data))
    return figures


def _milliseconds(form: str, data: bytes) -> Figure:
    kind = sniff(data, f"a.{form}")
    assert kind != "archive"
    words, spent = _in_a_process(_time_reading, (kind, data))
    return {"words": words, "ms": round(1000 * median(spent), 1)}


def _time_reading(job: tuple[Format, bytes]) -> tuple[int, list[float]]:
    form, data = job
    words = len(read_as(form, data, Request()).text.split())  # the first time loads the library
    spent = []
    for _ in range(2 * REPEATS):
        began = time.process_time()
        read_as(form, data, Request())
        spent.append(time.process_time() - began)
    return words, spent


def _twenty_pages() -> str:
    """About eight thousand words of Russian and English, with a table and a note now and then."""
    sentences = (
        "Степь начинается там, где кончаются заборы, и ветер не спрашивает дороги у прохожих. ",
        "The archive keeps what people forget, and forgets what nobody thought worth keeping. ",
        "Река поворачивает на север, а за нею тянется дорога, по которой ходили караваны. ",
        "Every page was copied by hand, line after line, until the ink and the winter ran out. ",
    )
    body = []
    for i in range(180):
        text = "".join(sentences[(i + j) % 4] for j in range(4))
        note = (
            f'<text:note text:id="n{i}" text:note-class="footnote"><text:note-citation>{i}'
            "</text:note-citation><text:note-body><text:p>See the list of sources.</text:p>"
            "</text:note-body></text:note>"
        )
        body.append(f"<text:p>{text}{note if i % 6 == 0 else ''}</text:p>")
        if i % 20 == 10:
            cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
            row = "<table:table-row>" + "".join(cell.format(n * i) for n in range(5))
            body.append(
                f'<table:table table:name="t{i}"><table:table-column '
                f'table:number-columns-repeated="5"/>{(row + "</table:table-row>") * 6}'
                "</table:table>"
            )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table")
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {spaces} office:version="1.2" '
        'office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>'
        f"{''.join(body)}</office:text></office:body></office:document>"
    )


def _in_a_process(work: Callable[[Any], Any], argument: Any) -> Any:
    """What a fresh process makes of it, alone: PDFium keeps what it once allocated."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, (argument,))
