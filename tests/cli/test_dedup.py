"""`likewise dedup`: a corpus, its duplicates, and what stays of it."""

import gzip
import json
import re

import pytest

from .conftest import CARAVAN, EXAMPLES, HARVEST, write, write_jsonl


def jsonl(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_table_tells_what_each_threshold_comes_to(likewise, corpus):
    ran = likewise("dedup", corpus, "-t", "0.5", "-t", "1")
    assert ran.status == 0, ran.err
    heads, *rows = [line.split() for line in ran.out.splitlines()[:3]]
    assert heads == ["threshold", "records", "pairs", "clusters", "kept", "removed"]
    assert rows == [["0.5", "4", "1", "1", "3", "1", "25.0%"], ["1", "4", "0", "0", "4", "0", "0%"]]
    assert "1 without words, kept" in ran.out


def test_json_gives_pairs_clusters_and_a_summary(likewise, corpus):
    ran = likewise("dedup", corpus, "--json")
    pair, cluster, summary = ran.lines
    assert (pair["type"], pair["a"], pair["b"]) == ("pair", "r0", "r2")
    assert 0.8 < pair["jaccard"] < 1 == pair["containment_a"]
    assert (cluster["type"], cluster["members"]) == ("cluster", ["r0", "r2"])
    assert cluster["weakest"] == pair["jaccard"]
    assert summary["records"] == 4
    assert summary["thresholds"] == [
        {"threshold": 0.8, "pairs": 1, "clusters": 1, "kept": 3, "removed": 1}
    ]
    assert summary["settings"]["threshold"] == 0.8
    assert likewise("dedup", corpus, "--json", "--no-pairs").of_type("pair") == []


def test_the_cleaned_corpus_is_written_in_its_own_format(likewise, corpus, tmp_path):
    ran = likewise("dedup", corpus, "--output", tmp_path / "clean")
    assert ran.status == 0, ran.err
    kept = jsonl(tmp_path / "clean/crawl.jsonl")
    assert [record["id"] for record in kept] == ["r0", "r1", "r3"]


def test_the_longest_can_stay_instead_of_the_first(likewise, corpus, tmp_path):
    likewise("dedup", corpus, "--keep", "longest", "--output", tmp_path / "clean")
    assert [record["id"] for record in jsonl(tmp_path / "clean/crawl.jsonl")] == ["r1", "r2", "r3"]


def test_several_thresholds_make_several_folders(likewise, corpus, tmp_path):
    likewise("dedup", corpus, "-t", "0.5", "-t", "1", "--output", tmp_path / "clean")
    assert len(jsonl(tmp_path / "clean/0.5/crawl.jsonl")) == 3
    assert len(jsonl(tmp_path / "clean/1/crawl.jsonl")) == 4


def test_lists_can_be_written_to_files(likewise, corpus, tmp_path):
    files = [tmp_path / name for name in ("pairs.jsonl", "clusters.jsonl.gz", "kept.txt")]
    ran = likewise("dedup", corpus, "--pairs", files[0], "--clusters", files[1], "--kept", files[2])
    assert ran.status == 0, ran.err
    assert [(pair["a"], pair["b"]) for pair in jsonl(files[0])] == [("r0", "r2")]
    (cluster,) = gzip.decompress(files[1].read_bytes()).splitlines()
    assert json.loads(cluster)["members"] == ["r0", "r2"]
    assert files[2].read_text() == "r0\nr1\nr3\n"


def test_several_thresholds_need_a_list_that_can_tell_them_apart(likewise, corpus, tmp_path):
    twice = ("dedup", corpus, "-t", "0.5", "-t", "1", "--kept")
    refused = likewise(*twice, tmp_path / "kept.txt")
    assert refused.status == 2
    assert ".jsonl" in refused.err
    assert likewise(*twice, tmp_path / "kept.jsonl").status == 0
    assert [line["threshold"] for line in jsonl(tmp_path / "kept.jsonl")] == [0.5] * 3 + [1] * 4


def test_an_id_with_a_line_break_is_no_line(likewise, tmp_path):
    corpus = write_jsonl(tmp_path / "c.jsonl", [{"id": "a\nb", "text": CARAVAN}])
    ran = likewise("dedup", corpus, "--kept", tmp_path / "kept.txt")
    assert ran.status == 2
    assert "line break" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["c.jsonl"]


def test_what_stands_in_another_corpus_goes(likewise, corpus, tmp_path):
    old = write_jsonl(tmp_path / "old.jsonl", [{"id": "r1", "text": HARVEST + " End."}])
    ran = likewise("dedup", corpus, "--against", old, "--json", "--kept", tmp_path / "kept.txt")
    assert ran.status == 0, ran.err
    assert (tmp_path / "kept.txt").read_text() == "r0\nr2\nr3\n"
    (cluster,) = ran.of_type("cluster")
    assert (cluster["members"], cluster["against"]) == (["r1"], ["r1"])
    assert ran.summary["records"] == 4


def test_a_benchmark_is_found_inside_longer_texts_by_containment(likewise, corpus, tmp_path):
    sentence = CARAVAN.split(". ")[1]
    old = write_jsonl(tmp_path / "benchmark.jsonl", [{"id": "q", "text": sentence}])
    by_jaccard = likewise("dedup", corpus, "--against", old, "--json")
    by_containment = likewise(
        "dedup", corpus, "--against", old, "--measure", "containment", "--json"
    )
    assert by_jaccard.summary["thresholds"][0]["removed"] == 0
    assert by_containment.summary["thresholds"][0]["removed"] == 2


def test_paragraphs_can_be_the_unit(likewise, tmp_path):
    texts = [f"{CARAVAN}\n\n{HARVEST}", f"{HARVEST}\n\nSomething else altogether, and long."]
    corpus = write_jsonl(tmp_path / "c.jsonl", [{"id": i, "text": t} for i, t in enumerate(texts)])
    ran = likewise("dedup", corpus, "--unit", "paragraph", "--output", tmp_path / "clean")
    assert ran.status == 0, ran.err
    assert "4 paragraphs" in ran.out
    assert jsonl(tmp_path / "clean/c.jsonl")[1]["text"].startswith("Something else")


def test_a_folder_of_texts_is_a_corpus_too(likewise, tmp_path):
    ran = likewise("dedup", EXAMPLES / "essays", "-t", "0.7", "--output", tmp_path / "clean")
    assert ran.status == 0, ran.err
    assert len(list((tmp_path / "clean").iterdir())) == 21


@pytest.mark.parametrize("nameless", [["--no-id"], ["--id", ""]])
def test_records_without_ids_are_called_by_file_and_line(likewise, tmp_path, nameless):
    corpus = write_jsonl(tmp_path / "c.jsonl", [{"body": CARAVAN}, {"body": CARAVAN}])
    ran = likewise("dedup", corpus, "--text", "body", *nameless, "--json")
    assert ran.of_type("cluster")[0]["members"] == ["c.jsonl:1", "c.jsonl:2"]


# What is wrong with a corpus.


def test_a_broken_line_is_named_with_its_number(likewise, tmp_path):
    lines = [json.dumps({"id": i, "text": CARAVAN}) for i in range(3)]
    corpus = write(tmp_path / "c.jsonl", "\n".join([*lines[:2], '{"id": 9, "te', lines[2]]))
    ran = likewise("dedup", corpus, "--output", tmp_path / "clean")
    assert (ran.status, ran.out) == (2, "")
    assert re.match(r"likewise: c.jsonl, line 3: not valid JSON .*--skip-bad", ran.err)
    assert not (tmp_path / "clean").exists()

    ran = likewise("dedup", corpus, "--skip-bad", "--output", tmp_path / "clean")
    assert ran.status == 0, ran.err
    assert "1 bad record" in ran.out
    assert re.search(r"c.jsonl, line 3 +not valid JSON", ran.out)
    assert len(jsonl(tmp_path / "clean/c.jsonl")) == 1

    ran = likewise("dedup", corpus, "--skip-bad", "--json")
    (bad,) = ran.of_type("bad")
    assert (bad["file"], bad["line"]) == ("c.jsonl", 3)
    assert ran.summary["bad"] == 1


def test_only_the_first_bad_records_are_listed_and_all_are_counted(likewise, tmp_path):
    good = json.dumps({"id": "a", "text": CARAVAN})
    corpus = write(tmp_path / "c.jsonl", "\n".join([good, *["{"] * 30]))
    ran = likewise("dedup", corpus, "--skip-bad")
    assert ran.out.count("not valid JSON") == 20
    assert "30 bad records" in ran.out
    assert "and 10 more" in ran.out


def test_a_missing_field_is_named_with_those_that_are_there(likewise, corpus):
    ran = likewise("dedup", corpus, "--text", "content")
    assert ran.status == 2
    assert 'no field "content", only id, text' in ran.err
    assert "--text" in ran.err


def test_ids_must_differ(likewise, tmp_path):
    corpus = write_jsonl(tmp_path / "c.jsonl", [{"id": "x", "text": t} for t in (CARAVAN, HARVEST)])
    ran = likewise("dedup", corpus)
    assert ran.status == 2
    assert re.search("line 2: the id 'x' has been used before, in c.jsonl, line 1", ran.err)


def test_lone_surrogates_and_zero_bytes_pass_through(likewise, tmp_path):
    texts = [f"{CARAVAN} \ud800 \0", f"{CARAVAN} \ud800 \0"]
    records = [{"id": f"\udfff{i}", "text": text} for i, text in enumerate(texts)]
    corpus = write_jsonl(tmp_path / "c.jsonl", records)
    ran = likewise("dedup", corpus, "--json", "--pairs", tmp_path / "pairs.jsonl")
    assert ran.status == 0, ran.err
    assert ran.of_type("cluster")[0]["members"] == ["\udfff0", "\udfff1"]
    assert jsonl(tmp_path / "pairs.jsonl")[0]["a"] == "\udfff0"


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.write_bytes(b""), "the file is empty"),
        (lambda path: path.mkdir(), "nothing at all"),
        (lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n\0"), "a PNG picture"),
        (lambda path: path.symlink_to(path.parent / "gone"), "no such file"),
    ],
)
def test_what_is_no_corpus_is_refused(likewise, tmp_path, make, reason):
    path = tmp_path / "c.jsonl"
    make(path)
    ran = likewise("dedup", path)
    assert (ran.status, ran.out) == (2, "")
    assert reason in ran.err


def test_an_output_folder_that_holds_something_is_left_alone(likewise, corpus, tmp_path):
    write(tmp_path / "clean/mine.txt", "precious")
    ran = likewise("dedup", corpus, "--output", tmp_path / "clean")
    assert ran.status == 2
    assert "is not empty" in ran.err
    assert [path.name for path in (tmp_path / "clean").iterdir()] == ["mine.txt"]


def test_a_full_disk_is_told(likewise, corpus):
    ran = likewise("dedup", corpus, "--pairs", "/dev/full")
    assert ran.status == 2
    assert "disk full while writing /dev/full" in ran.err


@pytest.mark.parametrize("option", ["--pairs", "--clusters", "--kept"])
def test_lists_that_could_not_be_written_are_refused_at_once(likewise, corpus, tmp_path, option):
    for path, reason in (
        (corpus, "would overwrite"),
        (tmp_path, "is a folder"),
        (tmp_path / "none/list.jsonl", "there is no folder"),
    ):
        before = corpus.read_bytes()
        ran = likewise("dedup", corpus, option, path)
        assert (ran.status, ran.out) == (2, "")
        assert reason in ran.err
        assert corpus.read_bytes() == before


def test_ten_thousand_copies_are_one_cluster(likewise, tmp_path):
    corpus = write_jsonl(tmp_path / "c.jsonl", [{"id": i, "text": CARAVAN} for i in range(10_000)])
    ran = likewise("dedup", corpus, "--json", "--no-pairs", "--output", tmp_path / "clean")
    assert ran.status == 0, ran.err
    assert ran.summary["thresholds"][0]["pairs"] == 49_995_000
    assert ran.summary["thresholds"][0]["kept"] == 1
    assert len(jsonl(tmp_path / "clean/c.jsonl")) == 1


def test_files_beside_the_corpus_are_named(likewise, corpus, tmp_path):
    write(tmp_path / "readme.md", "about")
    ran = likewise("dedup", tmp_path)
    assert "readme.md" in ran.out
    assert likewise("dedup", tmp_path, "--json").summary["left_out"] == ["readme.md"]


def test_the_other_corpus_may_have_fields_of_its_own(likewise, corpus, tmp_path):
    old = write_jsonl(tmp_path / "old.jsonl", [{"n": 7, "question": CARAVAN}])
    ran = likewise("dedup", corpus, "--against", old)
    assert ran.status == 2 and "question" in ran.err
    fields = ("--against-text", "question", "--against-id", "n")
    ran = likewise("dedup", corpus, "--against", old, *fields, "--json")
    assert ran.status == 0, ran.err
    assert {pair["b"] for pair in ran.of_type("pair")} == {"7"}


@pytest.mark.parametrize("option", ["--pairs", "--clusters", "--kept"])
def test_a_list_is_not_put_into_the_corpus_it_is_made_from(likewise, tmp_path, option):
    folder = tmp_path / "shards"
    folder.mkdir()
    write_jsonl(folder / "a.jsonl", [{"id": "a", "text": CARAVAN}])
    ran = likewise("dedup", folder, option, folder / "list.jsonl")
    assert ran.status == 2
    assert "lies in the corpus" in ran.err
    assert [path.name for path in folder.iterdir()] == ["a.jsonl"]
