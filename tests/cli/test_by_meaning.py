"""Passages by meaning on the command line: asked for, switched off, and what doctor tells."""

import pytest

from likewise.language import concepts
from tests.renderings import BEES, GERMAN_BEES, RUSSIAN_BEES

from .conftest import CARAVAN, write


@pytest.fixture
def pair(tmp_path):
    essay = write(tmp_path / "essays/essay.txt", f"{CARAVAN}\n\n{BEES}")
    source = write(tmp_path / "archive/source.txt", f"{CARAVAN}\n\n{RUSSIAN_BEES}")
    return essay, source


def passages_of(line):
    sources = line["sources"] if line.get("type") == "check" else [line]
    return [passage["kind"] for source in sources for passage in source["passages"]]


def test_each_verb_that_shows_passages_takes_the_same_option(likewise, pair):
    essay, source = pair
    threshold = ("--threshold", 0.1, "--passages")
    verbs = (
        ("compare", essay, source),
        ("check", essay, "--against", source.parent),
        ("find", essay.parents[1], *threshold),
        ("cross", essay.parent, source.parent, *threshold),
    )
    for verb in verbs:
        for option, expected in (
            ((), ["verbatim", "translated"]),
            (("--by-meaning",), ["verbatim", "translated"]),
            (("--no-by-meaning",), ["verbatim"]),
        ):
            ran = likewise(*verb, *option, "--json")
            assert ran.status == 0, ran.err
            assert passages_of(ran.lines[0]) == expected, (verb[0], option)
            made_with = "" if option == ("--no-by-meaning",) else concepts.recipe()
            assert ran.lines[-1]["concepts"] == made_with
        assert "--no-by-meaning" in likewise(verb[0], "--help").out
    assert "concepts" not in likewise(*verbs[2][:-1], "--json").summary  # nothing was aligned


def test_a_report_says_that_nothing_was_looked_for_by_meaning(likewise, pair, tmp_path):
    essay, source = pair
    report = tmp_path / "report.json"
    ran = likewise(
        "check", essay, "--against", source.parent, "--no-by-meaning", "--report", report
    )
    assert ran.status == 0, ran.err
    assert '"by_meaning":false' in report.read_text("utf-8").replace(" ", "")


def test_a_fourth_language_is_told(likewise, pair, tmp_path):
    german = write(tmp_path / "german.txt", GERMAN_BEES)
    told = " ".join(likewise("compare", german, pair[0]).out.split())
    assert "few of its words are in the lexicon of concepts" in told
    (line,) = likewise("compare", german, pair[0], "--json").lines
    assert [note["code"] for note in line["notes"]] == ["core.no_concepts"]
    (line,) = likewise("check", german, "--against", pair[0].parent, "--json").lines
    assert [note["code"] for note in line["notes"]] == ["core.no_concepts"]
    assert "lexicon of concepts" not in likewise("compare", *pair).out


def test_doctor_tells_the_lexicon(likewise, monkeypatch):
    def finding(name):
        (line,) = likewise("doctor", "--json").lines
        return next(each for each in line["findings"] if each["name"] == name)

    size, digest = concepts.stems_head()
    assert finding("concepts")["value"] == f"{size:,} (en, ru, kk), recipe {concepts.RECIPE}"
    stems, covered = finding("stems of concepts"), finding("words with a concept")
    assert stems["state"] == covered["state"] == "ok" and stems["value"].endswith(digest)
    assert all(f"{language} 9" in covered["value"] for language in concepts.LANGUAGES)
    monkeypatch.setattr(concepts, "words_digest", lambda: "of other words")
    assert finding("stems of concepts")["state"] == "missing"
    assert "bench.making.concepts" in finding("stems of concepts")["cost"]
