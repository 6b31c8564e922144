"""Our reading of robots.txt beside Protego's: `pip install protego`, `python -m bench.robots`.

Files made at random of everything that RFC 9309 has rules for; counted are paths that one of the
two allows and the other does not, and the CPU seconds of reading and deciding.
"""

from __future__ import annotations

import importlib
import random
import time

from likewise.internet.robots import read_rules

AGENTS = ["*", "Likewise", "likewise", "Googlebot", "Likewise/2.0", "LikewiseBot"]
RULES = [
    *["/", "/a", "/private", "/private/", "/a*b", "/*.pdf$", "/x$", "/%7Euser", "/~user", "/käse"],
    *["/k%C3%A4se", "", "/a%2Fb", "/a/b", "*", "/q?x=1"],
]
PATHS = [
    *["/", "/a", "/private/x", "/aXb", "/doc.pdf", "/doc.pdf?x", "/x", "/xy", "/~user", "/%7euser"],
    *["/käse", "/k%C3%A4se", "/a%2fb", "/a/b", "/q?x=1&y=2"],
]


def robots_file(draw: random.Random) -> str:
    """One to three groups with up to four rules each."""
    lines = []
    for _ in range(draw.randint(1, 3)):
        lines += [f"User-agent: {draw.choice(AGENTS)}" for _ in range(draw.randint(1, 2))]
        for _ in range(draw.randint(0, 4)):
            lines.append(f"{draw.choice(('Disallow', 'Allow'))}: {draw.choice(RULES)}")
    return "\n".join(lines)


def main() -> None:
    draw = random.Random(1)
    files = [robots_file(draw) for _ in range(3000)]
    protego = importlib.import_module("protego").Protego
    began = time.process_time()
    ours = [
        [rules.allow(path) for path in PATHS]
        for rules in (read_rules(f, "Likewise") for f in files)
    ]
    between = time.process_time()
    theirs = [
        [rules.can_fetch(f"http://example.org{path}", "Likewise") for path in PATHS]
        for rules in map(protego.parse, files)
    ]
    ended = time.process_time()
    rows = list(zip(files, ours, theirs, strict=True))
    different = sum(a != b for _, x, y in rows for a, b in zip(x, y, strict=True))
    product = [file for file, x, y in rows if x != y and "Likewise/2.0" not in file]
    print(f"{different:,} of {len(files) * len(PATHS):,} decisions differ")
    print(f"files that differ and name no version behind the product: {len(product)}")
    print(f"CPU-s: ours {between - began:.2f}, Protego {ended - between:.2f}")


if __name__ == "__main__":
    main()
