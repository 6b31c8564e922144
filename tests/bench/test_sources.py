"""Sources in a library, the small version: passages kept unseen in essays of one class."""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

from bench.making.background import Block, composed_documents
from bench.making.honest import blocks_of, written
from bench.page.sources import sources_page
from bench.quality import sources
from bench.quality.sources import (
    CheckedText,
    Passage,
    ask_fingerprints,
    checked_texts,
    measure,
    passages_and_sources,
)
from bench.quality.sources_peers import Answer, ParagraphIndex, Votes, concepts_of, stems_of
from likewise.library import Library

LENGTHS = (800, 1_000)


@pytest.fixture(scope="module")
def passages() -> list[Passage]:
    """Those that come with the project."""
    return passages_and_sources(Path("nowhere"))[0]


@pytest.fixture
def texts(passages: list[Passage], monkeypatch: pytest.MonkeyPatch) -> list[CheckedText]:
    monkeypatch.setattr(sources, "LENGTHS", LENGTHS)
    blocks = [
        Block(genre, language, number, block)
        for language in ("en", "ru", "kk")
        for genre in ("essays", "reports")
        for number, text in enumerate(written(f"{genre}-{language}").values())
        for block in blocks_of(text)
    ]
    return checked_texts(passages, blocks, {passages[0].source_name: "essays"})


def test_every_passage_stands_in_one_text_of_each_length(
    passages: list[Passage], texts: list[CheckedText]
) -> None:
    planted = Counter(passage for text in texts for passage in text.passages)
    assert planted == dict.fromkeys(passages, len(LENGTHS))
    for checked in texts:
        assert 1 <= len(checked.passages) <= 5
        assert all(passage.text in checked.text for passage in checked.passages)
        assert len({passage.source_name for passage in checked.passages}) == len(checked.passages)
        assert len({passage.language for passage in checked.passages}) == 1
        assert checked.length <= len(checked.text.split()) < checked.length + 200


def test_a_text_is_of_another_genre_than_its_sources(
    passages: list[Passage], texts: list[CheckedText]
) -> None:
    essays = "\n".join(written("essays-en").values())
    of_first = [text for text in texts if passages[0] in text.passages]
    for checked in of_first:
        planted = {passage.text for passage in checked.passages}
        hosts = [part for part in checked.text.split("\n\n") if part not in planted]
        assert not any(part in essays for part in hosts)


def test_composed_documents_are_the_same_in_every_run_and_no_copies() -> None:
    documents = [("essays", text) for text in written("essays-kk").values()]
    first, again = (list(islice(composed_documents(documents, "kk"), 20)) for _ in range(2))
    assert first == again
    assert len({text for _, text in first}) == 20
    assert not {text for _, text in first} & {text for _, text in documents}


class Overlap:
    """The share of a question's terms that a paragraph has."""

    def __init__(self) -> None:
        self.paragraphs: list[set[int]] = []

    def add(self, paragraphs: list[list[int]]) -> None:
        self.paragraphs += map(set, paragraphs)

    def finish(self) -> None:
        pass

    def best(self, questions: list[list[int]]) -> Iterable[Votes]:
        for question in questions:
            scores = [len(terms & set(question)) for terms in self.paragraphs]
            order = sorted(range(len(scores)), key=lambda number: -scores[number])
            yield [(number, float(scores[number])) for number in order[:10]]


def test_paragraphs_vote_for_their_documents_and_concepts_reach_other_languages() -> None:
    _, texts_of_sources = passages_and_sources(Path("nowhere"))
    question = "Волки и медведи зимой ищут пищу в лесу, на реке они ловят рыбу."
    answer = "In winter wolves and bears look for food in the forest, and catch fish in the river."
    for terms_of, is_reached in ((stems_of, False), (concepts_of, True)):
        index = ParagraphIndex(Overlap(), terms_of)
        index.add("answer", answer)
        for name in sorted(texts_of_sources)[:2]:
            index.add(name, "Nothing of the kind is told here. " * 40)
        index.finish()
        answers = index(question)
        assert set(answers) == {"sum", "best"}
        assert (answers["best"].names[:1] == ["answer"]) == is_reached


def test_ranks_become_shares_and_a_page(texts: list[CheckedText]) -> None:
    right = {text.text: [passage.source_name for passage in text.passages] for text in texts}
    figures = measure(
        10, "**Likewise**, by meaning", lambda text: {"": Answer(right[text], 7)}, texts
    )
    shares = {f["class"]: f["share"] for f in figures if "votes" in f and "words" not in f}
    assert set(shares.values()) == {1.0}
    assert {"rewritten", "translated", "English to Kazakh", "ru-heavy"} <= set(shares)
    figures += measure(10, "a peer", lambda text: {"sum": Answer(["other"])}, texts)
    assert [
        f["share"] for f in figures if f["system"] == "a peer" and f.get("class") == "rewritten"
    ]
    section = {
        "figures": figures,
        "command": "x",
        "date": "today",
        "machine": {"likewise": "0"},
    }
    page = "\n".join(sources_page({"sources in a library": section}))
    assert "| **Likewise**, by meaning | – | – | 1 (" in page
    assert "| a peer, sum | – | – | .000 (.000) |" in page
    assert "### By class" in page


def test_fingerprints_find_what_was_copied(tmp_path: Path) -> None:
    essays = list(written("essays-en").items())
    with Library(str(tmp_path / "library.db")) as library:
        library.add_texts(essays[:10])
        assert essays[3][0] in ask_fingerprints(library, essays[3][1]).names[:1]
