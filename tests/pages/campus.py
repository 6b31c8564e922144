"""A server with something on each of its pages."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from tests.library.texts import invented

from .live_server import LiveServer
from .making import EXAMPLES, FILES, RING, class_of_forty, thesis, zipped

SHOWN = {
    "aigul": "Айгүл Нұрланқызы",
    "boris": "Борис Петров",
    "dean": "Сәуле Омарова",
    "daniyar": "Данияр Ахметов",
}


class Campus:
    """What has which address."""

    def __init__(self, live_server: LiveServer) -> None:
        self.live_server = live_server
        live_server.people(
            aigul=f"teacher:{SHOWN['aigul']}",
            boris=f"teacher:{SHOWN['boris']}",
            dean=f"administrator:{SHOWN['dean']}",
            daniyar=f"student:{SHOWN['daniyar']}",
        )
        texts = {p.name: p.read_text("utf-8") for p in sorted((EXAMPLES / "archive").glob("*"))}
        twice = invented(80, seed=1)
        live_server.texts("dean", texts | {"жұп.txt": twice, "көшірме.txt": f"{twice}\n"})
        live_server.start(workers=2)
        with live_server.client("dean") as dean, live_server.client("boris") as boris:
            self._fill(dean, boris)

    def _fill(self, dean: httpx.Client, boris: httpx.Client) -> None:
        for name in ("Дипломная работа", "Эссе"):
            sent(dean.post("/document-types", json={"name": name}))
        sent(dean.post("/collections", json={"name": "Курсовые", "about": "Осень 2026"}))
        sent(dean.patch("/providers/brave", json={"values": {"key": "none of ours"}}))
        sent(dean.post("/keys", json={"name": "Айгүл", "scopes": ["checks:read"]}))
        trick = next(iter(sorted((FILES / "tricks").glob("*.docx"))))
        about = {"author": "Жандос Әли", "type": "Эссе", "year": 2024, "tags": ["көктем"]}
        files = {"қулық.docx": trick.read_bytes(), "locked.pdf": _locked()}
        added = ended(dean, post(dean, "/documents", files, metadata=about)["job"])
        self.document = next(one["id"] for one in added["outcome"]["documents"] if one["id"])
        self.check = post(dean, "/checks", {"диплом.docx": thesis()})["id"]
        self.failed = post(dean, "/checks", {"locked.pdf": _locked()})["id"]
        essay = {"эссе.txt": (EXAMPLES / "essays" / "aigerim-aral.txt").read_bytes()}
        self.similar = post(dean, "/similar", essay, min_percentage=0)["job"]
        essays = class_of_forty()
        some = {name: essays[name] for name in (f"student-{i:02}.txt" for i in (*RING, 0, 1))}
        self.batch = post(dean, "/batches", {"топ.zip": zipped(some)}, name="11 Б, весна")["id"]
        for path in (f"/checks/{self.check}", f"/checks/{self.failed}", f"/batches/{self.batch}"):
            ended(dean, dean.get(path).json()["job"])
        source = dean.get(f"/checks/{self.check}/view").json()["sources"][0]["text"]["name"]
        reason = {"source": source, "reason": "Дәйексөз"}
        sent(dean.post(f"/checks/{self.check}/exclusions", json=reason))
        sent(dean.post(f"/checks/{self.check}/share", json={"shared": True}))
        ended(dean, sent(dean.post("/duplicates", json={}))["job"])
        self._fill_course(dean, essays)
        comment = {"comment": "Келісемін"}
        sent(boris.post(f"/checks/{self.check}/confirmations", json=comment))

    def _fill_course(self, dean: httpx.Client, essays: dict[str, str]) -> None:
        """One assignment is past its deadline, another one hides the names."""
        about = {"name": "Академиялық жазылым", "code": "АЖ-101", "term": "2026 күз"}
        self.course = sent(dean.post("/courses", json=about))["id"]
        members = [{"user_name": "daniyar"}, {"user_name": "boris", "role": "teacher"}]
        joined = sent(dean.post(f"/courses/{self.course}/members", json={"members": members}))
        self.student = next(one["id"] for one in joined if one["name"] == "daniyar")
        path = f"/courses/{self.course}/assignments"
        now = datetime.now(UTC)
        dates = {
            "opens_on": (now - timedelta(days=30)).isoformat(),
            "due_on": (now - timedelta(days=1)).isoformat(),
            "closes_on": (now + timedelta(days=30)).isoformat(),
        }
        task = {"name": "Эссе: дала", "instructions": "Дала туралы екі бет.", **dates}
        self.assignment = sent(dean.post(path, json=task))["id"]
        own = {"тапсырма.txt": "Дала туралы екі бет жазыңыз.".encode()}
        post(dean, f"/assignments/{self.assignment}/files", own)
        hidden = {"name": "Бақылау жұмысы", "is_blind": True}
        self.blind = sent(dean.post(path, json=hidden))["id"]
        names = ("Айдос Сейітов", "Мадина Оспанова", "Тимур Ким")
        packed = {
            f"{name}_20{n}_assignsubmission_file_/эссе.txt": essays[f"student-{i:02}.txt"]
            for n, (name, i) in enumerate(zip(names, RING, strict=False))
        }
        archive = {"moodle.zip": zipped(packed)}
        in_time = (now - timedelta(days=2)).isoformat()
        self._fill_open(dean, path, now, essays)
        for each in (self.assignment, self.blind):
            address = f"/assignments/{each}/submissions"
            ended(dean, post(dean, address, archive, handed_in_on=in_time)["job"])
            late = {"жұмыс.txt": essays["student-05.txt"].encode(), "locked.pdf": _locked()}
            handed_in = post(dean, address, late, user=self.student)
            ended(dean, handed_in["job"])
            self.unshown = handed_in["files"][0]["id"]  # its report is for teachers alone

    def _fill_open(
        self, dean: httpx.Client, path: str, now: datetime, essays: dict[str, str]
    ) -> None:
        """One that is due in two days, to which the student has handed in twice; one for later."""
        soon = {
            "due_on": (now + timedelta(days=2, hours=3)).isoformat(),
            "closes_on": (now + timedelta(days=9)).isoformat(),
        }
        rules = {
            "student_report": "always",
            "self_checks": True,
            "most_attempts": 5,
            "may_name_group": True,
        }
        task = {"name": "Эссе: өзен", "instructions": "Өзен туралы екі бет жазыңыз."}
        self.open = sent(dean.post(path, json={**task, **soon, "rules": rules}))["id"]
        later = {"name": "Рецензия", "due_on": (now + timedelta(days=20)).isoformat()}
        self.later = sent(dean.post(path, json=later))["id"]
        address = f"/assignments/{self.open}/submissions"
        other = {"эссе.txt": essays["student-27.txt"].encode()}
        ended(dean, post(dean, address, other, student="Тимур Ким")["job"])
        with self.live_server.client("daniyar") as student:
            post(student, address, {"өзен.txt": essays["student-03.txt"].encode()}, group="Өзен")
            both = {"өзен.txt": essays["student-11.txt"].encode(), "locked.pdf": _locked()}
            handed_in = post(student, address, both, group="Өзен")
            self.submission = next(
                one["id"] for one in handed_in["files"] if one["name"] == "өзен.txt"
            )
            for _ in range(600):
                found = student.get(f"/submissions/{self.submission}").json()
                if found["state"] == "checked":
                    return
                time.sleep(0.1)
        raise AssertionError(f"it is not checked: {found}")

    def own_pages(self) -> dict[str, str]:
        """Every page of a student."""
        return {
            "home": "/",
            "courses": "/courses",
            "course": f"/courses/{self.course}",
            "assignment": f"/assignments/{self.open}",
            "late-assignment": f"/assignments/{self.assignment}",
            "hand-in": f"/assignments/{self.open}/hand-in",
            "self-checks": f"/assignments/{self.open}/self-checks",
            "no-self-check": "/self-checks/none",
            "submissions": "/submissions",
            "no-submission-found": "/submissions?q=zzzz",
            "receipt": f"/submissions/{self.submission}",
            "own-report": f"/submissions/{self.submission}/report",
            "no-receipt": "/submissions/none",
            "not-for-students": "/library",
            "profile": "/profile",
            "my-data": "/profile/data",
            "missing": "/nowhere",
        }

    def pages(self) -> dict[str, str]:
        """Every page there is, by what it is called in pictures."""
        rooms = (
            *("users", "stop-words", "recipe", "types", "jobs", "settings", "audit"),
            *("erasures", "internet", "login", "mail", "consent"),
            *("retention", "statistics"),
        )
        return {
            "home": "/",
            "library": "/library",
            "nothing-found": "/library?q=zzzz",
            "add": "/library/add",
            "collections": "/library/collections",
            "duplicates": "/library/duplicates",
            "duplicate-pairs": "/library/duplicates?view=pairs",
            "similar": "/library/similar",
            "similar-documents": f"/library/similar?request={self.similar}",
            "document": f"/documents/{self.document}",
            "no-document": "/documents/99999",
            "checks": "/checks",
            "new-check": "/checks/new",
            "check": f"/checks/{self.check}",
            "failed-check": f"/checks/{self.failed}",
            "classes": "/classes",
            "new-class": "/classes/new",
            "class": f"/classes/{self.batch}",
            "courses": "/courses",
            "course": f"/courses/{self.course}",
            "members": f"/courses/{self.course}/members",
            "new-assignment": f"/courses/{self.course}/new",
            "assignment": f"/assignments/{self.assignment}",
            "all-attempts": f"/assignments/{self.assignment}?show=all&sort=-similar",
            "assignment-class": f"/assignments/{self.assignment}/class",
            "change-assignment": f"/assignments/{self.assignment}/change",
            "hand-in-files": f"/assignments/{self.assignment}/add",
            "blind-assignment": f"/assignments/{self.blind}",
            "students": "/students",
            "student": f"/students/{self.student}",
            "verify": "/certificates",
            "no-link": "/shared",
            "profile": "/profile",
            "my-data": "/profile/data",
            "retention-of-mine": "/retention",
            "missing": "/nowhere",
            **{room: f"/administration/{room}" for room in rooms},
        }


def _locked() -> bytes:
    return (FILES / "broken" / "locked.pdf").read_bytes()


def sent(answer: httpx.Response) -> Any:
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None


def post(client: httpx.Client, path: str, files: dict[str, bytes], **request: Any) -> Any:
    parts: list[Any] = [("file", (name, data)) for name, data in files.items()]
    parts.append(("request", (None, json.dumps(request), "application/json")))
    return sent(client.post(path, files=parts))


def ended(client: httpx.Client, job: str) -> Any:
    """The job, when it has ended."""
    for _ in range(600):
        found = client.get(f"/jobs/{job}").json()
        if found["state"] in ("done", "failed", "cancelled"):
            return found
        time.sleep(0.1)
    raise AssertionError(f"the job does not end: {found}")
