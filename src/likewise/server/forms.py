"""What a browser or a program hands in: a form with files, read as it streams in.

Nothing is believed before it was counted: neither the length that the caller announces, nor a name,
nor a type. Files wait in unnamed temporary files, which the system takes back whatever happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from weakref import WeakKeyDictionary, WeakValueDictionary

import anyio
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header
from starlette.requests import ClientDisconnect

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.http.form_parts import FormParser, ReceivedForm, identify_files
from likewise.server.problems import Problem
from likewise.server.quotas import ensure_may_upload, uploading

_TOGETHER_BYTES = 1 << 18  # looked at in one go, in a thread of the pool
_FORM = "multipart/form-data"
_SILENT_SECONDS = 60
_FULL = (ENOSPC, EDQUOT, EFBIG)
_POLITE_SECONDS = 2.0  # to let a caller finish who is going to be refused

_AT_ONCE = 1  # uploads that are looked at and written
_IDENTIFICATIONS_AT_ONCE = 4
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()
_slots_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
    WeakKeyDictionary()
)
_slots_by_caller: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()


@asynccontextmanager
async def receive_form(
    request: Request, context: ServerContext, caller: Caller
) -> AsyncIterator[ReceivedForm]:
    """The form of a request: parts `file`, at most one `request` of JSON and one `table`."""
    settings = await run_in_threadpool(ensure_may_upload, context, caller)
    with uploading(context, caller, settings):
        parts = FormParser(_boundary(request), settings.most_upload_bytes, settings.most_files)
        try:
            await _read(request, parts)
            received_on = utc_now()
            async with _turn():
                form = await run_in_threadpool(parts.form, received_on)
            async with _slot_of(caller), _identification_slots():
                form = await run_in_threadpool(identify_files, form)
            async with _turn():
                yield form
        finally:
            parts.close()


def _turn() -> asyncio.Semaphore:
    """One upload after the other is accepted: twenty at once make nobody else wait."""
    return _turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(_AT_ONCE))


def _identification_slots() -> asyncio.Semaphore:
    """Readers that look at what came in are few: each has a thread of the pool to itself."""
    return _slots_by_loop.setdefault(
        asyncio.get_running_loop(), asyncio.Semaphore(_IDENTIFICATIONS_AT_ONCE)
    )


def _slot_of(caller: Caller) -> asyncio.Semaphore:
    """One of them for each person, so that nobody's files keep all of them busy."""
    return _slots_by_caller.setdefault(caller.id, asyncio.Semaphore(1))


async def _read(request: Request, parts: FormParser) -> None:
    """Feed a body to a form, a good piece at a time."""
    stream, waiting = request.stream().__aiter__(), bytearray()
    try:
        announced = request.headers.get("content-length", "")[:20]
        parts.announced(int(announced) if announced.isdecimal() else 0)
        while True:
            with anyio.fail_after(_SILENT_SECONDS):
                chunk = await anext(stream, None)
            waiting += chunk or b""
            if len(waiting) >= _TOGETHER_BYTES or chunk is None:
                async with _turn():
                    await run_in_threadpool(parts.feed, bytes(waiting))
                waiting.clear()
            if chunk is None:
                break
        async with _turn():
            await run_in_threadpool(parts.finish)
    except TimeoutError:
        raise Problem("bad request", "server.nothing_came") from None
    except ClientDisconnect:
        raise Problem("bad request", "server.broke_off") from None
    except FormParserError:
        await _let_finish(request)
        raise Problem("bad request", "server.not_a_form", form=_FORM) from None
    except OSError as error:
        if error.errno not in _FULL:
            raise
        await _let_finish(request)
        raise Problem("out of room", "server.disk_full_upload") from error
    except Problem:
        await _let_finish(request)
        raise


async def _let_finish(request: Request) -> None:
    """Most callers read an answer only when they have sent all; throw away what still comes."""
    if request.headers.get("expect", "").lower() == "100-continue":
        return
    with anyio.move_on_after(_POLITE_SECONDS), suppress(ClientDisconnect, RuntimeError):
        async for _chunk in request.stream():
            pass


def _boundary(request: Request) -> bytes:
    kind, options = parse_options_header(request.headers.get("content-type"))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= 256:
        raise Problem("bad request", "server.no_boundary", form=_FORM)
    return boundary
