"""The process in which files are read: it may crash, hang or run out of memory, and harms nobody.

It gets one request at a time on its standard input and answers on its standard output:

    request   a line of JSON (format, name, size, what is asked, limits), then that many bytes
    answer    a byte for its kind, eight for its length, then the answer itself:
              p  pages done, pages in all      d  a packed document      e  why there is none
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import sys
import time
from typing import Any, BinaryIO

from likewise.errors import ReadingError
from likewise.reading.formats import read_as
from likewise.reading.packed import pack
from likewise.reading.request import Limits, Request

TELL_EVERY_SECONDS = 0.1


def main() -> None:
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not be taken for an answer
    limits = Limits(**json.loads(requests.readline()))
    confine(limits)
    for line in requests:
        asked = json.loads(line)
        data = requests.read(asked["size"])
        if len(data) < asked["size"]:
            return
        _answer(answers, data, asked, limits)
        del data


def _answer(answers: BinaryIO, data: bytes, asked: dict[str, Any], limits: Limits) -> None:
    told = time.monotonic()

    def tell_page(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told >= TELL_EVERY_SECONDS:
            told = time.monotonic()
            send(answers, b"p", struct.pack("<QQ", done, total))

    request = Request(
        name=asked["name"],
        limits=limits,
        web_page=asked["web_page"],
        charset=asked["charset"],
        tell_page=tell_page,
        ocr=tuple(asked["ocr"]),
        verify=asked["verify"],
    )
    try:
        kind, answer = b"d", pack(read_as(asked["format"], data, request))
    except ReadingError as error:
        kind, answer = b"e", str(error).encode("utf-8", "replace")
    except MemoryError:
        kind, answer = b"m", b"reading it takes more memory than is allowed"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic of a native library is no Exception
        kind, answer = b"e", f"it cannot be read ({type(error).__name__})".encode()
    send(answers, kind, answer)


def send(answers: BinaryIO, kind: bytes, answer: bytes) -> None:
    answers.write(kind + struct.pack("<Q", len(answer)))
    answers.write(answer)
    answers.flush()


def confine(limits: Limits) -> None:
    """Give up what reading does not need: memory without end, the network, other programs."""
    try:
        import resource
    except ImportError:  # Windows: time and unpacked size are still limited
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it would hold people's text
        _leave_the_network()
    sys.addaudithook(_refuse)


def _leave_the_network() -> None:
    """A name space without any network, where the system lets us have one."""
    import ctypes

    new_user, new_network = 0x10000000, 0x40000000
    with contextlib.suppress(AttributeError, OSError):  # where this is not Linux
        ctypes.CDLL(None, use_errno=True).unshare(new_user | new_network)


_REFUSED = (
    "socket.",
    "subprocess.",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "os.fork",
)


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    if event.startswith(_REFUSED):
        raise PermissionError(f"a reader may not call {event}")


if __name__ == "__main__":
    main()
