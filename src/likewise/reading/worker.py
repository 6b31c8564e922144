"""The process in which files are read: it may crash, hang or run out of memory, and harms nobody.

On its standard input it gets a line of JSON with its limits, then one request at a time with the
bytes of a file; it answers on its standard output (`process_pool` says how), first of all with what
it has given up (`confinement`). The kinds of its answers:

              c  how it is confined            p  pages done, pages in all
              d  a packed document             t  the same, of plain text
              j  a value in JSON               b  bytes
              e  why there is none, a message  m  the memory was not enough
"""

from __future__ import annotations

import json
import signal
import struct
import time
from dataclasses import asdict
from importlib import import_module
from typing import BinaryIO, cast

from likewise.errors import LikewiseError, ReadingError
from likewise.model import Message
from likewise.process_pool import PROGRESS, open_pipes, read_request, send_answer
from likewise.reading.confinement import Confinement, confine
from likewise.reading.formats import read_as, sniff
from likewise.reading.request import CallJob, Limits, ReadJob, Request
from likewise.reading.serialization import pack

TELL_EVERY_SECONDS = 0.1
_LATE_SECONDS = 30.0  # after which the kernel ends it, should nobody be there to do so
_OURS = "likewise."


def main() -> None:
    requests, answers = open_pipes()
    settings = json.loads(requests.readline())
    limits = Limits(**settings["limits"])
    confinement = confine(limits)
    send_answer(answers, b"c", json.dumps(asdict(confinement)).encode())
    while request := read_request(requests):
        job, (data,) = request
        if settings["is_sandbox_required"] and not confinement.is_complete:
            send_answer(answers, b"e", _packed(_why_refused(confinement)))
            continue
        _end_by_alarm(limits.total_seconds + _LATE_SECONDS)
        _answer(answers, data, cast("ReadJob | CallJob", job), limits)
        _end_by_alarm(0)
        del data, request


def _why_refused(confinement: Confinement) -> Message:
    return Message("reading.sandbox_required", {"lacks": confinement.lacks})


def _packed(message: Message, about: str | None = None) -> bytes:
    plain = {"message": message.plain(), "about": about}
    return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")


def _end_by_alarm(seconds: float) -> None:
    """Whatever holds the interpreter then, the kernel ends the process: nobody catches it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _answer(answers: BinaryIO, data: bytes, job: ReadJob | CallJob, limits: Limits) -> None:
    try:
        if "function" in job:
            kind, answer = _call(data, job)
        else:
            kind, answer = _read(answers, data, job, limits)
    except LikewiseError as error:
        kind, answer = b"e", _packed(error.message, error.about)
    except MemoryError:
        kind, answer = b"m", b""
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic of a native library is no Exception
        message = Message("reading.cannot_be_read", {"error": type(error).__name__})
        kind, answer = b"e", _packed(message)
    send_answer(answers, kind, answer)


def _call(data: bytes, job: CallJob) -> tuple[bytes, bytes]:
    """What a function of ours makes of the bytes: bytes, or a value that JSON can hold."""
    module, _, name = job["function"].partition(":")
    if not module.startswith(_OURS):
        raise ValueError(module)
    answer = getattr(import_module(module), name)(data, **job["arguments"])
    if isinstance(answer, bytes):
        return b"b", answer
    return b"j", json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _read(answers: BinaryIO, data: bytes, job: ReadJob, limits: Limits) -> tuple[bytes, bytes]:
    """The document in the bytes, whatever they are."""
    last_report = time.monotonic()

    def tell_page(done: int, total: int) -> None:
        nonlocal last_report
        if time.monotonic() - last_report >= TELL_EVERY_SECONDS:
            last_report = time.monotonic()
            send_answer(answers, PROGRESS, struct.pack("<QQ", done, total))

    request = Request(
        name=job["name"],
        limits=limits,
        web_page=job["web_page"],
        charset=job["charset"],
        tell_page=tell_page,
        ocr=tuple(job["ocr"]),
        verify=job["verify"],
    )
    form = sniff(data, request.name)
    if form == "archive":
        raise ReadingError("reading.zip_no_document")
    return (b"t" if form == "plain" else b"d"), pack(read_as(form, data, request))


if __name__ == "__main__":
    main()
