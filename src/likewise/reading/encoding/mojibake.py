"""Text that was decoded wrongly before it was saved: "РџСЂРёРІРµС‚" for "Привет".

The damage is undone where it is certain: the characters go back to the bytes they came from, these
decode without a fault, and what comes out reads like Russian or Kazakh while what was there read
like nothing. Only such text is touched.
"""

from __future__ import annotations

import re
from functools import cache

from likewise.model import Message
from likewise.reading.encoding.detection import text_score

# Read as the first, while it was the second.
_MISTAKES = (
    ("cp1251", "utf-8"),
    ("cp1252", "utf-8"),
    ("latin-1", "utf-8"),
    ("cp866", "utf-8"),
    ("koi8-r", "utf-8"),
    ("cp1252", "cp1251"),
    ("latin-1", "cp1251"),
    ("cp1251", "koi8-r"),
    ("koi8-r", "cp1251"),
    ("cp1251", "cp866"),
    ("cp866", "cp1251"),
    ("cp1252", "koi8-r"),
    ("cp1252", "cp866"),
)
_SLICE, _SLICES = 500, 4  # characters looked at before anything is suspected
_BEGINNING = 1 << 16  # and where single lines are looked for
_LINES = re.compile("(?:[РС][^А-Яа-яЁё\\w ]|[РС][ЂЃѓЉЊЌЋЏђљњќћџЎўЈҐ]|[ÐÑ].){4}")
# Dashes, quotes and accents of other languages, as UTF-8 read as cp1252 or Latin-1 shows them.
_OTHERS = re.compile("â(?:€|\x80)[\x80-\xbf–—‘’“”˜™š›œžŸ¢¦¡]|Ã[\x80-\xbf]|Â[\xa0-\xbf]")
_CYRILLIC_WORD = re.compile("[\u0400-\u052f]{3,}")
_LETTER = re.compile(r"[^\W\d_]")
_NOT_ASCII = re.compile("[^\x00-\x7f]")
_READS_WELL = -3.6  # nats by pair; running text has -3.2 to -2.5
_CERTAIN = 25.0  # nats gained
_LEAST_CYRILLIC = 0.6  # letters in words, of what is not ASCII
_LEAST_OF_ALL = 0.2  # of all letters
_FEWEST_LETTERS = 5  # different ones
_LEAST_LETTERS = 0.1  # of what is not ASCII, before it is undone
_JUDGED = 2_000  # characters


def repair_mojibake(text: str) -> tuple[str, Message] | None:
    """The text as it was before it was damaged, and a note that says so; None if it is sound.

    >>> repair_mojibake("РџСЂРёРІРµС‚, РєР°Рє РґРµР»Р°?")[0]
    'Привет, как дела?'
    >>> repair_mojibake("Привет, как дела?"), repair_mojibake("Ça va, élève âgé ?")
    (None, None)
    """
    reads_badly = _reads_badly(text)
    mistake = _mistake_in(text) if reads_badly else None
    if mistake:
        undone = _undo(text, *mistake)
        if undone is not None:
            return undone, _message("reading.undone", mistake)
    elif _LINES.search(text, 0, _BEGINNING):
        damaged = filter(_LINES.search, text[:_BEGINNING].split("\n"))
        mistake = _mistake_in("\n".join(damaged))
    elif not reads_badly:
        return None
    if mistake:
        return _repaired_by_line(text, mistake)
    if _OTHERS.search(text, 0, _BEGINNING):
        return text, Message("reading.left_wrong", {"wrong": "cp1252"})
    return None


def _repaired_by_line(text: str, mistake: tuple[str, str]) -> tuple[str, Message]:
    """Where only a part is damaged, or can be undone: every damaged line for itself.

    That a line becomes valid UTF-8 is proof enough; other encodings would prove nothing.
    """
    lines = text.split("\n")
    done = 0
    for number, line in enumerate(lines):
        if mistake[1] == "utf-8" and not line.isascii():
            undone = _undo(line, *mistake)
            if undone is not None:
                lines[number] = undone
                done += 1
    lost = sum(_LINES.search(line) is not None for line in lines) if done else len(lines)
    if not lost:
        return "\n".join(lines), _message("reading.undone_lines", mistake)
    key = "reading.undone_partly" if done else "reading.not_undone"
    return "\n".join(lines), _message(key, mistake)


def _message(key: str, mistake: tuple[str, str]) -> Message:
    return Message(key, {"wrong": mistake[0], "encoding": mistake[1]})


def _reads_badly(text: str) -> bool:
    step = max((len(text) - _SLICE) // (_SLICES - 1), _SLICE)
    sample = " ".join(text[at : at + _SLICE] for at in range(0, len(text), step))
    if sample.isascii():
        return False
    score, pairs = text_score(sample)
    return score < _READS_WELL * pairs


def _mistake_in(text: str) -> tuple[str, str] | None:
    """The mistake that, undone, makes certainly better text of this."""
    return _mistake_undone(text, "strict") or _mistake_undone(text, "ignore")


def _mistake_undone(text: str, errors: str) -> tuple[str, str] | None:
    sample = text[:_JUDGED]
    others = _NOT_ASCII.findall(sample)
    if len(_LETTER.findall("".join(others))) < _LEAST_LETTERS * len(others):
        return None  # drawings and signs
    best, best_score = None, text_score(sample)[0] + _CERTAIN
    for mistake in _MISTAKES:
        undone = _undo(sample, *mistake, errors=errors)
        if undone is None:
            continue
        score, pairs = text_score(undone)
        if score > max(best_score, _READS_WELL * pairs) and _is_cyrillic(undone):
            best, best_score = mistake, score
    return best


def _is_cyrillic(text: str) -> bool:
    """Whether a text has Russian or Kazakh words, and hardly any other letters above 127."""
    words = _CYRILLIC_WORD.findall(text)
    in_words = sum(map(len, words))
    return (
        len(set("".join(words))) >= _FEWEST_LETTERS
        and in_words >= _LEAST_CYRILLIC * len(_NOT_ASCII.findall(text))
        and in_words >= _LEAST_OF_ALL * len(_LETTER.findall(text))
    )


def _undo(text: str, read_as: str, was: str, errors: str = "strict") -> str | None:
    """The text decoded rightly, or None where that is not possible.

    Where errors are ignored, characters that were lost may be missing, one of ten at most.
    """
    try:
        data = text.translate(_bytes_of(read_as)).encode("latin-1", errors)
        if len(data) < len(text) * 0.9:
            return None
        return data.decode(was, errors)
    except UnicodeError:
        return None


@cache
def _bytes_of(encoding: str) -> dict[int, int]:
    """Characters of an encoding to their bytes, as characters; others become impossible.

    Bytes that it leaves undefined are often kept as control characters.
    """
    to_byte = dict.fromkeys(range(0xA0, 0x100), 0xFFFF)
    for byte in range(0x80, 0x100):
        char = bytes([byte]).decode(encoding, "ignore")
        if char:
            to_byte[ord(char)] = byte
    return to_byte
