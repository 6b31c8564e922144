"""Libraries of every version that ever was, brought up to date."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from likewise.library import Library, LibraryError, schema, upgrade, version_at
from likewise.library.engine import address_of
from likewise.library.versions import UNFINISHED, differences
from likewise.model import Document

from .texts import MARKET, RIVER

DUMPS = sorted(Path(__file__).parent.glob("version-*.sql"))


@pytest.fixture(params=DUMPS, ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path, own_cache: Path) -> Path:
    """A library as it was written by the version in the file's name."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(request.param.read_text("utf-8"))
    return path


def test_there_is_a_library_of_every_version():
    versions = {path.stem.removeprefix("version-") for path in DUMPS}
    assert versions == {str(number) for number in range(1, int(schema.VERSION) + 1)}


def test_an_old_library_holds_after_the_upgrade_what_it_held_before(old):
    upgrade(old)
    assert version_at(old) == schema.VERSION
    engine = create_engine(address_of(old))
    with engine.connect() as connection:
        assert differences(connection) == []
    engine.dispose()
    with Library(old, create=False) as library:
        library.rebuild()  # this machine may know other stems than the one that wrote the file
        assert library.verify() == ()
        river, market, again = library.list().entries
        assert (river.name, river.author, river.year, river.month) == ("river", "Ә. Нұр", 2024, 5)
        assert (river.owner, river.type, river.advisor) == ("dean", "essay", "B")
        assert river.tags == ("history", "spring")
        assert [reference.owner for reference in market.again] == ["other"]
        assert again.copy_of == market.id
        assert library.get(river.id).text == RIVER
        assert library.stop_words("en") == {"the", "of", "and", "a"}
        assert library.value("greeting") == "сәлем"
        found = library.check(Document.from_text(MARKET, "question"))
        assert found.shares.similar == 1
        assert library.add_texts({"new": "Steppe and sky."}).ids == (5,)


def test_a_copy_that_was_not_finished_is_not_upgraded(old):
    with closing(sqlite3.connect(old)) as raw, raw:
        raw.execute("UPDATE likewise_version SET version_num = ?", (UNFINISHED,))
    with pytest.raises(LibraryError, match="was not finished"):
        upgrade(old)
