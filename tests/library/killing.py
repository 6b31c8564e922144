"""Work that is killed at any moment, and what must hold of the library afterwards.

`python -m tests.library.killing sqlite --kills 20` prints a line for each kill: where in the run it
fell, how much had been reported as done, and what state the library was left in. Children are
forked, so that a run is the work itself and not the start of an interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import URL, Connection, delete, insert, make_url, text, update
from sqlalchemy import select as select_rows
from sqlalchemy.schema import DropTable

from likewise.library import (
    Library,
    LibraryError,
    back_up,
    copy_library,
    restore,
    schema,
    upgrade,
    version_at,
)
from likewise.library.engine import address_of, engine_at
from likewise.library.schema import VERSION
from likewise.library.sketch_rows import split_row
from likewise.library.sketches import hashes_from
from likewise.library.versions import VERSION_TABLE
from likewise.model import Document
from likewise.server.database.host import ServerTables
from likewise.server.database.migrations import migrate
from tests.library.postgres import on_server, postgres_server
from tests.library.texts import invented

DOCUMENTS = 32  # that are there before
NEW = 32
TOGETHER = 4  # documents in one transaction
WORDS = 80
CROWD = 8
PATIENCE = 5  # attempts at one moment
EACH = 6  # documents that each of the crowd adds

Report = Callable[[str], None]
Work = Callable[[str, Report], None]


class Broken(Exception):
    """Something that was promised does not hold."""


def text_of(name: str) -> str:
    return invented(WORDS, seed=sum(map(ord, name)) * 1_000 + int(name.rpartition("-")[2]))


def small_steps() -> None:
    """Many transactions and many segments, where a real library would make one."""
    from likewise.library import add, concept_index, copying, index, rebuild, sketch_rows

    add.MOST_DOCUMENTS = rebuild.MOST_DOCUMENTS = copying._MOST_DOCUMENTS = TOGETHER
    concept_index._MOST_DOCUMENTS = concept_index._DELETED_AT_ONCE = TOGETHER
    index.TAIL = 100
    sketch_rows._PIECE_BYTES, sketch_rows._MOST_PIECES = 1, 16 * 1_996  # short texts share rows


# Places


class Places:
    """A library to begin with, copied for every kill."""

    def __init__(self, engine: str, folder: Path, server: URL | None) -> None:
        self._folder, self._server, self._count = folder, server, 0
        self.engine = engine
        self._base, self._old = self._named("base"), self._named("version3")
        self._make("base")
        with Library(self._base) as library:
            names = [f"old-{i}" for i in range(DOCUMENTS)]
            library.add_texts(((name, text_of(name)) for name in names), owner="before")
            if problems := library.verify():
                raise Broken(f"before anything happened: {[*map(str, problems)]}")

        self._copy("base", "version3")
        to_version_3(self._old)
        self.backup = str(folder / "backup.db")
        with Library(folder / "saved.db") as library:
            library.add_texts({name: text_of(name) for name in ("saved-1", "saved-2")})
            back_up(library, self.backup)

    def empty(self) -> str:
        self._count += 1
        name = f"place{self._count}"
        self._make(name)
        return self._named(name)

    def filled(self, like: str = "base") -> str:
        self._count += 1
        name = f"place{self._count}"
        self._copy(like, name)
        return self._named(name)

    def _copy(self, like: str, name: str) -> None:
        if self._server is None:
            for ending in ("", "-wal"):
                source = Path(f"{self._named(like)}{ending}")
                if source.exists():
                    shutil.copyfile(source, f"{self._named(name)}{ending}")
        else:
            self._make(name, template=self._database(like))

    def forget(self, place: str) -> None:
        if self._server is None:
            for ending in ("", "-wal", "-shm"):
                Path(f"{place}{ending}").unlink(missing_ok=True)
        else:
            name = make_url(place).database
            on_server(self._server, f'DROP DATABASE "{name}" WITH (FORCE)')

    def _named(self, name: str) -> str:
        if self._server is None:
            return str(self._folder / f"{name}.db")
        database = self._database(name)
        return self._server.set(database=database).render_as_string(hide_password=False)

    def _database(self, name: str) -> str:
        return f"kill_{os.getpid()}_{name}"

    def _make(self, name: str, template: str = "template1") -> None:
        if self._server is not None:
            made = f'CREATE DATABASE "{self._database(name)}" TEMPLATE "{template}"'
            on_server(self._server, made)


def to_version_3(place: str) -> None:
    """A library as it was before there were blocks of concepts, or rows that are shared."""
    forget_blocks(place)
    engine = engine_at(address_of(place))
    with engine.begin() as connection:
        _make_server_tables_of_version_3(connection)
        _separate_rows(connection)
        for statement in (
            "DROP INDEX ix_sketches_others",
            "ALTER TABLE sketches DROP COLUMN others",
        ):
            connection.execute(text(statement))
        connection.execute(text("DROP TABLE concept_blocks"))
        if engine.dialect.name == "postgresql":
            _widen(connection, "sketches", "document_id, recipe_id")
            _widen(connection, "document_tables", "document_id, recipe_id, number")
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '3'"))
    engine.dispose()


def _make_server_tables_of_version_3(connection: Connection) -> None:
    """What a server keeps, without what later revisions brought; there are no rows in it."""
    is_postgres = connection.dialect.name == "postgresql"
    receipts = "ALTER TABLE erasures {} CONSTRAINT fk_erasures_user_id"
    if is_postgres:
        connection.execute(text(receipts.format("DROP")))
    for table in reversed(schema.metadata.sorted_tables):
        if table in ServerTables.tables:
            connection.execute(DropTable(table))
    with Operations.context(MigrationContext.configure(connection)):
        for revision in ("2", "3"):
            migrate(revision)
    if is_postgres:
        users = "FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL"
        connection.execute(text(f"{receipts.format('ADD')} {users}"))


def _separate_rows(connection: Connection) -> None:
    """A row for each document."""
    rows = connection.execute(select_rows(schema.sketches)).all()
    connection.execute(delete(schema.sketches))
    values = [
        {
            "document_id": number,
            "recipe_id": row.recipe_id,
            "change": row.change,
            "shingles": row.shingles,
            "fingerprints": len(hashes_from(data)),
            "hashes": data,
        }
        for row in rows
        for number, data in split_row(row.document_id, row.others, row.hashes)
    ]
    connection.execute(insert(schema.sketches), values)


def _widen(connection: Connection, table: str, key: str) -> None:
    """Columns and indexes as they were on PostgreSQL."""
    for statement in (
        f"DROP INDEX ix_{table}_change",
        f"ALTER TABLE {table} DROP CONSTRAINT pk_{table}, ALTER recipe_id TYPE bigint, "
        f"ALTER change TYPE bigint, ADD CONSTRAINT pk_{table} PRIMARY KEY ({key})",
        f"CREATE INDEX ix_{table}_in_order ON {table} (recipe_id, change, document_id)",
    ):
        connection.execute(text(statement))


def forget_blocks(place: str) -> None:
    """A library as an upgrade leaves it, until a rebuild makes blocks."""
    with Library(place) as library, library.store.writing() as (connection, _change):
        connection.execute(delete(schema.concept_blocks))
        connection.execute(delete(schema.recipes).where(schema.recipes.c.settings == "{}"))


# What is done, and what must hold afterwards


def add(place: str, report: Report) -> None:
    with Library(place) as library:
        report("begin")
        for first in range(0, NEW, TOGETHER):
            names = [f"new-{i}" for i in range(first, first + TOGETHER)]
            library.add_texts(((name, text_of(name)) for name in names), owner="me", tags=("x",))
            report(" ".join(names))
            library.candidates(text_of(names[0]))
            library.candidates_by_meaning(text_of(names[0]))


def after_add(place: str, reported: list[str], _places: Places) -> str:
    finished = {name for line in reported for name in line.split()}
    with Library(place) as library:
        there = names_in(library)
        expect(finished <= there, "a finished document is lost", finished - there)
        expect(old_ones() <= there, "a document of before is lost", old_ones() - there)
        found_by_meaning(library, there)
        sound(library)
        added = len(there) - DOCUMENTS
        expect(added % TOGETHER == 0, "half of a transaction is there", added)
        names = [f"new-{i}" for i in range(NEW)]
        library.add_texts(((name, text_of(name)) for name in names), owner="me", tags=("x",))
        expect(len(library) == DOCUMENTS + NEW, "it does not go on", len(library))
        expect(library.list(tag="x").total == NEW, "tags are lost", library.list(tag="x").total)
        found_by_meaning(library, names)
        sound(library)
    return f"{added} of {NEW} added"


def remove(place: str, report: Report) -> None:
    with Library(place) as library:
        report("begin")
        for first in range(1, DOCUMENTS + 1, 2):
            library.remove(first, first + 1)
            report(f"{first} {first + 1}")
            library.candidates(text_of("old-3"))
            library.candidates_by_meaning(text_of("old-3"))


def after_remove(place: str, reported: list[str], _places: Places) -> str:
    gone = {int(number) for line in reported for number in line.split()}
    with Library(place) as library:
        there = {entry.id for entry in library.list(limit=None).entries}
        expect(not gone & there, "what was removed is back", gone & there)
        left = DOCUMENTS - len(there)
        expect(left - len(gone) in (0, 2), "more is gone than was removed", there)
        found_by_meaning(library, names_in(library))
        sound(library)
    return f"{left} of {DOCUMENTS} removed"


def rebuild(place: str, report: Report) -> None:
    with Library(place) as library:
        report("begin")
        library.set_stop_words("en", ["the", "and", "baba"])
        library.change_recipe(unit="chars", stem=False)
        report("asked")
        library.rebuild()
        report("rebuilt")


def after_rebuild(place: str, reported: list[str], _places: Places) -> str:
    with Library(place) as library:
        expect(names_in(library) == old_ones(), "documents are lost", names_in(library))
        sound(library)
        found = library.candidates(text_of("old-5")).ranked
        expect(bool(found) and found[0].name == "old-5", "checks do not go on", found)
        stale = library.stats().stale
        expect("rebuilt" not in reported or not stale, "what was rebuilt is stale", stale)
        library.set_stop_words("en", ["the", "and", "baba"])
        library.change_recipe(unit="chars", stem=False)
        library.rebuild()
        expect(library.settings.unit == "chars", "it has another recipe", library.settings)
        expect(library.stats().stale == 0, "it does not go on", library.stats())
        sound(library)
    return "done" if "rebuilt" in reported else f"{stale} of {DOCUMENTS} stale"


def copy(place: str, report: Report) -> None:
    source, target = place.split("\n")
    with Library(source) as library:
        report("begin")
        copy_library(library, target)
        report("copied")


def after_copy(place: str, reported: list[str], _places: Places) -> str:
    source, target = place.split("\n")
    there = Path(target).exists() if "://" not in target else True
    version = version_at(target) if there else None
    expect("copied" not in reported or version == VERSION, "a finished copy is lost", version)
    if version is not None and version != VERSION:
        try:
            Library(target).close()
        except LibraryError:
            pass
        else:
            raise Broken("half of a copy can be opened")
    with Library(source) as library:
        sound(library)
        if version != VERSION:
            before = copy_library(library, target).before
        with Library(target) as other:
            expect(
                other.list(limit=None) == library.list(limit=None), "the copy is not equal", target
            )
            found_by_meaning(other, old_ones())
            sound(other)
    return "done" if version == VERSION else f"{before} of {DOCUMENTS} copied"


def upgrade_old(place: str, report: Report) -> None:
    report("begin")
    upgrade(place)
    report("upgraded")
    with Library(place) as library:
        library.rebuild(lambda *_progress: void(library.candidates_by_meaning(text_of("old-5"))))
        report("rebuilt")


def after_upgrade(place: str, reported: list[str], _places: Places) -> str:
    version = version_at(place)
    expect(version in ("3", VERSION), "it is of no version", version)
    expect("upgraded" not in reported or version == VERSION, "it is not upgraded", version)
    upgrade(place)
    with Library(place) as library:
        expect(names_in(library) == old_ones(), "documents are lost", names_in(library))
        sound(library)
        shares = library.check(Document.from_text(text_of("old-5"), "question")).shares
        expect(shares.similar == 1, "checks do not go on", shares)
        waiting = library.stats().without_blocks
        expect("rebuilt" not in reported or not waiting, "what was made is lost", waiting)
        library.rebuild()
        expect(library.stats().without_blocks == 0, "it does not go on", library.stats())
        found_by_meaning(library, old_ones())
        sound(library)
    return f"version {version}, {waiting} of {DOCUMENTS} without blocks"


def renew_blocks(place: str, report: Report) -> None:
    set_older_blocks(place)
    with Library(place) as library:
        report("begin")
        library.rebuild(lambda *_progress: void(library.candidates_by_meaning(text_of("old-5"))))
        report("rebuilt")


def set_older_blocks(place: str) -> None:
    with Library(place) as library, library.store.writing() as (connection, _change):
        recipe = schema.recipes
        older = update(recipe).where(recipe.c.settings == "{}")
        connection.execute(older.values(recipe="blocks0 of an older Likewise"))


def after_renewal(place: str, reported: list[str], _places: Places) -> str:
    with Library(place) as library:
        expect(names_in(library) == old_ones(), "documents are lost", names_in(library))
        waiting = library.stats().without_blocks
        expect("rebuilt" not in reported or not waiting, "what was made is lost", waiting)
        sound(library)
        library.rebuild()
        found_by_meaning(library, old_ones())
        with library.store.reading() as connection:
            blocks = connection.execute(select_rows(schema.concept_blocks.c.recipe_id)).scalars()
            recipes = set(blocks)
        expect(len(recipes) == 1, "blocks of older recipes stay", recipes)
        sound(library)
    return f"{waiting} of {DOCUMENTS} without blocks"


def make(place: str, report: Report) -> None:
    report("begin")
    with Library(place) as library:
        library.add_texts({"new-1": text_of("new-1")})
        report("made")


def after_make(place: str, reported: list[str], _places: Places) -> str:
    with Library(place) as library:
        there = len(library)
        expect("made" not in reported or there == 1, "a finished document is lost", there)
        library.add_texts({"new-1": text_of("new-1"), "new-2": text_of("new-2")})
        expect(len(library) == 2, "it does not go on", len(library))
        sound(library)
    return "done" if there else "nothing there"


def put_back(place: str, report: Report) -> None:
    target, backup = place.split("\n")
    report("begin")
    restore(backup, target)
    report("restored")


def after_put_back(place: str, reported: list[str], _places: Places) -> str:
    target, _backup = place.split("\n")
    with Library(target) as library:
        there = names_in(library)
        was, will_be = old_ones(), {"saved-1", "saved-2"}
        expect(there in (was, will_be), "neither the one nor the other", there)
        expect("restored" not in reported or there == will_be, "not restored", there)
        sound(library)
    return "restored" if there == will_be else "as before"


WORKS: dict[str, tuple[Work, Callable[[str, list[str], Places], str]]] = {
    "add": (add, after_add),
    "remove": (remove, after_remove),
    "rebuild": (rebuild, after_rebuild),
    "copy-to": (copy, after_copy),
    "restore": (put_back, after_put_back),
    "upgrade": (upgrade_old, after_upgrade),
    "renew blocks": (renew_blocks, after_renewal),
    "make": (make, after_make),
}


def old_ones() -> set[str]:
    return {f"old-{i}" for i in range(DOCUMENTS)}


def names_in(library: Library) -> set[str]:
    return {entry.name for entry in library.list(limit=None).entries}


def found_by_meaning(library: Library, names: Iterable[str]) -> None:
    """Every document by its own blocks."""
    for name in names:
        found = [one.name for one in library.candidates_by_meaning(text_of(name), limit=1)]
        expect(found == [name], "it is not found by its meaning", (name, found))


def sound(library: Library) -> None:
    if problems := library.verify():
        raise Broken(f"verify: {'; '.join(map(str, problems[:3]))}")


def expect(holds: bool, what: str, seen: object) -> None:
    if not holds:
        raise Broken(f"{what}: {seen}")


# Children


@dataclass(slots=True)
class Child:
    """A forked process, and the pipe by which it says what it has done."""

    pid: int
    pipe: int
    heard: bytes = b""

    @classmethod
    def of(cls, work: Work, place: str) -> Child:
        pipe, into = os.pipe()
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.close(pipe)
                work(place, lambda line: void(os.write(into, f"{line}\n".encode())))
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        os.close(into)
        return cls(pid, pipe)

    def listen(self, seconds: float | None = None) -> bool:
        """Hear what comes for so long; whether there may be more."""
        end = None if seconds is None else time.monotonic() + seconds
        while end is None or time.monotonic() < end:
            left = None if end is None else max(0.0, end - time.monotonic())
            if select.select([self.pipe], [], [], left)[0]:
                data = os.read(self.pipe, 65536)
                if not data:
                    return False
                self.heard += data
        return True

    def wait_for_begin(self) -> None:
        while b"\n" not in self.heard:
            data = os.read(self.pipe, 65536)
            if not data:
                raise Broken("the work ended before it began")
            self.heard += data

    def end(self) -> int:
        """Its exit status, negative for the signal that ended it."""
        self.listen()
        os.close(self.pipe)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    @property
    def lines(self) -> list[str]:
        return [line.decode() for line in self.heard.split(b"\n")[:-1] if line != b"begin"]


def void(_value: object) -> None:
    """Nothing."""


def measured(work: Work, place: str) -> tuple[float, int]:
    """How long an undisturbed run takes from its beginning, and how often it reports."""
    child = Child.of(work, place)
    child.wait_for_begin()
    began = time.monotonic()
    if child.end() != 0:
        raise Broken("the work fails undisturbed")
    return time.monotonic() - began, len(child.lines)


def kills(
    places: Places, number: int, seed: int, *, fresh: bool = False
) -> Iterator[dict[str, Any]]:
    """Kill each kind of work at moments drawn uniformly over a measured run of it.

    `fresh` measures before every kill, since a machine is not always equally busy. A run that was
    over before its moment came is measured again and killed at the same share of it, a few times.
    """
    dice = random.Random(seed)
    lengths: dict[str, tuple[float, int]] = {}
    for name in islice(cycle(WORKS), number):
        work, after = WORKS[name]
        share = dice.random()
        if fresh:
            lengths.pop(name, None)
        for attempt in count(1):
            if attempt % PATIENCE == 0:
                share = dice.random()  # so near the end that every run is over before
            if name not in lengths:
                place = ready(places, name)
                lengths[name] = measured(work, place)
                done_with(places, place)
            seconds, reports = lengths[name]
            place = ready(places, name)
            child = Child.of(work, place)
            child.wait_for_begin()
            child.listen(share * seconds)
            os.kill(child.pid, signal.SIGKILL)
            if child.end() == -signal.SIGKILL:
                break
            done_with(places, place)
            del lengths[name]
        told = {
            "work": name,
            "engine": places.engine,
            "at": round(share, 3),
            "of_ms": round(1e3 * seconds, 1),
            "reported": len(child.lines),
            "of": reports,
        }
        try:
            told["left"] = after(place, child.lines, places)
        except (Broken, LibraryError) as problem:
            told["broken"] = str(problem)
        yield told
        done_with(places, place)


def ready(places: Places, name: str) -> str:
    """Where some work is done: a library, an empty place, or both."""
    if name == "make":
        return places.empty()
    place = places.filled("version3" if name == "upgrade" else "base")
    if name == "restore":
        return f"{place}\n{places.backup}"
    return f"{place}\n{places.empty()}" if name == "copy-to" else place


def done_with(places: Places, place: str) -> None:
    for one in place.split("\n"):
        if one != places.backup:
            places.forget(one)


# Many at once


def crowd(places: Places) -> dict[str, Any]:
    """Eight processes add, check, remove and rebuild at the same time.

    Blocks of the documents of before are missing at first: two of the eight make them.
    """
    place = places.filled()
    forget_blocks(place)

    def work_of(who: int) -> Work:
        def work(place: str, report: Report) -> None:
            report("begin")
            with Library(place) as library:
                for i in range(EACH):
                    name = f"{'abcdefgh'[who]}-{i}"
                    (number,) = library.add_texts({name: text_of(name)}, owner=name[0]).ids
                    report(str(number))
                    found = library.candidates(text_of(name)).ranked
                    expect(found[0].name == name, "what was just added is not found", found[:1])
                    found_by_meaning(library, [name])
                    if who < 2 and i == 2:
                        library.rebuild()
                    if i % 4 == 3:
                        library.check(library.get(number), not_owner=name[0])
                    if i % 6 == 5:
                        expect(library.remove(number).documents == 1, "not removed", number)

        return work

    began = time.monotonic()
    children = [Child.of(work_of(who), place) for who in range(CROWD)]
    statuses = [child.end() for child in children]
    seconds = time.monotonic() - began
    told: dict[str, Any] = {"work": "crowd", "engine": places.engine, "seconds": round(seconds, 2)}
    try:
        expect(statuses == [0] * CROWD, "some failed", statuses)
        numbers = sorted(int(line) for child in children for line in child.lines)
        expected = list(range(DOCUMENTS + 1, DOCUMENTS + 1 + CROWD * EACH))
        expect(numbers == expected, "numbers were given twice", numbers)
        with Library(place) as library:
            names = names_in(library) - old_ones()
            kept = {f"{who}-{i}" for who in "abcdefgh"[:CROWD] for i in range(EACH) if i % 6 != 5}
            expect(names == kept, "an update is lost", names ^ kept)
            waiting = library.stats().without_blocks
            expect(waiting == 0, "documents have no blocks", waiting)
            found_by_meaning(library, names | old_ones())
            sound(library)
        told["left"] = f"{len(kept)} of {len(kept)} there"
    except Broken as problem:
        told["broken"] = str(problem)
    places.forget(place)
    return told


@contextmanager
def places_on(engine: str, server: str | None = None) -> Iterator[Places]:
    """Places on an engine, with a cache of their own; a server is started unless one is given."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="likewise-kill-")))
        os.environ["LIKEWISE_CACHE"] = str(folder / "cache")
        url = None
        if engine == "postgresql":
            url = make_url(server) if server else stack.enter_context(postgres_server())
        small_steps()
        yield Places(engine, folder, url)


def main() -> int:
    """Kill, look, and tell; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=["sqlite", "postgresql"])
    parser.add_argument("--server", help="the URL of a PostgreSQL server; else one is started")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    broken = False
    with places_on(arguments.engine, arguments.server) as places:
        for told in kills(places, arguments.kills, arguments.seed):
            print(json.dumps(told), flush=True)
            broken |= "broken" in told
        told = crowd(places)
        print(json.dumps(told), flush=True)
        broken |= "broken" in told
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
