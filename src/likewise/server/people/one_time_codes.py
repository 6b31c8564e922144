"""Codes that hold for half a minute: RFC 6238, as every app for them reads it.

SHA-1, six digits and thirty seconds are what all apps know; some pass over what an address says of
others. What makes a code safe is not its hash but that it is asked slowly and taken once.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
from urllib.parse import quote

STEP_SECONDS = 30
DIGITS = 6
DRIFT_STEPS = 1  # that a clock may be before or behind ours
_SECRET_BYTES = 20


def make_secret() -> str:
    """A secret in base 32, as apps take it."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def step_of(seconds: float) -> int:
    """The number of the half minute that a moment is in.

    >>> step_of(59), step_of(60)
    (1, 2)
    """
    return int(seconds // STEP_SECONDS)


def code_of(secret: str, step: int) -> str:
    """The code of a step (RFC 4226, 5.3).

    >>> code_of("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", step_of(1111111109))
    '081804'
    """
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[-1] & 0x0F
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def matching_step(secret: str, code: str, now: float) -> int | None:
    """The step whose code this is: this one, or one beside it.

    >>> matching_step("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "081804", 1111111109 + 30)
    37037036
    >>> matching_step("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "081804", 1111111109 + 90)
    """
    given, found = code.encode("utf-8", "replace"), None
    for step in range(step_of(now) - DRIFT_STEPS, step_of(now) + DRIFT_STEPS + 1):
        if step >= 0 and hmac.compare_digest(code_of(secret, step).encode(), given):
            found = step
    return found


def address_for_apps(secret: str, site: str, name: str) -> str:
    """What a QR code says to an app.

    >>> address_for_apps("ABC", "Likewise", "aigul")
    'otpauth://totp/Likewise:aigul?secret=ABC&issuer=Likewise'
    """
    label = f"{quote(site, safe='')}:{quote(name, safe='')}"
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(site, safe='')}"
