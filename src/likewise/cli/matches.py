"""How `find` and `cross` tell what they found, to people or to programs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from likewise.cli.names import shortened
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.cli.reports import Report
    from likewise.model import Document, Match, Matches, Unread
    from likewise.progress import Progress
    from likewise.settings import Settings

PAIRS_SHOWN = 50
PASSAGES_SHOWN = 3  # of each pair


@dataclass(slots=True)
class Collection:
    """The documents of a folder that are to be compared, and what became of the others."""

    folder: Path
    label: str
    documents: list[Document]
    unread: list[Unread]
    of_other_languages: int = 0

    @classmethod
    def read(
        cls,
        folder: Path,
        language: str | None,
        tell: Progress | None,
        label: str = "",
        *,
        jobs: int | None = None,
        cache: bool = True,
        ocr: tuple[str, ...] = (),
        verify: bool = False,
    ) -> Collection:
        from likewise.reading import read_folder

        documents, unread = read_folder(
            folder, tell, jobs=jobs, cache=cache, ocr=ocr, verify=verify
        )
        chosen = [d for d in documents if language is None or d.language == language]
        return cls(folder, label, chosen, unread, len(documents) - len(chosen))

    @property
    def is_unreadable(self) -> bool:
        """There were files, and none of them could be read."""
        return bool(self.unread) and not self.documents and not self.of_other_languages


@dataclass(slots=True)
class Telling:
    """What was asked of the result."""

    as_json: bool
    limit: int | None
    language: str | None
    fail_on_match: bool
    strict: bool
    passages: bool
    report: Report
    began: float = field(default_factory=time.monotonic)

    def with_passages(self, matches: Matches) -> Matches:
        """The same matches, and where exactly, if that was asked for."""
        if not self.passages:
            return matches
        from likewise.align import with_passages

        return with_passages(matches)

    def report_on(
        self, matches: Matches, collections: Sequence[Collection], tell: Progress | None
    ) -> None:
        """Write the report that was asked for, if there is anything to report on."""
        if self.report.path is None or any(each.is_unreadable for each in collections):
            return
        from likewise.report import view_of_matches

        others = sum(collection.of_other_languages for collection in collections)
        self.report.write(view_of_matches(matches, other_languages=others, progress=tell), tell)

    def result(
        self,
        matches: Matches,
        collections: Sequence[Collection],
        headings: tuple[str, str] = ("A", "B"),
    ) -> None:
        """Tell all of it and end with the status that was asked for."""
        seconds = time.monotonic() - self.began
        if self.as_json:
            self._to_programs(matches, collections, seconds)
        else:
            self._to_people(matches, collections, headings, seconds)
        for collection in collections:
            if collection.is_unreadable:
                files = len(collection.unread)
                none = "its only file" if files == 1 else f"none of its {files:,} files"
                not_read = "could not be read" if files == 1 else "could be read"
                raise BadInput(f"{collection.folder}: {none} {not_read}")
        self.report.told(as_json=self.as_json)
        if self.strict and matches.unread:
            raise typer.Exit(2)
        if self.fail_on_match and len(matches):
            raise typer.Exit(1)

    def _to_programs(
        self, matches: Matches, collections: Sequence[Collection], seconds: float
    ) -> None:
        from likewise.cli import as_json

        limit = len(matches) if self.limit is None else min(self.limit, len(matches))
        for i in range(limit):
            match = matches[i]
            where = as_json.of_passages(match) if self.passages else {}
            as_json.write({"type": "pair", **as_json.of_match(match), **where})
        for cluster in matches.clusters:
            as_json.write(as_json.of_cluster(cluster))
        for unread in matches.unread:
            as_json.write(as_json.of_unread(unread))
        for name, note in matches.notes:
            as_json.write(as_json.of_note(name, note))
        summary = {
            "type": "summary",
            "documents": matches.documents,
            "other_languages": sum(c.of_other_languages for c in collections),
            "pairs": len(matches),
            "clusters": len(matches.clusters),
            "unread": len(matches.unread),
            "notes": len(matches.notes),
            "compared": matches.compared,
            "method": matches.method,
            "threshold": matches.settings.threshold,
            "seconds": seconds,
        }
        as_json.write(summary | as_json.of_settings(matches.settings))

    def _to_people(
        self,
        matches: Matches,
        collections: Sequence[Collection],
        headings: tuple[str, str],
        seconds: float,
    ) -> None:
        from likewise.cli import show

        console = show.page()
        shown = matches[: PAIRS_SHOWN if self.limit is None else self.limit]
        if shown:
            languages = _languages(shown, collections)
            show.pairs(console, shown, matches.settings.measure, headings, languages)
            hidden = len(matches) - len(shown)
            show.hidden(console, hidden, "pair", "--limit shows more, --json all")
            if self.passages:
                self._passages(shown, collections, matches.settings)
        elif not len(matches):
            console.print(self._nothing(matches, collections))
        show.clusters(console, matches.clusters, show.LINES_SHOWN)
        show.unread(console, matches.unread)
        show.notes(console, matches.notes)
        others = sum(collection.of_other_languages for collection in collections)
        show.closing(
            console,
            show.count(matches.documents, "document")
            + (f" in {self.language}, {others:,} in other languages" if self.language else ""),
            show.count(len(matches), "pair"),
            f"{matches.settings.measure} ≥ {matches.settings.threshold:g}",
            show.took(seconds),
            method=matches.method,
        )

    def _passages(
        self, shown: Sequence[Match], collections: Sequence[Collection], settings: Settings
    ) -> None:
        """Each pair's passages, under its names."""
        from likewise.cli import show
        from likewise.cli.passages import passages
        from likewise.language import Lexicon

        console, lexicon = show.page(), Lexicon(settings)
        first, last = ({d.name: d for d in collections[i].documents} for i in (0, -1))
        for match in shown:
            show.heading(console, f"{shortened(match.a, 45)}  ·  {shortened(match.b, 45)}")
            a, b = first[match.a], last[match.b]
            passages(console, a, b, match.passages, lexicon, PASSAGES_SHOWN)

    def _nothing(self, matches: Matches, collections: Sequence[Collection]) -> str:
        """Why there are no pairs."""
        counts = [len(collection.documents) for collection in collections]
        within = f" in {self.language}" if self.language else ""
        what = f"document{within}"
        if sum(counts) == 0:
            return f"No documents{within} here: nothing to compare."
        if counts == [1]:
            return f"One {what}, and nothing to compare it with."
        for collection in collections:
            if not collection.documents:
                folder = shortened(str(collection.folder), 50)
                return f"No documents{within} in {folder}: nothing to compare with."
        return f"No two documents reach the threshold of {matches.settings.threshold:g}."


def _languages(shown: Sequence[Match], collections: Sequence[Collection]) -> list[str] | None:
    """The languages of each pair, where the pairs are not all in one."""
    first, last = (_language_of(collections[i]) for i in (0, -1))
    told = [" ".join(dict.fromkeys((first[m.a], last[m.b]))) for m in shown]
    return told if len(set(told)) > 1 else None


def _language_of(collection: Collection) -> Mapping[str, str]:
    """By name, and by folder and name, as documents of one name in two folders are called."""
    known = {document.name: document.language or "?" for document in collection.documents}
    return {f"{collection.label}/{name}": language for name, language in known.items()} | known
