"""A folder of everything people keep: what can be read is read, the rest is named."""

import io
import os
import threading
import time
import zipfile
from pathlib import Path

import pytest

import likewise as lw
from likewise.errors import BadInput, ReadingError
from likewise.reading import read, read_folder

STEPPE = "The steppe has no fences, and the wind that crosses it asks nobody for a passport."


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def names(folder: Path) -> list[str]:
    return [document.name for document in read_folder(folder)[0]]


def reasons(folder: Path) -> dict[str, str]:
    return {file.name: str(file.reason) for file in read_folder(folder)[1]}


def test_documents_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c/d.txt", "c/a.txt", "B.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(STEPPE)
    assert names(tmp_path) == ["B.txt", "a.txt", "b.txt", "c/a.txt", "c/d.txt"]


def test_an_archive_is_a_folder_and_so_is_one_in_it(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("deep.txt", STEPPE)
    zipped(tmp_path / "work.zip", **{"a.txt": STEPPE.encode(), "inner.zip": inner.getvalue()})
    assert names(tmp_path) == ["work.zip/a.txt", "work.zip/inner.zip/deep.txt"]
    assert names(tmp_path / "work.zip") == ["a.txt", "inner.zip/deep.txt"]
    assert len(lw.find(tmp_path / "work.zip")) == 1
    assert read(tmp_path / "work.zip" / "a.txt").text == STEPPE
    with pytest.raises(ReadingError, match=r"no such file in work\.zip"):
        read(tmp_path / "work.zip" / "b.txt")


def test_archives_within_archives_have_an_end(tmp_path: Path) -> None:
    data = STEPPE.encode()
    for depth in range(6):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr(f"{depth}.zip" if depth else "a.txt", data)
        data = made.getvalue()
    (tmp_path / "matryoshka.zip").write_bytes(data)
    (reason,) = reasons(tmp_path).values()
    assert "deeper than is looked into" in reason


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    whole = zipped(tmp_path / "work.zip", **{"a.txt": STEPPE.encode() * 50}).read_bytes()
    (tmp_path / "work.zip").write_bytes(whole[: len(whole) // 2])
    assert "damaged" in reasons(tmp_path)["work.zip"]


def test_submissions_name_their_authors(tmp_path: Path) -> None:
    moodle = "Әсел Нұрова_70123_assignsubmission_file_/essay.txt"
    zipped(tmp_path / "moodle.zip", **{moodle: STEPPE.encode()})
    canvas = {"nurasel_LATE_47110_90210_a.txt": b"Sky.", "leedana_47120_90211_b.txt": b"Sky."}
    zipped(tmp_path / "canvas.zip", **canvas)
    (tmp_path / "plain.txt").write_text(STEPPE)
    authors = {d.name: d.meta.get("author") for d in read_folder(tmp_path)[0]}
    assert authors == {
        f"moodle.zip/{moodle}": "Әсел Нұрова",
        "canvas.zip/nurasel_LATE_47110_90210_a.txt": "nurasel",
        "canvas.zip/leedana_47120_90211_b.txt": "leedana",
        "plain.txt": None,
    }


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(STEPPE)
    with pytest.raises(BadInput, match="a folder or a ZIP archive is needed"):
        read_folder(tmp_path / "a.txt")
    with pytest.raises(BadInput, match="no such folder"):
        read_folder(tmp_path / "nowhere")


def test_empty_files_and_folders_with_names_of_files(tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").touch()
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "folder.pdf" / "a.txt").write_text(STEPPE)
    assert names(tmp_path) == ["folder.pdf/a.txt"]
    assert reasons(tmp_path) == {"empty.pdf": "the file is empty"}
    with pytest.raises(ReadingError, match=r"folder\.pdf: "):
        read(tmp_path / "folder.pdf")


def test_a_file_longer_than_the_limit_is_not_loaded(tmp_path: Path) -> None:
    with (tmp_path / "sparse.pdf").open("wb") as file:
        file.truncate(1 << 30)
    assert "1,024 MB long" in reasons(tmp_path)["sparse.pdf"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no links here")
def test_links_are_followed_and_loops_are_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.txt").write_text(STEPPE)
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "a")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere.txt")
    assert names(tmp_path) == ["a/one.txt"]
    found = reasons(tmp_path)
    assert set(found) == {"a/up", "again", "self", "gone.txt"}
    assert "the same folder as" in found["a/up"]
    assert "the same folder as a, by a link" in found["again"]


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_names_in_any_encoding(tmp_path: Path) -> None:
    name = "эссе.txt".encode("koi8-r")
    with open(os.path.join(os.fsencode(tmp_path), name), "w") as file:  # noqa: PTH118, PTH123
        file.write(STEPPE)
    assert names(tmp_path) == ["\\xdc\\xd3\\xd3\\xc5.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert reasons(tmp_path) == {"pipe.txt": "not a file"}


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "growing.txt"
    path.write_bytes(b"Steppe. " * 4_000_000)
    stop = threading.Event()

    def grow() -> None:
        with path.open("ab", buffering=0) as file:
            while not stop.is_set():
                file.write(b"x")
                time.sleep(0.0001)

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        assert reasons(tmp_path) == {
            "growing.txt": "it changes while it is being read; try again when it is finished"
        }
    finally:
        stop.set()
        thread.join()


def test_progress_is_told_to_the_last_file(tmp_path: Path) -> None:
    for i in range(7):
        (tmp_path / f"{i}.txt").write_text(STEPPE)
    told: list[tuple[str, int, int]] = []
    read_folder(tmp_path, lambda *step: told.append(step), jobs=2)
    assert told == [("reading files", i + 1, 7) for i in range(7)]


def test_a_job_that_is_stopped_stops_reading(tmp_path: Path) -> None:
    for i in range(50):
        (tmp_path / f"{i}.txt").write_text(STEPPE)

    def enough(_stage: str, done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_folder(tmp_path, enough)
    assert len(read_folder(tmp_path)[0]) == 50
