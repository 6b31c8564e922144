"""Whose a file is: names for people out of the paths that learning platforms make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.reading.submissions import display_name, display_names

MOODLE = "Emma Clarke_231502_assignsubmission_file_/essay.docx"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (MOODLE, "Emma Clarke"),
        ("Emma Clarke_231502_assignsubmission_file/essay.docx", "Emma Clarke"),
        ("Emma Clarke_231502_assignsubmission_file_essay.docx", "Emma Clarke"),
        ("Emma Clarke_231502_assignsubmission_onlinetext_/onlinetext.html", "Emma Clarke"),
        ("class.zip/Әлия Нұрлан_8_assignsubmission_file_/эссе.docx", "Әлия Нұрлан"),
        ("Participant 17_231502_assignsubmission_file_/essay.docx", "Participant 17"),
        ("clarkeemma_12345_67890_essay.docx", "clarkeemma"),
        ("clarkeemma_LATE_12345_67890_essay.docx", "clarkeemma"),
        ("Essay 1_eclarke_attempt_2026-11-18-10-00-00_essay.docx", "eclarke"),
        ("Essay_1_eclarke_attempt_2026-11-18-10-00-00.txt", "eclarke"),
        ("essay.docx", "essay.docx"),
        ("report_2023_1_final.docx", "report_2023_1_final.docx"),
        ("_1_assignsubmission_file_/", "_1_assignsubmission_file_"),
    ],
)
def test_a_student_is_called_by_name(path: str, name: str) -> None:
    assert display_names([path]) == (name,)


def test_a_folder_is_a_student_unless_all_lie_in_it() -> None:
    paths = ["Group 7/Emma Clarke/essay.docx", "Group 7/Dana Lee.zip/text/essay.docx"]
    assert display_names(paths) == ("Emma Clarke", "Dana Lee")
    assert display_names(["essays/a.docx", "essays/b.docx"]) == ("a.docx", "b.docx")
    assert display_names(["Emma Clarke/essay.docx", "late.docx"]) == ("Emma Clarke", "late.docx")


def test_several_files_of_one_student_are_told_apart_by_their_names() -> None:
    other = MOODLE.replace("essay.docx", "table.xlsx")
    lee = "Dana Lee_231503_assignsubmission_file_/essay.docx"
    assert display_names([MOODLE, other, lee]) == (
        "Emma Clarke · essay.docx",
        "Emma Clarke · table.xlsx",
        "Dana Lee",
    )


def test_namesakes_are_told_apart_by_what_the_platform_calls_them() -> None:
    paths = [MOODLE, MOODLE.replace("231502", "231777").replace("Clarke", "clarke")]
    assert display_names(paths) == ("Emma Clarke (231502)", "Emma clarke (231777)")
    more = [*paths, MOODLE.replace("essay", "notes")]
    assert display_names(more)[2] == "Emma Clarke (231502) · notes.docx"


def test_canvas_counts_only_where_every_file_is_called_so() -> None:
    mixed = ["clarkeemma_12345_67890_essay.docx", "report.docx"]
    assert display_names(mixed) == tuple(mixed)
    all_of_them = ["clarkeemma_12345_67890_essay.docx", "leedana_12346_67891_essay.docx"]
    assert display_names(all_of_them) == ("clarkeemma", "leedana")


def test_a_document_from_elsewhere_keeps_the_name_of_its_file() -> None:
    assert display_name(MOODLE) == "Emma Clarke · essay.docx"
    assert display_name("theses/2019/essay.docx") == "theses/2019/essay.docx"
    assert display_name("") == "?"


PIECES = st.sampled_from(
    [
        *("Emma Clarke", "_", "/", " ", "\n", "1", "231502", "_assignsubmission_file_", "LATE"),
        *("_attempt_2026-11-18-10-00-00", ".docx", "essay", "\u202e", "Ә", "(", "?"),
    ]
)
PATHS = st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=20)


@given(st.lists(PATHS, max_size=8))
def test_every_file_has_a_name_and_no_two_have_the_same(paths: list[str]) -> None:
    names = display_names(paths)
    assert len(names) == len(paths) and all(name.strip() for name in names)
    named = {path: name for path, name in zip(paths, names, strict=True) if path.strip()}
    assert len(set(named.values())) == len(named)


@given(PATHS)
def test_a_file_from_elsewhere_has_a_name_too(path: str) -> None:
    assert display_name(path).strip()
