"""No regular expression of ours takes more than linear time, whatever somebody hands in."""

from __future__ import annotations

import re
from math import inf

import pytest

from tests.security.growth import Growth, cpu_seconds, growth
from tests.security.patterns import (
    ASKED_ONCE,
    BOUNDED,
    SOURCE,
    Attack,
    Expression,
    attacks,
    expressions,
)

# Lengths of a first look, and the seconds beyond which it deserves a second: an expression that
# is exponential shows at the first, a cubic one at the second, a square at the third.
_LOOKS = ((24, 0.002), (250, 0.002), (6000, 0.0012))
_BOUNDED_SECONDS = 0.01  # for an expression that sees only so many characters


ROOMS = sorted(
    {path.stem for path in SOURCE.glob("[!_]*") if path.is_dir() or path.suffix == ".py"}
)


def room_of(expression: Expression) -> str:
    """The package, or the module, in which an expression stands first."""
    return re.split("[.:]", min(expression.where))[1]


def worst(expression: Expression) -> tuple[Attack, Growth] | None:
    """The first input for which an expression needs more than linear time."""
    for attack in attacks(expression):
        if found := superlinear(expression, attack):
            return attack, found
    return None


def superlinear(expression: Expression, attack: Attack) -> Growth | None:
    """How the time of an expression grows with this input, if it clearly grows too fast."""
    compiled = expression.compiled

    def make(length: int) -> str | bytes:
        text = attack.text(length)
        return text.encode("latin-1", "replace") if isinstance(compiled.pattern, bytes) else text

    def work(text: str | bytes) -> None:
        if expression.method == "finditer":
            for _ in compiled.finditer(text):
                pass
        else:
            getattr(compiled, expression.method)(text)

    if expression.most_chars:
        text = make(expression.most_chars)[: expression.most_chars]
        least = min(cpu_seconds(work, text) for _ in range(2))
        return Growth(inf, (least,), (len(text),)) if least > _BOUNDED_SECONDS else None
    for length, bound in _LOOKS:
        text = make(length)
        if cpu_seconds(work, text) > bound and cpu_seconds(work, text) > bound:
            found = growth(work, make, length)
            return found if found.is_superlinear else None
    return None


def test_every_expression_of_the_source_is_found():
    found, missed = expressions()
    assert not missed, "make them constants of their modules, or say why not in NOT_EVALUATED"
    assert len(found) > 300
    places = {place for expression in found for place in expression.where}
    assert {*ASKED_ONCE, *BOUNDED} <= places, "exceptions for what is no more"
    assert {room_of(expression) for expression in found} <= set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_no_expression_takes_more_than_linear_time(room):
    slow = [
        f"{expression}\n    {found[0]!r}\n    {found[1]}"
        for expression in expressions()[0]
        if room_of(expression) == room and (found := worst(expression))
    ]
    assert not slow, "\n".join(slow)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+b",
        r"(a|a)*b",
        r"a+b",
        r"\s+$",
        r"<a[^>]*>",
        r"<!--.*?-->",
        r"\d*\d*x",
        r"[\w.]*=\s*\s*x",
        r"(?:\w+\s?)*;",
        r'"[^"]*\d[^"]*"',
        r"\w{3,}:",
        r"—(?:[A-Z]\w*\s?){0,4}$",
        r"(?:%d ?|%e|\s)*x",
        r"a.*b.*c",
    ],
)
def test_what_is_known_to_grow_faster_is_found(pattern):
    assert worst(Expression(pattern, 0, {"nowhere"}, {"finditer"}))


@pytest.mark.parametrize(
    "pattern", [r"\w+", r"(?<!a)a++b", r"(?:a|b)+c?", r"[a-z]{1,8};", r"<a[^<>]*+>", r"\bword\b"]
)
def test_what_is_known_to_be_linear_is_left_alone(pattern):
    assert not worst(Expression(pattern, 0, {"nowhere"}, {"finditer"}))
