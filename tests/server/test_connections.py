"""Callers who hold connections and say nothing, too little, or take too long to say it."""

from __future__ import annotations

import asyncio
import resource
import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from likewise.server.http.acceptor import Acceptor
from likewise.server.http.connections import ConnectionLimits, ConnectionPool
from likewise.server.run import _listening
from tests.server.connecting import ASK, Running, answer_of, is_closed, running, until


def hold(stack: ExitStack, server: Running, count: int, address: str) -> list[socket.socket]:
    return [stack.enter_context(server.connect(address)) for _ in range(count)]


def test_a_thousand_idle_connections_keep_nobody_out_and_the_log_stays_small(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as server, ExitStack() as stack:
        hold(stack, server, 1_100, "127.0.0.2")
        assert server.health("127.0.0.3") == 200  # another caller
        assert server.health("127.0.0.2") == 200  # and the same one
        assert server.log.stat().st_size < 100_000


def test_many_addresses_together_keep_nobody_out_either(tmp_path: Path) -> None:
    with (
        running(tmp_path, max_connections=60, max_connections_per_address=20) as server,
        ExitStack() as stack,
    ):
        first = hold(stack, server, 20, "127.0.0.2")
        for number in range(3, 9):
            hold(stack, server, 20, f"127.0.0.{number}")
        assert server.health("127.0.0.99") == 200
        until(lambda: all(map(is_closed, first)), "those that waited longest are still there")


def test_a_low_file_limit_lowers_the_limit_on_connections_and_is_told_once(
    tmp_path: Path,
) -> None:
    with running(tmp_path, files=256) as server:
        warned = [line for line in server.lines() if "file limit" in line["event"]]
        assert [line["connections"] for line in warned] == [28]
        with ExitStack() as stack:
            hold(stack, server, 400, "127.0.0.2")
            assert server.health("127.0.0.3") == 200


def test_without_descriptors_connections_that_wait_are_given_up_and_the_log_stays_small(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as server, ExitStack() as stack:
        held = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        # Taken away while it runs, so that no look at the start could know.
        limits = (held + 20, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, limits)
        hold(stack, server, 150, "127.0.0.2")
        until(lambda: "no descriptor left" in server.log.read_text(), "there are enough")
        time.sleep(3)
        assert server.log.stat().st_size < 20_000
        until(lambda: _is_answered(server), "nobody is answered any more")


def _is_answered(server: Running) -> bool:
    return _first_line(server) == b"HTTP/1.1 200 OK"


def test_a_soft_file_limit_is_raised_without_a_word(tmp_path: Path) -> None:
    with running(tmp_path, max_connections=300) as server:
        assert [line for line in server.lines() if "file limit" in line["event"]] == []
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        soft = next(line for line in limits.splitlines() if "open files" in line).split()[3]
        assert int(soft) >= 800


@pytest.mark.parametrize("sent", [b"", b"GET /api/v1/health HTTP/1.1\r\nHost: he"])
def test_a_header_that_does_not_come_ends_the_connection(tmp_path: Path, sent: bytes) -> None:
    with running(tmp_path, header_seconds=2) as server, server.connect() as connection:
        connection.sendall(sent)
        answer = answer_of(connection)
        assert answer.startswith(b"HTTP/1.1 408") if sent else answer == b""


def test_a_header_that_trickles_ends_the_connection(tmp_path: Path) -> None:
    with running(tmp_path, header_seconds=2) as server, server.connect() as connection:
        connection.sendall(ASK)
        assert b" 200 " in connection.recv(65_536)
        begun, ended = time.monotonic(), threading.Event()

        def trickle() -> None:
            line = b"GET / HTTP/1.1\r\nX-Long: " + b"a" * 10_000
            for at in range(len(line)):
                try:
                    connection.sendall(line[at : at + 1])
                except OSError:
                    return
                if ended.wait(0.1):
                    return

        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            until(lambda: is_closed(connection), "it is let trickle")
        finally:
            ended.set()
            thread.join()
        assert time.monotonic() - begun < 45


def test_a_connection_that_asks_nothing_more_is_closed(tmp_path: Path) -> None:
    with running(tmp_path, keep_alive_seconds=1) as server, server.connect() as connection:
        connection.sendall(ASK)
        assert b" 200 " in answer_of(connection)


def body_head(length: int) -> bytes:
    return (
        b"POST /api/v1/token HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % length
    )


def test_a_body_that_trickles_ends_the_connection(tmp_path: Path) -> None:
    with running(tmp_path, stall_seconds=2) as server, server.connect() as connection:
        connection.sendall(body_head(5_000) + b"{")
        for _ in range(600):
            if is_closed(connection):
                return
            try:
                connection.sendall(b" ")
            except ConnectionError:
                return
            time.sleep(0.1)
        raise AssertionError("it is let trickle")


def test_a_body_that_is_slow_and_fast_enough_is_answered(tmp_path: Path) -> None:
    with (
        running(tmp_path, stall_seconds=3, min_bytes_a_second=100) as server,
        server.connect() as connection,
    ):
        connection.sendall(body_head(8_000))
        for _ in range(16):  # for eight seconds, at ten times the least rate
            connection.sendall(b" " * 500)
            time.sleep(0.5)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 422")


def test_slow_bodies_make_room_for_who_is_quick(tmp_path: Path) -> None:
    with running(tmp_path, max_connections=12) as server, ExitStack() as stack:
        for connection in hold(stack, server, 12, "127.0.0.2"):
            connection.sendall(body_head(5_000) + b"{")
        # Too early to say that they are slow: told to come again, not left waiting.
        until(lambda: _first_line(server) == b"HTTP/1.1 503 Service Unavailable", "is not full")
        until(lambda: _is_answered(server), "nobody else is answered")


def _first_line(server: Running) -> bytes:
    with server.connect("127.0.0.3") as connection:
        try:
            connection.sendall(ASK)
            return connection.recv(65_536).partition(b"\r\n")[0]
        except ConnectionError:
            return b""


def test_a_trusted_proxy_brings_as_many_connections_as_there_is_room_for(tmp_path: Path) -> None:
    with (
        running(
            tmp_path,
            max_connections=60,
            max_connections_per_address=5,
            trusted_proxies="127.0.0.2",
        ) as server,
        ExitStack() as stack,
    ):
        proxy, other = hold(stack, server, 20, "127.0.0.2"), hold(stack, server, 20, "127.0.0.3")
        until(lambda: sum(map(is_closed, other)) == 15, "one address holds more than it may")
        assert not any(map(is_closed, proxy))


def test_an_answer_that_nobody_takes_is_given_up(tmp_path: Path) -> None:
    """Many requests in one go, and not one answer is read: buffers fill on both sides."""
    with (
        running(tmp_path, stall_seconds=2, keep_alive_seconds=2, header_seconds=2) as server,
        server.connect() as connection,
    ):
        connection.setblocking(False)
        asked = 0
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                asked += connection.send(ASK * 100)
            except BlockingIOError:
                time.sleep(0.1)
            except ConnectionError:
                return
        raise AssertionError(f"still there after {asked:,} bytes of requests")


def test_an_answer_of_several_parts_does_not_wait_for_the_caller_to_confirm_the_first() -> None:
    taken: asyncio.Queue[asyncio.BaseTransport] = asyncio.Queue()

    class Taken(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            taken.put_nowait(transport)

    async def take() -> int:
        listener = _listening("127.0.0.1", 0)
        acceptor = Acceptor(listener, ConnectionPool(ConnectionLimits()), Taken)
        acceptor.start()
        with socket.create_connection(listener.getsockname()):
            transport = await taken.get()
            option = transport.get_extra_info("socket").getsockopt(
                socket.IPPROTO_TCP, socket.TCP_NODELAY
            )
            transport.close()
        await acceptor.stop()
        return int(option)

    assert asyncio.run(take()) == 1
