"""`likewise library …`: looking after a library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.libraries import (
    Place,
    Yes,
    named_documents,
    open_library,
    place_of,
    size,
    sure,
    takes_filters,
)
from likewise.cli.options import AsJson, Quiet
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.library import Filters

PROBLEMS = 1  # the exit status of a library that does not agree with itself

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    help="Looking after a library: size, health, backups, moving, partners.",
    epilog="""[bold]Examples[/]

  likewise library stats
  likewise library verify --library campus.db
  likewise library backup campus-monday.db --library postgresql://campus/library
  likewise library copy-to postgresql://campus/library --library campus.db
""",
)


@app.command(epilog="[bold]Example[/]\n\n  likewise library stats --library campus.db --json")
def stats(*, library: Place = None, as_json: AsJson = False) -> None:
    """How large it is, and whether a rebuild is due."""
    from dataclasses import asdict

    with open_library(library, read_only=True) as opened:
        found = opened.stats()
    if as_json:
        _write({"type": "stats", "library": opened.name, **asdict(found)})
        return
    per_posting = (found.fingerprint_bytes + found.index_bytes) / max(1, found.postings)
    _facts(
        opened.name,
        [
            ("documents", f"{found.documents:,}"),
            ("of these with the text of another", f"{found.copies:,}"),
            ("handed in again", f"{found.references:,}"),
            ("words that count", f"{found.words:,}"),
            ("fingerprints", f"{found.postings:,}, {per_posting:.1f} bytes each"),
            ("tables inside them", f"{found.tables:,}"),
            ("database", size(found.database_bytes)),
            ("index on this machine", size(found.index_bytes)),
            ("wait for a rebuild", f"{found.stale:,}"),
        ],
    )
    if found.stale:
        _say("`likewise library rebuild` renews what is stale.")


@app.command(epilog="[bold]Example[/]\n\n  likewise library verify --library campus.db")
def verify(*, library: Place = None, as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Whether texts, fingerprints, counts and index agree; status 1 if not."""
    from likewise.cli.progress import progress

    with open_library(library, read_only=True) as opened:
        with progress(quiet=quiet, as_json=as_json) as tell:
            problems = opened.verify(tell)
        documents = len(opened)
    if as_json:
        for problem in problems:
            _write({"type": "problem", "message": problem})
        _write({"type": "summary", "documents": documents, "problems": len(problems)})
    else:
        for problem in problems:
            _say(problem)
        things = "1 thing does not" if len(problems) == 1 else f"{len(problems):,} things do not"
        how = "all is well" if not problems else f"{things} agree"
        _say(f"{'1 document' if documents == 1 else f'{documents:,} documents'}: {how}.")
    if problems:
        raise typer.Exit(PROBLEMS)


@app.command(
    "set",
    epilog="""[bold]Examples[/]

  likewise library set 17 23 --author "A. Nur" --year 2023
  likewise library set draft.docx --type thesis --tag spring
""",
)
def set_metadata(
    *,
    which: Annotated[
        list[str],
        typer.Argument(metavar="ID|NAME...", help="Numbers or whole names, as `list` shows them."),
    ],
    library: Place = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What it is called.")] = None,
    owner: Annotated[str | None, typer.Option(metavar="NAME", help="Who added it.")] = None,
    author: Annotated[str | None, typer.Option(metavar="NAME", help="Who wrote it.")] = None,
    type: Annotated[str | None, typer.Option("--type", metavar="TYPE", help="What it is.")] = None,
    language: Annotated[str | None, typer.Option(metavar="en|ru|kk", help="Its language.")] = None,
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
    written: dict[str, Any] = {"organisation": organisation, "advisor": advisor, "tags": tag}
    said = texts | written | {"year": year, "month": month}
    given = {what: value for what, value in said.items() if value is not None}
    if not given:
        raise BadInput("say what is to be corrected, such as --author or --year")
    with open_library(library) as opened:
        documents = opened.set_metadata(named_documents(opened, which), **given)
    _done(as_json, "set", documents, "{} corrected.")


@app.command(epilog="[bold]Example[/]\n\n  likewise library rebuild --library campus.db")
def rebuild(*, library: Place = None, as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Renew stale fingerprints; checks go on meanwhile, and it may be stopped and run again."""
    from likewise.cli.progress import progress

    with open_library(library) as opened, progress(quiet=quiet, as_json=as_json) as tell:
        renewed = opened.rebuild(tell)
    if as_json:
        _write({"type": "summary", "rebuilt": renewed})
    elif renewed:
        _say(f"The fingerprints of {renewed:,} documents were made anew.")
    else:
        _say("Nothing is stale.")


@app.command(
    "stop-words",
    epilog="""[bold]Examples[/]

  likewise library stop-words kk
  likewise library stop-words ru --add также --remove нет
  likewise library stop-words en --set words.txt
""",
)
def stop_words(
    *,
    language: Annotated[
        str | None, typer.Argument(metavar="[en|ru|kk]", help="Of this language; else all.")
    ] = None,
    library: Place = None,
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
        raise BadInput("say of which language the stop words are to change")
    if instead and (add or remove):
        raise BadInput("give --set, or --add and --remove, not both")
    with open_library(library, read_only=not changes) as opened:
        stale = False
        if instead and language is not None:
            from likewise.language.stopwords import from_file

            given = from_file(instead)
            if not given:
                sure(f"{instead} is empty: all stop words of {language} are dropped.", yes)
            stale = opened.set_stop_words(language, given)
        elif changes and language is not None:
            stale = opened.change_stop_words(language, add=add or (), remove=remove or ())
        words = opened.stop_words(language)
    if as_json:
        _write({"type": "stop words", "language": language, "words": sorted(words), "stale": stale})
        return
    if not changes:
        for word in sorted(words):
            _say(word)
    elif stale:
        _say(f"{len(words):,} stop words. `likewise library rebuild` brings them into use.")
    else:
        _say(f"{len(words):,} stop words, in use.")


@app.command(epilog="[bold]Example[/]\n\n  likewise library backup monday.db --library campus.db")
def backup(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that is not there yet.")],
    library: Place = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """A copy of this moment in one file, while others work; it is a library itself."""
    from likewise.cli.progress import progress
    from likewise.library import back_up

    with (
        open_library(library, read_only=True) as opened,
        progress(quiet=quiet, as_json=as_json) as tell,
    ):
        documents = back_up(opened, file, tell)
    _done(as_json, "backup", documents, f"{{}} in {file}, {size(file.stat().st_size)}.")


@app.command(epilog="[bold]Example[/]\n\n  likewise library restore monday.db --library campus.db")
def restore(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    library: Place = None,
    yes: Yes = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """A backup in the place of a library; what is there now is replaced."""
    from likewise.cli.progress import progress
    from likewise.library import restore as put_back

    place, is_named = place_of(library)
    if not file.is_file():
        raise BadInput(f"{file}: there is no such file")
    shown = shown_place(place)
    if "://" in place or Path(place).exists():
        sure(f"What is in {shown} is replaced by {file}.", yes)
    elif not is_named:
        Path(place).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with progress(quiet=quiet, as_json=as_json) as tell:
        documents = put_back(file, place, tell)
    _done(as_json, "restored", documents, f"{{}} restored in {shown}.")


@app.command(
    "copy-to",
    epilog="""[bold]Examples[/]

  likewise library copy-to postgresql://campus/library --library campus.db
  likewise library copy-to campus.db --library postgresql://campus/library
""",
)
def copy_to(
    *,
    target: Annotated[str, typer.Argument(metavar="PATH|URL", help="An empty place.")],
    library: Place = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """The whole library to another place, between SQLite and PostgreSQL both ways.

    Stopped anywhere, it goes on when it is run again. Everything is compared in the end.
    """
    from likewise.cli.progress import progress
    from likewise.library import copy_library

    with (
        open_library(library, read_only=True) as opened,
        progress(quiet=quiet, as_json=as_json) as tell,
    ):
        copied = copy_library(opened, target, tell)
    earlier = f", {copied.before:,} of them by an earlier run" if copied.before else ""
    told = f"{{}} copied to {shown_place(target)}{earlier}; both are equal."
    _done(as_json, "copied", copied.documents, told)


@app.command(
    epilog="""[bold]Examples[/]

  likewise library key campus.key
  likewise library export --fingerprints campus.lwf --key-file campus.key --with name,year
""",
)
@takes_filters
def export(
    *,
    fingerprints: Annotated[
        Path, typer.Option(metavar="FILE.lwf", help="The file to be written, for partners.")
    ],
    key_file: Annotated[
        Path, typer.Option(metavar="KEY", help="The secret that you share with them.")
    ],
    library: Place = None,
    told: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="LIST",
            help="What they hear about a document: name, author, organisation, type, language, "
            "year, month, advisor, owner; without it its number alone.",
        ),
    ] = "",
    label: Annotated[
        str, typer.Option(metavar="NAME", help="What they call you; default the file's name.")
    ] = "",
    filters: Filters | None = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Fingerprints for partners: they learn whether and how much, and no text."""
    from likewise.cli.progress import progress
    from likewise.library import export_fingerprints, read_key

    key = read_key(key_file)
    names = [name.strip() for name in told.split(",") if name.strip()]
    with (
        open_library(library, read_only=True) as opened,
        progress(quiet=quiet, as_json=as_json) as tell,
    ):
        documents = export_fingerprints(
            opened, fingerprints, key, told=names, label=label, filters=filters, progress=tell
        )
    told_size = size(fingerprints.stat().st_size)
    _done(as_json, "export", documents, f"The fingerprints of {{}} in {fingerprints}, {told_size}.")


@app.command(epilog="[bold]Example[/]\n\n  likewise library key campus.key")
def key(
    *, file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that is not there yet.")]
) -> None:
    """A new secret for fingerprints, to be shared with partners and nobody else."""
    from likewise.library import make_key

    make_key(file)
    _say(f"A new key is in {file}. Whoever has it can test texts against your fingerprints.")


@app.command(epilog="[bold]Example[/]\n\n  likewise library upgrade --library campus.db")
def upgrade(*, library: Place = None, as_json: AsJson = False) -> None:
    """Bring a library of an older Likewise up to date; a backup before it is a good idea."""
    from likewise.library import upgrade as bring_up_to_date
    from likewise.library import version_at

    place, _ = place_of(library)
    shown = shown_place(place)
    if ("://" not in place and not Path(place).exists()) or version_at(place) is None:
        raise BadInput(f"{shown}: there is no library")
    bring_up_to_date(place)
    with open_library(place) as opened:
        documents = len(opened)
    _done(as_json, "upgraded", documents, "{} in a library that is up to date.")


def shown_place(place: str) -> str:
    """A place without its password."""
    from likewise.library.engine import address_of, shown

    return shown(address_of(place))


def _done(as_json: bool, what: str, documents: int, told: str) -> None:
    if as_json:
        _write({"type": "summary", "done": what, "documents": documents})
    else:
        _say(told.format("1 document" if documents == 1 else f"{documents:,} documents"))


def _write(record: dict[str, Any]) -> None:
    from likewise.cli import as_json

    as_json.write(record)


def _say(words: str) -> None:
    from likewise.cli.names import printable

    print(printable(words))


def _facts(heading: str, facts: list[tuple[str, str]]) -> None:
    from rich.text import Text

    from likewise.cli import show
    from likewise.cli.names import printable

    console = show.page()
    console.print(Text(printable(heading), style=show.HEADING))
    made = show.table("", "", right=(1,))
    made.show_header = False
    for name, value in facts:
        made.add_row(f"  {name}", Text(value))
    console.print(made)
