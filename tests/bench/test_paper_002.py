"""Paper 002, the small version: each step undoes its trick, and stems alone make T2."""

from pathlib import Path
from typing import Any

import pytest

from bench.page.paper_002 import paper_002_page
from bench.papers.paper_002 import measure
from bench.papers.paper_002.preparing import STEPS, Steps, prepared
from bench.papers.paper_002.shingling import shared_spans, shingles
from bench.record import keep, read_results

TESTS = ("T1", "T2", "T3", "T4")
LANGUAGES = ("English", "Russian", "Kazakh")


@pytest.fixture(scope="module")
def sections() -> dict[str, Any]:
    return measure(Path("no such folder of corpora"), True, lambda line: None)


def of(figures: list[dict[str, Any]], **wanted: str) -> float:
    [found] = [f for f in figures if all(f[key] == value for key, value in wanted.items())]
    return float(found["recall"])


def test_both_methods_are_judged_for_each_step_test_and_language(sections: dict[str, Any]) -> None:
    published = sections["published method"]
    assert len(published) == (len(STEPS) + 2) * len(TESTS) * len(LANGUAGES)
    assert {f["language"] for f in published} == set(LANGUAGES)
    for figure in [*published, *sections["likewise"], *sections["tricks"]]:
        assert 0 <= figure["recall"] <= 1
        assert 0 <= figure["precision"] <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_reordered_sentences_are_found_by_both(sections: dict[str, Any], language: str) -> None:
    for method in ("published method", "likewise"):
        for test in ("T1", "T4"):
            recall = of(sections[method], language=language, test=test, without="nothing")
            assert recall > 0.95


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_stems_find_words_in_other_forms(sections: dict[str, Any], language: str) -> None:
    published = sections["published method"]
    whole = of(published, language=language, test="T2", without="nothing")
    assert of(published, language=language, test="T2", without="stems") < whole / 3
    assert of(published, language=language, test="T2", without="look_alikes") == whole


def test_likewise_finds_words_in_other_forms(sections: dict[str, Any]) -> None:
    for language in LANGUAGES:
        assert of(sections["likewise"], language=language, test="T2", without="nothing") > 0.95


def test_each_trick_is_undone_by_its_step_and_by_nothing_else(sections: dict[str, Any]) -> None:
    tricks = sections["tricks"]
    for name, language in {(f["trick"], f["language"]) for f in tricks}:
        with_it, without = (
            f["recall"]
            for f in tricks
            if (f["trick"], f["language"], f["method"]) == (name, language, "published")
        )
        assert with_it > 0.9 > 0.6 > without, (name, language)


def test_a_step_that_is_left_out_leaves_its_traces_alone() -> None:
    text = "The <td>Cats</td> of 1999, running рast us"  # with a Cyrillic р
    assert forms(text, Steps()) == ["cat", "run", "past"]
    assert forms(text, Steps.without("tags")) == ["td", "cat", "td", "run", "past"]
    assert forms(text, Steps.without("case")) == ["The", "Cat", "run", "past"]
    assert forms(text, Steps.without("filtration")) == ["cat", "1999", "run", "past"]
    assert forms(text, Steps.without("look_alikes")) == ["cat", "run", "рast"]
    assert forms(text, Steps.without("stems")) == ["cats", "running", "past"]
    assert forms(text, Steps.none()) == text.split()


def forms(text: str, steps: Steps) -> list[str]:
    return [word.form for word in prepared(text, steps)]


def test_bytes_of_another_encoding_are_read_rightly() -> None:
    text = "Река весной разливается по степи, и люди уходят от берега на холмы."
    misread = text.encode("koi8-r").decode("latin-1")
    assert forms(misread, Steps()) == forms(text, Steps())
    assert forms(misread, Steps.without("encoding")) != forms(text, Steps())


def test_shared_runs_of_five_words_are_copied_text() -> None:
    words = prepared("one bird sings while seven others listen quietly", Steps.none())
    known = shingles(prepared("bird sings while seven others sleep", Steps.none()))
    [span] = shared_spans(words, known)
    assert (span.start, span.end) == (4, len("one bird sings while seven others"))


def test_the_page_has_the_papers_figures_beside_ours(
    sections: dict[str, Any], tmp_path: Path
) -> None:
    for name, figures in sections.items():
        keep(tmp_path / "paper-002.json", name, "a command", figures, small=True)
    page = "\n".join(paper_002_page(read_results(tmp_path, "paper-002"), tmp_path / "plots"))
    assert "| Avtor.NET (the authors') | theirs, Russian | .99 | .97 | .94 | .99 |" in page
    assert "| Likewise, in letters | ours, Kazakh |" in page
    assert (tmp_path / "plots" / "paper-002-tricks.svg").is_file()
    assert not list(paper_002_page({}, tmp_path))
