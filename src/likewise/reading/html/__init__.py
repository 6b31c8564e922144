"""HTML, alone and in web archives, to a draft."""

from likewise.reading.html.mhtml import looks_like_mhtml, read_mhtml
from likewise.reading.html.reader import looks_like_html, read_html

__all__ = ["looks_like_html", "looks_like_mhtml", "read_html", "read_mhtml"]
