"""What the verbs of a library say when they are done."""

from __future__ import annotations

from typing import Any


def shown_place(place: str) -> str:
    """A place without its password."""
    from likewise.library.engine import address_of, shown

    return shown(address_of(place))


def done(as_json: bool, what: str, documents: int, told: str) -> None:
    """What was done to how many documents, which stand where `told` has {}."""
    if as_json:
        write({"type": "summary", "done": what, "documents": documents})
    else:
        say(told.format("1 document" if documents == 1 else f"{documents:,} documents"))


def write(record: dict[str, Any]) -> None:
    """One line for programs."""
    from likewise.cli import as_json

    as_json.write(record)


def say(words: str) -> None:
    """One line for people."""
    from likewise.cli.names import printable

    print(printable(words))


def facts(heading: str, lines: list[tuple[str, str]]) -> None:
    """Names and figures under a heading."""
    from rich.text import Text

    from likewise.cli import show
    from likewise.cli.names import printable

    console = show.page()
    console.print(Text(printable(heading), style=show.HEADING))
    made = show.table("", "", right=(1,))
    made.show_header = False
    for name, value in lines:
        made.add_row(f"  {name}", Text(value))
    console.print(made)
