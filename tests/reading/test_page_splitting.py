"""Spreads of books, and what only looks like them."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from likewise.reading.image.sheets import split_spread

FILES = Path(__file__).parent.parent / "files" / "images"


def test_a_spread_is_cut_at_its_gutter():
    with Image.open(FILES / "spread.png") as image:
        left, right = split_spread(np.asarray(image.convert("L")))
    assert left.shape[1] == pytest.approx(right.shape[1], rel=0.1)


def test_a_page_is_not_cut():
    with Image.open(FILES / "scan.png") as image:
        assert len(split_spread(np.asarray(image.convert("L")))) == 1


def test_a_wide_table_is_not_cut_between_its_columns():
    image = Image.new("L", (1600, 900), 255)
    draw = ImageDraw.Draw(image)
    for y in range(100, 800, 50):
        for x in (100, 420, 1000, 1350):
            draw.rectangle((x, y, x + 120, y + 18), fill=0)
    assert len(split_spread(np.asarray(image))) == 1
