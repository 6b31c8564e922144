"""The wheel as a service user has it: a bare number without home, in an environment of root's.

The wheel of the last commit is installed into a new environment that the user may read and not
write; HOME is unset, the umask is 077, and but for one folder nothing may be written. Every command
is run, every test document is read and compared with what root reads, and a server is set up, used
and backed up. In the end the disk is searched for anything else that the user has left behind.

    python -m bench.attacks.wheel [--fresh]

`--fresh` installs the dependencies by their hashes; else those of the present environment are lent.
Needs root, because it becomes somebody else.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from bench.attacks.service_user import UID, Failed, Service, installed
from bench.corpus import say
from bench.record import RESULTS, keep

FORMATS = ("html", "pdf", "docx", "json", "csv")
PATIENCE_SECONDS = 300.0
PASSWORDS = ("wormwood after rain", "seven camels at the ford")
READ_ALL = """
import hashlib, json, pathlib, sys
from likewise.errors import LikewiseError
from likewise.reading import read
told = {}
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*")):
    if path.is_file():
        try:
            text = read(path, cache=False).text
            found = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        except LikewiseError as error:
            found = type(error).__name__
        told[str(path.relative_to(sys.argv[1]))] = found
print(json.dumps(told))
"""


# What is tried. Each part is a name and what it does; what fails raises.

Part = tuple[str, Callable[[], object]]


def commands(service: Service) -> Iterator[Part]:
    """The command line on files."""
    run, examples, state = service.run, service.folder / "examples", service.state
    essay, archive = examples / "essays" / "nora-printing.txt", examples / "archive"
    homes = {"no home": {}, "home that is not there": {"HOME": "/nonexistent"}}
    homes["home that may not be written"] = {"HOME": "/"}
    for name, home in homes.items():
        without_cache: dict[str, Any] = {"LIKEWISE_CACHE": "", **home}
        yield f"doctor, {name}", partial(run, "doctor", **without_cache)
        document = service.files / "essays" / "en"
        path = next(document.glob("*.pdf"))
        yield f"read, {name}", partial(run, "read", path, **without_cache)
        yield (
            f"add to a library that nobody named, {name}: refused with a sentence",
            partial(run, "add", archive, status=2, **without_cache),
        )
    yield "licences", lambda: run("--licences")
    yield "doctor --json", lambda: _nothing_missing(run("doctor", "--json"))
    seen = set()
    for path in sorted(service.files.rglob("*")):
        kind = path.suffix.lower()
        if path.is_file() and kind not in seen and not {"broken", "misnamed"} & set(path.parts):
            seen.add(kind)
            if kind not in (".keep", ".zip"):
                yield f"read {kind}", partial(run, "read", path)
    yield "find", lambda: run("find", examples / "essays", "--threshold", "0.2")
    yield "cross", lambda: run("cross", examples / "essays", archive, "--threshold", "0.2")
    yield "compare", lambda: run("compare", essay, archive / "oliver-printing.txt")
    yield "tables", lambda: run("tables", service.files / "essays" / "en")
    for kind in FORMATS:
        report = state / f"report.{kind}"
        yield (
            f"check --report .{kind}",
            partial(_check_with_report, service, essay, archive, report),
        )
    yield "dedup", lambda: run("dedup", _corpus(service), "--output", state / "clean")


def libraries(service: Service) -> Iterator[Part]:
    """A library in a file, its copies, and who administers it."""
    place, state = ("--library", service.library), service.state
    examples, copy = service.folder / "examples", state / "monday.db"
    run = service.run
    yield "add", lambda: run("add", examples / "archive", *place)
    yield "list", lambda: run("list", *place)
    essay = examples / "essays" / "nora-printing.txt"
    yield "check --library", lambda: run("check", essay, *place)
    yield "library stats", lambda: run("library", "stats", *place)
    yield "library verify", lambda: run("library", "verify", *place)
    yield "library backup", lambda: _made(copy, run("library", "backup", copy, *place))
    yield "library restore", lambda: run("library", "restore", copy, "--yes", *place)
    other = state / "other.db"
    yield "library copy-to", lambda: _made(other, run("library", "copy-to", other, *place))
    secret, prints = state / "secret.key", state / "ours.lwf"
    yield "library key", lambda: _made(secret, run("library", "key", secret))
    exporting = ("library", "export", "--fingerprints", prints, "--key-file", secret, *place)
    yield "library export", lambda: _made(prints, run(*exporting))
    yield "files are for their owner alone", lambda: _private(state)


def administration(service: Service) -> Iterator[Part]:
    """After the server's first start: people by the command line."""
    place, run = ("--library", service.library), service.run
    yield "admin create", lambda: run("admin", "create", "dean", *place, given=PASSWORDS[0])
    yield "admin list", lambda: run("admin", "list", *place)
    yield "admin reset", lambda: run("admin", "reset", "dean", *place, given=PASSWORDS[1])
    yield "admin unlock", lambda: run("admin", "unlock", "dean", *place)
    yield "library verify, after the server", lambda: run("library", "verify", *place)


def server(service: Service) -> Iterator[Part]:
    """Set up, log in, hand in, check, and take the report home."""
    place, files = ("--library", service.library), service.files / "essays" / "en"
    quiet = {"LIKEWISE_LOG_LEVEL": "warning"}
    options = ("serve", *place, "--port", 0, "--no-browser")
    with service.started(*options, "--workers", 1, **quiet) as (_process, said):
        address = re.search(r"http://[\d.:]+", said)
        assert address is not None
        with httpx.Client(base_url=address[0], timeout=120) as client:
            yield "serve: the page", lambda: _answered(client.get("/"), "<!doctype html>")
            yield "serve: licences", lambda: _answered(client.get("/licences.json"), "@vue/")
            yield "serve: health", lambda: _answered(client.get("/api/v1/health"), "ok")
            yield "first administrator", lambda: _set_up(client, service.state)
            yield "log in", lambda: _log_in(client, "administrator", PASSWORDS[1])
            yield "upload", lambda: _job(client, "/documents", next(files.glob("*.docx")))
            check: dict[str, Any] = {}
            essay = next(files.glob("*.odt"))
            yield "check", lambda: check.update(_job(client, "/checks", essay))
            for kind in FORMATS:
                yield (
                    f"report .{kind}",
                    partial(_download_report, client, check, kind),
                )
            scan = next(files.glob("*-scan.pdf"))
            yield "check of a scan", lambda: _job(client, "/checks", scan)
            copy = service.state / "while-serving.db"
            command = ("library", "backup", copy, *place)
            yield "backup while it serves", lambda: _made(copy, service.run(*command))
    with (
        service.started(*options, "--workers", 0, **quiet) as (_process, said),
        service.started("worker", *place, **quiet),
    ):
        address = re.search(r"http://[\d.:]+", said)
        assert address is not None
        with httpx.Client(base_url=address[0], timeout=120) as client:
            yield "log in again", lambda: _log_in(client, "administrator", PASSWORDS[1])
            essay = next(files.glob("*.rtf"))
            yield "worker: check", lambda: _job(client, "/checks", essay)


def everything_read(service: Service) -> Iterator[Part]:
    """Every test document gives the user what it gives root."""

    def compared() -> None:
        mine = json.loads(service.script(READ_ALL, service.files))
        roots = json.loads(service.script(READ_ALL, service.files, uid=0))
        other = [name for name, found in mine.items() if roots[name] != found]
        if other:
            raise Failed(f"{len(other)} of {len(mine)} differ from what root reads: {other[:5]}")
        say(f"  {len(mine)} documents were read")

    yield "every test document, as root reads it", compared


def leftovers(service: Service) -> Iterator[Part]:
    """Nothing was written but where it was allowed."""

    def searched() -> None:
        found = subprocess.run(
            ["find", "/", "-xdev", "-user", str(UID), "-not", "-path", f"{service.folder}/*"],
            capture_output=True,
            text=True,
        ).stdout.split()
        shared = Path("/dev/shm")
        found += [str(path) for path in shared.glob("*") if path.stat().st_uid == UID]
        if found:
            raise Failed(f"left behind: {found[:5]}")
        if left := list((service.folder / "tmp").iterdir()):
            raise Failed(f"left in the temporary folder: {[path.name for path in left[:5]]}")

    yield "nothing is left behind elsewhere", searched


def _nothing_missing(told: str) -> None:
    findings = json.loads(told)["findings"]
    missing = [finding["name"] for finding in findings if finding["state"] != "ok"]
    if missing:
        raise Failed(f"doctor misses {missing}")


def _made(path: Path, _said: str) -> None:
    if not path.is_file() or not path.stat().st_size:
        raise Failed(f"{path.name} was not written")


def _check_with_report(service: Service, essay: Path, archive: Path, report: Path) -> None:
    _made(report, service.run("check", essay, "--against", archive, "--report", report))


def _private(folder: Path) -> None:
    open_to_others = [path.name for path in folder.rglob("*") if path.stat().st_mode & 0o077]
    if open_to_others:
        raise Failed(f"others may open {open_to_others[:5]}")


def _corpus(service: Service) -> Path:
    path = service.folder / "corpus.jsonl"
    texts = [each.read_text("utf-8") for each in (service.folder / "examples").rglob("*.txt")]
    path.write_text(
        "".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts)), "utf-8"
    )
    path.chmod(0o644)
    return path


def _answered(answer: httpx.Response, words: str = "") -> httpx.Response:
    if answer.status_code >= 300 or words not in answer.text:
        raise Failed(f"{answer.url.path} answers {answer.status_code}: {answer.text[:300]}")
    return answer


def _download_report(client: httpx.Client, check: Mapping[str, Any], kind: str) -> None:
    _answered(client.get(f"/api/v1/checks/{check['id']}/report?format={kind}"))


def _set_up(client: httpx.Client, state: Path) -> None:
    """The first password is in a file for the user alone, and is changed."""
    file = next(state.glob("first-administrator-password*.txt"))
    if file.stat().st_mode & 0o077 or file.stat().st_uid != UID:
        raise Failed("others may read the first password")
    password = re.search(r"^password: (.+)$", file.read_text("utf-8"), re.MULTILINE)
    assert password is not None
    _log_in(client, "administrator", password[1])
    new = {"old": password[1], "new": PASSWORDS[1]}
    _answered(client.post("/api/v1/me/password", json=new))
    if file.exists():
        raise Failed("the file of the first password is still there")


def _log_in(client: httpx.Client, name: str, password: str) -> None:
    asked = {"name": name, "password": password}
    token = _answered(client.post("/api/v1/token", json=asked)).json()["access_token"]
    client.headers["Authorization"] = f"Bearer {token}"


def _job(client: httpx.Client, path: str, file: Path) -> dict[str, Any]:
    """Hand a file in and wait for the end of its job."""
    answer = client.post(f"/api/v1{path}", files=[("file", (file.name, file.read_bytes()))])
    told: dict[str, Any] = _answered(answer).json()
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        job = _answered(client.get(f"/api/v1/jobs/{told['job']}")).json()
        if job["state"] == "done":
            return told
        if job["state"] in ("failed", "cancelled"):
            raise Failed(f"the job {job['state']}: {job}")
        time.sleep(0.2)
    raise Failed(f"the job has not ended within {PATIENCE_SECONDS:.0f} s")


PARTS = {
    "commands": commands,
    "libraries": libraries,
    "server": server,
    "administration": administration,
    "reading": everything_read,
    "leftovers": leftovers,
}


def run(wheel: str = "", fresh: bool = False) -> dict[str, Any]:
    """Try everything; a row for each part, with what failed."""
    if os.geteuid():
        raise SystemExit("needs root, because it becomes somebody else")
    rows = []
    with tempfile.TemporaryDirectory(prefix="likewise-service-") as name:
        folder = Path(name)
        service = installed(folder, Path(wheel).absolute() if wheel else None, fresh)
        for part, tried in PARTS.items():
            failures: list[str] = []
            attempts = 0
            try:
                for what, act in tried(service):
                    attempts += 1
                    if (problem := _tried(act)) is not None:
                        failures.append(f"{what}: {problem.replace(name, 'FOLDER')}")
                    say(
                        f"  {'FAILED' if problem else 'ok':8}{what}{': ' if problem else ''}"
                        f"{problem or ''}"
                    )
            except (Failed, AssertionError, OSError) as error:
                attempts += 1
                failures.append(f"{type(error).__name__}: {error}".replace(name, "FOLDER"))
                say(f"  FAILED  {failures[-1]}")
            row = {"attack": f"service user: {part}", "attempts": attempts}
            rows.append(row | {"got_through": len(failures), "failures": failures})
    return {"rows": rows, "dependencies": "by hashes" if fresh else "lent"}


def _tried(act: Callable[[], object]) -> str | None:
    try:
        act()
    except (Failed, AssertionError, OSError, LookupError, httpx.HTTPError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def main() -> int:
    """Try everything, print a table, keep the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.attacks.wheel", description=__doc__)
    parser.add_argument("--wheel", default="", help="a wheel; else one of the last commit")
    parser.add_argument("--fresh", action="store_true", help="install dependencies by their hashes")
    parser.add_argument("--output", type=Path, default=RESULTS / "attacks.json")
    arguments = parser.parse_args()
    figures = run(arguments.wheel, arguments.fresh)
    print(f"\n{'as a service user':40}{'tried':>8}{'failed':>8}")
    for row in figures["rows"]:
        print(f"{row['attack']:40}{row['attempts']:8}{row['got_through']:8}")
    command = f"python -m bench.attacks.wheel{' --fresh' if arguments.fresh else ''}"
    keep(arguments.output, "wheel", command, figures)
    return int(any(row["got_through"] for row in figures["rows"]))


if __name__ == "__main__":
    sys.exit(main())
