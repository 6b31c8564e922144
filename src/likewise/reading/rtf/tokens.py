"""The pieces an RTF file is made of."""

from __future__ import annotations

import re
from typing import Final

# A piece is as long as it can be, so that Python turns once for a run of text or of words:
# Russian text is ten bytes a letter, and Word writes a dozen words of markup before each run.
# \uN is text; \binN is followed by raw bytes and stands alone.
_WORD = r"\\(?!u-?\d|bin\d)[a-zA-Z]++(?:-?\d++)? ?[\r\n]*+"
TOKEN: Final = re.compile(
    r"((?:[^\\{}]++|(?:\\'[0-9a-fA-F]{2})++"
    r"|(?:\\u-?\d++ ?(?:\\'[0-9a-fA-F]{2})?+)++|\\[\\{}~_-])++)"  # 1: text
    rf"|((?:{_WORD})++)"  # 2: words
    rf"|(\{{[\r\n]*+(\\\*[\r\n]*+)?({_WORD})?)"  # 3: a group opens; 4: if unknown, skip; 5: as what
    r"|(\})"  # 6
    r"|\\bin(\d++) ?"  # 7: so many bytes
    r"|\\([^a-zA-Z])"  # 8: a sign
    r"|(.)",  # 9: a backslash at the very end
    re.DOTALL,
)
TEXT, WORDS, OPEN, CLOSE, BINARY, SIGN = 1, 2, 3, 6, 7, 8

_WORD_AND_NUMBER = re.compile(r"\\([a-zA-Z]+)(-?\d+)?")
_BRACE = re.compile(r"[{}]|\\[\\{}]|\\bin(\d+) ?")
_LARGEST = 1 << 31


def words_in(run: str) -> list[tuple[str, int]]:
    r"""Words and their numbers; a word without one is switched on, which is 1.

    >>> words_in("\\pard\\li-360 \\f2\r\n")
    [('pard', 1), ('li', -360), ('f', 2)]
    """
    return [
        (word, min(max(int(number[:12]), -_LARGEST), _LARGEST) if number else 1)
        for word, number in _WORD_AND_NUMBER.findall(run)
    ]


def last_text(entry: str) -> str:
    r"""What stands behind the last word, as names do in tables of fonts and styles.

    >>> last_text(r"\\s23\\sbasedon0 table title")
    'table title'
    """
    return entry.rpartition("\\")[2].partition(" ")[2]


def end_of_group(rtf: str, inside: int) -> int:
    r"""Where the group around a place ends: at its closing brace, or with the file.

    >>> end_of_group(r"{\a{b}\}} c", 2)
    8
    """
    depth = 1
    find = _BRACE.search
    while match := find(rtf, inside):
        inside = match.end()
        found = match[0]
        if found == "{":
            depth += 1
        elif found == "}":
            depth -= 1
            if not depth:
                return match.start()
        elif match[1]:
            inside += min(int(match[1][:12]), len(rtf))
    return len(rtf)
