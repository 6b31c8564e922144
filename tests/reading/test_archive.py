"""A ZIP archive is a folder, whatever its names, and never more than the limits."""

import io
import struct
import zipfile
import zlib

import pytest

from likewise.errors import ReadingError
from likewise.reading.archive import Archive, open_archive
from likewise.reading.formats import sniff
from likewise.reading.request import Limits


def zipped(*members: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return made.getvalue()


def opened(data: bytes, limits: Limits | None = None) -> Archive:
    archive = open_archive(data, "work.zip", limits or Limits())
    assert archive is not None
    return archive


def names(data: bytes) -> list[str]:
    return [member.name for member in opened(data).members]


def test_members_are_read_by_name_and_folders_are_none() -> None:
    data = zipped(("work/", b""), ("work/a.txt", b"Steppe"), ("b.txt", b"Sky"))
    archive = opened(data)
    found = {member.name: archive.read(member) for member in archive.members}
    assert found == {"work/a.txt": b"Steppe", "b.txt": b"Sky"}


def test_what_systems_leave_behind_is_not_looked_at() -> None:
    litter = ("__MACOSX/._a.txt", ".DS_Store", "Thumbs.db", "x/~$a.docx", "x/.git/config")
    assert names(zipped(*((name, b"x") for name in litter), ("a.txt", b"x"))) == ["a.txt"]


def test_a_name_that_comes_twice_gets_a_number() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped(("a.txt", b"1"), ("a.txt", b"2"))
    assert names(data) == ["a.txt", "a.txt (2)"]


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a\\..\\b.txt", "C:/x", "X"])
def test_names_lead_nowhere_outside(name: str) -> None:
    data = zipped((name, b"x"))
    if name == "X":  # an empty name, which no honest program writes
        data = data.replace(b"X", b"\0")
    (read,) = names(data)
    assert not read.startswith("/")
    assert ".." not in read.split("/")
    assert read


@pytest.mark.parametrize(
    ("code_page", "name"),
    [
        ("cp866", "Дипломная работа №7.docx"),
        ("cp1251", "Реферат.doc"),
        ("utf-8", "Қазақ тілі.odt"),
        ("cp437", "Résumé.txt"),
    ],
)
def test_names_without_a_mark_are_read_in_the_code_page_they_are_in(
    code_page: str, name: str
) -> None:
    data = zipped(("X" * len(name.encode(code_page)), b"x"))
    data = data.replace(b"X" * len(name.encode(code_page)), name.encode(code_page))
    assert names(data) == [name]


def test_a_name_in_the_unicode_field_of_info_zip_is_taken() -> None:
    info = zipfile.ZipInfo("old.txt")
    name = "Әуезов.txt".encode()
    field = struct.pack("<BI", 1, zlib.crc32(b"old.txt")) + name
    info.extra = struct.pack("<HH", 0x7075, len(field)) + field
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(info, b"x")
    assert names(made.getvalue()) == ["Әуезов.txt"]


def test_a_bomb_is_not_unpacked() -> None:
    data = zipped(("bomb.txt", bytes(20 << 20)), ("a.txt", b"fine"))
    archive = opened(data, Limits(unpacked_bytes=1 << 20))
    bomb, small = archive.members
    with pytest.raises(ReadingError, match="more than 1 MB"):
        archive.read(bomb)
    assert archive.read(small) == b"fine"


def test_all_members_together_have_a_limit_too() -> None:
    data = zipped(*((f"{i}.txt", bytes(1 << 20)) for i in range(4)))
    archive = opened(data, Limits(archive_bytes=2 << 20))
    one, two, three, four = archive.members
    archive.read(one), archive.read(two)
    for late in (three, four):
        with pytest.raises(ReadingError, match="more than"):
            archive.read(late)


def test_an_archive_of_too_many_files_is_refused() -> None:
    data = zipped(*((f"{i}.txt", b"") for i in range(30)))
    with pytest.raises(ReadingError, match="more than 20 files"):
        opened(data, Limits(members=20))


def test_a_locked_member_says_so() -> None:
    data = bytearray(zipped(("a.txt", b"secret")))
    data[6] |= 1  # in its own header, and in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    archive = opened(bytes(data))
    with pytest.raises(ReadingError, match="locked with a password"):
        archive.read(archive.members[0])


@pytest.mark.parametrize("cut", [30, 60, 90])
def test_a_truncated_archive_is_refused(cut: int) -> None:
    data = zipped(("a.txt", b"Steppe and sky, sky and steppe."))
    with pytest.raises(ReadingError, match="damaged"):
        opened(data[:-cut])


def test_a_member_with_a_wrong_checksum_is_refused() -> None:
    data = bytearray(zipped(("a.txt", b"Steppe and sky")))
    data[14] ^= 0xFF
    data[data.index(b"PK\x01\x02") + 16] ^= 0xFF
    archive = opened(bytes(data))
    with pytest.raises(ReadingError, match="damaged in the archive"):
        archive.read(archive.members[0])


def test_an_archive_that_begins_with_a_pdf_is_an_archive() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("essay.pdf", b"%PDF-1.7 and so on")
    assert sniff(made.getvalue(), "class.zip") == "archive"
