"""Metadata from tables as people write them, and corrected afterwards."""

from __future__ import annotations

import pytest
from sqlalchemy import event

from likewise.errors import BadInput
from likewise.library import RemoveResult, read_metadata_table
from likewise.library.entries import correct_metadata
from tests.library.texts import MARKET, RIVER, invented


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "texts"
    (made / "a").mkdir(parents=True)
    (made / "b").mkdir()
    (made / "a" / "essay.txt").write_text(RIVER)
    (made / "b" / "essay.txt").write_text(MARKET)
    return made


def table(tmp_path, written: str, encoding: str = "utf-8"):
    path = tmp_path / "table.csv"
    path.write_bytes(written.encode(encoding))
    return path


def test_a_table_of_another_program_is_read(tmp_path):
    written = (
        "file;author;year;month;tag;grade\r\n"
        "a.txt;Нурлан Алиев;2023.0;5.0;весна;5\r\n"
        "b.txt;Иванов Пётр Сергеевич;31.05.2024;;зима;4\r\n"
        "c.txt;Сидорова Анна Михайловна;2022-11-03;;;\r\n"
    )
    found = read_metadata_table(table(tmp_path, written, "cp1251"))
    assert found.of("a.txt").author == "Нурлан Алиев"
    assert (found.of("a.txt").year, found.of("a.txt").month) == (2023, 5)
    assert (found.of("b.txt").year, found.of("b.txt").month) == (2024, 5)
    assert (found.of("c.txt").year, found.of("c.txt").month) == (2022, 11)
    assert found.of("b.txt").tags == ("зима",)
    assert found.ignored == ("grade",)


def test_a_year_that_is_none_is_told_with_its_row(tmp_path):
    with pytest.raises(BadInput, match="row 2: year is 'soon'"):
        read_metadata_table(table(tmp_path, "file,year\na.txt,soon\n"))


def test_two_rows_of_one_document_are_refused(tmp_path):
    with pytest.raises(BadInput, match=r"row 3: a\.txt has a row already"):
        read_metadata_table(table(tmp_path, "file,year\na.txt,2001\na.txt,2002\n"))


def test_a_bare_name_is_one_document(library, folder, tmp_path):
    with pytest.raises(BadInput, match=r"essay\.txt may be .*a/essay\.txt or .*b/essay\.txt"):
        library.add(folder, table=table(tmp_path, "file,author\nessay.txt,A. Nur\n"))
    rows = "file,author\na/essay.txt,A. Nur\nb/essay.txt,B. Ek\n"
    library.add(folder, table=table(tmp_path, rows))
    authors = {entry.name: entry.author for entry in library.list().entries}
    assert authors == {"a/essay.txt": "A. Nur", "b/essay.txt": "B. Ek"}


def test_folders_tell_documents_of_one_name_apart(library, folder, tmp_path):
    rows = read_metadata_table(table(tmp_path, "file,author\na/essay.txt,A\nb/essay.txt,B\n"))
    for each in ("a", "b"):
        library.add(folder / each, table=rows)
    assert [(entry.name, entry.author) for entry in library.list().entries] == [
        ("essay.txt", "A"),
        ("essay.txt", "B"),
    ]
    assert rows.unused == ()


def test_a_whole_name_is_not_that_of_a_document_in_a_folder(library, folder, tmp_path):
    (folder / "essay.txt").write_text(invented(50, 7))
    with pytest.raises(BadInput, match="write folders before"):
        library.add(folder, table=table(tmp_path, "file,author\nessay.txt,C\n"))
    rows = "file,author\nessay.txt,C\na/essay.txt,A\nb/essay.txt,B\n"
    library.add(folder, table=table(tmp_path, rows))
    authors = {entry.name: entry.author for entry in library.list().entries}
    assert authors == {"a/essay.txt": "A", "b/essay.txt": "B", "essay.txt": "C"}


def test_known_documents_learn_what_was_not_known(library, folder, tmp_path):
    library.add(folder, type="essay")
    rows = "file,author,type,year,tags\na/essay.txt,A. Nur,thesis,2023,spring\n"
    added = library.add(folder, table=table(tmp_path, rows))
    assert (added.known, added.filled) == (2, 1)
    entry = library.entry(1)
    assert (entry.author, entry.type, entry.year, entry.tags) == (
        *("A. Nur", "essay", 2023),
        ("spring",),
    )
    assert library.list(search="nur").total == 1
    assert library.add(folder, table=table(tmp_path, rows)).filled == 0


def test_whoever_hands_it_in_too_does_not_become_its_author(library):
    library.add_texts({"essay": RIVER}, owner="asel")
    added = library.add_texts({"mine": RIVER}, owner="dana", author="Dana", year=2024)
    assert (added.again, added.filled) == (1, 1)
    assert (library.entry(1).author, library.entry(1).year) == (None, 2024)


def test_the_original_of_a_known_document_can_be_kept_later(library, folder):
    assert library.add(folder).kept == 0
    assert library.original(1) is None
    assert library.add(folder, keep_original=True).kept == 2
    assert library.original(1) == RIVER.encode()
    assert library.add(folder, keep_original=True).kept == 0
    assert library.verify() == ()


def test_metadata_are_corrected(library):
    library.add_texts({"a": RIVER, "b": MARKET}, author="A. Nru", year=2032, tags=("x",))
    assert library.set_metadata([1, 2], author="A. Nur", year=2023, tags=("y", "z")) == 2
    for entry in library.list(author="A. Nur", year=2023, tag="z").entries:
        assert entry.tags == ("y", "z")
    assert library.list(search="nur").total == 2
    assert library.list(search="nru").total == 0
    library.set_metadata([1], author=None, year=None)
    assert (library.entry(1).author, library.entry(1).year) == (None, None)
    assert library.verify() == ()


def test_many_are_corrected_in_few_statements(library):
    library.add_texts({f"work {i}": f"Work {i} tells of {i} rivers." for i in range(60)})
    numbers = [entry.id for entry in library.list().entries]
    statements: list[str] = []
    with library._store.writing() as (connection, _change):
        event.listen(connection, "before_cursor_execute", lambda *a: statements.append(a[2]))
        correct_metadata(connection, numbers, {"year": 2026, "tags": ("a", "b"), "author": "Nur"})
    assert len(statements) < 10
    found = library.list(search="nur")
    assert found.total == 60
    assert {(one.year, one.tags) for one in found.entries} == {(2026, ("a", "b"))}


@pytest.mark.parametrize(
    ("ids", "given"),
    [([1], {"name": ""}), ([1], {}), ([99], {"year": 2001}), ([1], {"autor": "x"}), (["1"], {})],
)
def test_corrections_that_cannot_be_are_refused(library, ids, given):
    library.add_texts({"a": RIVER})
    with pytest.raises(BadInput):
        library.set_metadata(ids, **given)
    assert library.entry(1).name == "a"


def test_what_others_handed_in_too_stays_with_them(library):
    library.add_texts({"mine": RIVER}, owner="asel", author="Asel", year=2020)
    library.add_texts({"hers": RIVER}, owner="dana", author="Dana")
    library.add_texts({"his": RIVER}, owner="timur")
    assert library.remove(owner="asel") == RemoveResult(0, 1)
    entry = library.entry(1)
    assert (entry.name, entry.owner, entry.author, entry.year) == ("hers", "dana", "Dana", 2020)
    assert [again.owner for again in entry.again] == ["timur"]
    assert library.list(search="asel").total == 0
    assert library.list(search="dana").total == 1
    assert library.candidates(RIVER).ranked[0].name == "hers"
    library.add_texts({"again": RIVER}, owner="asel")
    library.add_texts({"more": RIVER}, owner="zarina")
    assert library.remove(owner=("dana", "asel")) == RemoveResult(0, 1)
    assert [again.owner for again in library.entry(1).again] == ["zarina"]
    library.add_texts({"once": RIVER}, owner="asel")
    assert library.remove(owner="timur", year=2020) == RemoveResult(0, 1)
    assert library.remove(owner=("zarina", "asel")) == RemoveResult(1, 0)
    assert len(library) == 0
    assert library.verify() == ()


def test_a_number_means_the_document_whoever_handed_it_in(library):
    library.add_texts({"mine": RIVER}, owner="asel")
    library.add_texts({"hers": RIVER}, owner="dana")
    assert library.remove(1) == RemoveResult(1)


@pytest.mark.parametrize(
    "asked",
    [
        {"limit": -1},
        {"limit": 1 << 70},
        {"limit": 2.5},
        {"limit": True},
        {"offset": -1},
        {"offset": 1 << 63},
        {"search": 7},
        {"sort": 7},
        {"year": 1 << 70},
        {"year": -1},
        {"year": "2020"},
        {"year": (2020, "2021")},
        {"owner": 7},
        {"tag": (1, 2)},
        {"not_ids": (1 << 70,)},
    ],
)
def test_what_no_database_takes_is_refused_alike(library, asked):
    library.add_texts({"a": RIVER})
    with pytest.raises(BadInput):
        library.list(**asked)


@pytest.mark.parametrize("number", [1 << 63, -(1 << 70), "1", 1.0, None, True])
def test_numbers_that_are_none_are_refused_alike(library, number):
    library.add_texts({"a": RIVER})
    for use in (library.entry, library.get, library.original, library.remove):
        with pytest.raises(BadInput):
            use(number)


def test_half_a_surrogate_pair_fits_nothing_and_breaks_nothing(library):
    library.add_texts({"a": RIVER}, owner="asel")
    for asked in ({"owner": "\ud800"}, {"tag": ("\udfff\0",)}, {"search": "\ud800"}):
        assert library.list(**asked).total == 0


@pytest.mark.parametrize("name", ["", "  "])
def test_a_document_needs_a_name(library, name):
    with pytest.raises(BadInput, match="needs a name"):
        library.add_texts({name: invented(30, 1)})


@pytest.mark.parametrize(
    ("language", "words", "told"),
    [
        ("fr", ["le"], "no stop words of 'fr'"),
        ("en", ["two words"], "not one word"),
        ("en", "the", "several"),
    ],
)
def test_stop_words_that_cannot_be_are_refused(library, language, words, told):
    before = library.stop_words()
    with pytest.raises(BadInput, match=told):
        library.set_stop_words(language, words)
    assert library.stop_words() == before


def test_stop_words_are_changed_as_they_stand_when_it_is_done(opened):
    one, other = opened(), opened()
    one.change_stop_words("en", add=["herons"])
    other.change_stop_words("en", add=["reeds"], remove=["the"])
    assert {"herons", "reeds"} <= one.stop_words("en")
    assert "the" not in one.stop_words("en")
    with pytest.raises(BadInput, match="heron is no stop word of en"):
        one.change_stop_words("en", add=["pike"], remove=["heron"])
    assert "pike" not in one.stop_words("en")


def test_very_long_names_are_shortened_and_found(library):
    """An index of PostgreSQL takes only so many bytes; one file must not stop all others."""
    name, author = "архив/" + "ұзақ" * 5_000 + ".txt", "Ә" * 4_000
    added = library.add_texts({name: "Steppe and sky.", "b.txt": "Sky and steppe."}, author=author)
    assert len(added.ids) == 2
    first = library.entry(1)
    assert len(first.name) == 500
    assert first.name.startswith("архив/") and first.name.endswith(".txt")
    assert library.list(author=author).total == 2
    assert library.verify() == ()
