"""A document against the library: the right sources, and what does not count."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, update

from likewise.align import CheckOptions
from likewise.align.exclude import Exclusions
from likewise.errors import BadInput
from likewise.library import candidates, schema
from likewise.model import Document
from tests.library.texts import MARKET, OWN, RIVER, invented


@pytest.fixture
def filled(library):
    library.add_texts({"river": RIVER}, owner="asel", author="Nur", language="en", year=2020)
    library.add_texts({"market": MARKET}, owner="dana", author="Lee", type="essay", year=2023)
    library.add_texts((f"other {n}", invented(80, n)) for n in range(20))
    return library


def document(*texts: str, name: str = "mine") -> Document:
    return Document.from_text("\n\n".join(texts), name=name)


def names(check) -> list[str]:
    return [source.name for source in check.sources]


def test_candidates_are_ranked_by_what_they_share(filled):
    found = filled.candidates(document(OWN, RIVER, MARKET[:120]))
    assert [c.name for c in found.ranked] == ["river", "market"]
    river, market = found.ranked
    assert river.shared > market.shared > 0
    assert river.share == pytest.approx(river.shared / found.fingerprints)
    assert (found.common, found.beyond) == ((), 0)


def test_fewer_candidates_may_be_asked_for(filled):
    found = filled.candidates(document(RIVER, MARKET), limit=1)
    assert (len(found.ranked), found.beyond) == (1, 1)


def test_a_check_tells_the_sources_and_their_shares(filled):
    check = filled.check(document(OWN, RIVER, MARKET))
    assert sorted(names(check)) == ["market", "river"]
    assert check.documents == 22
    copied = len((RIVER + MARKET).replace(" ", ""))
    assert check.shares.similar == pytest.approx(copied / (copied + len(OWN.replace(" ", ""))))
    for source in check.sources:
        assert source.match is not None  # every measure of paper 003, and 002's share of shingles
        assert 0.3 < source.match.containment_a < 0.5
        assert source.match.containment_b == 1


def test_a_file_is_checked_too(filled, tmp_path):
    (tmp_path / "thesis.txt").write_text(RIVER)
    assert names(filled.check(tmp_path / "thesis.txt")) == ["river"]


def test_nothing_is_found_where_nothing_is_shared(filled):
    check = filled.check(document(OWN))
    assert (check.sources, check.shares.original) == ((), 1)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"language": "en"}, ["river", "market"]),
        ({"author": "Lee"}, ["market"]),
        ({"not_owner": "asel"}, ["market"]),
        ({"not_author": "Lee"}, ["river"]),
        ({"year": (2021, 2024)}, ["market"]),
        ({"type": "essay"}, ["market"]),
        ({"tag": "nothing"}, []),
        ({"not_ids": (1, 2)}, []),
    ],
)
def test_only_what_fits_is_compared(filled, chosen, expected):
    checked = document(RIVER, MARKET)
    assert sorted(names(filled.check(checked, **chosen))) == sorted(expected)
    ranked = filled.candidates(checked, **chosen).ranked
    assert sorted(c.name for c in ranked) == sorted(expected)


def test_what_somebody_else_handed_in_too_is_no_earlier_version_of_mine(filled):
    filled.add_texts({"stolen": RIVER}, owner="dana")
    assert names(filled.check(document(RIVER), not_owner="asel")) == ["river"]


def test_the_copy_of_another_owner_is_named_where_the_first_is_mine(filled):
    filled.add_texts({"stolen": RIVER.replace(" ", "\n")}, owner="dana")
    assert names(filled.check(document(RIVER), not_owner="asel")) == ["stolen"]
    assert names(filled.check(document(RIVER))) == ["river"]


def test_sources_of_one_name_are_told_apart(filled):
    filled.add_texts({"mine": f"{RIVER} {invented(20, 900)}"})
    filled.add_texts({"river": f"{invented(20, 901)} {RIVER}"})
    check = filled.check(document(RIVER, name="mine"))
    assert sorted(names(check)) == ["mine [23]", "river", "river [24]"]
    assert set(check.texts) == set(names(check))


def test_sources_are_told_by_their_numbers_too(filled):
    found = filled.check(Document.from_text(f"{OWN} {RIVER} {MARKET}"))
    assert found.sources and found.ids.keys() == {source.name for source in found.sources}
    for name, number in found.ids.items():
        assert filled.get(number).text == found.texts[name].text


def test_small_sources_are_left_out_and_said(filled):
    text = document(OWN, OWN.upper(), RIVER, MARKET[:130])
    assert sorted(names(filled.check(text))) == ["market", "river"]
    check = filled.check(text, min_share=0.2)
    assert names(check) == ["river"]
    assert any(note.kind == "small sources" for _, note in check.notes)
    assert check.shares.similar == pytest.approx(sum(s.counted for s in check.sources))


def test_only_so_many_are_aligned_and_the_rest_is_said(filled, monkeypatch):
    for number in range(6):
        filled.add_texts({f"again {number}": f"{RIVER} {invented(20, 700 + number)}"})
    check = filled.check(document(RIVER), most=3)
    assert len(check.sources) == 3
    (note,) = [note for _, note in check.notes if note.kind == "not followed"]
    assert str(note.message).startswith("4 documents more")


@pytest.fixture
def with_a_form(library, monkeypatch):
    """A library where everybody has handed in the same form, and one text of his own."""
    monkeypatch.setattr(candidates, "FEW_HOLDERS", 10)
    library.add_texts((f"{n}", f"{FORM}\n\n{invented(150, 300 + n)}") for n in range(30))
    return library


FORM = (
    "I declare that this paper is the result of honest work, that every borrowed thought carries "
    "its source, and that nobody received credit for these pages at another school before."
)


def test_common_text_is_excluded_with_the_number_of_its_holders(with_a_form):
    text = f"{OWN}\n\n{MARKET}\n\n{FORM}\n\n{invented(150, 305)}"
    check = with_a_form.check(document(text))
    assert names(check) == ["5"]
    (common,) = [e for e in check.exclusions if e.reason == "common"]
    assert common.holders == 30
    assert str(common.detail) == "in 30 of 30 documents"
    assert len(common.span.of(text)) > 0.7 * len(FORM)
    assert check.shares.excluded > 0.05
    assert 0.99 < sum(
        (check.shares.original, check.shares.similar, check.shares.excluded, check.shares.quoted)
    ) < 1.01  # fmt: skip


def test_common_text_counts_where_that_is_asked_for(with_a_form):
    text = f"{OWN}\n\n{MARKET}\n\n{FORM}\n\n{invented(150, 305)}"
    check = with_a_form.check(document(text), exclusions=Exclusions(common=False))
    assert not [e for e in check.exclusions if e.reason == "common"]
    assert "5" in names(check)


def test_a_text_that_many_have_copied_is_no_form(with_a_form):
    with_a_form.add_texts((f"r{n}", f"{RIVER}\n\n{invented(90, 600 + n)}") for n in range(12))
    check = with_a_form.check(document(RIVER))
    assert not [e for e in check.exclusions if e.reason == "common"]
    assert check.shares.similar > 0.9
    found = with_a_form.candidates(RIVER)
    assert found.common_share == 1
    assert found.common[0].eldest == (31, 32, 33, 34)
    mine = (31, 32, 33, 34, 35)
    check = with_a_form.check(document(RIVER), not_ids=mine)
    assert set(names(check)) == {f"r{n}" for n in range(5, 12)} and check.shares.similar > 0.9


def test_a_text_of_pieces_from_very_many_documents_has_all_of_them_as_sources(library):
    pieces = {f"piece {n}": invented(40, 2000 + n) for n in range(220)}
    library.add_texts((name, f"{OWN} {piece}") for name, piece in pieces.items())
    told: list[tuple[str, int, int]] = []
    check = library.check(
        document(*pieces.values()), most=3, progress=lambda *step: told.append(step)
    )
    assert set(names(check)) == set(pieces)
    assert check.shares.similar > 0.99
    assert not [note for _, note in check.notes if note.kind == "not followed"]
    assert told[-1] == ("comparing", 220, 220)


def test_what_is_common_is_counted_among_the_documents_that_fit(with_a_form):
    with_a_form.add_texts({"new": f"{FORM}\n\n{invented(150, 399)}"}, year=2024)
    text = document(OWN, MARKET, invented(150, 398), FORM)
    check = with_a_form.check(text, year=2024)
    assert (check.documents, names(check)) == (1, ["new"])
    assert not [e for e in check.exclusions if e.reason == "common"]
    check = with_a_form.check(text, not_ids=(1, 2, 3))
    (common,) = [e for e in check.exclusions if e.reason == "common"]
    assert str(common.detail) == "in 28 of 28 documents"
    (run,) = with_a_form.candidates(text, not_ids=(1, 2, 3)).common
    assert (run.holders, run.eldest) == (28, (4, 5, 6, 7))


def test_a_copy_that_fits_counts_as_a_holder_where_the_first_does_not(with_a_form):
    for number in range(12):
        again = f"{FORM}\n\n{invented(150, 300 + number)}".replace("\n\n", "\n")
        with_a_form.add_texts({f"copy {number}": again}, tags=("again",))
    text = document(OWN, MARKET, invented(150, 398), FORM)
    (run,) = with_a_form.candidates(text, tag="again").common
    assert run.holders == 12
    (run,) = with_a_form.candidates(text, not_ids=(1, 2)).common
    assert run.holders == 30  # the copies of the two are there


def test_in_a_large_library_common_is_what_a_part_of_it_holds(with_a_form, monkeypatch):
    text = document(OWN, MARKET, invented(150, 398), FORM)
    assert with_a_form.candidates(text).common
    monkeypatch.setattr(candidates, "COMMON", 1.0)
    found = with_a_form.candidates(text, limit=None)
    assert (found.common, len(found.ranked)) == ((), 30)


def damage(library, number: int, packed: bytes | None) -> None:
    texts = schema.texts
    with library._store.writing() as (connection, _change):
        mine = texts.c.document_id == number
        connection.execute(
            delete(texts).where(mine)
            if packed is None
            else update(texts).where(mine).values(packed=packed)
        )


@pytest.mark.parametrize("packed", [None, b"no text at all"])
def test_a_damaged_text_is_left_out_and_said_and_the_check_goes_on(filled, packed):
    filled.add_texts({"river again": f"{RIVER} {invented(30, 77)}"})
    damage(filled, 1, packed)
    check = filled.check(document(RIVER, MARKET), most=1)
    assert sorted(names(check)) == ["market", "river again"], "who else holds it is asked"
    ((name, note),) = [told for told in check.notes if told[1].kind == "damaged"]
    assert name == "river"
    assert "document 1" in str(note.message) and "likewise library verify" in str(note.message)


def test_whoever_hands_in_without_a_name_does_not_make_a_document_anothers(filled):
    filled.add_texts({"again": RIVER})
    assert names(filled.check(document(RIVER), not_author="Nur")) == []
    assert names(filled.check(document(RIVER), not_owner="asel", not_author="asel")) == []
    filled.add_texts({"once more": RIVER}, owner="asel")  # who adds the documents of all
    assert names(filled.check(document(RIVER), not_author="Nur")) == []
    filled.add_texts({"stolen": RIVER}, owner="dana")
    assert names(filled.check(document(RIVER), not_author="Nur")) == ["river"]
    assert names(filled.check(document(RIVER), not_owner="asel", not_author="asel")) == ["river"]


def test_who_handed_in_again_what_nobody_is_known_for_is_its_only_person(filled):
    filled.add_texts({"nobody's": OWN})
    filled.add_texts({"mine": OWN}, author="Әсел Нұр")
    assert names(filled.check(document(OWN), not_author="Әсел Нұр")) == []
    assert names(filled.check(document(OWN), not_author="Nur")) == ["nobody's"]


@pytest.mark.parametrize("written", ["әсел нұр", " ӘСЕЛ  НҰР", "Әсел\tНұр"])
def test_a_person_is_known_however_the_name_is_written(filled, written):
    filled.add_texts({"mine": OWN}, author="Әсел Нұр")
    check = filled.check(document(OWN), not_owner=written, not_author=written)
    assert (names(check), check.notes) == ([], ())
    assert filled.list(not_author=written).total == len(filled) - 1


def test_a_name_that_nobody_has_is_told(filled):
    check = filled.check(document(RIVER), not_owner="Nurr", not_author="Nurr")
    assert names(check) == ["river"]
    (note,) = [note for _, note in check.notes if note.kind == "no such person"]
    assert str(note.message).startswith("nobody in the library is called Nurr")


def test_wrong_filters_are_told(filled):
    with pytest.raises(BadInput, match="did you mean"):
        filled.check(document(RIVER), nott_owner="x")


def test_candidates_are_told_once_before_any_of_them_is_aligned(library):
    library.add_texts({"river": RIVER, "market": MARKET, "own": OWN})
    checked = Document.from_text(f"{MARKET}\n\n{RIVER}", name="mine")
    heard = []
    check = library.check_by(CheckOptions(), checked, on_candidates=heard.append)
    (ranked,) = heard
    assert [one.id for one in ranked] == [one.id for one in library.candidates(checked).ranked]
    assert {source.name for source in check.sources} == {one.name for one in ranked}
