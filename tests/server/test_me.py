"""One's own account: name, language, password; and passwords that must be changed."""

from __future__ import annotations

import pytest

from likewise.server.context import SiteSettings
from likewise.server.people.passwords import is_common
from likewise.server.people.users import add_person

from .accounts import OTHER, PASSWORD, acts_of, bearer, client_of, decide


def kind(answer):
    return answer.status_code, answer.json()["kind"]


def change(client, old=PASSWORD, new=OTHER):
    return client.post("/me/password", json={"old": old, "new": new})


def log_in(client, name="aigul", password=PASSWORD):
    return client.post("/token", json={"name": name, "password": password})


def test_i_see_who_i_am(teacher):
    me = teacher.get("/me").json()
    assert me["name"] == me["shown_name"] == "aigul"
    assert me["role"] == "teacher" and not me["must_change"]
    assert me["key"] is None and me["scopes"] is None and me["language"] is None
    assert "password" not in me


def test_i_change_my_shown_name_and_language(teacher):
    answer = teacher.patch("/me", json={"shown_name": " Айгүл Нұр ", "language": "kk"})
    assert answer.status_code == 200
    me = teacher.get("/me").json()
    assert (me["shown_name"], me["language"]) == ("Айгүл Нұр", "kk") and me == answer.json()
    assert teacher.patch("/me", json={"language": None}).json()["language"] is None
    assert teacher.patch("/me", json={}).json()["shown_name"] == "Айгүл Нұр"


@pytest.mark.parametrize(
    "body",
    [
        {"role": "administrator"},
        {"name": "dean"},
        {"is_active": True},
        {"most_documents": 9},
        {"must_change": False},
        {"shown_name": ""},
        {"shown_name": "   "},
        {"shown_name": "x" * 201},
        {"shown_name": "two\nlines"},
        {"shown_name": "zero\0"},
        {"shown_name": "txt.\u202eexe"},
        {"language": "de"},
        {"language": "../../etc"},
    ],
)
def test_i_cannot_give_myself_more_or_a_name_that_fools_the_eye(teacher, body):
    assert kind(teacher.patch("/me", json=body)) == (422, "bad request")
    me = teacher.get("/me").json()
    assert me["role"] == "teacher" and me["shown_name"] == "aigul"


def test_a_name_with_markup_is_a_text_like_any_other(teacher, administrator):
    name = "<script>alert(1)</script> {{7*7}} '; DROP TABLE users; --"
    assert teacher.patch("/me", json={"shown_name": name}).json()["shown_name"] == name
    found = administrator.get("/users", params={"search": "DROP TABLE"}).json()
    assert [one["shown_name"] for one in found["items"]] == [name]


# Passwords.


def test_i_change_my_password(teacher, anybody, administrator):
    assert change(teacher).status_code == 204
    assert kind(log_in(anybody)) == (401, "wrong name or password")
    assert log_in(anybody, password=OTHER).status_code == 200
    (noted,) = acts_of(administrator, "password changed")
    assert noted["user_name"] == noted["target"] == "aigul" and noted["detail"] == {}


def test_it_needs_the_old_one(teacher, anybody, administrator):
    assert kind(change(teacher, old="not the old one")) == (401, "wrong name or password")
    assert log_in(anybody).status_code == 200
    (noted,) = acts_of(administrator, "password change refused")
    assert noted["user_name"] == "aigul"


@pytest.mark.parametrize(
    "new",
    [
        "short",
        "x" * 1001,
        "aigul",
        "Aigul123456",
        "AIGUL-aigul!",
        "password123",
        "P@ssw0rd2024!",
        "qwertyuiop",
        "йцукенгшщз",
        "1234567890",
        "aaaaaaaaaaaa",
        "abcabcabcabc",
        "administrator1",
        "Құпиясөз2024",
        PASSWORD,
    ],
)
def test_what_others_would_guess_first_is_refused(teacher, anybody, new):
    answer = change(teacher, new=new)
    assert kind(answer) == (422, "bad request") and new not in answer.text
    assert log_in(anybody).status_code == 200


@pytest.mark.parametrize(
    "new",
    ["тоғыз түйе өзен жағасында", "k7#Vq9!mZp", "correct horse battery", "🐪🐪🌙🌙⭐⭐🏜🏜🐍🦂"],
)
def test_other_passwords_are_good_in_every_writing(teacher, anybody, new):
    assert change(teacher, new=new).status_code == 204
    assert log_in(anybody, password=new).status_code == 200


def test_the_site_says_how_long_a_password_is(context, teacher):
    decide(context, SiteSettings(least_password_length=30))
    answer = change(teacher)
    assert kind(answer) == (422, "bad request") and "30" in answer.json()["message"]
    assert teacher.get("/me").json()["least_password_length"] == 30


def test_common_passwords_are_a_matter_of_words_not_of_letters():
    assert is_common("letmein!!2025") and is_common("321drowssap") is False
    assert not is_common("tuesday caravan", "aigul")
    assert not is_common("", "")


# A password that somebody else gave.


@pytest.fixture
def newcomer(context, app):
    add_person(context, "newcomer", PASSWORD, must_change=True)
    client = client_of(context)
    client.headers.update(bearer(log_in(client, "newcomer").json()["access_token"]))
    return client


def test_who_must_change_the_password_can_do_nothing_else(newcomer):
    shown = newcomer.get("/me").json()
    assert (shown["must_change"], shown["least_password_length"]) == (True, 10)
    for method, path in (
        *(("GET", "/keys"), ("GET", "/me/sessions"), ("GET", "/users"), ("GET", "/audit")),
        *(("PATCH", "/me"), ("POST", "/me/end-everywhere"), ("GET", "/documents")),
    ):
        body = {} if method == "PATCH" else None
        answer = newcomer.request(method, path, json=body)
        assert kind(answer) == (403, "password must be changed"), path


def test_after_the_change_everything_opens_in_the_same_session(newcomer):
    assert change(newcomer).status_code == 204
    assert newcomer.get("/me").json()["must_change"] is False
    assert newcomer.get("/keys").status_code == 200


def test_who_must_change_the_password_can_still_log_out(newcomer):
    assert newcomer.post("/token/end").status_code == 204
    assert newcomer.get("/me").status_code == 401
