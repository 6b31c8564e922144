"""The choice to look by meaning: what it changes, and what a result says about it."""

from dataclasses import replace

import pytest

import likewise as lw
from likewise.align import CheckOptions
from likewise.language import concepts
from likewise.library import Library, check_batch
from likewise.model import Document
from likewise.report import view_of_batch, view_of_check, view_of_matches, view_of_pair
from likewise.report.storage import pack_check, unpack_check
from tests.renderings import BEES, GERMAN_BEES, RUSSIAN_BEES
from tests.texts import MARKET, RIVER


def document(name: str, text: str) -> Document:
    return Document.from_text(text, name=name)


ESSAY, SOURCE = document("essay", BEES), document("source", RUSSIAN_BEES)
GERMAN = document("german", GERMAN_BEES)


def kinds(passages):
    return [(passage.kind, passage.by_meaning) for passage in passages]


def messages(notes):
    return [(name, note.kind, note.message.key) for name, note in notes]


# Python.


def test_two_documents_are_compared_by_meaning_unless_it_is_switched_off():
    found, off = lw.compare(ESSAY, SOURCE), lw.compare(ESSAY, SOURCE, by_meaning=False)
    assert kinds(found.passages) == [("translated", True)]
    assert off.passages == ()
    assert replace(found, passages=(), concepts="") == off
    assert (found.concepts, off.concepts) == (concepts.recipe(), "")


def test_a_check_says_how_it_was_made_and_can_be_made_again():
    found, off = lw.check(ESSAY, [SOURCE]), lw.check(ESSAY, [SOURCE], by_meaning=False)
    assert found.wordings.translated == found.shares.similar > 0.9
    assert off.shares.similar == 0 and not off.sources
    assert (found.concepts, found.counting) == (concepts.recipe(), {})
    assert (off.concepts, off.counting) == ("", {"by_meaning": False})
    for check in (found, off):
        assert unpack_check(pack_check(check)) == check
        again = lw.check(ESSAY, [SOURCE], **check.counting)
        assert (again.sources, again.concepts) == (check.sources, check.concepts)


def test_the_pairs_of_a_collection_get_their_passages_in_the_same_way():
    mixed = document("mixed", f"{RIVER}\n\n{BEES}"), document("copy", f"{RIVER}\n\n{RUSSIAN_BEES}")
    for by_meaning in (True, False):
        matches = lw.find(mixed, threshold=0.2, passages=True, by_meaning=by_meaning)
        crossed = lw.cross(mixed[:1], mixed[1:], threshold=0.2, by_meaning=by_meaning)
        view = view_of_matches(crossed)  # which aligns them
        kinds_of_view = [passage.kind for passage in view.pairs[0].passages]
        for passages in (kinds_of_view, [kind for kind, _ in kinds(matches[0].passages)]):
            assert passages == ["verbatim", *(["translated"] if by_meaning else [])]
        assert matches.concepts == view.made.concepts == (concepts.recipe() if by_meaning else "")
        assert view.made.counting == ({} if by_meaning else {"by_meaning": False})


def test_a_library_and_a_batch_take_the_choice(tmp_path):
    with Library(str(tmp_path / "library.db")) as library:
        library.add_texts({"copied": f"{RIVER}\n\n{RUSSIAN_BEES}", "other": MARKET})
        mine = document("mine", f"{RIVER}\n\n{BEES}")
        found, off = library.check(mine), library.check(mine, by_meaning=False)
        assert "translated" in {kind for kind, _ in kinds(found.sources[0].passages)}
        assert {kind for kind, _ in kinds(off.sources[0].passages)} == {"verbatim"}
        assert (off.counting, off.concepts) == ({"by_meaning": False}, "")
        pair = mine, document("other's", f"{BEES}\n\n{MARKET}")
        batch = check_batch(library, pair, options=CheckOptions(by_meaning=False))
        assert {check.concepts for check in batch.checks} == {batch.matches.concepts} == {""}
        assert not any(
            p.by_meaning for check in batch.checks for s in check.sources for p in s.passages
        )
        view = view_of_batch(batch.checks, batch.matches)
        assert view.made.counting == {"by_meaning": False} and not view.made.concepts


def test_reports_name_the_lexicon_and_say_where_nothing_was_looked_for_by_meaning():
    on, off = (view_of_pair(lw.compare(ESSAY, SOURCE, by_meaning=each)) for each in (True, False))
    assert (on.made.concepts, on.made.counting) == (concepts.recipe(), {})
    assert (off.made.concepts, off.made.counting) == ("", {"by_meaning": False})
    checked = view_of_check(lw.check(ESSAY, [SOURCE], by_meaning=False))
    assert checked.made.counting == {"by_meaning": False}


# A fourth language.


def test_a_language_without_concepts_is_told_once_where_it_matters():
    match = lw.compare(GERMAN, SOURCE)
    assert not match.passages
    assert messages(match.notes) == [("german", "no concepts", "core.no_concepts")]
    assert [note.name for note in view_of_pair(match).notes] == ["german"]
    assert lw.compare(GERMAN, SOURCE, by_meaning=False).notes == ()
    assert lw.compare(ESSAY, SOURCE).notes == ()

    others = [SOURCE, document("market", MARKET)]
    check = lw.check(GERMAN, others)
    assert messages(check.notes) == [("german", "no concepts", "core.no_concepts")]
    assert lw.check(GERMAN, others, by_meaning=False).notes == ()
    assert lw.check(GERMAN, []).notes == ()


def test_sources_without_concepts_are_counted_in_one_sentence():
    others = [SOURCE, GERMAN, document("german again", GERMAN_BEES[80:])]
    check = lw.check(ESSAY, others)
    assert messages(check.notes) == [("essay", "no concepts", "core.others_without_concepts")]
    assert check.notes[0][1].message.values == {"n": 2}
    assert lw.check(ESSAY, [SOURCE]).notes == ()
    assert lw.check(ESSAY, others, by_meaning=False).notes == ()


@pytest.mark.parametrize(
    "text",
    ["", "42", "Hallo Welt", "1 2 3 4 5 6 7 8 9\n" * 200, "x = f(y)\n" * 5, BEES, RUSSIAN_BEES],
)
def test_what_is_too_little_or_no_language_is_not_called_foreign(text):
    assert concepts.has_concepts(text)
    assert lw.compare(document("a", text), ESSAY).notes == ()


def test_a_language_that_is_known_is_not_guessed():
    assert concepts.has_concepts("", "kk")
    assert not concepts.has_concepts(BEES, "eo")
