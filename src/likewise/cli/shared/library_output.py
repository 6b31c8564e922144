"""What the verbs of a library print: its documents, figures, and what was done."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.library import Entry

DOCUMENT_FIGURES_COLUMNS = 62  # what everything but the name of a document takes


def display_address(place: str) -> str:
    """A place without its password."""
    from likewise.library.engine import address_of, shown

    return shown(address_of(place))


def print_done(as_json: bool, what: str, documents: int, told: str) -> None:
    """What was done to how many documents, which stand where `told` has {}."""
    if as_json:
        from likewise.cli.shared.json_lines import write_record

        write_record({"type": "summary", "done": what, "documents": documents})
    else:
        print_line(told.format("1 document" if documents == 1 else f"{documents:,} documents"))


def print_line(words: str) -> None:
    """One line for people."""
    from likewise.cli.shared.printable import printable

    print(printable(words))


def print_facts(heading: str, lines: list[tuple[str, str]]) -> None:
    """Names and figures under a heading."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import printable

    console = screen.open_console()
    console.print(Text(printable(heading), style=screen.HEADING))
    made = screen.new_table("", "", right=(1,))
    made.show_header = False
    for name, value in lines:
        made.add_row(f"  {name}", Text(value))
    console.print(made)


def print_documents(entries: tuple[Entry, ...]) -> None:
    """Documents, a line each."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import printable, shorten

    console = screen.open_console()
    headings = ("id", "name", "author", "type", "year", "", "words", "added")
    made = screen.new_table(*headings, right=(0, 4, 6))
    room = max(console.width - DOCUMENT_FIGURES_COLUMNS, screen.LEAST_NAME_COLUMNS)
    for entry in entries:
        marks = [f"copy of {entry.copy_of}" if entry.copy_of else ""]
        marks += [f"{len(entry.again) + 1} times" if entry.again else ""]
        marks += [f"in {entry.collection}" if entry.collection else "", *entry.tags]
        about = f"  {', '.join(filter(None, marks))}" if any(marks) else ""
        name = shorten(entry.name, room)
        made.add_row(
            Text(str(entry.id), style=screen.FAINT),
            Text.assemble(name, (shorten(about, max(room - len(name), 0)), screen.FAINT)),
            Text(shorten(entry.author or "", 16)),
            Text(shorten(entry.type or "", 8)),
            Text(str(entry.year or "")),
            Text(printable(entry.language or ""), style=screen.FAINT),
            Text(f"{entry.words:,}"),
            Text(entry.added_on.strftime("%Y-%m-%d"), style=screen.FAINT),
        )
    console.print(made)


def entry_record(entry: Entry) -> dict[str, Any]:
    told = asdict(entry) | {"added_on": entry.added_on.isoformat()}
    told["document_type"] = told.pop("type")  # every line has a type of its own
    told["again"] = [
        asdict(again) | {"added_on": again.added_on.isoformat()} for again in entry.again
    ]
    return told


def format_bytes(count: float) -> str:
    """
    >>> format_bytes(999), format_bytes(1_500), format_bytes(2_340_000_000)
    ('999 bytes', '1.5 kB', '2.3 GB')
    """
    if count < 1_000:
        return f"{count:.0f} bytes"
    power = 1 if count < 1e6 else 2 if count < 1e9 else 3
    return f"{count / 1_000**power:,.1f} {('kB', 'MB', 'GB')[power - 1]}"
