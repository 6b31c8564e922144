"""What goes into a library comes out again: once, whole, and with all that is known about it."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from typing import Any

import pytest

from likewise.errors import BadInput
from likewise.library import read_metadata_table
from likewise.model import Document, Message, Note, Page, Picture, Span, Table
from likewise.reading import read
from tests.library.texts import MARKET, OWN, RIVER, invented


def names(library) -> list[str]:
    return [entry.name for entry in library.list().entries]


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "essays"
    (folder / "late").mkdir(parents=True)
    (folder / "river.txt").write_text(RIVER)
    (folder / "late" / "market.txt").write_text(MARKET)
    return folder


def test_a_folder_is_added_once_however_often_it_is_asked_for(library, folder):
    first = library.add(folder)
    assert len(first.ids) == 2 and first.unread == ()
    again = library.add(folder)
    assert (again.ids, again.again, again.known) == ((), 0, 2)
    assert names(library) == ["late/market.txt", "river.txt"]


def test_a_single_file_and_an_archive_are_added(library, folder, tmp_path):
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
        archive.writestr("own.txt", OWN)
        archive.writestr("inner/river.txt", RIVER)
    assert len(library.add(folder / "river.txt").ids) == 1
    added = library.add(tmp_path / "work.zip")
    assert (len(added.ids), added.again) == (1, 1)
    assert sorted(names(library)) == ["own.txt", "river.txt"]


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_added(library, folder):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing that makes sense")
    added = library.add(folder)
    assert [unread.name for unread in added.unread] == ["broken.pdf"]
    assert len(added.ids) == 2


def test_a_place_that_is_not_there_is_told(library, tmp_path):
    with pytest.raises(BadInput, match="no such file or folder"):
        library.add(tmp_path / "nowhere")


def test_a_document_comes_back_exactly(library):
    document = Document(
        name="thesis.pdf",
        text="Head\nStep by step the steppe 𝔞 widens.\0 End",
        pages=(Page(1, Span(0, 5)), Page(2, Span(5, 40))),
        tables=(Table((("a", "b"), ("1", "2")), Span(1, 3), "A table", 2),),
        pictures=(Picture(Span(2, 2), 2**64 - 1, 640, 480, 1),),
        language="en",
        meta={"author": "A. Nur"},
        notes=(Note("OCR used", Message.verbatim("page 2"), (Span(5, 9),)),),
        left_out=((Span(0, 4), "running header"),),
    )
    (number,) = library.add(document).ids
    assert library.get(number) == document


def test_a_file_comes_back_as_it_was_read_and_as_it_was(library, folder):
    (number,) = library.add(folder / "river.txt", keep_original=True).ids
    assert library.get(number) == read(folder / "river.txt")
    assert library.original(number) == RIVER.encode()
    (other,) = library.add(folder / "late" / "market.txt").ids
    assert library.original(other) is None


def test_the_same_bytes_are_one_document_with_another_reference(library, folder, tmp_path):
    library.add(folder / "river.txt", owner="asel")
    copied = tmp_path / "mine.txt"
    copied.write_text(RIVER)
    added = library.add(copied, owner="dana", author="D. Lee")
    assert (added.ids, added.again, added.known) == ((), 1, 0)
    (entry,) = library.list().entries
    assert (entry.name, entry.owner) == ("river.txt", "asel")
    (reference,) = entry.again
    assert (reference.name, reference.owner, reference.author) == ("mine.txt", "dana", "D. Lee")
    assert library.add(copied, owner="dana").known == 1


def test_the_same_text_in_another_form_is_linked_as_a_copy(library, tmp_path):
    (tmp_path / "a.txt").write_text(RIVER)
    (tmp_path / "b.html").write_text(f"<html><body><p>{RIVER}</p></body></html>")
    (first,) = library.add(tmp_path / "a.txt").ids
    added = library.add(tmp_path / "b.html")
    assert added.copies == 1
    assert library.entry(added.ids[0]).copy_of == first
    assert library.verify() == ()


def test_the_same_twice_in_one_batch_is_added_once(library):
    texts = [("a", RIVER), ("b", RIVER), ("c", RIVER.replace(" ", "\n")), ("d", MARKET)]
    added = library.add_texts(texts)
    assert (len(added.ids), added.again, added.copies) == (3, 1, 1)
    assert library.verify() == ()


def test_metadata_is_kept(library):
    known: dict[str, Any] = {
        "owner": "asel",
        "added_on": datetime(2020, 5, 1, 12, tzinfo=UTC),
        "language": "kk",
        "type": "thesis",
        "organisation": "Satbayev University",
        "author": "Әсел Нұр",
        "advisor": "D. Lee",
        "year": 2020,
        "month": 5,
        "tags": ("group 7", "final"),
    }
    (number,) = library.add_texts({"thesis": RIVER}, **known).ids
    entry = library.entry(number)
    for name, value in known.items():
        expected = tuple(sorted(value)) if name == "tags" else value
        assert getattr(entry, name) == expected
    assert entry.words > 30


def test_language_is_detected_and_authors_come_from_the_document(library):
    (number,) = library.add(
        Document("a.docx", "Дала кең, аспан биік. Қыста қар қалың түседі.", meta={"author": "A"})
    ).ids
    entry = library.entry(number)
    assert (entry.language, entry.author) == ("kk", "A")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"yaer": 2020}, "did you mean year"),
        ({"year": "soon"}, "whole number"),
        ({"month": 13}, "from 1 to 12"),
        ({"author": 7}, "takes a text"),
        ({"added_on": "tomorrow"}, "a date such as"),
    ],
)
def test_wrong_metadata_is_told(library, wrong, told):
    with pytest.raises(BadInput, match=told):
        library.add_texts({"a": RIVER}, **wrong)
    assert len(library) == 0


def test_a_table_brings_metadata_for_many(library, folder, tmp_path):
    table = tmp_path / "table.csv"
    rows = ('river.txt,A. Nur,2021,"x;y"', 'market.txt,"Lee, D.",,', "nobody.txt,N,,")
    table.write_text("\n".join(("File,Author,Year,Tags", *rows)))
    added = library.add(folder, table=table, year=1999, tags=("all",))
    by_name = {entry.name: entry for entry in library.list().entries}
    river, market = by_name["river.txt"], by_name["late/market.txt"]
    assert (river.author, river.year, river.tags) == ("A. Nur", 2021, ("all", "x", "y"))
    assert (market.author, market.year, market.tags) == ("Lee, D.", 1999, ("all",))
    assert added.unmatched == ("nobody.txt",)


def test_a_table_that_cannot_be_used_is_told(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("author,year\nA,2020\n")
    with pytest.raises(BadInput, match=r"table\.csv: a column `file`"):
        read_metadata_table(table)
    table.write_text("file,year\na.txt,never\n")
    with pytest.raises(BadInput, match="row 2"):
        read_metadata_table(table)
    with pytest.raises(BadInput, match="Cannot read"):
        read_metadata_table(tmp_path / "none.csv")


def test_names_and_texts_that_no_database_holds_are_made_storable(library):
    added = library.add_texts([("zero\0\ud800.txt", "one \ud800 two three"), ("b", "x\0y " * 9)])
    assert len(added.ids) == 2
    assert library.get(added.ids[0]).text == "one \ufffd two three"
    assert library.verify() == ()


def test_an_empty_text_is_a_document_too(library):
    (number,) = library.add_texts({"empty": ""}).ids
    assert library.get(number).text == ""
    assert library.candidates("").ranked == ()
    assert library.verify() == ()


def test_what_stops_in_the_middle_goes_on_where_it_was(opened, monkeypatch):
    library = opened()
    monkeypatch.setattr("likewise.library.add.MOST_DOCUMENTS", 10)

    def texts(stop_after=None):
        for number in range(35):
            if number == stop_after:
                raise KeyboardInterrupt
            yield f"{number}", invented(40, number)

    with pytest.raises(KeyboardInterrupt):
        library.add_texts(texts(stop_after=25))
    assert len(library) == 20
    assert library.verify() == ()
    added = library.add_texts(texts())
    assert (len(added.ids), added.known) == (15, 20)
    assert len(opened()) == 35


def test_what_is_removed_while_it_is_added_again_is_named(library, folder, monkeypatch):
    library.add(folder)
    known = library._holds

    def removed_at_once(collection: str, sha256: bytes) -> bool:
        there = known(collection, sha256)
        library.remove(1)
        return there

    monkeypatch.setattr(library, "_holds", removed_at_once)
    added = library.add(folder, jobs=1)
    assert [unread.name for unread in added.unread] == ["late/market.txt"]
    assert "add it again" in str(added.unread[0].reason)
    monkeypatch.undo()
    assert len(library.add(folder).ids) == 1


def test_something_that_is_no_document_is_told(library):
    with pytest.raises(BadInput, match="documents are needed, not int"):
        library.add([7])
