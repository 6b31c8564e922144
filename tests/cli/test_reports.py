"""`--report`: every verb that finds writes what it found, in the format that the name asks for."""

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

import likewise as lw

from .conftest import CARAVAN, HARVEST, write

ENDINGS = {
    ".html": b"<!doctype html>",
    ".pdf": b"%PDF-",
    ".docx": b"PK\x03\x04",
    ".json": b"{",
    ".csv": b"\xef\xbb\xbf",
}


@pytest.fixture
def essay(tmp_path) -> Path:
    return write(tmp_path / "essay.txt", f"{HARVEST} {CARAVAN}")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("verb", ["check", "compare", "find", "cross", "dedup"])
def test_every_verb_writes_every_format(likewise, folder, essay, corpus, tmp_path, verb, ending):
    asked = {
        "check": [essay, "--against", folder],
        "compare": [essay, folder / "caravan.txt"],
        "find": [folder],
        "cross": [folder, folder / "copies"],
        "dedup": [corpus],
    }[verb]
    report = tmp_path / f"report{ending}"
    ran = likewise(verb, *asked, "--report", report)
    assert ran.status == 0, ran.err
    assert report.read_bytes().startswith(ENDINGS[ending])
    assert f"Report: {report}" in ran.out.replace("\n", "")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_with_json_only_json_is_printed(likewise, folder, tmp_path):
    ran = likewise("find", folder, "--json", "--report", tmp_path / "report.json")
    assert ran.summary["pairs"] == 1
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["all_pairs"] == 1


def test_the_language_of_a_report_can_be_chosen(likewise, folder, essay, tmp_path):
    for language, word in (("ru", "источник"), ("kk", "дереккөз"), ("en", "source")):
        report = tmp_path / f"{language}.csv"
        ran = likewise(
            *("check", essay, "--against", folder, "--report", report),
            *("--report-language", language),
        )
        assert ran.status == 0
        assert word in report.read_text("utf-8-sig").splitlines()[0]


def test_the_language_of_the_system_is_the_default(likewise, folder, essay, tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "kk_KZ.UTF-8")
    likewise("check", essay, "--against", folder, "--report", tmp_path / "a.csv")
    assert "дереккөз" in (tmp_path / "a.csv").read_text("utf-8-sig").splitlines()[0]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("report.txt", "ends in .html, .pdf, .docx, .json, .csv"),
        ("report", "ends in .html"),
        ("nowhere/report.html", "there is no folder"),
        ("folder.html", "a folder"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused_before_the_work(
    likewise, folder, tmp_path, name, reason
):
    (tmp_path / "folder.html").mkdir()
    ran = likewise("find", folder, "--report", tmp_path / name)
    assert ran.status == 2 and reason in ran.err and not ran.out


def test_a_report_among_the_documents_is_refused(likewise, folder, essay):
    ran = likewise("find", folder, "--report", folder / "report.html")
    assert ran.status == 2 and "would be compared the next time" in ran.err
    ran = likewise("check", essay, "--against", folder, "--report", folder / "copies" / "x.pdf")
    assert ran.status == 2 and "would be compared the next time" in ran.err


def test_a_report_never_overwrites_what_is_compared(likewise, tmp_path):
    page = write(tmp_path / "a.html", f"<p>{CARAVAN}</p>")
    other = write(tmp_path / "b.txt", CARAVAN)
    ran = likewise("compare", page, other, "--report", page)
    assert ran.status == 2 and "overwrite" in ran.err
    assert page.read_text() == f"<p>{CARAVAN}</p>"


def test_a_language_without_a_report_is_refused(likewise, folder):
    ran = likewise("find", folder, "--report-language", "ru")
    assert ran.status == 2 and "--report" in ran.err


def test_an_old_report_stays_if_the_new_one_fails(likewise, folder, tmp_path):
    report = write(tmp_path / "report.html", "old")
    write(folder / "broken.pdf", "%PDF-1.7")
    for path in folder.rglob("*.txt"):
        path.unlink()
    ran = likewise("find", folder, "--report", report)
    assert ran.status == 2 and report.read_text() == "old"


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_a_report_has_the_rights_of_any_new_file(likewise, folder, tmp_path):
    before = os.umask(0o027)
    try:
        likewise("find", folder, "--report", tmp_path / "report.csv")
    finally:
        os.umask(before)
    assert (tmp_path / "report.csv").stat().st_mode & 0o777 == 0o640


def test_save_takes_every_result(folder, corpus, tmp_path):
    results: dict[str, Any] = {
        "check": lw.check(folder / "caravan.txt", folder / "copies"),
        "match": lw.compare(folder / "caravan.txt", folder / "harvest.txt"),
        "find": lw.find(folder),
        "cross": lw.cross(folder, folder / "copies", passages=True),
        "dedup": lw.dedup(corpus),
    }
    for name, result in results.items():
        lw.save(result, tmp_path / f"{name}.docx")
        assert zipfile.is_zipfile(tmp_path / f"{name}.docx")


def test_save_says_what_it_takes(tmp_path):
    with pytest.raises(lw.LikewiseError, match=r"check, compare, find, cross or dedup.*not of str"):
        lw.save("thesis.pdf", tmp_path / "a.html")  # type: ignore[arg-type]
    with pytest.raises(lw.LikewiseError, match="'de' is not there"):
        document = lw.Document.from_text(CARAVAN)
        lw.save(lw.compare(document, document), tmp_path / "a.pdf", language="de")
    assert not list(tmp_path.iterdir())


def test_a_report_does_not_tell_the_folders_of_its_maker(likewise, folder, essay, tmp_path):
    for verb, rest in (("check", ["--against", folder]), ("compare", [folder / "harvest.txt"])):
        report = tmp_path / f"{verb}.json"
        assert likewise(verb, essay, *rest, "--report", report).status == 0
        told = report.read_text("utf-8")
        assert str(tmp_path) not in told
        assert json.loads(told)["document"]["name"] == "essay.txt"
