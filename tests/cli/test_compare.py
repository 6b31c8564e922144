"""`likewise compare`: two documents by every measure."""

import re

import pytest

from .conftest import CARAVAN, EXAMPLES, HARVEST, write

VERA, TIMUR = EXAMPLES / "essays/vera-aral.txt", EXAMPLES / "essays/timur-aral.txt"


def test_every_measure_has_a_plain_name(likewise):
    ran = likewise("compare", VERA, TIMUR)
    assert ran.status == 0, ran.err
    for row in (
        r"of A, found in B \(containment\) +\d+\.\d%",
        r"of B, found in A \(containment\) +\d+\.\d%",
        r"of both together \(Jaccard\) +\d+\.\d%",
        r"\(Dice\) +\d+\.\d%",
        r"shingles \(Jaccard\) +\d+\.\d% +\S+ +inside",
        r"signature .* +\d+\.\d%",
        r"tf-idf cosine\) +\d+\.\d%",
        r"words \(cosine\) +\d+\.\d%",
        r"Agreement of four measures",
        r"inside the 99% interval",
    ):
        assert re.search(row, ran.out), row
    assert not re.search(r"\bsure\b", ran.out)


def test_json_is_one_object(likewise):
    ran = likewise("compare", VERA, TIMUR, "--json", "--level", 95)
    (match,) = ran.lines
    assert (match["a"], match["b"]) == (str(VERA), str(TIMUR))
    assert 0.7 < match["jaccard"] < match["containment_a"] < 1
    assert match["scores"]["interval"]["level"] == 95
    assert match["settings"]["shingle"] == 5


def test_settings_reach_the_engine(likewise):
    (wide,) = likewise("compare", VERA, TIMUR, "--json", "--shingle", 10).lines
    (narrow,) = likewise("compare", VERA, TIMUR, "--json", "--shingle", 2).lines
    assert wide["jaccard"] < narrow["jaccard"]


def test_measures_that_contradict_each_other_are_flagged(likewise, tmp_path):
    words = CARAVAN.split()
    a = write(tmp_path / "a.txt", " ".join(sorted(words)))
    b = write(tmp_path / "b.txt", " ".join(sorted(words, key=lambda word: word[::-1])))
    ran = likewise("compare", a, b, "--plain", "--level", 90)
    assert ran.out.count("outside") == 4
    assert "none lies inside the 90% interval" in " ".join(ran.out.split())


@pytest.mark.parametrize("text", ["the and of", "\n\n"])
def test_a_document_without_words_is_told(likewise, tmp_path, text):
    a, b = write(tmp_path / "a.txt", text), write(tmp_path / "b.txt", HARVEST)
    ran = likewise("compare", a, b)
    assert ran.status == 0, ran.err
    assert "There are no words to compare in" in ran.out


def test_two_that_share_nothing_have_words_all_the_same(likewise, tmp_path):
    a, b = write(tmp_path / "a.txt", "qwe rty"), write(tmp_path / "b.txt", "asd fgh")
    ran = likewise("compare", a, b)
    assert ran.status == 0
    assert "no words" not in ran.out


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "No such file"), (b"\x89PNG\r\n\x1a\n", "a picture"), (b"\0\1\2\3" * 99, "binary")],
)
def test_a_document_that_cannot_be_read_is_an_error(likewise, tmp_path, content, reason):
    broken = tmp_path / "broken.txt"
    if content is not None:
        broken.write_bytes(content)
    ran = likewise("compare", VERA, broken)
    assert (ran.status, ran.out) == (2, "")
    assert re.fullmatch(rf"likewise: \S*broken.txt: .*{reason}.*\n", ran.err)


def test_a_level_nobody_knows_is_refused(likewise):
    ran = likewise("compare", VERA, TIMUR, "--level", 80)
    assert ran.status == 2
    assert "90, 95 or 99" in ran.err


def test_an_empty_file_is_refused(likewise, tmp_path):
    a, b = write(tmp_path / "a.txt", ""), write(tmp_path / "b.txt", HARVEST)
    ran = likewise("compare", a, b)
    assert ran.status == 2
    assert "a.txt: the file is empty" in ran.err
