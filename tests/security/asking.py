"""Everything that a teacher may ask a server, written down as it was answered."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from itertools import count
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response

from tests.security.worlds import ASKING, HIDING, MINE, MINE_TOO, NAMES, SENTENCES, THEIRS, csv_of
from tests.server.world import NOTHING

# Random by design, or the time: told apart by the order in which they come, and left out.
_RANDOM = re.compile(
    r"(?<![.\d])\b(?:[0-9a-f]{16}|[0-9a-f]{24}|[0-9a-f]{24}\d{1,3})\b|lw[rk]_[\w-]+|likewise_\w+"
    r"|eyJ[\w-]+\.[\w-]+\.[\w-]+"
)
_CODE = re.compile(r"(?<![0-9A-Z-])(?:[2-9AC-FHJKMNP-RTV-Y]{5}-?){2}[2-9AC-FHJKMNP-RTV-Y]{5}\b")
_TOKEN = re.compile(r"(?<![\w-])[ap][\w-]{43}(?![\w-])")  # of a link to a report
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d| UTC)?")
# How far a job is, it writes down when some time has passed; one that has ended may have told less.
_PROGRESS = re.compile(r'"stage":(?:null|"[^"]*"),"done":\d+,"total":\d+')
_CHOSEN = frozenset((MINE, MINE_TOO, THEIRS, NOTHING))
_OF_THIS_ANSWER = frozenset(
    ("x-request-id", "server-timing", "date", "set-cookie", "content-length")
)


class Asking:
    """A teacher who asks, the routes that were asked, and what came back."""

    def __init__(self, client: TestClient, work_off: Callable[[], int]) -> None:
        self._client, self._work_off = client, work_off
        self._random: dict[str, str] = {}
        self._numbers = count(1)
        self.routes: set[tuple[str, str]] = set()
        self.submission = NOTHING
        self.answers: list[str] = []

    def ask(self, method: str, route: str, *values: Any, **how: Any) -> Response:
        """Ask a route; values stand in the place of its {names}."""
        self.routes.add((method, route))
        named = iter(values)
        path = re.sub(r"\{\w+\}", lambda _: str(next(named)), route)
        answer = self._client.request(method, path, **how)
        headers = [
            f"{name}: {value}"
            for name, value in answer.headers.items()
            if name not in _OF_THIS_ANSWER
        ]
        question = f"{method} {path} {how.get('params', '')} {how.get('json', '')}"
        told = f"{question}\n{answer.status_code}\n" + "\n".join(headers) + f"\n{answer.text}"
        self.answers.append(self._without_chance(told))
        return answer

    def ask_archive(self, route: str) -> None:
        """Ask for an archive of rows: how many there are of each kind, since all else is chance."""
        self.routes.add(("GET", route))
        answer = self._client.get(route)
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            rows = json.loads(archive.read("data.json"))["rows"]
            counts = {name: len(some) for name, some in sorted(rows.items())}
            files = len(archive.namelist())
        self.answers.append(f"GET {route}\n{answer.status_code}\n{counts} {files}")

    def form(self, route: str, files: dict[str, bytes], *values: Any, **request: Any) -> Response:
        parts: list[Any] = [("file", (name, data)) for name, data in files.items()]
        parts.append(("request", (None, json.dumps(request), "application/json")))
        return self.ask("POST", route, *values, files=parts)

    def work(self) -> None:
        self._work_off()

    def call(self, random: str, name: str) -> None:
        """Write something down under a name of our own."""
        self._random[random] = name

    def _without_chance(self, told: str) -> str:
        def name(match: re.Match[str]) -> str:
            found = match[0]
            if found in self._random:
                return self._random[found]
            if found not in _CHOSEN:
                self._random[found] = f"<random {next(self._numbers)}>"
            return self._random.get(found, found)

        told = _CODE.sub(name, _TOKEN.sub("<token>", told))
        return _RANDOM.sub(name, _TIME.sub("<time>", _PROGRESS.sub("<progress>", told)))


def ask_everything(asking: Asking, hidden: dict[str, str], question: bytes, author: str) -> None:
    """Every route, in an order that leaves what later ones need."""
    _ask_about_documents(asking, hidden)
    _ask_for_similar(asking, question)
    _ask_for_duplicates(asking, hidden)
    _ask_for_checks(asking, hidden, question, author)
    _ask_for_batches(asking, hidden, question)
    _ask_about_courses(asking, hidden, question)
    _add(asking, question)
    _ask_about_documents(asking, hidden)
    _ask_for_duplicates(asking, hidden)
    _change(asking, hidden)
    _ask_about_documents(asking, hidden)
    _ask_about_jobs(asking, hidden)
    _ask_about_the_site(asking)
    _ask_what_is_forbidden(asking, hidden)
    _ask_about_oneself(asking, hidden)


def _ask_about_documents(asking: Asking, hidden: dict[str, str]) -> None:
    listed = asking.ask("GET", "/documents", params={"limit": 500}).json()["items"]
    for asked in (
        {"sort": "id", "limit": 2, "offset": 1},
        {"sort": "-author", "limit": 1},
        {"search": "secret"},
        {"search": NAMES[0]},
        {"author": "Secret Name"},
        {"owner": "bolat"},
        {"type": "secret kind"},
        {"tag": "secret kind"},
        {"collection": MINE},
        {"collection": hidden["collection"]},
    ):
        asking.ask("GET", "/documents", params=asked)
    for number in [*(one["id"] for one in listed[:4]), hidden["document"]]:
        asking.ask("GET", "/documents/{id}", number)
        asking.ask("GET", "/documents/{id}/text", number, params={"as": "json"})
        asking.ask("GET", "/documents/{id}/original", number)
    asking.ask("GET", "/documents/facets")
    asking.ask("GET", "/documents/growth")
    asking.ask("GET", "/collections")
    for collection in ("library", MINE, hidden["collection"]):
        asking.ask("GET", "/collections/{id}", collection)
    asking.ask("GET", "/document-types")
    asking.ask("GET", "/usage")


def _ask_for_similar(asking: Asking, question: bytes) -> None:
    for request in ({"limit": 1}, {"type": "essay"}, {"min_percentage": 0, "level": 90}):
        answer = asking.form("/similar", {"q.txt": question}, wait_seconds=0, **request)
        job = answer.json()["job"]
        asking.ask("GET", "/similar/{job}", job)
        asking.work()
        asking.ask("GET", "/similar/{job}", job)


def _ask_for_duplicates(asking: Asking, hidden: dict[str, str]) -> None:
    for request in (
        {"threshold": 0.05},
        {"measure": "containment", "type": ["essay"], "collection": ["library", MINE]},
        {"collection": [hidden["collection"]]},
    ):
        answer = asking.ask("POST", "/duplicates", json=request)
        job = answer.json().get("job", hidden["job"])
        asking.ask("POST", "/duplicates", json=request)
        asking.ask("POST", "/duplicates", json={"threshold": 0.99})
        asking.work()
        asking.ask("GET", "/duplicates/{job}", job)
        for listed in ("pairs", "clusters"):
            asking.ask("GET", f"/duplicates/{{job}}/{listed}", job, params={"limit": 500})
            asking.ask("GET", f"/duplicates/{{job}}/{listed}", job, params={"offset": 1})


def _ask_for_checks(asking: Asking, hidden: dict[str, str], question: bytes, author: str) -> None:
    table = csv_of(1)
    asked: list[tuple[dict[str, bytes], dict[str, Any]]] = [
        ({"q.txt": question}, {"not_by": author}),
        ({"q.csv": table}, {"not_mine": True, "options": {"exclusions": {"common": False}}}),
        ({"q.txt": question}, {"collections": ["library", hidden["collection"]]}),
        ({}, {"document": int(hidden["document"])}),
    ]
    checks = []
    for files, request in asked:
        answer = asking.form("/checks", files, **request)
        if answer.status_code == 202:
            checks.append(answer.json()["id"])
    asking.ask("GET", "/checks")
    asking.work()
    asking.ask("GET", "/checks", params={"sort": "name"})
    for id in [*checks, hidden["check"]]:
        asking.ask("GET", "/checks/{id}", id)
        asking.ask("GET", "/checks/{id}/result", id)
        asking.ask("GET", "/checks/{id}/result", id, params={"sort": "agreement", "level": 90})
        asking.ask("GET", "/checks/{id}/view", id)
        # Other kinds of files are drawn from the same view, and hold the time in their bytes.
        asking.ask("GET", "/checks/{id}/report", id, params={"format": "csv"})
        asking.ask("GET", "/checks/{id}/exclusions", id)
        taken = {"source": "essay.txt", "reason": "it is mine"}
        made = asking.ask("POST", "/checks/{id}/exclusions", id, json=taken)
        exclusion = made.json().get("id", NOTHING)
        asking.ask("DELETE", "/checks/{id}/exclusions/{exclusion}", id, exclusion)
        asking.ask("POST", "/checks/{id}/confirmations", id, json={"comment": "so it is"})
        asking.ask("DELETE", "/checks/{id}/confirmations/{confirmation}", id, NOTHING)
        remark = {"span": [0, 5], "comment": "so it is"}
        made = asking.ask("POST", "/checks/{id}/comments", id, json=remark)
        comment = made.json().get("id", NOTHING)
        asking.ask("GET", "/checks/{id}", id)
        asking.ask("DELETE", "/checks/{id}/comments/{comment}", id, comment)
        _ask_for_certificates(asking, id)
        _ask_for_links(asking, "checks", id)
        asking.ask("POST", "/checks/{id}/share", id, json={"shared": True})
    _ask_about_many_checks(asking, [checks[0], hidden["check"]], checks[1:2])
    asking.ask("DELETE", "/checks/{id}", checks[0])
    asking.ask("DELETE", "/checks/{id}", hidden["check"])


def _ask_about_many_checks(asking: Asking, some: list[str], own: list[str]) -> None:
    """By ids, one of which may be another's, and by filters."""
    asking.ask("GET", "/checks/attention")
    asking.ask("GET", "/thresholds")
    for selection in ({"ids": some}, {"ids": own}, {"filters": {"whose": "all"}, "expected": 999}):
        asking.ask("POST", "/checks/figures", json=selection)
        asking.ask("POST", "/checks/share", json=selection | {"shared": True})
        asking.ask("POST", "/checks/again", json=selection)
        asking.ask("POST", "/checks/delete", json=selection)
    asking.work()


def _ask_for_certificates(asking: Asking, id: str) -> None:
    asking.ask("GET", "/checks/{id}/certificates", id)
    said = {"language": "en", "author": "A. Nur"}
    issued = asking.ask("POST", "/checks/{id}/certificates", id, json=said)
    if issued.status_code == 201:
        asking.call(issued.json()["id"], "<certificate>")
        asking.call(issued.json()["code"], "<certificate>")
    code = issued.json().get("id", NOTHING)
    asking.ask("GET", "/certificates/{code}/verify", code)
    if issued.status_code != 201:  # the page of an own one holds the time in its bytes
        asking.ask("GET", "/certificates/{code}.pdf", code)
    asking.ask("POST", "/certificates/{code}/revoke", code, json={"reason": "it is mine"})


def _ask_for_links(asking: Asking, noun: str, id: str) -> None:
    """Made, opened, answered by a commission, revoked."""
    said = {"recipient": "The commission", "is_commission": noun == "checks"}
    made = asking.ask("POST", f"/{noun}/{{id}}/links", id, json=said)
    asking.ask("POST", f"/{noun}/{{id}}/links", id, json={"colleague": HIDING})
    token, link = NOTHING, NOTHING
    if made.status_code == 201:
        token, link = made.json()["token"], made.json()["link"]["id"]
    headers = {"Link-Token": token}
    asking.ask("GET", "/shared", headers=headers)
    asking.ask("GET", "/shared/view", headers=headers)
    if token == NOTHING:  # a page holds the time in its bytes
        asking.ask("GET", "/shared/report", headers=headers)
    remark = {"span": [0, 5], "comment": "so it is"}
    added = asking.ask("POST", "/shared/comments", headers=headers, json=remark)
    comment = added.json().get("id", NOTHING)
    asking.ask("DELETE", "/shared/comments/{comment}", comment, headers=headers)
    decided = {"decision": "revise", "comment": "too long"}
    asking.ask("POST", "/shared/decisions", headers=headers, json=decided)
    asking.ask("GET", f"/{noun}/{{id}}/links", id)
    asking.ask("GET", "/links/{id}/openings", link)
    asking.ask("POST", "/links/{id}/revoke", link)


def _ask_for_batches(asking: Asking, hidden: dict[str, str], question: bytes) -> None:
    files = {"one.txt": question, "two.txt": " ".join(SENTENCES[:3]).encode()}
    batch = asking.form("/batches", files, name="class").json()["id"]
    asking.work()
    asking.ask("GET", "/batches")
    for id in (batch, hidden["batch"]):
        asking.ask("GET", "/batches/{id}", id)
        asking.ask("GET", "/batches/{id}/checks", id, params={"sort": "name"})
        asking.ask("GET", "/batches/{id}/view", id)
        asking.ask("GET", "/batches/{id}/report", id, params={"format": "csv"})
        asking.ask("POST", "/batches/{id}/share", id, json={"shared": True})
        _ask_for_links(asking, "batches", id)
        asking.ask("POST", "/batches/{id}/close", id)
        asking.ask("POST", "/batches/{id}/reopen", id)
        asking.ask("DELETE", "/batches/{id}", id)


def _ask_about_courses(asking: Asking, hidden: dict[str, str], question: bytes) -> None:
    course = asking.ask("POST", "/courses", json={"name": "mine", "term": "2026"}).json()["id"]
    asking.ask("GET", "/courses", params={"whose": "all", "search": "hidden"})
    path = "/courses/{id}/assignments"
    own = asking.ask("POST", path, course, json={"name": "Essay"}).json()["id"]
    for id in (course, hidden["course"]):
        asking.ask("GET", "/courses/{id}", id)
        asking.ask("PATCH", "/courses/{id}", id, json={"code": "C1"})
        asking.ask("GET", "/courses/{id}/members", id)
        asking.ask("GET", "/courses/{id}/candidates", id, params={"search": "bol"})
        members = {"members": [{"user": hidden["user"], "role": "student"}]}
        asking.ask("POST", "/courses/{id}/members", id, json=members)
        member = "/courses/{id}/members/{user}"
        asking.ask("PATCH", member, id, hidden["user"], json={"role": "teacher"})
        asking.ask("DELETE", member, id, hidden["user"])
        asking.ask("GET", path, id)
        asking.ask("POST", path, id, json={"name": "Another"})
    asking.ask("GET", "/assignments")
    for id in (own, hidden["assignment"]):
        _ask_about_assignment(asking, id, question)
    asking.ask("GET", "/submissions")
    asking.ask("GET", "/students")
    asking.ask("GET", "/students/{id}/submissions", hidden["user"])
    asking.ask("GET", "/submissions/{id}/report", hidden["submission"])  # of ours it has a date
    path = "/assignments/{id}/self-checks"
    for id in (own, hidden["assignment"]):
        asking.ask("GET", path, id)
        asking.form(path, {"draft.txt": question}, id)
    for method, path in (("GET", ""), ("GET", "/view"), ("GET", "/report"), ("DELETE", "")):
        asking.ask(method, "/self-checks/{id}" + path, hidden["submission"])
    for id in (asking.submission, hidden["submission"]):
        asking.ask("GET", "/submissions/{id}", id)
        asking.ask("GET", "/submissions/{id}/view", id)
        asking.ask("DELETE", "/submissions/{id}", id)
    asking.work()
    for id in (own, hidden["assignment"]):
        asking.ask("DELETE", "/assignments/{id}", id)
    for id in (course, hidden["course"]):
        asking.ask("DELETE", "/courses/{id}", id, params={"with_submissions": True})


def _ask_about_assignment(asking: Asking, id: str, question: bytes) -> None:
    files = {"task.txt": SENTENCES[1].encode()}
    added = asking.form("/assignments/{id}/files", files, id)
    file = added.json()[0]["id"] if added.status_code == 201 else NOTHING
    asking.ask("GET", "/assignments/{id}/files", id)
    asking.ask("GET", "/assignments/{id}/files/{file}", id, file)
    works = {"one.txt": question, "two.txt": " ".join(SENTENCES[:3]).encode()}
    asking.form("/assignments/{id}/submissions", works, id)
    asking.work()
    asking.ask("GET", "/assignments/{id}", id)
    asking.ask("PATCH", "/assignments/{id}", id, json={"name": "Essay of all"})
    listed = asking.ask("GET", "/assignments/{id}/submissions", id)
    if listed.status_code == 200:
        asking.submission = listed.json()["items"][0]["id"]
        for one in listed.json()["items"]:
            asking.ask("GET", "/checks/{id}/result", one["check"])
    asking.ask("POST", "/assignments/{id}/unveil", id)
    asking.ask("POST", "/assignments/{id}/check", id)
    asking.ask("DELETE", "/assignments/{id}/files/{file}", id, file)


def _add(asking: Asking, question: bytes) -> None:
    """Bytes and texts that others may have; the outcomes tell whether they are there already."""
    files = {
        "essay.txt": SENTENCES[0].encode(),
        "again.txt": SENTENCES[0].encode(),
        "question.txt": question,
        "broken.txt": f"{SENTENCES[1]}-\n{SENTENCES[2]}".encode(),
    }
    for collection in ("library", MINE, THEIRS):
        asking.form("/documents", files, collection=collection, metadata={"author": "A. Nur"})
        asking.work()


def _change(asking: Asking, hidden: dict[str, str]) -> None:
    listed = asking.ask("GET", "/documents", params={"owner": ASKING}).json()["items"]
    mine = [one["id"] for one in listed]
    for number in (mine[0], hidden["document"]):
        asking.ask("PATCH", "/documents/{id}", number, json={"type": "changed"})
        asking.ask("DELETE", "/documents/{id}", number)
    both = {"ids": [mine[1], int(hidden["document"])], "metadata": {"year": 2025}}
    asking.ask("PATCH", "/documents", json=both)
    asking.ask("PATCH", "/documents", json={"ids": [mine[1]], "metadata": {"year": 2025}})
    for documents in ({"ids": both["ids"]}, {"ids": mine[1:2]}, {"filters": {"type": ["secret"]}}):
        asking.ask("POST", "/documents/check", json={"documents": documents})
    asking.work()
    asking.ask("POST", "/documents/delete", json={"filters": {"author": ["A. Nur"]}})
    asking.ask("POST", "/documents/delete", json={"ids": [int(hidden["document"])]})
    made = asking.ask("POST", "/collections", json={"name": "Class of 2026"}).json()["id"]
    for collection in (made, hidden["collection"]):
        asking.ask("PATCH", "/collections/{id}", collection, json={"about": "for all"})
        asking.ask("DELETE", "/collections/{id}", collection)


def _ask_about_jobs(asking: Asking, hidden: dict[str, str]) -> None:
    jobs = asking.ask("GET", "/jobs", params={"limit": 500}).json()["items"]
    asking.ask("GET", "/jobs", params={"person": "bolat"})
    for id in (jobs[0]["id"], hidden["job"]):
        asking.ask("GET", "/jobs/{id}", id)
        asking.ask("GET", "/jobs/{id}/events", id)
        asking.ask("POST", "/jobs/{id}/cancel", id)
        asking.ask("POST", "/jobs/{id}/retry", id)
        asking.ask("POST", "/jobs/{id}/dismiss", id)


def _ask_about_the_site(asking: Asking) -> None:
    for route in ("/settings", "/limits", "/institution", "/rebuild", "/web", "/health"):
        asking.ask("GET", route)
    for which in ("live", "ready", "process"):
        asking.ask("GET", f"/health/{which}")
    asking.ask("GET", "/stop-words/{language}", "en")


FORBIDDEN = (
    *(("GET", "/users"), ("POST", "/users"), ("GET", "/users/{id}"), ("PATCH", "/users/{id}")),
    *(("POST", "/users/{id}/password"), ("POST", "/users/{id}/end-sessions")),
    *(("DELETE", "/users/{id}"), ("GET", "/audit"), ("GET", "/audit/acts")),
    *(("POST", "/document-types"), ("PUT", "/document-types")),
    *(("PATCH", "/document-types/{name}"), ("DELETE", "/document-types/{name}")),
    *(("PUT", "/stop-words/{language}"), ("PATCH", "/stop-words/{language}")),
    *(("POST", "/stop-words/{language}/preview"), ("POST", "/rebuild"), ("PUT", "/settings")),
    *(("GET", "/recipe"), ("PATCH", "/recipe")),
    *(("PATCH", "/settings"), ("GET", "/usage/{user}"), ("GET", "/health/details")),
    *(("GET", "/erasures"), ("GET", "/erasures/{id}"), ("GET", "/erasures/{id}/receipt")),
    *(("POST", "/erasures"), ("POST", "/erasures/preview"), ("GET", "/metrics")),
    *(("GET", "/audit/export"), ("GET", "/users/{id}/holdings"), ("POST", "/users/{id}/unlock")),
    *(("GET", "/providers"), ("PATCH", "/providers/{name}"), ("POST", "/providers/{name}/test")),
    *(("PUT", "/thresholds"), ("POST", "/users/{id}/invite"), ("GET", "/mail")),
    *(
        ("POST", "/mail/{id}/retry"),
        ("GET", "/users/{id}/data"),
        ("GET", "/statistics"),
        ("GET", "/statistics/export"),
    ),
    ("POST", "/consent-texts"),
    ("DELETE", "/users/{id}/second-factor"),
    *(("GET", "/login-providers"), ("POST", "/login-providers")),
    *(("GET", "/login-providers/{id}"), ("PATCH", "/login-providers/{id}")),
    *(("DELETE", "/login-providers/{id}"), ("POST", "/login-providers/{id}/test")),
)


def _ask_what_is_forbidden(asking: Asking, hidden: dict[str, str]) -> None:
    for method, route in FORBIDDEN:
        how: dict[str, Any] = {} if method in ("GET", "DELETE") else {"json": {}}
        value = "en" if "{language}" in route else hidden["user"]
        values = (value,) if "{" in route else ()
        assert asking.ask(method, route, *values, **how).status_code in (403, 422), route


def _ask_about_oneself(asking: Asking, hidden: dict[str, str]) -> None:
    """Last, since it ends the session."""
    asking.ask("GET", "/me")
    asking.ask("GET", "/me/notices")
    asking.ask("GET", "/consent-texts")
    asking.ask("GET", "/consent-texts/current")
    asking.ask("GET", "/me/data/counts")
    asking.ask_archive("/me/data")
    asking.ask("GET", "/retention")
    asking.ask("POST", "/me/notices/seen")
    asking.ask("POST", "/me/authenticate", json={"password": "wrong"})
    asking.ask("GET", "/password-resets")
    for name in ("bolat", "nobody"):
        asking.ask("POST", "/password-resets", json={"name": name})
    asking.ask("POST", "/password-resets/use", json={"token": "wrong", "password": "another one"})
    asking.ask("PATCH", "/me", json={"shown_name": "Aigul"})
    asking.ask("GET", "/me/mail")
    asking.ask("PUT", "/me/mail", json={"choice": {"finished": "never"}})
    asking.ask("GET", "/keys")
    made = asking.ask("POST", "/keys", json={"name": "mine", "scopes": ["documents:read"]})
    asking.ask("DELETE", "/keys/{id}", made.json()["key"]["id"])
    asking.ask("DELETE", "/keys/{id}", hidden["key"])
    _ask_how_to_log_in(asking)
    asking.ask("GET", "/me/sessions")
    asking.ask("DELETE", "/me/sessions")
    asking.ask("DELETE", "/me/sessions/{id}", NOTHING)
    asking.ask("POST", "/me/password", json={"old": "wrong", "new": "another long password"})
    asking.ask("POST", "/token", json={"name": "bolat", "password": "wrong"})
    asking.ask("POST", "/token/refresh")
    asking.ask("POST", "/token/end")
    asking.ask("POST", "/login/end")
    asking.ask("POST", "/me/end-everywhere")


def _ask_how_to_log_in(asking: Asking) -> None:
    asking.ask("GET", "/login")
    for more in ("", "/authenticate", "/link", "/callback"):
        asking.ask("POST", f"/login/{{id}}{more}", NOTHING, json={"state": "x"} if more else {})
    asking.ask("POST", "/login/{id}/logout", NOTHING, data={"logout_token": "x"})
    asking.ask("GET", "/me/identities")
    asking.ask("DELETE", "/me/identities/{id}", NOTHING)
    asking.ask("GET", "/me/second-factor")
    for more in ("confirm", "remove"):
        asking.ask("POST", f"/me/second-factor/{more}", json={"code": "000000"})
    asking.ask("POST", "/me/second-factor/recovery-codes")
    asking.routes.add(("POST", "/me/second-factor"))  # tells of chance alone, and its picture
