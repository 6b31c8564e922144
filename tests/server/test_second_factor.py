"""A second factor for accounts with a password: codes of an app, and recovery codes."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from likewise.cli.admin import app as admin
from likewise.server.context import utc_now
from likewise.server.people import second_factor
from likewise.server.people.login_throttle import try_request
from likewise.server.people.one_time_codes import code_of, step_of
from tests.server.accounts import PASSWORD, acts_of, rows, tables, turn
from tests.server.openid import refusal

SQLITE = pytest.mark.parametrize("engine_name", ["sqlite"])


class Telephone:
    """An app with the secret; it waits for no clock: each code is that of another half minute."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
        self.secret, self.now = secret, time.time()
        monkeypatch.setattr(second_factor, "current_seconds", lambda: self.now)

    def code(self, *, steps: int = 0) -> str:
        return code_of(self.secret, step_of(self.now) + steps)

    def next_code(self) -> str:
        self.now += 30
        return self.code()


@pytest.fixture
def telephone(teacher: TestClient, monkeypatch: pytest.MonkeyPatch) -> Telephone:
    begun = teacher.post("/me/second-factor")
    assert begun.status_code == 201, begun.text
    return Telephone(monkeypatch, begun.json()["secret"])


@pytest.fixture
def codes(teacher: TestClient, telephone: Telephone) -> list[str]:
    """Recovery codes: the second factor is on."""
    done = teacher.post("/me/second-factor/confirm", json={"code": telephone.code()})
    assert done.status_code == 200, done.text
    return list(done.json()["codes"])


def log_in(client: TestClient, code: str | None = None, password: str = PASSWORD):
    return client.post("/token", json={"name": "aigul", "password": password, "code": code})


@pytest.mark.parametrize(
    ("moment", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_codes_are_those_of_the_standard(moment: int, code: str) -> None:
    """RFC 6238, appendix B: of eight digits there, the last six here."""
    assert code_of("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", step_of(moment)) == code[2:]


def test_a_second_factor_is_set_up_and_asked_for(
    teacher: TestClient, telephone: Telephone, anybody: TestClient, administrator: TestClient
) -> None:
    assert teacher.get("/me/second-factor").json()["is_on"] is False
    assert log_in(anybody).status_code == 200  # begun, not confirmed
    wrong = teacher.post("/me/second-factor/confirm", json={"code": "000000"})
    assert refusal(wrong) == "server.wrong_code"
    done = teacher.post("/me/second-factor/confirm", json={"code": telephone.code()})
    codes = done.json()["codes"]
    assert len(set(codes)) == 10 and all(len(one) == 19 for one in codes)
    state = teacher.get("/me/second-factor").json()
    assert state["is_on"] and state["recovery_codes"] == 10
    asked = log_in(anybody)
    assert (asked.status_code, asked.json()["kind"]) == (401, "second factor needed")
    assert log_in(anybody, telephone.next_code()).status_code == 200
    assert [one["target"] for one in acts_of(administrator, "second factor set up")] == ["aigul"]


@SQLITE
def test_the_picture_says_what_the_letters_say(teacher: TestClient) -> None:
    begun = teacher.post("/me/second-factor").json()
    assert begun["secret"] in begun["address"] and begun["address"].startswith("otpauth://totp/")
    assert begun["qr_code"].startswith("<svg") and "http://www.w3.org/2000/svg" in begun["qr_code"]
    assert "<script" not in begun["qr_code"]


def test_no_code_is_good_twice(codes: list[str], telephone: Telephone, anybody: TestClient) -> None:
    """Nor the one that set it up, nor one that is older than the last."""
    assert refusal(log_in(anybody, telephone.code())) == "server.wrong_code"
    code = telephone.next_code()
    assert log_in(anybody, code).status_code == 200
    assert refusal(log_in(anybody, code)) == "server.wrong_code"
    assert refusal(log_in(anybody, telephone.code(steps=-1))) == "server.wrong_code"


@SQLITE
def test_a_clock_may_be_half_a_minute_off_and_no_more(
    codes: list[str], telephone: Telephone, anybody: TestClient, context
) -> None:
    telephone.now += 300
    for steps, is_good in ((-2, False), (2, False), (-1, True), (1, True)):
        turn(context, tables.guesses, failures=0, locked_until=None)
        answer = log_in(anybody, telephone.code(steps=steps))
        assert (answer.status_code == 200) is is_good, steps


def test_a_recovery_code_is_good_once_however_it_is_typed(
    codes: list[str], anybody: TestClient, teacher: TestClient
) -> None:
    assert log_in(anybody, codes[0]).status_code == 200
    assert refusal(log_in(anybody, codes[0])) == "server.wrong_code"
    assert log_in(anybody, f" {codes[1].upper().replace('-', ' ')} ").status_code == 200
    assert teacher.get("/me/second-factor").json()["recovery_codes"] == 8


@SQLITE
def test_without_the_password_no_code_is_looked_at(
    codes: list[str], anybody: TestClient, teacher: TestClient
) -> None:
    answer = log_in(anybody, codes[0], password="another password")
    assert answer.json()["kind"] == "wrong name or password"
    assert teacher.get("/me/second-factor").json()["recovery_codes"] == 10


@SQLITE
def test_codes_are_guessed_as_slowly_as_passwords(
    codes: list[str], anybody: TestClient, telephone: Telephone, administrator: TestClient
) -> None:
    kinds = [log_in(anybody, "000000").json()["kind"] for _ in range(12)]
    assert kinds[0] == "second factor needed" and kinds[-1] == "locked out"
    assert acts_of(administrator, "log in refused")[0]["detail"] == {"why": "wrong code"}


@SQLITE
def test_who_knows_the_password_has_a_hundred_codes_a_day(
    codes: list[str], anybody: TestClient, context, telephone: Telephone
) -> None:
    with context.store.beside() as connection:
        person = connection.execute(
            tables.users.select().where(tables.users.c.name == "aigul")
        ).first()
        for _ in range(100):
            try_request(
                connection,
                f"second factor of {person.id}",
                second_factor.CODE_TRIES,
                second_factor.IN,
            )
    answer = log_in(anybody, telephone.next_code())
    assert answer.json()["kind"] == "locked out" and answer.json()["details"]["retry_after"] > 60


@SQLITE
def test_what_is_kept_is_no_use_to_who_reads_it(
    codes: list[str], telephone: Telephone, context
) -> None:
    (factor,) = rows(context, tables.second_factors)
    assert telephone.secret.encode() not in bytes(factor.secret)
    kept = [bytes(one.hash) for one in rows(context, tables.recovery_codes)]
    assert len(kept) == 10 and all(len(one) == 32 for one in kept)


@SQLITE
def test_other_recovery_codes_replace_those_of_before(
    codes: list[str], teacher: TestClient, anybody: TestClient
) -> None:
    fresh = teacher.post("/me/second-factor/recovery-codes").json()["codes"]
    assert not set(fresh) & set(codes)
    assert refusal(log_in(anybody, codes[0])) == "server.wrong_code"
    assert log_in(anybody, fresh[0]).status_code == 200


@SQLITE
def test_taking_it_off_needs_a_code_and_a_password_given_lately(
    codes: list[str], teacher: TestClient, anybody: TestClient, context, telephone: Telephone
) -> None:
    wrong = teacher.post("/me/second-factor/remove", json={"code": "000000"})
    assert refusal(wrong) == "server.wrong_code"
    turn(context, tables.sessions, authenticated_on=utc_now() - timedelta(hours=1))
    for path in ("", "/confirm", "/remove", "/recovery-codes"):
        answer = teacher.post(f"/me/second-factor{path}", json={"code": codes[0]})
        assert answer.json()["kind"] == "authenticate again", path
    turn(context, tables.sessions, authenticated_on=utc_now())
    done = teacher.post("/me/second-factor/remove", json={"code": telephone.next_code()})
    assert done.status_code == 204, done.text
    assert log_in(anybody).status_code == 200
    assert rows(context, tables.recovery_codes) == []


@SQLITE
def test_a_second_factor_is_not_replaced_by_another_unasked(
    codes: list[str], teacher: TestClient
) -> None:
    assert refusal(teacher.post("/me/second-factor")) == "server.second_factor_there"


@SQLITE
def test_an_administrator_takes_a_lost_one_away_and_the_person_is_told(
    codes: list[str], teacher: TestClient, administrator: TestClient, anybody: TestClient
) -> None:
    id = teacher.get("/me").json()["id"]
    assert administrator.get(f"/users/{id}").json()["has_second_factor"]
    assert administrator.delete(f"/users/{id}/second-factor").status_code == 204
    assert refusal(administrator.delete(f"/users/{id}/second-factor")) == (
        "server.no_second_factor"
    )
    assert log_in(anybody).status_code == 200
    (notice,) = teacher.get("/me").json()["notices"]
    assert (notice["act"], notice["by"]) == ("second factor taken away", "dean")
    assert teacher.delete(f"/users/{id}/second-factor").status_code == 403


@SQLITE
def test_so_does_whoever_runs_the_server(codes: list[str], anybody: TestClient, place: str) -> None:
    done = CliRunner().invoke(admin, ["second-factor-off", "aigul", "--library", place])
    assert done.exit_code == 0, done.output
    assert log_in(anybody).status_code == 200


def test_other_sessions_end_when_i_say_so(teacher: TestClient, anybody: TestClient) -> None:
    log_in(anybody)
    log_in(anybody)
    assert teacher.get("/me/sessions").json()["total"] == 3
    assert teacher.delete("/me/sessions").status_code == 204
    (only,) = teacher.get("/me/sessions").json()["items"]
    assert only["is_this"] and only["provider"] is None
