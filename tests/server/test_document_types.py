"""Document types: administrators decide, documents follow."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fastapi.testclient import TestClient

from tests.server.handing_in import RIVER, add_one, text

WorkOff = Callable[[], int]


def types(client: TestClient) -> list[tuple[str, int]]:
    return [
        (one["name"], one["documents"]) for one in client.get("/document-types").json()["items"]
    ]


def test_types_are_added_ordered_renamed_and_removed(
    administrator: TestClient, teacher: TestClient, work_off: WorkOff
) -> None:
    for name in ("essay", "diploma", "article"):
        assert administrator.post("/document-types", json={"name": name}).status_code == 201
    assert administrator.post("/document-types", json={"name": "essay"}).status_code == 409
    number = add_one(teacher, work_off, metadata={"type": "essay"})
    secret = teacher.post("/collections", json={"name": "secret"}).json()["id"]
    hidden = add_one(
        teacher, work_off, "b.txt", text(RIVER), metadata={"type": "essay"}, collection=secret
    )
    assert types(teacher) == [("essay", 2), ("diploma", 0), ("article", 0)]
    assert types(administrator)[0] == ("essay", 1)
    order: dict[str, Any] = {"names": ["article", "essay", "diploma"]}
    assert administrator.put("/document-types", json=order).status_code == 200
    assert [name for name, _ in types(teacher)] == order["names"]
    assert administrator.put("/document-types", json={"names": ["essay"]}).status_code == 409
    renamed = administrator.patch("/document-types/essay", json={"name": "short essay"})
    assert renamed.json() == {"documents": 2}
    assert teacher.get(f"/documents/{number}").json()["type"] == "short essay"
    assert administrator.delete("/document-types/short essay").status_code == 409
    gone = administrator.delete("/document-types/short essay", params={"even_in_use": True})
    assert gone.json() == {"documents": 2}
    assert teacher.get(f"/documents/{hidden}").json()["type"] is None
    assert administrator.delete("/document-types/diploma").json() == {"documents": 0}
    assert administrator.delete("/document-types/diploma").status_code == 404
    assert administrator.patch("/document-types/none", json={"name": "x"}).status_code == 404
    acts = {one["act"] for one in administrator.get("/audit").json()["items"]}
    assert {"document type added", "document type renamed", "document type removed"} <= acts


def test_teachers_only_look(teacher: TestClient) -> None:
    assert teacher.get("/document-types").json() == {"items": [], "total": 0}
    assert teacher.post("/document-types", json={"name": "x"}).status_code == 403
    assert teacher.put("/document-types", json={"names": []}).status_code == 403
    assert teacher.patch("/document-types/x", json={"name": "y"}).status_code == 403
    assert teacher.delete("/document-types/x").status_code == 403


def test_one_of_many_who_add_the_same_type_at_once_adds_it(administrator: TestClient) -> None:
    def add(_: int) -> int:
        return administrator.post("/document-types", json={"name": "diploma"}).status_code

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(add, range(8)))
    assert sorted(answers) == [201, *[409] * 7]
    assert types(administrator) == [("diploma", 0)]
