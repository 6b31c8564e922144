"""What an HTML page declares about its encoding."""

from __future__ import annotations

import re

from likewise.reading.encoding import charset

_LOOKED_AT = 1 << 14  # browsers look at 1,024 bytes; pages with long comments before it exist
_COMMENT = re.compile(rb"<!--.*?(?:-->|$)", re.DOTALL)
_XML = re.compile(rb"^\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_META = re.compile(
    # in content="text/html; charset=" too; a tag ends before the next one begins
    rb"<meta\b[^<>]*?\bcharset\s*+=\s*+(?:[\"']\s*+)?([\w.:-]+)",
    re.IGNORECASE,
)
_DEFAULTS = {"cp1252", None}  # what servers say about pages they know nothing about


def declared_charset(data: bytes, by_server: str | None = None) -> str | None:
    """The encoding that a page or its server declares; the page's word where both differ.

    >>> declared_charset(b'<meta http-equiv=Content-Type content="text/html; charset=koi8-r">')
    'koi8-r'
    """
    head = data[:_LOOKED_AT]
    if b"\x00" in head:  # UTF-16 and UTF-32 declare nothing that could be read before they are
        head = head.replace(b"\x00", b"")
    xml = _XML.search(head)
    names = [match[1] for match in (xml, *_META.finditer(_COMMENT.sub(b"", head))) if match]
    by_page = next((name.decode("ascii") for name in names if charset(name.decode())), None)
    if charset(by_server) in _DEFAULTS:
        return by_page or by_server
    return by_server
