"""A campus with everybody who may ask, and with a thing of each kind to ask about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import update

from likewise.server.app import API, make_app
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people.users import add_person
from likewise.server.workers.worker import work_off
from tests.security.campus_requests import request_of
from tests.server.accounts import PASSWORD, bearer
from tests.server.campus_rows import put
from tests.server.checking import checked, post, thesis
from tests.server.teaching import handed_in, join, made_assignment, submissions
from tests.server.world import NOTHING, SECRET, things_of

# Callers as the policy names them, by the names of their accounts.
PEOPLE = {
    "student": "sanzhar",
    "classmate": "dana",
    "outsider": "timur",
    "teacher": "aigul",
    "colleague": "kamila",
    "former": "nurlan",
    "other": "bolat",
    "dean": "dean",
}
ROLES: Mapping[str, Any] = {
    **dict.fromkeys(("student", "classmate", "outsider"), "student"),
    **dict.fromkeys(("teacher", "colleague", "former", "other"), "teacher"),
    "dean": "administrator",
}
# Keys with one scope each: all that a teacher's may have, and what only others' have.
KEYS = (
    *(("teacher", f"documents:{verb}") for verb in ("read", "write")),
    *(("teacher", f"checks:{verb}") for verb in ("read", "write")),
    *(("teacher", f"courses:{verb}") for verb in ("read", "write")),
    *(("teacher", f"submissions:{verb}") for verb in ("read", "write")),
    *(("student", f"submissions:{verb}") for verb in ("read", "write")),
    *(("dean", scope) for scope in ("administer", "metrics")),
)


class Campus:
    """The application, the tokens of everybody, and the ids of things by what they are."""

    def __init__(self, context: ServerContext) -> None:
        self.context = context
        url = f"http://testserver{API}"
        self.client = TestClient(make_app(context), base_url=url, raise_server_exceptions=False)
        self.ids: dict[str, str] = {}
        self.headers: dict[str, dict[str, str]] = {"nobody": {}}
        for caller, name in PEOPLE.items():
            self.ids[caller] = add_person(context, name, PASSWORD, role=ROLES[caller]).id
            self.headers[caller] = self.logged_in(name)
        teacher, other = self.browser("teacher"), self.browser("other")
        self.mine = things_of(teacher, "aigul", self.work)
        self.theirs = things_of(other, "bolat", self.work)
        join(teacher, self.mine.course, "teacher", "kamila", "nurlan")
        join(teacher, self.mine.course, "student", "sanzhar", "dana")
        join(other, self.theirs.course, "student", "timur")
        self.things = self._things(teacher)
        self._make_keys()
        self._make_odd_accounts()
        self.links = self._links(teacher)

    def work(self) -> int:
        return work_off(self.context)

    def logged_in(self, name: str) -> dict[str, str]:
        answer = self.client.post("/token", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        return bearer(answer.json()["access_token"])

    def browser(self, caller: str) -> TestClient:
        return TestClient(
            self.client.app, base_url=f"http://testserver{API}", headers=self.headers[caller]
        )

    def ask(
        self,
        headers: Mapping[str, str],
        method: str,
        path: str,
        ids: Mapping[str, Any],
    ) -> Response:
        """A request that is right but for who sends it and what it is about."""
        address, how = request_of(method, path, ids)
        self.client.cookies.clear()
        return self.client.request(method, address, headers=dict(headers), **how)

    def _things(self, teacher: TestClient) -> dict[str, dict[str, Any]]:
        """What an address may name, under the names that the policy has for them."""
        mine, context = self.mine, self.context
        student, classmate = self.browser("student"), self.browser("classmate")
        essay = f"{SECRET}. The essay of a student about it, with a thought of its own."
        shown = {"rules": {"student_report": "always", "self_checks": True}}
        changed = teacher.patch(f"/assignments/{mine.assignment}", json=shown)
        assert changed.status_code == 200, changed.text
        receipt = handed_in(student, mine.assignment, {"essay.txt": essay}, self.work)
        handed_in(classmate, mine.assignment, {"essay.txt": thesis()}, self.work)
        (earlier,) = submissions(student, mine.assignment)
        earlier_check = self._check_of(earlier["id"])
        handed_in(student, mine.assignment, {"essay.txt": f"{essay} And more."}, self.work)
        (submission,) = submissions(student, mine.assignment)
        drafts = f"/assignments/{mine.assignment}/self-checks"
        draft = post(student, drafts, {"draft.txt": f"{essay} And a draft."}).json()["id"]
        self.work()
        batch = teacher.get(f"/assignments/{mine.assignment}").json()["batch"]
        checked_one = self._check_of(submission["id"])
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        coming = made_assignment(teacher, mine.course, "Coming", opens_on=tomorrow, is_blind=True)
        colleague, dean = self.browser("colleague"), self.browser("dean")
        said = {"span": [0, 5], "comment": "so it is"}
        commented = teacher.post(f"/checks/{checked_one}/comments", json=said)
        left_out = {"span": [0, 5], "reason": "it is a quotation"}
        excluded = teacher.post(f"/checks/{checked_one}/exclusions", json=left_out)
        assert (commented.status_code, excluded.status_code) == (201, 201), excluded.text
        confirmed = colleague.post(f"/checks/{checked_one}/confirmations", json={})
        assert confirmed.status_code == 201, confirmed.text
        faculty = {"recipient": "The faculty"}
        link = teacher.post(f"/checks/{checked_one}/links", json=faculty).json()["link"]["id"]
        shared_check = checked(teacher, self.work, name="shared.txt")
        share = {"shared": True}
        assert teacher.post(f"/checks/{shared_check}/share", json=share).status_code == 200
        shared_batch = post(teacher, "/batches", {"one.txt": thesis(), "two.txt": essay}).json()
        self.work()
        assert teacher.post(f"/batches/{shared_batch['id']}/share", json=share).status_code == 200
        shared = teacher.post("/collections", json={"name": "for all", "is_shared": True}).json()
        common = post(teacher, "/documents", {"common.txt": thesis()})
        self.work()
        (document,) = teacher.get("/documents", params={"search": "common"}).json()["items"]
        assert common.status_code == 202
        duplicates = teacher.post("/duplicates", json={"collection": [mine.collection]}).json()
        erasure = dean.post("/erasures", json={"person": "Nobody at All"}).json()
        self.work()
        assert dean.post("/document-types", json={"name": "essay"}).status_code == 201
        provider = put(
            context,
            tables.login_providers,
            name="Campus",
            issuer="https://127.0.0.1:1",
            options="{}",
            is_active=True,
        )
        values = {"user_id": self.ids["teacher"], "provider_id": provider, "subject": "aigul"}
        identity = put(context, tables.identities, **values)
        letter = put(
            context,
            tables.mail_queue,
            user_id=self.ids["teacher"],
            to="a@example.kz",
            kind="check done",
            values="{}",
            failed_on=utc_now(),
        )
        in_check = {
            "exclusion": mine.exclusion,
            "comment": mine.comment,
            "confirmation": NOTHING,
        }
        return {
            "-": {},
            "account": {"id": self.ids["outsider"], "user": self.ids["outsider"]},
            "student": {"id": self.ids["student"]},
            "key": {"id": mine.key},
            "session": {"id": mine.session},
            "identity": {"id": identity},
            "provider": {"id": provider},
            "letter": {"id": letter},
            "erasure": {"id": erasure["erasure"] if "erasure" in erasure else erasure["id"]},
            "collection": {"id": mine.collection},
            "shared-collection": {"id": shared["id"]},
            "document": {"id": mine.document},
            "common-document": {"id": document["id"]},
            "duplicates": {"job": duplicates["job"]},
            "similar": {"job": mine.similar},
            "job": {"id": mine.job},
            "hand-in-job": {"id": receipt["job"]},
            "check": {"id": mine.check, **in_check},
            "shared-check": {"id": shared_check, **in_check},
            "earlier-check": {"id": earlier_check},
            **self._of_the_former(classmate),
            "course-check": {
                "id": checked_one,
                "exclusion": excluded.json()["id"],
                "comment": commented.json()["id"],
                "confirmation": confirmed.json()["id"],
            },
            "course-link": {"id": link},
            "type": {"name": "essay"},
            "search-engine": {"name": dean.get("/providers").json()["items"][0]["name"]},
            "teachers-comment": {"comment": mine.comment},
            "batch": {"id": mine.batch},
            "shared-batch": {"id": shared_batch["id"]},
            "course-batch": {"id": batch},
            "certificate": {"code": mine.certificate},
            "link": {"id": mine.link},
            "course": {"id": mine.course, "user": self.ids["classmate"]},
            "assignment": {"id": mine.assignment, "file": mine.assignment_file},
            "coming-assignment": {"id": coming},
            "submission": {"id": submission["id"]},
            "self-check": {"id": draft},
        }

    def _check_of(self, submission: str) -> str:
        check = self.browser("teacher").get(f"/submissions/{submission}").json()["check"]
        return str(check)

    def _of_the_former(self, classmate: TestClient) -> dict[str, dict[str, Any]]:
        """What a teacher made in the course, who teaches there no longer."""
        former, course = self.browser("former"), self.mine.course
        assignment = made_assignment(former, course, "By another")
        receipt = handed_in(classmate, assignment, {"essay.txt": thesis(SECRET)}, self.work)
        (submission,) = submissions(former, assignment)
        batch = former.get(f"/assignments/{assignment}").json()["batch"]
        left = self.browser("dean").delete(f"/courses/{course}/members/{self.ids['former']}")
        assert left.status_code == 204, left.text
        return {
            "former-assignment": {"id": assignment},
            "former-submission": {"id": submission["id"]},
            "former-check": {"id": submission["check"]},
            "former-batch": {"id": batch},
            "former-job": {"id": receipt["job"]},
        }

    def _make_keys(self) -> None:
        """One with each scope, under `teacher's key courses:read`."""
        for caller, scope in KEYS:
            body = {"name": scope, "scopes": [scope]}
            made = self.browser(caller).post("/keys", json=body)
            assert made.status_code == 201, made.text
            self.headers[f"{caller}'s key {scope}"] = bearer(made.json()["secret"])

    def _make_odd_accounts(self) -> None:
        """Of whom nothing is right but the token."""
        context, long_ago = self.context, utc_now() - timedelta(hours=1)
        for name in ("changing", "inactive"):
            add_person(context, name, PASSWORD, role="administrator")
            self.headers[name] = self.logged_in(name)
        for caller in ("teacher", "dean"):
            self.headers[f"{caller} of an hour ago"] = self.logged_in(PEOPLE[caller])
        users, sessions = tables.users, tables.sessions
        with context.store.beside() as connection:
            connection.execute(
                update(users).where(users.c.name == "changing").values(must_change=True)
            )
            connection.execute(
                update(users).where(users.c.name == "inactive").values(is_active=False)
            )
        for caller in ("teacher", "dean"):
            headers = self.headers[f"{caller} of an hour ago"]
            session = self.client.get("/me", headers=headers).json()["session"]
            past = {"made_on": long_ago, "authenticated_on": long_ago}
            with context.store.beside() as connection:
                connection.execute(update(sessions).where(sessions.c.id == session).values(**past))

    def _links(self, teacher: TestClient) -> dict[str, dict[str, str]]:
        """Headers by the names that the policy has for those who bring them."""
        check = f"/checks/{self.mine.check}/links"

        def made(**said: Any) -> tuple[str, str]:
            answer = teacher.post(check, json=said)
            assert answer.status_code == 201, answer.text
            return answer.json()["link"]["id"], answer.json()["token"]

        def header(token: str) -> dict[str, str]:
            return {"Link-Token": token}

        _, anybody = made(recipient="The faculty")
        _, commission = made(recipient="The commission", is_commission=True)
        _, personal = made(colleague="kamila")
        _, own_commission = made(colleague="kamila", is_commission=True)
        ended_link, ended = made(recipient="The past")
        revoked_link, revoked = made(recipient="The unwanted")
        answer = teacher.post(f"/links/{revoked_link}/revoke")
        assert answer.status_code in (200, 204), answer.text
        said = {"span": [0, 5], "comment": "so it is"}
        comment = self.client.post("/shared/comments", headers=header(commission), json=said)
        assert comment.status_code == 201, comment.text
        self.things["shared-comment"] = {"comment": comment.json()["id"]}
        links = tables.report_links
        with self.context.store.beside() as connection:
            past = utc_now() - timedelta(seconds=1)
            connection.execute(update(links).where(links.c.id == ended_link).values(ends_on=past))
        return {
            "nothing": {},
            "wrong": header("a" + "x" * 43),
            "ended": header(ended),
            "revoked": header(revoked),
            "anybody": header(anybody),
            "commission": header(commission),
            "personal/nobody": header(personal),
            "personal/colleague": header(personal) | self.headers["colleague"],
            "personal/other": header(personal) | self.headers["other"],
            "personal/student": header(personal) | self.headers["student"],
            "personal/dean": header(personal) | self.headers["dean"],
            "commission/colleague": header(own_commission) | self.headers["colleague"],
        }
