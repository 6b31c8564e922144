"""Compressed answers, unpacked piece by piece so that a bomb stops where the limit is."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import zstandard

from likewise.internet.errors import NotFetched

_PIECE = 1 << 16
_MOST_LAYERS = 2  # some servers pack a packed page again; nobody honest does it thrice
_ZSTD_WINDOW = 8 << 20  # what RFC 9659 lets a server ask for

Unpacker = Callable[[bytes], Iterator[bytes]]


def decompress(body: bytes, codings: str, most_bytes: int) -> bytes:
    """A body without its content codings, the last one applied being the first to go.

    >>> decompress(zlib.compress(b"steppe"), "deflate", 100)
    b'steppe'
    """
    names = [name for part in codings.lower().split(",") if (name := part.strip())]
    layers = [name.removeprefix("x-") for name in names if name != "identity"]
    if len(layers) > _MOST_LAYERS:
        raise NotFetched("internet.bomb", count=len(layers))
    for layer in reversed(layers):
        if layer not in _UNPACKERS:
            raise NotFetched("internet.packing", way=layer[:20])
        body = _within(_UNPACKERS[layer](body), most_bytes)
    return body


def accepted_codings() -> str:
    """What to ask servers for."""
    return ", ".join(name for name in ("gzip", "deflate", "br", "zstd") if name in _UNPACKERS)


def _within(pieces: Iterator[bytes], most_bytes: int) -> bytes:
    body_so_far = bytearray()
    try:
        for piece in pieces:
            body_so_far += piece
            if len(body_so_far) > most_bytes:
                raise NotFetched("internet.unpacked_long", n=round(most_bytes / 2**20))
    except (zlib.error, zstandard.ZstdError, EOFError, ValueError) as error:
        raise NotFetched("internet.packed_damaged") from error
    return bytes(body_so_far)


def _zlib(body: bytes, bits: int) -> Iterator[bytes]:
    while body:  # a gzip file may be several, one after another
        unpacker = zlib.decompressobj(bits)
        while not unpacker.eof:
            piece = unpacker.decompress(body, _PIECE)
            body = unpacker.unconsumed_tail
            if not piece and not body and not unpacker.eof:
                raise EOFError
            yield piece
        more = unpacker.unused_data
        body = more if bits == _GZIP and more.startswith(b"\x1f\x8b") else b""


_GZIP = 16 + zlib.MAX_WBITS


def _gzip(body: bytes) -> Iterator[bytes]:
    return _zlib(body, _GZIP)


def _deflate(body: bytes) -> Iterator[bytes]:
    """With the header that the standard asks for, or bare, as many servers send it."""
    has_header = len(body) > 1 and body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    return _zlib(body, zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


def _zstd(body: bytes) -> Iterator[bytes]:
    unpacker = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    with unpacker.stream_reader(io.BytesIO(body), read_across_frames=True) as reader:
        while piece := reader.read(_PIECE):
            yield piece


def _brotli(body: bytes) -> Iterator[bytes]:
    brotli: Any = import_module("brotli")  # it may be missing, and knows no types
    unpacker = brotli.Decompressor()
    try:
        piece = unpacker.process(body, output_buffer_limit=_PIECE)
        while piece or not unpacker.is_finished():
            yield piece
            if unpacker.can_accept_more_data() and not unpacker.is_finished():
                raise EOFError
            piece = unpacker.process(b"", output_buffer_limit=_PIECE)
    except brotli.error as error:
        raise ValueError(str(error)) from error


_UNPACKERS: dict[str, Unpacker] = {"gzip": _gzip, "deflate": _deflate, "zstd": _zstd}
if find_spec("brotli"):  # servers send it only to those who ask for it
    _UNPACKERS["br"] = _brotli
