"""What a server writes about itself: one object of JSON a line, or a line for people.

A record names what happened by an event and bare values. No text of a document, no name of a file,
no query, no secret and no token is ever given to `log`: that is why it takes no free sentences.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from collections import Counter
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

from likewise.server.config import Config

MINUTE_SECONDS = 60.0
MOST_ALIKE_WRONG = 60  # warnings or errors of one event, in a minute
MOST_ALIKE = 6_000  # others: mostly requests that were answered
MOST_EVENTS = 1_000  # different ones, in a minute

Level = Literal["debug", "info", "warning", "error"]

_logger = logging.getLogger("likewise.server")
_LEVELS: dict[str, int] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def log(level: Level, event: str, **values: Any) -> None:
    """Write down that something happened."""
    _logger.log(_LEVELS[level], event, extra={"fields": values})


def set_up_logs(config: Config) -> None:
    """Write to the standard error, as the configuration says; libraries only what is wrong."""
    handler = LimitedHandler(config.log_kilobytes_a_minute * 1000)
    handler.setFormatter(AsJson() if config.log_format == "json" else AsText())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    _logger.setLevel(_LEVELS[config.log_level])
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
        logging.getLogger(name).setLevel(logging.WARNING)


def flush_summaries() -> None:
    """Write what was left out, where its minute is over; called now and then."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LimitedHandler):
            handler.summarise()


class LimitedHandler(logging.StreamHandler[TextIO]):
    """Writes the same thing a limited number of times a minute, and of all things so many bytes.

    What is left out is counted, and told in one line when the minute is over.
    """

    def __init__(self, bytes_a_minute: int, stream: TextIO | None = None) -> None:
        super().__init__(stream or sys.stderr)
        self._bytes_a_minute = bytes_a_minute
        self._begin_minute()

    def _begin_minute(self) -> None:
        self._ends_at = time.monotonic() + MINUTE_SECONDS
        self._written_bytes = 0
        self._written: Counter[tuple[str, int]] = Counter()
        self._left_out: Counter[tuple[str, int]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        self.summarise()
        key = _event_of(record), record.levelno
        is_wrong = record.levelno >= logging.WARNING
        # The last quarter is for what is wrong: whoever asks a lot must not hide it.
        remaining_bytes = self._bytes_a_minute * (1 if is_wrong else 0.75) - self._written_bytes
        if (
            remaining_bytes <= 0
            or len(self._written) >= MOST_EVENTS
            or self._written[key] >= (MOST_ALIKE_WRONG if is_wrong else MOST_ALIKE)
        ):
            if key in self._left_out or len(self._left_out) < MOST_EVENTS:
                self._left_out[key] += 1
            else:
                self._left_out["further events", logging.WARNING] += 1
            return
        self._written[key] += 1
        self._write(record)

    def _write(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
            self._written_bytes += len(line.encode("utf-8", "replace")) + 1
            self.stream.write(line + self.terminator)
            self.flush()
        except Exception:
            self.handleError(record)

    def summarise(self, *, even_now: bool = False) -> None:
        """Tell how many were left out, once their minute is over."""
        with self.lock or nullcontext():
            if not even_now and time.monotonic() < self._ends_at:
                return
            left_out = self._left_out
            self._begin_minute()
            for (event, level), more in left_out.items():
                message = f"{event} … {more:,} more in the last minute"
                record = logging.LogRecord(_logger.name, level, "", 0, message, None, None)
                record.fields = {"more": more}
                self._write(record)

    def close(self) -> None:
        self.summarise(even_now=True)
        super().close()


class AsJson(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(_values(record), ensure_ascii=False, default=str)


class AsText(logging.Formatter):
    """For people who watch."""

    def format(self, record: logging.LogRecord) -> str:
        values = _values(record)
        head = f"{values.pop('time')} {values.pop('level'):7} {values.pop('event')}"
        return " ".join([head, *(f"{name}={value}" for name, value in values.items())])


def _values(record: logging.LogRecord) -> dict[str, Any]:
    time_text = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    values = {
        "time": time_text.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": _event_of(record),
    }
    values |= getattr(record, "fields", {})
    if record.exc_info and record.exc_info[1] is not None:
        values |= trace_of(record.exc_info[1])
    return values


def _event_of(record: logging.LogRecord) -> str:
    is_ours = record.name.startswith(_logger.name)
    return record.getMessage() if is_ours else _of_library(record)


def trace_of(error: BaseException) -> dict[str, Any]:
    """Where an error happened; not what it said, which may quote a document."""
    frames = traceback.extract_tb(error.__traceback__)[-20:]
    return {
        "error": type(error).__name__,
        "trace": [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames],
    }


def _of_library(record: logging.LogRecord) -> str:
    """What a library says, without the values it puts in: they may be anybody's."""
    text = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    return f"{record.name}: {text.splitlines()[0] if text else ''}"
