"""Keys that administrators type in, and second factors: encrypted, and never sent back.

They are encrypted with `LIKEWISE_SECRET_KEY`, so that whoever reads a backup cannot use them; where
nobody has set it, with a secret of the database's own. AES-256-GCM with a key by HKDF; each value
is bound to its name, so that none can be put in another's place.
"""

from __future__ import annotations

import base64
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import Connection

from likewise.library.registry import read_value, write_value
from likewise.server.context import ServerContext

_STORED_UNDER = "server.provider secret"
_NONCE_BYTES = 12


def encrypt(context: ServerContext, connection: Connection, name: str, value: str) -> str:
    """A value as it is stored; in a transaction that writes."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    cipher = AESGCM(_key(_secret(context, connection, makes_one=True)))
    sealed = cipher.encrypt(nonce, value.encode(), name.encode())
    return base64.b64encode(nonce + sealed).decode()


def decrypt(context: ServerContext, connection: Connection, name: str, stored: str) -> str | None:
    """The value; None where it was encrypted with another secret than this process knows."""
    secret = _secret(context, connection)
    if not secret:
        return None
    try:
        data = base64.b64decode(stored, validate=True)
        cipher = AESGCM(_key(secret))
        return cipher.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], name.encode()).decode()
    except (InvalidTag, ValueError):
        return None


def _secret(context: ServerContext, connection: Connection, *, makes_one: bool = False) -> str:
    if context.config.secret_key:
        return context.config.secret_key
    stored = read_value(connection, _STORED_UNDER)
    if stored is None and makes_one:
        stored = secrets.token_hex(32)
        write_value(connection, _STORED_UNDER, stored)
    return stored or ""


def _key(secret: str) -> bytes:
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"likewise keys of providers")
    return kdf.derive(secret.encode("utf-8", "surrogateescape"))
