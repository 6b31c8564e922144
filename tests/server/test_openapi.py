"""The API does what its description says, whatever is sent: no server error, no surprise.

Schemathesis makes requests from the description, good ones and bad ones, with names of things that
are there and of things that are not.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable

from likewise.server.app import API
from likewise.server.context import ServerContext
from tests.server.world import Things, things_of

EXAMPLES = 3
SEED = 20261115
LogIn = Callable[..., TestClient]

# Last, because they end what the others need.
_ENDING = ("/token", "/me/password", "/me/end-everywhere", "/me/sessions/{id}", "/users")
_CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


@pytest.mark.parametrize("role", ["administrator", "teacher"])
def test_every_answer_is_as_described_and_none_is_a_server_error(
    app: FastAPI, context: ServerContext, log_in: LogIn, work_off: Callable[[], int], role: str
) -> None:
    client = log_in("caller", role)
    things = things_of(client, "caller", work_off)
    spare = log_in("spare").get("/me").json()["id"]
    things = replace(things, user=spare)
    tried = Tried(app, log_in, role)
    for operation in tried.operations():
        tried.walk(operation, things)
    assert not tried.failures, "\n\n".join(tried.failures)
    assert tried.requests > 500
    assert tried.found * 8 > tried.requests, "hardly any request met something that is there"


class Tried:
    """A walk over all operations, in the name of somebody."""

    def __init__(self, app: FastAPI, log_in: LogIn, role: str) -> None:
        import schemathesis
        from schemathesis.checks import CHECKS, load_all_checks

        load_all_checks()
        self._checks = [CHECKS.get_one(name) for name in _CHECKS]
        self._schema = schemathesis.openapi.from_dict(app.openapi())
        self._schema.app = app
        self._log_in, self._role = log_in, role
        self.requests = self.found = 0
        self.failures: list[str] = []

    def operations(self) -> list[Any]:
        """Reading first, then writing, then ending."""
        results: Any = self._schema.get_all_operations()
        found = [result.ok() for result in results]
        methods = ("get", "post", "put", "patch", "delete")

        def last(operation: Any) -> tuple[int, int]:
            path = operation.path.removeprefix(API)
            is_ending = path.startswith(_ENDING) and operation.method.lower() != "get"
            return int(is_ending), methods.index(operation.method.lower())

        return sorted(found, key=last)

    def walk(self, operation: Any, things: Things) -> None:
        """Good and bad requests to one operation, about what is there and what is not."""
        from schemathesis import GenerationMode

        client = self._log_in("caller", self._role)
        headers = {"Authorization": client.headers["Authorization"]}
        path = operation.path.removeprefix(API)
        real = {
            name: value
            for name, value in things.of(path).items()
            if f"{{{name}}}" in path and name != "confirmation"
        }
        for mode in GenerationMode:
            for known in [real, {}] if real else [{}]:
                self._send(operation, mode, known, headers)

    def _send(
        self, operation: Any, mode: Any, known: dict[str, Any], headers: dict[str, str]
    ) -> None:
        from schemathesis.core.failures import FailureGroup

        try:
            requests = operation.as_strategy(mode, path_parameters=known or None)
        except Exception as error:  # what cannot be wrong has no bad requests
            assert "negative" in str(error).lower(), error
            return

        @seed(SEED)
        @settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=requests)
        def sent(case: Any) -> None:
            if operation.path == f"{API}/similar" and isinstance(case.body, dict):
                case.body["request"] = {"wait_seconds": 0}  # nobody works here
            answer = case.call(headers=headers)
            self.requests += 1
            self.found += answer.status_code < 400
            case.validate_response(answer, checks=self._checks, headers=headers)

        try:
            with suppress(Unsatisfiable):  # what has no parts that could be wrong
                sent()
        except FailureGroup as failed:  # the others are worth knowing too
            self.failures.append(f"{operation.method.upper()} {operation.path}: {failed}")
