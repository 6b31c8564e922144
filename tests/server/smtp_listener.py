"""A small mail server on this machine: it takes every letter and keeps it."""

from __future__ import annotations

import asyncio
import base64
import threading
import time
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage


@dataclass
class SmtpListener:
    """Speaks as much SMTP as a client needs: EHLO, AUTH PLAIN, MAIL, RCPT, DATA, QUIT."""

    refuse: str = ""  # what it answers to RCPT in place of 250
    port: int = 0
    letters: list[tuple[str, EmailMessage]] = field(default_factory=list)
    logged_in: list[str] = field(default_factory=list)

    def __enter__(self) -> SmtpListener:
        self._loop = asyncio.new_event_loop()
        self._talks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        starting = asyncio.start_server(self._talk, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(30)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    def wait_for(self, count: int, seconds: float = 60) -> list[tuple[str, EmailMessage]]:
        """The letters, once there are so many."""
        end = time.monotonic() + seconds
        while len(self.letters) < count and time.monotonic() < end:
            time.sleep(0.02)
        assert len(self.letters) >= count, f"{len(self.letters)} letters came, not {count}"
        return self.letters

    async def _hang_up(self) -> None:
        """Leave no connection open, or its socket would be complained of in another test.

        One that is being accepted is let in first: asyncio does not close the socket of an
        accepted connection whose task is cancelled.
        """
        self._server.close()
        while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in tasks & self._talks:
                task.cancel()
            await asyncio.wait(tasks, timeout=0.1)
        await asyncio.sleep(0)  # an aborted connection is closed by what the loop does next

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._talks.add(asyncio.current_task())
        try:
            await self._answer(reader, writer)
        finally:
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(text: str) -> None:
            writer.write(text.encode() + b"\r\n")
            await writer.drain()

        await say("220 listener")
        to = ""
        while line := (await reader.readline()).decode().strip():
            verb = line[:4].upper()
            if verb == "EHLO":
                await say("250-listener\r\n250 AUTH PLAIN")
            elif verb == "AUTH":
                self.logged_in.append(base64.b64decode(line.split()[2]).decode())
                await say("235 in")
            elif verb == "RCPT":
                to = line.partition("<")[2].rstrip(">")
                await say(self.refuse or "250 ok")
            elif verb == "DATA":
                await say("354 go on")
                data = bytearray()
                while (part := await reader.readline()) not in (b".\r\n", b""):
                    data += part[1:] if part.startswith(b"..") else part
                letter = message_from_bytes(bytes(data), policy=policy.default)
                assert isinstance(letter, EmailMessage)
                self.letters.append((to, letter))
                await say("250 kept")
            elif verb == "QUIT":
                await say("221 bye")
                break
            else:
                await say("250 ok")
        writer.close()
        await writer.wait_closed()
