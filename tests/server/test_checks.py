"""Checks from the upload to the result: whose they are, what they find, how they end."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from likewise.language import concepts
from likewise.library import check as library_check
from likewise.results import CheckResult, decode
from likewise.server.database import tables
from tests.renderings import BEES, RUSSIAN_BEES
from tests.server.checking import (
    APPLES,
    MARKET,
    OWN,
    RIVER,
    add,
    checked,
    post,
    small_library,
    thesis,
    zipped,
)

FILES = Path(__file__).parents[1] / "files"


@pytest.fixture
def colleague(log_in):
    return log_in("bolat")


def names(result):
    return [source["name"] for source in result["sources"]]


def result_of(client, id, **asked):
    answer = client.get(f"/checks/{id}/result", params=asked)
    assert answer.status_code == 200, answer.text
    decode(CheckResult, answer.json())
    return answer.json()


def test_a_check_goes_from_the_upload_to_sources_passages_and_measures(context, teacher, work_off):
    small_library(context)
    started = post(teacher, "/checks", {"thesis.txt": thesis()})
    assert started.status_code == 202
    id, job = started.json()["id"], started.json()["job"]
    waiting = teacher.get(f"/checks/{id}").json()
    assert (waiting["state"], waiting["job"], waiting["summary"]) == ("queued", job, None)
    not_ready = teacher.get(f"/checks/{id}/result")
    assert (not_ready.status_code, not_ready.json()["kind"]) == (409, "not ready")
    assert work_off() == 1

    found = teacher.get(f"/checks/{id}").json()
    assert (found["state"], found["error"], found["name"]) == ("done", None, "thesis.txt")
    summary = found["summary"]
    assert summary["sources"] == 2 and summary["documents"] == 3
    assert 0.5 < summary["shares"]["similar"] < 0.9
    assert {top["name"] for top in summary["top"]} == {"river.txt", "market.txt"}

    result = result_of(teacher, id)
    assert sum(result["shares"].values()) == pytest.approx(1)
    river = next(one for one in result["sources"] if one["name"] == "river.txt")
    start, end = river["passages"][0]["a"]
    assert RIVER[:40] in thesis()[start:end] and river["passages"][0]["kind"] == "verbatim"
    assert teacher.get(f"/documents/{river['document']}").json()["name"] == "river.txt"
    measures = river["measures"]
    assert measures["containment_b"] == 1 and 0 < measures["matching_shingles"] < 1
    assert measures["matching"] == "fuzzy duplicate"
    assert measures["interval"]["level"] == 99
    assert measures["interval"]["low"] <= measures["agreement"] <= measures["interval"]["high"]


def test_the_interval_and_the_verdict_follow_the_level_and_the_percentage(
    context, teacher, work_off
):
    small_library(context)
    id = checked(teacher, work_off, RIVER, options={"min_percentage": 60})
    full = result_of(teacher, id)["sources"][0]["measures"]
    assert (full["percentage"], full["matching"], full["is_similar"]) == (
        100,
        "full duplicate",
        True,
    )
    id = checked(teacher, work_off, options={"min_percentage": 60})
    first = result_of(teacher, id)
    assert first["min_percentage"] == 60
    for level, percentage in ((90, 1.0), (95, 99.0)):
        again = result_of(teacher, id, level=level, min_percentage=percentage)
        for source in again["sources"]:
            measures = source["measures"]
            assert measures["interval"]["level"] == level
            assert measures["is_similar"] == (measures["percentage"] >= percentage)
    assert teacher.get(f"/checks/{id}/result?level=80").status_code == 422


def test_the_level_that_a_check_was_asked_for_is_that_of_its_report_and_result(
    context, teacher, work_off
):
    small_library(context)
    id = checked(teacher, work_off, options={"level": 90})
    assert result_of(teacher, id)["level"] == 90
    view = teacher.get(f"/checks/{id}/view").json()
    assert {source["measures"]["level"] for source in view["sources"]} == {90}
    assert result_of(teacher, id, level=95)["level"] == 95
    refused = post(teacher, "/checks", {"a.txt": OWN}, options={"level": 80})
    assert refused.status_code == 422
    batch = post(teacher, "/batches", {"a.txt": thesis(), "b.txt": MARKET}, options={"level": 95})
    work_off()
    view = teacher.get(f"/batches/{batch.json()['id']}/view").json()
    measures = [each["measures"] for one in view["checks"] for each in one["sources"]]
    assert {each["level"] for each in measures if each} == {95}


def test_sources_are_told_by_agreement_on_request_and_keep_their_numbers(
    context, teacher, work_off
):
    small_library(context)
    context.library.add_texts({"twin.txt": f"{thesis()} And one sentence more."}, owner="dean")
    id = checked(teacher, work_off)
    by_share = result_of(teacher, id)["sources"]
    by_agreement = result_of(teacher, id, sort="agreement")["sources"]
    assert [one["number"] for one in by_share] == list(range(1, len(by_share) + 1))
    assert sorted(by_agreement, key=lambda one: one["number"]) == by_share
    agreements = [one["measures"]["agreement"] for one in by_agreement]
    assert agreements == sorted(agreements, reverse=True) and len(agreements) > 1
    assert teacher.get(f"/checks/{id}/result?sort=name").status_code == 422


def test_filters_collections_and_people_choose_the_sources(context, teacher, work_off):
    context.library.add_texts({"river.txt": RIVER}, owner="aigul", type="essay", year=2020)
    context.library.add_texts({"market.txt": MARKET}, owner="dean", author="A. Nur", type="thesis")

    def sources(**request):
        return set(names(result_of(teacher, checked(teacher, work_off, **request))))

    assert sources() == {"river.txt", "market.txt"}
    assert sources(filters={"type": "essay"}) == {"river.txt"}
    assert sources(filters={"type": ["thesis", "report"]}) == {"market.txt"}
    assert sources(filters={"year_from": 2019, "year_to": 2021}) == {"river.txt"}
    assert sources(not_mine=True) == {"market.txt"}
    assert sources(not_by="a. nur") == {"river.txt"}
    assert sources(options={"min_share": 0.9}) == set()


def test_the_library_of_all_is_called_library(context, teacher, work_off):
    small_library(context)
    id = checked(teacher, work_off, collections=["library"], keep=True, collection="library")
    assert len(teacher.get(f"/checks/{id}/result").json()["sources"]) == 2
    kept = teacher.get("/documents", params={"search": "thesis"}).json()["items"]
    assert [one["collection"] for one in kept] == ["library"]


def test_likely_sources_are_told_before_the_check_has_ended(
    context, teacher, work_off, monkeypatch
):
    small_library(context)
    seen = []
    align = library_check.check_against  # type: ignore[attr-defined]

    def looked_at(*given, **how):
        job = teacher.get("/jobs").json()["items"][0]
        seen.append((job["state"], [one["name"] for one in job["outcome"]["first"]]))
        return align(*given, **how)

    monkeypatch.setattr(library_check, "check_against", looked_at)
    id = checked(teacher, work_off)
    assert seen == [("running", ["river.txt", "market.txt"])]
    job = teacher.get("/jobs").json()["items"][0]
    assert job["outcome"] == {"check": id}


def test_private_collections_of_others_are_never_searched(context, teacher, colleague, work_off):
    mine = teacher.post("/collections", json={"name": "mine"}).json()["id"]
    add(context, "aigul", mine, river=RIVER)
    add(context, market=MARKET)
    assert set(names(result_of(teacher, checked(teacher, work_off)))) == {"river.txt", "market.txt"}
    assert names(result_of(colleague, checked(colleague, work_off))) == ["market.txt"]
    assert names(result_of(teacher, checked(teacher, work_off, collections=[mine]))) == [
        "river.txt"
    ]
    refused = post(colleague, "/checks", {"a.txt": thesis()}, collections=[mine])
    assert (refused.status_code, refused.json()["kind"]) == (404, "not found")


def test_rights_are_those_of_the_moment_in_which_a_check_runs(
    context, teacher, colleague, work_off
):
    theirs = colleague.post("/collections", json={"name": "theirs"}).json()["id"]
    colleague.patch(f"/collections/{theirs}", json={"is_shared": True})
    add(context, "bolat", theirs, river=RIVER)
    asked = post(teacher, "/checks", {"a.txt": thesis()}, collections=[theirs]).json()["id"]
    unasked = post(teacher, "/checks", {"a.txt": thesis()}).json()["id"]
    colleague.patch(f"/collections/{theirs}", json={"is_shared": False})
    work_off()
    failed = teacher.get(f"/checks/{asked}").json()
    assert failed["state"] == "failed" and "collections" in failed["error"]
    assert result_of(teacher, unasked)["sources"] == []


def test_a_document_of_the_library_is_checked_without_being_its_own_source(
    context, teacher, work_off
):
    small_library(context)
    add(context, copy=thesis())
    number = context.library.list(search="copy").entries[0].id
    started = post(teacher, "/checks", {}, document=number)
    assert started.status_code == 202
    work_off()
    id = started.json()["id"]
    assert teacher.get(f"/checks/{id}").json()["name"] == "copy.txt"
    assert set(names(result_of(teacher, id))) == {"river.txt", "market.txt"}
    for request in ({"document": 999_999}, {}):
        assert post(teacher, "/checks", {}, **request).status_code in (404, 422)
    both = post(teacher, "/checks", {"a.txt": OWN}, document=number)
    assert both.status_code == 422


def test_a_document_that_may_not_be_read_cannot_be_checked_by_its_number(
    context, teacher, colleague, work_off
):
    mine = teacher.post("/collections", json={"name": "mine"}).json()["id"]
    add(context, "aigul", mine, river=RIVER)
    number = context.library.list(search="river").entries[0].id
    assert post(teacher, "/checks", {}, document=number).status_code == 202
    assert post(colleague, "/checks", {}, document=number).status_code == 404


def test_templates_are_named_among_the_files_and_do_not_count(context, teacher, work_off):
    small_library(context)
    files = [("form.txt", RIVER), ("thesis.txt", thesis())]
    several = post(teacher, "/checks", files)
    assert (several.status_code, several.json()["code"]) == (422, "server.one_document")
    id = post(teacher, "/checks", files, templates=["form.txt"]).json()["id"]
    work_off()
    result = result_of(teacher, id)
    assert "template" in {one["reason"] for one in result["exclusions"]}
    assert result["counting"]["templates"] == ["form.txt"]
    missing = post(teacher, "/checks", files, templates=["other.txt"])
    assert missing.status_code == 422 and "other.txt" in missing.json()["message"]


def test_a_checked_document_can_be_kept_in_the_library(context, teacher, work_off):
    small_library(context)
    text = thesis()
    id = checked(teacher, work_off, text, keep=True, metadata={"author": "A. Nur", "year": 2024})
    assert names(result_of(teacher, id)) and len(context.library) == 4
    entry = context.library.list(search="thesis").entries[0]
    assert (entry.author, entry.year, entry.owner) == ("A. Nur", 2024, "aigul")
    work_off()
    assert len(context.library) == 4
    nobody = post(teacher, "/checks", {"a.txt": OWN}, keep=True, metadata={"owner": "dean"})
    assert nobody.status_code == 422


def test_an_unreadable_file_fails_with_its_reason(context, teacher, work_off):
    small_library(context)
    broken = next((FILES / "broken").glob("*.docx"))
    answer = post(teacher, "/checks", {"broken.docx": broken.read_bytes()})
    if answer.status_code == 202:
        work_off()
        found = teacher.get(f"/checks/{answer.json()['id']}").json()
        assert found["state"] == "failed" and "broken.docx" in found["error"]
        refused = teacher.get(f"/checks/{found['id']}/report")
        assert refused.status_code == 409 and refused.json()["details"]["state"] == "failed"
    else:
        assert answer.json()["kind"] == "unsupported file"
    id = post(teacher, "/checks", {"empty.txt": "  \n "}).json()["id"]
    work_off()
    failed = teacher.get(f"/checks/{id}").json()
    assert (failed["state"], failed["summary"]) == ("failed", None)
    assert "no text" in failed["error"]


def test_an_archive_is_a_batch_and_no_check(teacher):
    refused = post(teacher, "/checks", {"class.zip": zipped({"a.txt": OWN})})
    assert (refused.status_code, refused.json()["kind"]) == (415, "unsupported file")


def test_a_thesis_of_several_formats_is_checked(context, teacher, work_off):
    paper = next(path for path in sorted((FILES / "pdf").glob("*.pdf")) if path.stat().st_size)
    word = next(path for path in sorted((FILES / "docx").glob("*.docx")) if path.stat().st_size)
    context.library.add(word)
    context.library.add(paper)
    for path in (word, paper):
        id = checked_file(teacher, work_off, path)
        result = result_of(teacher, id)
        assert result["sources"][0]["share"] > 0.5, path.name


def checked_file(client, work_off, path):
    id = post(client, "/checks", {path.name: path.read_bytes()}).json()["id"]
    work_off()
    found = client.get(f"/checks/{id}").json()
    assert found["state"] == "done", found
    return id


def test_a_check_cancelled_in_the_middle_says_so_and_leaves_nothing(
    context, teacher, work_off, monkeypatch
):
    small_library(context)
    started = post(teacher, "/checks", {"thesis.txt": thesis()}).json()
    aligning, cancelled = threading.Event(), threading.Event()
    check = type(context.library).check_by

    def slow(self, *args, progress, **more):
        def tell(stage, done, total):
            aligning.set()
            cancelled.wait(30)
            for _ in range(400):
                progress(stage, done, total)
                threading.Event().wait(0.02)

        return check(self, *args, progress=tell, **more)

    monkeypatch.setattr(type(context.library), "check_by", slow)
    running = threading.Thread(target=work_off)
    running.start()
    assert aligning.wait(30)
    assert teacher.get(f"/checks/{started['id']}").json()["state"] == "running"
    assert teacher.post(f"/jobs/{started['job']}/cancel").status_code == 200
    cancelled.set()
    running.join(60)
    found = teacher.get(f"/checks/{started['id']}").json()
    assert (found["state"], found["summary"]) == ("cancelled", None)
    refused = teacher.get(f"/checks/{started['id']}/result").json()
    assert refused["details"]["state"] == "cancelled"
    with context.store.reading() as connection:
        for table in (tables.check_results, tables.uploads):
            assert not connection.execute(table.select()).all()


def test_a_job_that_runs_again_doubles_nothing(context, teacher, work_off):
    small_library(context)
    id = checked(teacher, work_off, keep=True)
    job = teacher.get(f"/checks/{id}").json()["job"]
    before = result_of(teacher, id)
    with context.store.beside() as connection:
        jobs = tables.jobs
        connection.execute(jobs.update().where(jobs.c.id == job).values(state="queued"))
    assert work_off() == 1
    assert result_of(teacher, id) == before
    assert len(context.library) == 4
    with context.store.reading() as connection:
        assert len(connection.execute(tables.check_results.select()).all()) == 1


def test_a_check_that_is_deleted_while_it_waits_is_not_run(context, teacher, work_off):
    small_library(context)
    started = post(teacher, "/checks", {"thesis.txt": thesis()}).json()
    assert teacher.delete(f"/checks/{started['id']}").status_code == 204
    assert teacher.get(f"/checks/{started['id']}").status_code == 404
    work_off()
    with context.store.reading() as connection:
        for table in (tables.checks, tables.uploads, tables.check_results):
            assert not connection.execute(table.select()).all()


def test_lists_are_searched_filtered_sorted_and_paged(context, teacher, colleague, work_off):
    small_library(context)
    copied = checked(teacher, work_off, thesis(RIVER, MARKET), "Диплом Алии.txt")
    original = checked(teacher, work_off, OWN, "essay 100%.txt")
    waiting = post(teacher, "/checks", {"later.txt": OWN}).json()["id"]

    def ids(client=teacher, **asked):
        page = client.get("/checks", params=asked).json()
        return [one["id"] for one in page["items"]]

    assert ids() == [waiting, original, copied]
    assert ids(sort="made_on") == [copied, original, waiting]
    assert ids(sort="-similar")[:2] == [copied, original]
    assert ids(sort="similar")[:2] == [original, copied]
    assert ids(sort="name", limit=1, offset=0) == [original]
    assert ids(search="диплом") == [copied] and ids(search="АЛИИ диплом") == [copied]
    assert ids(search="100%") == [original] and ids(search="%") == [original]
    assert ids(search="_") == [] and ids(search="' OR 1=1 --") == []
    assert ids(state="queued") == [waiting] and ids(state="done") == [original, copied]
    assert teacher.get("/checks", params={"limit": 1}).json()["total"] == 3
    assert ids(colleague) == []
    teacher.post(f"/checks/{copied}/share", json={"shared": True})
    assert ids(colleague) == [copied] == ids(colleague, whose="shared")
    assert ids(whose="shared") == [] and ids(colleague, whose="mine") == []
    for wrong in ({"sort": "password"}, {"limit": 501}, {"state": "lost"}):
        assert teacher.get("/checks", params=wrong).status_code == 422


ROUTES = [
    *(("get", path) for path in ("", "/result", "/view", "/report?format=csv", "/exclusions")),
    *(("delete", path) for path in ("", "/exclusions/abc", "/confirmations/abc", "/comments/abc")),
    *(("post", path) for path in ("/share", "/exclusions", "/confirmations", "/comments")),
]
BODIES = {
    "/share": {"shared": True},
    "/exclusions": {"source": "river.txt", "reason": "x"},
    "/confirmations": {},
    "/comments": {"span": [0, 5], "comment": "x"},
}


def test_nobody_reaches_the_check_of_another(
    context, anybody, teacher, colleague, administrator, work_off
):
    small_library(context)
    id = checked(teacher, work_off)
    for method, path in ROUTES:
        body = {"json": BODIES[path]} if method == "post" else {}
        assert anybody.request(method, f"/checks/{id}{path}", **body).status_code == 401
        for other in (colleague, administrator):
            answer = other.request(method, f"/checks/{id}{path}", **body)
            assert (answer.status_code, answer.json()["kind"]) == (404, "not found"), path
            guessed = other.request(method, f"/checks/{'0' * 24}{path}", **body)
            assert guessed.json() == answer.json()
    assert teacher.get(f"/checks/{id}").status_code == 200


def test_a_shared_check_is_read_by_others_and_changed_by_its_owner(
    context, teacher, colleague, work_off
):
    small_library(context)
    id = checked(teacher, work_off)
    shared = teacher.post(f"/checks/{id}/share", json={"shared": True}).json()
    assert shared["is_shared"] and shared["private_sources"] == 0
    seen = colleague.get(f"/checks/{id}").json()
    assert not seen["is_mine"] and seen["owner_name"] == "aigul" and seen["may_confirm"]
    assert names(result_of(colleague, id)) == names(result_of(teacher, id))
    for refused in (
        colleague.post(f"/checks/{id}/share", json={"shared": True}),
        colleague.post(f"/checks/{id}/exclusions", json={"source": "river.txt", "reason": "x"}),
        colleague.delete(f"/checks/{id}"),
    ):
        assert (refused.status_code, refused.json()["kind"]) == (403, "not allowed")
    teacher.post(f"/checks/{id}/share", json={"shared": False})
    assert colleague.get(f"/checks/{id}").status_code == 404


def test_sharing_tells_of_private_sources_and_gives_their_numbers_to_nobody(
    context, teacher, colleague, administrator, work_off
):
    mine = teacher.post("/collections", json={"name": "mine"}).json()["id"]
    add(context, "aigul", mine, river=RIVER)
    add(context, market=MARKET)
    id = checked(teacher, work_off)
    assert teacher.post(f"/checks/{id}/share", json={"shared": True}).json()["private_sources"] == 1
    numbers = {one["name"]: one["document"] for one in result_of(colleague, id)["sources"]}
    assert numbers["river.txt"] is None and numbers["market.txt"] is not None
    own = {one["name"]: one["document"] for one in result_of(teacher, id)["sources"]}
    assert None not in own.values()
    noted = administrator.get("/audit", params={"act": "check shared"}).json()["items"]
    assert [(one["target"], one["detail"]["private_sources"]) for one in noted] == [(id, 1)]


def test_a_day_has_as_many_checks_as_the_site_allows(context, teacher, work_off):
    with context.store.beside() as connection:
        few = context.settings.model_copy(update={"most_checks_a_day": 1})
        context.change_settings(connection, few)
    assert post(teacher, "/checks", {"a.txt": OWN}).status_code == 202
    refused = post(teacher, "/checks", {"a.txt": OWN})
    assert (refused.status_code, refused.json()["kind"]) == (403, "quota reached")
    assert post(teacher, "/similar", {"a.txt": OWN}).json()["kind"] == "quota reached"
    assert post(teacher, "/batches", {"a.txt": OWN}).json()["kind"] == "quota reached"


def test_a_key_needs_the_scopes_of_what_it_does(context, teacher, app, log_in):
    def with_key(*scopes):
        made = teacher.post("/keys", json={"name": "script", "scopes": list(scopes)}).json()
        client = log_in("aigul")
        client.headers["Authorization"] = f"Bearer {made['secret']}"
        return client

    reader, writer = with_key("checks:read"), with_key("checks:write")
    assert reader.get("/checks").status_code == 200
    assert post(reader, "/checks", {"a.txt": OWN}).status_code == 403
    assert writer.get("/checks").status_code == 403
    assert post(writer, "/checks", {"a.txt": OWN}).status_code == 202
    assert post(writer, "/checks", {"a.txt": OWN}, keep=True).status_code == 403


def test_a_request_that_makes_no_sense_is_refused(teacher):
    for request in (
        {"options": {"min_words": 0}},
        {"options": {"min_share": 2}},
        {"options": {"count": []}},
        {"options": {"by_meaning": "perhaps"}},
        {"options": {"count": ["paraphrased"]}},
        {"filters": {"year_from": -1}},
        {"filters": {"owner": "dean"}},
        {"collections": "all"},
        {"not_by": ""},
        {"document": 0},
        {"metadata": {"year": "soon"}},
        {"surprise": 1},
    ):
        refused = post(teacher, "/checks", {"a.txt": OWN}, **request)
        assert (refused.status_code, refused.json()["kind"]) == (422, "bad request"), request


def test_only_the_wordings_that_are_asked_for_count(context, teacher, work_off):
    small_library(context)
    usual = result_of(teacher, checked(teacher, work_off))
    id = checked(teacher, work_off, options={"count": ["reworded", "translated"]})
    result = result_of(teacher, id)
    assert usual["count"] == ["word_for_word", "reworded", "translated"]
    assert result["count"] == result["counting"]["count"] == ["reworded", "translated"]
    assert result["wordings"] == usual["wordings"] and result["wordings"]["word_for_word"] > 0.5
    assert result["shares"]["similar"] == result["wordings"]["reworded"]
    assert names(result) == names(usual)  # shown, and not counted
    summary = teacher.get(f"/checks/{id}").json()["summary"]
    assert (summary["wordings"], summary["count"]) == (result["wordings"], result["count"])
    view = json.loads(teacher.get(f"/checks/{id}/view").content)
    assert view["count"] == ["reworded", "translated"] and 3 in view["segments"]["state"]


def test_passages_by_meaning_can_be_switched_off(context, teacher, work_off):
    add(context, copied=f"{RIVER}\n\n{RUSSIAN_BEES}")
    for options, kinds in ({}, ["verbatim", "translated"]), ({"by_meaning": False}, ["verbatim"]):
        id = checked(teacher, work_off, f"{RIVER}\n\n{BEES}", options=options)
        result = result_of(teacher, id)
        assert [passage["kind"] for passage in result["sources"][0]["passages"]] == kinds
        assert result["counting"] == options  # so that it can be asked for again
        view = json.loads(teacher.get(f"/checks/{id}/view").content)
        assert (view["made"]["concepts"], view["made"]["counting"]) == (result["concepts"], options)
        assert result["concepts"] == ("" if options else concepts.recipe())


def test_stored_names_are_data(context, teacher, work_off):
    small_library(context)
    name = "<img src=x onerror=alert(1)>'; DROP TABLE checks;--.txt"
    id = checked(teacher, work_off, name=name)
    assert teacher.get(f"/checks/{id}").json()["name"] == name
    assert json.loads(teacher.get(f"/checks/{id}/view").content)["document"]["name"] == name
    page = teacher.get(f"/checks/{id}/report").text
    assert "<img src=x" not in page


def test_apples_are_apples(context, teacher, work_off):
    """A text that nobody holds is original."""
    add(context, apples=APPLES)
    result = result_of(teacher, checked(teacher, work_off, OWN))
    assert result["shares"]["original"] == 1 and result["documents"] == 1
