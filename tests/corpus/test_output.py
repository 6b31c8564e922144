"""What is kept is written as it was; when anything fails, nothing is left behind."""

import errno
import gzip
import io
import json
import lzma
import os
import resource
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.corpus import Cleaned, ensure_output, open_corpus, write_clean, write_lines
from likewise.errors import BadInput, OutputFailed

DOCUMENTS = [
    {"id": f"d{n}", "text": f"text {n}", "meta": {"n": n, "tags": ["a", None]}} for n in range(6)
]


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# What is kept.


@pytest.mark.parametrize(
    "keep", [lambda place: place % 2 == 0, np.arange(6) % 2 == 0], ids=["function", "array"]
)
def test_kept_records_stay_in_the_format_of_the_input(form, tmp_path, keep):
    path = form.write(tmp_path / f"c.{form.name}", DOCUMENTS)
    cleaned = write_clean(open_corpus(path), keep, tmp_path / "out")
    assert everything(tmp_path / "out") == [path.name]
    assert form.read(tmp_path / "out" / path.name) == DOCUMENTS[::2]
    assert cleaned == Cleaned(kept=3, shortened=0, dropped=3)


def test_dropping_everything_leaves_a_file_without_records(form, tmp_path):
    path = form.write(tmp_path / f"c.{form.name}", DOCUMENTS)
    write_clean(open_corpus(path), lambda place: False, tmp_path / "out")
    assert form.read(tmp_path / "out" / path.name) == []


@settings(max_examples=25)
@given(data=st.data())
def test_what_is_written_is_read_back(form, data):
    text = st.text(st.characters(exclude_categories=["Cs"]))
    texts = data.draw(st.lists(text, min_size=1))
    keep = data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
    keep[0] = True
    with tempfile.TemporaryDirectory() as folder:
        documents = [{"id": n, "text": text} for n, text in enumerate(texts)]
        path = form.write(Path(folder, "c"), documents)
        write_clean(open_corpus(path), np.array(keep), Path(folder, "out"))
        written = [record.text for record in open_corpus(Path(folder, "out", "c")).records()]
    assert written == [text for text, kept in zip(texts, keep, strict=True) if kept]


@settings(max_examples=25)
@given(data=st.data())
def test_paragraphs_written_are_the_paragraphs_kept(form, data):
    piece = st.sampled_from(["один", "two\nlines", "\n\n", "\r\n \n", "\n", " ", "Ⅲ"])
    texts = data.draw(st.lists(st.lists(piece).map("".join), min_size=1))
    with tempfile.TemporaryDirectory() as folder:
        documents = [{"id": n, "text": text} for n, text in enumerate(["always", *texts])]
        path = form.write(Path(folder, "c"), documents)
        corpus = open_corpus(path, unit="paragraph")
        paragraphs = [record.text for record in corpus.records()]
        flags = st.lists(st.booleans(), min_size=len(paragraphs), max_size=len(paragraphs))
        keep = [True, *data.draw(flags)[1:]]
        write_clean(corpus, np.array(keep), Path(folder, "out"))
        clean = open_corpus(Path(folder, "out", "c"), unit="paragraph")
        written = [record.text for record in clean.records()]
    assert written == [text for text, kept in zip(paragraphs, keep, strict=True) if kept]


def test_kept_lines_are_copied_byte_for_byte(tmp_path):
    odd = [
        b'\xef\xbb\xbf{"text":"a" ,\t"id":1,"id":  2, "x": 1.0000000000000000001}\r\n',
        b'{"id": "dropped", "text": "b"}\n',
        b'{"id": "\\u0430", "text": "\\ud800", "n": 1e400}\n',
        b'{"id": "last", "text": "no line end"}',
    ]
    (tmp_path / "c.jsonl").write_bytes(b"\n".join([b"".join(odd[:1]), b"".join(odd[1:])]))
    write_clean(open_corpus(tmp_path / "c.jsonl"), lambda place: place != 1, tmp_path / "out")
    assert (tmp_path / "out" / "c.jsonl").read_bytes() == odd[0] + odd[2] + odd[3]


def test_shards_keep_their_names_formats_and_packing(tmp_path):
    corpus = tmp_path / "corpus"
    (corpus / "sub").mkdir(parents=True)
    content = b'{"id": "%d", "text": "t"}\n'
    (corpus / "a.jsonl").write_bytes(content % 1)
    (corpus / "b.jsonl").write_bytes(gzip.compress(content % 2))
    (corpus / "empty.jsonl").touch()
    (corpus / "sub" / "c.jsonl.zst").write_bytes(zstandard.compress(content % 3))
    (corpus / "sub" / "d.jsonl.xz").write_bytes(lzma.compress(content % 4))
    write_clean(open_corpus(corpus), lambda place: place != 2, tmp_path / "out")
    out = tmp_path / "out"
    assert everything(out) == everything(corpus)
    assert (out / "a.jsonl").read_bytes() == content % 1
    assert gzip.decompress((out / "b.jsonl").read_bytes()) == content % 2
    assert (out / "empty.jsonl").read_bytes() == b""
    assert (out / "sub" / "c.jsonl.zst").read_bytes().startswith(b"\x28\xb5\x2f\xfd")
    assert lzma.decompress((out / "sub" / "d.jsonl.xz").read_bytes()) == content % 4


def test_kept_text_files_are_copied_byte_for_byte(tmp_path):
    corpus = tmp_path / "corpus"
    (corpus / "sub").mkdir(parents=True)
    (corpus / "a.txt").write_bytes("\ufeffone\r\n".encode())
    (corpus / "b.txt").write_text("two")
    (corpus / "sub" / "c.txt").write_text("three")
    write_clean(open_corpus(corpus), lambda place: place != 1, tmp_path / "out")
    assert everything(tmp_path / "out") == ["a.txt", "sub", "sub/c.txt"]
    assert (tmp_path / "out" / "a.txt").read_bytes() == "\ufeffone\r\n".encode()


def test_a_parquet_file_keeps_schema_order_metadata_and_codecs(tmp_path):
    schema = pa.schema(
        [
            pa.field("z", pa.list_(pa.float32()), metadata={"unit": "m"}),
            pa.field("text", pa.large_string(), nullable=False),
            pa.field("view", pa.string_view()),
            pa.field("id", pa.uint32()),
            pa.field("day", pa.timestamp("us", "Asia/Almaty")),
            pa.field("kind", pa.dictionary(pa.int8(), pa.string())),
        ],
        metadata={"made": "for this test"},
    )
    rows = [
        {"z": [n], "text": f"t{n}", "view": f"v{n}", "id": n, "day": n, "kind": f"k{n % 3}"}
        for n in range(5000)
    ]
    codecs = dict.fromkeys(("text", "id", "day", "kind", "view"), "ZSTD")
    codecs["z.list.element"] = "GZIP"
    pq.write_table(
        pa.Table.from_pylist(rows, schema), path := tmp_path / "c.parquet", 2000, compression=codecs
    )
    write_clean(open_corpus(path), lambda place: place % 3 > 0, tmp_path / "out")
    before, after = pq.ParquetFile(path), pq.ParquetFile(tmp_path / "out" / "c.parquet")
    with before, after:
        assert after.schema_arrow.equals(before.schema_arrow, check_metadata=True)
        assert after.read().to_pylist() == [r for r in before.read().to_pylist() if r["id"] % 3]
        for column in range(after.metadata.num_columns):
            was, now = (f.metadata.row_group(0).column(column) for f in (before, after))
            assert (now.path_in_schema, now.compression) == (was.path_in_schema, was.compression)
        assert 2 <= after.metadata.num_row_groups <= 4


# Paragraphs.


def test_documents_lose_paragraphs_and_go_when_none_is_left(form, tmp_path):
    documents: list[dict[str, Any]] = [
        {"id": "a", "text": "one\n\ntwo\n \n\nthree\n", "n": 1.5},
        {"id": "b", "text": "dropped\n\ndropped too", "n": 2},
        {"id": "c", "text": "all\n\nkept", "n": 3},
        {"id": "d", "text": "", "n": None},
    ]
    path = form.write(tmp_path / f"c.{form.name}", documents)
    keep = np.array([True, False, True, False, False, True, True])
    cleaned = write_clean(open_corpus(path, unit="paragraph"), keep, tmp_path / "out")
    assert cleaned == Cleaned(kept=2, shortened=1, dropped=1)
    expected = [{**documents[0], "text": "one\n \n\nthree\n"}, *documents[2:]]
    assert form.read(tmp_path / "out" / path.name) == expected


def test_only_shortened_lines_are_rewritten(tmp_path):
    raw = [
        b'{"id":1,"text":"a\\n\\nb"}\n',
        b'{"id": 2, "doc": {"x": "\\u0451"},"text": "a\\n\\n\\u04af\\ud800"}\n',
    ]
    (tmp_path / "c.jsonl").write_bytes(b"".join(raw))
    corpus = open_corpus(tmp_path / "c.jsonl", unit="paragraph")
    write_clean(corpus, lambda place: place != 2, tmp_path / "out")
    assert (tmp_path / "out" / "c.jsonl").read_bytes() == raw[0] + (
        b'{"id": 2, "doc": {"x": "\xd1\x91"}, "text": "\xd2\xaf\\ud800"}\n'
    )


def test_a_text_inside_other_fields_is_shortened_there(form, tmp_path):
    documents: list[dict[str, Any]] = [
        {"id": 1, "doc": {"n": 1, "body": {"text": "a\n\nb", "x": None}}},
        {"id": 2, "doc": {"n": 2, "body": {"text": "c", "x": "y"}}},
    ]
    path = form.write(tmp_path / f"c.{form.name}", documents)
    corpus = open_corpus(path, unit="paragraph", text="doc.body.text")
    write_clean(corpus, lambda place: place != 0, tmp_path / "out")
    documents[0]["doc"]["body"]["text"] = "b"
    assert form.read(tmp_path / "out" / path.name) == documents


@pytest.mark.parametrize(
    "type", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int16(), pa.string())], ids=str
)
def test_a_shortened_text_keeps_the_type_of_its_column(tmp_path, type):
    table = pa.table({"id": [1, 2, 3], "text": pa.array(["a\n\nb", "c", "d"], type)})
    pq.write_table(table, path := tmp_path / "c.parquet")
    corpus = open_corpus(path, unit="paragraph")
    write_clean(corpus, lambda place: place not in (1, 2), tmp_path / "out")
    written = pq.read_table(tmp_path / "out" / "c.parquet")
    assert written.schema == table.schema
    assert written["text"].to_pylist() == ["a", "d"]


def test_text_files_lose_paragraphs_too(tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("one\n\nдва\n\nthree")
    (corpus / "b.txt").write_text("gone")
    write_clean(
        open_corpus(corpus, unit="paragraph"), lambda place: place in (0, 1), tmp_path / "out"
    )
    assert everything(tmp_path / "out") == ["a.txt"]
    assert (tmp_path / "out" / "a.txt").read_text("utf-8") == "one\n\nдва"


# What was skipped stays out.


@pytest.mark.parametrize("unit", ["document", "paragraph"])
def test_skipped_records_do_not_move_the_places_of_others(lines_form, tmp_path, unit):
    good = [json.dumps({"id": n, "text": f"t{n}"}) for n in range(4)]
    content = "\n".join([good[0], "broken", good[1], "", good[0], good[2], good[3]]).encode()
    path = tmp_path / f"c.{lines_form.name}"
    path.write_bytes(lines_form.pack(content))
    corpus = open_corpus(path, skip_bad=True, unit=unit)
    write_clean(corpus, lambda place: place != 2, tmp_path / "out")
    assert [d["id"] for d in lines_form.read(tmp_path / "out" / path.name)] == [0, 1, 3]
    assert corpus.bad_count == 2


@pytest.mark.parametrize("unit", ["document", "paragraph"])
def test_skipped_rows_do_not_move_the_places_of_others(tmp_path, unit):
    table = pa.table({"id": [0, 1, None, 1, 4], "text": ["a", "b", "c", "d", "e\n\nf"]})
    pq.write_table(table, path := tmp_path / "c.parquet")
    corpus = open_corpus(path, skip_bad=True, unit=unit)
    write_clean(corpus, lambda place: place != 0, tmp_path / "out")
    assert pq.read_table(tmp_path / "out" / "c.parquet")["id"].to_pylist() == [1, 4]


def test_of_a_file_cut_short_the_beginning_is_written_whole(tmp_path):
    content = "".join(
        json.dumps({"id": n, "text": os.urandom(999).hex()}) + "\n" for n in range(99)
    )
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(content.encode())[:-3000])
    corpus = open_corpus(tmp_path / "c.jsonl.gz", skip_bad=True)
    count = len(list(corpus.records()))
    write_clean(corpus, lambda place: place > 0, tmp_path / "out")
    written = gzip.decompress((tmp_path / "out" / "c.jsonl.gz").read_bytes()).decode()
    assert written.splitlines() == content.splitlines()[1:count]


def test_a_file_that_could_not_be_used_is_not_written(tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.jsonl").write_text('{"id": 1, "text": "t"}')
    (corpus / "b.jsonl").write_bytes(b"\x89PNG\r\n\x1a\n")
    (corpus / "c.parquet").write_bytes(b"PAR1")
    write_clean(open_corpus(corpus, skip_bad=True), lambda place: True, tmp_path / "out")
    assert everything(tmp_path / "out") == ["a.jsonl"]


# Where it is put.


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"id": 1, "text": "t"}')
    (tmp_path / "out").mkdir()
    write_clean(open_corpus(tmp_path / "c.jsonl"), lambda place: True, tmp_path / "out")
    assert everything(tmp_path / "out") == ["c.jsonl"]


def test_a_mounted_folder_is_filled_and_not_replaced(tmp_path, monkeypatch):
    (tmp_path / "c.jsonl").write_text('{"id": 1, "text": "t"}')
    (tmp_path / "out").mkdir()
    number = (tmp_path / "out").stat().st_ino
    monkeypatch.setattr(Path, "is_mount", lambda path: path == tmp_path / "out")
    write_clean(open_corpus(tmp_path / "c.jsonl"), lambda place: True, tmp_path / "out")
    assert everything(tmp_path / "out") == ["c.jsonl"]
    assert (tmp_path / "out").stat().st_ino == number


def test_folders_above_are_made(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"id": 1, "text": "t"}')
    write_clean(open_corpus(tmp_path / "c.jsonl"), lambda place: True, tmp_path / "x/y/out")
    assert everything(tmp_path / "x/y") == ["out", "out/c.jsonl"]


def test_a_folder_with_something_in_it_is_refused_before_any_work(tmp_path):
    (tmp_path / "c.jsonl").write_text("not even JSON")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").touch()
    with pytest.raises(BadInput, match="out: is not empty"):
        ensure_output(tmp_path / "out")
    with pytest.raises(BadInput, match="out: is not empty"):
        write_clean(open_corpus(tmp_path / "c.jsonl"), lambda place: True, tmp_path / "out")


def test_a_place_where_nothing_can_be_written_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="not a folder"):
        ensure_output(tmp_path / "file")
    with pytest.raises(BadInput, match="cannot be made"):
        ensure_output(tmp_path / "file" / "out")
    ensure_output(tmp_path / "new")
    ensure_output(tmp_path / "new" / "newer")
    assert everything(tmp_path) == ["file"]


def test_a_folder_inside_the_corpus_is_refused(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"id": 1, "text": "t"}')
    with pytest.raises(BadInput, match="lies in the corpus"):
        write_clean(open_corpus(tmp_path), lambda place: True, tmp_path / "out")


def test_an_array_of_the_wrong_length_is_a_mistake(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"id": 1, "text": "t"}')
    with pytest.raises(ValueError, match="keep must be 1 booleans"):
        write_clean(open_corpus(tmp_path / "c.jsonl"), np.ones(2, bool), tmp_path / "out")


def test_writing_tells_its_progress(form, tmp_path):
    corpus = open_corpus(form.write(tmp_path / "c", DOCUMENTS))
    told: list[int] = []
    write_clean(corpus, lambda place: True, tmp_path / "out", progress=told.append)
    assert told == sorted(told)
    assert told[-1] == corpus.size_bytes


# When it fails.


class FullDisk(io.FileIO):
    """A file on a disk with room for a few bytes only."""

    def write(self, data):
        if self.tell() + len(data) > 1000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


@pytest.fixture
def large(form, tmp_path) -> Path:
    documents = [{"id": n, "text": os.urandom(500).hex()} for n in range(2000)]
    (tmp_path / "corpus").mkdir()
    form.write(tmp_path / "corpus" / f"b.{form.name}", documents)
    form.write(tmp_path / "corpus" / f"a.{form.name}", [{"id": "s", "text": "short"}])
    return tmp_path / "corpus"


def test_a_full_disk_leaves_nothing_behind(large, tmp_path, monkeypatch):
    monkeypatch.setattr("likewise.corpus.output.FileIO", FullDisk)
    with pytest.raises(OutputFailed, match=r"disk full while writing .*out: nothing was left"):
        write_clean(open_corpus(large), lambda place: True, tmp_path / "x" / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_a_system_that_refuses_to_write_leaves_nothing_behind(large, tmp_path):
    corpus = open_corpus(large)
    list(corpus.records())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(OutputFailed, match="File too large while writing"):
            write_clean(corpus, lambda place: True, tmp_path / "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


@pytest.mark.parametrize("exception", [KeyboardInterrupt, MemoryError, BadInput("core.no_text")])
@pytest.mark.slow
def test_an_interrupted_writer_leaves_nothing_behind(large, tmp_path, exception):
    def keep(place: int) -> bool:
        if place == 1500:
            raise exception
        return True

    with pytest.raises(exception if isinstance(exception, type) else type(exception)):
        write_clean(open_corpus(large), keep, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_a_corpus_that_changes_before_it_is_written_leaves_nothing_behind(large, tmp_path):
    corpus = open_corpus(large)
    list(corpus.records())
    with next(large.iterdir()).open("ab") as file:
        file.write(b"\n")
    with pytest.raises(BadInput, match="changed while"):
        write_clean(corpus, lambda place: True, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_a_column_that_only_writing_needs_may_turn_out_damaged(tmp_path):
    path = tmp_path / "c.parquet"
    table = pa.table({"id": range(99), "text": ["t"] * 99, "x": [os.urandom(99).hex()] * 99})
    pq.write_table(table, path, write_page_checksum=True, use_dictionary=False)
    column = pq.read_metadata(path).row_group(0).column(2)
    content = bytearray(path.read_bytes())
    middle = column.data_page_offset + column.total_compressed_size // 2
    content[middle : middle + 9] = b"\xff" * 9
    path.write_bytes(content)
    corpus = open_corpus(path)
    assert len(list(corpus.records())) == 99
    with pytest.raises(BadInput, match=r"c\.parquet.*damaged.*repair the file"):
        write_clean(corpus, lambda place: True, tmp_path / "out")
    assert everything(tmp_path) == ["c.parquet"]


# Lines.


@pytest.mark.parametrize(
    ("suffix", "unpack"),
    [
        ("", bytes),
        (".gz", gzip.decompress),
        (".zst", lambda data: zstandard.ZstdDecompressor().stream_reader(data).read()),
        (".xz", lzma.decompress),
    ],
)
def test_lines_are_packed_as_the_name_says(tmp_path, suffix, unpack):
    lines = [f"строка {n}" for n in range(50_000)]
    write_lines(tmp_path / f"pairs.jsonl{suffix}", iter(lines))
    content = unpack((tmp_path / f"pairs.jsonl{suffix}").read_bytes())
    assert content.decode().split("\n") == [*lines, ""]
    assert everything(tmp_path) == [f"pairs.jsonl{suffix}"]


@settings(max_examples=25)
@given(st.lists(st.text()))
def test_lines_of_json_survive_whatever_they_hold(texts):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pairs.jsonl")
        write_lines(path, (json.dumps(text, ensure_ascii=False) for text in texts))
        raw = path.read_bytes().split(b"\n")
    assert [json.loads(line) for line in raw[:-1]] == texts


def test_lines_replace_an_older_file_only_when_complete(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("old")

    def stopped():
        yield "new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(path, stopped())
    assert path.read_text() == "old"
    write_lines(path, ["new"])
    assert path.read_text() == "new\n"
    assert everything(tmp_path) == ["pairs.jsonl"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_lines(tmp_path / "link", ["x"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "x\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_lines_on_a_full_device_are_an_error_and_the_device_stays():
    with pytest.raises(OutputFailed, match="disk full while writing /dev/full"):
        write_lines("/dev/full", ["x"] * 1_000_000)
    assert Path("/dev/full").is_char_device()


def test_lines_on_a_full_disk_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("likewise.corpus.output.FileIO", FullDisk)
    for name in ("p", "p.gz", "p.zst", "p.xz"):
        with pytest.raises(OutputFailed, match="disk full"):
            write_lines(tmp_path / name, [os.urandom(999).hex() for _ in range(999)])
    assert everything(tmp_path) == []


def test_lines_for_a_folder_that_is_not_there_are_an_error(tmp_path):
    with pytest.raises(OutputFailed, match="No such file or directory while writing"):
        write_lines(tmp_path / "nowhere" / "pairs.jsonl", ["x"])
