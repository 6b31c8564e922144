"""Reads the policy: who may what, a line for each route and thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

POLICY = Path(__file__).with_name("policy.txt")
_FIXED = ("method", "path", "thing", "needs")


@dataclass(frozen=True)
class Line:
    """What becomes of a request about a thing, by caller."""

    method: str
    path: str
    thing: str
    needs: frozenset[str]
    outcomes: Mapping[str, str]

    @property
    def route(self) -> tuple[str, str]:
        return self.method, self.path

    def opens_to(self, scope: str) -> bool:
        """Whether a key that has this scope alone is enough."""
        scopes = self.needs - {"expired"}
        return all(one == "key" or scope in one.split("|") for one in scopes)

    def __str__(self) -> str:
        needs = "+".join(sorted(self.needs))
        return " ".join([self.method, self.path, self.thing, needs, *self.outcomes.values()])


def read_policy(text: str) -> Iterator[Line]:
    """Every line; a line that begins with `method` names the callers of those below it."""
    callers: list[str] = []
    for line in text.splitlines():
        cells = line.split()
        if not cells or line.startswith("#"):
            continue
        if tuple(cells[:4]) == _FIXED:
            callers = cells[4:]
            continue
        method, path, thing, needs, *outcomes = cells
        answers = dict(zip(callers, outcomes, strict=True))
        yield Line(method, path, thing, frozenset(needs.split("+")), answers)


LINES = list(read_policy(POLICY.read_text("utf-8")))
OF_PEOPLE = [line for line in LINES if "link" not in line.needs]
OF_LINKS = [line for line in LINES if "link" in line.needs]
