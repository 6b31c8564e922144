"""Figures as Prometheus reads them."""

from __future__ import annotations

import re

from fastapi.testclient import TestClient

from likewise.server.context import ServerContext
from likewise.server.jobs.queue import enqueue

SAMPLE = re.compile(
    r'[a-z_]+(\{[a-z]+="([^"\\\n]|\\.)*"(,[a-z]+="([^"\\\n]|\\.)*")*\})? [0-9.e+-]+'
)


def test_every_line_is_in_the_text_format(administrator: TestClient) -> None:
    administrator.get("/health")
    administrator.get("http://testserver/x%0ay%22z")
    answer = administrator.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.text.endswith("\n")
    for line in answer.text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or SAMPLE.fullmatch(line), line


def test_requests_are_counted_by_route_and_not_by_address(administrator: TestClient) -> None:
    for number in range(3):
        administrator.get(f"/nothing/{number}")
    administrator.get("/health")
    figures = _figures(administrator)
    assert figures['likewise_requests_total{method="GET",route="(unknown)",status="404"}'] == 3
    of_health = 'method="GET",route="/api/v1/health"'
    assert figures[f'likewise_requests_total{{{of_health},status="200"}}'] == 1
    assert figures[f'likewise_request_seconds_bucket{{le="+Inf",{of_health}}}'] == 1
    assert figures[f"likewise_request_seconds_count{{{of_health}}}"] == 1


def test_the_queue_and_the_library_are_counted(
    administrator: TestClient, context: ServerContext
) -> None:
    context.library.add_texts(
        [("one.txt", "the wind over the steppe carries the smell of wormwood")]
    )
    with context.store.beside() as connection:
        enqueue(connection, "tidy", None, {})
    figures = _figures(administrator)
    assert figures['likewise_jobs{kind="tidy",state="queued"}'] == 1
    assert figures["likewise_queue_age_seconds"] >= 0
    assert figures["likewise_documents"] == 1
    assert figures["process_resident_memory_bytes"] > 1e6


def test_refused_log_ins_are_counted(administrator: TestClient, anybody: TestClient) -> None:
    anybody.post("/token", json={"name": "dean", "password": "not this one"})
    assert _figures(administrator)["likewise_log_in_failures_total"] == 1


def test_a_key_with_the_scope_reads_metrics_and_nothing_else(
    administrator: TestClient, anybody: TestClient
) -> None:
    made = administrator.post("/keys", json={"name": "prometheus", "scopes": ["metrics"]})
    assert made.status_code == 201, made.text
    anybody.headers["Authorization"] = f"Bearer {made.json()['secret']}"
    assert anybody.get("/metrics").status_code == 200
    assert anybody.get("/users").status_code == 403


def test_teachers_do_not_read_metrics(teacher: TestClient, anybody: TestClient) -> None:
    assert teacher.get("/metrics").status_code == 403
    assert anybody.get("/metrics").status_code == 401


def _figures(client: TestClient) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    pairs = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    return {name: float(value) for name, _, value in pairs}
