"""The verbs, put together, and the options that need none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_command

from likewise.cli import (
    add,
    admin,
    cache,
    check,
    compare,
    cross,
    dedup,
    doctor,
    erase,
    find,
    library,
    read,
    remove,
    serve,
    tables,
    worker,
)
from likewise.cli import list as list_verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Command  # typer has its own copy, and no public name for it

EXAMPLES = """[bold]Examples[/]

  likewise find essays/ --threshold 0.3
  likewise compare essay.docx source.pdf
  likewise add archive/ && likewise check thesis.docx
  likewise dedup crawl.jsonl.zst --id url --output clean/
  likewise serve

Every command explains itself: likewise find --help
"""
PACKAGES_WITH_PAGES = ("report", "server")

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog=EXAMPLES,
)
app.command(epilog=find.EXAMPLES)(find.find)
app.command(epilog=cross.EXAMPLES)(cross.cross)
app.command(epilog=compare.EXAMPLES)(compare.compare)
app.command(epilog=check.EXAMPLES)(check.check)
app.command(epilog=tables.EXAMPLES)(tables.tables)
app.command(epilog=read.EXAMPLES)(read.read)
app.command(epilog=dedup.EXAMPLES)(dedup.dedup)
app.command(epilog=add.EXAMPLES)(add.add)
app.command("list", epilog=list_verb.EXAMPLES)(list_verb.list_documents)
app.command(epilog=remove.EXAMPLES)(remove.remove)
app.command(epilog=erase.EXAMPLES)(erase.erase)
app.add_typer(library.app, name="library")
app.add_typer(cache.app, name="cache")
app.command(epilog=serve.EXAMPLES)(serve.serve)
app.command(epilog=worker.EXAMPLES)(worker.worker)
app.add_typer(admin.app, name="admin")
app.command()(doctor.doctor)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        from likewise.version import version

        print(f"likewise {version()}")
        raise typer.Exit


def _print_licences(is_requested: bool) -> None:
    if is_requested:
        print("\n".join([*_data_licences(), *_page_licences()]))
        raise typer.Exit


@app.callback()
def likewise(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar="",
            is_eager=True,
            callback=_print_version,
            help="Show the version.",
        ),
    ] = False,
    licences: Annotated[
        bool,
        typer.Option(
            "--licences",
            metavar="",
            is_eager=True,
            callback=_print_licences,
            help="Show what the package contains of others, and its licences.",
        ),
    ] = False,
) -> None:
    """Finds documents that say the same thing."""


def command() -> Command:
    """All of it, as something that can be run."""
    return get_command(app)


# `--licences`: what others made and the package contains, and under which licence.


def _data_licences() -> Iterator[str]:
    """Data files with their sources, and the licences of these."""
    import tomllib
    from importlib.resources import files

    folder = files("likewise").joinpath("licences")
    data = tomllib.loads(folder.joinpath("data.toml").read_text("utf-8"))
    licence_of = {source["name"]: source["licence"] for source in data["source"]}
    yield "Likewise is under the Apache License 2.0 (Apache-2.0).\n"
    yield "Data in the package, and what it was made from:\n"
    for file in data["file"]:
        sources = ", ".join(f"{name} ({licence_of[name]})" for name in file["sources"])
        yield f"  {file['path']}: {sources}"
        for sentence in (file["how"], file.get("unrecorded", "")):
            if sentence:
                yield _indent(sentence, "    ")
    yield ""
    for source in data["source"]:
        if source["notice"]:
            yield _indent(f"{source['notice']} {source['address']}", "  ") + "\n"
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".txt"):
            yield f"{entry.name.removesuffix('.txt')}:\n\n{entry.read_text('utf-8')}"


def _page_licences() -> Iterator[str]:
    """What the built pages contain."""
    import json
    from importlib.resources import files

    texts: dict[str, set[str]] = {}
    for package in PACKAGES_WITH_PAGES:
        file = files(f"likewise.{package}").joinpath("static", "licences.json")
        for component in json.loads(file.read_text("utf-8")) if file.is_file() else []:
            name = f"{component['name']} {component['version']} ({component['licence']})"
            texts.setdefault(component["text"], set()).add(name)
    yield "In the built pages:\n" if texts else "The pages are not built.\n"
    for text, names in texts.items():
        yield _indent(", ".join(sorted(names)), "  ") + "\n\n" + text


def _indent(sentence: str, indent: str) -> str:
    from textwrap import fill

    return fill(sentence, 96, initial_indent=indent, subsequent_indent=indent)
