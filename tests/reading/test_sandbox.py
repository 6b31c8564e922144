"""A hostile file costs itself, is named, and the next file is read."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from likewise.errors import ReadingError
from likewise.reading.request import Limits, Request
from likewise.reading.sandbox import Sandbox

LIMITS = Limits(seconds=3.0, total_seconds=9.0, memory_bytes=1 << 30)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    made = Sandbox(LIMITS, "tests.reading.evil_worker")
    yield made
    made.close()


def read(sandbox: Sandbox, order: str, request: Request | None = None) -> str:
    return sandbox.read(order.encode(), request or Request("a.txt", LIMITS)).document.text


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("crash", "crashed on it .SIGABRT."),
        ("exit", "crashed on it .exit status 3."),
        ("hang", "no page was read for 3 seconds"),
        ("eat", "more memory than is allowed"),
        ("panic", "cannot be read .Panic."),
        ("recurse", "nested too deeply"),
        ("refuse", "^it is only a test$"),
        ("invent", "answered with nonsense"),
        ("miscount", "answered with nonsense"),
        ("connect", "cannot be read .PermissionError."),
        ("run", "cannot be read .PermissionError."),
    ],
)
def test_what_goes_wrong_is_told_and_the_next_file_is_read(
    sandbox: Sandbox, order: str, reason: str
) -> None:
    assert read(sandbox, "Before.") == "Before."
    with pytest.raises(ReadingError, match=reason):
        read(sandbox, order)
    assert read(sandbox, "After.") == "After."


def test_what_a_library_prints_is_not_taken_for_an_answer(sandbox: Sandbox) -> None:
    assert read(sandbox, "print") == "print"


def test_secrets_of_the_environment_stay_outside(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_SOME_KEY", "secret")
    fresh = Sandbox(LIMITS, "tests.reading.evil_worker")
    assert "LIKEWISE_SOME_KEY" not in read(fresh, "secrets")
    fresh.close()


def test_a_reader_gets_an_environment_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ours no more than where libraries and data of recognition lie, and which kernels."""
    for name in ("PATH", "LANG", "LC_ALL", "HOME", "USER", "TMPDIR", "LD_LIBRARY_PATH"):
        monkeypatch.setenv(name, "/of-ours")
    fresh = Sandbox(LIMITS, "tests.reading.evil_worker")
    told = dict(line.split("=", 1) for line in read(fresh, "environment").splitlines()[:-1])
    fresh.close()
    ours = {"LD_LIBRARY_PATH", "SYSTEMROOT", "TESSDATA_PREFIX", "LIKEWISE_KERNELS"}
    theirs = {"HOME", "PYTHONPATH", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONDONTWRITEBYTECODE"}
    threads = {name for name in told if name.endswith(("_NUM_THREADS", "_THREAD_LIMIT"))}
    coerced = {"LC_CTYPE"}  # by Python itself, where no language is set (PEP 538)
    assert told.keys() <= ours | theirs | threads | coerced
    assert {name for name, value in told.items() if value == "/of-ours"} <= ours


def test_pages_are_told_and_are_signs_of_life(sandbox: Sandbox) -> None:
    told: list[tuple[int, int]] = []
    request = Request("a.txt", LIMITS, tell_page=lambda done, total: told.append((done, total)))
    assert read(sandbox, "pages", request) == "pages"
    assert told[-1] == (8, 8)
    assert told == sorted(told)


def test_a_file_has_an_end_to_its_time_even_if_pages_come() -> None:
    hurried = Sandbox(Limits(seconds=9, total_seconds=0.5), "tests.reading.evil_worker")
    with pytest.raises(ReadingError, match="not read after"):
        read(hurried, "pages")
    hurried.close()


def test_threads_read_side_by_side_and_each_gets_its_own_answer(sandbox: Sandbox) -> None:
    answers: dict[int, str] = {}

    def ask(number: int) -> None:
        order = "crash" if number % 5 == 0 else f"Text {number}"
        try:
            answers[number] = read(sandbox, order)
        except ReadingError:
            answers[number] = "crashed"

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {n: f"Text {n}" if n % 5 else "crashed" for n in range(12)}


def test_closing_ends_what_is_being_read() -> None:
    sandbox = Sandbox(Limits(), "tests.reading.evil_worker")
    reasons: list[str] = []

    def ask() -> None:
        try:
            read(sandbox, "hang")
        except ReadingError as error:
            reasons.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.5)
    sandbox.close()
    thread.join(20)
    assert not thread.is_alive()
    assert len(reasons) == 1
    with pytest.raises(ReadingError, match="stopped"):
        read(sandbox, "Too late.")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_starts_readers_of_its_own(sandbox: Sandbox) -> None:
    assert read(sandbox, "Parent.") == "Parent."
    child = os.fork()
    if not child:
        try:
            status = 0 if read(sandbox, "Child.") == "Child." else 1
        except BaseException:
            status = 2
        sandbox.close()
        os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert read(sandbox, "Parent again.") == "Parent again."


def test_a_file_that_is_given_up_in_the_middle_does_not_answer_for_the_next() -> None:
    class GivenUp(Exception):
        pass

    def give_up(_done: int, _total: int) -> None:
        raise GivenUp

    alone = Sandbox(LIMITS, "tests.reading.evil_worker")
    with pytest.raises(GivenUp):
        read(alone, "pages", Request("a.txt", LIMITS, tell_page=give_up))
    assert read(alone, "After.") == "After."
    alone.close()


def test_a_file_is_not_lost_with_a_reader_that_somebody_else_kills() -> None:
    alone = Sandbox(LIMITS, "tests.reading.evil_worker")
    pids: list[int] = []

    def kill(_done: int, _total: int) -> None:
        if len(pids) < most:
            (pid,) = (reader.pid for reader in alone.pool.busy)
            if pid not in pids:
                pids.append(pid)
                os.kill(pid, signal.SIGKILL)

    request = Request("a.txt", LIMITS, tell_page=kill)
    most = 3
    assert read(alone, "pages", request) == "pages"
    pids.clear()
    most = 100
    with pytest.raises(ReadingError, match="SIGKILL"):
        read(alone, "pages", request)
    assert len(pids) == 4
    alone.close()
