"""MurmurHash3 (Appleby), 32 bits: the hash of the paper's first worked example."""

from __future__ import annotations

_MASK = 0xFFFFFFFF


def murmur3(data: bytes, seed: int) -> int:
    """The hash as a signed number, as the paper prints it.

    >>> murmur3(b"", 0), murmur3(b"one the urgent", 5)
    (0, 2092786056)
    """
    h = seed
    whole = len(data) - len(data) % 4
    for start in range(0, whole, 4):
        h ^= _scrambled(int.from_bytes(data[start : start + 4], "little"))
        h = (_turned(h, 13) * 5 + 0xE6546B64) & _MASK
    if whole < len(data):
        h ^= _scrambled(int.from_bytes(data[whole:], "little"))
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & _MASK
    h = (h ^ h >> 13) * 0xC2B2AE35 & _MASK
    return signed(h ^ h >> 16)


def signed(number: int) -> int:
    """32 bits as a number between -2³¹ and 2³¹.

    >>> signed(0xFFFFFFFF)
    -1
    """
    return number - (1 << 32) if number >> 31 else number


def _scrambled(k: int) -> int:
    return _turned(k * 0xCC9E2D51 & _MASK, 15) * 0x1B873593 & _MASK


def _turned(k: int, bits: int) -> int:
    return (k << bits | k >> (32 - bits)) & _MASK
