"""Starts a reader in which hostile code runs, and prints what it could do."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import struct
import sys

from likewise.reading.request import Limits, Request
from likewise.reading.sandbox import Sandbox


def refuse_namespaces() -> None:
    """As most containers do: `unshare` with a new user's name space is not permitted."""
    number, machine = {"x86_64": (272, 0xC000003E), "aarch64": (97, 0xC00000B7)}[platform.machine()]
    steps = [
        (0x20, 0, 0, 4),
        (0x15, 0, 3, machine),
        (0x20, 0, 0, 0),
        (0x15, 0, 1, number),
        (0x06, 0, 0, 0x00050001),
        (0x06, 0, 0, 0x7FFF0000),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    assert libc.prctl(22, 2, head, 0, 0) == 0


def main() -> None:
    order = json.loads(sys.argv[1])
    if order.pop("without_namespaces"):
        refuse_namespaces()
    limits = Limits(memory_bytes=2 << 30, seconds=60)
    sandbox = Sandbox(limits, "tests.security.hostile_worker")
    confinement = sandbox.confinement()
    text = sandbox.read(f"hostile {json.dumps(order)}".encode(), Request("a.txt", limits))
    sandbox.close()
    found = json.loads(text.document.text)
    found |= {"layers": confinement.layers, "missing": confinement.missing, "uid": os.getuid()}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
