"""`likewise admin …`: who may log in to the server, for whoever runs it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from likewise.cli.shared.library import Place, open_library
from likewise.cli.shared.options import AsJson
from likewise.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from likewise.server.context import ServerContext
    from likewise.server.people.users import Person

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    help="Administrators of the server: make one, reset a password, unlock a name, ways to log in.",
    epilog="""[bold]Examples[/]

  likewise admin create dean --library campus.db
  likewise admin reset aigul --library postgresql://campus/library
  likewise admin unlock aigul
  likewise admin passwords on
  likewise admin list
""",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name to log in by.")]


@app.command(
    epilog="""[bold]Examples[/]

  likewise admin create dean --library campus.db
  likewise admin create dean < password.txt
"""
)
def create(
    *,
    name: Name,
    place: Place = None,
    shown_name: Annotated[
        str, typer.Option(metavar="NAME", help="What the pages call the person.")
    ] = "",
    teacher: Annotated[
        bool, typer.Option("--teacher", metavar="", help="A teacher, not an administrator.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """A new administrator; the password is asked for, or read from standard input."""
    with _open_context(place, create=True) as context:
        from likewise.server.people.users import add_person, login_name, person_by_name

        name = login_name(name)
        with context.store.reading() as connection:
            if person_by_name(connection, name) is not None:
                raise BadInput("cli.name_taken", name=name)
        password = _password(name, context)
        role = "teacher" if teacher else "administrator"
        person = add_person(context, name, password, role=role, shown_name=shown_name)  # type: ignore[arg-type]
    _print_person(as_json, person, f"{person.name} may log in as {person.role}.")


@app.command(
    epilog="""[bold]Examples[/]

  likewise admin reset aigul --library campus.db
  likewise admin reset aigul < password.txt
"""
)
def reset(*, name: Name, place: Place = None, as_json: AsJson = False) -> None:
    """Another password for somebody, who must change it; all sessions of the person end."""
    with _open_context(place) as context:
        from likewise.server.people.passwords import delete_retired_password_file, hash_password
        from likewise.server.people.users import set_password

        person = _find_person(context, name)
        hashed = hash_password(_password(person.name, context))
        with context.store.beside() as connection:
            person = set_password(
                connection, None, person.id, hashed, why="password reset", must_change=True
            )
        delete_retired_password_file(context)
    _print_person(as_json, person, f"{person.name} must change this password at the next log in.")


@app.command(
    epilog="[bold]Examples[/]\n\n  likewise admin unlock aigul\n  likewise admin unlock dean --json"
)
def unlock(*, name: Name, place: Place = None, as_json: AsJson = False) -> None:
    """Let somebody try again at once who has to wait because of wrong passwords."""
    with _open_context(place) as context:
        from likewise.server.people import audit
        from likewise.server.people.login_throttle import reset_name

        person = _find_person(context, name)
        with context.store.beside() as connection:
            was_counted = reset_name(connection, person.name)
            audit.record_act(connection, None, "unlocked", person.name)
    outcome = "may try again" if was_counted else "did not have to wait"
    _print_person(as_json, person, f"{person.name} {outcome}.")


@app.command(
    "second-factor-off",
    epilog="[bold]Examples[/]\n\n  likewise admin second-factor-off aigul --library campus.db",
)
def second_factor_off(*, name: Name, place: Place = None, as_json: AsJson = False) -> None:
    """Take a lost second factor away: the password alone lets the person in again."""
    with _open_context(place) as context:
        from likewise.server.people.second_factor import take_away_second_factor

        person = _find_person(context, name)
        with context.store.beside() as connection:
            was_on = take_away_second_factor(connection, None, person.id, person.name)
    outcome = "logs in by the password alone" if was_on else "had no second factor"
    _print_person(as_json, person, f"{person.name} {outcome}.")


@app.command(
    epilog="[bold]Examples[/]\n\n  likewise admin passwords on --library campus.db\n"
    "  likewise admin passwords off"
)
def passwords(
    *,
    switch: Annotated[
        Literal["on", "off"], typer.Argument(metavar="on|off", help="Whether passwords let in.")
    ],
    place: Place = None,
) -> None:
    """Let people log in by passwords, or by providers alone."""
    with _open_context(place) as context:
        from likewise.server.context import lock_settings
        from likewise.server.people import audit
        from likewise.server.people.ways_in import ensure_way_in

        is_allowed = switch == "on"
        with context.store.beside() as connection:
            before = lock_settings(connection)
            if not is_allowed:
                ensure_way_in(connection, even_with_passwords=True)
            if before.passwords_allowed is not is_allowed:
                change = {"passwords_allowed": [before.passwords_allowed, is_allowed]}
                audit.record_act(connection, None, "settings changed", None, **change)
                after = before.model_copy(update={"passwords_allowed": is_allowed})
                context.change_settings(connection, after)
    outcome = "let people in" if is_allowed else "let nobody in; providers do"
    print(f"Passwords {outcome}.")


@app.command(
    "list",
    epilog="[bold]Examples[/]\n\n  likewise admin list --library campus.db\n"
    "  likewise admin list --all --json",
)
def list_administrators(
    *,
    place: Place = None,
    everybody: Annotated[
        bool, typer.Option("--all", metavar="", help="Teachers and the deactivated too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Who may administer the server."""
    with _open_context(place) as context:
        people = list(_everybody(context))
    for person in people:
        if everybody or (person.role == "administrator" and person.is_active):
            state = "" if person.is_active else ", deactivated"
            _print_person(
                as_json, person, f"{person.name}  {person.role}{state}  {person.shown_name}"
            )


def _open_context(
    place: str | None, *, create: bool = False
) -> AbstractContextManager[ServerContext]:
    from contextlib import contextmanager

    try:
        from likewise.server.context import ServerContext
        from likewise.server.people import passwords as _  # noqa: F401
    except ImportError as error:
        raise BadInput("cli.needs_server") from error

    @contextmanager
    def open_context() -> Iterator[ServerContext]:
        with open_library(place, create=create) as library:
            yield ServerContext(library)

    return open_context()


def _find_person(context: ServerContext, name: str) -> Person:
    from likewise.server.people.users import login_name, person_by_name

    with context.store.reading() as connection:
        person = person_by_name(connection, login_name(name))
    if person is None:
        raise BadInput("cli.nobody", name=name)
    return person


def _everybody(context: ServerContext) -> Iterator[Person]:
    from likewise.server.people.users import list_people

    offset = 0
    while True:
        with context.store.reading() as connection:
            people, total = list_people(connection, limit=500, offset=offset)
        yield from people
        offset += len(people)
        if not people or offset >= total:
            return


def _password(name: str, context: ServerContext) -> str:
    """Asked for twice on a terminal; else the first line of standard input."""
    from likewise.server.people.passwords import ensure_strong

    if sys.stdin is not None and sys.stdin.isatty():
        from getpass import getpass

        password = getpass(f"Password of {name}: ")
        ensure_strong(password, name, context.settings.least_password_length)
        if getpass("Once more: ") != password:
            raise BadInput("cli.passwords_differ")
        return password
    line = sys.stdin.readline().rstrip("\r\n") if sys.stdin is not None else ""
    if not line:
        raise BadInput("cli.no_password")
    ensure_strong(line, name, context.settings.least_password_length)
    return line


def _print_person(as_json: bool, person: Person, sentence: str) -> None:
    if not as_json:
        from likewise.cli.shared.printable import printable

        print(printable(sentence))
        return
    import json

    record: dict[str, Any] = {
        "type": "person",
        "name": person.name,
        "shown_name": person.shown_name,
        "role": person.role,
        "is_active": person.is_active,
        "must_change": person.must_change,
    }
    print(json.dumps(record, ensure_ascii=False))
