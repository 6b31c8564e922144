"""A small campus: two teachers, an administrator, and things that belong to one of them alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fastapi.testclient import TestClient

from likewise.server.app import API, _routes

SECRET = "the camel driver sang of wells that nobody else had ever found in the red sand"
NAME = "secret <script>alert(1)</script>.txt"
NOTHING = "0" * 24


@dataclass(frozen=True)
class Things:
    """The names of what one teacher has."""

    collection: str
    document: int
    check: str
    exclusion: str
    comment: str
    certificate: str
    link: str
    batch: str
    batch_check: str
    job: str
    similar: str
    user: str
    key: str
    session: str
    course: str
    assignment: str
    assignment_file: str
    submission: str

    def of(self, path: str) -> dict[str, Any]:
        """The values of the {names} in the path of a route."""
        kind = path.removeprefix("/").partition("/")[0]
        values: dict[str, Any] = {
            "exclusion": self.exclusion,
            "confirmation": NOTHING,
            "comment": self.comment,
            "code": self.certificate,
            "job": self.similar,
            "language": "en",
            "name": "essay",
            "user": self.user,
            "file": self.assignment_file,
        }
        own = {
            "me": self.session,
            "users": self.user,
            "keys": self.key,
            "jobs": self.job,
            "checks": self.check,
            "batches": self.batch,
            "collections": self.collection,
            "documents": self.document,
            "courses": self.course,
            "assignments": self.assignment,
            "submissions": self.submission,
            "students": self.user,
            "links": self.link,
        }
        return values | {"id": own.get(kind, NOTHING)}


UNKNOWN = Things(
    collection=NOTHING,
    document=999_999,
    check=NOTHING,
    exclusion=NOTHING,
    comment=NOTHING,
    certificate=NOTHING,
    link=NOTHING,
    batch=NOTHING,
    batch_check=NOTHING,
    job=NOTHING,
    similar=NOTHING,
    user=NOTHING,
    key=NOTHING,
    session=NOTHING,
    course=NOTHING,
    assignment=NOTHING,
    assignment_file=NOTHING,
    submission=NOTHING,
)
# What a request must bring so that only the name in its address is in question.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/checks/{id}/share"): {"shared": True},
    ("POST", "/checks/{id}/exclusions"): {"source": "essay.txt", "reason": "it is a quotation"},
    ("POST", "/checks/{id}/confirmations"): {"comment": "so it is"},
    ("POST", "/checks/{id}/comments"): {"span": [0, 5], "comment": "so it is"},
    ("POST", "/batches/{id}/share"): {"shared": True},
    ("POST", "/checks/{id}/certificates"): {"language": "en", "author": "A. Nur"},
    ("POST", "/certificates/{code}/revoke"): {"reason": "it is not mine"},
    ("POST", "/checks/{id}/links"): {"recipient": "The commission", "is_commission": True},
    ("POST", "/batches/{id}/links"): {"recipient": "The faculty"},
    ("POST", "/shared/comments"): {"span": [0, 5], "comment": "so it is"},
    ("POST", "/shared/decisions"): {"decision": "revise", "comment": "too long"},
    ("PUT", "/me/mail"): {"choice": {"finished": "never"}},
    ("PATCH", "/documents/{id}"): {"author": "Somebody Else"},
    ("PATCH", "/collections/{id}"): {"name": "mine now"},
    ("PATCH", "/courses/{id}"): {"name": "mine now"},
    ("POST", "/courses/{id}/members"): {"members": [{"user_name": "aigul"}]},
    ("PATCH", "/courses/{id}/members/{user}"): {"role": "student"},
    ("POST", "/courses/{id}/assignments"): {"name": "mine too"},
    ("PATCH", "/assignments/{id}"): {"name": "mine now"},
}


def routes() -> Iterator[tuple[str, str]]:
    """Every method and path of the API."""
    for route in _routes():
        for method in sorted(route.methods or ()):
            yield method, route.path


def things_of(owner: TestClient, name: str, work_off: Callable[[], int]) -> Things:
    """Make what a teacher has, and let the jobs run."""
    made = owner.post("/collections", json={"name": f"private things of {name}"})
    assert made.status_code == 201, made.text
    collection = made.json()["id"]
    asked = ("request", (None, json.dumps({"collection": collection}), "application/json"))
    file = ("file", (NAME, f"{SECRET}. {name} wrote it down. {SECRET} again".encode()))
    added = owner.post("/documents", files=[file, asked])
    assert added.status_code == 202, added.text
    work_off()
    listed = owner.get("/documents", params={"collection": collection}).json()["items"]
    assert [one["name"] for one in listed] == ["secret _script_alert(1)__script_.txt"] or listed
    document = listed[0]["id"]
    essay = ("file", (NAME, f"{SECRET}. An essay of {name} about it.".encode(), "text/plain"))
    other = ("file", ("other.txt", f"Another essay of {name}: {SECRET}.".encode(), "text/plain"))
    check = _accepted(owner.post("/checks", files=[essay]))
    batch = _accepted(owner.post("/batches", files=[essay, other]))
    waiting = {"request": (None, json.dumps({"wait_seconds": 0}), "application/json")}
    similar = _accepted(owner.post("/similar", files=[essay, *waiting.items()]))
    work_off()
    course = owner.post("/courses", json={"name": f"private things of {name}"}).json()["id"]
    assignment = owner.post(f"/courses/{course}/assignments", json={"name": "secret"}).json()["id"]
    added = owner.post(f"/assignments/{assignment}/files", files=[other])
    assert added.status_code == 201, added.text
    _accepted(owner.post(f"/assignments/{assignment}/submissions", files=[essay]))
    work_off()
    (handed_in,) = owner.get(f"/assignments/{assignment}/submissions").json()["items"]
    key = owner.post("/keys", json={"name": f"key of {name}", "scopes": ["documents:read"]})
    sources = owner.get(f"/checks/{check['id']}/result").json()
    source = _first_source(sources)
    excluded = owner.post(
        f"/checks/{check['id']}/exclusions", json={"source": source, "reason": "my own text"}
    )
    assert excluded.status_code == 201, excluded.text
    commented = owner.post(
        f"/checks/{check['id']}/comments", json={"span": [0, 5], "comment": f"{name} wrote it"}
    )
    assert commented.status_code == 201, commented.text
    issued = BODIES["POST", "/checks/{id}/certificates"]
    certificate = owner.post(f"/checks/{check['id']}/certificates", json=issued)
    assert certificate.status_code == 201, certificate.text
    shown = BODIES["POST", "/checks/{id}/links"]
    link = owner.post(f"/checks/{check['id']}/links", json=shown)
    assert link.status_code == 201, link.text
    me = owner.get("/me").json()
    inside = owner.get(f"/batches/{batch['id']}/checks").json()["items"]
    return Things(
        collection=collection,
        document=document,
        check=check["id"],
        exclusion=excluded.json()["id"],
        comment=commented.json()["id"],
        certificate=certificate.json()["id"],
        link=link.json()["link"]["id"],
        batch=batch["id"],
        batch_check=inside[0]["id"],
        job=check["job"],
        similar=similar["job"],
        user=me["id"],
        key=key.json()["key"]["id"],
        session=me["session"],
        course=course,
        assignment=assignment,
        assignment_file=added.json()[0]["id"],
        submission=handed_in["id"],
    )


def _accepted(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 202, answer.text
    accepted: dict[str, Any] = answer.json()
    return accepted


def _first_source(result: dict[str, Any]) -> str:
    sources = result["sources"]
    assert sources, result
    name = sources[0].get("source") or sources[0]["name"]
    return str(name)


def called(client: TestClient, method: str, path: str, things: Things) -> Any:
    """Ask a route about the things of somebody."""
    address = path.format(**things.of(path))
    body = BODIES.get((method, path), {})
    how: dict[str, Any] = {} if method in ("GET", "DELETE") else {"json": body}
    return client.request(method, address, **how)


def full(path: str) -> str:
    return API + path
