"""Whatever happens to a process, a disk or a connection: a clear word, and nothing lost."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, NullPool, create_engine, make_url, text

from likewise.cli import main
from likewise.library import (
    Library,
    LibraryError,
    WrongRecipe,
    back_up,
    schema,
    upgrade,
    version_at,
)
from likewise.model import Document

from .killing import forget_blocks, to_version_3
from .postgres import NoServer, on_server, postgres_server
from .texts import MARKET, RIVER, invented

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {
    "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
    "OPENBLAS_NUM_THREADS": "1",
}


def many(number: int, first: int = 0) -> Iterator[Document]:
    for i in range(first, first + number):
        yield Document.from_text(invented(120, seed=i), f"t{i}")


# Processes.


def test_killed_at_any_moment_it_loses_nothing_and_many_work_at_once(engine_name, request):
    server, kills = [], 16
    if engine_name == "postgresql":  # where every place is a database to be made
        kills = 8
        url: URL = request.getfixturevalue("server")
        server = ["--server", url.render_as_string(hide_password=False)]
    command = [sys.executable, "-m", "tests.library.killing", engine_name, "--kills", str(kills)]
    ran = subprocess.run(
        [*command, *server], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True
    )
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    print(ran.stdout)  # where the kills fell
    assert [line for line in told if "broken" in line] == []
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(told) == kills + 1
    assert {line["work"] for line in told} == {
        *("add", "remove", "rebuild", "copy-to", "restore", "make", "crowd"),
        *("upgrade", "renew blocks"),
    }


# Disks.


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[], None] | None]:
    """A disk of a megabyte where we may make one, else a limit for a process to come."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], capture_output=True
    )
    if made.returncode == 0:
        try:
            yield None
        finally:
            subprocess.run(["umount", folder], check=True)
    else:
        yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))


def test_a_full_disk_loses_no_finished_document(tmp_path, own_cache, monkeypatch):
    monkeypatch.setattr("likewise.library.engine._PAGE_BYTES", 4096)  # so that an empty one fits
    files = tmp_path / "files"
    files.mkdir()
    for document in many(700):
        (files / f"{document.name}.txt").write_text(document.text * 3, "utf-8")
    with small_disk(tmp_path / "disk") as limit:
        place = tmp_path / "disk" / "library.db"
        with Library(place) as library:
            library.add_texts({"first": RIVER})
        ran = subprocess.run(
            [sys.executable, "-m", "likewise.cli", "add", files, "--library", place],
            env=ENVIRONMENT | {"LIKEWISE_CACHE": str(own_cache)},
            capture_output=True,
            text=True,
            preexec_fn=limit,
        )
        assert ran.returncode == 2
        assert "disk" in ran.stderr
        assert "Traceback" not in ran.stderr
        with Library(place) as library:
            assert library.list(search="first").total == 1
            assert library.verify() == ()


@contextmanager
def own_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A disk of its own, which not everybody may make."""
    folder.mkdir()
    size = f"size={megabytes}m,mode=0777"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def filled_up(folder: Path, remaining: int = 0) -> Iterator[None]:
    """A disk without room but for so many bytes."""
    ballast = folder / "ballast"
    disk = os.statvfs(folder)
    with ballast.open("wb") as file:
        file.write(bytes(disk.f_bavail * disk.f_frsize - remaining))
    try:
        yield
    finally:
        ballast.unlink()


def long_texts(number: int, first: int = 0) -> dict[str, str]:
    return {f"long-{i}": invented(1500, seed=i) for i in range(first, first + number)}


def test_no_room_for_the_index_of_concepts_and_checks_go_on(library, opened, tmp_path, monkeypatch):
    monkeypatch.setattr("likewise.library.index.TAIL", 100)
    texts = long_texts(12)
    with own_disk(tmp_path / "disk", 1) as disk:
        monkeypatch.setenv("LIKEWISE_CACHE", str(disk))
        library.add_texts(list(texts.items())[:6])
        assert library.candidates_by_meaning(texts["long-3"])[0].name == "long-3"
        assert list(disk.rglob("*concepts/*.postings")), "there was room"
        with filled_up(disk):
            library.add_texts(list(texts.items())[6:])
            for one in (library, opened()):
                for name, asked in texts.items():
                    assert one.candidates_by_meaning(asked)[0].name == name
                assert one.verify() == ()
        assert list(disk.rglob("tmp*")) == [], "nothing half-written stays"
        again = opened()
        assert again.candidates_by_meaning(texts["long-9"])[0].name == "long-9"
        assert again.verify() == ()


@pytest.mark.parametrize(("remaining", "version"), [(48_000, "3"), (200_000, schema.VERSION)])
def test_a_full_disk_while_an_upgrade_makes_blocks(
    tmp_path, own_cache, capfd, monkeypatch, remaining, version
):
    monkeypatch.setattr("likewise.library.concept_index._MOST_DOCUMENTS", 4)
    texts = long_texts(60)
    with own_disk(tmp_path / "disk", 20) as disk:
        place = str(disk / "library.db")
        with Library(place) as library:
            library.add_texts(texts)
        to_version_3(place)
        if version != "3":
            upgrade(place)  # the tables alone, which take more than all blocks
        with filled_up(disk, remaining):
            assert main(["library", "upgrade", "--library", place, "--quiet"]) == 2
            message = capfd.readouterr().err
            assert "disk is full" in message
            assert "Traceback" not in message
        assert version_at(place) == version
        if version != "3":  # what could be made is there, and the rest waits
            with Library(place) as library:
                assert 0 < library.stats().without_blocks < len(texts)
            _still_checks(place, texts)
        assert main(["library", "upgrade", "--library", place, "--quiet"]) == 0
        with Library(place) as library:
            assert library.stats().without_blocks == 0
            assert library.candidates_by_meaning(texts["long-7"])[0].name == "long-7"
        _still_checks(place, texts)


def _still_checks(place: str, texts: dict[str, str]) -> None:
    with Library(place) as library:
        assert len(library) == len(texts)
        asked = Document.from_text(texts["long-5"], "question")
        assert library.check(asked).shares.similar == 1
        assert library.verify() == ()


def test_a_full_disk_of_a_server_while_blocks_are_made(monkeypatch, tmp_path, own_cache):
    texts, more = long_texts(40), long_texts(10, 40)
    # A folder that the user of the server may enter, unlike those of pytest.
    with (
        tempfile.TemporaryDirectory(prefix="likewise-small-") as folder,
        own_disk(Path(folder, "disk"), 20) as disk,
        own_server(monkeypatch) as (server, data, _pid),
    ):
        Path(folder).chmod(0o755)
        url = make_url(server)
        (disk / "small").mkdir()
        os.chown(disk / "small", data.stat().st_uid, -1)
        on_server(url, f"CREATE TABLESPACE small LOCATION '{disk / 'small'}'")
        on_server(url, "CREATE DATABASE small TABLESPACE small")
        place = url.set(database="small").render_as_string(hide_password=False)
        with Library(place) as library:
            library.add_texts(texts)
        forget_blocks(place)
        with filled_up(disk), Library(place) as library:
            with pytest.raises(LibraryError, match="disk is full"):
                library.rebuild()
            with pytest.raises(LibraryError, match="disk is full"):
                library.add_texts(more)
            assert library.stats().without_blocks > 0
            _still_checks(place, texts)
        with Library(place) as library:
            library.rebuild()
            library.add_texts(more)
            assert library.stats().without_blocks == 0
            assert library.candidates_by_meaning(texts["long-7"])[0].name == "long-7"
        _still_checks(place, texts | more)


@contextmanager
def own_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Path, int]]:
    """A server to do harm to: its address, its folder, and its first process."""
    monkeypatch.delenv("LIKEWISE_TEST_POSTGRES", raising=False)
    try:
        with postgres_server() as url:
            place = url.render_as_string(hide_password=False)
            with Library(place) as library, library.store.reading() as connection:
                folder = Path(connection.execute(text("SHOW data_directory")).scalar_one())
            yield place, folder, int((folder / "postmaster.pid").read_text().splitlines()[0])
    except NoServer:
        pytest.skip("there is no server that may be harmed")


def limit_files(server: int, folder: Path, longest: str) -> None:
    """How long the files of a server may grow; as its own user, who needs no rights for that."""
    subprocess.run(
        ["prlimit", "--pid", str(server), f"--fsize={longest}:"],
        check=True,
        user=folder.stat().st_uid if os.geteuid() == 0 else None,
        cwd="/",
    )


def test_a_full_disk_of_a_server_loses_no_finished_document(monkeypatch, tmp_path, own_cache):
    files = tmp_path / "files"
    files.mkdir()
    for number in range(25):  # a few long words, which do not become shorter when packed
        letters = b64encode(random.Random(number).randbytes(750_000), b"ab").decode()
        words = (letters[i : i + 1000] for i in range(0, len(letters), 1000))
        (files / f"{number}.txt").write_text(" ".join(words), "utf-8")

    def add() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "likewise.cli", "add", files, "--library", place, "--quiet"],
            env=ENVIRONMENT | {"LIKEWISE_CACHE": str(own_cache)},
            capture_output=True,
            text=True,
        )

    with own_server(monkeypatch) as (place, folder, server):
        with Library(place) as library:
            library.add_texts({"first": RIVER})
        # Above the length of a file of the journal: those are never to grow.
        limit_files(server, folder, "17000000")
        ran = add()
        assert ran.returncode == 2, ran.stdout + ran.stderr
        assert "has no room for more; nothing half-written was kept" in ran.stderr
        assert "Traceback" not in ran.stderr
        with Library(place) as library:
            there = {entry.name for entry in library.list(limit=None).entries}
            assert "first" in there
            assert 1 < len(there) < 26, "what was finished before is there"
            assert library.check(Document.from_text(RIVER, "question")).shares.similar == 1
            assert library.verify() == ()
        limit_files(server, folder, "unlimited")
        assert add().returncode == 0
        with Library(place) as library:
            assert len(library) == 26
            assert library.verify() == ()


def test_a_backup_on_a_full_disk_leaves_nothing_behind(tmp_path, own_cache):
    with Library(tmp_path / "library.db") as library, small_disk(tmp_path / "disk") as limit:
        library.add_texts({"river": RIVER})
        library.set_value("long", os.urandom(1_000_000).hex())
        path = tmp_path / "disk" / "backup.db"
        if limit is None:
            with pytest.raises(LibraryError, match=r"disk is full|No space left"):
                back_up(library, path)
        assert list(path.parent.iterdir()) == []
        assert library.verify() == ()


READ_ONLY = """
import os, sys
from pathlib import Path
from likewise.cli import main
place, warm = sys.argv[1:]
for asked in (["add", f"{warm}/a.txt"], ["list"], ["check", f"{warm}/a.txt"]):
    main([*asked, "--library", f"{warm}/warm.db"])  # everything is loaded before we are nobody
if os.geteuid() == 0:
    os.setuid(65534)
sys.stdout.flush()
print("now", file=sys.stderr)
statuses = [
    main(["add", f"{warm}/a.txt", "--library", place]),
    main(["remove", "1", "--library", place]),
    main(["library", "rebuild", "--library", place]),
    main(["list", "--library", place]),
]
print(*statuses, file=sys.stderr)
"""


def test_a_read_only_file_is_told_and_stays_as_it_is():
    # A folder that others may enter, unlike those of pytest.
    with tempfile.TemporaryDirectory(prefix="likewise-read-only-") as folder:
        closed, warm = Path(folder, "closed"), Path(folder, "warm")
        for path in (closed, warm):
            path.mkdir()
        (warm / "a.txt").write_text(MARKET, "utf-8")
        place = closed / "library.db"
        with Library(place) as library:
            library.add_texts({"river": RIVER})
        before = place.read_bytes()
        modes = {place: 0o444, closed: 0o555, warm: 0o777, warm / "a.txt": 0o644}
        for path, mode in (modes | {Path(folder): 0o755}).items():
            path.chmod(mode)
        ran = subprocess.run(
            [sys.executable, "-c", READ_ONLY, place, warm],
            env=ENVIRONMENT | {"LIKEWISE_CACHE": f"{warm}/cache"},
            capture_output=True,
            text=True,
        )
        closed.chmod(0o755)
        _, _, told = ran.stderr.partition("now\n")
        assert place.read_bytes() == before
    *messages, statuses = told.splitlines()
    assert statuses.startswith("2 2 2"), ran.stderr
    for message in messages:
        assert "it may only be read" in message or "cannot be opened" in message


def test_a_library_opened_to_be_read_refuses_to_write(library, opened):
    library.add_texts({"river": RIVER})
    reading = opened(read_only=True)
    assert reading.check(Document.from_text(RIVER, "question")).shares.similar == 1
    for write in (
        lambda: reading.add_texts({"market": MARKET}),
        lambda: reading.remove(1),
        lambda: reading.set_value("a", "b"),
    ):
        with pytest.raises(LibraryError, match="may only be read"):
            write()
    assert len(library) == 1


def test_damaged_pages_are_told_and_a_backup_helps(tmp_path, own_cache):
    place = tmp_path / "library.db"
    with Library(place) as library:
        library.add(many(200))
        back_up(library, tmp_path / "backup.db")
    data = bytearray(place.read_bytes())
    for page in range(6, len(data) // 4096, 3):
        data[page * 4096 : page * 4096 + 4096] = os.urandom(4096)
    place.write_bytes(data)
    with pytest.raises(LibraryError, match="damaged"), Library(place) as library:
        for number in range(1, 201):
            library.get(number)
    try:
        with Library(place) as library:
            assert library.verify() != ()
    except LibraryError as problem:
        assert "damaged" in str(problem)
    with Library(tmp_path / "backup.db", read_only=True) as backup:
        assert backup.verify() == ()


def test_a_file_that_was_cut_is_told(tmp_path, own_cache):
    place = tmp_path / "library.db"
    with Library(place) as library:
        library.add(many(100))
    os.truncate(place, place.stat().st_size // 2)
    with pytest.raises(LibraryError, match="damaged"), Library(place) as library:
        library.list(limit=None)
        library.verify()


# Connections.


def terminate_all(place: str) -> None:
    url = make_url(place)
    on_server(
        url.set(database="postgres"),
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE datname = '{url.database}' AND pid <> pg_backend_pid()",
    )


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_lost_connection_loses_what_was_not_finished_and_no_more(library, place, monkeypatch):
    monkeypatch.setattr("likewise.library.add.MOST_DOCUMENTS", 10)

    def cut_in_the_middle() -> Iterator[Document]:
        for i, document in enumerate(many(40)):
            if i == 25:
                terminate_all(place)
            yield document

    with pytest.raises(LibraryError, match="the connection to the server was lost"):
        library.add(cut_in_the_middle())
    assert len(library) == 20, "what was finished is there, the rest was undone"
    with (
        pytest.raises(LibraryError, match="the connection to the server was lost"),
        library._store.writing() as (connection, _change),
    ):
        terminate_all(place)
        connection.execute(text("SELECT 1"))
    library.add(many(40))
    assert len(library) == 40
    assert library.verify() == ()


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_lost_connection_is_made_anew_for_who_only_asks(library, place):
    library.add_texts({"river": RIVER, "market": MARKET})
    for _ in range(3):
        assert [one.name for one in library.candidates(RIVER).ranked] == ["river"]
        terminate_all(place)
    library.candidates(RIVER)
    with library.store.writing() as (connection, _change):
        connection.execute(text("ALTER TABLE documents RENAME COLUMN name TO other"))
    with pytest.raises(LibraryError, match="does not exist"):
        library.candidates(RIVER)


def stop(pid: int, folder: Path) -> list[bytes]:
    """A fast shutdown; with what the server was started."""
    command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]
    os.kill(pid, signal.SIGINT)
    _wait_until(lambda: not (folder / "postmaster.pid").exists())
    return command


@contextmanager
def started(command: list[bytes], folder: Path, place: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server that was stopped, until it is stopped again."""
    with (folder.parent / "log").open("ab") as log:
        server = subprocess.Popen(
            command,
            cwd=folder.parent,
            user=folder.stat().st_uid if os.geteuid() == 0 else None,
            stdout=log,
            stderr=log,
        )
    try:
        _wait_until(lambda: _answers(place))
        yield server
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def test_a_server_that_stops_and_starts_again(monkeypatch, own_cache):
    with own_server(monkeypatch) as (place, folder, pid), Library(place) as library:
        library.add(many(20))
        command: list[bytes] = []

        def cut_in_the_middle() -> Iterator[Document]:
            yield from many(10, 20)
            command.extend(stop(pid, folder))
            yield from many(10, 30)

        with pytest.raises(LibraryError, match=r"connection to the server was lost|no server"):
            library.add(cut_in_the_middle())
        with pytest.raises(LibraryError, match=r"connection to the server was lost|no server"):
            library.list()
        with started(command, folder, place):
            assert len(library) == 20, "what was finished is there, the rest was undone"
            library.add(many(40))
            assert len(library) == 40
            assert library.verify() == ()
            library.close()


def test_a_server_that_crashes_and_recovers_by_itself(monkeypatch, own_cache):
    monkeypatch.setattr("likewise.library.add.MOST_DOCUMENTS", 10)
    texts = long_texts(20)
    with own_server(monkeypatch) as (server, _folder, _pid), Library(_durable(server)) as library:
        library.add_texts(texts)

        def crash_in_the_middle() -> Iterator[tuple[str, str]]:
            for i, item in enumerate(long_texts(40, 20).items()):
                if i == 15:
                    with library.store.reading() as connection:
                        worker = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
                    os.kill(worker, signal.SIGKILL)  # the server ends the others, and recovers
                yield item

        with pytest.raises(LibraryError, match=r"connection to the server was lost|try again in a"):
            library.add_texts(crash_in_the_middle())
        _wait_until(lambda: _answers(server))
        assert len(library) == 30, "what was finished is there, the rest was undone"
        assert library.candidates_by_meaning(texts["long-7"])[0].name == "long-7"
        assert library.verify() == ()
        library.add_texts(long_texts(60))
        assert len(library) == 60
        assert library.stats().without_blocks == 0
        assert library.verify() == ()


def _durable(server: str) -> str:
    """The address of a library whose finished documents are in the journal.

    Servers of tests tell sooner that something is finished than others do.
    """
    url = make_url(server).update_query_dict({"options": "-csynchronous_commit=on"})
    return url.render_as_string(hide_password=False)


def fill_journal(place: str, remaining: int) -> None:
    """Write to the journal of a server until its newest file has room for so many bytes."""
    engine = create_engine(place, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    room = text(
        "SELECT setting::bigint - (pg_walfile_name_offset(pg_current_wal_insert_lsn())).file_offset"
        " FROM pg_settings WHERE name = 'wal_segment_size'"
    )
    message = text("SELECT pg_logical_emit_message(false, 'ballast', repeat('x', 100000))")
    with engine.connect() as connection:
        while connection.execute(room).scalar_one() > remaining:
            connection.execute(message)


def test_a_full_journal_of_a_server_loses_no_finished_document(
    monkeypatch, tmp_path, own_cache, capfd
):
    texts = long_texts(20)
    file = tmp_path / "file.txt"
    file.write_text(texts["long-5"], "utf-8")
    # A folder that the user of the server may enter, unlike those of pytest.
    with (
        tempfile.TemporaryDirectory(prefix="likewise-small-") as small,
        own_disk(Path(small, "disk"), 64) as disk,
        own_server(monkeypatch) as (server, folder, pid),
    ):
        Path(small).chmod(0o755)
        place, command = _durable(server), stop(pid, folder)
        shutil.move(folder / "pg_wal", disk / "pg_wal")
        (folder / "pg_wal").symlink_to(disk / "pg_wal")
        for path in (disk / "pg_wal", *(disk / "pg_wal").rglob("*")):
            os.chown(path, folder.stat().st_uid, -1)
        command += [b"-cmax_wal_size=32MB", b"-cmin_wal_size=32MB"]
        with started(command, folder, place) as process, filled_up(disk):
            library = Library(place)
            library.add_texts(texts)
            fill_journal(place, 800_000)
            finished, first = dict(texts), len(texts)
            with pytest.raises(LibraryError, match="connection to the server was lost") as told:
                while first < 200:
                    batch = long_texts(10, first)
                    library.add_texts(batch)
                    finished, first = finished | batch, first + 10
            assert "what was not finished was undone" in str(told.value)
            assert len(finished) > len(texts), "some documents had room"
            process.wait(60)  # it cannot recover without a journal
            for asked in (["add", str(file)], ["check", str(file)], ["list"]):
                assert main([*asked, "--library", place]) == 2
                message = capfd.readouterr().err
                assert "no server answers there" in message
                assert "Traceback" not in message
        with started(command, folder, place):
            there = {entry.name for entry in library.list(limit=None).entries}
            assert there in (finished.keys(), finished.keys() | batch.keys()), "all or nothing"
            _still_checks(place, {name: (finished | batch)[name] for name in there})
            assert library.candidates_by_meaning(texts["long-7"])[0].name == "long-7"
            library.add_texts(long_texts(first + 10))
            assert library.stats().without_blocks == 0
            _still_checks(place, long_texts(first + 10))
            library.close()


def _answers(place: str) -> bool:
    try:
        Library(place).close()
    except LibraryError:
        return False
    return True


def _wait_until(holds: Callable[[], bool]) -> None:
    for _attempt in range(600):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("that takes too long")


# Versions.


def test_another_recipe_is_refused_until_a_rebuild(library, opened):
    library.add_texts({"river": RIVER, "market": MARKET})
    with library._store.writing() as (connection, _change):
        connection.execute(text("UPDATE recipes SET recipe = 'sketch0 ' || recipe"))
    other = opened()
    for use in (
        lambda: other.check(Document.from_text(RIVER, "question")),
        lambda: other.add_texts({"own": "Something else."}),
    ):
        with pytest.raises(WrongRecipe, match=r"sketch0.*likewise library rebuild"):
            use()
    assert len(other) == 2
    assert other.verify() == (), "texts are sound"
    assert other.rebuild() == 2
    assert other.check(Document.from_text(RIVER, "question")).shares.similar == 1
    assert other.verify() == ()


def test_a_library_of_a_newer_version_is_left_alone(tmp_path, own_cache, capfd):
    import sqlite3

    place = tmp_path / "library.db"
    with Library(place) as library:
        library.add_texts({"river": RIVER})
    with closing(sqlite3.connect(place)) as raw, raw:
        raw.execute("UPDATE likewise_version SET version_num = '99'")
    before = place.read_bytes()
    file = tmp_path / "x.txt"
    file.write_text(MARKET, "utf-8")
    for asked in (["list"], ["add", str(file)], ["library", "verify"], ["library", "upgrade"]):
        assert main([*asked, "--library", str(place)]) == 2
        said = capfd.readouterr().err
        assert "version 99" in said
        assert "install a newer Likewise" in said
    assert place.read_bytes() == before


def _disks_can_be_made() -> bool:
    with tempfile.TemporaryDirectory(prefix="likewise-mount-") as folder:
        try:
            with own_disk(Path(folder, "disk"), 1):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


if not _disks_can_be_made():
    # Without the right to mount, what is left to be tested are the limits of `small_disk`.
    del test_a_full_disk_of_a_server_while_blocks_are_made
    del test_a_full_journal_of_a_server_loses_no_finished_document
    del test_a_full_disk_while_an_upgrade_makes_blocks
    del test_no_room_for_the_index_of_concepts_and_checks_go_on
