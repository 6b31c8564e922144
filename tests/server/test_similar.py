"""Paper 003's request in one call: a file, and the documents that are similar to it."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager

import pytest
from sqlalchemy import select, update

from likewise import compare
from likewise.model import Document
from likewise.results import measures_result, plain
from likewise.server.database import tables
from tests.server.checking import APPLES, MARKET, OWN, RIVER, add, post, thesis


@contextmanager
def working(work_off):
    """A worker beside the server."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.05):
            work_off()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.fixture
def library(context):
    context.library.add_texts({"river.txt": RIVER}, owner="dean", type="essay", language="en")
    context.library.add_texts({"market.txt": MARKET}, owner="dean", type="thesis", language="en")
    context.library.add_texts({"apples.txt": APPLES}, owner="dean", type="essay", language="en")


def test_similar_documents_come_with_all_measures_and_the_interval(library, teacher, work_off):
    with working(work_off):
        answer = post(teacher, "/similar", {"thesis.txt": thesis()}, language="en", level=95)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert {one["name"] for one in found["similar"]} == {"river.txt", "market.txt"}
    percentages = [one["measures"]["percentage"] for one in found["similar"]]
    assert percentages == sorted(percentages, reverse=True) and percentages[-1] > 0
    for one in found["similar"]:
        measures = one["measures"]
        four = [measures[name] for name in ("jaccard", "signature", "tfidf", "words")]
        assert measures["interval"]["level"] == 95 and all(0 <= value <= 1 for value in four)
        mean, inside = sum(four) / 4, measures["interval"]["inside"]
        assert measures["interval"]["low"] <= mean <= measures["interval"]["high"] and inside
        assert one["type"] in ("essay", "thesis") and measures["matching"] == "fuzzy duplicate"
    assert teacher.get(f"/similar/{found['job']}").json() == found


def test_language_type_and_minimum_percentage_choose(library, teacher, work_off):
    def names(text=None, **request):
        answer = post(teacher, "/similar", {"a.txt": text or thesis()}, **request)
        assert answer.status_code == 200, answer.text
        return [one["name"] for one in answer.json()["similar"]]

    with working(work_off):
        assert names(type="essay") == ["river.txt"]
        assert names(language="kk") == []
        assert names(RIVER, min_percentage=100) == ["river.txt"]
        assert names(min_percentage=95) == []
        assert names(OWN) == []


def test_every_document_is_measured_and_a_minimum_is_of_the_agreement(library, teacher, work_off):
    with working(work_off):
        everything = post(teacher, "/similar", {"a.txt": OWN}, min_percentage=0).json()
        few = post(teacher, "/similar", {"a.txt": OWN}, min_percentage=0, limit=1).json()
    assert (everything["documents"], everything["measured"], everything["total"]) == (3, 3, 3)
    assert everything["damaged"] == everything["beyond"] == 0
    order = [(-one["measures"]["percentage"], one["document"]) for one in everything["similar"]]
    assert len(order) == 3 and order == sorted(order)
    assert {one["measures"]["matching"] for one in everything["similar"]} == {"different"}
    assert few["similar"] == everything["similar"][:1] and few["total"] == 3


def test_it_measures_what_compare_measures(context, library, teacher, work_off):
    with working(work_off):
        answer = post(teacher, "/similar", {"a.txt": thesis()}, min_percentage=0, level=90).json()
    for one in answer["similar"]:
        pair = compare(
            Document.from_text(thesis(), name="a"), context.library.get(one["document"]), level=90
        )
        assert one["measures"] == plain(measures_result(pair, 90))


def test_an_answer_of_before_is_told_without_what_was_not_counted(context, teacher, work_off):
    job = post(teacher, "/similar", {"a.txt": RIVER}, wait_seconds=0).json()["job"]
    work_off()
    jobs = tables.jobs
    with context.store.beside() as connection:
        outcome = connection.execute(select(jobs.c.outcome).where(jobs.c.id == job)).scalar_one()
        stored = json.loads(outcome) if isinstance(outcome, str) else dict(outcome)
        for name in ("total", "documents", "damaged"):
            del stored[name]
        stored = json.dumps(stored) if isinstance(outcome, str) else stored
        connection.execute(update(jobs).where(jobs.c.id == job).values(outcome=stored))
    answer = teacher.get(f"/similar/{job}").json()
    assert (answer["total"], answer["documents"], answer["damaged"]) == (0, None, 0)


def test_who_does_not_wait_gets_a_job_to_poll(library, teacher, log_in, work_off):
    answer = post(teacher, "/similar", {"a.txt": RIVER}, wait_seconds=0)
    assert answer.status_code == 202
    job = answer.json()["job"]
    waiting = teacher.get(f"/similar/{job}")
    assert (waiting.status_code, waiting.json()["kind"]) == (409, "not ready")
    work_off()
    assert teacher.get(f"/similar/{job}").json()["similar"][0]["name"] == "river.txt"
    for other in (log_in("bolat"), log_in("dean", "administrator")):
        assert other.get(f"/similar/{job}").status_code == 404
        assert "river.txt" not in other.get(f"/jobs/{job}").text
    assert teacher.get("/checks").json()["total"] == 0


def test_nobody_learns_of_private_documents_of_others(context, library, teacher, log_in, work_off):
    mine = teacher.post("/collections", json={"name": "mine"}).json()["id"]
    add(context, "aigul", mine, private=RIVER)
    with working(work_off):
        own = post(teacher, "/similar", {"a.txt": RIVER}).json()["similar"]
        others = post(log_in("bolat"), "/similar", {"a.txt": RIVER}).json()["similar"]
    assert {one["name"] for one in own} == {"river.txt", "private.txt"}
    assert {one["name"] for one in others} == {"river.txt"}


def test_what_others_keep_is_neither_measured_nor_counted(
    context, library, teacher, log_in, work_off
):
    mine = teacher.post("/collections", json={"name": "mine"}).json()["id"]
    add(context, "aigul", mine, private=RIVER, another=OWN)
    with working(work_off):
        own = post(teacher, "/similar", {"a.txt": RIVER}, min_percentage=0).json()
        others = post(log_in("bolat"), "/similar", {"a.txt": RIVER}, min_percentage=0).json()
    for answer, documents in ((own, 5), (others, 3)):
        assert [answer[name] for name in ("documents", "measured", "total")] == [documents] * 3


def test_what_cannot_be_compared_is_refused_with_the_reason(teacher, anybody, work_off):
    with working(work_off):
        empty = post(teacher, "/similar", {"empty.txt": "   "})
        assert (empty.status_code, empty.json()["kind"]) == (415, "unsupported file")
        assert "no text" in empty.json()["message"]
    for files, request in (
        ({}, {}),
        ({"a.txt": OWN, "b.txt": OWN}, {}),
        ({"a.txt": OWN}, {"level": 80}),
        ({"a.txt": OWN}, {"min_percentage": 101}),
    ):
        assert post(teacher, "/similar", files, **request).status_code == 422
    assert post(anybody, "/similar", {"a.txt": OWN}).status_code == 401
