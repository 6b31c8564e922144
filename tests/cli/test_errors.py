"""With --json an error is a line of the output too: its code, what it is about, its values."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import Any

import pytest

from likewise.catalogue import Message, texts
from likewise.cli.app import command

from .conftest import EXAMPLES

ESSAYS = EXAMPLES / "essays"
NOWHERE = ("--library", "nowhere.db")
# Each verb with --json, asked for something that is not there.
REFUSED = [
    (("find", "nowhere"), "reading.no_such_folder"),
    (("cross", "nowhere", "elsewhere"), "reading.no_such_folder"),
    (("compare", "nowhere.txt", "elsewhere.txt"), "reading.no_file"),
    (("check", "nowhere.txt", "--against", "elsewhere"), "reading.no_file"),
    (("tables", "nowhere"), "reading.no_file"),
    (("read", "nowhere.txt"), "reading.no_file"),
    (("dedup", "nowhere.jsonl"), "corpus.file_gone"),
    (("add", "nowhere", *NOWHERE), "library.no_file_or_folder"),
    (("list", *NOWHERE), "library.no_library"),
    (("remove", "1", *NOWHERE), "library.no_library"),
    (("erase", "1", *NOWHERE), "library.no_library"),
    (("library", "stats", *NOWHERE), "library.no_library"),
    (("library", "verify", *NOWHERE), "library.no_library"),
    (("library", "set", "1", "--year", "2024", *NOWHERE), "library.no_library"),
    (("library", "rebuild", *NOWHERE), "library.no_library"),
    (("library", "duplicates", *NOWHERE), "library.no_library"),
    (("library", "create", "--shingle", "2", *NOWHERE), "library.short_shingle_words"),
    (("library", "recipe", *NOWHERE), "library.no_library"),
    (("library", "similar", "nowhere.txt", *NOWHERE), "library.no_library"),
    (("library", "stop-words", *NOWHERE), "library.no_library"),
    (("library", "backup", "backup.db", *NOWHERE), "library.no_library"),
    (("library", "restore", "backup.db", *NOWHERE), "cli.no_file"),
    (("library", "copy-to", "copy.db", *NOWHERE), "library.no_library"),
    (("library", "upgrade", *NOWHERE), "library.no_library"),
    (("library", "originals", *NOWHERE), "library.no_library"),
    (
        ("library", "export", "--fingerprints", "a.lwf", "--key-file", "key", *NOWHERE),
        "core.system_error",
    ),
    (("cache", "purge", "--file", "nowhere"), "core.system_error"),
    (("admin", "reset", "dean", *NOWHERE), "library.no_library"),
    (("admin", "unlock", "dean", *NOWHERE), "library.no_library"),
    (("admin", "list", *NOWHERE), "library.no_library"),
    (("admin", "second-factor-off", "dean", *NOWHERE), "library.no_library"),
]
CANNOT_BE_REFUSED = {("doctor",), ("admin", "create")}  # that makes what is not there


def verbs(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Those with --json."""
    there: Any = command() if group is None else group
    for name, verb in there.commands.items():
        if hasattr(verb, "commands"):
            yield from verbs(verb, (*path, name))
        elif any("--json" in option.opts for option in verb.params):
            yield (*path, name)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def the_error(ran) -> dict:
    (error,) = ran.of_type("error")
    assert error is not None and ran.lines[-1] == error
    assert f"likewise: {error['message']}\n" in ran.err
    assert error["code"] in texts("en")
    message = str(Message.from_plain({"key": error["code"], "values": error["values"]}))
    assert error["message"] == (f"{error['about']}: {message}" if error["about"] else message)
    return error


def test_no_verb_is_forgotten():
    asked = {arguments[: 2 if arguments[0] in GROUPS else 1] for arguments, _ in REFUSED}
    assert asked | CANNOT_BE_REFUSED == set(verbs())


GROUPS = ("library", "cache", "admin")


@pytest.mark.parametrize(("arguments", "code"), REFUSED, ids=lambda given: " ".join(given[:2]))
def test_what_cannot_be_done_has_a_code(likewise, arguments, code):
    ran = likewise(*arguments, "--json")
    assert ran.status == 2
    assert the_error(ran)["code"] == code


@pytest.mark.parametrize("verb", sorted(verbs()), ids=" ".join)
def test_bad_use_has_a_code_in_every_verb(likewise, verb):
    ran = likewise(*verb, "--no-such-option", "--json")
    assert ran.status == 2
    error = the_error(ran)
    assert error["code"] == "cli.usage"
    assert error["values"]["command"] == f"likewise {' '.join(verb)}"


def test_a_verb_that_is_not_there_has_a_code_too(likewise):
    assert the_error(likewise("fnd", "--json"))["code"] == "cli.usage"


@pytest.mark.parametrize(
    ("raised", "code", "about", "status"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "a/b"), "core.system_error", "a/b", 2),
        (OSError("odd"), "core.system_error", None, 2),
        (MemoryError(), "cli.no_memory", None, 2),
        (ValueError("the secret text of a document"), "cli.unexpected", None, 70),
    ],
    ids=["OSError", "OSError without words", "MemoryError", "ValueError"],
)
def test_what_nobody_asked_for_has_a_code(likewise, monkeypatch, raised, code, about, status):
    def fail(*_, **__):
        raise raised

    monkeypatch.setattr("likewise.front.pairs.find_in", fail)
    ran = likewise("find", ESSAYS, "--json")
    assert ran.status == status
    error = the_error(ran)
    assert (error["code"], error["about"]) == (code, about)
    assert "secret" not in ran.out + ran.err
    assert likewise("find", ESSAYS).out == ""
