"""Codes of certificates: short enough to type from paper, too many to be guessed."""

from __future__ import annotations

import secrets

# Without signs that look alike on paper. What people read as one of the others means the one here.
ALPHABET = "23456789ACDEFHJKMNPQRTVWXY"
LENGTH, GROUP = 15, 5  # 26¹⁵ codes: 70 bits
_LOOK_ALIKE = str.maketrans("SZBGUАВЕНКМРСТУХ", "5286VA8EHKMPCTYX")  # the second half is Cyrillic


def new_code() -> str:
    """A code that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def code_from(typed: str) -> str | None:
    """The code that somebody typed, in whatever letters and groups; None if it cannot be one.

    >>> code_from(" k7m2x-9qrtd 4hwpn ")
    'K7M2X9QRTD4HWPN'
    >>> code_from("K7M2X-9QRTD")
    """
    signs = "".join(typed.upper().split()).translate(_LOOK_ALIKE)
    code = signs.replace("-", "").replace("–", "")
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None


def grouped(code: str) -> str:
    """A code as people read it.

    >>> grouped("K7M2X9QRTD4HWPN")
    'K7M2X-9QRTD-4HWPN'
    """
    return "-".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))
