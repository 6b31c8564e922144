"""Everybody gets what policy.txt says, of every route and about things of everybody.

The real application on a real database. The campus is set up once; what a request has changed is
taken back before the next one, so that each finds everything as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from likewise.library import Library
from likewise.server.app import API
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.people import passwords
from tests.library.places import empty_place
from tests.security.campus import KEYS, Campus
from tests.security.campus_requests import not_there
from tests.security.policy import LINES, OF_LINKS, OF_PEOPLE, Line
from tests.security.rewinding import remembered
from tests.server.conftest import CHEAP_HASHER

# With mail, since some requests are about nothing else; nobody sends it.
CONFIG = Config(
    workers=0,
    public_url="http://testserver",
    mail_host="127.0.0.1",
    mail_from="likewise@example.kz",
)
# These say to how many it was done.
BULK = ("/checks/delete", "/checks/share", "/checks/again")


class Asked:
    """A campus whose database goes back after every request that may have changed something."""

    def __init__(self, campus: Campus, rewind: Any) -> None:
        self.campus, self._rewind = campus, rewind

    def ask(self, headers: Mapping[str, str], line: Line, ids: Mapping[str, Any]) -> Response:
        answer = self.campus.ask(headers, line.method, line.path, ids)
        if line.method != "GET" and answer.status_code < 400:
            self._rewind()
        return answer

    def about(self, headers: Mapping[str, str], line: Line) -> Response:
        return self.ask(headers, line, self.campus.things[line.thing])

    def word(self, headers: Mapping[str, str], line: Line) -> str:
        """What becomes of a request, in the words of the policy, without looking further."""
        return word_of(line, self.about(headers, line))

    def outcome(self, headers: Mapping[str, str], line: Line) -> str:
        """The same, beside what becomes of a request about something that is not there."""
        ids = self.campus.things[line.thing]
        answer = self.ask(headers, line, ids)
        word = word_of(line, answer)
        if not ids:
            return word
        absent = self.ask(headers, line, not_there(ids))
        if answer.status_code in (401, 403, 404) and absent.content == answer.content:
            return word
        if absent.status_code != 404:
            return f"{word}({absent.status_code})"
        return f"{word}*" if answer.status_code in (403, 404) else word


def word_of(line: Line, answer: Response) -> str:
    if answer.status_code >= 400:
        return str(answer.status_code)
    return "left" if line.path in BULK and not answer.json()["checks"] else "yes"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, recorded_tables: None
) -> Iterator[Asked]:
    folder: Path = tmp_path_factory.mktemp("campus")
    with (
        pytest.MonkeyPatch.context() as patch,
        empty_place(request.param, folder, request) as place,
    ):
        patch.setenv("LIKEWISE_CACHE", str(folder / "cache"))
        patch.setattr(passwords, "_hasher", CHEAP_HASHER)
        with Library(place) as library:
            campus = Campus(ServerContext(library, CONFIG))
            with remembered(place) as memory, campus.client:
                yield Asked(campus, memory.rewind)


def routes_of(campus: Campus) -> set[tuple[str, str]]:
    """Every method and path of the description of the API."""
    app: Any = campus.client.app
    return {
        (method.upper(), path.removeprefix(API))
        for path, operations in app.openapi()["paths"].items()
        for method in operations
    }


def test_every_route_has_a_line_and_every_line_a_route(asked: Asked) -> None:
    routes, lines = routes_of(asked.campus), {line.route for line in LINES}
    assert not (new := sorted(routes - lines)), f"who may? Add lines to policy.txt for {new}"
    assert not (gone := sorted(lines - routes)), f"policy.txt has lines of no route: {gone}"
    about = [(line.route, line.thing) for line in LINES]
    assert len(about) == len(set(about)), "a route stands twice with the same thing"
    routes_with_things = {line.path for line in LINES if "{id}" in line.path}
    assert {line.path for line in LINES if line.thing == "-"}.isdisjoint(routes_with_things)


def test_everybody_gets_what_the_policy_says(asked: Asked) -> None:
    headers = asked.campus.headers
    wrong = []
    for line in OF_PEOPLE:
        outcomes = {caller: asked.outcome(headers[caller], line) for caller in line.outcomes}
        if outcomes != line.outcomes:
            wrong.append(f"{line}\n is {replace(line, outcomes=outcomes)}")
    assert not wrong, "\n".join(wrong)


def test_a_link_opens_what_the_policy_says(asked: Asked) -> None:
    links = asked.campus.links
    wrong = []
    for line in OF_LINKS:
        outcomes = {bearer: asked.word(links[bearer], line) for bearer in line.outcomes}
        if outcomes != line.outcomes:
            wrong.append(f"{line}\n is {replace(line, outcomes=outcomes)}")
    assert not wrong, "\n".join(wrong)


def test_a_link_opens_nothing_else(asked: Asked) -> None:
    commission = asked.campus.links["commission"]
    for line in OF_PEOPLE:
        assert asked.word(commission, line) == line.outcomes["nobody"].rstrip("*"), line


def test_a_key_opens_what_its_scope_is_for_and_nothing_else(asked: Asked) -> None:
    wrong = []
    for line in OF_PEOPLE:
        for caller, scope in KEYS:
            word = asked.word(asked.campus.headers[f"{caller}'s key {scope}"], line)
            if caller == "student":  # who goes by these where others go by those
                scope = scope.replace("submissions", "courses")
            if "open" in line.needs:
                is_right = word == line.outcomes["nobody"].rstrip("*")
            elif line.opens_to(scope):
                is_right = word == line.outcomes[caller].rstrip("*")
            else:
                is_right = word in ("401", "403", "404")
            if not is_right:
                wrong.append(f"{line.method} {line.path} {line.thing}: {word} with {scope}")
    assert not wrong, "\n".join(wrong)


def test_who_must_change_the_password_does_nothing_before(asked: Asked) -> None:
    for line in OF_PEOPLE:
        answer = asked.about(asked.campus.headers["changing"], line)
        if line.needs & {"open", "expired"}:
            assert answer.status_code != 403 or "open" in line.needs, line
        else:
            assert answer.json()["kind"] == "password must be changed", line


def test_an_account_that_was_locked_is_nobodys(asked: Asked) -> None:
    for line in OF_PEOPLE:
        word = asked.word(asked.campus.headers["inactive"], line)
        assert word == line.outcomes["nobody"].rstrip("*"), line


def test_what_needs_a_password_needs_it_now(asked: Asked) -> None:
    tried = 0
    for line in OF_PEOPLE:
        for caller in ("teacher", "dean"):
            if "proof" not in line.needs or line.outcomes[caller] == "403":
                continue
            answer = asked.about(asked.campus.headers[f"{caller} of an hour ago"], line)
            assert answer.status_code == 403, (caller, line)
            assert answer.json()["kind"] == "authenticate again", (caller, line)
            tried += 1
    assert tried > 10


def test_what_belongs_to_another_thing_is_not_there_under_ones_own(asked: Asked) -> None:
    """A comment of another's check, under the address of one's own."""
    campus = asked.campus
    tried = 0
    for line in OF_PEOPLE:
        if line.path.count("{") < 2 or line.thing not in ("check", "assignment", "course"):
            continue
        mine, theirs = campus.mine.of(line.path), campus.theirs.of(line.path)
        mixed = theirs | {"id": mine["id"]}
        answer = asked.ask(campus.headers["teacher"], line, mixed)
        absent = asked.ask(campus.headers["teacher"], line, not_there(mixed) | {"id": mine["id"]})
        assert (answer.status_code, answer.content) == (404, absent.content), line
        tried += 1
    assert tried > 5
