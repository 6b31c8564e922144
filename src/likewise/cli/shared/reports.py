"""`--report`: what a verb found, as a file for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.catalogue import LanguageCode
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.corpus import Deduped
    from likewise.library import Batch
    from likewise.model import Check, Match, Matches
    from likewise.progress import Progress


@dataclass(frozen=True, slots=True)
class ReportOutput:
    """A report that may have been asked for."""

    path: Path | None
    language: LanguageCode | None = None

    def ensure_writable(self, inputs: Iterable[Path]) -> None:
        """Better said now than after an hour of work."""
        if self.path is None:
            if self.language is not None:
                raise BadInput("cli.option_belongs", option="--report-language", owner="--report")
            return
        from likewise.report import ensure_writable

        path = ensure_writable(self.path)
        for input_path in inputs:
            if input_path.is_dir() and path.resolve().is_relative_to(input_path.resolve()):
                raise BadInput("cli.report_in_input", about=path, folder=str(input_path))
            if input_path.exists() and path.exists() and path.samefile(input_path):
                raise BadInput("cli.report_overwrites", about=path)

    def save(
        self, result: Check | Match | Matches | Deduped | Batch, on_progress: Progress | None
    ) -> None:
        """Write it, if it was asked for."""
        if self.path is not None:
            from likewise.front import save

            save(result, self.path, language=self.language, progress=on_progress)

    def print_path(self, *, as_json: bool) -> None:
        """Say where it is, to people alone."""
        if self.path is not None and not as_json:
            from likewise.cli.shared import screen
            from likewise.cli.shared.printable import printable

            console = screen.open_console()
            console.print()
            console.print(f"Report: {printable(str(self.path))}", markup=False, highlight=False)


def check_without_folders(check: Check | Batch, file: Path) -> Check | Batch:
    """The check of a file, called by its name alone: a report is handed on, folders are private."""
    from likewise.model import Check

    if not isinstance(check, Check):
        return check
    document = replace(check.document, name=file.name)
    notes = tuple((file.name if name == check.name else name, note) for name, note in check.notes)
    return replace(check, name=file.name, document=document, notes=notes)


def without_folders(match: Match, a: Path, b: Path) -> Match:
    """The same for two files, unless only their folders tell them apart."""
    if match.documents is None or a.name == b.name:
        return match
    one, two = match.documents
    documents = replace(one, name=a.name), replace(two, name=b.name)
    return replace(match, a=a.name, b=b.name, documents=documents)
