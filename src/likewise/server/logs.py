"""What a server writes about itself: one object of JSON a line, or a line for people.

A record names what happened by an event and bare values. No text of a document, no name of a file,
no query, no secret and no token is ever given to `log`: that is why it takes no free sentences.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from likewise.server.config import Config

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
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(AsJson() if config.log_format == "json" else AsText())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    _logger.setLevel(_LEVELS[config.log_level])
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
        logging.getLogger(name).setLevel(logging.WARNING)


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
    moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    is_ours = record.name.startswith(_logger.name)
    values = {
        "time": moment.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": record.getMessage() if is_ours else _of_library(record),
    }
    values |= getattr(record, "fields", {})
    if record.exc_info and record.exc_info[1] is not None:
        values |= trace_of(record.exc_info[1])
    return values


def trace_of(error: BaseException) -> dict[str, Any]:
    """Where an error happened; not what it said, which may quote a document."""
    frames = traceback.extract_tb(error.__traceback__)[-20:]
    return {
        "error": type(error).__name__,
        "trace": [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames],
    }


def _of_library(record: logging.LogRecord) -> str:
    """What a library says, without the values it puts in: they may be anybody's."""
    said = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    return f"{record.name}: {said.splitlines()[0] if said else ''}"
