"""People, as administrators look after them; and the first administrator of all."""

from __future__ import annotations

import io
import os
import stat
import sys
import threading
from typing import Any

import pytest

from likewise.server.context import utc_now
from likewise.server.people import users as people
from likewise.server.people.first_administrator import ensure_first_administrator, folder_for
from likewise.server.people.users import add_person, change_person, login_name
from likewise.server.problems import Problem

from .accounts import OTHER, PASSWORD, acts_of, another_server, bearer, client_of, rows, tables
from .checking import post
from .handing_in import STEPPE


def kind(answer):
    return answer.status_code, answer.json()["kind"]


def log_in(client, name="aigul", password=PASSWORD):
    return client.post("/token", json={"name": name, "password": password})


@pytest.fixture
def aigul(context):
    return add_person(context, "aigul", PASSWORD, shown_name="Aigul Nur", or_keep=True)


# Names.


@pytest.mark.parametrize("name", ["aigul", "a1", "aigul.nur", "a_b-c", "Әлия", "x" * 64, "9lives"])
def test_these_are_names(name):
    assert login_name(name) == name.casefold()


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "a",
            "x" * 65,
            "two words",
            "a/b",
            "../etc",
            "a\0b",
            "a\r\nSet-Cookie: b",
            ".a",
            "-a",
        ),
        *("a@b", "a;b", "a'b", 'a"b', "a%b", "a\\b", "a\u200bb", "a\u202eb", "🐪🐪", "<b>", "_a"),
    ],
)
def test_these_are_not(context, administrator, name):
    answer = administrator.post("/users", json={"name": name})
    assert kind(answer) == (422, "bad request")
    assert len(rows(context, tables.users)) == 1


def test_names_that_read_alike_are_one_name(administrator):
    assert administrator.post("/users", json={"name": "Straße"}).status_code == 201
    for name in ("STRASSE", "strasse", "ｓｔｒａｓｓｅ"):
        assert kind(administrator.post("/users", json={"name": name})) == (409, "conflict")


# What administrators do.


def test_teachers_and_strangers_do_none_of_it(anybody, teacher, aigul):
    me = teacher.get("/me").json()["id"]
    for method, path in (
        *(("GET", "/users"), ("POST", "/users"), ("GET", f"/users/{me}"), ("GET", "/audit")),
        *(("PATCH", f"/users/{me}"), ("POST", f"/users/{me}/password"), ("GET", "/audit/acts")),
        *(("POST", f"/users/{me}/end-sessions"), ("DELETE", f"/users/{me}")),
    ):
        body = {"name": "x1", "role": "administrator"} if method in ("POST", "PATCH") else None
        assert kind(teacher.request(method, path, json=body)) == (403, "not allowed"), path
        assert kind(anybody.request(method, path, json=body)) == (401, "not logged in"), path


def test_a_person_is_added_with_a_password_that_is_told_once(administrator, anybody):
    answer = administrator.post("/users", json={"name": "Bolat", "shown_name": "Bolat A."})
    assert answer.status_code == 201
    added = answer.json()
    assert added["user"]["name"] == "bolat" and added["user"]["shown_name"] == "Bolat A."
    assert added["user"]["must_change"] and added["user"]["role"] == "teacher"
    assert len(added["password"]) == 23
    given = log_in(anybody, "bolat", added["password"])
    assert given.status_code == 200
    assert added["password"] not in administrator.get(f"/users/{added['user']['id']}").text
    (noted,) = acts_of(administrator, "person added")[:1]
    assert (noted["user_name"], noted["target"]) == ("dean", "bolat")


def test_a_person_is_added_with_a_given_password_quotas_and_language(administrator, anybody):
    body: dict[str, Any] = {
        "name": "bolat",
        "password": OTHER,
        "role": "administrator",
        "language": "kk",
    }
    body |= {"most_documents": 10, "most_bytes": 5_000_000_000, "most_checks_a_day": 0}
    added = administrator.post("/users", json=body).json()
    assert added["password"] is None and added["user"]["must_change"]
    assert body.items() - {("password", OTHER)} <= added["user"].items()
    assert log_in(anybody, "bolat", OTHER).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "bolat", "password": "short"},
        {"name": "bolat", "password": "bolatbolat"},
        {"name": "bolat", "role": "owner"},
        {"name": "bolat", "most_documents": -1},
        {"name": "bolat", "most_documents": 2**40},
        {"name": "bolat", "most_bytes": 2**70},
        {"name": "bolat", "is_active": False},
        {"name": "bolat", "shown_name": "a\nb"},
    ],
)
def test_what_cannot_be_added_is_refused(administrator, body):
    assert kind(administrator.post("/users", json=body)) == (422, "bad request")
    assert administrator.get("/users").json()["total"] == 1


def test_two_who_add_the_same_name_at_once_make_one_person(place, context):
    found = []
    with another_server(place) as second:
        start = threading.Barrier(4)

        def add(server):
            start.wait()
            try:
                found.append(add_person(server, "bolat", OTHER).name)
            except Problem as problem:
                found.append(problem.kind)

        runners = [threading.Thread(target=add, args=(one,)) for one in [context, second] * 2]
        for runner in runners:
            runner.start()
        for runner in runners:
            runner.join()
    assert sorted(found) == ["bolat", "conflict", "conflict", "conflict"]


def test_people_are_listed_searched_and_paged(context, administrator, aigul):
    for name in ("bolat", "under_score", "dana"):
        add_person(context, name, OTHER, shown_name=f"Teacher {name}")
    names = [one["name"] for one in administrator.get("/users").json()["items"]]
    assert names == ["aigul", "bolat", "dana", "dean", "under_score"]

    def found(**asked):
        answer = administrator.get("/users", params=asked).json()
        return [one["name"] for one in answer["items"]], answer["total"]

    assert found(search="NUR") == (["aigul"], 1)
    assert found(search="teacher", limit=2, offset=1) == (["dana", "under_score"], 3)
    assert found(search="_") == (["under_score"], 1), "it stands for itself"
    assert found(search="%") == ([], 0)
    assert found(search="' OR 1=1 --") == ([], 0)
    assert found(role="administrator") == (["dean"], 1)
    administrator.delete(f"/users/{aigul.id}")
    assert found(is_active="false") == (["aigul"], 1)
    for bad in ({"limit": 0}, {"limit": 501}, {"offset": -1}, {"search": "a\0"}, {"role": "x"}):
        assert administrator.get("/users", params=bad).status_code == 422


def test_a_person_is_changed(administrator, aigul):
    changes = {"shown_name": "A. N.", "language": "ru", "most_documents": 5, "most_bytes": None}
    answer = administrator.patch(f"/users/{aigul.id}", json=changes)
    assert answer.status_code == 200 and changes.items() <= answer.json().items()
    assert administrator.get(f"/users/{aigul.id}").json() == answer.json()
    assert administrator.patch(f"/users/{aigul.id}", json={"role": None}).status_code == 422
    assert administrator.patch(f"/users/{aigul.id}", json={"name": "other"}).status_code == 422
    (noted,) = acts_of(administrator, "person changed")
    assert noted["target"] == "aigul" and noted["detail"]["most_documents"] == 5
    assert "most_bytes" not in noted["detail"], "it was none before"


@pytest.mark.parametrize("id", ["0" * 24, "aigul", "x"])
def test_whoever_is_not_there_is_not_found(administrator, aigul, id):
    for method, path in (
        *(("GET", f"/users/{id}"), ("PATCH", f"/users/{id}"), ("DELETE", f"/users/{id}")),
        *(("POST", f"/users/{id}/password"), ("POST", f"/users/{id}/end-sessions")),
        ("DELETE", f"/users/{id}?remove=true"),
    ):
        body = {} if method == "PATCH" else None
        assert kind(administrator.request(method, path, json=body)) == (404, "not found"), path


def test_ids_with_signs_are_refused(administrator):
    for id in ("%00", "..%2f", "a'b", "Ü"):
        assert administrator.get(f"/users/{id}").status_code in (404, 422)


def test_a_reset_gives_a_password_that_must_be_changed(administrator, anybody, aigul):
    made = administrator.post(f"/users/{aigul.id}/password").json()["password"]
    token = log_in(anybody, "aigul", made).json()["access_token"]
    assert anybody.get("/me", headers=bearer(token)).json()["must_change"]
    assert kind(log_in(anybody)) == (401, "wrong name or password")
    answer = administrator.post(f"/users/{aigul.id}/password", json={"password": OTHER})
    assert answer.json()["password"] is None
    assert log_in(anybody, "aigul", OTHER).status_code == 200
    assert (
        kind(administrator.post(f"/users/{aigul.id}/password", json={"password": "aigul"}))[0]
        == 422
    )


def test_a_reset_unlocks_the_name(administrator, anybody, aigul):
    for _ in range(6):
        log_in(anybody, password="wrong")
    assert log_in(anybody).status_code == 429
    made = administrator.post(f"/users/{aigul.id}/password").json()["password"]
    assert log_in(anybody, "aigul", made).status_code == 200


def test_an_administrator_logs_a_person_out(administrator, teacher, aigul):
    assert administrator.post(f"/users/{aigul.id}/end-sessions").status_code == 204
    assert teacher.get("/me").status_code == 401
    assert administrator.get("/me").status_code == 200


def test_a_deactivated_person_comes_back_without_the_old_sessions(
    administrator, teacher, anybody, aigul
):
    administrator.patch(f"/users/{aigul.id}", json={"is_active": False})
    assert teacher.get("/me").status_code == 401
    administrator.patch(f"/users/{aigul.id}", json={"is_active": True})
    assert teacher.get("/me").status_code == 401
    assert log_in(anybody).status_code == 200


def test_a_removed_person_is_gone_and_the_log_stays(context, administrator, teacher, aigul):
    with context.store.beside() as connection:
        connection.execute(
            tables.collections.insert().values(
                id="c1",
                name="mine",
                about="",
                owner_id=aigul.id,
                is_shared=False,
                is_open_to_students=False,
                made_on=utc_now(),
            )
        )
    assert administrator.delete(f"/users/{aigul.id}?remove=true").status_code == 204
    assert teacher.get("/me").status_code == 401
    assert administrator.get(f"/users/{aigul.id}").status_code == 404
    assert rows(context, tables.sessions)[0].user_id != aigul.id
    (noted,) = acts_of(administrator, "person removed")
    assert noted["target"] == "aigul" and noted["detail"] == {"collections_taken_over": 1}
    logged_in = [one["user_name"] for one in acts_of(administrator, "logged in")]
    assert "aigul" in logged_in
    (collection,) = rows(context, tables.collections)
    assert collection.owner_id == administrator.get("/me").json()["id"]


def test_what_a_person_has_is_told_before_and_goes_to_an_heir(
    context, administrator, teacher, log_in, work_off
):
    aigul = teacher.get("/me").json()["id"]
    heir = log_in("bolat")
    own = teacher.post("/collections", json={"name": "essays"}).json()["id"]
    done = post(teacher, "/checks", {"a.txt": STEPPE}).json()["id"]
    essays = {"b.txt": f"{STEPPE} One.", "c.txt": f"{STEPPE} Two."}
    batch = post(teacher, "/batches", essays).json()["id"]
    work_off()
    waiting = post(teacher, "/checks", {"d.txt": STEPPE}).json()["id"]
    has = {"collections": 1, "checks": 2, "batches": 1, "documents": 0, "api_keys": 0, "jobs": 1}
    assert administrator.get(f"/users/{aigul}/holdings").json() == has
    assert teacher.get(f"/users/{aigul}/holdings").status_code == 403
    address = f"/users/{aigul}?remove=true&heir="
    assert kind(administrator.delete(address + aigul)) == (422, "bad request")
    assert kind(administrator.delete(address + "0" * 24)) == (404, "not found")
    bolat = heir.get("/me").json()["id"]
    assert administrator.delete(address + bolat).status_code == 204
    assert heir.get(f"/checks/{done}").json()["is_mine"] is True
    assert heir.get(f"/checks/{waiting}").status_code == 404
    assert heir.get(f"/batches/{batch}").json()["is_mine"] is True
    assert heir.get(f"/batches/{batch}/checks").json()["total"] == 2
    assert [one["id"] for one in heir.get("/collections").json()["items"] if one["id"] == own]
    (noted,) = acts_of(administrator, "person removed")
    assert noted["detail"] == {
        "collections_taken_over": 1,
        "heir": "bolat",
        "checks": 3,
        "batches": 1,
    }


def test_the_name_of_a_removed_person_is_never_given_again(administrator, aigul):
    """Documents are owned by name: a newcomer must not inherit them."""
    administrator.delete(f"/users/{aigul.id}?remove=true")
    assert kind(administrator.post("/users", json={"name": "aigul"})) == (409, "conflict")


# The last administrator.


def test_the_last_administrator_stays_one(context, administrator, aigul):
    me = administrator.get("/me").json()["id"]
    for answer in (
        administrator.patch(f"/users/{me}", json={"role": "teacher"}),
        administrator.patch(f"/users/{me}", json={"is_active": False}),
        administrator.delete(f"/users/{me}"),
        administrator.delete(f"/users/{me}?remove=true"),
    ):
        assert kind(answer) == (409, "conflict")
    administrator.patch(f"/users/{aigul.id}", json={"role": "administrator", "is_active": False})
    answer = administrator.patch(f"/users/{me}", json={"role": "teacher"})
    assert kind(answer) == (409, "conflict"), "one who cannot log in does not count"
    administrator.patch(f"/users/{aigul.id}", json={"is_active": True})
    assert administrator.patch(f"/users/{me}", json={"role": "teacher"}).status_code == 200


def test_administrators_who_demote_each_other_at_once_leave_one(place, context):
    names = ("first", "second", "third", "fourth")
    made = [add_person(context, name, OTHER, role="administrator") for name in names]
    found = []
    with another_server(place) as second:
        start = threading.Barrier(len(made))

        def demote(server, person, change):
            start.wait()
            try:
                with server.store.beside() as connection:
                    change_person(connection, None, person.id, change)
                found.append("done")
            except Problem as problem:
                found.append(problem.kind)

        changes = [{"role": "teacher"}, {"is_active": False}] * 2
        servers = [context, second] * 2
        runners = [
            threading.Thread(target=demote, args=one)
            for one in zip(servers, made, changes, strict=True)
        ]
        for runner in runners:
            runner.start()
        for runner in runners:
            runner.join()
    assert sorted(found) == ["conflict", "done", "done", "done"]
    left = [
        row for row in rows(context, tables.users) if row.role == "administrator" and row.is_active
    ]
    assert len(left) == 1


# The first administrator.


@pytest.fixture
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


@pytest.fixture
def no_terminal(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    return out


def first_file(place):
    return folder_for(place) / "first-administrator-password.txt"


def password_in(path):
    return path.read_text().split("password: ")[1].splitlines()[0]


def test_the_first_start_makes_an_administrator_whose_password_is_in_a_file(
    context, place, data, no_terminal, anybody
):
    told = ensure_first_administrator(context, place)
    path = first_file(place)
    assert told is not None and str(path) in told
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    password = password_in(path)
    assert password not in told and no_terminal.getvalue() == ""
    token = bearer(log_in(anybody, "administrator", password).json()["access_token"])
    me = anybody.get("/me", headers=token).json()
    assert me["role"] == "administrator" and me["must_change"]
    assert ensure_first_administrator(context, place) is None, "the second start makes none"
    assert path.exists()
    body = {"old": password, "new": OTHER}
    assert anybody.post("/me/password", json=body, headers=token).status_code == 204
    assert not path.exists(), "deleted at the first change"


def test_on_a_terminal_the_password_is_shown_and_no_file_is_written(
    context, place, data, monkeypatch, anybody
):
    master, slave = os.openpty()
    with os.fdopen(slave, "w") as terminal:
        with monkeypatch.context() as while_it_starts:
            while_it_starts.setattr(sys, "stderr", terminal)
            assert ensure_first_administrator(context, place) is None
        said = os.read(master, 10_000).decode()
    os.close(master)
    assert not first_file(place).exists()
    password = said.split("with the password ")[1].split()[0]
    assert log_in(anybody, "administrator", password).status_code == 200


def test_servers_that_start_at_once_make_one_administrator(context, place, data, no_terminal):
    found = []
    with another_server(place) as second:
        start = threading.Barrier(4)

        def begin(server):
            start.wait()
            found.append(ensure_first_administrator(server, place))

        runners = [threading.Thread(target=begin, args=(one,)) for one in [context, second] * 2]
        for runner in runners:
            runner.start()
        for runner in runners:
            runner.join()
    assert len(found) == 4 and sum(told is not None for told in found) == 1
    assert [row.name for row in rows(context, tables.users)] == ["administrator"]
    assert len(list(folder_for(place).glob("first-administrator*"))) == 1


def test_a_file_on_another_machine_waits_for_a_server_there(
    context, place, data, no_terminal, administrator_of
):
    client, path = administrator_of
    elsewhere = path.with_name("on the other machine")
    path.rename(elsewhere)  # as if this server ran where the file is not
    assert (
        client.post("/me/password", json={"old": client.password, "new": OTHER}).status_code == 204
    )
    elsewhere.rename(path)
    with another_server(place) as there:
        assert ensure_first_administrator(there, place) is None
    assert not path.exists()


def test_only_our_own_file_is_deleted(context, place, data, no_terminal, administrator_of):
    client, path = administrator_of
    path.write_text("somebody's own notes")
    client.post("/me/password", json={"old": client.password, "new": OTHER})
    assert path.read_text() == "somebody's own notes"


@pytest.fixture
def administrator_of(context, place, data, no_terminal):
    """The first administrator, logged in, and the file."""
    ensure_first_administrator(context, place)
    path = first_file(place)
    client: Any = client_of(context)
    client.password = password_in(path)
    answer = log_in(client, "administrator", client.password)
    client.headers.update(bearer(answer.json()["access_token"]))
    return client, path


def test_a_file_that_is_there_already_is_not_overwritten(context, place, data, no_terminal):
    path = first_file(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("of another library")
    told = ensure_first_administrator(context, place)
    assert path.read_text() == "of another library"
    assert told is not None and told.endswith("-password-2.txt")


def test_a_reset_of_the_first_administrator_deletes_the_file_too(
    context, place, data, no_terminal, administrator_of, log_in
):
    client, path = administrator_of
    dean = log_in("dean", "administrator")
    me = client.get("/me").json()["id"]
    assert dean.post(f"/users/{me}/password").status_code == 200
    assert not path.exists()


def test_a_teacher_who_is_called_administrator_is_left_alone(context, place, data, no_terminal):
    add_person(context, "administrator", OTHER)
    told = ensure_first_administrator(context, place)
    assert told is not None and "administrator2" in told


def test_where_there_is_an_administrator_none_is_made(context, place, data, no_terminal):
    add_person(context, "dean", OTHER, role="administrator")
    assert ensure_first_administrator(context, place) is None
    assert [row.name for row in rows(context, tables.users)] == ["dean"]


def test_or_keep_keeps_whoever_is_there(context, aigul):
    again = add_person(context, "Aigul", OTHER, role="administrator", or_keep=True)
    assert again == aigul
    with pytest.raises(Problem, match="taken"):
        people.add_person(context, "aigul", OTHER)


@pytest.mark.parametrize("written", ["әсел", "Әсел", "ӘСЕЛ", "нұр", "Нұрова", "asel", "ASEL"])
def test_people_are_found_in_every_alphabet(administrator, context, written):
    add_person(context, "asel", PASSWORD, shown_name="Әсел Нұрова")
    found = administrator.get("/users", params={"search": written}).json()["items"]
    assert [one["name"] for one in found] == ["asel"]


def test_a_student_reaches_nothing_that_is_not_made_for_students(log_in):
    student = log_in("dana", "student")
    assert student.get("/me").json()["role"] == "student"
    for path in ("/documents", "/checks", "/batches", "/collections", "/users", "/settings"):
        refused = student.get(path)
        assert (refused.status_code, refused.json()["code"]) == (403, "server.not_for_students")


def test_a_student_makes_keys_for_what_students_may_and_no_others(log_in):
    student = log_in("dana", "student")
    for scopes, status in (
        (["submissions:read", "submissions:write"], 201),
        (["documents:read"], 403),
        (["submissions:read", "checks:read"], 403),
    ):
        key = {"name": "mine", "scopes": scopes}
        assert student.post("/keys", json=key).status_code == status
