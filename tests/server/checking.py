"""Documents, a small library, and checks of them, for the tests about checks."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response

from likewise.server.context import ServerContext

RIVER = (
    "The river rises in the snow of the high valley and runs for three weeks before it meets the "
    "reeds. Herders count its colour every morning, because grey water means that the ice above "
    "has begun to move and the ford will be closed until the moon has changed."
)
MARKET = (
    "On market days the square fills with felt and iron long before the first lamp is put out. "
    "Nobody names a price aloud; two hands meet under a sleeve, and fingers tell what the "
    "neighbours are not to hear, as their grandfathers had told it in the same place."
)
APPLES = (
    "An orchard of wild apples covered the whole slope, each tree with a taste of its own, and the "
    "bears had carried the sweetest of them downhill for so many centuries that the gardens of the "
    "town needed nothing but a fence and a little patience."
)
OWN = (
    "My own thesis begins with a question that nobody in the department had asked before: why do "
    "these stories mention water first, prices second and fruit last, whoever tells them to whom?"
)


def add(context: ServerContext, owner: str = "dean", collection: str = "", **texts: str) -> None:
    """Put texts into the library."""
    context.library.add_texts(
        {f"{name}.txt": text for name, text in texts.items()}, owner=owner, collection=collection
    )


def small_library(context: ServerContext) -> None:
    add(context, river=RIVER, market=MARKET, apples=APPLES)


def thesis(*parts: str) -> str:
    return "\n\n".join(parts or (OWN, RIVER, MARKET))


def post(
    client: TestClient,
    path: str,
    files: Mapping[str, bytes | str] | Sequence[tuple[str, bytes | str]],
    **request: Any,
) -> Response:
    """A form with files and a request."""
    named = list(files.items()) if isinstance(files, Mapping) else files
    parts: list[Any] = [
        ("file", (name, data.encode() if isinstance(data, str) else data)) for name, data in named
    ]
    parts.append(("request", (None, json.dumps(request), "application/json")))
    return client.post(path, files=parts)


def checked(
    client: TestClient,
    work_off: Callable[[], int],
    text: str | None = None,
    name: str = "thesis.txt",
    **request: Any,
) -> str:
    """A check that is done; its id."""
    answer = post(client, "/checks", {name: text or thesis()}, **request)
    assert answer.status_code == 202, answer.text
    work_off()
    id: str = answer.json()["id"]
    found = client.get(f"/checks/{id}").json()
    assert found["state"] == "done", found
    return id


def zipped(files: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()
