"""`likewise read`: what the program sees in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.shared.options import NoCache, Ocr, Quiet, Verify, flag, ocr_languages

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.model import Document

EXAMPLES = """[bold]Examples[/]

  likewise read thesis.pdf
  likewise read work.zip/essay.docx --json
  likewise read scan.pdf --no-cache | less
"""


def read(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A document.")],
    as_json: Annotated[bool, flag("--json", help="One JSON object, for programs.")] = False,
    quiet: Quiet = False,
    no_cache: NoCache = False,
    ocr: Ocr = None,
    verify: Verify = False,
) -> None:
    """What the program sees in a file: text, what is left out, notes."""
    from likewise.cli.shared.progress import progress
    from likewise.front import read as read_file

    with progress(quiet=quiet, as_json=as_json) as on_progress:

        def page(done: int, total: int) -> None:
            if on_progress:
                on_progress("reading pages", done, total)

        languages = ocr_languages(ocr)
        document = read_file(
            file, str(file), cache=not no_cache, ocr=languages, verify=verify, tell_page=page
        )
    if as_json:
        from likewise.cli.shared import json_lines

        json_lines.write_record(_for_programs(document))
    else:
        _print_text(document)


def _for_programs(document: Document) -> dict[str, Any]:
    from dataclasses import asdict

    record = asdict(document)
    record["pages"] = [{"number": page.number, **asdict(page.span)} for page in document.pages]
    record["left_out"] = [
        {**asdict(span), "reason": reason, "text": span.of(document.text)}
        for span, reason in document.left_out
    ]
    record["pictures"] = [
        asdict(picture) | {"hash": f"{picture.hash:016x}"} for picture in document.pictures
    ]
    record["notes"] = [
        {**asdict(note), "message": str(note.message), **note.message.for_programs()}
        for note in document.notes
    ]
    return record


def _print_text(document: Document) -> None:
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import printable, shorten

    console = screen.open_console()
    console.print(Text(shorten(document.name, 90), style=screen.HEADING))
    console.print(Text(_facts(document), style=screen.FAINT))
    for key, value in document.meta.items():
        console.print(Text(f"{key.replace('_', ' ')}: {printable(value)}", style=screen.FAINT))
    screen.print_notes(console, [(note.kind, note) for note in document.notes])
    if document.left_out:
        screen.print_heading(console, "Not compared")
        lines = [
            (reason, " ".join(span.of(document.text).split()))
            for span, reason in document.left_out[: screen.MAX_LINES]
        ]
        screen.print_reasons(console, lines)
        screen.print_remaining(console, len(document.left_out) - screen.MAX_LINES, "passage")
    screen.print_heading(console, "Text")
    _text(console, document)


def _facts(document: Document) -> str:
    from likewise.cli.shared.screen import format_count
    from likewise.languages import language_of

    language = language_of(document.language or "")
    facts = [
        language.name if language else "",
        format_count(len(document.pages), "page") if document.pages else "",
        format_count(len(document.text.split()), "word"),
        format_count(len(document.tables), "table") if document.tables else "",
        format_count(len(document.pictures), "picture") if document.pictures else "",
    ]
    return " · ".join(fact for fact in facts if fact)


def _text(console: Console, document: Document) -> None:
    """The text as it is, with what is left out struck through where that can be seen."""
    from rich.text import Text

    from likewise.cli.shared import screen

    text = Text()
    position = 0
    for span, _ in sorted(document.left_out):
        if span.end > position:
            start = max(span.start, position)
            text.append(_on_screen(document.text[position:start]))
            style = f"{screen.FAINT} strike"
            text.append(_on_screen(document.text[start : span.end]), style)
            position = span.end
    text.append(_on_screen(document.text[position:]))
    console.print(text, soft_wrap=True)


def _on_screen(text: str) -> str:
    """Lines that cannot move the cursor, tabs as spaces."""
    from likewise.cli.shared.printable import printable

    text = text.replace("\t", "    ").replace("\N{SOFT HYPHEN}", "")
    return "\n".join(printable(line) for line in text.split("\n"))
