"""Packed answers come out whole, and bombs do not go off."""

import gzip
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from likewise.internet.decompression import accepted_codings, decompress
from likewise.internet.errors import NotFetched

MB = 1 << 20
TEXT = b"The open steppe and the wide sky. " * 500


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def quick_br(data: bytes) -> bytes:
    return brotli.compress(data, quality=4)  # the usual quality takes seconds


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "DEFLATE": bare,
    "br": quick_br,
    "zstd": zstandard.compress,
}


@pytest.mark.parametrize("coding", PACKERS)
def test_what_was_packed_comes_out(coding):
    assert decompress(PACKERS[coding](TEXT), coding, MB) == TEXT


def test_we_ask_for_all_that_we_can_unpack():
    assert accepted_codings() == "gzip, deflate, br, zstd"


def test_a_page_packed_twice_comes_out():
    assert decompress(brotli.compress(gzip.compress(TEXT)), "gzip, br", MB) == TEXT


def test_several_parts_one_after_another_and_rubbish_behind_them():
    parts = gzip.compress(b"steppe ") + gzip.compress(b"and sky")
    assert decompress(parts, "gzip", MB) == b"steppe and sky"
    assert decompress(parts + b"\0\0rubbish", "gzip", MB) == b"steppe and sky"
    frames = zstandard.compress(b"steppe ") + zstandard.compress(b"and sky")
    assert decompress(frames, "zstd", MB) == b"steppe and sky"


def test_what_is_not_packed_stays():
    assert decompress(TEXT, "", MB) == decompress(TEXT, "identity", MB) == TEXT


@pytest.mark.parametrize("coding", PACKERS)
def test_a_bomb_stops_at_the_limit(coding):
    bomb = PACKERS[coding](bytes(16 * MB))
    assert len(bomb) < MB
    with pytest.raises(NotFetched, match="unpacked it is longer than 1 MB"):
        decompress(bomb, coding, MB)


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_a_bomb_in_a_bomb_stops_at_the_limit(coding):
    pack = PACKERS[coding]
    with pytest.raises(NotFetched, match="unpacked it is longer than"):
        decompress(pack(pack(bytes(64 * MB))), f"{coding}, {coding}", MB)


def test_what_is_packed_many_times_over_is_not_even_tried():
    with pytest.raises(NotFetched, match="packed 5 times over"):
        decompress(b"", ", ".join(["gzip"] * 5), MB)


def test_a_coding_nobody_asked_for_is_named():
    with pytest.raises(NotFetched, match="compress"):
        decompress(b"abc", "compress", MB)


@pytest.mark.parametrize("coding", PACKERS)
def test_damaged_data_is_named(coding):
    with pytest.raises(NotFetched, match="damaged"):
        decompress(b"\x1f\x8bno, this is not packed at all" * 3, coding, MB)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_data_that_breaks_off_is_damaged(coding):
    with pytest.raises(NotFetched, match="damaged"):
        decompress(PACKERS[coding](TEXT)[:-12], coding, MB)


def test_a_window_that_takes_all_memory_is_refused():
    parameters = zstandard.ZstdCompressionParameters(window_log=27)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    with pytest.raises(NotFetched, match="damaged"):
        decompress(packer.compress(TEXT) + packer.flush(), "zstd", MB)


@given(st.binary(max_size=200), st.sampled_from(sorted(PACKERS)))
def test_any_bytes_end_in_bytes_or_a_sentence(data, coding):
    try:
        assert isinstance(decompress(data, coding, MB), bytes)
    except NotFetched as error:
        assert str(error)
