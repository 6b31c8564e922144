"""No answer tells a teacher what another keeps in private.

The real application is asked everything that a teacher may ask, in a world where another teacher
has private documents, checks and keys, and in one where there are none. Random names and times are
the only things that may differ. A route that is not asked here fails the test.
"""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from likewise.library import Library
from likewise.library.add import next_numbers
from likewise.server.app import API, make_app
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.people.users import add_person
from likewise.server.workers.worker import work_off
from tests.library.places import empty_place
from tests.security.asking import Asking, ask_everything
from tests.security.worlds import (
    ASKING,
    HIDING,
    MINE,
    MINE_TOO,
    SENTENCES,
    THEIRS,
    Added,
    add_all,
    histories,
    make_collections,
)
from tests.server.checking import post
from tests.server.world import NOTHING

HIDDEN = ("check", "job", "batch", "key", "course", "assignment", "submission")
PASSWORD = "wormwood after rain"
Transcript = tuple[list[str], set[tuple[str, str]], FastAPI]


def logged_in(app: FastAPI, name: str) -> TestClient:
    client = TestClient(app, base_url=f"http://testserver{API}", raise_server_exceptions=False)
    answer = client.post("/token", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
    return client


def hide(context: ServerContext, client: TestClient, work: Callable[[], int]) -> dict[str, str]:
    """What a teacher has beside documents: a check, a batch, a key, and what each is called."""
    text = {"secret.txt": " ".join(SENTENCES)}
    check = post(client, "/checks", text).json()
    batch = post(client, "/batches", text).json()
    course = client.post("/courses", json={"name": "hidden"}).json()["id"]
    made = client.post(f"/courses/{course}/assignments", json={"name": "hidden essay"})
    assignment = made.json()["id"]
    post(client, f"/assignments/{assignment}/submissions", text)
    work()
    (handed_in,) = client.get(f"/assignments/{assignment}/submissions").json()["items"]
    key = client.post("/keys", json={"name": "mine", "scopes": ["documents:read"]}).json()
    return {
        "check": check["id"],
        "job": check["job"],
        "batch": batch["id"],
        "key": key["key"]["id"],
        "course": course,
        "assignment": assignment,
        "submission": handed_in["id"],
    }


def answers_in(
    place: str, history: list[Added], question: bytes, author: str, *, with_hidden: bool
) -> Transcript:
    with Library(place) as library:
        context = ServerContext(library, Config(workers=0))
        app = make_app(context)
        people = {
            name: add_person(context, name, PASSWORD, role="teacher").id
            for name in (ASKING, HIDING)
        }
        owners = {MINE: people[ASKING], MINE_TOO: people[ASKING]}
        hidden = dict.fromkeys(HIDDEN, NOTHING)
        make_collections(library, owners | ({THEIRS: people[HIDING]} if with_hidden else {}))
        with library.store.reading() as connection:
            number = next(next_numbers(connection, THEIRS))  # of the first that is hidden
        add_all(library, history, with_hidden=with_hidden)
        if with_hidden:
            hidden = hide(context, logged_in(app, HIDING), lambda: work_off(context))
        hidden |= {"collection": THEIRS, "document": str(number), "user": people[HIDING]}
        asking = Asking(logged_in(app, ASKING), lambda: work_off(context))
        for kind in (*HIDDEN, "user"):
            asking.call(hidden[kind], NOTHING)  # there in one world alone
        ask_everything(asking, hidden, question, author)
        return asking.answers, asking.routes, app


@contextmanager
def some_place(engine: str, request: pytest.FixtureRequest) -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory(prefix="likewise-") as folder,
        empty_place(engine, Path(folder), request) as place,
    ):
        yield place


def routes_of(app: FastAPI) -> set[tuple[str, str]]:
    return {
        (method.upper(), path.removeprefix(API))
        for path, operations in app.openapi()["paths"].items()
        for method in operations
    }


def difference(before: list[str], after: list[str]) -> str:
    for one, other in zip(before, after, strict=True):
        if one != other:
            lines = difflib.unified_diff(one.split("\n"), other.split("\n"), "without", "with", n=0)
            return one.split("\n")[0] + "\n" + "\n".join(line[:3_000] for line in lines)
    return ""


ASKED: dict[str, Any] = {
    "history": histories(),
    "sentences": st.lists(st.integers(0, 5), min_size=1, max_size=5),
    "author": st.sampled_from(("Secret Name", "A. NUR", "Nobody at All")),
    "few": st.sampled_from((1, 3, 256)),
}


def same_answers(
    engine: str,
    request: pytest.FixtureRequest,
    history: list[Added],
    sentences: list[int],
    author: str,
    few: int,
) -> None:
    question = "\n".join(SENTENCES[n] for n in sentences).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("likewise.library.candidates.FEW_HOLDERS", few)
        patch.setattr("likewise.library.similar.MEASURE_ALL", few)
        told = []
        for with_hidden in (False, True):
            with some_place(engine, request) as place:
                told.append(answers_in(place, history, question, author, with_hidden=with_hidden))
    (without, asked, app), (with_them, _, _) = told
    assert not (found := difference(without, with_them)), found
    assert len(without) > 150
    assert asked == routes_of(app), "a route is not asked: it may tell of what others hide"


def _document(collection: str, owner: str, *sentences: int, author: str | None = None) -> Added:
    return Added(collection, owner, "essay.txt", sentences, author, " ", 1, "essay")


# A sentence, an author, a text, bytes and a table that one of the teachers hides, between others.
HOLES = [
    _document("", "dean", 0, 1),
    _document(THEIRS, HIDING, 0, 5, author="Secret Name"),
    _document(THEIRS, HIDING, 3),
    _document(MINE, ASKING, 3),
    _document(THEIRS, HIDING, 0, 2),
    _document("", ASKING, 0, 4),
    _document(MINE, ASKING, 4),
]


@given(**ASKED)
@example(history=HOLES, sentences=[0, 5], author="Secret Name", few=256)
@settings(
    max_examples=3,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_the_same_with_and_without_what_another_hides(
    request, history, sentences, author, few
):
    same_answers("sqlite", request, history, sentences, author, few)


@given(**ASKED)
@settings(
    max_examples=1,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_the_same_on_postgresql(request, history, sentences, author, few):
    same_answers("postgresql", request, history, sentences, author, few)
