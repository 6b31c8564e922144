"""HTML: the whole text of a page that was handed in, or the main text of one from the web."""

from __future__ import annotations

import re
from collections.abc import Mapping

from likewise.reading.draft import Draft
from likewise.reading.encoding import charset, decode
from likewise.reading.encoding.detection import byte_order_mark, unmarked_unicode
from likewise.reading.request import Request

_SAMPLE_BYTES = 1 << 14
_ASIDE = (("<!--", "-->"), ("<?", "?>"), ("<%", "%>"))  # may stand before the page
_BLANK = "\ufeff \t\r\n\f\xef\xbb\xbf"  # with a mark that was saved twice
_BEGINS = re.compile(r"<(?:!doctype\s+html|(?:html|head|body|frameset)[\s>])", re.IGNORECASE)
# These begin pages that somebody shortened, and Markdown that carries a program.
_MAY_BEGIN = re.compile(r"<(?:meta|title|script|style|link)[\s>]", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:p|div|h[1-6]|table|tr|td|ul|ol|li|dl|br|hr|center|font|span|a|b|i|em|strong|img|form"
    r"|article|section|main|header|blockquote|pre)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r"^(?:#{1,6} |```|[*+-] |\d+\. )|\]\(|\*\*\w", re.MULTILINE)
_FEWEST_TAGS = 4


def looks_like_html(data: bytes) -> bool:
    """Whether some bytes are a page, and not a text that mentions a tag or two.

    >>> looks_like_html(b"<!DOCTYPE html><p>Steppe"), looks_like_html(b"A <b>bold</b> claim.")
    (True, False)
    """
    sample = data[:_SAMPLE_BYTES]
    mark = byte_order_mark(sample)
    encoding = mark[0] if mark else unmarked_unicode(sample) or "latin-1"
    text = sample[mark[1] if mark else 0 :].decode(encoding, "ignore")
    text = _from_first_tag(text)
    if _BEGINS.match(text) or (_MAY_BEGIN.match(text) and not _MARKDOWN.search(text)):
        return True
    # A piece of a page is made of tags from its first character to its last.
    return (
        _TAG.match(text) is not None
        and data[-100:].replace(b"\0", b"").rstrip().endswith(b">")
        and len(_TAG.findall(text)) >= _FEWEST_TAGS
        and not _MARKDOWN.search(text)
    )


def _from_first_tag(text: str) -> str:
    text = text.lstrip(_BLANK)
    while True:
        for opening, closing in _ASIDE:
            if text.startswith(opening):
                text = text.partition(closing)[2].lstrip(_BLANK)
                break
        else:
            return text


def read_html(data: bytes, request: Request, files: Mapping[str, bytes] | None = None) -> Draft:
    """The text of a page with its tables and pictures.

    `files` are pictures that came along with the page, by the addresses it has for them.
    """
    from likewise.reading.html.page import Page

    decoded = decode(data, declared_charset(data, request.charset))
    draft = Draft()
    if decoded.note:
        draft.note("encoding", decoded.note)
    page = Page(decoded.text)
    if page.was_wild:
        draft.note("damaged", "reading.wild_tags")
    draft.meta |= page.meta
    if request.web_page:
        why_not = page.write_main_text(draft, request.limits)
        if why_not is None:
            return draft
        draft.note("whole page", "reading.whole_page", why=why_not)
    page.write(draft, request.limits, files or {})
    if page.has_frames:
        draft.note("not read in full", "reading.frames")
    elif not draft.position and page.has_scripts:
        draft.note("not read in full", "reading.no_own_text")
    return draft


# What an HTML page declares about its encoding.

_HEAD_BYTES = 1 << 14  # browsers look at 1,024 bytes; pages with long comments before it exist
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
    head = data[:_HEAD_BYTES]
    if b"\x00" in head:  # UTF-16 and UTF-32 declare nothing that could be read before they are
        head = head.replace(b"\x00", b"")
    xml = _XML.search(head)
    names = [match[1] for match in (xml, *_META.finditer(_COMMENT.sub(b"", head))) if match]
    by_page = next((name.decode("ascii") for name in names if charset(name.decode())), None)
    if charset(by_server) in _DEFAULTS:
        return by_page or by_server
    return by_server
