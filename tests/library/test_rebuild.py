"""Stop words can be changed: checks go on with the old fingerprints until all are renewed."""

from __future__ import annotations

import pytest

from likewise.errors import BadSettings
from likewise.language import stopwords
from likewise.library import Library, LibraryError, WrongRecipe
from likewise.settings import Settings
from tests.library.texts import MARKET, RIVER, invented


@pytest.fixture
def filled(library):
    library.add_texts({"river": RIVER, "market": MARKET})
    library.add_texts((f"{n}", invented(60, n)) for n in range(30))
    return library


def found(library, text: str) -> list[str]:
    return [candidate.name for candidate in library.candidates(text).ranked]


def test_a_library_begins_with_the_shipped_stop_words(library):
    assert library.stop_words("en") == stopwords.shipped("en")
    assert library.stop_words("kk") == stopwords.shipped("kk")
    assert library.settings == Settings()


def test_settings_are_kept(place, own_cache):
    chosen = Settings(
        shingle=4, window=3, stop_words=frozenset({"river", "қала"}), languages=("en", "kk")
    )
    with Library(place, settings=chosen) as library:
        assert library.settings == chosen
    with Library(place) as library:
        assert library.settings == chosen
        assert library.stop_words() == {"river", "қала"}
    with Library(place, settings=chosen):
        pass
    with pytest.raises(LibraryError, match="other settings"):
        Library(place, settings=Settings(shingle=7))


@pytest.mark.parametrize("wrong", [Settings(unit="chars"), Settings(drop_common=0.5)])
def test_settings_that_make_no_library_are_refused(place, own_cache, wrong):
    with pytest.raises(BadSettings):
        Library(place, settings=wrong)


def test_new_stop_words_wait_for_a_rebuild(filled, opened):
    words = stopwords.shipped("en") | {"river", "mountains", "narrow"}
    without = " ".join(w for w in RIVER.split() if w.lower() not in words)
    assert filled.set_stop_words("en", words) is True
    assert filled.stats().stale == 32
    assert found(filled, RIVER) == ["river"]  # by the old ones
    filled.add_texts({"late": f"{RIVER} {invented(30, 77)}"})
    assert found(opened(), RIVER) == ["river", "late"]
    told = []
    assert filled.rebuild(lambda *what: told.append(what)) == 33
    assert told[-1][1:] == (33, 33)
    assert filled.stats().stale == 0
    assert filled.settings.stop_words == words | filled.stop_words()
    assert found(filled, without) == ["river", "late"]
    assert found(opened(), without) == ["river", "late"]
    assert filled.verify() == ()
    assert filled.rebuild() == 0


def test_taking_the_change_back_needs_no_rebuild(filled):
    filled.set_stop_words("en", {"river"})
    assert filled.stats().stale > 0
    assert filled.set_stop_words("en", stopwords.shipped("en")) is False
    assert filled.stats().stale == 0
    assert filled.verify() == ()


def test_a_rebuild_that_was_stopped_goes_on(filled, opened, monkeypatch):
    monkeypatch.setattr("likewise.library.rebuild.MOST_DOCUMENTS", 8)
    filled.set_stop_words("en", {"river"})

    def stop(_stage: str, done: int, _total: int) -> None:
        if done >= 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        filled.rebuild(stop)
    assert filled.stats().stale == 16
    assert found(filled, MARKET) == ["market"]
    assert filled.verify() == ()
    other = opened()
    assert other.rebuild() == 16
    assert found(filled, MARKET) == ["market"]
    assert other.verify() == ()


def test_documents_removed_in_between_are_no_trouble(filled, monkeypatch):
    monkeypatch.setattr("likewise.library.rebuild.MOST_DOCUMENTS", 8)
    filled.set_stop_words("en", {"river"})
    filled.rebuild(lambda _stage, done, _total: filled.remove(done, 32 - done))
    assert filled.stats().stale == 0
    assert filled.verify() == ()


def test_fingerprints_of_another_machine_are_never_compared(filled, opened, monkeypatch):
    monkeypatch.setattr(
        "likewise.settings.unicodedata", type("Tables", (), {"unidata_version": "99.0"})
    )
    library = opened()
    for act in (
        lambda: library.candidates(RIVER),
        lambda: library.add_texts({"new": "one two three"}),
    ):
        with pytest.raises(WrongRecipe, match=r"unicode=.*library rebuild"):
            act()
    assert len(library.list()) == 32
    assert library.rebuild() == 32
    assert found(library, RIVER) == ["river"]
    assert library.verify() == ()


def test_another_change_in_the_middle_of_a_rebuild_is_made_too(filled, monkeypatch):
    monkeypatch.setattr("likewise.library.rebuild.MOST_DOCUMENTS", 8)
    filled.set_stop_words("en", {"river"})
    during = []

    def change(_stage: str, done: int, _total: int) -> None:
        if done == 16:
            filled.set_stop_words("en", {"market"})
            during.append((found(filled, RIVER), filled.verify()))

    assert filled.rebuild(change) == 16 + 32
    assert during == [(["river"], ())]
    assert filled.settings.stop_words == filled.stop_words()
    assert "market" in filled.stop_words() and "river" not in filled.stop_words()
    assert (found(filled, RIVER), filled.verify(), filled.stats().stale) == (["river"], (), 0)
