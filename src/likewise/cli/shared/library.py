"""Which library is meant and which of its documents: what the verbs of a library share."""

from __future__ import annotations

import functools
import inspect
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from likewise.cli.shared.options import CODES
from likewise.errors import BadInput
from likewise.machine import data_folder

if TYPE_CHECKING:
    from likewise.library import Filters, Library
    from likewise.settings import Settings

VARIABLE = "LIKEWISE_LIBRARY"
WHICH = "Which documents"

Place = Annotated[
    str | None,
    typer.Option(
        "--library",
        "-l",
        metavar="PATH|URL",
        help=f"A file, or postgresql://user@host/database; default {VARIABLE}, else a file of "
        "yours in the data folder.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", metavar="", help="Do not ask.")]


def resolve_place(option: str | None) -> tuple[str, bool]:
    """Where the library is, and whether somebody said so."""
    explicit = option or os.environ.get(VARIABLE)
    if explicit:
        return str(Path(explicit).expanduser()) if explicit.startswith("~/") else explicit, True
    return str(data_folder() / "library.db"), False


def open_library(
    place_option: str | None,
    *,
    create: bool = False,
    read_only: bool = False,
    settings: Settings | None = None,
) -> Library:
    """The library; one that nobody named is made on first use, with a word where."""
    from likewise.library import Library

    place, is_explicit = resolve_place(place_option)
    if not is_explicit and not Path(place).exists():
        if not create:
            raise BadInput("cli.no_library_yet", variable=VARIABLE)
        Path(place).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        print(f"likewise: a new library is made in {place}", file=sys.stderr)
    return Library(place, settings=settings, create=create, read_only=read_only)


def filters_of(
    *,
    language: Annotated[
        str | None,
        typer.Option(metavar=CODES, help="In this language.", rich_help_panel=WHICH),
    ] = None,
    type: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="Of this type.", rich_help_panel=WHICH),
    ] = None,
    organisation: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Of this organisation.", rich_help_panel=WHICH),
    ] = None,
    author: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="By them.", rich_help_panel=WHICH)
    ] = None,
    owner: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Added by them.", rich_help_panel=WHICH),
    ] = None,
    advisor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Advised by them.", rich_help_panel=WHICH),
    ] = None,
    year: Annotated[
        str | None,
        typer.Option(
            metavar="YEAR", help="2024, 2019-2024, 2019- or -2024.", rich_help_panel=WHICH
        ),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(metavar="TAG", help="With all of these tags.", rich_help_panel=WHICH),
    ] = None,
    collection: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="In this collection.", rich_help_panel=WHICH),
    ] = None,
    not_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Not what this person alone has written or added: own earlier versions.",
            rich_help_panel=WHICH,
        ),
    ] = None,
) -> Filters:
    """The documents that the options ask for; of each several values may be given."""
    from likewise.library import Filters

    def several(values: list[str] | None) -> tuple[str, ...] | None:
        return tuple(values) if values else None

    return Filters(
        collection=several(collection),
        language=language,
        type=several(type),
        organisation=several(organisation),
        author=several(author),
        owner=several(owner),
        advisor=several(advisor),
        year=None if year is None else years(year),
        tag=several(tag),
        not_owner=not_by,
        not_author=not_by,
    )


def takes_filters(verb: Callable[..., None]) -> Callable[..., None]:
    """A verb with a parameter `filters` gets the options above in its place."""
    options = _parameters(filters_of)
    own = _parameters(verb)
    place = next(i for i, parameter in enumerate(own) if parameter.name == "filters")
    combined = [*own[:place], *options, *own[place + 1 :]]

    @functools.wraps(verb)
    def with_options(**arguments: Any) -> None:
        filter_options = {option.name: arguments.pop(option.name) for option in options}
        set_options = {name: value for name, value in filter_options.items() if value}
        # Without a filter the library's modules need not be loaded.
        verb(filters=filters_of(**filter_options) if set_options else None, **arguments)

    with_options.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in combined]
    )
    with_options.__annotations__ = {p.name: p.annotation for p in combined}
    return with_options


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """As Typer needs them; `Filters` itself is loaded with the library, and never an option."""
    hints = get_type_hints(function, localns={"Filters": object}, include_extras=True)
    parameters = inspect.signature(function).parameters.values()
    return [p.replace(annotation=hints.get(p.name, p.annotation)) for p in parameters]


def years(text: str) -> int | tuple[int | None, int | None]:
    """A year, or the first and the last of several.

    >>> years("2024"), years("2019-2024"), years("2019-"), years("-2020")
    (2024, (2019, 2024), (2019, None), (None, 2020))
    """
    parts = re.fullmatch(r"(\d{1,4})?(-)?(\d{1,4})?", text.strip())
    if parts is None or not (parts[1] or parts[3]) or (parts[3] and not parts[2]):
        raise BadInput("cli.year", value=text)
    if not parts[2]:
        return int(parts[1])
    return int(parts[1]) if parts[1] else None, int(parts[3]) if parts[3] else None


def confirm(question: str, yes: bool) -> None:
    """Ask before something that cannot be undone."""
    if yes:
        return
    if not sys.stdin or not sys.stdin.isatty():
        raise BadInput("cli.say_yes", question=question)
    if not typer.confirm(question, err=True):
        raise typer.Exit(2)
