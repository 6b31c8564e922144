"""One frozen Settings: what it refuses, and what its recipe names."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from likewise.errors import BadSettings, LikewiseError
from likewise.settings import FIELDS, NO_LIMIT, SKETCH_VERSION, Settings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"unit": "lines"}, "unit is 'lines'; it can be words or chars"),
        ({"scheme": "simhash"}, "scheme is 'simhash'; it can be fast or minhash"),
        ({"method": "guess"}, "method is 'guess'; it can be exact or lsh"),
        ({"measure": "cosine"}, "it can be jaccard or containment or multiset"),
        ({"filter": "size"}, "filter is 'size'; it can be prefix"),
        ({"languages": ("en", "fr")}, "no rules for language 'fr'; there are rules for en, ru, kk"),
        ({"threshold": 0.0}, "threshold is 0.0; it must be above 0 and at most 1"),
        ({"threshold": 1.01}, "threshold is 1.01; it must be above 0 and at most 1"),
        ({"threshold": -0.5}, "threshold is -0.5"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"recall": 0.0}, "recall is 0.0; it must be above 0"),
        ({"recall": 2.0}, "recall is 2.0"),
        ({"drop_common": 0.0}, "drop_common is 0.0; it must be above 0"),
        ({"drop_common": 1.5}, "drop_common is 1.5"),
        ({"shingle": 0}, "shingle is 0; it must be 1 to 1000"),
        ({"window": 0}, "window is 0; it must be 1 to 1000"),
        ({"slots": 0}, "slots is 0; it must be 1 to 65536"),
        ({"slots": 65537}, "slots is 65537"),
        ({"bits": 12}, "bits is 12; it can be 8, 16, 32 or 64"),
        ({"min_length": 0}, "min_length is 0; it must be 1 to"),
        ({"max_length": 0}, "max_length is 0; it must be 1 to"),
        ({"min_length": 9, "max_length": 8}, "min_length 9 is above max_length 8"),
        ({"agreeing_bands": 0}, "agreeing_bands is 0; it must be 1 to 8"),
        ({"bands": (20, 13)}, "20 bands of 13 rows do not fit into 256 slots"),
        ({"bands": (0, 5)}, "0 bands of 5 rows do not fit"),
        ({"bands": (1, 5), "agreeing_bands": 2}, "2 agreeing bands asked of 1"),
        ({"method": "lsh", "recall": 1.0}, "lsh cannot promise a recall of 1; method='exact' does"),
        ({"method": "lsh", "measure": "containment"}, "use method='exact'"),
        ({"method": "lsh", "filter": "length"}, "the filter 'length' belongs to method='exact'"),
        ({"measure": "containment", "filter": "length"}, "would lose contained documents"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_with_a_sentence(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadSettings) as refusal:
        Settings(**changes)
    assert message in str(refusal.value)
    assert isinstance(refusal.value, LikewiseError)
    with pytest.raises(BadSettings):
        Settings().but(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"threshold": 1.0},
        {"threshold": 1e-9},
        {"languages": ()},
        {"bands": (32, 8)},
        {"recall": 1.0},
        {"measure": "containment", "filter": "none"},
        {"min_length": 5, "max_length": 5},
        {"stop_words": frozenset()},
        {"slots": 65536, "bits": 64},
    ],
)
def test_the_edges_of_what_makes_sense_are_taken(changes: dict[str, Any]) -> None:
    chosen = Settings(**changes)
    assert {name: getattr(chosen, name) for name in changes} == changes


CHANGES_A_SKETCH: dict[str, Any] = {
    "languages": ("en",),
    "homoglyphs": False,
    "stop_words": False,
    "stem": False,
    "drop_digits": True,
    "drop_symbols": False,
    "drop_urls": False,
    "join_hyphens": False,
    "min_length": 2,
    "max_length": 20,
    "drop_common": 0.5,
    "unit": "chars",
    "shingle": 4,
    "window": 5,
    "scheme": "minhash",
    "slots": 128,
    "bits": 8,
    "seed": 2,
    "measure": "multiset",
}
CHANGES_ONLY_A_SEARCH: dict[str, Any] = {
    "method": "lsh",
    "filter": "none",
    "recall": 0.9,
    "bands": (2, 2),
    "agreeing_bands": 2,
    "threshold": 0.9,
}


def test_every_field_changes_a_sketch_or_only_a_search() -> None:
    assert CHANGES_A_SKETCH.keys() | CHANGES_ONLY_A_SEARCH.keys() == set(FIELDS)
    assert CHANGES_A_SKETCH.keys().isdisjoint(CHANGES_ONLY_A_SEARCH)


@pytest.mark.parametrize("name", CHANGES_A_SKETCH)
@pytest.mark.parametrize("chosen", [Settings(), Settings.plain()], ids=["default", "plain"])
def test_the_recipe_differs_whenever_the_sketches_may(chosen: Settings, name: str) -> None:
    value = CHANGES_A_SKETCH[name]
    if getattr(chosen, name) == value:
        value = getattr(Settings(), name)
    assert chosen.but(**{name: value}).recipe() != chosen.recipe()


@pytest.mark.parametrize("name", CHANGES_ONLY_A_SEARCH)
def test_the_recipe_is_the_same_where_only_the_search_differs(name: str) -> None:
    changed = Settings().but(**{name: CHANGES_ONLY_A_SEARCH[name]})
    assert changed.recipe() == Settings().recipe()


def test_recipes_of_all_single_changes_are_different() -> None:
    recipes = {Settings(**{name: value}).recipe() for name, value in CHANGES_A_SKETCH.items()}
    assert len(recipes) == len(CHANGES_A_SKETCH)


def test_stop_words_are_in_the_recipe_by_what_they_are_and_not_by_their_order() -> None:
    def recipe(*words: str) -> str:
        return Settings(stop_words=frozenset(words)).recipe()

    assert recipe("a", "b", "c") == recipe("c", "b", "a")
    assert len({recipe(), recipe("a"), recipe("a", "b"), Settings().recipe()}) == 4
    assert recipe("\ud800") != recipe("a")


def test_the_recipe_names_the_versions_that_change_answers() -> None:
    assert Settings().recipe().startswith(f"sketch{SKETCH_VERSION} ")
    assert "snowball=" in Settings().recipe() and "unicode=" in Settings().recipe()
    assert "snowball=" not in Settings(stem=False).recipe()
    assert "unicode=" not in Settings.plain().recipe()


def test_plain_settings_have_no_rules_for_words() -> None:
    plain = Settings.plain()
    assert not plain.has_word_rules
    assert not plain.drop_urls and not plain.join_hyphens
    assert plain.max_length == NO_LIMIT
    assert Settings.plain(shingle=3, stem=True).stem
    assert Settings().has_word_rules


@pytest.mark.parametrize(
    "rule",
    [
        {"homoglyphs": True},
        {"stop_words": True},
        {"stop_words": frozenset({"a"})},
        {"stem": True},
        {"drop_digits": True},
        {"min_length": 2},
        {"max_length": 30},
    ],
)
def test_any_rule_for_words_is_noticed(rule: dict[str, Any]) -> None:
    assert Settings.plain(**rule).has_word_rules


def test_settings_cannot_be_changed_only_copied() -> None:
    chosen = Settings()
    with pytest.raises(dataclasses.FrozenInstanceError):
        chosen.threshold = 0.9  # type: ignore[misc]
    assert chosen.but(threshold=0.9).threshold == 0.9
    assert chosen.threshold == 0.3
    assert chosen.but() == chosen and hash(chosen.but()) == hash(chosen)


def test_settings_can_be_written_as_json() -> None:
    chosen = Settings(stop_words=frozenset({"b", "a"}), bands=(2, 3))
    written = json.loads(json.dumps(chosen.as_dict()))
    assert written.keys() == set(FIELDS)
    assert written["stop_words"] == ["a", "b"] and written["bands"] == [2, 3]
    assert json.loads(json.dumps(Settings().as_dict()))["stop_words"] is True


def test_collections_become_what_settings_hold():
    assert Settings(stop_words={"x"}).stop_words == frozenset({"x"})  # type: ignore[arg-type]
    assert Settings(languages=["en", "ru"]).languages == ("en", "ru")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [{"shingle": 5.0}, {"languages": "en"}, {"stem": 1}, {"threshold": "0.5"}, {"stop_words": "x"}],
)
def test_values_of_another_kind_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(BadSettings, match=name):
        Settings(**wrong)


def test_the_order_of_languages_and_the_kind_of_overlap_make_no_other_sketch():
    plain = Settings.plain()
    assert plain.recipe() == plain.but(measure="containment").recipe()
    assert plain.recipe() != plain.but(measure="multiset").recipe()
    assert plain.recipe() == plain.but(languages=("kk", "ru", "en")).recipe()
