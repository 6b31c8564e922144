"""Corpora are read as one stream of records, and what is wrong with them is said."""

import gzip
import json
import lzma
import os
import struct
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.corpus import Record, open_corpus
from likewise.errors import BadInput

DOCUMENTS: list[dict[str, Any]] = [
    {"id": "a", "text": "Өзен суы мөлдір.", "n": 1},
    {"id": "b", "text": "Still waters run deep.", "n": 2},
    {"id": "c", "text": "", "n": 3},
]
RECORDS = [Record(d["id"], d["text"], place) for place, d in enumerate(DOCUMENTS)]
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0"


def pack_xz(content: bytes) -> bytes:
    """As quickly as xz can: what is packed is made up and does not repeat itself."""
    return lzma.compress(content, preset=0)


def records(path, **options):
    return list(open_corpus(path, **options).records())


def refusal(path, **options) -> str:
    with pytest.raises(BadInput) as caught:
        records(path, **options)
    return str(caught.value)


def lines(path: Path, *texts: str | bytes) -> Path:
    path.write_bytes(b"".join(t if isinstance(t, bytes) else t.encode() + b"\n" for t in texts))
    return path


def good(number: int) -> str:
    return json.dumps({"id": f"d{number}", "text": f"text {number}"})


# What is read.


def test_every_format_gives_the_same_records(form, tmp_path):
    assert records(form.write(tmp_path / f"c.{form.name}", DOCUMENTS)) == RECORDS


def test_the_content_says_how_a_file_is_packed_whatever_its_name(form, tmp_path):
    assert records(form.write(tmp_path / "c.jsonl", DOCUMENTS)) == RECORDS


def test_records_can_be_read_again(form, tmp_path):
    corpus = open_corpus(form.write(tmp_path / f"c.{form.name}", DOCUMENTS))
    assert list(corpus.records()) == list(corpus.records()) == RECORDS


def test_giving_up_a_pass_does_not_hurt_the_next(form, tmp_path):
    corpus = open_corpus(form.write(tmp_path / f"c.{form.name}", DOCUMENTS))
    assert next(corpus.records()) == RECORDS[0]
    assert list(corpus.records()) == RECORDS


@settings(max_examples=25)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_any_text_survives(form, texts):
    documents = [{"id": number, "text": text} for number, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        read = records(form.write(Path(folder, "c"), documents))
    assert read == [Record(str(number), text, number) for number, text in enumerate(texts)]


@settings(max_examples=25)
@given(texts=st.lists(st.text(), min_size=1))
def test_json_lines_carry_half_surrogate_pairs_too(texts):
    with tempfile.TemporaryDirectory() as folder:
        path = lines(Path(folder, "c.jsonl"), *(json.dumps({"id": t, "text": t}) for t in texts))
        assert [r.text for r in records(path, id=None)] == texts


@settings(max_examples=25)
@given(texts=st.lists(st.text(st.characters(exclude_characters="\0\ufeff", codec="utf-8"))))
def test_text_files_are_read_to_the_letter(texts):
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(["never empty", *texts]):
            Path(folder, f"{number:09}.txt").write_bytes(text.encode())
        assert [r.text for r in records(folder)] == ["never empty", *texts]


def test_a_folder_of_shards_is_one_corpus_in_order_of_name(tmp_path):
    lines(tmp_path / "part-2.jsonl", good(3))
    (tmp_path / "part-1.jsonl.gz").write_bytes(gzip.compress(f"{good(1)}\n{good(2)}".encode()))
    (tmp_path / "sub").mkdir()
    pq.write_table(pa.table({"id": [4], "text": ["text 4"]}), tmp_path / "sub" / "x.parquet")
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".hidden.jsonl").touch()
    corpus = open_corpus(tmp_path)
    assert [(r.id, r.place) for r in corpus.records()] == [
        ("d1", 0),
        ("d2", 1),
        ("d3", 2),
        ("4", 3),
    ]
    assert corpus.left_out == ("_SUCCESS",)


def test_an_empty_shard_among_others_is_no_trouble(tmp_path):
    lines(tmp_path / "a.jsonl")
    lines(tmp_path / "b.jsonl", good(1))
    assert len(records(tmp_path)) == 1


def test_json_beside_surer_files_is_taken_for_a_description(tmp_path):
    lines(tmp_path / "dataset_info.json", "{", '"rows": 1', "}")
    lines(tmp_path / "data.jsonl", good(1))
    corpus = open_corpus(tmp_path)
    assert len(list(corpus.records())) == 1
    assert corpus.left_out == ("dataset_info.json",)


def test_json_files_alone_are_lines(tmp_path):
    lines(tmp_path / "data.json", good(1), good(2))
    assert len(records(tmp_path)) == 2


def test_a_folder_of_texts_calls_each_by_its_relative_path(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "one.txt").write_bytes("\ufeffпервый".encode())
    (tmp_path / "two.TXT").write_text("second")
    assert records(tmp_path) == [Record("sub/one.txt", "первый", 0), Record("two.TXT", "second", 1)]


def test_texts_are_not_mixed_into_a_corpus(tmp_path):
    lines(tmp_path / "data.jsonl", good(1))
    (tmp_path / "readme.txt").write_text("about the data")
    corpus = open_corpus(tmp_path)
    assert [r.id for r in corpus.records()] == ["d1"]
    assert corpus.left_out == ("readme.txt",)


def test_links_to_folders_are_followed_but_not_in_circles(tmp_path):
    (tmp_path / "real").mkdir()
    lines(tmp_path / "real" / "a.jsonl", good(1))
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "back").symlink_to(tmp_path / "corpus")
    assert [r.id for r in records(tmp_path / "corpus", id=None)] == ["link/a.jsonl:1"]


def test_blank_lines_a_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path):
    path = lines(tmp_path / "c.jsonl", f"\ufeff{good(1)}\r", "", " \t\r", good(2).encode())
    assert [(r.id, r.place) for r in records(path)] == [("d1", 0), ("d2", 1)]
    assert [r.id for r in records(path, id=None)] == ["c.jsonl:1", "c.jsonl:4"]


def test_zeros_and_half_surrogates_inside_strings_pass(tmp_path):
    path = lines(tmp_path / "c.jsonl", '{"id": "a", "text": "x\\u0000\\ud800\0\ty"}')
    assert records(path) == [Record("a", "x\0\ud800\0\ty", 0)]


def test_fields_inside_others_are_named_with_dots(form, tmp_path):
    documents = [{"meta": {"url": "u", "n": 7}, "body": {"plain": {"text": "t"}}}]
    path = form.write(tmp_path / "c", documents)
    assert records(path, id="meta.url", text="body.plain.text") == [Record("u", "t", 0)]
    assert records(path, id="meta.n", text="meta.url") == [Record("7", "u", 0)]


def test_a_field_with_a_dot_in_its_name_comes_first(form, tmp_path):
    path = form.write(tmp_path / "c", [{"meta.url": "dotted", "text": "t"}])
    assert records(path, id="meta.url") == [Record("dotted", "t", 0)]


def test_without_an_id_field_records_are_called_by_file_and_line(form, tmp_path):
    path = form.write(tmp_path / "crawl", [{"text": "x"}, {"text": "x"}])
    assert [r.id for r in records(path, id=None)] == ["crawl:1", "crawl:2"]


@pytest.mark.parametrize(
    "type", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())], ids=str
)
def test_every_kind_of_text_column_is_text(tmp_path, type):
    table = pa.table({"id": pa.array(["1"], type), "text": pa.array(["t"], type)})
    pq.write_table(table, tmp_path / "c.parquet")
    assert records(tmp_path / "c.parquet") == [Record("1", "t", 0)]


def test_a_large_parquet_file_is_read_by_batches(tmp_path):
    table = pa.table({"id": range(5000), "text": [f"t{n}" for n in range(5000)]})
    pq.write_table(table, tmp_path / "c.parquet", row_group_size=700)
    read = records(tmp_path / "c.parquet")
    assert read == [Record(str(n), f"t{n}", n) for n in range(5000)]


@pytest.mark.parametrize(
    ("pack", "between"),
    [
        (gzip.compress, b"\0" * 40),
        (pack_xz, b"\0" * 8),
        (zstandard.compress, struct.pack("<II", 0x184D2A53, 4) + b"note"),
    ],
    ids=["gzip", "xz", "zstd"],
)
def test_packed_streams_may_follow_each_other(tmp_path, pack, between):
    first, second = (pack(f"{good(n)}\n".encode()) for n in (1, 2))
    (tmp_path / "c").write_bytes(first + between + second + between)
    assert [r.id for r in records(tmp_path / "c")] == ["d1", "d2"]
    if pack is zstandard.compress:
        (tmp_path / "c").write_bytes(between + first)
        assert [r.id for r in records(tmp_path / "c")] == ["d1"]


def test_progress_tells_the_bytes_read_and_ends_at_the_size(form, tmp_path):
    documents = [{"id": n, "text": os.urandom(500).hex()} for n in range(3000)]
    for number in range(2):
        form.write(tmp_path / f"{number}.{form.name}", documents)
    corpus = open_corpus(tmp_path, id=None)
    told: list[int] = []
    list(corpus.records(progress=told.append))
    assert len(told) > 2
    assert told == sorted(told)
    assert told[-1] == corpus.size_bytes == sum(f.stat().st_size for f in tmp_path.iterdir())


# Paragraphs.


def test_paragraphs_are_numbered_and_places_run_on(form, tmp_path):
    documents = [
        {"id": "a", "text": "\n\none\ntwo\n \n\nthree\n\n"},
        {"id": "b", "text": " \n\n"},
        {"id": "c", "text": "four\r\n\r\nfive"},
    ]
    assert records(form.write(tmp_path / "c", documents), unit="paragraph") == [
        Record("a#1", "one\ntwo", 0),
        Record("a#2", "three", 1),
        Record("c#1", "four", 2),
        Record("c#2", "five", 3),
    ]


def test_a_unit_that_does_not_exist_is_refused(tmp_path):
    assert 'not "sentence"' in refusal(lines(tmp_path / "c", good(1)), unit="sentence")


# What is wrong.

BAD_LINES = {
    "broken": (b'{"id": "x", "text": "y\n', "not valid JSON"),
    "list": (b"[1, 2]\n", "not a JSON object but a list"),
    "string": (b'"text"\n', "not a JSON object but a string"),
    "utf-8": (b'{"id": "x", "text": "\xff"}\n', "not valid UTF-8 (byte 22 of the line)"),
    "text type": (b'{"id": "x", "text": 5}\n', 'the field "text" holds a number, not a string'),
    "text null": (b'{"id": "x", "text": null}\n', 'the field "text" holds null'),
    "id type": (b'{"id": 1.5, "text": "y"}\n', 'the field "id" holds a number, not a string or'),
    "id boolean": (b'{"id": true, "text": "y"}\n', 'the field "id" holds a boolean'),
    "no text": (
        b'{"id": "x", "meta": {"body": "y"}}\n',
        'no field "text", only id, meta.body; name the right one with --text',
    ),
    "no id": (b'{"url": "x", "text": "y"}\n', 'no field "id", only url, text; name the'),
    "empty object": (b"{}\n", 'no field "text", only no field at all'),
    "too deep": (b"[" * 200_000 + b"\n", "nested too deep"),
    "number too long": (b'{"id": ' + b"1" * 5000 + b"}\n", "not usable JSON"),
    "repeated id": (b'{"id": "d1", "text": "y"}\n', "the id 'd1' has been used before"),
}


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_bad_line_is_named_with_its_file_and_number(lines_form, tmp_path, kind):
    bad, reason = BAD_LINES[kind]
    content = f"{good(1)}\n\n".encode() + bad + good(2).encode()
    (tmp_path / "crawl.jsonl").write_bytes(lines_form.pack(content))
    message = refusal(tmp_path / "crawl.jsonl")
    assert message.startswith("crawl.jsonl, line 3: ")
    assert reason in message
    assert message.endswith("--skip-bad goes on without such lines")


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_bad_line_can_be_skipped_and_is_counted(tmp_path, kind):
    bad, reason = BAD_LINES[kind]
    path = lines(tmp_path / "crawl.jsonl", good(1), bad, good(2))
    corpus = open_corpus(path, skip_bad=True)
    for _ in range(3):
        assert [(r.id, r.place) for r in corpus.records()] == [("d1", 0), ("d2", 1)]
        assert corpus.bad_count == len(corpus.bad) == 1
        assert (corpus.bad[0].file, corpus.bad[0].line) == ("crawl.jsonl", 2)
        assert reason in str(corpus.bad[0].reason)


def test_only_the_first_bad_records_are_kept_but_all_are_counted(tmp_path):
    corpus = open_corpus(lines(tmp_path / "c", good(1), *["oops"] * 50), skip_bad=True)
    list(corpus.records())
    assert corpus.bad_count == 50
    assert [bad.line for bad in corpus.bad] == list(range(2, 22))


def test_a_repeated_id_is_named_with_both_places(tmp_path):
    lines(tmp_path / "a.jsonl", good(1), good(2))
    lines(tmp_path / "b.jsonl", good(3), good(2))
    message = refusal(tmp_path)
    assert message.startswith("b.jsonl, line 2: the id 'd2' has been used before, in a.jsonl, line")


@pytest.mark.parametrize("cut", [1, 9, 200])
@pytest.mark.parametrize("pack", [gzip.compress, pack_xz, zstandard.compress])
def test_a_packed_file_cut_short_keeps_what_came_before(tmp_path, pack, cut):
    documents = [{"id": n, "text": os.urandom(2000).hex()} for n in range(400)]
    packed = pack("".join(json.dumps(d) + "\n" for d in documents).encode())
    (tmp_path / "c").write_bytes(packed[:-cut])
    message = refusal(tmp_path / "c")
    assert "the packed data is cut short" in message
    corpus = open_corpus(tmp_path / "c", skip_bad=True)
    read = list(corpus.records())
    assert len(read) > 200
    assert [r.text for r in read] == [d["text"] for d in documents[: len(read)]]
    assert corpus.bad_count == 1
    assert corpus.bad[0].line == len(read) + 1
    assert list(corpus.records()) == read


@pytest.mark.parametrize(
    ("pack", "wrong"),
    [(gzip.compress, 8), (pack_xz, 9999), (zstandard.compress, 9999)],
    ids=["gzip", "xz", "zstd"],
)
def test_a_packed_file_with_wrong_bytes_is_damaged(tmp_path, pack, wrong):
    packed = pack("".join(f"{good(n)}\n" for n in range(20_000)).encode())
    (tmp_path / "c").write_bytes(packed[:-wrong] + b"\xff" * wrong)
    assert "the packed data is damaged" in refusal(tmp_path / "c")


def test_a_parquet_file_cut_short_is_named(tmp_path):
    pq.write_table(pa.table({"id": [1], "text": ["t"]}), tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[:-20])
    assert refusal(tmp_path).startswith("b.parquet: not a whole Parquet file")
    corpus = open_corpus(tmp_path, skip_bad=True)
    assert len(list(corpus.records())) == len(list(corpus.records())) == 1
    assert (corpus.bad_count, corpus.bad[0].file, corpus.bad[0].line) == (1, "b.parquet", None)


def test_a_parquet_file_damaged_in_the_middle_keeps_the_rows_before(tmp_path):
    path = tmp_path / "c.parquet"
    texts = [os.urandom(50).hex() for _ in range(4096)]
    table = pa.table({"id": range(4096), "text": texts})
    pq.write_table(table, path, 1024, write_page_checksum=True, use_dictionary=False)
    column = pq.read_metadata(path).row_group(2).column(1)
    content = bytearray(path.read_bytes())
    middle = column.data_page_offset + column.total_compressed_size // 4
    content[middle : middle + 9] = b"\xff" * 9
    path.write_bytes(content)
    assert "c.parquet, row 2049: the Parquet data is damaged" in refusal(path)
    corpus = open_corpus(path, skip_bad=True)
    assert [r.text for r in corpus.records()] == texts[:2048]
    assert [r.text for r in corpus.records()] == texts[:2048]
    assert corpus.bad_count == 1


def test_bad_parquet_rows_are_named_and_can_be_skipped(tmp_path):
    table = pa.table({"id": ["a", None, "c", "a", "e"], "text": ["1", "2", None, "4", "5"]})
    pq.write_table(table, path := tmp_path / "c.parquet")
    assert refusal(path).startswith('c.parquet, row 2: the field "id" holds null')
    corpus = open_corpus(path, skip_bad=True)
    for _ in range(2):
        assert [(r.id, r.place) for r in corpus.records()] == [("a", 0), ("e", 1)]
    assert [bad.line for bad in corpus.bad] == [2, 3, 4]


def test_parquet_text_that_is_not_utf8_is_a_bad_row(tmp_path):
    texts = pa.array([b"ok", b"\xff\xfe"]).view(pa.string())
    pq.write_table(pa.table({"id": [1, 2], "text": texts}), path := tmp_path / "c.parquet")
    assert 'row 2: the field "text" holds text that is not valid UTF-8' in refusal(path)
    assert [r.id for r in records(path, skip_bad=True)] == ["1"]


def test_parquet_without_the_field_or_of_the_wrong_type_says_what_there_is(tmp_path):
    table = pa.table({"id": [1], "text": [2.5], "meta": [{"url": "u", "body": "b"}]})
    pq.write_table(table, path := tmp_path / "c.parquet")
    assert 'c.parquet: the field "text" holds double, not strings' in refusal(path)
    message = refusal(path, text="body")
    assert 'no field "body", only id, text, meta.url, meta.body; name the right one' in message


def test_text_files_that_are_no_text_are_named_and_can_be_skipped(tmp_path):
    (tmp_path / "a.txt").write_bytes("Құс".encode())
    (tmp_path / "b.txt").write_bytes("слово".encode("cp1251"))
    (tmp_path / "c.txt").write_bytes("слово".encode("utf-16"))
    (tmp_path / "d.txt").write_bytes(b"\0\1\2")
    assert refusal(tmp_path).startswith("b.txt: not text in UTF-8 (byte 1 is not)")
    corpus = open_corpus(tmp_path, skip_bad=True)
    assert list(corpus.records()) == list(corpus.records()) == [Record("a.txt", "Құс", 0)]
    assert [(b.file, b.line) for b in corpus.bad] == [
        ("b.txt", None),
        ("c.txt", None),
        ("d.txt", None),
    ]
    assert "UTF-16" in str(corpus.bad[1].reason)
    assert "binary" in str(corpus.bad[2].reason)


# What is no corpus at all.


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "no documents in it"),
        (gzip.compress(b"", mtime=0), "no documents in it"),
        (PNG, "not a corpus but a PNG picture"),
        (gzip.compress(PNG, mtime=0), "not a corpus but a PNG picture"),
        (b"BZh91AY&SY", "packed with bzip2"),
        (b"\x7fELF\2\1\1\0\0", "binary data"),
        ("слово".encode("cp1251"), "not in UTF-8"),
        ('{"id": 1}'.encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"a.jsonl".ljust(257, b"\0") + b"ustar", "a tar archive"),
        (b"PAR1", "not a whole Parquet file"),
    ],
)
def test_what_is_no_corpus_is_refused_in_words(tmp_path, content, reason):
    (tmp_path / "c.jsonl").write_bytes(content)
    for options in ({}, {"skip_bad": True}):
        message = refusal(tmp_path / "c.jsonl", **options)
        assert "c.jsonl" in message
        assert reason in message


def test_prose_named_as_lines_is_not_valid_json(tmp_path):
    path = lines(tmp_path / "c.jsonl", "Once upon a time", "there was no JSON.")
    assert "line 1: not valid JSON" in refusal(path)
    assert "nothing in it could be used; 2 bad, the first: c.jsonl, line 1" in refusal(
        path, skip_bad=True
    )


def test_a_single_text_is_no_corpus(tmp_path):
    assert "give the folder" in refusal(lines(tmp_path / "a.txt", "Once upon a time"))


def test_a_foreign_shard_can_be_skipped_among_others(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(PNG)
    (tmp_path / "b.parquet").write_bytes(b"")
    lines(tmp_path / "c.jsonl", good(1))
    assert "PNG" in refusal(tmp_path)
    corpus = open_corpus(tmp_path, skip_bad=True)
    assert len(list(corpus.records())) == len(list(corpus.records())) == 1
    assert [bad.file for bad in corpus.bad] == ["a.jsonl", "b.parquet"]


def test_a_folder_without_corpus_is_refused(tmp_path):
    assert "nothing at all" in refusal(tmp_path)
    (tmp_path / "a.pdf").touch()
    assert "no JSON Lines, Parquet or .txt files in it, but 1 other files, such as a.pdf" in (
        refusal(tmp_path)
    )
    (tmp_path / "b.jsonl").touch()
    assert "all 1 files in it are empty" in refusal(tmp_path)


def test_texts_left_aside_are_mentioned_when_nothing_else_is_usable(tmp_path):
    (tmp_path / "a.txt").write_text("a text")
    lines(tmp_path / "b.jsonl", "", "")
    assert "its .txt files were not read" in refusal(tmp_path)


def test_what_is_not_there_is_said_so(tmp_path):
    assert "no such file" in refusal(tmp_path / "nothing.jsonl")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert "neither a file nor a folder" in refusal(tmp_path / "pipe.jsonl")
    assert "neither a file nor a folder" in refusal(tmp_path)


@pytest.mark.parametrize("name", ["c.jsonl", "c.parquet", "c.txt"])
def test_a_file_that_vanishes_is_named(tmp_path, name):
    path = tmp_path / name
    if name.endswith("parquet"):
        pq.write_table(pa.table({"id": [1], "text": ["t"]}), path)
    else:
        lines(path, good(1))
    corpus = open_corpus(tmp_path)
    list(corpus.records())
    path.unlink()
    with pytest.raises(BadInput, match=rf"{name}: no such file"):
        list(corpus.records())


@pytest.mark.parametrize("name", ["c.jsonl", "c.txt"])
def test_a_file_that_changes_between_passes_is_named(tmp_path, name):
    corpus = open_corpus(lines(tmp_path / name, good(1)).parent)
    list(corpus.records())
    lines(tmp_path / name, good(1), good(2))
    with pytest.raises(BadInput, match=rf"{name}: changed while"):
        list(corpus.records())


def test_a_file_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    path = lines(tmp_path / "c.jsonl", good(1))
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything

        def denied(*_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("likewise.corpus.sniff.Path.open", denied)
    assert "cannot be read (Permission denied)" in refusal(path)
