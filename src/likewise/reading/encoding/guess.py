"""Which encoding of one byte a character makes text of some bytes: a score for each."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from likewise.reading.encoding.letters import KINDS, chains, symbols_in

# What an encoding is worth before its bytes are seen, in nats: old ones are met less often.
# Of encodings that give the same text, the first one is named.
PRIORS = {
    "cp1251": 0.0,
    "cp1252": -0.5,
    "koi8-r": -1.0,
    "cp866": -1.5,
    "kz-1048": -1.0,
    "koi8-u": -1.5,
    "iso-8859-5": -2.0,
    "mac-cyrillic": -2.5,
    "cp855": -3.5,
    "ptcp154": -3.5,
}
_SAMPLE = 24_000  # bytes above 127 that are looked at
_IN_CAPITALS = -2.5  # a text in capitals, before it is seen
_DRAWN_ON = -0.5  # the same line drawn on; box after box is otherwise a sign of a wrong guess
_SPACE, _BOX = ord(" "), KINDS.index("box")


@dataclass(frozen=True, slots=True)
class Guess:
    """An encoding, how well the text it makes reads, and by how many pairs of bytes that is known.

    >>> text = "Привет, как дела?"
    >>> guesses("Привет, как дела?".encode("koi8-r"))[0].encoding
    'koi8-r'
    """

    encoding: str
    language: str
    score: float
    pairs: int

    @property
    def readable(self) -> float:
        """The score by pair of bytes; running text has -2.5 to -1.5, noise less than -5."""
        return self.score / max(self.pairs, 1)


def guesses(data: bytes, declared: str | None = None, bonus: float = 0.0) -> list[Guess]:
    """Every encoding with its score, the best first; a declared one has a bonus.

    Bytes below 128 mean the same in all of them; only pairs with one above count.
    """
    first, second, times = _byte_pairs(data)
    same = first == second
    found = []
    for encoding, prior in PRIORS.items():
        symbols, cases = byte_tables(encoding)
        before, after = symbols[first], symbols[second]
        score, language = likelihood(before, after, cases[first], cases[second], times)
        drawn = same & (before == _BOX)
        if drawn.any():
            expected = chains().symbols[0, _BOX, _BOX]
            score += float((_DRAWN_ON - expected) * times[drawn].sum())
        score += prior + (bonus if encoding == declared else 0.0)
        found.append(Guess(encoding, language, score, int(times.sum())))
    return sorted(found, key=lambda guess: -guess.score)


def likelihood(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    case_before: NDArray[np.uint8],
    case_after: NDArray[np.uint8],
    times: NDArray[np.int64],
) -> tuple[float, str]:
    """How likely pairs of symbols are in the language that suits them best, and that language."""
    known = chains()
    by_language = known.symbols[:, before, after] @ times + known.before
    by_manner = known.cases[:, case_before, case_after] @ times
    best = int(by_language.argmax())
    manner = max(float(by_manner[0]), float(by_manner[1]) + _IN_CAPITALS)
    return float(by_language[best]) + manner, known.languages[best]


def text_score(text: str) -> tuple[float, int]:
    """The score of a text as it stands, and the pairs with a character above 127 that it has."""
    codes = np.frombuffer(f" {text} ".encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    symbols, cases = symbols_in(f" {text} ")
    high = codes >= 0x80
    counted = np.flatnonzero(high[:-1] | high[1:])
    times = np.ones(len(counted), dtype=np.int64)
    after = counted + 1
    score, _ = likelihood(symbols[counted], symbols[after], cases[counted], cases[after], times)
    return score, len(counted)


@cache
def byte_tables(encoding: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The symbol and the case of each byte in an encoding."""
    decoder = codecs.lookup(encoding)
    text = "".join(
        decoder.decode(bytes([byte]), "replace")[0][:1] or "\ufffd" for byte in range(256)
    )
    return symbols_in(text)


def _byte_pairs(
    data: bytes,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]:
    """The pairs of bytes of which one is above 127, and how often each was met."""
    content = np.frombuffer(b" " + data + b" ", dtype=np.uint8)
    high = np.flatnonzero(content >= 0x80)
    if len(high) > _SAMPLE:  # the beginning, the middle and the end
        third, middle = _SAMPLE // 3, len(high) // 2
        high = np.concatenate([high[:third], high[middle : middle + third], high[-third:]])
    starts = np.union1d(high - 1, high)
    codes = content[starts].astype(np.int64) << 8 | content[starts + 1]
    pairs, times = np.unique(codes, return_counts=True)
    return pairs >> 8, pairs & 255, times
