"""The tokens of an RTF file and its characters: bytes in the code page of a font, and Unicode."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from likewise.errors import ReadingError
from likewise.reading.office.code_pages import page_codec, symbol

if TYPE_CHECKING:
    from likewise.reading.encoding import DecodedText


# What a font's character set makes of bytes. 0 and 1 stand for the code page of the document.
_OF_CHARSET: Final = {
    77: "mac-roman",
    78: "shift_jis",
    84: "mac-cyrillic",
    89: "mac-latin2",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_SEVERAL_BYTES = {"cp932", "cp949", "cp950", "gb18030", "johab", "shift_jis", "utf-8"}

_FONT = re.compile(r"\\f(\d{1,6})(?![a-zA-Z])")
_CHARSET = re.compile(r"\\(fcharset|cpg)(\d{1,6})")
_ESCAPE = re.compile(r"\\([\\{}~_-])")
_ESCAPED = {"~": "\u00a0", "_": "\u2011", "-": ""}  # the last one is a hyphen that may be needed
_HALVES = re.compile("[\ud800-\udfff]")
_MOST_STAND_INS = 64
_FOREIGN_WORD = re.compile(rb"(?:\\'[89a-fA-F][0-9a-fA-F]){3,}")  # no Western word is like that
_LOOKED_AT = 1 << 16
_ENOUGH = 12  # letters

# Fonts whose bytes are not letters: Greek and mathematics, and pictures.
SYMBOLS, DINGBATS = "symbols", "dingbats"
_SYMBOLS = {code: symbol("Symbol", f"{code:X}") for code in range(0x20, 0x100)}
_SYMBOLS |= {0xF000 + code: letter for code, letter in _SYMBOLS.items()}


def font_codecs(table: str, default: str) -> dict[int, str]:
    r"""The encoding of each font in a font table.

    A set of 0 is Western, yet programs that know of no sets at all write it everywhere. So in a
    file that has no font of its own code page's set, it is that page.

    >>> font_codecs(r"{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2 C;}", "cp1251")
    {0: 'cp1252', 1: 'cp1251', 2: 'cp1251'}
    >>> font_codecs(r"{\f0\fcharset0 Arial;}", "cp1251")
    {0: 'cp1251'}
    """
    _, *parts = _FONT.split(table)
    codecs_by_font: dict[int, str | None] = {}
    for number, entry in zip(map(int, parts[::2]), parts[1::2], strict=True):
        sets = {key: int(value) for key, value in _CHARSET.findall(entry)}
        charset = sets.get("fcharset", 1)
        codecs_by_font[number] = page_codec(sets.get("cpg", 0)) or _OF_CHARSET.get(charset)
        if charset == 2:
            codecs_by_font[number] = _of_symbols(entry)
        if codecs_by_font[number] is None and charset != 0:
            codecs_by_font[number] = default
    western = default if default not in codecs_by_font.values() else "cp1252"
    return {number: codec or western for number, codec in codecs_by_font.items()}


def _of_symbols(entry: str) -> str | None:
    head = entry.partition(";")[0]
    name = (last_text(head) if "}" not in head else head.rpartition("}")[2]).strip().lower()
    if name == "symbol":
        return SYMBOLS
    return DINGBATS if "dings" in name or "dingbats" in name else None


def guessed_page(rtf: bytes) -> DecodedText | None:
    """The code page of a file that names none, by its letters; None where it is Western."""
    from likewise.reading.encoding import decode  # not for every file

    words = b" ".join(map(_unhexed, _FOREIGN_WORD.findall(rtf)))[:_LOOKED_AT]
    if len(words) < _ENOUGH:
        return None
    try:
        guess = decode(words)
    except ReadingError:
        return None
    codec = guess.encoding
    return None if codec.startswith("utf") or codec == "cp1252" else guess


class Decoder:
    r"""Text as RTF writes it, to text.

    Letters are cut apart at the marks before them. Pieces are few, a letter and what follows it,
    and each is understood once: a long text costs a lookup a letter.

    >>> Decoder().text(r"\'cf\'f0\'e8\u1074\'3f\u1077?\'f2", "cp1251", 1)
    'Привет'
    """

    def __init__(self) -> None:
        self._unicode: dict[tuple[str, int], _Pieces] = {}
        self._single: dict[str, _Pieces] = {}
        self._several: dict[str, codecs.IncrementalDecoder] = {}

    def text(self, raw: str, codec: str, stand_ins: int) -> str:
        """`stand_ins` is how many characters after a Unicode one are for readers without it."""
        if codec in {SYMBOLS, DINGBATS}:
            text = self.text(raw, "latin-1", stand_ins)
            return text.translate(_SYMBOLS) if codec == SYMBOLS else " " * text.count(" ")
        raw = raw.replace("\r", "").replace("\n", "")
        if "\\" not in raw:
            return self._bytes(raw, codec)
        # Where a backslash itself is meant, what follows it only looks like a mark.
        return "\\".join(self._marked(part, codec, stand_ins) for part in raw.split("\\\\"))

    def _marked(self, raw: str, codec: str, stand_ins: int) -> str:
        if "\\u" not in raw:
            return self._bytes(raw, codec)
        first, *pieces = raw.split("\\u")
        understood = self._understood(codec, min(stand_ins, _MOST_STAND_INS))
        text = self._bytes(first, codec) + "".join(map(understood, pieces))
        if _HALVES.search(text):  # a character beyond the first 65,536 comes as two
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text

    def _understood(self, codec: str, stand_ins: int) -> Callable[[str], str]:
        """What turns what stands after a mark for Unicode into text."""
        pattern = _number_and_stand_ins(stand_ins)

        def understand(piece: str) -> str:
            match = pattern.match(piece)
            if match is None:
                return self._bytes(piece, codec)
            code = int(match[1])
            character = chr(code & 0xFFFF if code < 0x10000 else min(code, 0x10FFFF))
            return character + self._bytes(piece[match.end() :], codec)

        if codec in _SEVERAL_BYTES:  # a piece may mean this here and that there
            return understand
        key = codec, stand_ins
        if key not in self._unicode:
            self._unicode[key] = _Pieces(understand)
        return self._unicode[key].__getitem__

    def _bytes(self, raw: str, codec: str) -> str:
        if codec in _SEVERAL_BYTES:
            return self._of_several_bytes(raw, codec)
        first, *pieces = raw.split("\\'")
        text = _plain(first, codec)
        if pieces:
            if codec not in self._single:
                self._single[codec] = _Pieces(lambda piece: _single_byte(piece, codec))
            text += "".join(map(self._single[codec].__getitem__, pieces))
        return text

    def _of_several_bytes(self, raw: str, codec: str) -> str:
        """The first byte of a character may stand in one run of text, the second in the next."""
        if codec not in self._several:
            self._several[codec] = codecs.getincrementaldecoder(codec)("replace")
        parts = _ESCAPE.split(raw)
        for i, part in enumerate(parts):
            if i % 2:
                parts[i] = _ESCAPED.get(part, part)
            else:
                parts[i] = self._several[codec].decode(_unhexed(part.encode("latin-1")))
        return "".join(parts)


class _Pieces(dict[str, str]):
    """What pieces mean, each found out when it first comes."""

    def __init__(self, understand: Callable[[str], str]) -> None:
        self._understand = understand

    def __missing__(self, piece: str) -> str:
        self[piece] = text = self._understand(piece)
        return text


@cache
def _number_and_stand_ins(count: int) -> re.Pattern[str]:
    return re.compile(rf"(-?\d{{1,10}})\d* ?(?:\\'[0-9a-fA-F]{{2}}|[^\\]){{0,{count}}}")


def _unhexed(run: bytes) -> bytes:
    first, *pieces = run.split(b"\\'")
    return first + b"".join(bytes.fromhex(p[:2].decode()) + p[2:] for p in pieces)


def _single_byte(piece: str, codec: str) -> str:
    return bytes.fromhex(piece[:2]).decode(codec, "replace") + _plain(piece[2:], codec)


def _plain(raw: str, codec: str) -> str:
    """Characters that stand for themselves, or for a byte, and the few that are escaped."""
    if "\\" in raw:
        parts = _ESCAPE.split(raw)
        parts[1::2] = [_ESCAPED.get(sign, sign) for sign in parts[1::2]]
        parts[::2] = [_plain(part, codec) for part in parts[::2]]
        return "".join(parts)
    return raw if raw.isascii() else raw.encode("latin-1").decode(codec, "replace")


# The pieces an RTF file is made of.

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
        token = match[0]
        if token == "{":  # noqa: S105 - a token of a grammar
            depth += 1
        elif token == "}":  # noqa: S105 - a token of a grammar
            depth -= 1
            if not depth:
                return match.start()
        elif match[1]:
            inside += min(int(match[1][:12]), len(rtf))
    return len(rtf)
