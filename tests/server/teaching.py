"""Courses, assignments and what is handed in, for the tests about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi.testclient import TestClient

from tests.server.checking import post


def made_course(client: TestClient, name: str = "History of the steppe", **more: Any) -> str:
    answer = client.post("/courses", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    id: str = answer.json()["id"]
    return id


def made_assignment(client: TestClient, course: str, name: str = "Essay 1", **more: Any) -> str:
    answer = client.post(f"/courses/{course}/assignments", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    id: str = answer.json()["id"]
    return id


def join(client: TestClient, course: str, role: str, *names: str) -> None:
    members = [{"user_name": name, "role": role} for name in names]
    answer = client.post(f"/courses/{course}/members", json={"members": members})
    assert answer.status_code == 201, answer.text


def handed_in(
    client: TestClient,
    assignment: str,
    files: Mapping[str, bytes | str],
    work_off: Callable[[], int] | None = None,
    **request: Any,
) -> dict[str, Any]:
    """The receipt, once what was handed in is checked."""
    answer = post(client, f"/assignments/{assignment}/submissions", files, **request)
    assert answer.status_code == 202, answer.text
    if work_off is not None:
        work_off()
    receipt: dict[str, Any] = answer.json()
    return receipt


def submissions(client: TestClient, assignment: str, **asked: Any) -> list[dict[str, Any]]:
    answer = client.get(f"/assignments/{assignment}/submissions", params={"limit": 500, **asked})
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    assert answer.json()["total"] == len(items)
    return items


def of(items: list[dict[str, Any]], student: str) -> dict[str, Any]:
    (one,) = [item for item in items if item["student"] == student]
    return one


def sources_of(client: TestClient, submission: Mapping[str, Any]) -> list[str]:
    """The names of the sources of a submission's check."""
    answer = client.get(f"/checks/{submission['check']}/result")
    assert answer.status_code == 200, answer.text
    return [source["name"] for source in answer.json()["sources"]]


def moodle(student: str, id: int, file: str = "essay.txt") -> str:
    return f"{student}_{id}_assignsubmission_file_/{file}"
