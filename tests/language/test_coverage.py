"""What the lexicon of concepts covers, and whether its two files belong together."""

from pathlib import Path

import pytest

from likewise.catalogue.words import running_text
from likewise.language import concepts
from likewise.language.concepts import Concepts, Coverage, coverage
from tests.renderings import BEES, GERMAN_BEES, RUSSIAN_BEES


def test_stop_words_numbers_and_names_are_neither_covered_nor_missing():
    assert coverage("") == coverage("the and of 1927 42") == Coverage(0, 0)
    assert coverage("").share == 0.0
    assert coverage("We met Aigerim and Kanat") == coverage("we met")
    assert coverage("dogs, dogs and qqqwwwx.") == Coverage(3, 2)


def test_languages_of_the_lexicon_are_covered_and_others_are_not():
    assert coverage(BEES).share > 0.9 and coverage(RUSSIAN_BEES).share > 0.9
    assert coverage(GERMAN_BEES).share < 0.4


@pytest.mark.parametrize("language", concepts.LANGUAGES)
def test_most_words_of_our_own_messages_have_a_concept(language):
    found = coverage(running_text(language))
    assert found.words > 3_000 and found.share > 0.9
    assert "{" not in running_text(language)


def test_the_recipe_tells_size_and_words():
    size, digest = concepts.stems_head()
    assert size == Concepts.shipped().size
    assert concepts.recipe() == f"concepts{concepts.RECIPE} n={size} words={digest}"


def test_the_stems_are_of_the_words_that_are_shipped():
    assert concepts.stems_head()[1] == concepts.words_digest(), "python -m bench.making.concepts"


def test_other_words_have_another_digest(monkeypatch):
    before, read = concepts.words_digest(), concepts._read
    monkeypatch.setattr(concepts, "_read", lambda name: read(name).replace("\n", "\r\n"))
    assert concepts.words_digest() == before  # as some systems check files out
    monkeypatch.setattr(concepts, "_read", lambda name: read(name) + "zeugma\tзевгма\tзевгма\n")
    assert concepts.words_digest() != before


def test_the_lexicon_is_told_by_its_first_line_alone():
    path = Path(concepts.__file__).with_name("concept_stems.txt")
    first = path.read_text("utf-8").partition("\n")[0]
    assert first.startswith(f"# {Concepts.shipped().size} concepts {concepts.words_digest()};")
