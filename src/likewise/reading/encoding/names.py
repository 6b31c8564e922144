"""Encodings by the names that files and servers give them."""

from __future__ import annotations

import codecs

# Names that declarations use and Python does not know, or means otherwise (as browsers do).
_SPOKEN = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "ansi": "cp1252",
    "unicode": "utf-16",
    "utf": "utf-8",
    "win-1251": "cp1251",
    "win1251": "cp1251",
    "cp-1251": "cp1251",
    "x-cp1251": "cp1251",
    "windows1251": "cp1251",
    "koi8": "koi8-r",
    "koi": "koi8-r",
    "dos-866": "cp866",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-sjis": "shift_jis",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
# What codecs call themselves, and what people call them.
_CALLED = {"kz1048": "kz-1048", "iso8859-5": "iso-8859-5", "iso8859-1": "cp1252", "ascii": "cp1252"}
_NO_CHARSETS = {"idna", "mbcs", "oem", "punycode", "undefined", "utf-7"}


def charset(declared: str | None) -> str | None:
    """The codec that a declaration means, None for one that does not exist.

    >>> charset("Windows-1251"), charset(' "latin1" '), charset("klingon"), charset("zlib")
    ('cp1251', 'cp1252', None, None)
    """
    if not declared or len(declared) > 50:
        return None
    name = declared.strip(" \t\r\n\"';,").lower().replace("_", "-")
    try:
        codec = codecs.lookup(_SPOKEN.get(name, name))
    except (LookupError, UnicodeError, ValueError):
        return None
    known = codec.name.replace("_", "-")
    known = _CALLED.get(known, known)
    is_charset = getattr(codec, "_is_text_encoding", True) and known not in _NO_CHARSETS
    return known if is_charset and "escape" not in known else None


def is_multibyte(encoding: str) -> bool:
    """Whether some characters take more bytes than one.

    >>> is_multibyte("gb18030"), is_multibyte("cp1254")
    (True, False)
    """
    return len(bytes(range(0x80, 0x100)).decode(encoding, "replace")) < 0x80
