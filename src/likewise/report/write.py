"""A view to a file; its ending says how."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time

from likewise.catalogue import LanguageCode, Message, language_of_the_system
from likewise.errors import BadInput
from likewise.languages import codes
from likewise.report.view import View

UNFINISHED = ".report-"  # a folder beside a report, while it is being written
ABANDONED_SECONDS = 3600
ENDINGS = (".html", ".pdf", ".docx", ".json", ".csv")


def ensure_writable(path: str | Path) -> Path:
    """The path of a report, or a clear error before the long work, not after it."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise BadInput("core.report_ending", about=path, endings=ENDINGS)
    if path.is_dir():
        raise BadInput("core.report_is_folder", about=path)
    if not path.parent.is_dir():
        raise BadInput("core.no_folder", about=path, folder=str(path.parent))
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput("core.not_writable", about=path)
    return path


def write_view(
    view: View,
    path: str | Path,
    language: LanguageCode | None = None,
    *,
    time_zone: str = "UTC",
) -> None:
    """Write a report whole or not at all. A page without a language speaks its reader's.

    Times are told as in the time zone; a page tells its reader's, data is in UTC.
    """
    path = ensure_writable(path)
    if language is not None and language not in codes():
        raise BadInput("core.report_language", languages=codes(), language=str(language))
    try:
        _clear(path.parent)
        with TemporaryDirectory(dir=path.parent, prefix=UNFINISHED) as folder:
            unfinished = Path(folder, f"report{path.suffix.lower()}")
            _write(view, unfinished, language, time_zone)
            unfinished.replace(path)
    except OSError as error:
        raise BadInput(Message.verbatim(error.strerror or str(error)), about=path) from error


def _clear(parent: Path) -> None:
    """Remove what a run that was killed left behind; a folder with anything else in it stays."""
    for folder in parent.glob(f"{UNFINISHED}????????"):
        with suppress(OSError):
            if folder.is_symlink() or time() - folder.stat().st_mtime < ABANDONED_SECONDS:
                continue
            files = list(folder.iterdir())
            if all(file.stem == "report" and file.suffix in ENDINGS for file in files):
                for file in files:
                    file.unlink()
                folder.rmdir()


def _write(view: View, path: Path, language: LanguageCode | None, time_zone: str) -> None:
    if path.suffix == ".html":
        from likewise.report.page import write_page

        return write_page(view, path, language)
    if path.suffix == ".json":
        from likewise.report.json import write_json

        return write_json(view, path)
    language_code = language or language_of_the_system()
    if path.suffix == ".pdf":
        from likewise.report.pdf import write_pdf

        return write_pdf(view, path, language_code, time_zone)
    if path.suffix == ".docx":
        from likewise.report.docx import write_docx

        return write_docx(view, path, language_code, time_zone)
    from likewise.report.csv import write_csv

    return write_csv(view, path, language_code, time_zone)
