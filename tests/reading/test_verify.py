"""Whether the text of a PDF is what its pages show."""

from pathlib import Path

import pytest

from likewise.model import Document
from likewise.reading.formats import read_as
from likewise.reading.request import Request

FILES = Path(__file__).parent.parent / "files"


def verified(name: str, **request: object) -> Document:
    return read_as("pdf", (FILES / name).read_bytes(), Request(verify=True, **request))  # type: ignore[arg-type]


def kinds(document: Document) -> set[str]:
    return {note.kind for note in document.notes}


@pytest.mark.ocr
def test_a_layer_that_says_something_else_is_told_and_what_is_shown_is_read() -> None:
    document = verified("tricks/other-layer.pdf")
    assert kinds(document) == {"ocr", "text layer differs"}
    assert "orchard" not in document.text
    assert "steppe" in document.text.lower()
    (note,) = [note for note in document.notes if note.kind == "text layer differs"]
    assert note.spans == (document.pages[0].span,)


@pytest.mark.parametrize(
    "name", ["essays/en/steppe.pdf", "essays/kk/apple-printed.pdf", "pdf/two-columns.pdf"]
)
def test_an_honest_layer_raises_nothing(name: str) -> None:
    honest = verified(name)
    assert "text layer differs" not in kinds(honest)
    data = (FILES / name).read_bytes()
    assert honest.text == read_as("pdf", data, Request()).text


def test_nothing_is_looked_at_where_pictures_are_not_read() -> None:
    assert kinds(verified("tricks/other-layer.pdf", ocr=())) == set()
