"""Stop words: changed by administrators, used after a rebuild."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from fastapi.testclient import TestClient

from likewise.server.context import ServerContext
from tests.server.handing_in import add_one

WorkOff = Callable[[], int]


def test_a_change_is_previewed_made_and_brought_into_use(
    context: ServerContext, teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    number = add_one(teacher, work_off)
    before = administrator.get("/stop-words/en").json()
    assert "the" in before["words"] and not before["needs_rebuild"]
    change = {"add": ["steppe", "Grass"], "remove": ["under"]}
    told = administrator.post("/stop-words/en/preview", json=change).json()
    assert (told["added"], told["removed"]) == (["grass", "steppe"], ["under"])
    assert told["needs_rebuild"] and told["documents"] == 1
    (sampled,) = told["sample"]
    assert sampled["id"] == number
    assert sampled["become_stop_words"] == sampled["words_before"] - sampled["words_after"] == 3
    assert administrator.get("/stop-words/en").json() == before
    changed = administrator.patch("/stop-words/en", json=change).json()
    assert changed["needs_rebuild"] and "steppe" in changed["words"]
    state = administrator.get("/rebuild").json()
    assert state == {"is_needed": True, "stale": 1, "job": None}
    assert "steppe" not in str(context.library.settings.stop_words)  # checks use the old ones
    job = administrator.post("/rebuild").json()["job"]
    assert administrator.post("/rebuild").json()["job"] == job
    work_off()
    assert administrator.get(f"/jobs/{job}").json()["outcome"] == {"documents": 1}
    assert administrator.get("/rebuild").json()["is_needed"] is False
    assert "steppe" in context.library.settings.stop_words  # type: ignore[operator]


def test_a_whole_list_is_replaced(administrator: TestClient) -> None:
    before = administrator.get("/stop-words/kk").json()["words"]
    answer = administrator.put("/stop-words/kk", json={"words": ["және", "Мен", "және"]})
    assert answer.json()["words"] == ["және", "мен"]
    answer = administrator.put("/stop-words/kk", json={"words": before})
    assert not answer.json()["needs_rebuild"]
    for bad in ({"words": ["two words"]}, {"words": "word"}, {}, {"words": [1]}):
        assert administrator.put("/stop-words/kk", json=bad).status_code == 422
    missing = administrator.patch("/stop-words/kk", json={"remove": ["zzz"]})
    assert missing.status_code == 422
    assert administrator.get("/stop-words/fr").status_code == 422
    acts = [one["act"] for one in administrator.get("/audit").json()["items"]]
    assert acts.count("stop words changed") == 2


def test_a_preview_does_not_show_what_is_of_others(
    teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    secret = teacher.post("/collections", json={"name": "secret"}).json()["id"]
    add_one(teacher, work_off, collection=secret)
    told = administrator.post("/stop-words/en/preview", json={"add": ["steppe"]}).json()
    assert told["sample"] == []


def test_teachers_only_look(teacher: TestClient) -> None:
    assert teacher.get("/stop-words/ru").status_code == 200
    assert teacher.get("/rebuild").status_code == 200
    assert teacher.put("/stop-words/ru", json={"words": []}).status_code == 403
    assert teacher.patch("/stop-words/ru", json={}).status_code == 403
    assert teacher.post("/stop-words/ru/preview", json={}).status_code == 403
    assert teacher.post("/rebuild").status_code == 403


def test_one_rebuild_is_started_however_many_ask_for_it_at_once(
    administrator: TestClient,
) -> None:
    with ThreadPoolExecutor(6) as threads:
        asked = threads.map(lambda _: administrator.post("/rebuild").json()["job"], range(6))
    assert len(set(asked)) == 1
