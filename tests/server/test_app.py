"""What holds for every request, whatever it asks for."""

from __future__ import annotations

import errno
import logging
import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from pydantic import BaseModel
from sqlalchemy import text

from likewise.catalogue import Message
from likewise.errors import BadInput
from likewise.library.errors import WrongRecipe
from likewise.server.app import make_app
from likewise.server.context import ServerContext
from likewise.server.http.request_limits import MOST_BYTES
from likewise.server.problems import STATUS, Problem, ProblemBody


class Small(BaseModel):
    number: int


@pytest.fixture
def troubled(context: ServerContext) -> FastAPI:
    """The application with a few routes that fail in every way there is."""
    app = make_app(context)
    path = "/api/v1/trouble"

    @app.get(f"{path}/secret")
    def secret() -> None:
        raise RuntimeError("the password is swordfish")

    @app.get(f"{path}/problem")
    def problem() -> None:
        told = Message.verbatim("come back later")
        raise Problem("not ready", told, details={"retry_after": 7})

    @app.get(f"{path}/input")
    def bad_input() -> None:
        raise BadInput(Message.verbatim("this file is no document"))

    @app.get(f"{path}/recipe")
    def recipe() -> None:
        raise WrongRecipe(Message.verbatim("made otherwise"), about="/var/lib/library.db")

    @app.get(f"{path}/model")
    def model() -> None:
        Small.model_validate({"number": "swordfish"})

    @app.get(f"{path}/full")
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    @app.get(f"{path}/table")
    def table() -> None:
        with context.store.reading() as connection:
            connection.execute(text("SELECT * FROM nowhere"))

    @app.get(f"{path}/surrogate")
    def surrogate() -> None:
        with context.store.beside() as connection:
            connection.execute(text("SELECT :word"), {"word": "\ud800"})

    @app.get(f"{path}/lost")
    def lost() -> None:
        with context.store.reading() as connection:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    @app.post(f"{path}/small")
    def small(given: Small) -> Small:
        return given

    @app.post(f"{path}/stream")
    async def stream(request: Request) -> int:
        return sum([len(chunk) async for chunk in request.stream()])

    @app.get(f"{path}/moment")
    def moment(on: datetime) -> datetime:
        return on

    return app


@pytest.fixture
def client(troubled: FastAPI) -> TestClient:
    base_url = "http://testserver/api/v1/trouble"
    return TestClient(troubled, base_url=base_url, raise_server_exceptions=False)


def refused(answer: object) -> ProblemBody:
    """The body of a refusal, which has one shape and the status of its kind."""
    body = ProblemBody.model_validate_json(answer.content)  # type: ignore[attr-defined]
    assert answer.headers["content-type"] == "application/json"  # type: ignore[attr-defined]
    assert answer.status_code == STATUS[body.kind]  # type: ignore[attr-defined]
    return body


def test_an_error_of_ours_is_told_to_the_log_and_not_to_the_caller(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        answer = client.get("/secret")
    body = refused(answer)
    assert body.kind == "internal error"
    assert "swordfish" not in answer.text
    assert "Traceback" not in answer.text
    assert body.details["request"] == answer.headers["x-request-id"]
    assert "swordfish" in caplog.text


@pytest.mark.parametrize(
    ("path", "kind", "message"),
    [
        ("/problem", "not ready", "come back later"),
        ("/input", "bad request", "this file is no document"),
        ("/recipe", "conflict", "made otherwise"),
        ("/full", "out of room", "no room"),
        ("/table", "internal error", "something went wrong"),
        ("/surrogate", "bad request", "cannot be kept"),
        ("/nowhere", "not found", "nothing at this address"),
    ],
)
def test_every_refusal_has_one_shape(
    client: TestClient, path: str, kind: str, message: str
) -> None:
    body = refused(client.get(path))
    assert body.kind == kind
    assert message in body.message
    assert "library.db" not in body.message


def test_a_refusal_says_when_to_come_back(client: TestClient) -> None:
    assert client.get("/problem").headers["retry-after"] == "7"


def test_what_was_not_understood_is_named_and_not_repeated(client: TestClient) -> None:
    for answer in (client.get("/model"), client.post("/small", json={"number": "swordfish"})):
        body = refused(answer)
        assert body.kind == "bad request"
        assert body.details["fields"][0]["field"] == "number"
        assert "swordfish" not in answer.text


@pytest.mark.parametrize(
    "content", [b"{", b"\xff\xfe", b"[" * 100_000, b'{"number": 1e999}', b"null", b""]
)
def test_a_body_that_is_no_json_is_a_bad_request(client: TestClient, content: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/small", content=content, headers=headers)
    assert refused(answer).kind == "bad request"


def test_a_wrong_method_is_told_which_are_right(client: TestClient) -> None:
    answer = client.delete("/small")
    assert refused(answer).kind == "no such method"
    assert answer.headers["allow"] == "POST"


def test_a_long_request_is_refused_by_what_it_says(client: TestClient) -> None:
    answer = client.post("/small", content=b" " * (MOST_BYTES + 1))
    assert refused(answer).kind == "too large"


@pytest.mark.parametrize("path", ["/small", "/stream"])
@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=x"])
def test_a_long_request_is_refused_while_it_streams_in(
    client: TestClient, path: str, kind: str
) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 100_000
            yield b" " * 100_000

    answer = client.post(path, content=endless(), headers={"content-type": kind})
    assert refused(answer).kind == "too large"


def test_a_request_of_allowed_length_comes_through(client: TestClient) -> None:
    assert client.post("/stream", content=b"x" * MOST_BYTES).json() == MOST_BYTES


def test_every_request_gets_a_number_of_ours_and_its_time(client: TestClient) -> None:
    first = client.get("/moment", headers={"X-Request-Id": "mine"})
    second = client.get("/moment")
    numbers = {answer.headers["x-request-id"] for answer in (first, second)}
    assert len(numbers) == 2
    assert "mine" not in numbers
    assert re.fullmatch(r"app;dur=\d+\.\d", first.headers["server-timing"])


def test_a_request_is_written_down_without_what_was_searched_for(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "likewise.server.requests"):
        answer = client.get("/moment?on=swordfish", headers={"Authorization": "Bearer swordfish"})
    record = caplog.records[-1]
    told = record.__dict__["fields"]
    assert told["request"] == answer.headers["x-request-id"]
    assert told["route"] == "(unknown)"
    assert told["status"] == 422
    assert "swordfish" not in str(record.__dict__)


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_the_log_names_routes_and_ids_and_neither_names_nor_people(
    teacher: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    me = teacher.get("/me").json()["id"]
    with caplog.at_level(logging.INFO, "likewise.server.requests"):
        teacher.get("/document-types/a%20secret%20name")
        teacher.patch("/document-types/a%20secret%20name", json={"name": "b"})
        teacher.get("/documents/17")
    told = [record.__dict__["fields"] for record in caplog.records]
    assert [one["route"] for one in told[1:]] == [
        "/api/v1/document-types/{name}",
        "/api/v1/documents/{id}",
    ]
    assert told[-1]["user"] == me
    assert "secret" not in str(told)
    assert "aigul" not in str(told)


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_database_that_hangs_up_is_unavailable_and_says_when_to_try_again(
    client: TestClient,
) -> None:
    answer = client.get("/lost")
    assert refused(answer).kind == "unavailable"
    assert answer.headers["retry-after"] == "5"
    assert client.get("/moment?on=2026-01-01").status_code == 200


def test_the_description_of_the_api_needs_a_token(anybody: TestClient, teacher: TestClient) -> None:
    assert refused(anybody.get("/openapi.json")).kind == "not logged in"
    assert teacher.get("/openapi.json").json()["info"]["title"] == "Likewise"


def test_every_operation_is_described_with_its_refusals(teacher: TestClient) -> None:
    described = teacher.get("/openapi.json").json()
    operations = [
        operation for methods in described["paths"].values() for operation in methods.values()
    ]
    for operation in operations:
        assert operation["summary"]
        answers = operation["responses"]
        assert {"422", "500", "503"} <= set(answers)
        for status, answer in answers.items():
            if status >= "400":
                schema = answer["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ProblemBody"}
    assert "HTTPValidationError" not in described["components"]["schemas"]


def test_there_is_no_page_of_documentation_from_elsewhere(anybody: TestClient) -> None:
    for path in ("docs", "redoc", "openapi.json"):
        answer = anybody.get(f"http://testserver/{path}")
        assert "swagger" not in answer.text.lower()
        assert "openapi" not in answer.text.lower()
