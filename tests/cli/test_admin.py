"""`likewise admin …`: people of the server, from the command line of whoever runs it."""

import io
import json
import os
import pty
import select
import subprocess
import sys
import time

import pytest
from typer.main import get_command

from likewise.cli import admin
from likewise.errors import LikewiseError
from likewise.library import Library
from likewise.server.context import ServerContext
from likewise.server.people.login import log_in
from likewise.server.people.users import add_person
from likewise.server.problems import Problem

from .conftest import ROOT

PASSWORD, OTHER = "wormwood after rain", "seven camels at the ford"


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.delenv("LIKEWISE_LIBRARY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def place(tmp_path):
    return str(tmp_path / "campus.db")


@pytest.fixture
def run(monkeypatch, capsys, place):
    """A command with something on standard input; what it said, or why it refused."""

    def ran(*arguments, given="", library=place):
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        words = [*arguments, *(("--library", library) if library else ())]
        command = get_command(admin.app)
        with command.make_context("admin", words) as context:
            command.invoke(context)
        return capsys.readouterr().out

    return ran


def can_log_in(place, name, password):
    with Library(place) as library:
        try:
            return bool(log_in(ServerContext(library), name, password, "here", "test"))
        except Problem as problem:
            return problem.kind


def test_an_administrator_is_made_with_a_password_from_standard_input(run, place):
    said = run("create", "Dean", "--shown-name", "The Dean", given=f"{PASSWORD}\n")
    assert said == "dean may log in as administrator.\n"
    assert can_log_in(place, "dean", PASSWORD) is True
    (told,) = [json.loads(line) for line in run("list", "--json").splitlines()]
    assert told == {
        "type": "person",
        "name": "dean",
        "shown_name": "The Dean",
        "role": "administrator",
        "is_active": True,
        "must_change": False,
    }


def test_a_teacher_is_made_too_and_listed_when_asked(run):
    run("create", "dean", given=PASSWORD)
    assert run("create", "aigul", "--teacher", given=PASSWORD) == "aigul may log in as teacher.\n"
    assert run("list") == "dean  administrator  dean\n"
    assert run("list", "--all").splitlines()[0] == "aigul  teacher  aigul"


@pytest.mark.parametrize("given", ["", "\n", "short\n", "dean\n", "password123\n", "dean123456\n"])
def test_a_missing_or_weak_password_makes_nobody(run, given):
    with pytest.raises(LikewiseError):
        run("create", "dean", given=given)
    assert run("list") == ""


def test_a_name_that_is_taken_or_unfit_is_refused(run):
    run("create", "dean", given=PASSWORD)
    with pytest.raises(LikewiseError, match="taken"):
        run("create", "DEAN", given=OTHER)
    with pytest.raises(LikewiseError, match="letters"):
        run("create", "the dean", given=OTHER)


def test_a_password_is_reset_and_must_be_changed(run, place):
    run("create", "dean", given=PASSWORD)
    assert "must change" in run("reset", "dean", given=OTHER)
    assert can_log_in(place, "dean", PASSWORD) == "wrong name or password"
    assert can_log_in(place, "dean", OTHER) is True
    assert json.loads(run("list", "--json"))["must_change"] is True


def test_whoever_is_not_there_is_named(run):
    run("create", "dean", given=PASSWORD)
    for verb in ("reset", "unlock"):
        with pytest.raises(LikewiseError, match="nobody is called aigul"):
            run(verb, "aigul", given=OTHER)


def test_a_locked_name_is_unlocked(run, place):
    run("create", "dean", given=PASSWORD)
    assert "locked out" in [can_log_in(place, "dean", "wrong") for _ in range(15)]
    assert run("unlock", "dean") == "dean may try again.\n"
    assert can_log_in(place, "dean", PASSWORD) is True
    assert run("unlock", "dean") == "dean did not have to wait.\n"


def test_the_same_on_postgresql(run, server):
    from tests.library.postgres import on_server

    on_server(server, 'CREATE SCHEMA "admin_verbs"')
    own = server.update_query_dict({"options": "-csearch_path=admin_verbs"})
    place = own.render_as_string(hide_password=False)
    try:
        run("create", "dean", given=PASSWORD, library=place)
        run("reset", "dean", given=OTHER, library=place)
        assert can_log_in(place, "dean", OTHER) is True
        assert run("list", library=place) == "dean  administrator  dean\n"
    finally:
        on_server(server, 'DROP SCHEMA "admin_verbs" CASCADE')


def test_a_name_cannot_fool_a_terminal(run, place):
    with Library(place) as library:
        add_person(
            ServerContext(library), "dean", PASSWORD, role="administrator", shown_name="a\x1b[31mb"
        )
    assert "\x1b" not in run("list")


@pytest.mark.parametrize("verb", ["create", "reset", "unlock", "list"])
def test_every_verb_explains_itself_with_examples(verb, capsys):
    import typer

    with pytest.raises(typer.Exit):
        command = get_command(admin.app)
        with command.make_context("admin", [verb, "--help"]) as context:
            command.invoke(context)
    said = capsys.readouterr().out
    assert said.count(f"likewise admin {verb}") >= 2
    assert "--password" not in said, "never as an argument"


def on_terminal(place, *answers):
    """Run `create` on a terminal and answer what it asks; what was to be read there."""
    program = (
        "import sys; from typer.main import get_command; from likewise.cli import admin\n"
        "from likewise.errors import LikewiseError\n"
        "command = get_command(admin.app)\n"
        f"words = ['create', 'dean', '--library', {place!r}]\n"
        "try:\n"
        "    with command.make_context('admin', words) as context: command.invoke(context)\n"
        "except LikewiseError as error: print('refused:', error)\n"
    )
    terminal, others = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=others,
        stdout=others,
        stderr=others,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        start_new_session=True,
    )
    os.close(others)
    said, prompts = b"", [b"Password of dean:", b"Once more:"]
    waiting, until = list(zip(prompts, answers, strict=True)), time.monotonic() + 60
    try:
        while time.monotonic() < until:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                heard = os.read(terminal, 1000)
            except OSError:  # the other end is closed
                break
            if not heard:
                break
            said += heard
            if waiting and waiting[0][0] in said:
                os.write(terminal, waiting.pop(0)[1].encode() + b"\n")
    finally:
        child.kill()
        child.wait()
        os.close(terminal)
    return said.decode()


def test_on_a_terminal_the_password_is_asked_for_twice_and_not_shown(place):
    said = on_terminal(place, PASSWORD, PASSWORD)
    assert "Password of dean:" in said and "Once more:" in said
    assert "dean may log in as administrator." in said and PASSWORD not in said
    assert can_log_in(place, "dean", PASSWORD) is True


def test_two_different_passwords_make_nobody(place, run):
    said = on_terminal(place, PASSWORD, OTHER)
    assert "refused: these were two different passwords" in said
    assert run("list") == ""
