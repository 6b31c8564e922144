"""Who says nothing asks for nothing: an empty request shares, removes and resets nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from likewise.server.app import _routes
from tests.server.handing_in import STEPPE, add_one, text

WorkOff = Callable[[], int]
# What may be asked for in no words at all, because the address says it whole.
HARMLESS = {
    ("POST", "/token/refresh"): "by the cookie",
    ("POST", "/token/end"): "by the cookie or the token",
    ("POST", "/users/{id}/password"): "a password is made, and told to the administrator alone",
    ("POST", "/checks/{id}/confirmations"): "without a comment",
    ("PATCH", "/collections/{id}"): "nothing is changed",
    ("PATCH", "/settings"): "nothing is changed",
    ("PATCH", "/stop-words/{language}"): "nothing is changed",
    ("PATCH", "/recipe"): "nothing is changed",
    ("PATCH", "/providers/{name}"): "nothing is changed",
    ("PATCH", "/me"): "nothing is changed",
    ("PATCH", "/users/{id}"): "nothing is changed",
    ("POST", "/stop-words/{language}/preview"): "nothing is changed",
    ("PATCH", "/documents/{id}"): "refused by what it does",
    ("POST", "/documents/delete"): "refused by what it does",
    ("PUT", "/settings"): "refused by what it does",
    ("POST", "/duplicates"): "looks at what the caller may read, and changes nothing",
    ("POST", "/erasures"): "refused by what it does",
    ("POST", "/erasures/preview"): "refused by what it does",
    ("PATCH", "/courses/{id}"): "nothing is changed",
    ("PATCH", "/assignments/{id}"): "nothing is changed",
    ("PATCH", "/login-providers/{id}"): "nothing is changed",
    ("POST", "/checks/{id}/links"): "refused: a link is for somebody",
    ("POST", "/batches/{id}/links"): "refused: a link is for somebody",
    ("POST", "/login/{id}"): "leads to the provider",
    ("POST", "/login/{id}/authenticate"): "leads to the provider",
    ("POST", "/login/{id}/link"): "leads to the provider",
}


def test_every_request_that_may_be_empty_is_known_to_be_harmless() -> None:
    """A new route whose request is all defaults fails here until somebody has thought of it."""
    found = set()
    for route in _routes():
        if route.body_field is None:
            continue
        _value, errors = route.body_field.validate({}, {}, loc=("body",))
        if not errors:
            found |= {(method, route.path) for method in route.methods or ()}
    assert found == set(HARMLESS)


@pytest.mark.parametrize("kind", ["checks", "batches"])
def test_who_does_not_say_to_share_does_not_share(
    teacher: TestClient, log_in: Any, work_off: WorkOff, kind: str
) -> None:
    id = teacher.post(f"/{kind}", files={"file": ("a.txt", text(STEPPE))}).json()["id"]
    work_off()
    for body in ({}, {"shared": None}, {"is_shared": True}):
        assert teacher.post(f"/{kind}/{id}/share", json=body).status_code == 422, body
    assert teacher.post(f"/{kind}/{id}/share").status_code == 422
    assert teacher.get(f"/{kind}/{id}").json()["is_shared"] is False
    assert log_in("bota").get(f"/{kind}/{id}").status_code == 404


def test_settings_are_not_all_reset_by_saying_none(administrator: TestClient) -> None:
    administrator.patch("/settings", json={"most_files": 7})
    assert administrator.put("/settings", json={}).status_code == 422
    assert administrator.get("/settings").json()["most_files"] == 7


@pytest.mark.parametrize("asked", [{}, {"filters": {}}, {"filters": {"tag": []}}, {"search": " "}])
def test_nothing_is_removed_where_nothing_was_named(
    administrator: TestClient, work_off: WorkOff, asked: dict[str, Any]
) -> None:
    add_one(administrator, work_off)
    assert administrator.post("/documents/delete", json=asked).status_code == 422
    assert administrator.get("/documents").json()["total"] == 1
