"""Whether the time of an answer tells that another's private document holds a sentence.

One teacher asks about sentences, of which every other one stands in a private document of somebody
else and in no other. A classifier sees how long each answer took, and is asked which sentences
these were: .5 is guessing. The clock runs around the work itself, without network, queue or polls,
so that whoever measures from outside sees less.

    ./dev run python -m bench.attacks.timing --answers 1000
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.corpus import say
from bench.record import RESULTS, keep

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

AT_MOST = 0.6  # AUC
REPEATS = 4  # answers about each sentence
SHARED, WORDS, SENTENCE = 1_500, 150, 25
FOLDS = 5
PASSWORD = "wormwood after rain"
KINDS = ("similar", "checks")


def run(answers: int = 1_000, seed: int = 7) -> dict[str, Any]:
    """Ask, measure and classify; a row for each kind of question and each feature."""
    kinds: dict[str, Any] = {}
    rows = []
    with served(answers // REPEATS, seed) as asked:
        for kind in KINDS:
            found = kinds[kind] = _figures(*measured(asked, kind, answers, seed))
            say(f"  {kind}: {found}")
            worst = max(found["auc"].values(), key=lambda one: one["auc"])
            rows.append(
                {
                    "attack": f"timing of /{kind}: is a sentence in another's private document?",
                    "attempts": answers,
                    "got_through": int(worst["auc"] > AT_MOST),
                    "reached": worst["auc"] <= AT_MOST,
                    "auc": worst["auc"],
                    "interval": worst["interval"],
                }
            )
    return {"rows": rows, "at_most": AT_MOST, "repeats": REPEATS, "kinds": kinds}


class Asked:
    """A server in this process, and questions of which some are answered by hidden documents."""

    def __init__(self, context: Any, client: Any, questions: list[str], is_hidden: Flags) -> None:
        self.questions, self.is_hidden = questions, is_hidden
        self._context, self._client = context, client

    def seconds(self, kind: str, number: int) -> tuple[float, float]:
        """How long an answer takes: by the clock, and of this process."""
        from likewise.server.workers.worker import work_off

        request = {"wait_seconds": 0} if kind == "similar" else {}
        parts = [
            ("file", ("question.txt", self.questions[number].encode())),
            ("request", (None, json.dumps(request), "application/json")),
        ]
        answer = self._client.post(f"/{kind}", files=parts)
        assert answer.status_code == 202, answer.text
        wall, cpu = time.perf_counter(), time.process_time()
        assert work_off(self._context) == 1
        return time.perf_counter() - wall, time.process_time() - cpu


@contextmanager
def served(sentences: int, seed: int) -> Iterator[Asked]:
    """A library of many shared documents and some private ones, and a teacher who is logged in."""
    from fastapi.testclient import TestClient

    from likewise.library import Library
    from likewise.server.app import API, make_app
    from likewise.server.config import Config
    from likewise.server.context import ServerContext
    from likewise.server.people.users import add_person

    words = _vocabulary(seed)
    secret = [_text(words, SENTENCE, seed, f"secret {n}") for n in range(sentences)]
    is_hidden = np.array(
        [random.Random(f"{seed} hide {n}").random() < 0.5 for n in range(len(secret))]
    )
    questions = [f"{_text(words, 100, seed, f'own {n}')}. {one}." for n, one in enumerate(secret)]
    with (
        tempfile.TemporaryDirectory(prefix="likewise-timing-") as folder,
        _environment(LIKEWISE_CACHE=f"{folder}/cache", LIKEWISE_LOG_LEVEL="error"),
        Library(Path(folder) / "library.db") as library,
    ):
        context = ServerContext(library, Config(workers=0))
        app = make_app(context)
        for name in ("aigul", "bolat"):
            add_person(context, name, PASSWORD, role="teacher")
        clients = {}
        for name in ("aigul", "bolat"):
            client = TestClient(app, base_url=f"http://testserver{API}")
            told = client.post("/token", json={"name": name, "password": PASSWORD}).json()
            client.headers["Authorization"] = f"Bearer {told['access_token']}"
            clients[name] = client
        private = clients["bolat"].post("/collections", json={"name": "private"}).json()["id"]
        library.add_texts(
            ((f"{n}.txt", _text(words, WORDS, seed, f"shared {n}")) for n in range(SHARED)),
            owner="bolat",
        )
        # As many private documents for each sentence, whether they hold it or not.
        library.add_texts(
            (
                (
                    f"secret {n}.txt",
                    f"{_text(words, WORDS, seed, f'private {n}')}. "
                    + (one if hidden else _text(words, SENTENCE, seed, f"other {n}")),
                )
                for n, (one, hidden) in enumerate(zip(secret, is_hidden.tolist(), strict=True))
            ),
            owner="bolat",
            collection=private,
        )
        yield Asked(context, clients["aigul"], questions, is_hidden)


def measured(asked: Asked, kind: str, answers: int, seed: int) -> tuple[Floats, Floats, Flags]:
    """Seconds of each answer by sentence and round, by the clock and of the process.

    Every round asks about all sentences in another order, so that whatever else the machine does
    falls on both kinds alike.
    """
    number = len(asked.questions)
    rounds = max(1, answers // number)
    wall, cpu = np.zeros((number, rounds)), np.zeros((number, rounds))
    for n in range(min(20, number)):  # whatever is made once
        asked.seconds(kind, n)
    for k in range(rounds):
        order = list(range(number))
        random.Random(f"{seed} {kind} {k}").shuffle(order)
        for n in order:
            wall[n, k], cpu[n, k] = asked.seconds(kind, n)
    return wall, cpu, asked.is_hidden


def _figures(wall: Floats, cpu: Floats, is_hidden: Flags) -> dict[str, Any]:
    single = np.repeat(is_hidden, wall.shape[1])
    features = np.column_stack(
        [of(seconds, axis=1) for seconds in (wall, cpu) for of in (np.min, np.median, np.mean)]
    )
    learned = cross_validated(np.log(features + 1e-9), is_hidden)
    return {
        "answers": int(wall.size),
        "sentences": len(is_hidden),
        "hidden": int(is_hidden.sum()),
        "median_ms": {
            "hidden": round(1e3 * float(np.median(cpu[is_hidden])), 3),
            "others": round(1e3 * float(np.median(cpu[~is_hidden])), 3),
        },
        "auc": {
            "one answer, clock": told(wall.ravel(), single),
            "one answer, processor": told(cpu.ravel(), single),
            "fastest of several, clock": told(wall.min(axis=1), is_hidden),
            "fastest of several, processor": told(cpu.min(axis=1), is_hidden),
            "learned from all": told(learned, is_hidden, is_directed=True),
        },
    }


def told(scores: Floats, labels: Flags, *, is_directed: bool = False) -> dict[str, Any]:
    """The AUC of scores and its interval of 95 %; either direction, unless it was learned."""
    found = auc(scores, labels)
    found = found if is_directed else max(found, 1 - found)
    half = 1.96 * _standard_error(found, int(labels.sum()), int((~labels).sum()))
    interval = [round(max(0.0, found - half), 3), round(min(1.0, found + half), 3)]
    return {"auc": round(found, 3), "interval": interval}


def auc(scores: Floats, labels: Flags) -> float:
    """How often one with the label scores above one without; equal ones count half.

    >>> auc(np.array([1.0, 2.0, 3.0]), np.array([False, True, True]))
    1.0
    """
    values, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    del values
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    positive, negative = int(labels.sum()), int((~labels).sum())
    above = float(ranks[labels].sum()) - positive * (positive + 1) / 2
    return above / (positive * negative)


def _standard_error(found: float, positive: int, negative: int) -> float:
    """Hanley and McNeil 1982."""
    q1, q2 = found / (2 - found), 2 * found**2 / (1 + found)
    variance = (
        found * (1 - found) + (positive - 1) * (q1 - found**2) + (negative - 1) * (q2 - found**2)
    ) / (positive * negative)
    return math.sqrt(max(variance, 0.0))


def cross_validated(features: Floats, labels: Flags) -> Floats:
    """Scores of a logistic regression, each by one that has not seen the sentence."""
    scores = np.zeros(len(labels))
    fold = np.arange(len(labels)) % FOLDS
    for k in range(FOLDS):
        seen = fold != k
        mean, spread = features[seen].mean(axis=0), features[seen].std(axis=0) + 1e-12
        scaled = np.column_stack([np.ones(len(labels)), (features - mean) / spread])
        scores[~seen] = scaled[~seen] @ _fitted(scaled[seen], labels[seen].astype(float))
    return scores


def _fitted(features: Floats, labels: Floats) -> Floats:
    """By Newton's method, held back a little."""
    weights = np.zeros(features.shape[1])
    penalty = np.eye(features.shape[1])
    for _ in range(25):
        likely = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (labels - likely) - weights
        curve = (features * (likely * (1 - likely))[:, None]).T @ features + penalty
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def _vocabulary(seed: int) -> list[str]:
    dice = random.Random(f"{seed} words")
    return [
        "".join(
            dice.choice("bdfgklmnprtvz") + dice.choice("aeiou") for _ in range(dice.randint(2, 4))
        )
        for _ in range(4_000)
    ]


def _text(words: list[str], length: int, seed: int, of: str) -> str:
    dice = random.Random(f"{seed} {of}")
    return " ".join(dice.choice(words) for _ in range(length))


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def main(measure: Callable[..., dict[str, Any]] = run) -> int:
    """Measure, print and keep; 1 where the time tells."""
    parser = argparse.ArgumentParser(prog="python -m bench.attacks.timing", description=__doc__)
    parser.add_argument("--answers", type=int, default=1_000, help="to each kind of question")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--output", type=Path, default=RESULTS / "attacks.json")
    parser.add_argument("--section", default="timing", help="under which it is kept")
    given = parser.parse_args()
    figures = measure(given.answers, given.seed)
    command = f"python -m bench.attacks.timing --answers {given.answers} --seed {given.seed}"
    keep(given.output, given.section, command, figures)
    for row in figures["rows"]:
        say(f"{row['attack']} AUC {row['auc']} {row['interval']}")
    return int(any(row["got_through"] for row in figures["rows"]))


if __name__ == "__main__":
    sys.exit(main())
