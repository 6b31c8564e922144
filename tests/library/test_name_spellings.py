"""Names of people, however they are spelled."""

from __future__ import annotations

from likewise.model import Document
from tests.tables.tables import UNRELATED, table

from .texts import MARKET, RIVER


def test_a_name_is_found_in_any_spelling_and_after_every_change(library, opened):
    other = opened()
    library.add_texts({"river": RIVER}, author="Ә. Нұр")
    question = Document.from_text(f"{RIVER} {MARKET}", "question")
    filters = {"not_author": "ә.  НҰР"}
    assert library.candidates(question, **filters).ranked == ()
    other.add_texts({"market": MARKET}, author="Ә.  нұр")
    assert library.candidates(question, **filters).ranked == ()
    other.set_metadata([2], author="B. Ek")
    (found,) = library.candidates(question, **filters).ranked
    assert found.name == "market"
    assert [note.kind for _, note in library.check(question, not_author="C").notes] == [
        "no such person"
    ]
    other.add_texts({"third": "Something else."}, author="c")
    assert library.check(question, not_author="C").notes == ()


def test_tables_too_are_left_out_in_any_spelling(library):
    library.add(Document("lengths", "Irtysh 4248", tables=(table(UNRELATED),)), author="A. Nur")
    assert len(library.tables_like(table(UNRELATED))) == 1
    assert library.tables_like(table(UNRELATED), not_author="a. NUR") == ()
