"""A page keeps to its script."""

import numpy as np
import pytest

from likewise.reading.image import page as ocr_script
from likewise.reading.image.engine import Line, OcrPage, Word

GREY = np.full((50, 400), 255, np.uint8)


def page(*lines: list[tuple[str, float]]) -> OcrPage:
    return OcrPage(tuple(Line(tuple(Word(*word) for word in line)) for line in lines))


@pytest.fixture
def engine(monkeypatch):
    """An engine that answers as it is told, by the languages it is asked in."""
    answers = {}

    def recognise(_grey, languages, is_one_line=False):
        return answers[tuple(languages), is_one_line]

    monkeypatch.setattr(ocr_script, "recognise", recognise)
    return answers


def test_a_latin_word_in_cyrillic_look_alikes_is_read_again(engine):
    engine[("kk", "ru", "en"), False] = page(
        [("quick", 96), ("brown", 96), ("foxes", 96)], [("Тһе", 93), ("steppe", 96)]
    )
    engine[("en",), True] = page([("The", 95), ("steppe", 96)])
    read = ocr_script.recognise_in_its_script(GREY, ("kk", "ru", "en"))
    assert read.text.split() == ["quick", "brown", "foxes", "The", "steppe"]


def test_a_line_in_two_scripts_stays(engine):
    engine[("ru", "en"), False] = page(
        [("quick", 96), ("brown", 96), ("foxes", 96)], [("степь", 96), ("steppe", 96)]
    )
    engine[("en",), True] = page([("crenb", 30), ("steppe", 96)])
    read = ocr_script.recognise_in_its_script(GREY, ("ru", "en"))
    assert read.lines[1].text == "степь steppe"


def test_a_faint_page_in_latin_letters_is_read_again_as_a_whole(engine):
    engine[("ru", "en"), False] = page([("receipt", 90), ("total", 90), ("УАПП", 40)])
    engine[("en",), False] = page([("receipt", 90), ("total", 90), ("YANN", 60)])
    assert ocr_script.recognise_in_its_script(GREY, ("ru", "en")).text == "receipt total YANN"


def test_a_page_in_cyrillic_letters_is_read_once(engine):
    engine[("ru", "en"), False] = page([("степь", 70), ("sky", 60), ("небо", 70)])
    assert ocr_script.recognise_in_its_script(GREY, ("ru", "en")).text == "степь sky небо"
