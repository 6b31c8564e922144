"""How many connections a server holds, and how long each may keep it waiting.

A connection either waits for a request, brings one, or is being answered. Those that wait are the
first to go when there is no room: the one that has waited longest makes place for a new caller.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from likewise.server.config import Config
from likewise.server.http.addresses import Network, is_in_networks, network_of, parse_networks
from likewise.server.logs import log
from likewise.server.problems import Problem

SWEEP_SECONDS = 1.0  # between two looks at all connections
_CLOSING_SECONDS = 5.0  # for the last bytes of a connection that was closed
_JUDGED_AFTER_SECONDS = 10.0  # how long a body comes in before its rate is compared with others'
_TOO_SLOW = json.dumps(Problem("bad request", "server.request_late").body()).encode()
TIMED_OUT = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n%b" % (len(_TOO_SLOW), _TOO_SLOW)
)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What one server process grants its callers."""

    connections: int = 1_000
    per_address: int = 200
    header_seconds: float = 20
    keep_alive_seconds: float = 30
    stall_seconds: float = 60  # of sending or taking less than the least rate
    bytes_a_second: int = 1_000
    trusted: tuple[Network, ...] = ()  # proxies, which bring everybody's connections

    @classmethod
    def of(cls, config: Config) -> ConnectionLimits:
        return cls(
            config.max_connections,
            config.max_connections_per_address,
            config.header_seconds,
            config.keep_alive_seconds,
            config.stall_seconds,
            config.min_bytes_a_second,
            parse_networks(config.trusted_proxies),
        )


class LimitedConnection(H11Protocol):
    """A connection that knows since when it waits, and at what rate its body comes in."""

    def __init__(self, pool: ConnectionPool, **options: Any) -> None:
        super().__init__(**options)
        self._pool = pool
        self.address = ""
        self._begin_waiting()

    def _begin_waiting(self) -> None:
        """For a request, from now on; counted by sweeps, so that our own delays do not count."""
        self.has_begun = False  # to send a header
        self.waited_seconds = 0.0

    def _begin_request(self) -> None:
        self.patience_seconds = self._pool.limits.stall_seconds
        self.unswept_bytes = self.body_bytes = 0
        self.body_seconds = 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is being answered: there is no request, or not yet a whole header."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def is_receiving(self) -> bool:
        """Whether it is the caller's turn to send more of a body."""
        return (
            not self.is_waiting
            and self.cycle.more_body
            and not self.flow.read_paused
            and not self.cycle.waiting_for_100_continue
        )

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.has_begun = True  # a header is due at once; only later ones may be waited for
        self._pool.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._pool.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.is_waiting:
            if not self.has_begun:
                self.has_begun, self.waited_seconds = True, 0.0
        else:
            self.unswept_bytes += len(data)
        super().data_received(data)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._begin_request()
            self._pool.mark_busy(self)

    def on_response_complete(self) -> None:
        answered = self.cycle
        self._begin_waiting()
        super().on_response_complete()
        if self.cycle is answered:  # else the next request had come already
            self.has_begun = bool(self.conn.trailing_data[0])
            self._pool.mark_waiting(self)

    def sweep(self, seconds: float) -> None:
        """Close a connection that has kept us waiting for too long."""
        limits = self._pool.limits
        if self.transport.is_closing():
            self._wait(seconds, _CLOSING_SECONDS)
        elif self.is_waiting:
            most = limits.header_seconds if self.has_begun else limits.keep_alive_seconds
            self._wait(seconds, most)
        elif self.is_receiving:
            self.body_bytes += self.unswept_bytes
            self.body_seconds += seconds
            earned = self.unswept_bytes / limits.bytes_a_second
            self.patience_seconds += min(earned, limits.stall_seconds) - seconds
            self.patience_seconds = min(self.patience_seconds, limits.stall_seconds)
            if self.patience_seconds <= 0:
                self.end()
        elif self.flow.write_paused:  # resumed whenever some ten kilobytes were taken
            self.patience_seconds -= seconds
            if self.patience_seconds <= 0:
                self.transport.abort()
        else:
            self.patience_seconds = limits.stall_seconds
        self.unswept_bytes = 0

    def _wait(self, seconds: float, most: float) -> None:
        self.waited_seconds += seconds
        if self.waited_seconds > most:
            self.end()

    def end(self) -> None:
        """Close, with a word where a request was begun and nothing was answered yet."""
        self._pool.discard(self)
        if self.transport.is_closing() or self.transport.get_write_buffer_size():
            self.transport.abort()  # what nobody takes would hold the connection for ever
            return
        is_unanswered = self.cycle is not None and not self.cycle.response_started
        has_half_header = self.is_waiting and bool(self.conn.trailing_data[0])
        if is_unanswered or has_half_header:
            self.transport.write(TIMED_OUT)
        self.transport.close()
        self.waited_seconds = 0.0

    unswept_bytes = body_bytes = 0
    body_seconds = 0.0
    patience_seconds = 0.0


@dataclass(slots=True)
class _Callers:
    """The connections from one address: all, and those that wait, the longest first."""

    all: set[LimitedConnection] = field(default_factory=set)
    waiting: OrderedDict[LimitedConnection, None] = field(default_factory=OrderedDict)


class ConnectionPool:
    """All connections of a server; everything here runs in its event loop."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.refused = 0
        self._all: set[LimitedConnection] = set()
        self._waiting: OrderedDict[LimitedConnection, None] = OrderedDict()
        self._by_network: dict[str, _Callers] = {}
        self._swept_at = time.monotonic()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, connection: LimitedConnection) -> None:
        self._all.add(connection)
        self._callers(connection).all.add(connection)
        self.mark_waiting(connection)

    def discard(self, connection: LimitedConnection) -> None:
        """It is gone, or as good as gone."""
        if connection not in self._all:
            return
        self._all.discard(connection)
        self._waiting.pop(connection, None)
        callers = self._callers(connection)
        callers.all.discard(connection)
        callers.waiting.pop(connection, None)
        if not callers.all:
            del self._by_network[network_of(connection.address)]

    def mark_busy(self, connection: LimitedConnection) -> None:
        if connection in self._all:
            self._waiting.pop(connection, None)
            self._callers(connection).waiting.pop(connection, None)

    def mark_waiting(self, connection: LimitedConnection) -> None:
        if connection in self._all:
            for waiting in (self._waiting, self._callers(connection).waiting):
                waiting[connection] = None
                waiting.move_to_end(connection)

    def admit(self, address: str) -> bool:
        """Whether one more connection from an address may be taken; others may be closed for it."""
        callers = self._by_network.get(network_of(address))
        is_limited = not is_in_networks(address, self.limits.trusted)
        if callers and is_limited and len(callers.all) >= self.limits.per_address:
            return self._close_one(callers.waiting, callers.all)
        if len(self._all) >= self.limits.connections:
            return self._close_one(self._waiting, self._all)
        return True

    def _close_one(
        self, waiting: OrderedDict[LimitedConnection, None], among: set[LimitedConnection]
    ) -> bool:
        """Who has waited longest, else whose body comes in most slowly; whether there was one."""
        if waiting:
            next(iter(waiting)).end()
            return True
        slow = [
            one for one in among if one.is_receiving and one.body_seconds >= _JUDGED_AFTER_SECONDS
        ]
        if not slow:
            self.refused += 1
            return False
        min(slow, key=lambda one: one.body_bytes / one.body_seconds).end()
        return True

    def give_up_some(self, count: int) -> None:
        """Close those that have waited longest: descriptors are needed for more than them."""
        for connection in list(self._waiting)[:count]:
            connection.end()

    def sweep(self, open_connections: Any) -> None:
        """Look at all that are open, those that are being closed too."""
        now = time.monotonic()
        # A loop that was held up has not listened meanwhile: callers are not to blame for that.
        seconds = min(now - self._swept_at, 2 * SWEEP_SECONDS)
        self._swept_at = now
        for connection in list(open_connections):
            connection.sweep(seconds)

    def _callers(self, connection: LimitedConnection) -> _Callers:
        return self._by_network.setdefault(network_of(connection.address), _Callers())


RESERVED = 200  # for the database, temporary files, workers and what the system needs
_PER_CONNECTION = 2  # its socket, and the temporary file of what it uploads


def connections_within_file_limit(requested: int) -> int:
    """As many connections as descriptors allow; the soft limit is raised as far as they need."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return requested
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = descriptors_for(requested)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return requested
    raised = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if raised > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        except (OSError, ValueError):  # refused, whatever the hard limit says
            raised = soft
    raised = max(raised, soft)
    fit = connections_for(raised)
    if fit >= requested:
        return requested
    log("warning", "the file limit allows fewer connections", files=raised, connections=fit)
    return fit


def descriptors_for(connections: int) -> int:
    """How many file descriptors a server of so many connections needs.

    >>> descriptors_for(1000)
    2200
    """
    return RESERVED + _PER_CONNECTION * connections


def connections_for(descriptors: int) -> int:
    """What is left for connections; a few in any case.

    >>> connections_for(2200), connections_for(1024), connections_for(64)
    (1000, 412, 10)
    """
    return max(10, (descriptors - RESERVED) // _PER_CONNECTION)
