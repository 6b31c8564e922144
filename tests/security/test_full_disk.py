"""A disk that is full to the last byte: people still get in, see why, and make room."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.server.handing_in import RIVER, STEPPE, text
from tests.server.serving import START

PASSWORD = "wormwood after rain"
MAKE = """
import sys
from likewise.library import Library
from likewise.server.people.users import add_person
from likewise.server.context import ServerContext
with Library(sys.argv[2]) as library:
    add_person(ServerContext(library), "dean", PASSWORD, role="administrator")
    library.add_texts([("essay", RIVER * 50)], owner="dean")
""".replace("PASSWORD", repr(PASSWORD)).replace("RIVER", repr(RIVER))


@contextmanager
def serving_on_small_disk(folder: Path, megabytes: int) -> Iterator[tuple[str, Path]]:
    """The address of a server whose library is on a disk of its own, and the way to that disk."""
    disk = folder / "disk"
    disk.mkdir()
    own = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "-r", "--mount"]
    script = f'mount -t tmpfs -o size={megabytes}m tmpfs {disk} && exec "$@"'
    program = MAKE + START.format(verb="serve")
    options = ["--library", str(disk / "campus.db"), "--port", "0", "--workers", "0"]
    process = subprocess.Popen(
        [*own, "sh", "-c", script, "sh", sys.executable, "-c", program, *options, "--no-browser"],
        env=os.environ | {"XDG_CACHE_HOME": str(folder / "cache")},
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        said = ""
        while "Ctrl-C" not in said:
            said = process.stdout.readline()
            assert said, "it ended before it was ready"
        address = re.search(r"http://[\d.:]+", said)
        assert address is not None
        yield f"{address[0]}/api/v1", Path(f"/proc/{process.pid}/root{disk}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def fill(disk: Path) -> None:
    with (disk / "filler").open("ab", buffering=0) as file:
        for size in (1_000_000, 4_096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def test_on_a_full_disk_an_administrator_logs_in_sees_why_and_makes_room(tmp_path: Path) -> None:
    with (
        serving_on_small_disk(tmp_path, 48) as (address, disk),
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        assert (disk / "campus.db.reserve").stat().st_mode & 0o077 == 0
        fill(disk)
        assert os.statvfs(disk).f_bavail == 0
        logged_in = client.post("/token", json={"name": "dean", "password": PASSWORD})
        assert logged_in.status_code == 200, logged_in.text
        assert not (disk / "campus.db.reserve").exists()
        client.headers["Authorization"] = f"Bearer {logged_in.json()['access_token']}"
        details = client.get("/health/details").json()
        (library,) = (one for one in details["disks"] if "library" in one["holds"])
        assert library["free_bytes"] < 17_000_000
        # Nobody else eats what was left for this.
        fill_with = {"file": ("a.txt", text(STEPPE))}
        refused = client.post("/documents", files=fill_with)
        assert (refused.status_code, refused.json()["kind"]) == (507, "out of room")
        (one,) = client.get("/documents").json()["items"]
        assert client.delete(f"/documents/{one['id']}").status_code == 200
        # A wrong password is counted, and an ended session stays ended, as on any other day.
        wrong = client.post("/token", json={"name": "dean", "password": "wrong one"})
        assert wrong.status_code == 401
        assert client.post("/token/end").status_code == 204
        assert client.get("/health/details").status_code == 401
        (disk / "filler").unlink()
        again = client.post("/token", json={"name": "dean", "password": PASSWORD})
        client.headers["Authorization"] = f"Bearer {again.json()['access_token']}"
        assert client.post("/documents", files=fill_with).status_code == 202
