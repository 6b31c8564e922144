"""Tables in a library: stored with their documents, found whatever became of them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select

import likewise as lw
from likewise.errors import BadSettings
from likewise.language import Lexicon
from likewise.library import Library, back_up, check_batch, copy_library, index, schema
from likewise.model import Document, Span, Table
from likewise.settings import SKETCH_VERSION, Settings
from likewise.tables.arrays import table_arrays
from likewise.tables.documents import TablesOf, ranked
from likewise.tables.index import MOST_TOKENS, tokens_of
from likewise.tables.layout import lay_out
from tests.tables.tables import ORIGINAL, UNRELATED, table, turned

from .places import empty_place
from .texts import MARKET, RIVER, invented

Rows = tuple[tuple[str, ...], ...]


def with_tables(name: str, *tables: Table, text: str = "") -> Document:
    return Document(name, text or invented(30, seed=sum(map(ord, name))), tables=tables)


def figures(seed: int, rows: int = 8, columns: int = 4) -> Table:
    """A table of names and numbers that no other seed gives."""
    dice = random.Random(seed)
    names = invented(rows * 2, seed).split()
    head = ("name", *(f"{word} in year" for word in invented(columns, seed + 500).split()))
    body = [
        (
            f"{names[2 * i]} {names[2 * i + 1]}",
            *(f"{dice.uniform(1, 10_000):.{dice.choice((1, 2))}f}" for _ in range(columns)),
        )
        for i in range(rows)
    ]
    return Table((head, *body), Span(0, 0))


def reordered(given: Table, dice: random.Random) -> Table:
    head, *body = given.rows
    order = dice.sample(range(len(head)), len(head))
    dice.shuffle(body)
    return Table(tuple(tuple(row[c] for c in order) for row in (head, *body)), given.span)


def altered(given: Table, dice: random.Random, share: float = 0.3) -> Table:
    head, *body = given.rows

    def cell(text: str) -> str:
        is_number = text.replace(".", "").isdigit()
        return f"{dice.uniform(1, 10_000):.2f}" if is_number and dice.random() < share else text

    return Table((head, *(tuple(map(cell, row)) for row in body)), given.span)


DOCTORED: dict[str, Callable[[Table, random.Random], Table]] = {
    "as it was": lambda given, _: given,
    "reordered": reordered,
    "turned": lambda given, _: turned(given),
    "altered": altered,
    "reordered and turned": lambda given, dice: turned(reordered(given, dice)),
}


def shelf(documents: int = 25) -> list[Document]:
    """Documents with one to three tables, among them unlucky ones: the same head, small numbers."""
    small = tuple(tuple(str((r * c) % 7) for c in range(1, 6)) for r in range(1, 9))
    found = [
        with_tables(f"d{i:02}", *(figures(100 * i + k, rows=4 + i % 9) for k in range(1 + i % 3)))
        for i in range(documents)
    ]
    return [*found, with_tables("small", Table(small, Span(0, 0))), with_tables("none")]


def test_what_is_found_in_a_folder_is_found_in_a_library(library):
    documents = shelf()
    library.add(documents)
    folder, dice = TablesOf(documents), random.Random(7)
    for name, doctored in DOCTORED.items():
        for source in dice.sample(documents[:25], 3):
            question = with_tables("question", *(doctored(one, dice) for one in source.tables))
            in_folder = ranked(folder.like(question))
            in_library = library.check(question)
            assert in_library.tables == in_folder, (name, source.name)
            own = {(found, match.a, match.b) for found, match in in_library.tables}
            assert own >= {(source.name, i, i) for i in range(len(source.tables))}, name
            assert all(found in in_library.texts for found, _ in in_library.tables)
    assert in_library.tables == lw.check(question, documents).tables


def test_a_table_alone_can_be_asked_about(library):
    library.add([with_tables("firms", table(UNRELATED), table(ORIGINAL)), with_tables("none")])
    [found] = library.tables_like(turned(table(ORIGINAL)))
    assert (found.entry.name, found.match.b, found.match.transposed) == ("firms", 1, True)
    assert found.table == table(ORIGINAL)
    assert library.tables_like(figures(1)) == ()
    assert library.tables_like(with_tables("none")) == ()
    with pytest.raises(BadSettings, match="threshold is 2"):
        library.tables_like(table(ORIGINAL), threshold=2)


def test_files_with_tables_are_added_and_asked_about(library, tmp_path):
    (tmp_path / "in").mkdir()
    lines = [",".join(row) for row in figures(3).rows]
    (tmp_path / "in/figures.csv").write_text("\n".join(lines), "utf-8")
    library.add(tmp_path / "in")
    other = tmp_path / "other.csv"
    other.write_text("\n".join([lines[0], *reversed(lines[1:])]), "utf-8")
    [found] = library.tables_like(other)
    assert found.entry.name == "figures.csv"
    assert found.match.score > 0.9


def test_a_question_may_be_bound_to_some_documents(library):
    library.add(with_tables("old", figures(1)), year=2019)
    library.add(with_tables("new", figures(1)), year=2024)
    question = with_tables("question", figures(1))
    assert [name for name, _ in library.check(question).tables] == ["new", "old"]
    assert [name for name, _ in library.check(question, year=2019).tables] == ["old"]
    assert [one.entry.name for one in library.tables_like(question, year=2024)] == ["new"]


def test_a_document_that_shares_text_and_a_table_has_one_name(library):
    library.add([with_tables("question", figures(1), text=RIVER)])
    check = library.check(with_tables("question", figures(1), text=f"{RIVER} {MARKET}"))
    assert [source.name for source in check.sources] == ["question [1]"]
    assert [name for name, _ in check.tables] == ["question [1]"]
    assert set(check.texts) == {"question [1]"}


def test_a_removed_document_takes_its_tables_with_it(library):
    library.add([with_tables("one", figures(1)), with_tables("two", figures(1), figures(2))])
    question = with_tables("question", figures(1))
    assert {name for name, _ in library.check(question).tables} == {"one", "two"}
    library.remove(1)
    assert {name for name, _ in library.check(question).tables} == {"two"}
    assert library.stats().tables == 2
    assert library.verify() == ()


def test_the_same_text_may_be_a_table_in_one_file_alone(library):
    library.add([with_tables("plain", text=RIVER), with_tables("word", figures(1), text=RIVER)])
    assert library.entry(2).copy_of == 1
    question = with_tables("question", figures(1))
    assert [name for name, _ in library.check(question).tables] == ["word"]
    library.remove(1)
    assert [name for name, _ in library.check(question).tables] == ["word"]
    assert library.verify() == ()


def test_a_rebuild_renews_the_tables_of_all_documents(library):
    library.add([with_tables("plain", text=RIVER), with_tables("word", figures(1), text=RIVER)])
    library.add(with_tables("firms", table(ORIGINAL)))
    assert library.set_stop_words("en", library.stop_words("en") | {"company"})
    question = with_tables("question", figures(1), table(ORIGINAL))
    before = {name for name, _ in library.check(question).tables}
    assert library.stats().stale == 3
    assert library.rebuild() == 3
    assert {name for name, _ in library.check(question).tables} == before == {"word", "firms"}
    assert library.verify() == ()
    recipes = select(func.count(schema.document_tables.c.recipe_id.distinct()))
    with library._store.reading() as connection:
        assert connection.execute(recipes).scalar_one() == 1
    assert library.rebuild() == 0


@pytest.mark.postgres
def test_copies_and_backups_have_the_tables(library, tmp_path, request):
    library.add(shelf(6))
    question = with_tables("question", *shelf(6)[4].tables)
    found = library.check(question).tables
    assert found
    back_up(library, tmp_path / "backup.db")
    with Library(tmp_path / "backup.db", read_only=True) as backup:
        assert backup.check(question).tables == found
    for engine in ("sqlite", "postgresql"):
        with empty_place(engine, tmp_path, request) as place:
            copy_library(library, place)
            with Library(place) as copy:
                assert copy.check(question).tables == found
                assert copy.verify() == ()


def test_the_index_of_tables_is_taken_over_and_mended(opened, own_cache, monkeypatch):
    monkeypatch.setattr(index, "TAIL", 100)
    library = opened()
    documents = shelf(12)
    question = with_tables("question", *documents[5].tables)
    for one in documents:
        library.add(one)
        library.tables_like(question)  # so that there are segments of many sizes
    library.remove(4)
    expected = library.check(question).tables
    assert [name for name, _ in expected][:1] == ["d05"]
    assert library.stats().index_bytes > 0
    other = opened()
    assert other.check(question).tables == expected
    assert other.verify() == ()
    [folder] = (own_cache / "libraries").glob("*tables")
    for path in folder.iterdir():
        data = bytearray(path.read_bytes())
        data[-9] ^= 1
        path.write_bytes(data)
    assert any("damaged" in str(problem) for problem in opened().verify())
    assert opened().check(question).tables == expected
    assert opened().verify() == ()


def test_what_is_noted_wrongly_is_told(library):
    library.add([with_tables("one", figures(1)), with_tables("two", figures(2))])
    row = schema.document_tables
    with library._store.writing() as (connection, _change):
        connection.execute(row.delete().where(row.c.document_id == 1))
        connection.execute(row.update().values(hashes=b"", tokens=0))
    problems = [*map(str, library.verify())]
    for number, name in ((1, "one"), (2, "two")):
        assert f"document {number} ({name}): its tables are not noted as they are" in problems


def test_documents_without_tables_make_no_index_of_tables(opened, own_cache, monkeypatch):
    monkeypatch.setattr(index, "TAIL", 1)
    library = opened()
    library.add_texts((f"t{i}", invented(50, seed=i)) for i in range(5))
    library.check(Document.from_text(invented(50, seed=3), "question"))
    assert library.stats().tables == 0
    assert list((own_cache / "libraries").iterdir())
    assert not list((own_cache / "libraries").glob("*tables"))


def test_a_batch_is_searched_for_tables_that_its_documents_share(library):
    library.add([with_tables("in the library", figures(1)), with_tables("boris", figures(1))])
    batch = [
        with_tables("anna", figures(1), text=invented(60, seed=1)),
        with_tables("boris", turned(figures(1)), text=invented(60, seed=2)),
        with_tables("vera", figures(9), text=invented(60, seed=3)),
    ]
    anna, boris, vera = check_batch(library, batch).checks
    assert {name for name, _ in anna.tables} == {"boris", "boris [2]", "in the library"}
    assert {name for name, _ in boris.tables} == {"anna", "boris [2]", "in the library"}
    assert vera.tables == ()
    assert set(anna.texts) == {"boris", "boris [2]", "in the library"}
    turned_there = {name for name, match in anna.tables if match.transposed}
    assert turned_there == {"boris"}


BAD: dict[str, Rows] = {
    "empty": (),
    "empty rows": ((), ()),
    "blank": (("", " "), ("", "")),
    "one cell": (("42",),),
    "one text": (("a lonely cell",),),
    "ragged": (("a", "b"), ("1",), ("2", "3", "4")),
    "nothing but NaN": (("NaN", "inf"), ("nan", "-inf")),
    "all equal": tuple(("7", "7", "7") for _ in range(9)),
    "huge": (("1e308", "-1e308"), ("1e-308", "9" * 400)),
    "half a pair": (("\ud800", "value"), ("a\udc00", "12 345")),
    "NUL": (("\0", "x\0y"), ("1", "2")),
    "scripts": (("Өзен", "ұзындығы"), ("漢字", "١٢٣"), ("Ертіс", "4248")),
}


def test_bad_tables_are_added_checked_and_verified(library):
    documents = [with_tables(name, Table(rows, Span(0, 0))) for name, rows in BAD.items()]
    added = library.add([*documents, with_tables("all", *(d.tables[0] for d in documents))])
    assert len(added.ids) == len(BAD) + 1
    assert library.stats().tables == 2 * len(BAD)
    for one in documents:
        for _, match in library.check(one).tables:
            assert 0 < match.score <= 1
            assert math.isfinite(match.share_a + match.share_b)
    assert library.verify() == ()


def test_a_very_long_table_is_known_by_a_bounded_number_of_tokens(library):
    long = figures(5, rows=4_000, columns=3)
    library.add([with_tables("long", long), *shelf(3)])
    kept = schema.document_tables.c
    with library._store.reading() as connection:
        most = connection.execute(select(func.max(kept.tokens))).scalar_one()
    assert most == MOST_TOKENS
    half = Table((long.rows[0], *long.rows[2_000:]), long.span)
    [(name, match)] = library.check(with_tables("question", half)).tables
    assert name == "long"
    assert len(match.rows) == 2_002


def test_the_tokens_of_a_table_are_what_libraries_hold():
    """Who changes them raises SKETCH_VERSION, so that libraries ask for a rebuild."""
    tokens = tokens_of(table_arrays(lay_out(table(ORIGINAL)), Lexicon(Settings())))
    total = int(np.bitwise_xor.reduce(tokens))
    assert (SKETCH_VERSION, len(tokens), total) == (1, 26, 18247841107104702533)


def test_a_report_of_a_check_shows_the_tables(library, tmp_path: Path):
    library.add(with_tables("firms", table(ORIGINAL)))
    check = library.check(with_tables("question", turned(table(ORIGINAL))))
    lw.save(check, tmp_path / "report.json")
    assert "Alpha-Bud" in (tmp_path / "report.json").read_text("utf-8")
