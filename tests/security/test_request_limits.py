"""Requests that are too long, too deep or too many-parted are refused before they cost anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from likewise.server.http.request_limits import (
    MOST_ADDRESS_BYTES,
    MOST_BYTES,
    MOST_DEPTH,
    MOST_HEADERS,
)
from tests.server.handing_in import STEPPE, text


def refused(answer: Any, status: int, saying: str) -> None:
    assert (answer.status_code, saying in answer.json()["message"]) == (status, True), answer.text


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_a_body_has_so_many_bytes(anybody: TestClient) -> None:
    body = json.dumps({"name": "a" * MOST_BYTES, "password": "b"})
    refused(anybody.post("/token", content=body, headers=JSON), 413, "1 MB")


def test_a_body_that_does_not_say_how_long_it_is_is_counted_too(anybody: TestClient) -> None:
    pieces = (b" " * 100_000 for _ in range(20))
    refused(anybody.post("/token", content=pieces, headers=JSON), 413, "1 MB")


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("depth", [MOST_DEPTH + 1, 500, 100_000])
def test_a_body_nests_so_deep(anybody: TestClient, depth: int) -> None:
    body = f'{{"name": {nested(depth)}, "password": "x"}}'
    refused(anybody.post("/token", content=body, headers=JSON), 422, "levels deep")


def test_brackets_in_words_are_no_depth(anybody: TestClient) -> None:
    body = {"name": "[{" * 100, "password": "wrong password"}
    assert anybody.post("/token", json=body).status_code == 401


@pytest.mark.parametrize("path", ["/documents", "/checks", "/batches", "/similar"])
def test_the_request_of_a_form_nests_so_deep(teacher: TestClient, path: str) -> None:
    for depth in (MOST_DEPTH + 1, 100_000):
        parts: Any = {"file": ("a.txt", text(STEPPE)), "request": (None, nested(depth))}
        refused(teacher.post(path, files=parts), 422, "levels deep")


def test_the_request_of_a_form_has_so_many_bytes(teacher: TestClient) -> None:
    parts = {"request": (None, json.dumps({"name": "a" * MOST_BYTES}))}
    refused(teacher.post("/checks", files=parts), 422, "1 MB")


def test_a_form_has_so_many_files_and_no_other_parts(
    administrator: TestClient, teacher: TestClient
) -> None:
    administrator.patch("/settings", json={"most_files": 3})
    many = [("file", (f"{number}.txt", text(STEPPE))) for number in range(4)]
    refused(teacher.post("/documents", files=many), 413, "3 files")
    twice: Any = [*many[:1], ("request", (None, "{}")), ("request", (None, "{}"))]
    refused(teacher.post("/documents", files=twice), 422, "at most one part")
    refused(teacher.post("/documents", files=[("other", (None, "x"))]), 422, "parts named")


@pytest.mark.parametrize("header", ["X-Long: " + "a" * 100_000, "X-A: 1\r\n" * 5_000 + "X-B: 2"])
def test_the_headers_of_a_part_are_few_and_short(teacher: TestClient, header: str) -> None:
    head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n{header}'
    body = f"{head}\r\n\r\n{STEPPE}\r\n--b--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    refused(teacher.post("/documents", content=body, headers=kind), 422, "multipart/form-data")


def test_headers_are_so_many(anybody: TestClient) -> None:
    many = {f"X-{number}": "a" for number in range(MOST_HEADERS + 1)}
    refused(anybody.get("/health", headers=many), 413, "100 headers")


def test_headers_are_so_long(anybody: TestClient) -> None:
    refused(anybody.get("/health", headers={"X-Long": "a" * 20_000}), 413, "16,384 bytes")


def test_a_query_is_so_long(teacher: TestClient) -> None:
    query = {"search": "a" * MOST_ADDRESS_BYTES}
    refused(teacher.get("/documents", params=query), 413, "the query")


def test_a_path_is_so_long(anybody: TestClient) -> None:
    refused(anybody.get("/jobs/" + "a" * MOST_ADDRESS_BYTES), 413, "the path")
