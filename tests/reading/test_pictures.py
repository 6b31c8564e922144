"""A copied figure is recognised, and different ones are told apart."""

import io
from itertools import combinations

import pytest
from PIL import Image, ImageDraw, ImageEnhance

from likewise.reading.pictures import SAME_BITS, picture_in

MANY = 100_000_000


def drawing(kind: str, size: int = 400) -> Image.Image:
    image = Image.new("RGB", (size, size * 3 // 4), "white")
    pen = ImageDraw.Draw(image)
    unit = size / 40
    if kind == "bars":
        for i, height in enumerate((5, 12, 8, 20, 16)):
            left, top = (4 + 7 * i) * unit, (28 - height) * unit
            pen.rectangle((left, top, left + 5 * unit, 28 * unit), fill="navy")
    elif kind == "circle":
        pen.ellipse((10 * unit, 5 * unit, 30 * unit, 25 * unit), fill="darkred")
    elif kind == "curve":
        pen.line([(i * unit, (15 + (i % 9) * (-1) ** i) * unit) for i in range(40)], "black", 4)
    elif kind == "diagram":
        for x, y in ((4, 4), (24, 4), (14, 20)):
            box = [v * unit for v in (x, y, x + 12, y + 6)]
            pen.rectangle(box, outline="black", width=4, fill="lightgrey")
        pen.line([10 * unit, 10 * unit, 20 * unit, 20 * unit], "black", 4)
    return image


def encoded(image: Image.Image, form: str = "PNG", **how: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **how)
    return buffer.getvalue()


def bits_apart(one: bytes, two: bytes) -> int:
    first, second = picture_in(one, 0, MANY), picture_in(two, 0, MANY)
    assert first is not None
    assert second is not None
    return first.bits_apart(second)


KINDS = ("bars", "circle", "curve", "diagram")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "copy",
    [
        lambda image: encoded(image.resize((211, 160))),
        lambda image: encoded(image.resize((900, 675))),
        lambda image: encoded(image, "JPEG", quality=35),
        lambda image: encoded(image.convert("L")),
        lambda image: encoded(image.convert("P")),
        lambda image: encoded(image.convert("RGBA")),
        lambda image: encoded(ImageEnhance.Brightness(image).enhance(0.8)),
    ],
    ids=["smaller", "larger", "jpeg", "grey", "palette", "alpha", "darker"],
)
def test_a_copy_is_recognised(kind: str, copy) -> None:
    image = drawing(kind)
    assert bits_apart(encoded(image), copy(image)) <= SAME_BITS


def test_different_pictures_are_told_apart() -> None:
    pictures = [encoded(drawing(kind)) for kind in KINDS]
    assert min(bits_apart(a, b) for a, b in combinations(pictures, 2)) > SAME_BITS


def test_its_place_and_true_size_are_kept() -> None:
    picture = picture_in(encoded(drawing("bars", 1200), "JPEG"), 17, MANY, page=3)
    assert picture is not None
    assert (picture.span.start, picture.page) == (17, 3)
    assert (picture.width, picture.height) == (1200, 900)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        encoded(drawing("bars"))[:200],
        encoded(Image.new("RGB", (500, 500), "white")),
        encoded(drawing("bars", 16)),
    ],
    ids=["nothing", "text", "truncated", "even", "tiny"],
)
def test_what_shows_nothing_is_no_picture(data: bytes) -> None:
    assert picture_in(data, 0, MANY) is None


def test_a_bomb_is_not_decoded() -> None:
    assert picture_in(encoded(Image.new("1", (20_000, 20_000))), 0, MANY) is None
