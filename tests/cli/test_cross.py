"""`likewise cross`: pairs between two folders."""

import re

from .conftest import CARAVAN, EXAMPLES, HARVEST, write

ESSAYS, ARCHIVE = EXAMPLES / "essays", EXAMPLES / "archive"


def test_every_pair_has_one_document_of_each_folder(likewise):
    ran = likewise("cross", ESSAYS, ARCHIVE, "-t", "0.2", "--json")
    assert ran.status == 0, ran.err
    pairs = ran.of_type("pair")
    assert len(pairs) == 9
    assert all((ESSAYS / pair["a"]).exists() for pair in pairs)
    assert all((ARCHIVE / pair["b"]).exists() for pair in pairs)
    assert ran.summary["documents"] == 32


def test_the_folders_stand_above_the_names(likewise):
    out = likewise("cross", ESSAYS, ARCHIVE, "-t", "0.9").out
    assert re.search(r"A: essays +B: archive", out)
    assert re.search(r"97\.\d% ━+╸? .*kirill-library.txt +lena-library.txt", out)


def test_only_one_language_can_be_compared(likewise):
    ran = likewise("cross", ESSAYS, ARCHIVE, "-t", "0.2", "--language", "kk", "--json")
    assert len(ran.of_type("pair")) == 3
    assert ran.summary["other_languages"] > 0


def test_a_name_that_stands_in_both_folders_is_told_with_its_folder(likewise, tmp_path):
    for side in ("new", "old"):
        write(tmp_path / side / "a.txt", CARAVAN)
        write(tmp_path / side / "broken.txt", b"\x89PNG\r\n\x1a\n")
    ran = likewise("cross", tmp_path / "new", tmp_path / "old", "--json")
    assert ran.of_type("cluster")[0]["members"] == ["new/a.txt", "old/a.txt"]
    assert [file["name"] for file in ran.of_type("unread")] == ["new/broken.txt", "old/broken.txt"]


def test_folders_of_one_name_are_told_apart(likewise, tmp_path):
    for year in ("2023", "2024"):
        write(tmp_path / year / "texts" / "a.txt", CARAVAN)
    ran = likewise("cross", tmp_path / "2023/texts", tmp_path / "2024/texts", "--json")
    assert len(set(ran.of_type("cluster")[0]["members"])) == 2


def test_nothing_on_one_side_is_a_clear_result(likewise, tmp_path):
    write(tmp_path / "new/a.txt", HARVEST)
    (tmp_path / "old").mkdir()
    ran = likewise("cross", tmp_path / "new", tmp_path / "old")
    assert ran.status == 0, ran.err
    assert "nothing to compare with" in ran.out


def test_a_side_of_which_nothing_could_be_read_is_an_error(likewise, tmp_path):
    write(tmp_path / "new/a.txt", HARVEST)
    write(tmp_path / "old/a.txt", b"\x89PNG\r\n\x1a\n")
    ran = likewise("cross", tmp_path / "new", tmp_path / "old")
    assert ran.status == 2
    assert "its only file could not be read" in ran.err


def test_status_says_whether_there_are_pairs_if_asked(likewise):
    assert likewise("cross", ESSAYS, ARCHIVE, "--fail-on-match").status == 1
    assert likewise("cross", ESSAYS, ARCHIVE, "-t", "1", "--fail-on-match").status == 0
