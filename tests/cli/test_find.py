"""`likewise find`: pairs of a folder, for people and for programs."""

import os
import re
import struct

import pytest

from .conftest import CARAVAN, EXAMPLES, HARVEST, write

ESSAYS = EXAMPLES / "essays"


def test_the_strongest_pairs_come_first_with_their_names_and_shares(likewise):
    ran = likewise("find", ESSAYS, "--threshold", "0.2")
    assert ran.status == 0, ran.err
    table = ran.out.splitlines()
    assert re.match(r"similarity +A in B +B in A +agreement +language +A +B", table[0])
    assert re.match(r"7\d\.\d% ━+╸? +8\d\.\d% +8\d\.\d% .* timur-aral.txt +vera-aral.txt", table[1])
    shares = [float(share) for share in re.findall(r"^ ?(\d+\.\d)% ━", ran.out, re.MULTILINE)]
    assert shares == sorted(shares, reverse=True)
    assert len(shares) == 6


def test_clusters_are_told_with_their_weakest_link(likewise):
    ran = likewise("find", ESSAYS, "-t", "0.2")
    assert re.search(
        r"3 documents +weakest link 37\.\d% +ilya-aral.txt, timur-aral.txt, vera-aral.txt", ran.out
    )


def test_the_last_lines_say_what_was_done_and_how(likewise):
    figures, method = likewise("find", ESSAYS, "-t", "0.2").out.splitlines()[-2:]
    assert re.fullmatch(r"22 documents · 6 pairs · jaccard ≥ 0\.2 · \d+\.\d+ s", figures)
    assert method.startswith("exact join")


def test_json_gives_pairs_clusters_and_a_summary(likewise):
    ran = likewise("find", ESSAYS, "-t", "0.2", "--json")
    assert [line["type"] for line in ran.lines] == [
        *["pair"] * 6,
        *["cluster"] * 3,
        "note",
        "summary",
    ]
    pair = ran.lines[0]
    assert set(pair) == {
        *("type", "a", "b", "jaccard", "containment_a", "containment_b", "scores"),
    }
    assert set(pair["scores"]) == {
        *("dice", "signature", "tfidf", "words", "agreement", "interval"),
    }
    assert set(pair["scores"]["interval"]) == {"low", "high", "level", "inside"}
    cluster = ran.of_type("cluster")[1]
    assert cluster["members"] == ["ilya-aral.txt", "timur-aral.txt", "vera-aral.txt"]
    assert 0.37 < cluster["weakest"] < 0.38
    summary = ran.summary
    assert (summary["documents"], summary["pairs"], summary["clusters"]) == (22, 6, 3)
    assert summary["settings"]["threshold"] == summary["threshold"] == 0.2
    assert summary["recipe"].startswith("sketch")
    assert summary["method"].startswith("exact")


def test_a_limit_hides_pairs_and_says_how_many(likewise):
    assert "and 4 more pairs" in likewise("find", ESSAYS, "-t", "0.2", "--limit", 2).out
    limited = likewise("find", ESSAYS, "-t", "0.2", "--limit", 2, "--json")
    assert len(limited.of_type("pair")) == 2
    assert limited.summary["pairs"] == 6


def test_only_one_language_can_be_compared(likewise):
    ran = likewise("find", ESSAYS, "-t", "0.2", "--language", "ru", "--json")
    assert {pair["a"] for pair in ran.of_type("pair")} == {"ilya-aral.txt", "timur-aral.txt"}
    assert ran.summary["documents"] + ran.summary["other_languages"] == 22
    assert ran.of_type("unread") == []
    told = likewise("find", ESSAYS, "-t", "0.2", "--language", "ru").out
    assert re.search(r"^8 documents in ru, 14 in other languages", told, re.MULTILINE)
    assert "language" not in told.splitlines()[0], "all pairs are in one"


def test_settings_reach_the_engine(likewise):
    ran = likewise(
        *("find", ESSAYS, "--json", "-t", "0.3", "--measure", "containment", "--shingle", 3),
        *("--chars", "--languages", "ru,kk", "--no-stem", "--drop-digits", "--keep-symbols"),
        *("--keep-urls", "--no-join-hyphens", "--no-homoglyphs", "--min-length", 2),
        *("--max-length", 30, "--drop-common", "0.9", "--slots", 64, "--bits", 32, "--seed", 7),
        *("--scheme", "minhash", "--no-stop-words", "--jobs", 1, "--memory", "300MB"),
    )
    said = ran.summary["settings"]
    expected = (
        "threshold 0.3; measure containment; shingle 3; unit chars; languages ['ru', 'kk'];"
        "stem False; drop_digits True; drop_symbols False; drop_urls False; join_hyphens False;"
        "homoglyphs False; min_length 2; max_length 30; drop_common 0.9; slots 64; bits 32;"
        "seed 7; scheme minhash; stop_words False; method exact"
    )
    for told in expected.split(";"):
        name, value = told.split(maxsplit=1)
        assert str(said[name]) == value, name


@pytest.mark.parametrize(
    ("options", "method"),
    [
        (["--method", "lsh", "--recall", "0.9"], r"LSH, \d+ bands of \d+ rows: finds 9\d"),
        (["--method", "lsh", "--bands", "20x5"], "LSH, 20 bands of 5 rows"),
        (["--mega-shingles"], "LSH, 6 bands of 14 rows, 2 of which must agree"),
        (["--mega-shingles", "--plain"], "LSH, 6 bands of 14 rows, 2 of which must agree"),
        (["--filter", "length"], "filter 'length': .* loses no pair"),
        (["--filter", "positions"], "filter 'positions': .* may lose pairs"),
    ],
)
def test_the_method_is_told_in_words(likewise, options, method):
    ran = likewise("find", ESSAYS, "-t", "0.3", *options)
    assert ran.status == 0, ran.err
    assert re.search(method, " ".join(ran.out.split()))


def test_plain_is_plain_and_more_can_be_said_on_top(likewise):
    said = likewise("find", ESSAYS, "--plain", "--min-length", 3, "--json").summary["settings"]
    assert (said["stem"], said["stop_words"], said["homoglyphs"]) == (False, False, False)
    assert said["min_length"] == 3


def test_stop_words_can_be_replaced_and_extended(likewise, folder, tmp_path):
    mine = write(tmp_path / "mine.txt", "# mine\ncaravan\ncamels\n")
    said = likewise("find", folder, "--stop-words", mine, "--json").summary["settings"]
    assert said["stop_words"] == ["camels", "caravan"]
    said = likewise("find", folder, "--add-stop-words", mine, "--json").summary["settings"]
    assert {"camels", "the", "және"} <= set(said["stop_words"])
    ran = likewise("find", folder, "--stop-words", tmp_path / "none.txt")
    assert (ran.status, ran.out) == (2, "")
    assert "none.txt" in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bands", "20"], "such as 20x5"),
        (["--recall", "0.9"], "belongs to --method lsh"),
        (["--mega-shingles", "--method", "exact"], "belongs to --method lsh"),
        (["--threshold", "0"], "threshold is 0"),
        (["--threshold", "much"], "'--threshold'"),
        (["--threshold", "nan"], "threshold is nan"),
        (["--measure", "size"], "'--measure'"),
        (["--languages", "fr"], "language 'fr'"),
        (["--memory", "lots"], "such as 500MB"),
        (["--jobs", "0"], "'--jobs'"),
        (["--no-stop-words", "--stop-words", "x"], "contradicts"),
        (["--sideways"], "--sideways"),
        (["another"], "another"),
    ],
)
def test_bad_use_is_one_line_and_status_2(likewise, folder, options, message):
    ran = likewise("find", folder, *options)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("likewise: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_matches_can_fail_the_command(likewise, folder):
    assert likewise("find", folder, "--fail-on-match").status == 1
    assert likewise("find", folder, "--fail-on-match", "--language", "kk").status == 0


def test_files_that_cannot_be_read_are_named_with_the_reason(likewise, folder):
    write(folder / "picture.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    write(folder / "junk.txt", struct.pack("<500d", *range(500)))
    write(folder / "empty.txt", "")
    (folder / "vanished.txt").symlink_to(folder / "nowhere")
    ran = likewise("find", folder)
    assert ran.status == 0
    for line in (
        r"picture.txt +a picture",
        r"junk.txt +binary data",
        r"vanished.txt +No such file",
        r"empty.txt +the file is empty",
    ):
        assert re.search(line, ran.out)
    as_json = likewise("find", folder, "--json")
    assert {line["name"] for line in as_json.of_type("unread")} == {
        *("picture.txt", "junk.txt", "vanished.txt", "empty.txt"),
    }
    assert as_json.summary["unread"] == 4
    assert likewise("find", folder, "--strict").status == 2


def test_nothing_readable_is_an_error_that_lists_the_files(likewise, tmp_path):
    write(tmp_path / "f/a.txt", b"\x89PNG\r\n\x1a\n")
    ran = likewise("find", tmp_path / "f")
    assert ran.status == 2
    assert "a.txt" in ran.out
    assert "its only file could not be read" in ran.err


def test_an_empty_folder_is_a_clear_result(likewise, tmp_path):
    ran = likewise("find", tmp_path)
    assert ran.status == 0, ran.err
    assert "No documents here" in ran.out
    assert likewise("find", tmp_path, "--json").summary["documents"] == 0


def test_one_document_is_a_clear_result(likewise, tmp_path):
    write(tmp_path / "f/a.txt", CARAVAN)
    ran = likewise("find", tmp_path / "f")
    assert ran.status == 0, ran.err
    assert "nothing to compare it with" in ran.out
    assert "1 document · 0 pairs" in ran.out


def test_empty_documents_resemble_nothing(likewise, tmp_path):
    write(tmp_path / "f/a.txt", "")
    write(tmp_path / "f/b.txt", " \n")
    ran = likewise("find", tmp_path / "f", "--json")
    assert ran.status == 0
    assert ran.summary["pairs"] == 0
    assert len(ran.of_type("unread")) == 2


def test_a_file_is_no_folder(likewise, folder):
    ran = likewise("find", folder / "caravan.txt")
    assert ran.status == 2
    assert "a folder or a ZIP archive is needed" in ran.err


def test_zero_bytes_and_words_of_any_script_are_compared(likewise, tmp_path):
    text = CARAVAN.replace(" ", "\0 ", 2) + " 水木金土 ᚠᚢᚦ"
    write(tmp_path / "f/a.txt", text)
    write(tmp_path / "f/b.txt", text)
    ran = likewise("find", tmp_path / "f", "--json")
    assert ran.of_type("pair")[0]["jaccard"] == 1


def test_names_cannot_play_with_the_terminal(likewise, tmp_path):
    evil = "\x1b[31m[bold]red[/bold]\u202etxt"
    write(tmp_path / "f" / evil, CARAVAN)
    write(tmp_path / "f" / "b.txt", CARAVAN)
    ran = likewise("find", tmp_path / "f")
    assert "\x1b" not in ran.out and "\u202e" not in ran.out
    assert r"\x1b[31m[bold]red" in ran.out
    assert likewise("find", tmp_path / "f", "--json").of_type("pair")[0]["a"] == evil


def test_long_names_are_shortened_in_the_middle_and_lines_fit_a_page(likewise, tmp_path):
    long = "a-very-long-name-" * 6 + "end.txt"
    write(tmp_path / "f" / long, CARAVAN)
    write(tmp_path / "f" / ("漢" * 60 + ".txt"), CARAVAN)
    write(tmp_path / "f" / "h.txt", HARVEST)
    ran = likewise("find", tmp_path / "f")
    assert re.search(r"a-very-\S*…\S*end.txt", ran.out)
    assert max(map(len, ran.out.splitlines())) <= 100


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_names_that_are_no_text_are_told_nevertheless(likewise, tmp_path):
    write(tmp_path / "f/b.txt", CARAVAN)
    write(tmp_path / "f" / os.fsdecode(b"\xff\xfe.txt"), CARAVAN)
    ran = likewise("find", tmp_path / "f", "--json")
    assert ran.status == 0, ran.err
    assert len(ran.of_type("pair")) == 1


@pytest.mark.slow
def test_three_thousand_copies_are_one_cluster(likewise, tmp_path):
    texts = tmp_path / "f"
    texts.mkdir()
    for i in range(3_000):
        (texts / f"{i:05}.txt").write_bytes(CARAVAN.encode())
    ran = likewise("find", texts, "--limit", 3)
    assert "and 4,498,497 more pairs" in ran.out
    assert "3,000 documents  weakest link 100%" in ran.out
    assert "and 2,988 more" in ran.out
    assert len(ran.out) < 3000
    as_json = likewise("find", texts, "--limit", 1, "--json")
    assert as_json.summary["pairs"] == 4_498_500
    assert len(as_json.of_type("cluster")[0]["members"]) == 3_000
