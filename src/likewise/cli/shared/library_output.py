"""What the verbs of a library print: its documents, figures, and what was done."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.library import Entry

DOCUMENT_FIGURES_COLUMNS = 62  # what everything but the name of a document takes


def display_address(place: str) -> str:
    """A place without its password."""
    from likewise.library.engine import address_of, display_address

    return display_address(address_of(place))


def print_done(as_json: bool, what: str, documents: int, sentence: str) -> None:
    """What was done to how many documents, which stand where `told` has {}."""
    if as_json:
        from likewise.cli.shared.json_lines import write_record

        write_record({"type": "summary", "done": what, "documents": documents})
    else:
        print_line(sentence.format("1 document" if documents == 1 else f"{documents:,} documents"))


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
    table = screen.new_table("", "", right=(1,))
    table.show_header = False
    for name, value in lines:
        table.add_row(f"  {name}", Text(value))
    console.print(table)


def print_documents(entries: tuple[Entry, ...]) -> None:
    """Documents, a line each."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import printable, shorten

    console = screen.open_console()
    headings = ("id", "name", "author", "type", "year", "", "words", "added")
    table = screen.new_table(*headings, right=(0, 4, 6))
    name_columns = max(console.width - DOCUMENT_FIGURES_COLUMNS, screen.LEAST_NAME_COLUMNS)
    for entry in entries:
        marks = [f"copy of {entry.copy_of}" if entry.copy_of else ""]
        marks += [f"{len(entry.again) + 1} times" if entry.again else ""]
        marks += [f"in {entry.collection}" if entry.collection else "", *entry.tags]
        about = f"  {', '.join(filter(None, marks))}" if any(marks) else ""
        name = shorten(entry.name, name_columns)
        table.add_row(
            Text(str(entry.id), style=screen.FAINT),
            Text.assemble(name, (shorten(about, max(name_columns - len(name), 0)), screen.FAINT)),
            Text(shorten(entry.author or "", 16)),
            Text(shorten(entry.type or "", 8)),
            Text(str(entry.year or "")),
            Text(printable(entry.language or ""), style=screen.FAINT),
            Text(f"{entry.words:,}"),
            Text(entry.added_on.strftime("%Y-%m-%d"), style=screen.FAINT),
        )
    console.print(table)


def entry_record(entry: Entry) -> dict[str, Any]:
    record = asdict(entry) | {"added_on": entry.added_on.isoformat()}
    record["document_type"] = record.pop("type")  # every line has a type of its own
    record["again"] = [
        asdict(again) | {"added_on": again.added_on.isoformat()} for again in entry.again
    ]
    return record


def format_bytes(count: float) -> str:
    """A size in the unit that suits it.

    >>> format_bytes(999), format_bytes(1_500), format_bytes(2_340_000_000)
    ('999 bytes', '1.5 kB', '2.3 GB')
    """
    if count < 1_000:
        return f"{count:.0f} bytes"
    power = 1 if count < 1e6 else 2 if count < 1e9 else 3
    return f"{count / 1_000**power:,.1f} {('kB', 'MB', 'GB')[power - 1]}"
