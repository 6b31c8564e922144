"""Files as they leave the server: saved by a browser, never shown or run by it."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import Response

from likewise.server.http.form_parts import clean_name

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "private, no-store",
}


def disposition(name: str) -> str:
    r"""The header that says under which name a file is saved (RFC 6266).

    >>> disposition('Ол "2".docx')
    'attachment; filename="__ _2_.docx"; filename*=UTF-8\'\'%D0%9E%D0%BB%20%222%22.docx'
    >>> disposition("a\r\nSet-Cookie: b=c.txt")
    'attachment; filename="aSet-Cookie: b=c.txt"; filename*=UTF-8\'\'aSet-Cookie%3A%20b%3Dc.txt'
    """
    safe_name = clean_name(name)
    plain = "".join(c if " " <= c <= "~" and c not in '"\\%' else "_" for c in safe_name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(safe_name, safe='')}"


def saving_headers(name: str) -> dict[str, str]:
    """The headers of a file that is only to be saved, whatever it is."""
    return {**_HEADERS, "Content-Disposition": disposition(name)}


def download(data: bytes, name: str) -> Response:
    """A file that is only to be saved, whatever it is."""
    headers = saving_headers(name)
    return Response(data, media_type="application/octet-stream", headers=headers)


def plain_text(text: str) -> Response:
    """A text that is shown as it is."""
    data = text.encode("utf-8", "replace")
    return Response(data, media_type="text/plain; charset=utf-8", headers=_HEADERS)
