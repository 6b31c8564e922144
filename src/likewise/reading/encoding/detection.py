"""Which encoding bytes are in.

Unicode announces itself by a mark, or gives itself away by the pattern of its bytes; of the
encodings of one byte a character, each gets a score for how well what it makes reads.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from functools import cache
from unicodedata import category

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
    scored = []
    for encoding, prior in PRIORS.items():
        symbols, cases = byte_tables(encoding)
        before, after = symbols[first], symbols[second]
        score, language = likelihood(before, after, cases[first], cases[second], times)
        is_frame = same & (before == _BOX)
        if is_frame.any():
            expected = chains().symbols[0, _BOX, _BOX]
            score += float((_DRAWN_ON - expected) * times[is_frame].sum())
        score += prior + (bonus if encoding == declared else 0.0)
        scored.append(Guess(encoding, language, score, int(times.sum())))
    return sorted(scored, key=lambda guess: -guess.score)


def likelihood(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    case_before: NDArray[np.uint8],
    case_after: NDArray[np.uint8],
    times: NDArray[np.int64],
) -> tuple[float, str]:
    """How likely pairs of symbols are in the language that suits them best, and that language."""
    statistics = chains()
    by_language = statistics.symbols[:, before, after] @ times + statistics.before
    by_manner = statistics.cases[:, case_before, case_after] @ times
    best = int(by_language.argmax())
    manner = max(float(by_manner[0]), float(by_manner[1]) + _IN_CAPITALS)
    return float(by_language[best]) + manner, statistics.languages[best]


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


# Unicode that announces itself by a mark, or gives itself away by the pattern of its bytes.

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT = 1 << 13
_UNLIKELY = frozenset({"Cc", "Cn", "Co", "Cs"})  # control characters, unassigned, private, halves
_LATIN_OR_CYRILLIC = b"\x00\x04"  # the high byte of nearly all their characters
_AROUND_THEM = b"\x00\x01\x02\x03\x04\x05\x20\x21\x22\x25"  # and of their marks and signs
_LEAST_SHARE = 0.5
_LEAST_AROUND = 0.95
_LEAST_ZEROS = 0.03  # of the units of a text in other letters: its spaces, digits and line ends
_FEWEST_ZEROS = 4
_MOST_UNLIKELY = 0.02


def byte_order_mark(data: bytes) -> tuple[str, int] | None:
    """The encoding that a mark at the beginning announces, and the mark's length.

    >>> byte_order_mark(b"\\xff\\xfea\\x00")
    ('utf-16-le', 2)
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    return None


def unmarked_unicode(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark, where the bytes can be nothing else.

    >>> [unmarked_unicode(data) for data in ("Привет".encode("utf-16-be"), b"Hello", b"")]
    ['utf-16-be', None, None]
    """
    sample = data[:_LOOKED_AT]
    if len(sample) < 4 or not (b"\x00" in sample or b"\x04" in sample):
        return None
    if len(data) % 4 == 0:
        for encoding, zero, nearly_zero in (("utf-32-le", 3, 2), ("utf-32-be", 0, 1)):
            planes = sample[nearly_zero::4]
            if not sample[zero::4].strip(b"\x00") and planes.count(0) >= len(planes) * 0.9:
                return encoding if _reads(sample, encoding) else None
    for encoding, high_byte in (("utf-16-le", 1), ("utf-16-be", 0)):
        high, low = sample[high_byte::2], sample[1 - high_byte :: 2]
        units = min(len(high), len(low))
        usual = len(high) - len(high.translate(None, _LATIN_OR_CYRILLIC))
        around = len(high) - len(high.translate(None, _AROUND_THEM))
        is_ours = usual >= units * _LEAST_SHARE and around >= units * _LEAST_AROUND
        has_zeros = high.count(0) >= max(units * _LEAST_ZEROS, _FEWEST_ZEROS) and 0 not in low
        if (is_ours or has_zeros) and _reads(sample[: units * 2], encoding):
            return encoding
    return None


def _reads(sample: bytes, encoding: str) -> bool:
    """Whether a sample, perhaps cut within a pair, is text in the encoding."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return False
    unlikely = sum(category(char) in _UNLIKELY and char not in "\t\n\r\f\x1a" for char in text)
    return unlikely <= len(text) * _MOST_UNLIKELY
