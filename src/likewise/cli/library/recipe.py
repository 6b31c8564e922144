"""`likewise library create`, `recipe`: what a library is made with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.shared.json_lines import write_record
from likewise.cli.shared.library import Place, open_library, resolve_place
from likewise.cli.shared.library_output import display_address, print_facts, print_line
from likewise.cli.shared.options import SKETCH, WORDS, AsJson, flag, takes_settings
from likewise.errors import BadInput
from likewise.settings import NO_LIMIT, Settings, Unit

if TYPE_CHECKING:
    from likewise.library import RecipeChanges

CREATE_EXAMPLES = """[bold]Examples[/]

  likewise library create --library campus.db
  likewise library create --library campus.db --shingle 4 --no-stem
  likewise library create --library postgresql://campus/library --languages ru,kk --drop-digits
  likewise library create --library laws.db --chars --shingle 40
"""
RECIPE_EXAMPLES = """[bold]Examples[/]

  likewise library recipe --library campus.db
  likewise library recipe --shingle 4 --no-stem && likewise library rebuild
  likewise library recipe --chars
  likewise library recipe --words --stem --keep-digits --min-length 1 --max-length 64
"""
# Of these a library has none, or its checks have their own.
_NOT_OF_A_LIBRARY = (
    *("threshold", "measure", "method", "recall", "bands", "mega_shingles", "filter"),
    *("drop_common", "scheme", "slots", "bits", "seed"),
)

Shingle = Annotated[
    int | None,
    typer.Option(
        "--shingle",
        metavar="N",
        help="Words (or characters) in a shingle, at least 3 (or 20); default 5 (or 30).",
        rich_help_panel=SKETCH,
    ),
]


@takes_settings(but=(*_NOT_OF_A_LIBRARY, "shingle", "chars"))
def create(
    *,
    place_option: Place = None,
    settings: Settings,
    shingle: Shingle = None,
    chars: Annotated[
        bool, flag("--chars", panel=SKETCH, help="Shingles of characters instead of words.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make an empty library; without options it is as `likewise add` makes one."""
    from likewise.library import change_settings, version_at

    place, _ = resolve_place(place_option)
    if ("://" in place or Path(place).exists()) and version_at(place) is not None:
        raise BadInput("cli.library_exists", about=display_address(place))
    changes = _recipe_changes(unit="chars" if chars else None, shingle=shingle)
    settings = change_settings(settings, changes)
    with open_library(place_option, create=True, settings=settings) as library:
        _print_recipe(library.name, library.settings, None, 0, as_json)


def recipe(
    *,
    place: Place = None,
    shingle: Shingle = None,
    chars: Annotated[
        bool | None,
        flag("--chars/--words", panel=SKETCH, help="Shingles of characters, or of words."),
    ] = None,
    stem: Annotated[
        bool | None, flag("--stem/--no-stem", panel=WORDS, help="Words by their stems, or whole.")
    ] = None,
    drop_digits: Annotated[
        bool | None,
        flag(
            "--drop-digits/--keep-digits",
            panel=WORDS,
            help="Words with a digit in them: dropped, or kept.",
        ),
    ] = None,
    min_length: Annotated[
        int | None,
        typer.Option(metavar="N", help="Drop shorter words.", rich_help_panel=WORDS),
    ] = None,
    max_length: Annotated[
        int | None, typer.Option(metavar="N", help="Drop longer words.", rich_help_panel=WORDS)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What the library is made with, shown or changed; a change needs a rebuild.

    Checks go on with what there was until `likewise library rebuild` has ended.
    Stop words are changed with `likewise library stop-words`.
    """
    changes = _recipe_changes(
        unit=None if chars is None else "chars" if chars else "words",
        shingle=shingle,
        stem=stem,
        drop_digits=drop_digits,
        min_length=min_length,
        max_length=max_length,
    )
    with open_library(place, read_only=not changes) as library:
        if changes:
            library.change_recipe(**changes)
        stale = library.stats().stale
        _print_recipe(library.name, library.settings, library.next_settings, stale, as_json)


def _recipe_changes(**values: Any) -> RecipeChanges:
    """Those that were named."""
    changes: Any = {name: value for name, value in values.items() if value is not None}
    return changes  # type: ignore[no-any-return]


def _print_recipe(
    name: str, settings: Settings, next_settings: Settings | None, stale: int, as_json: bool
) -> None:
    if as_json:
        write_record(
            {
                "type": "recipe",
                "library": name,
                "recipe": recipe_record(settings),
                "next": recipe_record(next_settings) if next_settings else None,
                "stale": stale,
            }
        )
        return
    facts = recipe_facts(settings)
    if next_settings:
        pairs = zip(facts, recipe_facts(next_settings), strict=True)
        facts = [
            (what, value if value == new else f"{value}, after a rebuild {new}")
            for (what, value), (_, new) in pairs
        ]
    print_facts(name, facts)
    if next_settings:
        documents = "1 document waits: " if stale == 1 else f"{stale:,} documents wait: "
        waiting = documents if stale else ""
        print_line(f"{waiting}`likewise library rebuild` brings the new recipe into use.")


def recipe_facts(settings: Settings) -> list[tuple[str, str]]:
    """What a library is made with, in words."""
    from likewise.library import shortest_run

    unit = _unit_name(settings.unit)
    dropped = [
        name
        for name, is_dropped in (
            ("words with digits", settings.drop_digits),
            ("lone signs", settings.drop_symbols),
            ("web addresses", settings.drop_urls),
        )
        if is_dropped
    ]
    return [
        ("shingles", f"{settings.shingle} {unit}"),
        ("copied text is found from", f"{shortest_run(settings)} {unit} on"),
        ("words", "by their stems" if settings.stem else "with their endings"),
        ("length of words", _lengths(settings)),
        ("left out", ", ".join(dropped) or "nothing"),
        ("stop words", f"{_stop_words(settings):,}"),
        ("look-alike letters", "repaired" if settings.homoglyphs else "as they are"),
        ("words broken at line ends", "joined" if settings.join_hyphens else "as they are"),
        ("languages", ", ".join(settings.languages)),
    ]


def recipe_record(settings: Settings) -> dict[str, Any]:
    """The same for programs."""
    from likewise.library import shortest_run

    names = ("unit", "shingle", "window", "stem", "drop_digits", "min_length", "max_length")
    more = ("drop_symbols", "drop_urls", "join_hyphens", "homoglyphs", "languages")
    record = {name: getattr(settings, name) for name in (*names, *more)}
    return record | {"stop_words": _stop_words(settings), "shortest_run": shortest_run(settings)}


def _lengths(settings: Settings) -> str:
    if settings.max_length < NO_LIMIT:
        return f"{settings.min_length} to {settings.max_length} letters"
    return "any" if settings.min_length == 1 else f"at least {settings.min_length} letters"


def _unit_name(unit: Unit) -> str:
    return "characters" if unit == "chars" else "words"


def _stop_words(settings: Settings) -> int:
    """How many there are."""
    from likewise.language.stopwords import shipped

    if isinstance(settings.stop_words, frozenset):
        return len(settings.stop_words)
    shipped_words = frozenset[str]().union(*map(shipped, settings.languages))
    return len(shipped_words) if settings.stop_words else 0
