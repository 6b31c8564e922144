"""A class in one go: each document against the library, and all against each other."""

from __future__ import annotations

import csv
import io
import json

import docx
import pypdfium2
import pytest

from likewise.server.database import tables
from tests.library.texts import invented
from tests.server.checking import APPLES, MARKET, RIVER, add, post, small_library, zipped


@pytest.fixture
def colleague(log_in):
    return log_in("bolat")


def essay(number: int) -> str:
    return invented(60, seed=number)


def a_class() -> dict[str, str]:
    """Ten essays: one copies the library, two copy each other."""
    essays = {f"essay-{i}.txt": essay(i) for i in range(10)}
    essays["essay-3.txt"] = f"{essay(3)}\n\n{RIVER}"
    essays["essay-7.txt"] = f"{essay(7)}\n\n{MARKET}"
    essays["essay-8.txt"] = f"{essay(8)}\n\n{MARKET}"
    return essays


def batched(client, work_off, files, **request):
    answer = post(client, "/batches", files, **request)
    assert answer.status_code == 202, answer.text
    work_off()
    found = client.get(f"/batches/{answer.json()['id']}").json()
    assert found["state"] == "done", found
    return found


def checks_of(client, batch, **asked):
    return client.get(f"/batches/{batch}/checks", params=asked).json()["items"]


def test_ten_essays_are_checked_against_the_library_and_each_other(context, teacher, work_off):
    add(context, river=RIVER, apples=APPLES)
    started = post(teacher, "/batches", a_class(), name="Class 4")
    waiting = teacher.get(f"/batches/{started.json()['id']}").json()
    assert (waiting["state"], waiting["name"], waiting["summary"]) == ("queued", "Class 4", None)
    assert teacher.get(f"/batches/{waiting['id']}/view").json()["kind"] == "not ready"
    work_off()
    batch = teacher.get(f"/batches/{waiting['id']}").json()
    summary = batch["summary"]
    assert (summary["documents"], summary["pairs"], summary["unread"]) == (10, 1, [])
    checks = checks_of(teacher, batch["id"])
    assert len(checks) == 10 and {one["batch"] for one in checks} == {batch["id"]}
    similar = [one["summary"]["shares"]["similar"] for one in checks]
    assert similar == sorted(similar, reverse=True)
    tops = {one["name"]: [top["name"] for top in one["summary"]["top"]] for one in checks}
    assert tops["essay-3.txt"] == ["river.txt"] and tops["essay-7.txt"] == ["essay-8.txt"]
    assert not tops["essay-0.txt"]
    view = teacher.get(f"/batches/{batch['id']}/view").json()
    assert view["kind"] == "batch" and len(view["checks"]) == 10
    one = next(one for one in checks if one["name"] == "essay-3.txt")
    result = teacher.get(f"/checks/{one['id']}/result").json()
    assert result["sources"][0]["document"] == context.library.list(search="river").entries[0].id
    # Lists of checks are not flooded by a class.
    assert teacher.get("/checks").json()["total"] == 0
    assert teacher.get("/checks?in_batches=true").json()["total"] == 10


def test_archives_are_opened_and_authors_found_by_their_folders(context, teacher, work_off):
    archive = zipped(
        {
            "Asel Nur_701_assignsubmission_file_/essay.txt": essay(1),
            "Dana Lee_702_assignsubmission_file_/essay.txt": essay(2),
            "../../etc/passwd.txt": essay(3),
            "__MACOSX/._essay.txt": "litter",
            "broken.pdf": "%PDF-1.7 broken",
        }
    )
    batch = batched(teacher, work_off, {"class.zip": archive})
    assert batch["name"] == "class.zip" and batch["summary"]["documents"] == 3
    assert [one["name"] for one in batch["summary"]["unread"]] == ["broken.pdf"]
    view = teacher.get(f"/batches/{batch['id']}/view").json()
    labels = {one["document"]["name"]: one["document"]["label"] for one in view["checks"]}
    assert set(labels.values()) == {"Asel Nur", "Dana Lee", "passwd.txt"}
    listed = teacher.get("/checks", params={"in_batches": True}).json()["items"]
    assert {one["name"]: one["label"] for one in listed} == labels
    assert {one["batch_name"] for one in listed} == {"class.zip"}
    for one in checks_of(teacher, batch["id"]):  # the page of each calls it as the class does
        page = teacher.get(f"/checks/{one['id']}/view").json()
        assert page["document"]["label"] == labels[one["name"]]
    assert batch["summary"]["most_similar"]["label"] in labels.values()
    authors = {one["document"]["name"]: one["document"]["author"] for one in view["checks"]}
    assert authors["Asel Nur_701_assignsubmission_file_/essay.txt"] == "Asel Nur"
    assert "etc/passwd.txt" in authors


def test_files_of_the_same_name_are_told_apart(context, teacher, work_off):
    files = [
        ("essay.txt", essay(1)),
        ("essay.txt", essay(2)),
        ("class.zip", zipped({"a.txt": RIVER})),
    ]
    batch = batched(teacher, work_off, files)
    names = {one["name"] for one in checks_of(teacher, batch["id"])}
    assert names == {"essay.txt", "essay.txt (2)", "class.zip/a.txt"}


def test_a_batch_without_documents_fails_with_the_reason(teacher, work_off):
    answer = post(teacher, "/batches", {"class.zip": zipped({"broken.pdf": "%PDF-1.7 broken"})})
    work_off()
    failed = teacher.get(f"/batches/{answer.json()['id']}").json()
    assert failed["state"] == "failed" and "broken.pdf" in failed["error"]
    assert post(teacher, "/batches", {}).status_code == 422


def test_an_archive_of_too_many_files_is_refused_by_the_worker(context, teacher, work_off):
    with context.store.beside() as connection:
        context.change_settings(connection, context.settings.model_copy(update={"most_files": 3}))
    files = {f"{i}.txt": essay(i) for i in range(4)}
    answer = post(teacher, "/batches", {"class.zip": zipped(files)})
    work_off()
    failed = teacher.get(f"/batches/{answer.json()['id']}").json()
    assert failed["state"] == "failed" and "3 files" in failed["error"]


def test_templates_and_keeping_hold_for_a_class_too(context, teacher, work_off):
    files = {
        "task.txt": RIVER,
        "a.txt": f"{RIVER}\n\n{essay(1)}",
        "b.txt": f"{RIVER}\n\n{essay(2)}",
    }
    batch = batched(teacher, work_off, files, templates=["task.txt"], keep=True)
    assert batch["summary"]["documents"] == 2 and batch["summary"]["similar"] == 0
    for check in teacher.get(f"/batches/{batch['id']}/view").json()["checks"]:
        assert check["made"]["counting"]["templates"] == ["task.txt"]
        assert {one["reason"] for one in check["exclusions"]} == {"template"}
    work_off()
    assert {entry.name for entry in context.library.list().entries} == {"a.txt", "b.txt"}


def test_what_is_decided_about_one_document_shows_in_the_report_of_all(
    context, teacher, colleague, work_off
):
    small_library(context)
    batch = batched(teacher, work_off, a_class())["id"]
    one = checks_of(teacher, batch, search="essay-3")[0]
    reason = "her own earlier article"
    made = teacher.post(
        f"/checks/{one['id']}/exclusions", json={"source": "river.txt", "reason": reason}
    )
    assert made.status_code == 201
    teacher.post(f"/batches/{batch}/share", json={"shared": True})
    confirmed = colleague.post(f"/checks/{one['id']}/confirmations", json={"comment": "agreed"})
    assert confirmed.status_code == 201
    view = teacher.get(f"/batches/{batch}/view").json()
    changed = next(c for c in view["checks"] if c["document"]["name"] == "essay-3.txt")
    assert changed["shares"]["similar"] == 0 and changed["decisions"][0]["reason"] == reason
    for format, said in reports_of(teacher, batch):
        assert reason in said and "bolat" in said and "aigul" in said, format
    # The others of the class are as they were.
    assert sum(bool(c["decisions"]) for c in view["checks"]) == 1


def reports_of(client, batch):
    def report(format):
        answer = client.get(f"/batches/{batch}/report", params={"format": format})
        assert answer.status_code == 200, answer.text
        return answer.content

    pages = pypdfium2.PdfDocument(report("pdf"))
    said = " ".join(page.get_textpage().get_text_bounded() for page in pages)
    pages.close()
    yield "pdf", " ".join(said.split())
    document = docx.Document(io.BytesIO(report("docx")))
    yield "docx", " ".join(c.text for t in document.tables for c in t._cells)
    rows = list(csv.reader(io.StringIO(report("csv").decode("utf-8-sig"))))
    assert {len(row) for row in rows} == {len(rows[0])}
    yield "csv", " ".join(cell for row in rows for cell in row)
    yield "json", json.dumps(json.loads(report("json")), ensure_ascii=False)
    assert b"<script" in report("html")


ROUTES = [
    *(("get", path) for path in ("", "/checks", "/view", "/report?format=csv")),
    *(("delete", ""), ("post", "/share")),
]


def test_nobody_reaches_the_batch_of_another(
    context, anybody, teacher, colleague, administrator, work_off
):
    batch = batched(teacher, work_off, {"a.txt": essay(1), "b.txt": essay(2)})["id"]
    check = checks_of(teacher, batch)[0]["id"]
    for method, path in ROUTES:
        body = {"json": {"shared": True}} if method == "post" else {}
        assert anybody.request(method, f"/batches/{batch}{path}", **body).status_code == 401
        for other in (colleague, administrator):
            answer = other.request(method, f"/batches/{batch}{path}", **body)
            assert (answer.status_code, answer.json()["kind"]) == (404, "not found"), path
    assert colleague.get(f"/checks/{check}").status_code == 404
    assert colleague.get("/batches").json()["total"] == 0
    teacher.post(f"/batches/{batch}/share", json={"shared": True})
    assert colleague.get(f"/batches/{batch}/view").status_code == 200
    assert colleague.get(f"/checks/{check}").status_code == 200
    assert colleague.delete(f"/batches/{batch}").status_code == 403
    assert teacher.post(f"/checks/{check}/share", json={"shared": False}).status_code == 409
    assert teacher.delete(f"/checks/{check}").status_code == 409
    teacher.post(f"/batches/{batch}/share", json={"shared": False})
    assert colleague.get(f"/checks/{check}").status_code == 404


def test_a_batch_goes_with_everything_that_belongs_to_it(context, teacher, work_off):
    batch = batched(teacher, work_off, {"a.txt": essay(1), "b.txt": essay(2)})["id"]
    assert teacher.delete(f"/batches/{batch}").status_code == 204
    assert teacher.get(f"/batches/{batch}").status_code == 404
    with context.store.reading() as connection:
        for table in (tables.batches, tables.batch_results, tables.checks, tables.check_results):
            assert not connection.execute(table.select()).all()


def test_a_job_that_runs_again_doubles_nothing(context, teacher, work_off):
    batch = batched(teacher, work_off, {"a.txt": essay(1), "b.txt": essay(2)})
    before = checks_of(teacher, batch["id"])
    with context.store.beside() as connection:
        jobs = tables.jobs
        connection.execute(jobs.update().where(jobs.c.id == batch["job"]).values(state="queued"))
    assert work_off() == 1
    assert checks_of(teacher, batch["id"]) == before
