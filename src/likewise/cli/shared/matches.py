"""How `find` and `cross` tell what they found, to people or to programs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import typer

from likewise.cli.shared.printable import shorten
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.cli.shared.reports import ReportOutput
    from likewise.model import Match, Matches
    from likewise.progress import Progress
    from likewise.settings import Settings

MAX_PAIRS = 50
MAX_PASSAGES = 3  # of each pair


@dataclass(slots=True)
class MatchesOutput:
    """What was asked of the result."""

    as_json: bool
    limit: int | None
    language: str | None
    fail_on_match: bool
    strict: bool
    passages: bool
    report: ReportOutput
    began: float = field(default_factory=time.monotonic)

    def report_on(self, matches: Matches, on_progress: Progress | None) -> None:
        """Write the report that was asked for, if there is anything to report on."""
        if not any(collection.is_unreadable for collection in matches.collections):
            self.report.save(matches, on_progress)

    def print_result(self, matches: Matches) -> None:
        """Tell all of it and end with the status that was asked for."""
        seconds = time.monotonic() - self.began
        if self.as_json:
            self._print_json(matches, seconds)
        else:
            self._print_text(matches, seconds)
        for collection in matches.collections:
            if collection.is_unreadable:
                if collection.unread == 1:
                    raise BadInput("cli.only_file_unread", about=collection.place)
                raise BadInput("cli.no_file_read", about=collection.place, n=collection.unread)
        self.report.print_path(as_json=self.as_json)
        if self.strict and matches.unread:
            raise typer.Exit(2)
        if self.fail_on_match and len(matches):
            raise typer.Exit(1)

    def _print_json(self, matches: Matches, seconds: float) -> None:
        from likewise.cli.shared import json_lines

        limit = len(matches) if self.limit is None else min(self.limit, len(matches))
        is_by_meaning_too = matches.pairs_by_meaning is not None
        for i in range(limit):
            match = matches[i]
            where = json_lines.passages_record(match) if self.passages else {}
            how = json_lines.found_by_record(match) if is_by_meaning_too else {}
            record = {"type": "pair", **json_lines.match_record(match), **how, **where}
            json_lines.write_record(record)
        for cluster in matches.clusters:
            json_lines.write_record(json_lines.cluster_record(cluster))
        for unread in matches.unread:
            json_lines.write_record(json_lines.unread_record(unread))
        for name, note in matches.notes:
            json_lines.write_record(json_lines.note_record(name, note))
        summary = {
            "type": "summary",
            "documents": matches.documents,
            "other_languages": _other_languages(matches),
            "pairs": len(matches),
            "clusters": len(matches.clusters),
            "unread": len(matches.unread),
            "notes": len(matches.notes),
            "compared": matches.compared,
            "method": matches.method,
            "threshold": matches.settings.threshold,
            "seconds": seconds,
        }
        if is_by_meaning_too:
            summary["pairs_by_meaning"] = matches.pairs_by_meaning
        concepts = matches.concepts if self.passages else None
        json_lines.write_record(summary | json_lines.settings_record(matches.settings, concepts))

    def _print_text(self, matches: Matches, seconds: float) -> None:
        from likewise.cli.shared import screen

        console = screen.open_console()
        first_matches = matches[: MAX_PAIRS if self.limit is None else self.limit]
        if first_matches:
            headings = ("A", "B")
            if matches.is_crossed:
                headings = f"A: {matches.names[0]}", f"B: {matches.names[1]}"
            by_words = [match for match in first_matches if match.meaning_share is None]
            by_meaning = [match for match in first_matches if match.meaning_share is not None]
            if by_words:
                measure, languages = matches.settings.measure, _languages(by_words)
                screen.print_pairs(console, by_words, measure, headings, languages)
            if by_meaning:
                screen.print_heading(console, "Found by meaning: for a person to read")
                languages = _languages(by_meaning)
                screen.print_pairs(console, by_meaning, "meaning", headings, languages)
            hidden = len(matches) - len(first_matches)
            screen.print_remaining(console, hidden, "pair", "--limit shows more, --json all")
            if self.passages:
                self._passages(first_matches, matches.settings)
        elif not len(matches):
            console.print(self._nothing(matches))
        screen.print_clusters(console, matches.clusters, screen.MAX_LINES)
        screen.print_unread(console, matches.unread)
        screen.print_notes(console, matches.notes)
        others = _other_languages(matches)
        screen.print_closing(
            console,
            screen.format_count(matches.documents, "document")
            + (f" in {self.language}, {others:,} in other languages" if self.language else ""),
            screen.format_count(len(matches), "pair")
            + (f", {matches.pairs_by_meaning:,} by meaning" if matches.pairs_by_meaning else ""),
            f"{matches.settings.measure} ≥ {matches.settings.threshold:g}",
            screen.format_seconds(seconds),
            method=matches.method,
        )

    def _passages(self, matches: Sequence[Match], settings: Settings) -> None:
        """Each pair's passages, under its names."""
        from likewise.cli.shared import screen
        from likewise.cli.shared.passages import print_passages
        from likewise.report import Differences

        console, differences = screen.open_console(), Differences(settings)
        for match in matches:
            screen.print_heading(console, f"{shorten(match.a, 45)}  ·  {shorten(match.b, 45)}")
            assert match.documents is not None
            print_passages(console, *match.documents, match.passages, differences, MAX_PASSAGES)

    def _nothing(self, matches: Matches) -> str:
        """Why there are no pairs."""
        counts = [collection.documents for collection in matches.collections]
        within = f" in {self.language}" if self.language else ""
        what = f"document{within}"
        if sum(counts) == 0:
            return f"No documents{within} here: nothing to compare."
        if counts == [1]:
            return f"One {what}, and nothing to compare it with."
        for collection in matches.collections:
            if not collection.documents:
                folder = shorten(collection.place, 50)
                return f"No documents{within} in {folder}: nothing to compare with."
        return f"No two documents reach the threshold of {matches.settings.threshold:g}."


def _languages(matches: Sequence[Match]) -> list[str] | None:
    """The languages of each pair, where the pairs are not all in one."""
    languages = [
        " ".join(dict.fromkeys(document.language or "?" for document in match.documents or ()))
        for match in matches
    ]
    return languages if len(set(languages)) > 1 else None


def _other_languages(matches: Matches) -> int:
    return sum(collection.other_languages for collection in matches.collections)
