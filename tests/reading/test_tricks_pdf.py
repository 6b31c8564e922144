"""Text that a PDF has and does not show is found where it stands; what is seen raises nothing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.draft import Draft, Hidden
from likewise.reading.pdf import pages_as_pictures, pdf_text, read_pdf
from likewise.reading.pdf.footnote_marks import RaisedNumber, note_marks
from likewise.reading.pdf.page import HiddenRun, PageText
from likewise.reading.pdf.running_lines import EdgeLine
from likewise.reading.pdf.writing import write_pages
from likewise.reading.request import Limits, Request
from tests.files.making.tricks_pdf import (
    AFTER,
    AFTER_KK,
    AFTER_RU,
    BEFORE,
    BEFORE_KK,
    BEFORE_RU,
    HIDDEN,
    HIDDEN_KK,
    HIDDEN_RU,
)

FILES = Path(__file__).parent.parent / "files"
ENGLISH = (BEFORE, HIDDEN, AFTER)
RUSSIAN = (BEFORE_RU, HIDDEN_RU, AFTER_RU)
KAZAKH = (BEFORE_KK, HIDDEN_KK, AFTER_KK)


def document_in(data: bytes) -> Document:
    return read_pdf(data, Request()).document("a.pdf")


def trick(name: str) -> bytes:
    return (FILES / "tricks" / f"{name}.pdf").read_bytes()


def words(*texts: str) -> list[str]:
    return [word for text in texts for word in text.split()]


@pytest.mark.parametrize(
    ("name", "how", "texts"),
    [
        ("white-web", Hidden.WHITE, ENGLISH),
        ("white-office", Hidden.WHITE, RUSSIAN),
        ("white-kk-office", Hidden.WHITE, KAZAKH),
        ("ground-web", Hidden.WHITE, ENGLISH),
        ("transparent-web", Hidden.TRANSPARENT, ENGLISH),
        ("transparent-office", Hidden.TRANSPARENT, RUSSIAN),
        ("tiny-web", Hidden.TINY, ENGLISH),
        ("tiny-office", Hidden.TINY, RUSSIAN),
        ("picture-web", Hidden.UNDER_PICTURE, ENGLISH),
        ("patch-web", Hidden.UNDER_PICTURE, ENGLISH),
        ("invisible", Hidden.INVISIBLE, ENGLISH),
        ("clip-only", Hidden.INVISIBLE, ENGLISH),
        ("clipped", Hidden.CLIPPED, ENGLISH),
        ("off-page", Hidden.OFF_PAGE, ENGLISH),
    ],
)
def test_hidden_text_is_found_and_nothing_else(
    name: str, how: str, texts: tuple[str, str, str]
) -> None:
    document = document_in(trick(name))
    before, hidden, after = texts
    [note] = document.notes
    assert note.kind == "hidden text"
    assert how in str(note.message)
    [span] = note.spans
    assert words(span.of(document.text)) == words(hidden)
    assert words(document.compared_text) == words(before, after)
    assert sorted(words(document.text)) == sorted(words(*texts))


def test_white_words_in_the_middle_of_a_line_are_found() -> None:
    document = document_in(trick("white-in-the-line"))
    [note] = document.notes
    [span] = note.spans
    assert span.of(document.text) == "with seven pears too many for soup"
    assert words(document.compared_text)[1:] == words(BEFORE, AFTER)


def test_what_is_seen_raises_nothing() -> None:
    """Light on dark, on a picture, below a highlight, small, with a halo, filled by a picture."""
    document = document_in(trick("honest"))
    assert document.notes == ()
    assert document.left_out == ()


def test_the_text_of_a_searchable_scan_is_compared() -> None:
    document = document_in(trick("scan"))
    assert document.notes == ()
    assert words(document.compared_text) == words(BEFORE, HIDDEN, AFTER)


@pytest.mark.parametrize(
    "path",
    [
        path
        for folder in ("pdf", "essays")
        for path in sorted((FILES / folder).glob("**/*.pdf"))
        if path.name != "locked.pdf"
    ],
    ids=lambda path: path.stem,
)
def test_ordinary_files_hide_nothing(path: Path) -> None:
    document = document_in(path.read_bytes())
    assert [note for note in document.notes if note.kind == "hidden text"] == []


def test_spans_are_exact_where_words_were_divided() -> None:
    raw = "The fer\ufffery and the sto-\r\nry. Seven lost\ufffely words. The end of a sto-\r\nry."
    start, end = raw.index("Seven"), raw.index(" The end")
    draft = Draft()
    write_pages(draft, [PageText(1, raw, hidden=[HiddenRun(start, end, Hidden.WHITE)])])
    document = draft.document("a")
    assert document.text == "The ferry and the story. Seven lostly words. The end of a story.\n"
    [note] = document.notes
    assert [span.of(document.text) for span in note.spans] == ["Seven lostly words."]


def test_hidden_marks_of_printers_are_running_lines() -> None:
    pages = []
    for number in range(1, 5):
        raw = f"Text of page {number}.\r\nset by the old press of the town, sheet {number}"
        edge = EdgeLine(raw.index("set"), len(raw), raw[raw.index("set") :], 0.02)
        hidden = [HiddenRun(edge.start, edge.end, Hidden.WHITE)]
        pages.append(PageText(number, raw, edges=[edge], hidden=hidden))
    draft = Draft()
    write_pages(draft, pages)
    document = draft.document("a")
    assert document.notes == ()
    assert {reason for _, reason in document.left_out} == {"running footer"}


def test_text_alone_is_quick_and_looks_for_nothing() -> None:
    assert pdf_text(trick("white-web"), Request()).document("a").notes == ()


# Numbers of notes


@pytest.mark.parametrize("name", ["en/steppe", "ru/lake", "kk/apple"])
def test_numbers_of_footnotes_are_left_out(name: str) -> None:
    for path in (FILES / "essays" / f"{name}.pdf", FILES / "essays" / f"{name}-printed.pdf"):
        document = document_in(path.read_bytes())
        marks = [span for span, reason in document.left_out if reason == "note mark"]
        assert sorted(span.of(document.text) for span in marks) == ["1", "1", "2", "2"], path.name
        assert all(a.end <= b.start for a, b in pairwise(sorted(marks)))


def mark(number: int, at: int, size: float = 11.0) -> RaisedNumber:
    return RaisedNumber(at, at + 1, number, before_note=False, certain=True, size=size)


def note(number: int, at: int, size: float = 9.0, certain: bool = False) -> RaisedNumber:
    return RaisedNumber(at, at + 1, number, before_note=True, certain=certain, size=size)


def test_a_mark_without_a_note_is_text() -> None:
    assert note_marks([[mark(2, 5)], [note(3, 40)]]) == [[], []]


def test_a_numbered_line_in_the_size_of_the_text_is_no_note() -> None:
    assert note_marks([[mark(1, 5), note(1, 40, size=11.0)]]) == [[]]


def test_a_note_may_stand_at_the_end_of_the_document() -> None:
    assert note_marks([[mark(1, 5)], [mark(2, 7)], [note(1, 3), note(2, 30)]]) == [
        [(5, 6)],
        [(7, 8)],
        [(3, 4), (30, 31)],
    ]


def test_notes_counted_anew_on_each_page_belong_to_their_page() -> None:
    pages = [[mark(1, 5), note(1, 50)], [mark(1, 6), note(1, 60, certain=True)]]
    assert note_marks(pages) == [[(5, 6), (50, 51)], [(6, 7), (60, 61)]]


# Pages as pictures


def test_pages_are_shown_as_people_see_them() -> None:
    data = trick("patch-web")
    [grey] = pages_as_pictures(data, [1], dpi=100)
    [colours] = pages_as_pictures(data, [1], dpi=100, grey=False)
    assert grey.dtype == colours.dtype == np.uint8
    assert colours.shape == (*grey.shape, 3)
    assert abs(grey.shape[0] - 120 / 25.4 * 100) <= 2
    dark = np.flatnonzero((grey < 128).any(axis=1))
    assert np.diff(dark).max() > 40  # white where the patch lies


def test_a_huge_page_is_shown_smaller() -> None:
    [picture] = pages_as_pictures(trick("scan"), [1], dpi=5000, limits=Limits(pixels=10_000))
    assert 9_000 < picture.size <= 10_000


def test_a_page_that_is_not_there_is_a_white_dot() -> None:
    shapes = [picture.shape for picture in pages_as_pictures(trick("scan"), [7, 1], dpi=50)]
    assert shapes[0] == (1, 1)
    assert shapes[1] > (200, 200)


@settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(["clipped", "transparent-office", "picture-web", "honest"]),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=12), st.integers(0, 40)),
        min_size=1,
        max_size=12,
    ),
)
def test_mutated_files_give_a_document_or_a_reason(
    name: str, changes: list[tuple[float, bytes, int]]
) -> None:
    data = bytearray(trick(name))
    for place, put, taken in changes:
        start = int(place * len(data))
        data[start : start + taken] = put
    try:
        document = document_in(bytes(data))
    except ReadingError as error:
        assert str(error)
    else:
        assert all(span.end <= len(document.text) for span, _ in document.left_out)
