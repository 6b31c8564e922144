"""How much one person may hold and ask for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert

from likewise.library import schema
from likewise.server.access import Caller
from likewise.server.accounts.people import person_named
from likewise.server.problems import Problem
from likewise.server.quotas import ensure_may_check
from likewise.server.site import Site, this_moment
from tests.server.handing_in import RIVER, STEPPE, added, hand_in, text, zipped

WorkOff = Callable[[], int]


def test_documents_are_counted_when_they_come_and_when_they_are_read(
    administrator: TestClient, teacher: TestClient, work_off: WorkOff
) -> None:
    administrator.patch("/settings", json={"most_documents": 3})
    added(teacher, work_off, {"a.txt": text(STEPPE)})
    many = {f"{n}.txt": text(f"{RIVER}{n} ") for n in range(3)}
    refused = hand_in(teacher, many)
    assert (refused.status_code, refused.json()["kind"]) == (403, "quota reached")
    assert refused.json()["details"] == {"what": "documents", "used": 1, "most": 3}
    outcome = added(teacher, work_off, {"all.zip": zipped(many)})
    assert [one["state"] for one in outcome["documents"]] == ["new", "new", "unread"]
    assert "more documents" in outcome["documents"][2]["reason"]
    usage = teacher.get("/usage").json()
    assert usage["documents"] == {"used": 3, "most": 3}


def test_a_person_may_have_more_than_others(
    administrator: TestClient, teacher: TestClient, work_off: WorkOff
) -> None:
    administrator.patch("/settings", json={"most_documents": 0})
    assert hand_in(teacher, {"a.txt": text(STEPPE)}).status_code == 403
    id = next(
        one["id"] for one in administrator.get("/users").json()["items"] if one["name"] == "aigul"
    )
    administrator.patch(f"/users/{id}", json={"most_documents": 5})
    assert hand_in(teacher, {"a.txt": text(STEPPE)}).status_code == 202
    work_off()
    assert administrator.get(f"/usage/{id}").json()["documents"] == {"used": 1, "most": 5}
    assert administrator.get("/usage/aigul").json()["name"] == "aigul"
    assert administrator.get("/usage/nobody").status_code == 404
    assert teacher.get("/usage/dean").status_code == 403


def test_bytes_that_wait_count_too(administrator: TestClient, teacher: TestClient) -> None:
    size = len(text(STEPPE))
    administrator.patch("/settings", json={"most_bytes": 2 * size})
    assert hand_in(teacher, {"a.txt": text(STEPPE)}).status_code == 202
    assert teacher.get("/usage").json()["bytes"] == {"used": size, "most": 2 * size}
    assert hand_in(teacher, {"b.txt": text(RIVER), "c.txt": text(STEPPE)}).status_code == 403


def test_checks_are_counted_by_the_day(site: Site, teacher: TestClient) -> None:
    with site.store.reading() as connection:
        person = person_named(connection, "aigul")
    assert person is not None
    caller = Caller(person.id, person.name, person.role, "")
    with site.store.beside() as connection:
        site.change_settings(connection, site.settings.model_copy(update={"most_checks_a_day": 2}))
    for n, age in enumerate((timedelta(hours=1), timedelta(days=2))):
        with site.store.beside() as connection:
            ensure_may_check(connection, site, caller)
            connection.execute(
                insert(schema.server.checks).values(
                    id=f"c{n}",
                    user_id=person.id,
                    name="a",
                    request="{}",
                    made_on=this_moment() - age,
                    is_shared=False,
                )
            )
    assert teacher.get("/usage").json()["checks_a_day"] == {"used": 1, "most": 2}
    with site.store.beside() as connection:
        ensure_may_check(connection, site, caller)
        with pytest.raises(Problem, match="checks a day"):
            ensure_may_check(connection, site, caller, 2)
