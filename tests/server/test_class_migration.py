"""Classes of before there were courses become assignments, and nothing of them is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import MetaData, insert, select

from likewise.library import Library, upgrade
from likewise.library.engine import address_of, engine_at
from likewise.library.versions import VERSION_TABLE, upgrade_tables
from likewise.server.app import API, make_app
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.people.users import add_person
from likewise.server.workers.worker import work_off
from tests.library.texts import invented
from tests.server.checking import MARKET, RIVER, post, zipped
from tests.server.conftest import PASSWORD
from tests.server.teaching import handed_in, moodle, of, sources_of, submissions


def essay(seed: int, *more: str) -> str:
    return "\n\n".join((invented(60, seed=seed), *more))


class Server:
    """A server on some library, and the people who call it."""

    def __init__(self, place: str) -> None:
        self._library = Library(place)
        self.context = ServerContext(self._library, Config(workers=0))
        self._app = make_app(self.context)

    def log_in(self, name: str) -> TestClient:
        add_person(self.context, name, PASSWORD, role="teacher", or_keep=True)
        client = TestClient(self._app, base_url=f"http://testserver{API}")
        token = client.post("/token", json={"name": name, "password": PASSWORD}).json()
        client.headers["Authorization"] = f"Bearer {token['access_token']}"
        return client

    def work_off(self) -> int:
        return work_off(self.context)

    def close(self) -> None:
        self._library.close()


@pytest.fixture
def serve() -> Iterator[Callable[[str], Server]]:
    servers: list[Server] = []

    def served(place: str) -> Server:
        servers.append(Server(place))
        return servers[-1]

    yield served
    for server in servers:
        server.close()


def make_classes(server: Server) -> dict[str, Any]:
    """Two classes of one teacher with decisions, one of another that failed, and their reports."""
    teacher, other = server.log_in("aigul"), server.log_in("bolat")
    archive = zipped(
        {
            moodle("Asel Nur", 701): essay(1, RIVER),
            moodle("Dana Lee", 702): essay(2, RIVER),
            moodle("Dana Lee", 702, "appendix.txt"): essay(3),
            moodle("Omar", 703, "broken.pdf"): "%PDF-1.7 broken",
        }
    )
    first = post(teacher, "/batches", {"class.zip": archive}, name="Class 4").json()["id"]
    second = post(teacher, "/batches", {"a.txt": essay(4), "b.txt": essay(5)}).json()["id"]
    server.work_off()
    post(other, "/batches", {"broken.pdf": "%PDF-1.7 broken"})
    server.work_off()
    (check, *_) = teacher.get(f"/batches/{first}/checks").json()["items"]
    source = sources_of(teacher, {"check": check["id"]})[0]
    reason = {"source": source, "reason": "they were told to quote it"}
    assert teacher.post(f"/checks/{check['id']}/exclusions", json=reason).status_code == 201
    return {
        "first": first,
        "second": second,
        "csv": teacher.get(f"/batches/{first}/report?format=csv").text,
        "checks": teacher.get(f"/batches/{first}/checks").json()["items"],
        "check": teacher.get(f"/checks/{check['id']}").json(),
    }


def bring_back_to_version_6(source: str, target: str) -> None:
    """The same people, classes and decisions in the tables of before there were courses."""
    there, here = engine_at(address_of(source)), engine_at(address_of(target))
    try:
        upgrade_tables(here, to="6")
        tables, old = MetaData(), MetaData()
        tables.reflect(there)
        old.reflect(here)
        with there.connect() as reading, here.begin() as writing:
            for table in old.sorted_tables:
                if table.name == VERSION_TABLE:
                    continue
                now = tables.tables[table.name].c
                query = select(*(now[column.name] for column in table.c))
                rows = [dict(row) for row in reading.execute(query).mappings()]
                if rows:
                    writing.execute(insert(table), rows)
    finally:
        there.dispose()
        here.dispose()


@pytest.fixture
def moved(
    place: str, tmp_path: Path, own_cache: Path, serve: Callable[[str], Server]
) -> tuple[Server, dict[str, Any]]:
    """Classes that were made by version 6, on a server of today."""
    source = str(tmp_path / "today.db")
    before = make_classes(serve(source))
    bring_back_to_version_6(source, place)
    upgrade(place)
    return serve(place), before


def test_each_class_becomes_an_assignment_of_a_course_of_its_owner(
    moved: tuple[Server, dict[str, Any]],
) -> None:
    server, before = moved
    teacher = server.log_in("aigul")
    (course,) = teacher.get("/courses").json()["items"]
    assert (course["name"], course["standing"]) == ("Earlier classes", "teacher")
    listed = teacher.get(f"/courses/{course['id']}/assignments").json()["items"]
    assert {one["batch"] for one in listed} == {before["first"], before["second"]}
    assert {one["name"] for one in listed} == {"Class 4", "a.txt"}
    assert server.log_in("bolat").get("/courses").json()["total"] == 0  # nothing came of it


def test_students_files_checks_and_decisions_are_those_of_the_class(
    moved: tuple[Server, dict[str, Any]],
) -> None:
    server, before = moved
    teacher = server.log_in("aigul")
    listed = teacher.get("/assignments").json()["items"]
    (assignment,) = [one["id"] for one in listed if one["batch"] == before["first"]]
    found = submissions(teacher, assignment)
    assert [(one["student"], one["name"], one["state"]) for one in found] == [
        ("Asel Nur", "essay.txt", "checked"),
        ("Dana Lee", "appendix.txt", "checked"),
        ("Dana Lee", "essay.txt", "checked"),
        ("Omar", "broken.pdf", "unread"),
    ]
    assert found[1]["number"] == found[2]["number"]
    assert {one["check"] for one in found[:3]} == {check["id"] for check in before["checks"]}
    assert of(found, "Omar")["receipt"]["unread"]["key"].startswith("reading.")
    batch = before["first"]
    assert teacher.get(f"/batches/{batch}/report?format=csv").text == before["csv"]
    check = teacher.get(f"/checks/{before['check']['id']}").json()
    assert check["exclusions"] == before["check"]["exclusions"]
    assert check["summary"] == before["check"]["summary"]
    detail = teacher.get(f"/assignments/{assignment}").json()
    assert (detail["counts"]["students"], detail["counts"]["unread"]) == (3, 1)
    assert detail["rules"]["student_report"] == "never"


def test_such_an_assignment_goes_on(moved: tuple[Server, dict[str, Any]]) -> None:
    server, before = moved
    teacher = server.log_in("aigul")
    listed = teacher.get("/assignments").json()["items"]
    (assignment,) = [one["id"] for one in listed if one["batch"] == before["first"]]
    known = {one["check"] for one in submissions(teacher, assignment)}
    more = {moodle("Asel Nur", 701): essay(1, RIVER), moodle("Serik", 704): essay(6, RIVER)}
    server.context.library.rebuild()
    handed_in(teacher, assignment, {"more.zip": zipped(more)}, server.work_off)
    found = submissions(teacher, assignment)
    assert len(found) == 5 and {one["check"] for one in found} > known
    names = sorted(name.split("_")[0] for name in sources_of(teacher, of(found, "Serik")))
    assert names and set(names) <= {"Asel Nur", "Dana Lee"}
    again = {moodle("Dana Lee", 702): essay(2, MARKET)}
    handed_in(teacher, assignment, {"again.zip": zipped(again)}, server.work_off)
    dana = [one for one in submissions(teacher, assignment) if one["student"] == "Dana Lee"]
    assert [(one["attempt"], one["name"]) for one in dana] == [(2, "essay.txt")]


def test_clients_of_before_still_check_classes(moved: tuple[Server, dict[str, Any]]) -> None:
    server, before = moved
    teacher = server.log_in("aigul")
    server.context.library.rebuild()
    batch = post(teacher, "/batches", {"a.txt": essay(7), "b.txt": essay(8)}).json()["id"]
    server.work_off()
    assert teacher.get(f"/batches/{batch}").json()["state"] == "done"
    assert teacher.get("/batches").json()["total"] == 3
    assert teacher.delete(f"/batches/{before['second']}").status_code == 204
    assert teacher.get("/batches").json()["total"] == 2
