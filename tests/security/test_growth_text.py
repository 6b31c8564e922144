"""What works on a text takes time in proportion to its length, whatever the text says."""

from __future__ import annotations

from contextlib import suppress

import pytest

from likewise.align import align, compare_pair
from likewise.align.check import CheckOptions, check_against
from likewise.align.exclude.exclusions import exclude
from likewise.errors import LikewiseError
from likewise.internet.queries import informative_parts, searched_words
from likewise.language import Lexicon, words_of
from likewise.language.detect import detect
from likewise.language.rarity import Rarity
from likewise.model import Document
from likewise.reading.disguises import note_disguises
from likewise.reading.encoding import decode
from likewise.reading.html import looks_like_html, looks_like_mhtml, read_html
from likewise.reading.package.kind import kind_of_xml
from likewise.reading.pdf.chars import plain_lines
from likewise.reading.request import Request
from likewise.reading.rtf import read_rtf
from likewise.reading.sheet import looks_like_csv, read_csv
from likewise.report import view_of_check
from likewise.report.csv import csv_of
from likewise.report.json import json_of
from likewise.report.page import page
from likewise.settings import Settings
from tests.security.growth import FLOOR_SECONDS, Growth, cpu_seconds, growth
from tests.security.hostile_texts import HOSTILE

_SIZE = 4_000  # characters of a first look
_STEP = 8  # times as many in the next, as long as one takes no time to speak of
_QUICK_SECONDS = 0.02
_SUSPICIOUS = _STEP**1.3


def _document(text: str) -> Document:
    return Document.from_text(text)


def _beside(text: str) -> tuple[Document, Document]:
    """A hostile document, and another that shares all of it, but for its beginning."""
    return Document.from_text(text, "a"), Document.from_text("Steppe and sky. " + text, "b")


def _checked(text: str):
    a, b = _beside(text)
    return check_against(
        a, [b], Settings(), CheckOptions(templates=(Document.from_text(text[:1000], "c"),))
    )


def _drawn(text: str) -> None:
    view = view_of_check(_checked(text))
    page(view)
    json_of(view)
    csv_of(view)


WORK = {
    "words": lambda text: words_of(text, Lexicon(Settings())),
    "detection of language": detect,
    "tricks": lambda text: note_disguises(_document(text)),
    "exclusions": lambda text: exclude(
        _document(text), templates=[_document("Grass of the steppe.\n" + text[:2000])]
    ),
    "alignment": lambda text: align(*_beside(text)),
    "comparison": lambda text: compare_pair(*_beside(text), Settings(), 99),
    "check": _checked,
    "reports": _drawn,
    "queries": lambda text: informative_parts(
        _document(text), searched_words(_document(text), Lexicon(Settings()), Rarity.shipped()), 20
    ),
    "decoding": lambda text: decode(text.encode()),
    "decoding of old encodings": lambda text: decode(text.encode("cp1251", "replace")),
    "sniffing": lambda text: (
        looks_like_html(text.encode()),
        looks_like_mhtml(text.encode()),
        looks_like_csv(text),
        kind_of_xml(b"<" + text.encode()),
    ),
    "tables of text": lambda text: read_csv(text.encode(), Request("a.csv")),
    "web pages": lambda text: read_html(f"<html><body>{text}".encode(), Request(web_page=True)),
    "rich text": lambda text: read_rtf(rb"{\rtf1 " + text.encode("latin-1", "replace"), Request()),
    "hyphens": plain_lines,
}


def _run(work: str, text: str) -> None:
    with suppress(LikewiseError):  # to refuse may take no longer
        WORK[work](text)


def superlinear(work: str, text: str) -> Growth | None:
    """How the time of some work grows with this text, if it clearly grows too fast."""

    def run(made: str) -> None:
        _run(work, made)

    make, size = HOSTILE[text], _SIZE
    small = cpu_seconds(run, make(size))
    large = cpu_seconds(run, make(_STEP * size))
    if large < _QUICK_SECONDS:
        size *= _STEP
        small, large = large, cpu_seconds(run, make(_STEP * size))
    if large < FLOOR_SECONDS or large < _SUSPICIOUS * small:
        return None
    found = growth(run, make, size)
    return found if found.is_superlinear else None


@pytest.mark.parametrize("work", WORK)
def test_time_grows_with_the_length_of_a_hostile_text(work):
    _run(work, "Grass of the steppe. " * 20)  # what is made once is not measured
    slow = [f"{name}: {found}" for name in HOSTILE if (found := superlinear(work, name))]
    assert not slow, "\n".join(slow)
