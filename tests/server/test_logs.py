"""What a server writes about itself, and what it never does."""

from __future__ import annotations

import json
import logging

import pytest

from likewise.server.logs import AsJson, AsText, log


def record(message: str, name: str = "likewise.server", **more: object) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.INFO, "a.py", 1, message, None, None)
    made.__dict__.update(more)
    return made


def test_a_record_is_one_object_on_one_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "likewise.server"):
        log("info", "job", job="a1", kind="add", attempt=1, seconds=0.25)
    line = AsJson().format(caplog.records[0])
    told = json.loads(line)
    assert "\n" not in line
    assert told.pop("time").endswith("Z")
    assert told == {
        "level": "info",
        "event": "job",
        "job": "a1",
        "kind": "add",
        "attempt": 1,
        "seconds": 0.25,
    }


def test_people_get_a_line_too() -> None:
    line = AsText().format(record("job", fields={"job": "a1"}))
    assert line.endswith("info    job job=a1")


def test_an_error_is_named_and_placed_but_not_quoted() -> None:
    try:
        raise ValueError("once upon a time")
    except ValueError as error:
        found = record("failed", exc_info=(ValueError, error, error.__traceback__))
    line = AsJson().format(found)
    assert json.loads(line)["error"] == "ValueError"
    assert "test_logs.py" in line
    assert "once upon" not in line


def test_libraries_do_not_put_values_into_the_log() -> None:
    found = record("cannot read %s", name="some.library", args=("a secret name",))
    assert json.loads(AsJson().format(found))["event"] == "some.library: cannot read %s"
