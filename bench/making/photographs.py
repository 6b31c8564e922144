"""Pages as a scanner and as a telephone see them: typeset, bent, lit badly, blurred, compressed.

Nothing here knows how pages are read. Every parameter is drawn at random from a seed, from wider
ranges where the severity is higher: 0 is a clean scan at 300 dpi, 1 a careful photograph, 2 an
ordinary one, 3 a hurried one in bad light.
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

SEVERITIES = (0, 1, 2, 3)
DPI = 300
A4 = (2480, 3508)  # pixels at 300 dpi
FONTS = (  # Liberation, as Debian has it, lacks the letters that Kazakh adds to Russian
    "DejaVuSans.ttf",
    "DejaVuSansCondensed.ttf",
    "DejaVuSerif.ttf",
    "DejaVuSerifCondensed.ttf",
    "LiberationMono-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "LiberationSerif-Regular.ttf",
)
BACKGROUNDS = ("wood", "plain", "cloth", "tiles", "pale")

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A typeset page, and the text that stands on it, line by line."""

    image: Image.Image
    text: str


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a photograph was taken; lengths are shares of the page or of the picture."""

    height: int  # of the picture, in pixels
    fill: float  # how much of the picture's height the page takes
    turn: float  # degrees in the plane
    tilts: tuple[float, float]  # degrees, forwards and sideways
    curl: float  # how far lines bend, as a share of the page's height
    shadow: float  # how much light it takes
    falloff: float  # of light from one side to the other
    noise: float  # grey levels
    blur: float  # pixels
    shake: float  # pixels
    quality: int  # of the JPEG
    background: str


def conditions(severity: int, seed: int) -> Conditions:
    """What chance makes of a severity from 1 to 3."""
    dice = random.Random(f"{severity}:{seed}")
    hard = severity / 3

    def either_way(most: float) -> float:
        return dice.uniform(-most, most)

    return Conditions(
        height=dice.choice({1: (4032, 3648), 2: (4032, 3264), 3: (3264, 2880, 2560)}[severity]),
        fill=dice.uniform(0.92 - 0.16 * hard, 0.96 - 0.08 * hard),
        turn=either_way(12 * hard),
        tilts=(either_way(27 * hard), either_way(21 * hard)),
        curl=either_way(0.027 * hard),
        shadow=dice.uniform(0.1, 0.25 + 0.4 * hard),
        falloff=dice.uniform(0.05, 0.15 + 0.35 * hard),
        noise=dice.uniform(1, 2 + 12 * hard),
        blur=dice.uniform(0.4, 0.6 + 1.4 * hard),
        shake=dice.uniform(0, 4 * hard),
        quality=dice.randint(round(92 - 40 * hard), 95 - round(15 * hard)),
        background=dice.choice(BACKGROUNDS),
    )


def typeset(text: str, seed: int) -> Sheet:
    """As much of a text as one A4 page holds, in a font, size and spacing that chance chooses."""
    dice = random.Random(f"type:{seed}")
    size = round(dice.uniform(10.5, 12.5) * DPI / 72)
    font = dice.choice([font for font in _fonts(size) if _has_letters(font, text)])
    leading = round(font.size * dice.uniform(1.2, 1.45))
    left, top = round(DPI * dice.uniform(0.7, 1.0)), round(DPI * dice.uniform(0.8, 1.1))
    image = Image.new("L", A4, 255)
    draw = ImageDraw.Draw(image)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        room = (A4[1] - 2 * top) // leading - len(lines)
        if room <= 0:
            break
        lines += _wrapped(paragraph.split(), font, A4[0] - 2 * left)[:room]
    for row, line in enumerate(lines):
        draw.text((left, top + row * leading), line, font=font, fill=dice.randint(0, 40))
    return Sheet(image, "\n".join(lines))


def scanned(sheet: Image.Image, seed: int) -> bytes:
    """A clean scan at 300 dpi: hardly turned, hardly noisy, saved as a good JPEG."""
    dice = random.Random(f"scan:{seed}")
    turned = sheet.rotate(dice.uniform(-0.3, 0.3), Image.Resampling.BICUBIC, fillcolor=255)
    grey: Array = cv2.GaussianBlur(np.asarray(turned, np.float32), (0, 0), 0.7)
    grey += np.asarray(np.random.default_rng(seed).normal(-4, 2, grey.shape), np.float32)
    return _jpeg(np.clip(grey, 0, 255).astype(np.uint8), 90)


def photographed(sheet: Image.Image, severity: int, seed: int) -> bytes:
    """The page as a JPEG; severity 0 is a scan."""
    if severity == 0:
        return scanned(sheet, seed)
    return photograph(sheet, conditions(severity, seed), seed)


def photograph(sheet: Image.Image, how: Conditions, seed: int) -> bytes:
    """The page on a table, under a lamp, through a lens."""
    noise = np.random.default_rng(seed)
    height, width = how.height, how.height * 3 // 4
    if sheet.width > sheet.height:
        height, width = width, height
    scene: Any = _background(how.background, height, width, noise)
    page, there = _seen(sheet, how, height, width)
    # A sheet that lies on something throws a narrow shadow on it.
    under = cv2.GaussianBlur(there, (0, 0), width / 150)
    scene *= (1 - 0.35 * under)[..., None]
    paper = noise.uniform((225, 232, 238), (245, 246, 248)).astype(np.float32)
    scene = scene * (1 - there[..., None]) + page[..., None] / 255 * paper * there[..., None]
    scene *= _light(how, height, width, noise)[..., None]
    scene = cv2.GaussianBlur(scene, (0, 0), how.blur)
    if how.shake >= 1.5:
        scene = cv2.filter2D(scene, -1, _shaken(how.shake, noise.uniform(0, np.pi)))
    grain = noise.standard_normal(scene.shape, dtype=np.float32)
    scene += cv2.GaussianBlur(grain, (0, 0), 0.6) * how.noise * 1.9  # as much as before the blur
    return _jpeg(np.clip(scene, 0, 255).astype(np.uint8), how.quality)


def _fonts(size: int) -> list[ImageFont.FreeTypeFont]:
    try:
        return [ImageFont.truetype(name, size) for name in FONTS]
    except OSError:
        raise SystemExit(
            f"pages are printed in {', '.join(FONTS)}; not all are there: "
            "apt install fonts-dejavu fonts-liberation"
        ) from None


def _has_letters(font: ImageFont.FreeTypeFont, text: str) -> bool:
    missing = bytes(font.getmask("\uffff"))  # the box that stands for what a font lacks
    letters = {letter for letter in text if letter.isalpha()}
    return all(bytes(font.getmask(letter)) != missing for letter in letters)


def _wrapped(words: list[str], font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in words:
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def _seen(sheet: Image.Image, how: Conditions, height: int, width: int) -> tuple[Array, Array]:
    """The page through the lens, and how much of each pixel it covers."""
    source: Array = np.asarray(sheet.convert("L"), np.float32)
    rows, columns = source.shape
    corners = _corners(how, height, width, columns / rows)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    back = cv2.getPerspectiveTransform(corners, square).astype(np.float32)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    u = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / depth
    v = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / depth
    # Paper that bows away from the table: lines rise and fall, and narrow where it slopes.
    v += how.curl * np.sin(np.pi * np.clip(u, 0, 1))
    u += abs(how.curl) / 2 * np.sin(2 * np.pi * np.clip(u, 0, 1))
    scale = max(1.0, rows / (np.linalg.norm(corners[3] - corners[0]) + 1))
    if scale > 1.2:  # else what lies between the pixels would flicker
        source = cv2.GaussianBlur(source, (0, 0), 0.4 * scale)
    page = cv2.remap(source, u * columns, v * rows, cv2.INTER_LINEAR, borderValue=255)
    inside = (u >= 0) & (u < 1) & (v >= 0) & (v < 1)
    return page, cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.7)


def _corners(how: Conditions, height: int, width: int, shape: float) -> Array:
    """Where the corners of the page fall: a pinhole camera above a page that is tilted."""
    forwards, sideways, turn = np.radians([*how.tilts, how.turn])
    about_x = np.array(
        [
            [1, 0, 0],
            [0, np.cos(forwards), -np.sin(forwards)],
            [0, np.sin(forwards), np.cos(forwards)],
        ]
    )
    about_y = np.array(
        [
            [np.cos(sideways), 0, np.sin(sideways)],
            [0, 1, 0],
            [-np.sin(sideways), 0, np.cos(sideways)],
        ]
    )
    about_z = np.array(
        [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    )
    page = np.array([(-shape, -1, 0), (shape, -1, 0), (shape, 1, 0), (-shape, 1, 0)]) / 2
    x, y, z = (about_z @ about_x @ about_y @ page.T) + np.array([[0], [0], [2.2]])
    flat = np.stack([x / z, y / z], axis=1)
    flat -= (flat.min(axis=0) + flat.max(axis=0)) / 2
    extent = flat.max(axis=0) - flat.min(axis=0)
    flat *= how.fill * min(height / extent[1], width / extent[0])
    middle = np.array([width / 2, height / 2])
    return np.asarray(flat + middle, np.float32)


def _background(kind: str, height: int, width: int, noise: np.random.Generator) -> Array:
    """What the page lies on, as RGB."""

    def cloud(rows: int, columns: int) -> Array:
        small = noise.standard_normal((rows, columns)).astype(np.float32)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC))

    darkness = noise.uniform(0.5, 1)
    if kind == "wood":
        grain = cloud(4, 90) * 0.10 + cloud(30, 400) * 0.06
        wood = (1 + grain)[..., None] * np.array([150, 105, 65], np.float32)
        return np.asarray(wood * darkness)
    if kind == "cloth":
        weave = noise.standard_normal((height, width)).astype(np.float32)
        weave = cv2.GaussianBlur(weave, (0, 0), 1.5) * 0.5
        return (1 + weave)[..., None] * noise.uniform(30, 150, 3).astype(np.float32)
    if kind == "tiles":
        side = width // int(noise.integers(3, 7))
        rows, columns = np.ogrid[:height, :width]
        odd = ((rows // side + columns // side) % 2).astype(np.float32)
        tiles = (0.75 + 0.25 * odd)[..., None] * noise.uniform(60, 150, 3).astype(np.float32)
        return np.asarray(tiles)
    level = noise.uniform(195, 215, 3) if kind == "pale" else noise.uniform(25, 140, 3)
    return (1 + cloud(6, 6) * 0.03)[..., None] * level.astype(np.float32)


def _light(how: Conditions, height: int, width: int, noise: np.random.Generator) -> Array:
    """How much light falls where: a lamp on one side, and the shadow of whoever takes the photo."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    angle = noise.uniform(0, 2 * np.pi)
    light = 1 - how.falloff * (1 + x * np.cos(angle) + y * np.sin(angle)) / 2
    light *= 1 - 0.12 * (x**2 + y**2) / 2
    angle = noise.uniform(0, 2 * np.pi)
    edge = x * np.cos(angle) + y * np.sin(angle) - noise.uniform(-0.3, 0.5)
    softness = noise.uniform(0.02, 0.2)
    light *= 1 - how.shadow / (1 + np.exp(-np.clip(edge / softness, -30, 30)))
    return np.asarray(light, np.float32)


def _shaken(length: float, angle: float) -> Array:
    """The path of a hand that trembles, as a filter."""
    size = 2 * int(np.ceil(length)) + 1
    path = np.zeros((size, size), np.float32)
    for step in np.linspace(-length / 2, length / 2, 33):
        column, row = size // 2 + step * np.cos(angle), size // 2 + step * np.sin(angle)
        path[round(row), round(column)] += 1
    return np.asarray(path / path.sum())


def _jpeg(pixels: Array, quality: int) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality)
    return file.getvalue()
