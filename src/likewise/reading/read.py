"""One file to one `Document`; what it is, its content decides."""

from __future__ import annotations

import stat
from pathlib import Path

from likewise.errors import BadInput
from likewise.language import detect
from likewise.model import Document
from likewise.reading.plain import decode

# What a file begins with, and what that makes it.
_KNOWN = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG\r\n\x1a\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\x00", "a picture"),
    (b"MM\x00*", "a picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
)


def read(path: str | Path, name: str | None = None) -> Document:
    """The document in a file. Raises `BadInput` with the reason where there is none."""
    path = Path(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would keep us waiting
            raise BadInput(f"{path}: not a file")
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from error
    return read_bytes(data, name or path.name)


def read_bytes(data: bytes, name: str) -> Document:
    """The document in some bytes.

    >>> read_bytes("Дала мен аспан.".encode(), "a.txt").text
    'Дала мен аспан.'
    """
    for beginning, what in _KNOWN:
        if data.startswith(beginning):
            raise BadInput(f"{name}: {what}; only plain text is read so far")
    text = decode(data, name)
    return Document(name=name, text=text, language=detect(text))
