"""Recognised pages in a document."""

from likewise.reading.draft import Draft
from likewise.reading.image.engine import Line, OcrPage, Word
from likewise.reading.image.reader import OcrDraft


def line(text: str, confidence: float, starts_paragraph: bool = False) -> Line:
    return Line(tuple(Word(word, confidence) for word in text.split()), starts_paragraph)


def test_a_line_that_cannot_be_read_is_kept_out_of_comparison():
    draft = Draft()
    page = OcrPage((line("Steppe and sky", 95), line("w~ |", 20), line("Lake", 90, True)))
    OcrDraft(draft).write(1, page)
    document = draft.document("a")
    assert document.text == "Steppe and sky\nw~ |\n\nLake\n"
    assert document.compared_text.split() == ["Steppe", "and", "sky", "Lake"]
    assert [reason for _, reason in document.left_out] == ["not legible"]


def test_notes_name_the_pages_that_were_read_and_those_that_were_not():
    draft = Draft()
    pages = OcrDraft(draft)
    pages.write(1, OcrPage((line("Steppe", 90),)))
    pages.write(2, OcrPage((line("Sky", 90),)))
    pages.write(3, OcrPage((line("~~ |:", 30),)))
    pages.write(4, OcrPage())
    pages.write(5, OcrPage(is_complete=False))
    pages.note()
    notes = {note.kind: note for note in draft.document("a").notes}
    assert str(notes["ocr"].message) == (
        "pages 1-2 were read from a picture, with a mean confidence of 90 %"
    )
    assert [span.of(draft.document("a").text) for span in notes["ocr"].spans] == [
        "Steppe\n",
        "Sky\n",
    ]
    assert str(notes["low confidence"].message).startswith("page 3 was not read")
    assert str(notes["no text"].message).startswith("page 4 was searched for text")
    assert str(notes["not read in full"].message).startswith("page 5 was given up")
