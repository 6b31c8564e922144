"""One walk through folders and archives: each file under its name, or why it is not read."""

import io
import zipfile
from pathlib import Path

import pytest

from likewise.errors import ReadingError
from likewise.library import Library
from likewise.model import Message, Unread
from likewise.reading import read_folder
from likewise.reading.folder import DEEPEST_ARCHIVE, Content, File, list_files, read_content, walk
from likewise.reading.request import Limits

DEEPER = "an archive within archives, deeper than is looked into"


def packed(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return made.getvalue()


def nested(depth: int) -> bytes:
    """So many archives around a text, each with a text beside the next."""
    data = packed(last__txt=b"Steppe and sky.")
    for level in range(depth):
        data = packed(**{f"text{level}__txt": b"Words %d." % level, f"inner{level}__zip": data})
    return data


def names_of(found: list[Content | Unread]) -> list[str]:
    return [one.name for one in found]


def walked(data: bytes, name: str = "a.zip", **how: object) -> list[Content | Unread]:
    return list(walk(File(name, lambda: data), Limits(), **how))  # type: ignore[arg-type]


def test_a_file_that_is_no_archive_is_given_with_its_bytes_and_its_author():
    file = File("a.txt", lambda: b"Words.", "Asel Nur")
    assert list(walk(file, Limits())) == [Content("a.txt", b"Words.", "Asel Nur")]


def test_members_stand_below_their_archive_or_below_another_name():
    data = packed(b__txt=b"b", a__txt=b"a")
    assert names_of(walked(data)) == ["a.zip/b.txt", "a.zip/a.txt"]
    assert names_of(walked(data, prefix="")) == ["b.txt", "a.txt"]
    assert names_of(walked(nested(1), prefix="")) == ["text0.txt", "inner0.zip/last.txt"]


def test_an_archive_deeper_than_is_looked_into_is_named():
    found = walked(nested(DEEPEST_ARCHIVE - 1))
    assert not [one for one in found if isinstance(one, Unread)]
    *others, last = walked(nested(DEEPEST_ARCHIVE))
    assert all(isinstance(one, Content) for one in others)
    assert last.name == "a.zip/inner2.zip/inner1.zip/inner0.zip"
    assert isinstance(last, Unread) and str(last.reason) == DEEPER


def test_whoever_counts_the_members_may_refuse_an_archive_but_not_its_neighbours():
    heard: list[int] = []

    def refuse_two(members: list[File]) -> None:
        heard.append(len(members))
        if len(members) == 2:
            raise ReadingError(Message.verbatim("too many"))

    data = packed(
        one__zip=packed(a__txt=b"a"), two__zip=packed(b__txt=b"b", c__txt=b"c"), d__txt=b"d"
    )
    found = walked(data, on_archive=refuse_two)
    assert heard == [3, 1, 2]
    assert names_of(found) == ["a.zip/one.zip/a.txt", "a.zip/two.zip", "a.zip/d.txt"]
    assert found[1] == Unread("a.zip/two.zip", Message.verbatim("too many"))


def test_what_cannot_be_loaded_or_read_is_told_with_its_reason():
    def fail() -> bytes:
        raise ReadingError(Message.verbatim("no"))

    assert list(walk(File("a", fail), Limits())) == [Unread("a", Message.verbatim("no"))]
    assert read_content(Unread("a", Message.verbatim("no")), lambda _: 0) == Unread(
        "a", Message.verbatim("no")
    )
    assert read_content(Content("a", b""), lambda _content: fail()) == Unread(
        "a", Message.verbatim("no")
    )
    assert read_content(Content("a", b"xy"), lambda content: len(content.data)) == 2


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Archives within archives, of which one is too deep and one is damaged."""
    folder = tmp_path / "tree"
    (folder / "b").mkdir(parents=True)
    (folder / "b" / "z.txt").write_text("The wind crossed the steppe in the evening.")
    (folder / "a.zip").write_bytes(nested(4))
    (folder / "c.zip").write_bytes(packed(bad__zip=nested(1)[:-30], good__txt=b"Quiet words here."))
    (folder / "d.txt").write_bytes(b"")
    return folder


def test_a_folder_and_a_library_walk_alike(tree: Path, tmp_path: Path):
    documents, unread = read_folder(tree)
    with Library(tmp_path / "library.db") as library:
        added = library.add(tree)
        names = [row.name for row in library.list().entries]
    assert sorted(names) == sorted(document.name for document in documents)
    assert list(added.unread) == unread
    assert unread[0].name == "a.zip/inner3.zip/inner2.zip/inner1.zip/inner0.zip"
    listed = [one.name for one in list_files(tree, Limits())]
    assert listed == [
        "a.zip/text3.txt",
        "a.zip/inner3.zip",
        "b/z.txt",
        "c.zip/bad.zip",
        "c.zip/good.txt",
        "d.txt",
    ]
