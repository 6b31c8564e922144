"""Paper 003, the small version: every method answers, and the worked examples come out."""

from pathlib import Path
from typing import Any

import pytest

from bench.page.paper_003 import paper_003_page
from bench.papers.paper_003 import measure, published
from bench.papers.paper_003.methods import METHODS, OURS
from bench.papers.paper_003.murmur import murmur3
from bench.papers.paper_003.texts import Pair, pairs
from bench.papers.paper_003.timing import Patience, timed_methods
from bench.record import keep, read_results

NOWHERE = Path("no such folder of corpora")


@pytest.fixture(scope="module")
def sections() -> dict[str, Any]:
    return measure(NOWHERE, True, lambda line: None)


def test_half_of_the_shorter_text_is_copied_and_sizes_are_kept() -> None:
    for pair in pairs(NOWHERE, small=True):
        one, two, other = (text.split() for text in (pair.text, pair.copied, pair.unrelated))
        assert (len(one), len(two)) == pair.words == (len(one), len(other))
        half = min(pair.words) // 2
        start = (len(one) - half) // 2
        assert " ".join(one[start : start + half]) in pair.copied
        assert " ".join(one[start : start + half]) not in pair.unrelated


def test_every_method_answers_or_says_why_not(sections: dict[str, Any]) -> None:
    methods = sections["methods"]["methods"]
    assert list(methods) == list(METHODS)
    assert set(published.SECONDS) < set(methods)
    for name, answers in methods.items():
        assert len(answers) == len(published.EXPERIMENTS)
        for answer in answers:
            assert "cpu_s" in answer or name not in OURS
            assert 0 <= answer.get("value", 0) <= 1


def test_ours_see_the_copy(sections: dict[str, Any]) -> None:
    for name in OURS:
        for answer in sections["methods"]["methods"][name]:
            assert answer["value"] > answer["unrelated"], name


def test_a_method_that_takes_too_long_gives_up_and_the_others_go_on() -> None:
    text = "ab" * 40_000  # no letter is rare: quadratic for whoever takes letters seriously
    pair = Pair((1, 1), text, text[1:], text[2:])
    lines: list[str] = []
    slow, quick = "difflib, no character junk", "difflib on words"
    answers = timed_methods([pair], Patience(1, 0.0), lines.append, (slow, quick))["methods"]
    assert answers[slow] == [{"gave_up_cpu_s": 1}]
    assert "cpu_s" in answers[quick][0]
    assert any("gave up after 1 s" in line for line in lines)


def test_examples_agree_or_say_what_is_wrong(sections: dict[str, Any]) -> None:
    examples = sections["worked examples"]
    assert all(example["agrees"] or example["note"] for example in examples)
    wrong = [example["what"] for example in examples if not example["agrees"]]
    assert len(wrong) == 7, wrong


def test_what_the_paper_calls_jaccard_is_dice(sections: dict[str, Any]) -> None:
    called = [one for one in sections["worked examples"] if "“Jaccard”" in one["what"]]
    assert [one["ours"] for one in called] == ["10 / 22 = 45.45 %", "4 / 8 = 50 %"]
    assert [one["paper"] for one in called] == ["20 / 32 = 62.5 %", "8 / 12 = 66.67 %"]
    assert "62.5 % too" in called[0]["note"]


def test_the_papers_tfidf_example_is_what_another_formula_gives(sections: dict[str, Any]) -> None:
    [example] = [one for one in sections["worked examples"] if one["paper"] == "63.37 %"]
    assert example["ours"] == "84.17 %"
    assert "63.37 % comes out if" in example["note"]


@pytest.mark.parametrize(
    ("text", "seed", "expected"),
    [("", 1, 0x514E28B7), ("a", 0, 0x3C2569B2), ("Hello, world!", 1234, 0xFAF6CDB3 - (1 << 32))],
)
def test_murmur_hashes_as_others_do(text: str, seed: int, expected: int) -> None:
    assert murmur3(text.encode(), seed) == expected


def test_the_page_has_both_plots(sections: dict[str, Any], tmp_path: Path) -> None:
    for name, figures in sections.items():
        keep(tmp_path / "paper-003.json", name, "a command", figures)
    page = "\n".join(paper_003_page(read_results(tmp_path, "paper-003"), tmp_path / "plots"))
    for plot in ("paper-003-time.svg", "paper-003-paper.svg"):
        assert (tmp_path / "plots" / plot).is_file()
        assert plot in page
    assert "jellyfish Jaro-Winkler" in page
    assert not list(paper_003_page({}, tmp_path))
