"""Secrets that partners share, and files that only these open."""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import numpy as np

from likewise.errors import BadInput, words_of_system

FEWEST_KEY_BYTES = 16

_NONCE = _TAG = _KEY = 32  # bytes
_BLOCK = 64  # bytes of keystream from one call


def read_key(path: str | Path) -> bytes:
    """The secret in a file."""
    try:
        written = Path(path).read_bytes().strip()
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
    if len(written) < FEWEST_KEY_BYTES:
        raise BadInput("library.weak_key", about=path, n=len(written))
    return blake2b(written, digest_size=_KEY, person=b"likewise key").digest()


def make_key(path: str | Path) -> None:
    """Write a new secret into a file that only its owner may read."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadInput("library.key_exists", about=path) from None
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(_KEY) + "\n")


def key_for(key: bytes, purpose: bytes) -> bytes:
    """A key for one purpose alone."""
    return blake2b(key=key, digest_size=_KEY, person=purpose).digest()


# The seal: BLAKE2 as a keyed stream, and its mark over all of it.


def sealed(data: bytes, key: bytes, beginning: bytes) -> bytes:
    """Data that only the key opens, behind a beginning that tells what it is."""
    nonce = secrets.token_bytes(_NONCE)
    body = beginning + nonce + _mixed(data, key_for(key, b"stream"), nonce)
    return body + _mark(body, key)


def unsealed(whole: bytes, key: bytes, beginning: bytes) -> bytes | None:
    """What was sealed; None if the key is another, or something was changed."""
    body, mark = whole[:-_TAG], whole[-_TAG:]
    begin = len(beginning) + _NONCE
    if len(whole) < begin + _TAG or not hmac.compare_digest(_mark(body, key), mark):
        return None
    return _mixed(body[begin:], key_for(key, b"stream"), body[len(beginning) : begin])


def _mark(body: bytes, key: bytes) -> bytes:
    return blake2b(body, digest_size=_TAG, key=key_for(key, b"mark")).digest()


def _mixed(data: bytes, secret: bytes, nonce: bytes) -> bytes:
    """The data and a stream of bytes that only the key gives, one over the other."""

    def stream() -> Iterator[bytes]:
        for count in range(-(-len(data) // _BLOCK)):
            yield blake2b(nonce + count.to_bytes(8, "little"), key=secret).digest()

    mask = np.frombuffer(b"".join(stream())[: len(data)], dtype=np.uint8)
    return (np.frombuffer(data, dtype=np.uint8) ^ mask).tobytes()
