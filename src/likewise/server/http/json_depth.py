"""How deep the JSON of a request may go: no request of ours goes deeper than a few levels."""

from __future__ import annotations

import json
from typing import Any

MOST_DEPTH = 32


def is_too_deep(data: bytes) -> bool:
    """Whether JSON nests deeper than it may; what is no JSON is told by whoever reads it.

    >>> is_too_deep(b'{"a": [1]}'), is_too_deep(b"[" * 99 + b"]" * 99), is_too_deep(b"[" * 99)
    (False, True, False)
    """
    if data.count(b"[") + data.count(b"{") <= MOST_DEPTH:
        return False
    try:
        level: list[Any] = [json.loads(data)]
    except RecursionError:
        return True
    except ValueError:
        return False
    for _ in range(MOST_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
