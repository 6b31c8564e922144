"""One server process: the API on uvicorn, and workers beside it."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import FrameType

import uvicorn
from fastapi import FastAPI

from likewise.catalogue import Message
from likewise.errors import BadSettings
from likewise.library import Library
from likewise.library.originals import ensure_store
from likewise.machine import memory_bytes
from likewise.reading.confinement import require_sandbox
from likewise.reading.sandbox import reader_confinement
from likewise.server.app import make_app
from likewise.server.config import Config, exposure_warnings
from likewise.server.context import ServerContext
from likewise.server.http.acceptor import Acceptor
from likewise.server.http.connections import (
    SWEEP_SECONDS,
    ConnectionLimits,
    ConnectionPool,
    LimitedConnection,
    connections_within_file_limit,
)
from likewise.server.http.disk_reserve import DiskReserve
from likewise.server.http.draining import Drain
from likewise.server.logs import flush_summaries, log, set_up_logs
from likewise.server.people.first_administrator import ensure_first_administrator
from likewise.server.workers.stop_signal import StopSignal
from likewise.server.workers.supervisor import Supervisor

_HEADER_BYTES = 16_384  # of a header that has not come whole
_REFILL_SECONDS = 60.0
_TICK_SECONDS = 0.1  # in which uvicorn looks after itself
Say = Callable[[str], None]


def serve(place: str, config: Config, *, say: Say = print, opens_browser: bool = False) -> None:
    """Answer requests and do jobs, until told to stop."""
    set_up_logs(config)
    look_at_sandbox(config)
    ensure_store()
    fit = connections_within_file_limit(config.max_connections)
    config = replace(config, max_connections=fit)
    for warning in map(str, exposure_warnings(config)):
        log("warning", warning)
    with (
        _private_files(),
        _listening(config.host, config.port) as listener,
        Library(place) as library,
    ):
        host, port = listener.getsockname()[:2]
        context = ServerContext(library, replace(config, port=port))
        message = ensure_first_administrator(context, place)
        if message is not None:
            say(message)
        address = config.public_url or f"http://{_in_url(host)}:{port}"
        supervisor = Supervisor(context, place, config.workers)
        warn_of_memory(config, config.workers)
        server = _server(
            context, listener, lambda: _welcome(say, library.name, address, opens_browser)
        )
        _stop_on_signals(lambda: setattr(server, "should_exit", True))
        supervisor.start()
        try:
            server.run([])
        finally:
            supervisor.stop()
        log("info", "stopped")


@contextmanager
def _private_files() -> Iterator[None]:
    """What is made meanwhile (a library in a file, an index) is nobody else's to read."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def look_at_sandbox(config: Config) -> None:
    """Say how readers are confined here; refuse to start where that is not what was required."""
    if config.require_sandbox:
        require_sandbox()
    confinement = reader_confinement()
    if confinement.is_complete:
        log("info", "readers are confined", layers=", ".join(confinement.layers))
        return
    if config.require_sandbox:
        raise BadSettings(
            "server.sandbox_incomplete", lacks=confinement.lacks, command="likewise doctor"
        )
    log("warning", "readers are not fully confined", missing=confinement.lacks)


def warn_of_memory(config: Config, workers: int) -> None:
    """Where workers may use more than there is, the system would kill one of us, unasked."""
    there, each = memory_bytes(), config.worker_memory_mb
    if there is not None and workers * each > there // 1_000_000:
        log(
            "warning",
            "workers may use more memory than there is",
            workers=workers,
            job_memory_mb=each,
            memory_mb=there // 1_000_000,
        )


def _stop_on_signals(stop: Callable[[], None]) -> None:
    """uvicorn takes signals while it runs and sends them again in the end: to us, who stop."""
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, lambda *_: stop())


def _welcome(say: Say, library: str, address: str, opens_browser: bool) -> None:
    say(f"Likewise serves {library} at {address} (Ctrl-C ends it)")
    if opens_browser:
        with suppress(webbrowser.Error):
            webbrowser.open(address)


def _server(
    context: ServerContext, listener: socket.socket, on_start: Callable[[], None]
) -> uvicorn.Server:
    app = make_app(context)
    reserve: DiskReserve = app.state.reserve
    drain: Drain = app.state.drain
    pool = ConnectionPool(ConnectionLimits.of(context.config))
    config = uvicorn.Config(
        app,
        http="h11",
        h11_max_incomplete_event_size=_HEADER_BYTES,
        loop="asyncio",
        log_config=None,
        access_log=False,  # ours names no addresses in full
        server_header=False,
        proxy_headers=False,  # ours knows whom to believe
        timeout_graceful_shutdown=context.config.finish_seconds,
        timeout_keep_alive=context.config.keep_alive_seconds,
        lifespan="off",
        ws="none",
    )

    class Server(uvicorn.Server):
        acceptor: Acceptor | None = None

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            self.acceptor = Acceptor(listener, pool, self._protocol)
            self.acceptor.start()
            await asyncio.to_thread(reserve.fill)
            on_start()

        def _protocol(self) -> asyncio.Protocol:
            return LimitedConnection(
                pool, config=config, server_state=self.server_state, app_state=self.lifespan.state
            )

        async def on_tick(self, counter: int) -> bool:
            if counter % round(SWEEP_SECONDS / _TICK_SECONDS) == 0:
                pool.sweep(self.server_state.connections)
                flush_summaries()
            if counter % round(_REFILL_SECONDS / _TICK_SECONDS) == 0:
                await asyncio.to_thread(reserve.fill)  # there may be room again
            if drain.is_over and not self.should_exit:
                _end_streams(app)
                self.should_exit = True
            return await super().on_tick(counter)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if self.acceptor is not None:
                await self.acceptor.stop()
            await super().shutdown(sockets)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if sig == signal.SIGTERM and drain.begin():
                return  # whoever balances the load is to learn of it first
            _end_streams(app)
            super().handle_exit(sig, frame)

    return Server(config)


def _end_streams(app: FastAPI) -> None:
    """They would keep a server for all the time that it has to finish."""
    watch = getattr(app.state, "watch", None)
    if watch is not None:
        loop: asyncio.AbstractEventLoop = watch[0]
        loop.call_soon_threadsafe(watch[1].close)


def _listening(host: str, port: int) -> socket.socket:
    """A socket that was bound before anything else is begun, so that a taken port is told first."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        why = _why(error)
        raise BadSettings("server.cannot_listen", host=host, port=port, why=why) from error
    listener.set_inheritable(False)
    return listener


def _why(error: OSError) -> Message:
    if error.errno == errno.EADDRINUSE:
        return Message("server.port_taken", {"option": "--port"})
    if error.errno == errno.EACCES:
        return Message("server.port_rights", {"option": "--port"})
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return Message("server.no_own_address")
    return Message.verbatim((error.strerror or type(error).__name__).lower())


def _in_url(host: str) -> str:
    """A host as it stands in a URL that a browser here can open.

    >>> _in_url("::1"), _in_url("0.0.0.0"), _in_url("campus")
    ('[::1]', '127.0.0.1', 'campus')
    """
    if host in ("0.0.0.0", "::"):  # noqa: S104 - what is compared, not bound
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def work(place: str, config: Config, *, say: Say = print) -> None:
    """Do jobs for servers on other machines, until told to stop."""
    set_up_logs(config)
    look_at_sandbox(config)
    ensure_store()
    stopping, workers = StopSignal(), max(config.workers, 1)
    _stop_on_signals(stopping.set)
    with _private_files(), Library(place, create=False) as library:
        supervisor = Supervisor(ServerContext(library, config), place, workers)
        warn_of_memory(config, workers)
        supervisor.start()
        hands = "1 worker does" if workers == 1 else f"{workers} workers do"
        say(f"{hands} the jobs of {library.name} (Ctrl-C ends it)")
        stopping.wait()
        supervisor.stop()
    log("info", "stopped")
