"""Duplicates inside the library, as far as whoever asks may read it."""

from __future__ import annotations

from typing import Any

import pytest

from likewise.server.context import ServerContext
from tests.server.checking import APPLES, MARKET, RIVER, add

NEARLY = RIVER.replace("three", "four")


@pytest.fixture
def library(context: ServerContext) -> None:
    add(context, "dean", river=RIVER, market=MARKET, apples=APPLES)
    add(context, "aigul", again=RIVER + "\n", nearly=NEARLY)


def find(client: Any, work_off: Any, **request: Any) -> tuple[dict[str, Any], str]:
    answer = client.post("/duplicates", json=request)
    assert answer.status_code == 202, answer.text
    job = answer.json()["job"]
    work_off()
    return client.get(f"/duplicates/{job}").json(), job


def names(pair: dict[str, Any]) -> tuple[str, str]:
    return pair["a"]["name"], pair["b"]["name"]


def test_pairs_and_clusters_are_found_with_who_handed_them_in(library, teacher, work_off):
    found, job = find(teacher, work_off, threshold=0.3)
    assert (found["state"], found["documents"], found["pairs"], found["clusters"]) == (
        *("done", 5),
        *(3, 1),
    )
    assert (found["request"]["threshold"], found["awaits_rebuild"]) == (0.3, False)
    pairs = teacher.get(f"/duplicates/{job}/pairs").json()
    assert pairs["total"] == 3
    same, *others = pairs["items"]
    assert (names(same), same["similarity"], same["same_text"]) == (
        *(("river.txt", "again.txt"), 1.0),
        True,
    )
    assert (same["a"]["owner"], same["b"]["owner"]) == ("dean", "aigul")
    assert [names(one) for one in others] == [
        *(("river.txt", "nearly.txt"), ("again.txt", "nearly.txt")),
    ]
    assert all(0.3 <= one["similarity"] < 1 and not one["same_text"] for one in others)
    (cluster,) = teacher.get(f"/duplicates/{job}/clusters").json()["items"]
    assert [one["name"] for one in cluster["members"]] == ["river.txt", "again.txt", "nearly.txt"]
    assert (cluster["documents"], cluster["weakest"]) == (3, others[0]["similarity"])
    assert len(teacher.get("/documents").json()["items"]) == 5


def test_pages_filters_and_measures(library, teacher, work_off):
    _, job = find(teacher, work_off, threshold=0.3)
    page = teacher.get(f"/duplicates/{job}/pairs", params={"limit": 1, "offset": 2}).json()
    assert (page["total"], [names(one) for one in page["items"]]) == (
        *(3, [("again.txt", "nearly.txt")]),
    )
    found, _ = find(teacher, work_off, owner=["aigul"], threshold=0.3)
    assert (found["documents"], found["pairs"]) == (2, 1)
    found, _ = find(teacher, work_off, measure="containment", threshold=1)
    assert found["pairs"] == 1


def test_what_others_keep_to_themselves_is_no_part_of_it(context, library, log_in, work_off):
    bolat, aigul = log_in("bolat"), log_in("aigul")
    own = bolat.post("/collections", json={"name": "own"}).json()["id"]
    add(context, "bolat", own, hidden=MARKET + "\n", also=APPLES + "\n")
    assert find(aigul, work_off)[0]["pairs"] == 1
    mine, job = find(bolat, work_off)
    assert (mine["documents"], mine["pairs"]) == (7, 3)
    assert find(bolat, work_off, collection=[own])[0]["documents"] == 2
    assert aigul.post("/duplicates", json={"collection": [own]}).status_code == 404
    for other in (aigul, log_in("dean", "administrator")):
        for path in ("", "/pairs", "/clusters"):
            assert other.get(f"/duplicates/{job}{path}").status_code == 404
    told = log_in("dean", "administrator").get(f"/jobs/{job}").json()["outcome"]
    assert "strongest_pairs" not in told and told["pairs"] == 3


def test_what_may_no_longer_be_read_or_is_gone_is_not_told_any_more(
    context, library, log_in, work_off
):
    bolat, aigul = log_in("bolat"), log_in("aigul")
    shared = bolat.post("/collections", json={"name": "all", "is_shared": True}).json()["id"]
    add(context, "bolat", shared, copy=MARKET + "\n")
    _, job = find(aigul, work_off)

    def listed() -> list[tuple[str, str]]:
        pairs = aigul.get(f"/duplicates/{job}/pairs").json()
        clusters = aigul.get(f"/duplicates/{job}/clusters").json()
        assert pairs["total"] == clusters["total"] == len(pairs["items"])
        return [names(one) for one in pairs["items"]]

    assert listed() == [("river.txt", "again.txt"), ("market.txt", "copy.txt")]
    bolat.patch(f"/collections/{shared}", json={"is_shared": False})
    assert listed() == [("river.txt", "again.txt")]
    context.library.remove(4)
    assert listed() == []


def test_a_person_has_one_search_at_a_time(library, teacher, log_in, work_off):
    job = teacher.post("/duplicates", json={}).json()["job"]
    assert teacher.post("/duplicates", json={"threshold": 0.8}).json()["job"] == job
    refused = teacher.post("/duplicates", json={"threshold": 0.7})
    assert (refused.status_code, refused.json()["code"]) == (409, "server.duplicates_running")
    assert refused.json()["details"]["job"] == job
    assert log_in("bolat").post("/duplicates", json={}).json()["job"] != job
    waiting = teacher.get(f"/duplicates/{job}").json()
    assert (waiting["state"], waiting["pairs"], waiting["error"]) == ("queued", None, None)
    listed = teacher.get(f"/duplicates/{job}/pairs")
    assert (listed.status_code, listed.json()["kind"]) == (409, "not ready")
    assert teacher.post(f"/jobs/{job}/cancel").status_code == 200
    assert teacher.get(f"/duplicates/{job}").json()["state"] == "cancelled"
    assert teacher.get(f"/duplicates/{job}/clusters").status_code == 409
    assert teacher.post("/duplicates", json={"threshold": 0.7}).status_code == 202


def test_the_jobs_of_a_person_show_figures_and_the_newest_search_is_found_again(
    library, teacher, work_off
):
    _, job = find(teacher, work_off)
    (newest,) = teacher.get("/jobs", params={"kind": "duplicates", "limit": 1}).json()["items"]
    assert newest["id"] == job
    assert newest["outcome"] == {
        "documents": 5,
        "without_fingerprints": 0,
        "pairs": 1,
        "clusters": 1,
        "awaits_rebuild": False,
    }


def test_a_key_that_reads_documents_may_ask_and_others_may_not(library, teacher, anybody, work_off):
    for scope, status in (("documents:read", 202), ("checks:read", 403)):
        made = teacher.post("/keys", json={"name": scope, "scopes": [scope]}).json()
        headers = {"Authorization": f"Bearer {made['secret']}"}
        assert anybody.post("/duplicates", json={}, headers=headers).status_code == status
    assert anybody.post("/duplicates", json={}).status_code == 401


@pytest.mark.parametrize(
    "wrong",
    [{"threshold": 0}, {"threshold": 1.01}, {"measure": "multiset"}, {"search": "x"}],
)
def test_what_is_no_search_is_refused(teacher, wrong):
    assert teacher.post("/duplicates", json=wrong).status_code == 422


def test_long_lists_are_cut_and_counted_in_full(context, teacher, work_off, monkeypatch):
    monkeypatch.setattr("likewise.server.duplicates.job.MOST_PAIRS", 4)
    monkeypatch.setattr("likewise.server.duplicates.job.MOST_MEMBERS", 5)
    monkeypatch.setattr("likewise.server.duplicates.service.MOST_LISTED", 2)
    for n in range(4):
        add(context, **{f"river{n}": RIVER + "\n" * n, f"market{n}": MARKET + "\n" * n})
    found, job = find(teacher, work_off)
    assert (found["pairs"], found["clusters"]) == (12, 2)
    assert teacher.get(f"/duplicates/{job}/pairs").json()["total"] == 4
    clusters = teacher.get(f"/duplicates/{job}/clusters").json()["items"]
    assert [(one["documents"], len(one["members"])) for one in clusters] == [(4, 2)]


def test_the_five_newest_searches_of_a_person_are_kept(library, teacher, log_in, work_off):
    _, others = find(log_in("bolat"), work_off)
    made = [find(teacher, work_off, threshold=t / 10)[1] for t in range(3, 10)]
    kept = teacher.get("/jobs", params={"kind": "duplicates"}).json()["items"]
    assert {one["id"] for one in kept} == set(made[2:])
    assert teacher.get(f"/duplicates/{made[0]}").status_code == 404
    assert log_in("bolat").get(f"/duplicates/{others}").status_code == 200


def test_a_rebuild_that_is_due_is_told(library, context, teacher, work_off):
    context.library.change_stop_words("en", add=["river"])
    assert find(teacher, work_off)[0]["awaits_rebuild"] is True


def test_an_erased_document_is_in_no_result(library, context, teacher, administrator, work_off):
    _, job = find(teacher, work_off, threshold=0.3)
    body = {"documents": [4]}
    erased = administrator.post("/erasures", json=body)
    assert erased.status_code in (200, 202), erased.text
    work_off()
    with context.store.reading() as connection:
        from likewise.server.jobs.queue import read_job

        outcome = read_job(connection, job).outcome
    assert [one["documents"] for one in outcome["strongest_pairs"]] == [[1, 5]]
    assert [one["documents"] for one in outcome["largest_clusters"]] == [[1, 5]]


def test_a_person_who_may_no_longer_log_in_gets_nothing(library, context, log_in, work_off):
    aigul, administrator = log_in("aigul"), log_in("dean", "administrator")
    job = aigul.post("/duplicates", json={}).json()["job"]
    (user,) = [one for one in administrator.get("/users").json()["items"] if one["name"] == "aigul"]
    administrator.patch(f"/users/{user['id']}", json={"is_active": False})
    work_off()
    assert administrator.get(f"/jobs/{job}").json()["state"] == "failed"
