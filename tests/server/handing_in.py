"""Files handed in to a server as a browser would."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from fastapi.testclient import TestClient

STEPPE = (
    "The wide steppe lies under a pale sky, and the wind bends the feather grass all day long. "
)
RIVER = "A river carries melted snow from the mountains down to fields of wheat and cotton plants. "


def text(words: str, times: int = 3) -> bytes:
    return (words * times).encode()


def zipped(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def hand_in(
    client: TestClient, files: Mapping[str, bytes], *, table: bytes | None = None, **request: Any
) -> Any:
    """The answer to an upload."""
    parts: list[tuple[str, Any]] = [("file", (name, data)) for name, data in files.items()]
    if table is not None:
        parts.append(("table", ("table.csv", table)))
    parts.append(("request", (None, json.dumps(request))))
    return client.post("/documents", files=parts)


def added(
    client: TestClient,
    work_off: Callable[[], int],
    files: Mapping[str, bytes],
    **request: Any,
) -> dict[str, Any]:
    """The outcome of the job that an upload asked for."""
    answer = hand_in(client, files, **request)
    assert answer.status_code == 202, answer.text
    work_off()
    job = client.get(f"/jobs/{answer.json()['job']}").json()
    assert job["state"] == "done", job
    outcome: dict[str, Any] = job["outcome"]
    return outcome


def add_one(
    client: TestClient,
    work_off: Callable[[], int],
    name: str = "essay.txt",
    data: bytes | None = None,
    **request: Any,
) -> int:
    """The number of a document that was just added."""
    outcome = added(client, work_off, {name: text(STEPPE) if data is None else data}, **request)
    number: int = outcome["documents"][0]["id"]
    return number
