"""Passages for people: both sides beside each other, with what differs marked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from likewise.cli.shared import screen
from likewise.cli.shared.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.model import Document, Kind, Passage, Picture, Span, Wording
    from likewise.report import Differences

CONTEXT_CHARS = 60
LONGEST_CHARS = 700  # of a side; the middle of longer ones is left out
COLOURS: dict[Kind, str] = {
    "verbatim": "red",
    "edited": "yellow",
    "rewritten": "magenta",
    "summarised": "blue",
    "translated": "cyan",
}


def print_passages(
    console: Console,
    a: Document,
    b: Document,
    passages: Sequence[Passage],
    differences: Differences,
    limit: int,
    count: Sequence[Wording] | None = None,
) -> None:
    """The passages that two documents share, in the order of the first; and what does not count."""
    for number, passage in enumerate(passages[:limit], 1):
        console.print()
        console.print(_heading(number, a, b, passage, count))
        here, there = differences.of(a, b, passage)
        grid = Table.grid(padding=(0, 3, 0, 0), expand=True)
        grid.add_column(ratio=1)
        grid.add_column(ratio=1)
        grid.add_row(_side(a, passage.a, here), _side(b, passage.b, there))
        console.print(Padding(grid, (0, 0, 0, 2)))
    screen.print_remaining(
        console, len(passages) - limit, "passage", "--limit shows more, --json all"
    )


def _heading(
    number: int, a: Document, b: Document, passage: Passage, count: Sequence[Wording] | None
) -> Text:
    from likewise.catalogue import Words
    from likewise.report.paper.sentences import uncounted_part

    words = len(passage.a.of(a.compared_text).split())
    places = " → ".join(place for place in (_page(a, passage.a), _page(b, passage.b)) if place)
    figures = [
        "" if count is None else uncounted_part(passage.kind, count, Words("en")),
        screen.format_count(words, "word"),
        f"score {screen.format_percent(passage.score)}",
        ""
        if passage.kind == "translated"
        else f"unchanged {screen.format_percent(passage.literal)}",
        "" if passage.expected is None else f"by chance {passage.expected:.0e}",
        places,
        "found by meaning: for a person to read" if passage.by_meaning else "",
    ]
    return Text.assemble(
        (f"{number}  ", screen.FAINT),
        (_kind(passage), f"bold {COLOURS[passage.kind]}"),
        ("  " + " · ".join(part for part in figures if part), screen.FAINT),
    )


def _kind(passage: Passage) -> str:
    if not passage.languages:
        return passage.kind
    from likewise.catalogue import Words

    words = Words("en")
    known = [f"language.{code}" for code in reversed(passage.languages)]
    if not all(map(words.has, known)):
        return passage.kind
    source, here = map(words, known)
    return f"{passage.kind} from {source} into {here}"


def _page(document: Document, span: Span) -> str:
    """On which pages a passage stands, where pages are known."""
    if not document.pages:
        return ""
    starts = [page.span.start for page in document.pages]
    first = document.pages[max(bisect_right(starts, span.start) - 1, 0)].number
    last = document.pages[max(bisect_right(starts, max(span.end - 1, 0)) - 1, 0)].number
    return f"page {first}" if first == last else f"pages {first}–{last}"


def picture_place(document: Document, picture: Picture) -> str:
    """Where a picture stands: its page, or what is said before it."""
    size = f"{picture.width} × {picture.height}"
    if picture.page:
        return f"page {picture.page}, {size}"
    before = " ".join(document.text[: picture.span.start].split()[-6:])
    return f"{size}, after “{printable(before)}”" if before else size


def _side(document: Document, span: Span, differing: Sequence[Span]) -> Text:
    """A passage with a little of what stands around it."""
    start = max(0, span.start - CONTEXT_CHARS)
    end = min(len(document.text), span.end + CONTEXT_CHARS)
    text = Text(overflow="fold")
    before = document.text[start : span.start]
    text.append(_one_line("…" + before if start else before), screen.FAINT)
    text.append_text(_shortened(document.text, span, differing))
    after = document.text[span.end : end]
    text.append(_one_line(after + "…" if end < len(document.text) else after), screen.FAINT)
    return text


def _shortened(text: str, span: Span, differing: Sequence[Span]) -> Text:
    """The passage, differing words marked, without its middle where it is long."""
    marked_text = Text()
    half = LONGEST_CHARS // 2
    cut = None
    if len(span) > LONGEST_CHARS + CONTEXT_CHARS:
        cut = (span.start + half, span.end - half)
    position = span.start
    for piece in (*differing, None):
        stop = piece.start if piece else span.end
        _append(marked_text, text, position, stop, "", cut)
        if piece:
            _append(marked_text, text, piece.start, piece.end, "bold underline", cut)
            position = piece.end
    return marked_text


def _append(
    marked_text: Text, text: str, start: int, end: int, style: str, cut: tuple[int, int] | None
) -> None:
    """Text between two places, without what is cut; the cut is told once."""
    if cut is None or end <= cut[0] or start >= cut[1]:
        marked_text.append(_one_line(text[start:end]), style)
        return
    if start < cut[0]:
        marked_text.append(_one_line(text[start : cut[0]]), style)
        marked_text.append(f" … {cut[1] - cut[0]:,} characters … ", screen.FAINT)
    if end > cut[1]:
        marked_text.append(_one_line(text[cut[1] : end]), style)


def _one_line(text: str) -> str:
    """White space as single blanks, and nothing that could move the cursor."""
    blank = " "
    lead = blank if text[:1].isspace() else ""
    tail = blank if text[-1:].isspace() and text.strip() else ""
    return lead + printable(blank.join(text.split())) + tail
