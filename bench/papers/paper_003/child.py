"""Methods on all pairs of texts, in a process that may be ended when one takes too long.

Reads a question as JSON, writes a line for each answer as soon as it has it:
`python -m bench.papers.paper_003.child`.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from typing import Any

from bench.papers.paper_003.methods import METHODS, Method

SLOW_S = 20  # who takes longer for one pair is not asked for the value of another


def main() -> None:
    """Answer the question on standard input."""
    question = json.load(sys.stdin)
    for name in question["methods"]:
        try:
            method = METHODS[name]()
        except ModuleNotFoundError as missing:
            for _ in question["pairs"]:
                _tell(name, {"missing": missing.name})
            continue
        for pair in question["pairs"]:
            _allow(question["limit"])
            _tell(name, _answer(method, pair, question["long_enough"]))


def _answer(method: Method, pair: dict[str, str], long_enough: float) -> dict[str, Any]:
    value, seconds = timed(method, pair["text"], pair["copied"], long_enough)
    answer = {"value": value, "cpu_s": seconds}
    if seconds < SLOW_S:
        answer["unrelated"] = method(pair["text"], pair["unrelated"])
    return answer


def timed(method: Method, a: str, b: str, long_enough: float) -> tuple[float, float]:
    """The value, and the mean CPU seconds; what takes too little is done again and again."""
    began = time.process_time()
    value = method(a, b)
    first = time.process_time() - began
    if first >= long_enough:
        return value, first
    # The first turn paid for what is made once in a process. The mean of the others, since the
    # clock of a process may tick a few milliseconds at a time.
    turns, began, spent = 0, time.process_time(), 0.0
    while spent < long_enough:
        method(a, b)
        turns += 1
        spent = time.process_time() - began
    return value, spent / turns


def _allow(seconds: int) -> None:
    """So many CPU seconds from now on; the system ends who needs more."""
    until = int(time.process_time()) + seconds + 1
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (until, most))


def _tell(name: str, answer: dict[str, Any]) -> None:
    print(json.dumps({"method": name, **answer}), flush=True)


if __name__ == "__main__":
    main()
