"""OLE2 files: what is in them, whole or damaged."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import pytest

from likewise.reading.office.compound import BEGINNING, Compound, kind_of_compound
from tests.files.making.legacy import compound

from .mutations import mutated

FILES = Path(__file__).parents[1] / "files"
KINDS = {"doc", "xls", "ppt", "msg", "encrypted", None}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("doc/report_kk.doc", "doc"),
        ("doc/word95.doc", "doc"),
        ("sheet/levels.xls", "xls"),
        ("sheet/locked.xls", "xls"),
        ("sheet/locked.xlsx", "encrypted"),
        ("broken/locked.docx", "encrypted"),
        ("sheet/levels.xlsx", None),
    ],
)
def test_a_file_is_what_its_streams_are(name: str, kind: str | None) -> None:
    assert kind_of_compound((FILES / name).read_bytes()) == kind


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        ("Book", "xls"),
        ("WORKBOOK", "xls"),
        ("PowerPoint Document", "ppt"),
        ("__properties_version1.0", "msg"),
        ("Contents", None),
    ],
)
def test_other_kinds_are_known_by_the_names_of_their_streams(stream: str, kind: str | None) -> None:
    assert kind_of_compound(compound({stream: b"something"})) == kind


def test_a_file_that_lost_its_directory_is_known_by_what_is_left() -> None:
    data = (FILES / "doc" / "report_en.doc").read_bytes()
    assert kind_of_compound(data[:48] + b"\xff\xff\xff\xff" + data[52:]) == "doc"


def test_streams_come_back_as_they_were_written() -> None:
    long, short = bytes(range(256)) * 40, b"short".ljust(4096, b"\0")
    file = Compound(compound({"One": long, "Two": short}))
    assert (file.stream("ONE"), file.stream("two"), file.stream("three")) == (long, short, None)
    assert not file.damaged


def test_what_is_left_of_a_stream_is_read_and_the_rest_is_missed() -> None:
    data = compound({"One": bytes(range(256)) * 40})
    file = Compound(data[:-1024])
    assert (file.stream("One") or b"").startswith(bytes(range(256)) * 30)
    assert file.damaged == {"one"}


@pytest.mark.parametrize("data", [b"", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\0" * 4096])
def test_what_is_no_such_file_has_no_streams(data: bytes) -> None:
    assert Compound(data).names == ()
    assert kind_of_compound(data) is None


def digest() -> str:
    """Of all streams of all such files, as they are, cut off and damaged."""
    sum_of_all = hashlib.blake2b(digest_size=12)
    for path in sorted(path for path in FILES.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if not data.startswith(BEGINNING):
            continue
        cut = data[: len(data) // 2], data[:-1024]
        for each in (data, *cut, *(mutated(data, seed) for seed in range(20))):
            file = Compound(each)
            streams = [(name, file.stream(name)) for name in sorted(file.names)]
            sum_of_all.update(repr((streams, sorted(file.damaged))).encode())
    return sum_of_all.hexdigest()


def test_whole_and_damaged_files_give_the_streams_that_they_always_gave() -> None:
    assert digest() == "c68d24b13578dff8f93eff38"


def chained(count: int) -> bytes:
    """A file of so many empty streams, each the right neighbour of the one before."""
    free, end = 0xFFFFFFFF, 0xFFFFFFFE
    directory = b""
    for number in range(count + 1):
        name = (f"stream {number}" if number else "Root Entry").encode("utf-16-le")
        right = number + 1 if 0 < number < count else free
        directory += name.ljust(64, b"\0")
        kind, child = (2, free) if number else (5, 1)
        directory += struct.pack("<HBBIII", len(name) + 2, kind, 1, free, right, child)
        directory += bytes(36) + struct.pack("<IQ", end, 0)
    sectors = -(-len(directory) // 4096)
    table = [0xFFFFFFFD, *range(2, sectors + 1), end]
    header = BEGINNING + bytes(16) + struct.pack("<5H6x", 0x3E, 4, 0xFFFE, 12, 6)
    header += struct.pack("<10I", sectors, 1, 1, 0, 4096, end, 0, end, 0, 0)
    header = header.ljust(512, b"\xff").ljust(4096, b"\0")
    return header + struct.pack(f"<{len(table)}I", *table).ljust(4096, b"\xff") + directory


def test_a_directory_may_be_as_deep_as_it_is_long() -> None:
    assert len(Compound(chained(3000)).names) == 3000


@pytest.mark.parametrize("name", ["doc/report_en.doc", "sheet/levels.xls", "sheet/locked.xlsx"])
def test_damage_never_raises(name: str) -> None:
    data = (FILES / name).read_bytes()
    for seed in range(200):
        damaged = mutated(data, seed)
        assert kind_of_compound(damaged) in KINDS
        file = Compound(damaged)
        for stream in file.names:
            assert len(file.stream(stream) or b"") <= len(damaged)
