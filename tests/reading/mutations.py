"""Real files with something wrong in them."""

import io
import random
import zipfile
from collections.abc import Callable

Mutation = Callable[[bytearray, random.Random], None]


def _flip(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 1, 3, 20))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _overwrite(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    length = min(chance.choice((1, 4, 64, 1024)), len(data) - start)
    data[start : start + length] = chance.randbytes(length)


def _delete(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    del data[start : start + chance.choice((1, 16, 512, 8192))]


def _repeat(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    piece = bytes(data[start : start + chance.choice((4, 100, 3000))])
    data[start:start] = piece * chance.choice((1, 2, 50))


def _truncate(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


def _big_number(data: bytearray, chance: random.Random) -> None:
    """Numbers are where lengths, counts and offsets are."""
    digits = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
    if digits:
        at = chance.choice(digits)
        data[at : at + 1] = chance.choice((b"-1", b"0", b"99999999", b"4294967295", b"1e309"))


def _extreme_word(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    data[start : start + 4] = chance.choice((b"\xff" * 4, b"\x7f\xff\xff\xff", bytes(4)))


MUTATIONS: tuple[Mutation, ...] = (
    *(_flip, _overwrite, _delete, _repeat, _truncate, _big_number, _extreme_word),
)


def mutated(data: bytes, seed: int) -> bytes:
    """The file with one to four things wrong; the same for the same seed."""
    chance = random.Random(seed)
    if data.startswith(b"PK\x03\x04") and chance.random() < 0.7:
        return _with_a_mutated_part(data, chance)
    return _damage(data, chance)


def _damage(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if changed:
            chance.choice(MUTATIONS)(changed, chance)
    return bytes(changed)


def _with_a_mutated_part(data: bytes, chance: random.Random) -> bytes:
    """Packed again, so that the damage reaches the parser and not only a checksum."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        parts = old.infolist()
        victim = chance.choice([part for part in parts if part.file_size])
        for part in parts:
            content = old.read(part)
            new.writestr(part, _damage(content, chance) if part is victim else content)
    return made.getvalue()
