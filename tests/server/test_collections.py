"""Collections: private by default, shared when asked, and never told of to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.server.conftest import LogIn
from tests.server.handing_in import RIVER, add_one, hand_in, text

WorkOff = Callable[[], int]


@pytest.fixture
def other(log_in: LogIn) -> TestClient:
    return log_in("bota")


def made(client: TestClient, name: str, **given: Any) -> dict[str, Any]:
    answer = client.post("/collections", json={"name": name, **given})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def listed(client: TestClient) -> dict[str, dict[str, Any]]:
    answer = client.get("/collections")
    assert answer.status_code == 200, answer.text
    return {one["id"]: one for one in answer.json()["items"]}


def test_the_library_of_all_is_always_there(teacher: TestClient, work_off: WorkOff) -> None:
    add_one(teacher, work_off)
    (one,) = listed(teacher).values()
    assert (one["id"], one["documents"], one["may_add"]) == ("library", 1, True)
    assert teacher.get("/collections/library").json()["words"] > 0
    assert teacher.patch("/collections/library", json={"name": "x"}).status_code == 403
    assert teacher.delete("/collections/library").status_code == 403


def test_a_collection_is_private_until_it_is_shared(
    teacher: TestClient, other: TestClient, work_off: WorkOff
) -> None:
    id = made(teacher, "Diplomas")["id"]
    number = add_one(teacher, work_off, collection=id)
    path = f"/collections/{id}"
    assert id not in listed(other)
    assert other.get(path).status_code == 404
    assert other.patch(path, json={"name": "mine now"}).status_code == 404
    assert other.delete(path).status_code == 404
    assert hand_in(other, {"a.txt": text(RIVER)}, collection=id).status_code == 404
    assert other.get("/documents", params={"collection": id}).status_code == 404
    assert teacher.patch(path, json={"is_shared": True}).json()["is_shared"]
    shared = listed(other)[id]
    assert (shared["name"], shared["documents"], shared["may_add"]) == ("Diplomas", 1, False)
    assert other.get(f"/documents/{number}").status_code == 200
    assert other.patch(path, json={"name": "mine now"}).status_code == 403
    assert other.delete(path, params={"with_documents": True}).status_code == 403
    assert hand_in(other, {"a.txt": text(RIVER)}, collection=id).status_code == 403
    teacher.patch(path, json={"is_shared": False})
    assert other.get(f"/documents/{number}").status_code == 404


def test_a_collection_is_renamed(teacher: TestClient) -> None:
    id = made(teacher, "Diplomas", about="of this year")["id"]
    answer = teacher.patch(f"/collections/{id}", json={"name": "<b>Theses</b>", "about": ""})
    assert (answer.json()["name"], answer.json()["about"]) == ("<b>Theses</b>", "")
    for bad in ({"name": ""}, {"name": "a\u202eb"}, {"owner": "bota"}, {"id": "library"}):
        assert teacher.patch(f"/collections/{id}", json=bad).status_code == 422


def test_documents_are_removed_with_their_collection_when_asked(
    teacher: TestClient, work_off: WorkOff
) -> None:
    id = made(teacher, "Diplomas")["id"]
    number = add_one(teacher, work_off, collection=id)
    refused = teacher.delete(f"/collections/{id}")
    assert (refused.status_code, refused.json()["details"]["documents"]) == (409, 1)
    answer = teacher.delete(f"/collections/{id}", params={"with_documents": True})
    assert answer.json() == {"documents": 1}
    assert teacher.get(f"/documents/{number}").status_code == 404
    assert id not in listed(teacher)


def test_an_administrator_sees_that_there_is_something_and_no_more(
    teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    id = made(teacher, "Wormwood", about="secret")["id"]
    number = add_one(teacher, work_off, collection=id)
    one = listed(administrator)[id]
    assert (one["name"], one["about"], one["owner"], one["documents"]) == (None, None, "aigul", 1)
    assert not (one["may_read"] or one["may_change"] or one["may_add"])
    assert administrator.get(f"/collections/{id}").json()["bytes"] > 0
    assert administrator.patch(f"/collections/{id}", json={"is_shared": True}).status_code == 404
    assert administrator.get(f"/documents/{number}").status_code == 404
    assert administrator.get("/documents", params={"collection": id}).status_code == 404
    assert hand_in(administrator, {"a.txt": text(RIVER)}, collection=id).status_code == 404
    gone = administrator.delete(f"/collections/{id}", params={"with_documents": True})
    assert gone.json() == {"documents": 1}
    lines = administrator.get("/audit").json()["items"]
    assert "collection removed" in {line["act"] for line in lines}
    assert "Wormwood" not in str(lines)


def test_an_administrator_changes_what_is_shared(
    teacher: TestClient, administrator: TestClient
) -> None:
    id = made(teacher, "Theses", is_shared=True)["id"]
    answer = administrator.patch(f"/collections/{id}", json={"name": "All theses"})
    assert answer.json()["name"] == "All theses"
    assert hand_in(administrator, {"a.txt": text(RIVER)}, collection=id).status_code == 202


def test_the_owner_decides_about_all_documents_of_a_collection(
    teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    id = made(teacher, "Theses", is_shared=True)["id"]
    number = add_one(administrator, work_off, collection=id)
    assert teacher.patch(f"/documents/{number}", json={"type": "thesis"}).status_code == 200
    assert teacher.delete(f"/documents/{number}").json()["documents"] == 1
