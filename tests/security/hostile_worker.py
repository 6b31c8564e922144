"""A reader after a parser's hole: code of a stranger runs in it, and tries what it likes.

It goes around Python, by system calls, since whoever got in would. Every attempt is told with what
became of it: "refused", or what it got.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import platform
import resource
import signal
import socket
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from likewise.reading import plain, worker
from likewise.reading.draft import Draft
from likewise.reading.request import Request

LIBC = ctypes.CDLL(None, use_errno=True)
IS_X86 = platform.machine() == "x86_64"
GIGABYTE = 1 << 30


def attempts(secret: str, folder: str, address: str) -> dict[str, Callable[[], object]]:
    """Everything that is tried; `secret` is a file that root and its owner may read."""
    parent = os.getppid()
    new = f"{folder}/made".encode()

    def c(name: str, *arguments: object) -> object:
        return told(getattr(LIBC, name)(*arguments))

    def call(x86: int, arm: int, *arguments: object) -> object:
        return told(LIBC.syscall(x86 if IS_X86 else arm, *arguments))

    def connected() -> object:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(address)
            return "connected"

    found: dict[str, Callable[[], object]] = {
        "read the library": lambda: c("open", secret.encode(), os.O_RDONLY),
        "read the library by openat2": lambda: openat2(secret),
        "list a folder": lambda: list(Path(folder).iterdir()),
        "read the list of users": lambda: c("open", b"/etc/passwd", os.O_RDONLY),
        "read the memory of the parent": lambda: c(
            "open", f"/proc/{parent}/mem".encode(), os.O_RDONLY
        ),
        "read the environment of the parent": lambda: c(
            "open", f"/proc/{parent}/environ".encode(), os.O_RDONLY
        ),
        "open a handle": lambda: call(304, 265, -100, None, 0),
        "write into the library": lambda: c("open", secret.encode(), os.O_WRONLY),
        "empty the library": lambda: c("truncate", secret.encode(), ctypes.c_long(0)),
        "make a file": lambda: c("open", new, os.O_CREAT | os.O_WRONLY, 0o600),
        "make a file without a name": lambda: c("open", folder.encode(), 0x410002, 0o600),
        "make a folder": lambda: c("mkdir", new, 0o700),
        "make a link": lambda: c("symlink", b"/etc/passwd", new),
        "make a hard link": lambda: c("link", secret.encode(), new),
        "remove the library": lambda: c("unlink", secret.encode()),
        "rename the library": lambda: c("rename", secret.encode(), new),
        "let everybody read the library": lambda: c("chmod", secret.encode(), 0o777),
        "a file in memory": lambda: call(319, 279, b"x", 0),
        "run a program": lambda: c("execve", b"/bin/true", None, None),
        "fork": lambda: forked("fork"),
        "a child by clone3": lambda: call(435, 435, (ctypes.c_uint64 * 11)(), 88),
        "connect to a socket of this machine": connected,
        "trace the parent": lambda: c("ptrace", 16, parent, None, None),
        "read the parent's memory": lambda: call(310, 270, parent, None, 0, None, 0, 0),
        "a handle of the parent": lambda: call(434, 434, parent, 0),
        "see whether the parent is there": lambda: c("kill", parent, 0),
        "end the parent": lambda: c("kill", parent, signal.SIGCONT),
        "end everybody": lambda: c("kill", -1, 0),
        "a signal to a thread of the parent": lambda: call(234, 131, parent, parent, 0),
        "limits of the parent": lambda: call(302, 261, parent, 7, None, (ctypes.c_uint64 * 2)()),
        "cores of the parent": lambda: call(203, 122, parent, 8, (ctypes.c_uint64 * 1)(1)),
        "shared memory": lambda: c("shmget", 0, 4096, 0o1600),
        "io_uring": lambda: call(425, 425, 8, (ctypes.c_uint64 * 15)()),
        "a name space": lambda: c("unshare", 0x10000000),
        "mount": lambda: c("mount", b"none", b"/tmp", b"tmpfs", 0, None),
        "chroot": lambda: c("chroot", b"/"),
        "become root": lambda: c("setuid", 0) if os.getuid() else "refused",
        "bpf": lambda: call(321, 280, 0, None, 0),
        "performance counters": lambda: call(298, 241, None, 0, -1, -1, 0),
        "keys of the kernel": lambda: call(250, 219, 0, -3, 0, 0, 0),
        "a call that came later": lambda: call(462, 462, 0, 0, 0),
        "more memory": lambda: mmap.mmap(-1, 4 * GIGABYTE),
        "a higher limit": lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
    }
    families = {"unix": 1, "ipv4": 2, "ipv6": 10, "netlink": 16, "packet": 17, "vsock": 40}
    for name, family in families.items():
        for kind in (1, 2, 3):
            found[f"a socket: {name}, {kind}"] = partial(c, "socket", family, kind, 0)
    found["a pair of sockets"] = lambda: c("socketpair", 1, 1, 0, (ctypes.c_int * 2)())
    return found


def told(status: int) -> object:
    return "refused" if status < 0 else f"returned {status}"


def openat2(path: str) -> object:
    how = (ctypes.c_uint64 * 3)(os.O_RDONLY, 0, 0)
    return told(LIBC.syscall(437, -100, path.encode(), how, 24))


def forked(name: str) -> object:
    child = getattr(LIBC, name)()
    if child == 0:
        os._exit(0)
    return told(child)


def what_works() -> dict[str, str]:
    """What readers need: libraries that come late, fonts' folders, threads of their own."""
    import decimal  # noqa: F401
    import sqlite3  # noqa: F401

    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(1))
    thread.start()
    thread.join()
    own = told(LIBC.kill(os.getpid(), 0))
    fonts = Path("/usr/share/fonts")
    return {
        "thread": str(seen),
        "own signal": str(own),
        "fonts": "listed" if not fonts.exists() or list(fonts.iterdir()) is not None else "",
        "entropy": str(len(os.urandom(8))),
    }


def read_hostile(data: bytes, request: Request) -> Draft:
    order = json.loads(data.decode().removeprefix("hostile "))
    outcomes = {}
    for name, attempt in attempts(**order).items():
        try:
            outcomes[name] = str(attempt())
        except (OSError, MemoryError, ValueError) as error:
            outcomes[name] = "refused" if not isinstance(error, NameError) else str(error)
    draft = Draft()
    draft.write(json.dumps({"outcomes": outcomes, "works": what_works()}))
    return draft


if __name__ == "__main__":
    plain.read_plain = read_hostile
    worker.main()
