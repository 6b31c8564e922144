"""What the library is made with: seen and changed by administrators, used after a rebuild."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from likewise.library import Library
from likewise.server.context import ServerContext
from likewise.settings import Settings
from tests.library.texts import invented
from tests.server.handing_in import STEPPE, add_one, text

WorkOff = Callable[[], int]
USUAL = {
    "unit": "words",
    "shingle": 5,
    "shortest_run": 8,
    "stem": True,
    "drop_digits": False,
    "min_length": 1,
    "max_length": 64,
}


def copied(client: TestClient, work_off: WorkOff) -> list[Any]:
    """The passages of every source of an essay that copies from the library."""
    essay = text(f"{invented(80, 901)} {STEPPE} {invented(80, 902)}")
    id = client.post("/checks", files={"file": ("essay.txt", essay)}).json()["id"]
    work_off()
    result = client.get(f"/checks/{id}/result").json()
    return [[passage["a"] for passage in source["passages"]] for source in result["sources"]]


@pytest.mark.parametrize(
    ("change", "becomes"),
    [
        (
            {"shingle": 4, "stem": False, "drop_digits": True, "min_length": 2, "max_length": 20},
            {"shortest_run": 7},
        ),
        ({"unit": "chars"}, {"shingle": 30, "shortest_run": 53}),
    ],
)
def test_a_change_starts_the_rebuild_and_checks_find_the_same(
    context: ServerContext,
    teacher: TestClient,
    administrator: TestClient,
    work_off: WorkOff,
    change: dict[str, Any],
    becomes: dict[str, Any],
) -> None:
    add_one(teacher, work_off)
    before = administrator.get("/recipe").json()
    assert (before["recipe"], before["next"], before["job"]) == (USUAL, None, None)
    assert (before["documents"], before["stale"]) == (1, 0)
    assert before["units"] == [
        {"unit": "words", "least_shingle": 3, "usual_shingle": 5},
        {"unit": "chars", "least_shingle": 20, "usual_shingle": 30},
    ]
    passages = copied(teacher, work_off)
    assert len(passages) == 1
    target = USUAL | change | becomes
    reply = administrator.patch("/recipe", json=change)
    assert reply.status_code == 200
    changed = reply.json()
    assert (changed["recipe"], changed["next"], changed["stale"]) == (USUAL, target, 1)
    assert administrator.get("/rebuild").json() == {
        "is_needed": True,
        "stale": 1,
        "job": changed["job"],
    }
    assert context.library.settings == Settings()  # until it is done
    work_off()
    assert administrator.get(f"/jobs/{changed['job']}").json()["outcome"] == {"documents": 1}
    after = administrator.get("/recipe").json()
    assert (after["recipe"], after["next"], after["stale"], after["job"]) == (target, None, 0, None)
    assert copied(teacher, work_off) == passages
    assert context.library.verify() == ()
    acts = administrator.get("/audit").json()["items"]
    (act,) = [one for one in acts if one["act"] == "recipe changed"]
    assert act["detail"]["shingle"] == [5, target["shingle"]]
    assert "min_length" in act["detail"] or "unit" in act["detail"]
    assert [one["act"] for one in acts].count("rebuild asked for") == 1


def test_what_is_asked_for_in_the_middle_is_made_by_the_same_job(
    context: ServerContext, teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    add_one(teacher, work_off)
    first = administrator.patch("/recipe", json={"shingle": 4}).json()
    second = administrator.patch("/recipe", json={"stem": False}).json()
    words = administrator.patch("/stop-words/en", json={"add": ["steppe"]}).json()
    assert words["needs_rebuild"]
    assert first["job"] == second["job"] == administrator.post("/rebuild").json()["job"]
    assert (second["next"]["shingle"], second["next"]["stem"]) == (4, False)
    work_off()
    used = context.library.settings
    assert (used.shingle, used.stem, "steppe" in str(used.stop_words)) == (4, False, True)
    assert context.library.verify() == ()


def test_a_change_that_is_taken_back_needs_no_rebuild(
    context: ServerContext, teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    add_one(teacher, work_off)
    administrator.patch("/recipe", json={"shingle": 4})
    back = administrator.patch("/recipe", json={"shingle": 5}).json()
    assert (back["recipe"], back["next"], back["stale"]) == (USUAL, None, 0)
    work_off()
    assert context.library.settings == Settings()
    assert context.library.verify() == ()


@pytest.mark.parametrize(
    "wrong",
    [
        {"shingle": 2},
        {"shingle": 0},
        {"shingle": 1001},
        {"shingle": 4.5},
        {"shingle": True},
        {"unit": "letters"},
        {"unit": "chars", "shingle": 19},
        {"min_length": 9, "max_length": 3},
        {"min_length": 0},
        {"stem": "perhaps"},
        {"window": 9},
        {"languages": ["en"]},
        {"stop_words": []},
        [],
        "5",
    ],
)
def test_what_no_library_can_be_made_with_is_refused(administrator: TestClient, wrong: Any) -> None:
    reply = administrator.patch("/recipe", json=wrong)
    assert reply.status_code == 422, reply.text
    after = administrator.get("/recipe").json()
    assert (after["recipe"], after["next"], after["job"]) == (USUAL, None, None)
    acts = [one["act"] for one in administrator.get("/audit").json()["items"]]
    assert "recipe changed" not in acts


def test_a_refusal_says_what_is_the_least(administrator: TestClient) -> None:
    told = administrator.patch("/recipe", json={"shingle": 2}).json()
    assert "library.short_shingle_words" in str(told)
    assert "3 words, not 2" in str(told)


def test_nothing_asked_for_is_nothing_changed(administrator: TestClient) -> None:
    before = administrator.get("/recipe").json()
    for body in ({}, {"shingle": None}, {"shingle": 5}, USUAL_CHANGE):
        assert administrator.patch("/recipe", json=body).json() == before
    acts = [one["act"] for one in administrator.get("/audit").json()["items"]]
    assert not {"recipe changed", "rebuild asked for"} & set(acts)


USUAL_CHANGE = {name: value for name, value in USUAL.items() if name != "shortest_run"}


def test_it_is_for_administrators_alone(teacher: TestClient) -> None:
    assert teacher.get("/recipe").status_code == 403
    assert teacher.patch("/recipe", json={"shingle": 4}).status_code == 403


def test_a_killed_worker_leaves_the_rebuild_to_the_next_and_another_process_adds_meanwhile(
    place: str,
    context: ServerContext,
    teacher: TestClient,
    administrator: TestClient,
    work_off: WorkOff,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_one(teacher, work_off)
    context.library.add_texts((f"{n}", invented(60, n)) for n in range(20))
    passages = copied(teacher, work_off)
    monkeypatch.setattr("likewise.library.rebuild.MOST_DOCUMENTS", 5)
    job = administrator.patch("/recipe", json={"unit": "chars", "stem": False}).json()["job"]

    def die(_stage: str, done: int, _total: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # as far as a worker came, by the same call
        context.library.rebuild(die)
    assert administrator.get("/recipe").json()["stale"] == 11
    with Library(place) as other:
        other.add_texts({"late": f"{invented(40, 99)} {STEPPE}"})
        assert other.verify() == ()
        essay = f"{invented(80, 901)} {STEPPE} {invented(80, 902)}"
        assert len(other.candidates(essay).ranked) == 2  # without the queue, which waits
    work_off()
    assert administrator.get(f"/jobs/{job}").json()["outcome"] == {"documents": 12}
    assert administrator.get("/recipe").json()["recipe"]["unit"] == "chars"
    after = copied(teacher, work_off)
    assert len(after) == 2
    assert passages[0] in after
    assert context.library.verify() == ()
