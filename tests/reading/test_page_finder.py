"""Sheets of paper in pictures."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from likewise.reading.image.sheets import find_sheets

FILES = Path(__file__).parent.parent / "files" / "images"


def table_top(*sheets: list[tuple[int, int]]) -> np.ndarray:
    image = Image.new("RGB", (1600, 1200), (90, 60, 40))
    draw = ImageDraw.Draw(image)
    for corners in sheets:
        draw.polygon(corners, fill=(235, 235, 230))
        (left, top), (right, bottom) = np.min(corners, axis=0), np.max(corners, axis=0)
        for y in range(top + 150, bottom - 150, 30):
            draw.line((left + 150, y, right - 150, y), fill=(40, 40, 40), width=8)
    return np.asarray(image)


def test_the_corners_of_a_tilted_sheet_are_found():
    corners = [(300, 100), (1200, 160), (1100, 1100), (260, 1040)]
    (sheet,) = find_sheets(table_top(corners))
    assert np.abs(sheet.corners - corners).max() < 15
    assert sheet.overlap > 0.95


def test_two_sheets_are_found_from_left_to_right():
    left = [(60, 100), (720, 120), (700, 1100), (50, 1080)]
    right = [(860, 90), (1540, 130), (1500, 1090), (840, 1060)]
    first, second = find_sheets(table_top(right, left))
    assert np.abs(first.corners - left).max() < 15
    assert np.abs(second.corners - right).max() < 15


@pytest.mark.parametrize("name", ["scan.png", "table.png", "handwriting.png", "spread.png"])
def test_a_scan_is_a_sheet_itself_whatever_is_printed_on_it(name):
    with Image.open(FILES / name) as image:
        assert find_sheets(np.asarray(image.convert("RGB"))) == []


def test_the_edge_of_a_shadow_is_not_the_edge_of_a_sheet():
    page = np.full((1600, 1200, 3), 235, np.uint8)
    page[:900] = 120
    assert find_sheets(page) == []
    assert find_sheets(page[..., 0]) == []
