"""What a site asks of programs: robots.txt by RFC 9309.

Protego was tried and not taken: strangers' bytes are parsed in a reader, and its rules are objects
that cannot come back from there, where ours are plain data. It decides as this does, but for groups
that name a version behind the product (2,138 of 45,000 decisions, `python -m bench.robots`), which
the standard tells to leave aside; it takes 0.6 of the CPU time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from likewise.internet.model import SHORT_ANSWER
from likewise.reading.sandbox import shared_sandbox

LONGEST = 500 * 1024  # bytes that are looked at, as the standard says
_MOST_RULES = 10_000
_PRODUCT = re.compile(r"[A-Za-z_-]+|\*")
_ENCODED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class Rules:
    """What one program may fetch: the longest rule that fits decides, and leave before refusal.

    >>> rules = read_rules("User-agent: *\\nDisallow: /private/\\nAllow: /private/a$", "Likewise")
    >>> rules.allow("/private/a"), rules.allow("/private/ab"), rules.allow("/")
    (True, False, True)
    """

    rules: tuple[tuple[str, bool], ...] = ()
    delay_seconds: float = 0.0

    def allow(self, path: str) -> bool:
        """Whether a path with its query may be fetched."""
        path = _canonical(path or "/")
        fitting = [(len(rule), leave) for rule, leave in self.rules if _fits(rule, path)]
        return max(fitting, default=(0, True))[1]


EVERYTHING = Rules()
NOTHING = Rules((("/", False),))


def robots_rules(body: bytes, product: str) -> Rules:
    """What the file asks of a program, as a reader understands it."""
    reply = shared_sandbox(SHORT_ANSWER).call(parsed_rules, body, product=product)
    return Rules(tuple((str(rule), bool(leave)) for rule, leave in reply[0]), float(reply[1]))


def parsed_rules(body: bytes, product: str) -> tuple[list[tuple[str, bool]], float]:
    """The rules and the delay in a file. For a reader."""
    rules = read_rules(body.decode("utf-8", "replace"), product)
    return list(rules.rules), rules.delay_seconds


def read_rules(text: str, product: str) -> Rules:
    """The rules for a product: those of its own groups, else those for everyone."""
    own_group, common_group = _Group(), _Group()
    for products, field, value in _lines(text):
        if product.lower() in products:
            own_group.add(field, value)
        if "*" in products:
            common_group.add(field, value)
    group = own_group if own_group.exists else common_group
    return Rules(tuple(group.rules), group.delay_seconds)


class _Group:
    def __init__(self) -> None:
        self.exists = False
        self.rules: list[tuple[str, bool]] = []
        self.delay_seconds = 0.0

    def add(self, field: str, value: str) -> None:
        self.exists = True
        if field in ("allow", "disallow") and value and len(self.rules) < _MOST_RULES:
            self.rules.append((_canonical(value), field == "allow"))
        elif field == "crawl-delay":
            self.delay_seconds = max(self.delay_seconds, _seconds(value))


def _lines(text: str) -> Iterator[tuple[set[str], str, str]]:
    """Every line that says something, with the programs it is said to."""
    products: set[str] = set()
    is_heading = False
    for line in text.lstrip("\ufeff").splitlines():
        field, colon, value = line.partition("#")[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if not colon:
            continue
        if field == "user-agent":
            if not is_heading:
                products = set()
            match = _PRODUCT.match(value)
            products.add(match[0].lower() if match else "")
            is_heading = True
            yield products, field, value  # a group without rules allows everything
        else:
            # A sitemap stands outside of groups and ends none.
            is_heading = is_heading and field not in ("allow", "disallow", "crawl-delay")
            yield products, field, value


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < float("inf") else 0.0


def _canonical(path: str) -> str:
    """One spelling for all that mean the same: letters bare, everything else encoded."""
    ascii_only = quote(path, safe="".join(map(chr, range(33, 127))))
    return _ENCODED.sub(_decoded, ascii_only)


def _decoded(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _fits(rule: str, path: str) -> bool:
    """Whether a path begins as a rule says; `*` stands for anything, `$` for the end.

    In one go over the path, so that no rule can make us try for ever.
    """
    is_whole = rule.endswith("$")
    first, *rest = rule.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    position = len(first)
    if not rest:
        return not is_whole or position == len(path)
    last = rest.pop() if is_whole else ""
    for part in rest:
        match = path.find(part, position)
        if match < 0:
            return False
        position = match + len(part)
    return not is_whole or (path.endswith(last) and len(path) - len(last) >= position)
