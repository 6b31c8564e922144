"""How much a shared cell says: small integers, years and short words are shared by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_BITS = 14.0
_DIGIT = 3.32  # bits a digit tells


def number_bits(values: Floats, grains: Floats) -> Floats:
    """How rare a number is by its looks: its digits without the zeros around them.

    >>> number_bits(np.array([7.0, 1999.0, 336.85, 5000.0]), np.array([1, 1, 0.01, 1])).round(1)
    array([ 2. ,  3. , 14. ,  3.3])
    """
    size = np.abs(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        written = np.where(size > 0, np.floor(np.log10(size)) - np.rint(np.log10(grains)) + 1, 1)
        written = np.clip(np.nan_to_num(written, nan=1, posinf=16, neginf=1), 1, 15)
        whole = np.rint(size / grains)
    zeros = np.zeros(len(values))
    for power in range(1, 13):  # trailing zeros tell nothing
        zeros += (whole > 0) & (np.mod(whole, 10.0**power) == 0)
    digits = np.clip(written - zeros, 1, None)
    bits = np.clip(_DIGIT * digits, 0, MOST_BITS)
    is_whole = (grains == 1) | (whole * grains == np.floor(whole * grains))
    bits = np.where(is_whole & (size <= 12), 2.0, bits)
    bits = np.where(is_whole & (size > 12) & (size <= 31), 4.0, bits)
    return np.where(is_whole & (size >= 1900) & (size <= 2100), 3.0, bits)


def text_bits(text: str) -> float:
    """How rare a text is by its length.

    >>> text_bits("Yes"), text_bits("Northern Kazakhstan")
    (4.5, 14.0)
    """
    letters = sum(char.isalnum() for char in text[:40])
    return min(1.5 * letters, MOST_BITS) if letters else (1.0 if text else 0.0)


def date_bits(day: str) -> float:
    """A day tells more than a month, a month more than a time."""
    return {10: 7.0, 7: 5.0, 8: 6.0}.get(len(day), 7.0 if len(day) > 10 else 5.0)


def repeated_bits(keys: NDArray[np.uint64], bits: Floats) -> Floats:
    """Less for a cell that stands often in its own table: told once, it costs little again."""
    flat = keys.ravel()
    if not flat.size:
        return bits
    _, which, times = np.unique(flat, return_inverse=True, return_counts=True)
    often = times[which.ravel()].reshape(keys.shape)
    return np.minimum(bits, np.log2(flat.size / often) + bits / often)
