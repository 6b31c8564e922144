"""`likewise read`: what the program sees in a file."""

from .conftest import CARAVAN, ROOT, write

FILES = ROOT / "tests" / "files"


def test_text_notes_and_what_is_left_out_are_shown(likewise):
    ran = likewise("read", FILES / "essays/ru/lake.pdf")
    assert ran.status == 0, ran.err
    for part in ("Russian · 3 pages", "running header", "Записки о Балхаше", "Почему вода"):
        assert part in ran.out


def test_json_has_everything(likewise):
    (read,) = likewise("read", FILES / "essays/kk/apple.docx", "--json").lines
    assert read["language"] == "kk"
    assert len(read["tables"]) == 1
    assert len(read["pictures"][0]["hash"]) == 16
    for piece in read["left_out"]:
        assert read["text"][piece["start"] : piece["end"]] == piece["text"]


def test_a_member_of_an_archive_is_a_file_too(likewise):
    ran = likewise("read", FILES / "archives/moodle.zip/nothing.docx")
    assert ran.status == 2
    assert "there is no such file in moodle.zip" in ran.err


def test_nothing_in_a_text_moves_the_cursor(likewise, tmp_path):
    path = write(tmp_path / "a.txt", CARAVAN + "\x1b[31mred\x1b[0m")
    assert "\x1b" not in likewise("read", path).out


def test_languages_of_pictures_are_checked(likewise):
    ran = likewise("read", FILES / "essays/ru/lake.pdf", "--ocr", "../x")
    assert ran.status == 2
    assert "--ocr ../x: give languages" in ran.err
