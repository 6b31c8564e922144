"""One pool of processes: each piece of work costs itself at most, and answers only for itself."""

import os
import signal
import sys
from collections.abc import Iterator

import pytest

from likewise.process_pool import Child, Closed, Died, Patience, Pool, Program

SOON, LONG = Patience(0.5), Patience(60.0)
MOST_BYTES = 1 << 20

PROGRAM = """
import os, sys, time
from likewise.process_pool import PROGRESS, open_pipes, read_request, send_answer

requests, answers = open_pipes()
while request := read_request(requests):
    asked, parts = request
    print("a library says something")
    for number in range(asked.get("signs", 0)):
        time.sleep(0.3)
        send_answer(answers, PROGRESS, bytes([number]))
    if asked["what"] == "hang":
        time.sleep(600)
    if asked["what"] == "exit":
        os._exit(3)
    if asked["what"] == "long":
        send_answer(answers, b"d", bytes(1 << 21))
    if asked["what"] == "names":
        send_answer(answers, b"d", " ".join(os.environ).encode())
    send_answer(answers, b"d", b"+".join(parts))
"""


@pytest.fixture
def pool(tmp_path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool[Child]]:
    (tmp_path / "stand_in_child.py").write_text(PROGRAM)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    made = Pool(lambda: Child(Program("stand_in_child"), max_usage=3))
    yield made
    made.close()


def ask(child: Child, what: str, *parts: bytes, patience: Patience = LONG, **more: object) -> bytes:
    kind, answer = child.ask(
        {"what": what, **more}, *parts, patience=patience, most_bytes=MOST_BYTES
    )
    assert kind == b"d"
    return answer


def pid_of(pool: Pool[Child]) -> int:
    with pool.process() as child:
        assert ask(child, "join", b"a", b"", b"b") == b"a++b"
        return child.pid


def test_a_process_waits_for_the_next_piece_of_work_until_it_is_worn_out(pool):
    first = pid_of(pool)
    assert pid_of(pool) == first
    with pool.process() as child:
        child.usage = 3
    assert pid_of(pool) != first


@pytest.mark.parametrize(
    ("what", "status", "expired"), [("exit", 3, None), ("hang", -9, "total"), ("long", -9, None)]
)
def test_what_gives_no_answer_ends_the_process_and_tells_how(pool, what, status, expired):
    first = pid_of(pool)
    patience = SOON if what == "hang" else LONG
    with pool.process() as child, pytest.raises(Died) as death:
        ask(child, what, patience=patience)
    assert (death.value.status, death.value.expired) == (status, expired)
    assert not death.value.was_killed
    assert pid_of(pool) != first


def test_signs_of_life_are_told_and_waited_for(pool):
    signs: list[bytes] = []
    with pool.process() as child:
        patience = Patience(60.0, silent_seconds=20.0)
        request = {"what": "join", "signs": 3}
        child.ask(request, patience=patience, most_bytes=9, on_progress=signs.append)
        assert signs == [b"\0", b"\1", b"\2"]
        with pytest.raises(Died) as death:
            ask(child, "hang", signs=1, patience=Patience(60.0, silent_seconds=1.0))
    assert death.value.expired == "silent"


def test_who_is_killed_while_waiting_is_not_asked_and_while_working_is_told(pool):
    first = pid_of(pool)
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert pid_of(pool) != first

    def kill(_sign: bytes) -> None:
        os.kill(child.pid, signal.SIGKILL)

    with pool.process() as child, pytest.raises(Died) as death:
        child.ask({"what": "hang", "signs": 1}, patience=LONG, most_bytes=9, on_progress=kill)
    assert death.value.was_killed


def test_an_answer_that_nobody_waited_for_is_not_given_to_the_next(pool):
    def give_up(_sign: bytes) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), pool.process() as child:
        first = child.pid
        child.ask({"what": "join", "signs": 1}, patience=LONG, most_bytes=9, on_progress=give_up)
    assert pid_of(pool) != first


def test_a_closed_pool_starts_nothing(pool):
    first = pid_of(pool)
    pool.close()
    with pytest.raises(Closed), pool.process():
        pass
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


def test_of_the_environment_a_process_sees_what_it_is_given(pool, monkeypatch):
    monkeypatch.setenv("LIKEWISE_SOME_KEY", "secret")
    with pool.process() as child:
        names = ask(child, "names").decode().split()
    assert "LIKEWISE_SOME_KEY" not in names
    assert "PATH" in names and "OMP_NUM_THREADS" in names
