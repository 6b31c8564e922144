"""What a library is made with: chosen when it is made, shown, changed by a rebuild."""

from __future__ import annotations

import numpy as np
import pytest

from likewise.errors import BadSettings
from likewise.kernels import shingle_runs
from likewise.language import Lexicon, canonical_words, tokens_of, words_of
from likewise.library import Library, back_up, copy_library, export_fingerprints, open_fingerprints
from likewise.library.partners import with_partners
from likewise.library.recipes import Recipe, Sketching, change_settings, shortest_run
from likewise.library.sketches import locate_fingerprints, sketches_of
from likewise.model import Document
from likewise.settings import Settings
from likewise.sketch.sets import build_sets
from tests.library.texts import MARKET, RIVER, invented

CHANGES = [
    {"shingle": 3},
    {"shingle": 9, "stem": False},
    {"drop_digits": True, "min_length": 3, "max_length": 12},
    {"unit": "chars"},
    {"unit": "chars", "shingle": 20, "stem": False},
]
TEXTS = [
    RIVER,
    "Қала мен дала арасындағы 12 шақырымдық жол ұзақ әрі тар болды, ал керуен асықпады.",
    "Река текла через 3 города; о ней писали, что она «не замерзает». См. https://example.org/x",
    "compu-\nter science; the ﬁrst 𝔘nicode",
    "",
    "word",
]


@pytest.fixture
def filled(library):
    library.add_texts({"river": RIVER, "market": MARKET})
    library.add_texts((f"{n}", invented(60, n)) for n in range(30))
    return library


def document(text: str) -> Document:
    return Document.from_text(text, name="essay")


def copied_spans(library) -> dict[str, list[tuple[int, int]]]:
    check = library.check(document(f"{invented(40, 77)} {MARKET} {invented(40, 78)}"))
    return {s.name: [(p.a.start, p.a.end) for p in s.passages] for s in check.sources}


@pytest.mark.parametrize("changes", CHANGES)
def test_a_recipe_is_changed_by_a_rebuild_and_checks_find_the_same(filled, opened, changes):
    before = copied_spans(filled)
    assert list(before) == ["market"]
    assert filled.change_recipe(**changes) is True
    assert filled.settings == Settings()  # until it is rebuilt
    target = filled.next_settings
    assert {name: getattr(target, name) for name in changes} == changes
    assert filled.stats().stale == 32
    assert copied_spans(filled) == before
    filled.add_texts({"late": f"{invented(30, 5)} {MARKET}"})  # by the old recipe
    assert filled.rebuild() == 33
    assert (filled.settings, filled.next_settings) == (target, None)
    assert opened().settings == target
    opened().add_texts({"later": f"{MARKET} {invented(30, 6)}"})  # by the new one
    after = copied_spans(filled)
    assert set(after) == {"market", "late", "later"}
    assert after["market"] == before["market"]
    assert filled.verify() == ()
    assert filled.change_recipe(**{name: getattr(Settings(), name) for name in changes}) is True
    filled.rebuild()
    assert (filled.settings, filled.verify()) == (Settings(), ())


def test_changes_add_up_and_stop_words_with_them(filled):
    filled.change_recipe(shingle=4)
    filled.change_stop_words("en", add={"river"})
    filled.change_recipe(stem=False)
    target = filled.next_settings
    assert (target.shingle, target.stem) == (4, False)
    assert "river" in target.stop_words
    filled.rebuild()
    assert filled.settings == target
    filled.change_stop_words("en", remove={"river"})
    filled.rebuild()
    assert filled.settings == Settings(shingle=4, stem=False)
    assert filled.verify() == ()


def test_what_was_asked_for_is_taken_back(filled):
    filled.change_recipe(shingle=4, drop_digits=True)
    assert filled.change_recipe(shingle=5, drop_digits=False) is False
    assert (filled.next_settings, filled.stats().stale) == (None, 0)
    assert filled.rebuild() == 0


def test_a_rebuild_with_new_settings_that_was_stopped_goes_on(filled, opened, monkeypatch):
    monkeypatch.setattr("likewise.library.rebuild.MOST_DOCUMENTS", 8)
    filled.change_recipe(unit="chars")
    before = copied_spans(filled)

    def stop(_stage: str, done: int, _total: int) -> None:
        if done >= 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        filled.rebuild(stop)
    other = opened()
    assert (other.settings, other.stats().stale) == (Settings(), 16)
    other.add_texts({"late": f"{invented(30, 5)} {RIVER}"})
    assert (copied_spans(other), other.verify()) == (before, ())
    assert other.rebuild() == 17
    assert filled.settings.unit == "chars"
    assert (copied_spans(filled), filled.verify()) == (before, ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"shingle": 2},
        {"shingle": 0},
        {"shingle": 2000},
        {"unit": "chars", "shingle": 19},
        {"unit": "letters"},
        {"min_length": 9, "max_length": 3},
        {"stem": "no"},
        {"join_hyphens": False},
        {"languages": ("en",)},
        {"threshold": 0.5},
    ],
)
def test_what_no_library_can_be_made_with_is_refused(filled, wrong):
    with pytest.raises(BadSettings):
        filled.change_recipe(**wrong)
    assert (filled.next_settings, filled.settings) == (None, Settings())


def test_a_unit_has_sizes_of_its_own(filled):
    filled.change_recipe(unit="chars")
    assert (filled.next_settings.shingle, filled.next_settings.window) == (30, 24)
    assert shortest_run(filled.next_settings) == 53
    filled.change_recipe(shingle=25)
    assert (filled.next_settings.shingle, filled.next_settings.window) == (25, 20)
    filled.change_recipe(unit="words")
    assert filled.next_settings is None


# Characters


@pytest.mark.parametrize("stem", [True, False])
def test_fingerprints_of_characters_are_those_of_the_sketch(stem):
    settings = Settings(unit="chars", shingle=8, window=1, stem=stem)
    using = Sketching(Recipe(1, settings.recipe(), settings))
    sets = build_sets(TEXTS, settings)
    for i, (text, sketch) in enumerate(zip(TEXTS, sketches_of(TEXTS, using), strict=True)):
        assert sketch.hashes.tolist() == sorted(sets[i].tolist())
        assert sketch.words == len(tokens_of(text, using.lexicon))  # as where words are compared


@pytest.mark.parametrize("text", TEXTS)
def test_fingerprints_of_characters_say_which_words_they_stand_in(text):
    settings = Settings(unit="chars", shingle=8, window=3)
    using = Sketching(Recipe(1, settings.recipe(), settings))
    located = locate_fingerprints(text, using)
    (sketch,) = sketches_of([text], using)
    assert np.unique(located.hash).tolist() == sketch.hashes.tolist()
    words = [w for w in canonical_words(text, Lexicon(settings), {}) if w]
    assert len(words) == len(words_of(text, using.lexicon))
    for fingerprint, first, end in zip(located.hash, located.place, located.end, strict=True):
        assert 0 <= first < end <= len(words)
        blank = " " if first else ""  # before it, where a shingle may begin
        assert int(fingerprint) in shingles(blank + " ".join([*words[first:end], ""]), 8)
        for fewer in (words[first + 1 : end], words[first : end - 1]):
            assert len(" ".join(words)) < 8 or int(fingerprint) not in shingles(" ".join(fewer), 8)


def shingles(characters: str, width: int) -> set[int]:
    codes = np.array([ord(c) for c in characters], dtype=np.uint64)
    whole = characters.rstrip()  # a text shorter than a shingle is one itself
    short = np.array([ord(c) for c in whole], dtype=np.uint64)
    return {
        run
        for some in (codes, short)
        for run in shingle_runs(some, np.array([0, len(some)]), width)[0].tolist()
    }


@pytest.mark.parametrize("settings", [Settings(), change_settings(Settings(), {"unit": "chars"})])
def test_text_that_many_hold_is_common_whatever_the_unit(place, own_cache, settings):
    with Library(place, settings=settings) as library:
        library.add_texts(
            (f"{n}", f"{invented(25, n)} {RIVER} {invented(25, 1000 + n)}") for n in range(300)
        )
        text = f"{invented(150, 7777)} {RIVER} {invented(150, 8888)}"
        (run,) = library.candidates(text).common
        first = text.index(RIVER)
        assert first - 10 <= run.span.start < first + 40
        assert first + len(RIVER) - 40 < run.span.end <= first + len(RIVER) + 10
        check = library.check(document(text))
        assert check.sources == ()
        assert any(exclusion.holders >= 250 for exclusion in check.exclusions)


@pytest.mark.parametrize("changes", CHANGES)
def test_a_run_of_the_promised_length_is_never_missed(place, own_cache, changes):
    settings = change_settings(Settings(), changes)
    least = shortest_run(settings)
    with Library(place, settings=settings) as library:
        words = invented(400, 4242).split()
        library.add_texts({"whole": " ".join(words)})
        for start in range(0, 300, 7):
            size = 1
            while (
                len(" ".join(words_that_count(words[start : start + size], settings)))
                if settings.unit == "chars"
                else len(words_that_count(words[start : start + size], settings))
            ) < least:
                size += 1
            run = " ".join(words[start : start + size])
            text = f"{invented(30, start + 1)} {run} {invented(30, start + 2)}"
            assert [one.name for one in library.candidates(text).ranked] == ["whole"]


def words_that_count(words: list[str], settings: Settings) -> list[str]:
    return [word for word in canonical_words(" ".join(words), Lexicon(settings), {}) if word]


# Where a recipe goes with its library


def test_copies_backups_and_partners_keep_the_recipe(filled, opened, tmp_path, monkeypatch):
    monkeypatch.setattr("likewise.library.rebuild.MOST_DOCUMENTS", 8)
    filled.change_recipe(unit="chars", drop_digits=True)
    target = filled.next_settings

    def stop(_stage: str, _done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        filled.rebuild(stop)
    copy_library(filled, tmp_path / "copy.db")
    back_up(filled, tmp_path / "backup.db")
    key = b"k" * 32
    export_fingerprints(filled, tmp_path / "before.lwf", key)
    for name in ("copy.db", "backup.db"):
        with Library(tmp_path / name, create=False) as other:
            assert (other.settings, other.next_settings) == (Settings(), target)
            assert list(copied_spans(other)) == ["market"]
            assert other.rebuild() == 24  # eight had been renewed
            assert (other.settings, other.verify()) == (target, ())
            assert list(copied_spans(other)) == ["market"]
            export_fingerprints(other, tmp_path / "after.lwf", key)
            check = other.check(document(MARKET))
            by_file = {
                file: with_partners(check, [open_fingerprints(tmp_path / file, key)])
                for file in ("before.lwf", "after.lwf")
            }
            (partner,) = by_file["after.lwf"].partners
            assert partner.share == 1
            assert by_file["before.lwf"].partners == ()
            ((_, note),) = by_file["before.lwf"].notes[:1]
            assert note.message.key == "library.other_recipe"
