"""`likewise library create`, `recipe`, `rebuild`: what a library is made with, on both engines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.library.texts import MARKET, RIVER, invented

from .conftest import ROOT, start, write

# Two transactions of a rebuild, then a kill that nothing can prepare for.
KILLED = """
import os, signal, sys
from likewise.cli import main
from likewise.library import rebuild

rebuild.MOST_DOCUMENTS, renew, calls = 8, rebuild._renew_some, []

def renew_or_die(*arguments):
    calls.append(arguments)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return renew(*arguments)

rebuild._renew_some = renew_or_die
main(["library", "rebuild", "--library", sys.argv[1]])
"""


@pytest.fixture
def archive(tmp_path):
    """Thirty documents in files."""
    for n in range(28):
        write(tmp_path / "archive" / f"{n}.txt", invented(60, n))
    write(tmp_path / "archive" / "river.txt", RIVER)
    write(tmp_path / "archive" / "market.txt", MARKET)
    return tmp_path / "archive"


@pytest.fixture
def essay(tmp_path):
    return write(tmp_path / "essay.txt", f"{invented(60, 501)} {MARKET} {invented(60, 502)}")


@pytest.fixture
def sources_of(likewise, place, essay):
    def check() -> dict[str, list[list[int]]]:
        ran = likewise("check", essay, "--library", place, "--json")
        assert ran.status in (0, 1), ran.err
        return {
            source["name"]: [passage["a"] for passage in source["passages"]]
            for source in ran.lines[0]["sources"]
        }

    return check


def test_a_library_is_made_with_what_was_asked_for(likewise, place, archive, sources_of, tmp_path):
    words = write(tmp_path / "words.txt", "caravan\nпыль\n")
    ran = likewise(
        *("library", "create", "-l", place, "--shingle", 4, "--no-stem", "--drop-digits"),
        *("--min-length", 2, "--max-length", 20, "--languages", "en,ru", "--stop-words", words),
    )
    assert (ran.status, ran.err) == (0, "")
    recipe = likewise("library", "recipe", "-l", place, "--json").lines[0]
    assert recipe["recipe"] == {
        "unit": "words",
        "shingle": 4,
        "window": 4,
        "shortest_run": 7,
        "stem": False,
        "drop_digits": True,
        "min_length": 2,
        "max_length": 20,
        "languages": ["en", "ru"],
        "drop_symbols": True,
        "drop_urls": True,
        "join_hyphens": True,
        "homoglyphs": True,
        "stop_words": 2,
    }
    assert (recipe["next"], recipe["stale"]) == (None, 0)
    assert likewise("add", archive, "-l", place, "-q").status == 0
    assert list(sources_of()) == ["market.txt"]
    stats = likewise("library", "stats", "-l", place, "--json").lines[0]
    assert stats["recipe"] == recipe["recipe"]
    assert "4 words" in likewise("library", "stats", "-l", place).out
    again = likewise("library", "create", "-l", place)
    assert again.status == 2
    assert "there is a library already; `likewise library recipe`" in again.err


def test_a_recipe_is_shown_changed_and_brought_into_use(likewise, place, archive, sources_of):
    likewise("add", archive, "-l", place, "-q")
    before = sources_of()
    assert list(before) == ["market.txt"]
    shown = likewise("library", "recipe", "-l", place).out
    assert "5 words" in shown
    assert "by their stems" in shown
    assert "rebuild" not in shown
    ran = likewise("library", "recipe", "-l", place, "--chars", "--no-stem", "--drop-digits")
    assert "5 words, after a rebuild 30 characters" in ran.out
    assert "30 documents wait: `likewise library rebuild`" in ran.out
    assert sources_of() == before
    ran = likewise("library", "recipe", "-l", place, "--json").lines[0]
    assert (ran["recipe"]["unit"], ran["next"]["unit"], ran["stale"]) == ("words", "chars", 30)
    assert "30 documents were made anew" in likewise("library", "rebuild", "-l", place).out
    assert sources_of() == before
    ran = likewise("library", "recipe", "-l", place, "--json").lines[0]
    assert (ran["recipe"]["unit"], ran["next"], ran["stale"]) == ("chars", None, 0)
    back = ("--words", "--stem", "--keep-digits")
    assert "after a rebuild 5 words" in likewise("library", "recipe", "-l", place, *back).out
    likewise("library", "rebuild", "-l", place, "-q")
    assert sources_of() == before
    assert likewise("library", "verify", "-l", place).status == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--shingle", 2), "3 words, not 2"),
        (("--shingle", 0), "1 to 1000"),
        (("--shingle", "five"), "--shingle"),
        (("--chars", "--shingle", 19), "20 characters, not 19"),
        (("--min-length", 9, "--max-length", 3), "9"),
        (("--min-length", -1), "-1"),
    ],
)
def test_what_no_library_is_made_with_is_refused(likewise, tmp_path, options, words):
    place = tmp_path / "campus.db"
    ran = likewise("library", "create", "-l", place, *options)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert not place.exists()
    assert likewise("library", "create", "-l", place).status == 0
    ran = likewise("library", "recipe", "-l", place, *options)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert likewise("library", "recipe", "-l", place, "--json").lines[0]["next"] is None


def test_a_place_that_cannot_be_a_library_is_told(likewise, tmp_path):
    letter = write(tmp_path / "letter.txt", "Dear all")
    assert likewise("library", "create", "-l", letter).status == 2
    assert letter.read_text("utf-8") == "Dear all"
    assert likewise("library", "create", "-l", tmp_path / "no" / "campus.db").status == 2
    assert likewise("library", "recipe", "-l", tmp_path / "none.db").status == 2
    assert not (tmp_path / "none.db").exists()


def test_a_rebuild_with_new_settings_is_killed_while_another_adds(
    likewise, place, archive, sources_of, tmp_path
):
    likewise("add", archive, "-l", place, "-q")
    before = sources_of()
    likewise("library", "recipe", "-l", place, "--shingle", 4, "--no-stem", "--min-length", 2)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    killed = subprocess.run([sys.executable, "-c", KILLED, place], env=environment)
    assert killed.returncode == -signal.SIGKILL
    ran = likewise("library", "recipe", "-l", place, "--json").lines[0]
    assert (ran["recipe"]["shingle"], ran["next"]["shingle"], ran["stale"]) == (5, 4, 14)
    assert sources_of() == before
    assert likewise("library", "verify", "-l", place).status == 0
    # Now one goes on with it and another adds.
    for n in range(40):
        write(tmp_path / "more" / f"more-{n}.txt", f"{invented(50, 2000 + n)}")
    write(tmp_path / "more" / "late.txt", f"{invented(30, 3000)} {MARKET}")
    running = [
        start("library", "rebuild", "-l", place, "-q"),
        start("add", tmp_path / "more", "-l", place, "-q", "--no-cache"),
    ]
    for process in running:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
    ran = likewise("library", "recipe", "-l", place, "--json").lines[0]
    assert (ran["recipe"]["shingle"], ran["next"], ran["stale"]) == (4, None, 0)
    assert (ran["recipe"]["stem"], ran["recipe"]["min_length"]) == (False, 2)
    after = sources_of()
    assert set(after) == {"market.txt", "late.txt"}
    assert after["market.txt"] == before["market.txt"]
    verified = likewise("library", "verify", "-l", place)
    assert verified.status == 0, verified.out
