"""A document against the library: the right sources, and what does not count."""

from __future__ import annotations

import pytest

from likewise.align.exclude import Exclusions
from likewise.errors import BadInput
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
    assert note.message.startswith("4 documents more")


@pytest.fixture
def with_a_form(library, monkeypatch):
    """A library where everybody has handed in the same form, and one text of his own."""
    from functools import partial

    from likewise.library import index
    from likewise.search.postings import look_up

    monkeypatch.setattr(index, "look_up", partial(look_up, few=10))
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
    assert common.detail == "in 30 of 30 documents"
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
    assert names(check)[0] == "r5" and check.shares.similar > 0.9


def test_wrong_filters_are_told(filled):
    with pytest.raises(BadInput, match="did you mean"):
        filled.check(document(RIVER), nott_owner="x")
