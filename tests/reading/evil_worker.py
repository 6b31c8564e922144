"""The reading process with readers that misbehave: what a file asks for, happens."""

import os
import socket
import subprocess
import time

from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading import plain, worker
from likewise.reading.draft import Draft
from likewise.reading.request import Request


class Panic(BaseException):
    """What native libraries raise when they give up."""


def read_evil(data: bytes, request: Request) -> Draft:
    order = data.decode()
    draft = Draft()
    match order:
        case "crash":
            os.abort()
        case "exit":
            os._exit(3)
        case "hang":
            time.sleep(600)
        case "eat":
            draft.write("x" * (1 << 40))
        case "panic":
            raise Panic("at src/lib.rs")
        case "refuse":
            raise ReadingError(Message.verbatim("it is only a test"))
        case "invent":
            raise ReadingError("reading.invented")
        case "miscount":
            draft.note("comments", "reading.comments", n="many")
        case "recurse":
            return read_evil(data, request)
        case "print":
            os.write(1, b"d" + b"\xff" * 100)
        case "connect":
            with socket.socket() as connection:
                connection.connect(("127.0.0.1", 9))
        case "run":
            subprocess.run(["true"])
        case "secrets":
            draft.write(" ".join(os.environ))
        case "environment":
            draft.write("".join(f"{name}={value}\n" for name, value in os.environ.items()))
        case "pages":
            for page in range(8):
                time.sleep(0.15)
                request.tell_page(page + 1, 8)
    draft.write(order)
    return draft


if __name__ == "__main__":  # pytest imports every module here, and must not be hurt
    plain.read_plain = read_evil
    worker.main()
