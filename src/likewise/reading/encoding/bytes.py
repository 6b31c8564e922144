"""Text in an encoding of one byte a character: the best guess, and how sure it is."""

from __future__ import annotations

import re
from dataclasses import replace

from likewise.model import Message
from likewise.reading.encoding.decoded import Decoded, decode_known
from likewise.reading.encoding.guess import PRIORS, Guess, guesses
from likewise.reading.encoding.names import is_multibyte

SURE = 5.0  # nats between the best two guesses: of a hundred such guesses one is wrong
_DECLARED_BONUS = 12.0  # nats: a declaration is worth some letters, not a paragraph
_FEW_OF_MANY = 0.01  # of the characters above 127
_TELLING = 20  # pairs of bytes
_READS_WELL = -3.6  # nats by pair; running text has -3.2 to -2.5
_UNREADABLE = -5.5  # nats by pair: nothing that people write
_CYRILLIC = re.compile("[\u0400-\u052f]")


def decode_guessing(data: bytes, announced: str | None = None) -> Decoded:
    """The text in some bytes by the encoding that makes the best of them."""
    best, *rivals = guesses(data, announced, _DECLARED_BONUS)
    if announced and _is_other(announced):
        is_cyrillic = best.language != "western" and best.readable > _READS_WELL
        if not is_cyrillic:  # we cannot judge it, and nothing contradicts it
            return decode_known(data, announced)
    decoded = decode_known(data, best.encoding)
    above = bytes(byte for byte in range(0x80, 0x100) if byte in data)
    if not _CYRILLIC.search(decoded.text):  # of names for the same text, the one that fits
        for rival in rivals:
            if rival.encoding == "cp1252" and not _differing(best, rival, above):
                best = replace(best, encoding=rival.encoding)
    named = replace(decoded, encoding=best.encoding)
    return named.with_note(_doubt(best, rivals, data, above))


def _is_other(encoding: str) -> bool:
    """Whether an encoding is one of one byte a character that we have no letters for."""
    is_known = encoding in PRIORS or encoding.startswith("utf")
    return not is_known and not is_multibyte(encoding)


def _differing(guess: Guess, other: Guess, above: bytes) -> bytes:
    """The bytes that are other characters in another encoding."""
    one, two = (above.decode(each.encoding, "replace") for each in (guess, other))
    return bytes(byte for byte, a, b in zip(above, one, two, strict=True) if a != b)


def _doubt(best: Guess, rivals: list[Guess], data: bytes, above: bytes) -> Message | None:
    """What to say about a guess that is not sure."""
    for rival in rivals:
        if best.score - rival.score >= SURE:
            break
        differing = sum(map(data.count, _differing(best, rival, above)))
        if differing:
            values = {"encoding": best.encoding, "other": rival.encoding}
            if differing < sum(map(data.count, above)) * _FEW_OF_MANY:
                return Message("reading.encoding_possible", {**values, "n": differing})
            return Message("reading.encoding_likely", values)
    if best.pairs >= _TELLING and best.readable < _UNREADABLE:
        return Message("reading.encoding_perhaps", {"encoding": best.encoding})
    return None
