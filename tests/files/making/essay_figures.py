"""A figure for each essay: few pixels and colours, for RTF keeps a picture without packing it."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw


def steppe(draw: ImageDraw.ImageDraw) -> None:
    """A tuft of grass, its leaves and its roots."""
    draw.rectangle((0, 32, 120, 80), fill="#a08060")
    for i in range(-4, 5):
        draw.line((60, 32, 60 + 4 * i, 8 + 2 * abs(i)), fill="#306020", width=2)
        draw.line((60, 32, 60 + 6 * i, 76 - 5 * abs(i)), fill="#f0e0c0", width=1)


def lake(draw: ImageDraw.ImageDraw) -> None:
    """Two waters and the strait between them."""
    draw.polygon([(2, 20), (50, 20), (54, 28), (50, 50), (10, 44)], fill="#90c8f0")
    draw.polygon([(66, 28), (70, 20), (118, 20), (100, 72), (76, 60)], fill="#205090")
    draw.rectangle((50, 20, 70, 28), fill="#6090c0")


def apple(draw: ImageDraw.ImageDraw) -> None:
    """An apple cut in two."""
    draw.ellipse((24, 14, 96, 78), fill="#c02020")
    draw.ellipse((28, 18, 92, 74), fill="#fff0c8")
    draw.line((60, 16, 68, 2), fill="#503010", width=3)
    draw.ellipse((50, 38, 58, 52), fill="#503010")
    draw.ellipse((62, 38, 70, 52), fill="#503010")


DRAWN = {"steppe": steppe, "lake": lake, "apple": apple}


def figure(name: str) -> bytes:
    """The figure of an essay as PNG; nothing where it has none."""
    if name not in DRAWN:
        return b""
    image = Image.new("RGB", (120, 80), "#e8f0f8")
    DRAWN[name](ImageDraw.Draw(image))
    packed = io.BytesIO()
    image.quantize(16).save(packed, "PNG", optimize=True)
    return packed.getvalue()
