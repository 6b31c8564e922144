"""`likewise library set`, `stop-words`: what is known, and what does not count."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from likewise.cli.shared.json_lines import write_record
from likewise.cli.shared.library import Place, Yes, confirm, open_library
from likewise.cli.shared.library_output import print_done, print_line
from likewise.cli.shared.options import CODES, AsJson
from likewise.errors import BadInput

SET_METADATA_EXAMPLES = """[bold]Examples[/]

  likewise library set 17 23 --author "A. Nur" --year 2023
  likewise library set draft.docx --type thesis --tag spring
"""
STOP_WORDS_EXAMPLES = """[bold]Examples[/]

  likewise library stop-words kk
  likewise library stop-words ru --add также --remove нет
  likewise library stop-words en --set words.txt
"""


def set_metadata(
    *,
    which: Annotated[
        list[str],
        typer.Argument(metavar="ID|NAME...", help="Numbers or whole names, as `list` shows them."),
    ],
    place: Place = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What it is called.")] = None,
    owner: Annotated[str | None, typer.Option(metavar="NAME", help="Who added it.")] = None,
    author: Annotated[str | None, typer.Option(metavar="NAME", help="Who wrote it.")] = None,
    type: Annotated[str | None, typer.Option("--type", metavar="TYPE", help="What it is.")] = None,
    language: Annotated[str | None, typer.Option(metavar=CODES, help="Its language.")] = None,
    organisation: Annotated[
        str | None, typer.Option(metavar="NAME", help="Where it was written.")
    ] = None,
    advisor: Annotated[str | None, typer.Option(metavar="NAME", help="Who advised.")] = None,
    year: Annotated[int | None, typer.Option(metavar="YEAR", help="When it was written.")] = None,
    month: Annotated[int | None, typer.Option(metavar="1-12", help="In which month.")] = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="TAG", help="These instead of those it has.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Correct what is known about documents; an empty text, such as --author "", forgets it."""
    texts = {"name": name, "owner": owner, "author": author, "type": type, "language": language}
    lists: dict[str, Any] = {"organisation": organisation, "advisor": advisor, "tags": tag}
    options = texts | lists | {"year": year, "month": month}
    changes = {what: value for what, value in options.items() if value is not None}
    if not changes:
        raise BadInput("cli.nothing_to_correct")
    with open_library(place) as library:
        from likewise.library import resolve_documents

        documents = library.set_metadata(resolve_documents(library, which), **changes)
    print_done(as_json, "set", documents, "{} corrected.")


def stop_words(
    *,
    language: Annotated[
        str | None, typer.Argument(metavar=f"[{CODES}]", help="Of this language; else all.")
    ] = None,
    place: Place = None,
    add: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="One more; may be given again.")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="One less; may be given again.")
    ] = None,
    instead: Annotated[
        Path | None, typer.Option("--set", metavar="FILE", help="These, one a line, instead.")
    ] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """The stop words of the library, shown or changed; a change needs a rebuild."""
    changes = bool(add or remove or instead)
    if changes and language is None:
        raise BadInput("cli.stop_words_language")
    if instead and (add or remove):
        raise BadInput("cli.set_or_add")
    with open_library(place, read_only=not changes) as library:
        stale = False
        if instead and language is not None:
            from likewise.language.stopwords import from_file

            new_words = from_file(instead)
            if not new_words:
                confirm(f"{instead} is empty: all stop words of {language} are dropped.", yes)
            stale = library.set_stop_words(language, new_words)
        elif changes and language is not None:
            stale = library.change_stop_words(language, add=add or (), remove=remove or ())
        words = library.stop_words(language)
    if as_json:
        write_record(
            {"type": "stop words", "language": language, "words": sorted(words), "stale": stale}
        )
        return
    if not changes:
        for word in sorted(words):
            print_line(word)
    elif stale:
        print_line(f"{len(words):,} stop words. `likewise library rebuild` brings them into use.")
    else:
        print_line(f"{len(words):,} stop words, in use.")
