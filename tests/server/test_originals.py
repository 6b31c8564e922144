"""Original files in a store that speaks S3, as those who use a server meet them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from likewise.server import originals_probe
from likewise.server.context import ServerContext
from tests.library.object_store import BUCKET, S3Server
from tests.server.handing_in import RIVER, STEPPE, add_one, text
from tests.server.jobbing import until
from tests.server.test_retention import tidied

WorkOff = Callable[[], int]


@pytest.fixture
def go_away(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets the store be at an address where nobody answers."""

    def gone() -> None:
        nowhere = f"s3://{BUCKET}/files?endpoint=http://127.0.0.1:9"
        monkeypatch.setenv("LIKEWISE_ORIGINALS", nowhere)

    return gone


def test_a_file_is_downloaded_as_if_it_stood_in_the_database(
    s3: S3Server, teacher: TestClient, work_off: WorkOff
) -> None:
    before = teacher.get("/usage").json()
    number = add_one(teacher, work_off)
    assert len(s3.objects()) == 1
    assert teacher.get(f"/documents/{number}/original").content == text(STEPPE)
    shown = teacher.get(f"/documents/{number}").json()
    assert shown["has_original"] is True
    (packed,) = s3.objects().values()
    assert shown["original_bytes"] == len(packed)
    assert teacher.get("/usage").json()["bytes"]["used"] - before["bytes"]["used"] == len(packed)


def test_without_the_store_people_hand_in_and_are_told_when_a_download_has_to_wait(
    s3: S3Server,
    teacher: TestClient,
    context: ServerContext,
    work_off: WorkOff,
    go_away: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = add_one(teacher, work_off)
    go_away()
    answer = teacher.get(f"/documents/{there}/original")
    assert (answer.status_code, answer.json()["kind"]) == (503, "unavailable")
    assert answer.json()["message"] == ("the store of originals does not answer; try again later")
    assert int(answer.headers["retry-after"]) > 0
    assert "127.0.0.1" not in answer.text and BUCKET not in answer.text
    meanwhile = add_one(teacher, work_off, "river.txt", text(RIVER))
    assert teacher.get(f"/documents/{meanwhile}/original").content == text(RIVER)
    assert len(s3.objects()) == 1
    monkeypatch.setenv("LIKEWISE_ORIGINALS", s3.place)
    tidied(context, work_off)
    assert len(s3.objects()) == 2
    assert teacher.get(f"/documents/{meanwhile}/original").content == text(RIVER)


def test_the_file_of_a_deleted_document_is_tidied_away(
    s3: S3Server, teacher: TestClient, context: ServerContext, work_off: WorkOff
) -> None:
    number = add_one(teacher, work_off)
    assert teacher.delete(f"/documents/{number}").status_code in (200, 204)
    assert tidied(context, work_off)["objects"] == 1
    assert s3.objects() == {}


def test_administrators_are_told_that_the_store_does_not_answer(
    s3: S3Server,
    anybody: TestClient,
    administrator: TestClient,
    go_away: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(originals_probe, "_FRESH_SECONDS", 0.0)
    until(lambda: anybody.get("/health").status_code == 200, "what another store said stays")
    go_away()
    until(lambda: anybody.get("/health").status_code == 503, "it says that all is well")
    problems = administrator.get("/health/details").json()["problems"]
    assert problems == ["the store of originals does not answer"]
    assert anybody.get("/health/ready").status_code == 200  # people can still read and hand in
    monkeypatch.setenv("LIKEWISE_ORIGINALS", s3.place)
    until(lambda: anybody.get("/health").status_code == 200, "it does not notice")
