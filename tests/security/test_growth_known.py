"""Files that once held a worker, the server or a fetch for minutes, each by its own name."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress

import pytest

from likewise.errors import ReadingError
from likewise.internet.errors import NotFetched
from likewise.internet.model import FetchLimits
from likewise.internet.pages import document_from
from likewise.model import Document
from likewise.reading.disguises import note_disguises
from likewise.reading.formats import sniff
from likewise.reading.formulas.tex import in_dollars
from likewise.tables.cells import read_cell
from tests.security.growth import growth


def test_one_long_word_with_a_zero_width_character_costs_time_of_its_length():
    def long_word(length: int) -> Document:
        return Document.from_text("a" * length + " b\u200bc d\u200be f\u200bg")

    found = growth(note_disguises, long_word, 25_000)
    assert not found.is_superlinear, str(found)
    noted = note_disguises(long_word(50_000))
    assert [note.kind for note in noted.notes] == ["invisible characters"]


def package(**parts: str) -> bytes:
    """A ZIP with these parts, which are packed to almost nothing."""
    packed = io.BytesIO()
    names = {"types": "[Content_Types].xml", "relations": "_rels/.rels"}
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(names[name], content)
    return packed.getvalue()


_MAIN = '<relationship type="/relationships/officedocument" target="word/document.xml"'


@pytest.mark.parametrize(
    ("types", "relations"),
    [
        ("wordprocessingml.", "<a/>"),
        ("<override ", _MAIN + "/>"),
        ("<types/>", "<relationship "),
        ("<types/>", "<relationship /relationships/officedocument'"),
        ("<types/>", "/relationships/officedocument'"),
        ("<types/>", "target='"),
        ("<types/>", "<a:"),
        ("<override/>", "a/"),
    ],
)
def test_a_tiny_package_with_endless_first_parts_is_sniffed_in_time_of_their_length(
    types, relations
):
    def repeated(length: int) -> bytes:
        def filled(piece: str) -> str:
            return piece * (length // len(piece))

        once = {_MAIN + "/>": relations, "a/": f'{_MAIN[:-18]} target="{filled("a/")}">'}
        return package(types=filled(types), relations=once.get(relations) or filled(relations))

    assert len(repeated(200_000)) < 2_000

    def sniffed(data: bytes) -> None:
        with suppress(ReadingError):  # says that it is damaged
            sniff(data, "essay.docx")

    found = growth(sniffed, repeated, 50_000)
    assert not found.is_superlinear, str(found)


@pytest.mark.parametrize("piece", [b"<noscript>", b"<div id=", b"<main ", b"<div id = x"])
def test_a_page_of_tags_that_never_end_is_fetched_in_time_of_its_length(piece):
    def page(length: int) -> bytes:
        return b"<html><script></script>" + piece * (length // len(piece))

    def fetched(body: bytes) -> None:
        with pytest.raises(NotFetched):
            document_from(body, "http://steppe.test/", "text/html", FetchLimits())

    found = growth(fetched, page, 12_000)
    assert not found.is_superlinear, str(found)


def test_a_formula_of_plus_minus_signs_does_not_double_its_time_with_each_of_them():
    found = growth(in_dollars, lambda length: "\\pm " * (length // 4) + "a", 24)
    assert not found.is_superlinear, str(found)


@pytest.mark.parametrize("piece", ["\\(", "![", "$a", "0 ", "<math>", "</a", "<img ", "\\begin{"])
def test_a_cell_costs_time_of_its_length(piece):
    found = growth(read_cell, lambda length: piece * (length // len(piece)), 2_500)
    assert not found.is_superlinear, str(found)
