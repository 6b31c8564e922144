"""HTML: the whole text of a page that was handed in, or the main text of one from the web."""

from __future__ import annotations

import re
from collections.abc import Mapping

from likewise.reading.draft import Draft
from likewise.reading.encoding import decode
from likewise.reading.encoding.unicode import marked, unmarked
from likewise.reading.html.charset import declared_charset
from likewise.reading.request import Request

_LOOKED_AT = 1 << 14
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
    sample = data[:_LOOKED_AT]
    mark = marked(sample)
    encoding = mark[0] if mark else unmarked(sample) or "latin-1"
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
