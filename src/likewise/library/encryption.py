"""Secrets that partners share, and files that only these open.

A file of format 2 is encrypted with ChaCha20-Poly1305 of the package `cryptography`, a chunk at a
time, by the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015, "Online
Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", as in the tool age):

    magic (16 bytes) | salt (32) | chunk | chunk | … | final chunk

Each file has a key of its own, HKDF-SHA256 of the shared secret and the random salt, so that a
counter can be the nonce. The nonce also says whether a chunk is the final one: chunks that are
missing, in another order, of another file or behind the end do not open. Magic and salt are
authenticated with every chunk. HKDF and not scrypt, because the secret is a file of random bytes
that `make_key` has written, and nothing that people remember: see docs/library-partners.md.

Format 1 had a cipher of our own, BLAKE2 as a keyed stream; it is read, and no longer written.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from likewise.errors import BadInput, words_of_system

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

FEWEST_KEY_BYTES = 16

_KEY_BYTES = _SALT_BYTES = 32
_CHUNK_BYTES = 1 << 16
_TAG_BYTES = 16
_COUNTER_BYTES = 11  # of the nonce; the twelfth byte is 1 for the final chunk

_OLD_NONCE_BYTES = _OLD_TAG_BYTES = 32
_OLD_BLOCK_BYTES = 64  # of keystream from one call


class DecryptionError(Exception):
    """A file that does not open; `is_key_right` where its beginning did."""

    def __init__(self, *, is_key_right: bool) -> None:
        super().__init__()
        self.is_key_right = is_key_right


def read_key(path: str | Path) -> bytes:
    """The secret in a file."""
    try:
        secret = Path(path).read_bytes().strip()
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
    if len(secret) < FEWEST_KEY_BYTES:
        raise BadInput("library.weak_key", about=path, n=len(secret))
    return blake2b(secret, digest_size=_KEY_BYTES, person=b"likewise key").digest()


def make_key(path: str | Path) -> None:
    """Write a new secret into a file that only its owner may read."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadInput("library.key_exists", about=path) from None
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(_KEY_BYTES) + "\n")


def derive_key(key: bytes, purpose: bytes) -> bytes:
    """A key for one purpose alone."""
    return blake2b(key=key, digest_size=_KEY_BYTES, person=purpose).digest()


def write_encrypted(file: BinaryIO, data: bytes, key: bytes, magic: bytes) -> None:
    """Data that only the key opens, behind a magic number that tells what it is."""
    header = magic + secrets.token_bytes(_SALT_BYTES)
    cipher = _file_cipher(key, header, magic)
    file.write(header)
    view = memoryview(data)
    # Of no data too there is one chunk: else an empty file could be a truncated one.
    last = max(0, len(data) - 1) // _CHUNK_BYTES
    for number in range(last + 1):
        chunk = view[number * _CHUNK_BYTES : (number + 1) * _CHUNK_BYTES]
        file.write(cipher.encrypt(_nonce(number, is_final=number == last), chunk, header))


def read_encrypted(file: BinaryIO, key: bytes, magic: bytes) -> bytes:
    """What was encrypted, all of it or nothing: `DecryptionError` where anything is amiss."""
    from cryptography.exceptions import InvalidTag

    header = file.read(len(magic) + _SALT_BYTES)
    if len(header) != len(magic) + _SALT_BYTES or not header.startswith(magic):
        raise DecryptionError(is_key_right=False)
    cipher = _file_cipher(key, header, magic)
    chunks: list[bytes] = []
    chunk = file.read(_CHUNK_BYTES + _TAG_BYTES)
    while True:
        next_chunk = file.read(_CHUNK_BYTES + _TAG_BYTES)
        try:
            nonce = _nonce(len(chunks), is_final=not next_chunk)
            chunks.append(cipher.decrypt(nonce, chunk, header))
        except InvalidTag:
            raise DecryptionError(is_key_right=bool(chunks)) from None
        if not next_chunk:
            return b"".join(chunks)
        chunk = next_chunk


def _file_cipher(key: bytes, header: bytes, magic: bytes) -> ChaCha20Poly1305:
    # Imported here: nobody but those who have partners waits for OpenSSL.
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    derivation = HKDF(SHA256(), _KEY_BYTES, salt=header[len(magic) :], info=b"likewise " + magic)
    return ChaCha20Poly1305(derivation.derive(key))


def _nonce(number: int, *, is_final: bool) -> bytes:
    """The number of a block, and whether it is the last one: no two blocks have the same.

    >>> _nonce(258, is_final=True).hex()
    '000000000000000000010201'
    """
    return number.to_bytes(_COUNTER_BYTES, "big") + bytes([is_final])


# Format 1


def decrypt_format_1(data: bytes, key: bytes, magic: bytes) -> bytes:
    """What was encrypted by our own cipher: BLAKE2 as a keyed stream, and a keyed hash of all."""
    body, tag = data[:-_OLD_TAG_BYTES], data[-_OLD_TAG_BYTES:]
    begin = len(magic) + _OLD_NONCE_BYTES
    expected = blake2b(body, digest_size=_OLD_TAG_BYTES, key=derive_key(key, b"mark")).digest()
    if len(data) < begin + _OLD_TAG_BYTES or not hmac.compare_digest(expected, tag):
        raise DecryptionError(is_key_right=False)
    return _add_keystream(body[begin:], derive_key(key, b"stream"), body[len(magic) : begin])


def _add_keystream(data: bytes, secret: bytes, nonce: bytes) -> bytes:
    import numpy as np

    def blocks() -> Iterator[bytes]:
        for count in range(-(-len(data) // _OLD_BLOCK_BYTES)):
            yield blake2b(nonce + count.to_bytes(8, "little"), key=secret).digest()

    keystream = np.frombuffer(b"".join(blocks())[: len(data)], dtype=np.uint8)
    return (np.frombuffer(data, dtype=np.uint8) ^ keystream).tobytes()
