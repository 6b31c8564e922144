"""Pages made flat, even, level and small."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from likewise.reading.image import cleaning

FILES = Path(__file__).parent.parent / "files" / "images"


@pytest.fixture(scope="module")
def page() -> np.ndarray:
    with Image.open(FILES / "scan.png") as image:
        return np.asarray(image.convert("L"))


def test_a_sheet_seen_from_the_side_is_seen_from_above(page):
    height, width = page.shape
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    corners = square * 0.8 + np.array([(60, 40), (20, 90), (-30, 10), (10, -20)], np.float32)
    seen = cv2.warpPerspective(
        page, cv2.getPerspectiveTransform(square, corners), (width, height), borderValue=90
    )
    flat = cv2.resize(cleaning.flatten_sheet(seen, corners), (width, height))
    assert np.abs(flat.astype(int) - page).mean() < 8


def test_paper_is_white_in_light_and_in_shadow(page):
    light = np.linspace(1.0, 0.3, page.shape[1])
    light[page.shape[1] // 2 :] *= 0.6
    even = cleaning.evenly_lit((page * light).astype(np.uint8))
    paper = even[page > 250].astype(int)
    assert paper.mean() > 240
    assert even[page < 20].mean() < 90


@pytest.mark.parametrize("angle", [-9.0, -0.4, 0.0, 3.3, 14.0])
def test_the_angle_of_lines_is_measured(page, angle):
    tilted = cleaning.turned_by(page, -angle)
    assert cleaning.skew(tilted)[0] == pytest.approx(angle, abs=0.2)


def test_a_page_is_cut_to_its_text(page):
    cut = cleaning.crop_to_text(page)
    assert cut.shape[0] < page.shape[0] / 2
    assert (cut < 128).sum() == (page < 128).sum()


def test_an_empty_page_is_not_cut():
    empty = np.full((300, 200), 255, np.uint8)
    assert cleaning.crop_to_text(empty).shape == empty.shape
    assert cleaning.skew(empty) == (0.0, 0.0)
    assert cleaning.height_of_letters(empty) is None


def test_letters_are_measured_whatever_the_size(page):
    height = cleaning.height_of_letters(page)
    assert cleaning.height_of_letters(cleaning.resized(page, 2)) == pytest.approx(2 * height, abs=2)


def test_white_letters_on_black_become_black_ones(page):
    assert np.array_equal(cleaning.dark_on_light(255 - page), page)
    assert np.array_equal(cleaning.dark_on_light(page), page)


def test_sand_holds_no_letters(page):
    sand = np.random.default_rng(1).integers(0, 255, (1000, 1000), np.uint8)
    assert cleaning.holds_letters(page)
    assert not cleaning.holds_letters(sand)


def test_a_page_full_of_specks_is_cleared_of_them(page):
    specks = np.random.default_rng(1).random(page.shape) < 0.08
    dirty = np.where(specks, 0, page).astype(np.uint8)
    assert cleaning.without_specks(page) is page
    clear = cleaning.without_specks(dirty)
    assert (clear != page).mean() < 0.02


def test_of_sand_nothing_is_left():
    sand = np.random.default_rng(1).integers(0, 255, (3000, 2400), np.uint8)
    assert cleaning.without_specks(sand) is None
