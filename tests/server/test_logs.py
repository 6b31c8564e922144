"""What a server writes about itself, and what it never does."""

from __future__ import annotations

import io
import json
import logging
import time
from typing import Any

import pytest

from likewise.server.config import Config
from likewise.server.logs import (
    MOST_ALIKE_WRONG,
    AsJson,
    AsText,
    LimitedHandler,
    log,
    set_up_logs,
)


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


# What is written too often


def handler(stream: io.StringIO, kilobytes: int = 1_000) -> LimitedHandler:
    made = LimitedHandler(kilobytes * 1_000, stream)
    made.setFormatter(AsJson())
    return made


def written(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def warning(message: str, name: str = "likewise.server") -> logging.LogRecord:
    made = record(message, name)
    made.levelno, made.levelname = logging.WARNING, "WARNING"
    return made


def test_the_same_warning_is_written_so_often_and_then_counted() -> None:
    stream = io.StringIO()
    limited = handler(stream)
    for _ in range(MOST_ALIKE_WRONG + 1_234):
        limited.handle(warning("refused"))
    limited.handle(warning("another thing"))
    assert [one["event"] for one in written(stream)].count("refused") == MOST_ALIKE_WRONG
    assert written(stream)[-1]["event"] == "another thing"
    limited.close()  # or the minute is over
    assert written(stream)[-1]["event"] == "refused … 1,234 more in the last minute"
    assert written(stream)[-1]["more"] == 1_234


def test_the_summary_comes_when_the_minute_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likewise.server.logs.MINUTE_SECONDS", 0.2)
    stream = io.StringIO()
    limited = handler(stream)
    for _ in range(MOST_ALIKE_WRONG + 5):
        limited.handle(warning("refused"))
    end = time.monotonic() + 30
    while "more in the last minute" not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.05)
        limited.summarise()
    assert "more in the last minute" in stream.getvalue()
    limited.handle(warning("refused"))  # a new minute, and room again
    assert written(stream)[-1]["event"] == "refused"


def test_libraries_go_through_it_by_what_they_say_and_not_by_its_values() -> None:
    stream = io.StringIO()
    limited = handler(stream)
    for number in range(500):
        said = warning("socket.accept() failed for %s", "asyncio")
        said.args = (number,)
        limited.handle(said)
    assert len(written(stream)) == MOST_ALIKE_WRONG


def test_a_minute_has_so_many_bytes_and_the_last_are_for_what_is_wrong() -> None:
    stream = io.StringIO()
    limited = handler(stream, kilobytes=20)
    for number in range(2_000):
        limited.handle(record(f"event {number}", fields={"padding": "x" * 100}))
    assert len(stream.getvalue()) < 17_000
    limited.handle(warning("something is wrong"))
    assert written(stream)[-1]["event"] == "something is wrong"
    for number in range(2_000):
        limited.handle(warning(f"wrong {number}"))
    assert len(stream.getvalue()) < 21_000


def test_whatever_libraries_log_goes_through_the_limit() -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        set_up_logs(Config())
        assert [type(one) for one in root.handlers] == [LimitedHandler]
        for name in ("asyncio", "uvicorn.error", "likewise.server"):
            logger = logging.getLogger(name)
            assert logger.propagate and not logger.handlers
    finally:
        root.handlers[:], root.level = before
