"""Lines that bend."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from likewise.reading.image.cleaning import straighten_lines

FILES = Path(__file__).parent.parent / "files" / "images"


@pytest.fixture(scope="module")
def page() -> np.ndarray:
    with Image.open(FILES / "scan.png") as image:
        return np.asarray(image.convert("L"))[:900]


def stripes(page: np.ndarray) -> float:
    """How much rows with and without ink differ, give or take a pixel or three."""
    rows = cv2.GaussianBlur((255.0 - page).sum(axis=1), (0, 0), 3)
    return float(np.square(np.diff(rows.ravel())).sum())


@pytest.mark.parametrize("bend", [-25, 12, 60])
def test_lines_of_a_curled_page_become_level(page, bend):
    height, width = page.shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    bow = bend * np.sin(np.pi * x / width)
    curled = cv2.remap(page, x, (y + bow).astype(np.float32), cv2.INTER_LINEAR, borderValue=255)
    assert stripes(curled) < 0.8 * stripes(page)
    assert stripes(straighten_lines(curled)) > 0.95 * stripes(page)


def test_level_lines_stay_as_they_are(page):
    assert straighten_lines(page) is page


def test_what_has_no_lines_stays_as_it_is():
    for nothing in (np.full((400, 400), 255, np.uint8), np.zeros((50, 3000), np.uint8)):
        assert straighten_lines(nothing) is nothing
