"""Passwords: kept as argon2 hashes, compared with the same work whoever asks, and not too weak."""

from __future__ import annotations

import secrets
import threading
import unicodedata
from functools import cache

from pwdlib import PasswordHash
from pwdlib.exceptions import PwdlibError
from pwdlib.hashers.argon2 import Argon2Hasher

from likewise.server.people.common_passwords import is_common
from likewise.server.problems import Problem

LONGEST = 1_000  # more is no password; hashing it would only keep us busy
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that is taken for another

# The least that OWASP's cheat sheet asks of argon2id: 19 MiB and two passes, some 25 ms. A library
# of a campus must stay quick while hundreds log in; changing a figure renews hashes one by one.
_hasher = PasswordHash((Argon2Hasher(time_cost=2, memory_cost=19_456, parallelism=1),))
# Memory for a flood of log ins is bounded: who comes later waits for a core anyway.
_at_once = threading.BoundedSemaphore(4)


def hash_of(password: str) -> str:
    """What is kept of a password."""
    with _at_once:
        return _hasher.hash(_normal(password))


def verify(password: str, kept: str | None) -> tuple[bool, str | None]:
    """Whether a password is right, and the hash to keep from now on if the old one is dated.

    Without a hash, as when nobody has the name, the same work is done and the answer is no.
    """
    with _at_once:
        if kept is None:
            _hasher.verify(_normal(password), _nobodys())
            return False, None
        try:
            return _hasher.verify_and_update(_normal(password), kept)
        except PwdlibError:  # no hash that we know: such a person needs a new password
            _hasher.verify(_normal(password), _nobodys())
            return False, None


def ensure_strong(password: str, name: str, least_length: int) -> None:
    """Refuse what others would guess first."""
    normal = _normal(password)
    if len(normal) < least_length:
        raise Problem("bad request", "server.password_length", n=least_length)
    if len(normal) > LONGEST:
        raise Problem("bad request", "server.long_password", n=LONGEST)
    if is_common(normal, name):
        raise Problem("bad request", "server.common_password")


def random_password(groups: int = 4) -> str:
    """A password to be typed once: groups of five letters and digits, 25 bits each."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(5)) for _ in range(groups))


def _normal(password: str) -> str:
    """The same password, however a keyboard puts its accents together (NIST SP 800-63B)."""
    return unicodedata.normalize("NFKC", password[: LONGEST + 1])


@cache
def _nobodys() -> str:
    return _hasher.hash(secrets.token_hex(16))
