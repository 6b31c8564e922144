"""Makes the pictures of pages: scans, photographs, and what people send instead.

    python -m tests.files.making.images

Needed are Pillow, OpenCV and the DejaVu fonts. What is made is committed, so that the tests need
no fonts; what differs from these only in how a file stores it is made by the tests themselves.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from bench.making.photographs import Conditions, photograph

FOLDER = Path(__file__).parent.parent / "images"
SIZE = (1165, 1654)  # A5 at 200 dpi

TEXTS = {
    "en": """The night train
The carriage smelled of tea and wet coats. Nobody
spoke until the lamp above the door went out, and
then everybody did at once. A woman with a violin
case told us that she had crossed this plain forty
times and had never seen it by daylight. The guard
counted our tickets twice, wrote 17 in his notebook
and fell asleep beside the stove.""",
    "ru": """Ночной поезд
В вагоне пахло чаем и мокрыми пальто. Все молчали,
пока не погасла лампа над дверью, а потом заговорили
разом. Женщина со скрипкой сказала, что проехала эту
равнину сорок раз и ни разу не видела её днём.
Проводник дважды пересчитал билеты, записал в книжку
число 17 и уснул возле печки.""",
    "kk": """Түнгі пойыз
Вагон ішінде шай мен су болған пальтолардың иісі
шықты. Есік үстіндегі шам сөнгенше ешкім үндемеді,
содан кейін бәрі бірден сөйлеп кетті. Скрипка ұстаған
әйел бұл жазықты қырық рет кесіп өткенін, бірақ оны
күндіз бірде-бір рет көрмегенін айтты. Жолсерік
билеттерді екі рет санап, кітапшасына 17 деп жазды да,
пештің қасында ұйықтап қалды.""",
}
TABLE = [
    ("Station", "Arrives", "Leaves", "Platform"),
    ("Aktogay", "06:40", "06:55", "2"),
    ("Balkhash", "09:10", "09:30", "1"),
    ("Karaganda", "14:25", "14:50", "4"),
    ("Astana", "18:05", "18:40", "3"),
]
CAREFUL = Conditions(
    height=1700,
    fill=0.9,
    turn=4,
    tilts=(9, -7),
    curl=0.006,
    shadow=0.35,
    falloff=0.3,
    noise=1,
    blur=0.6,
    shake=0,
    quality=45,
    background="plain",
)


def sheet(text: str, size: tuple[int, int] = SIZE, left: int = 130) -> Image.Image:
    image = Image.new("L", size, 255)
    font = ImageFont.truetype("DejaVuSerif.ttf", 33)
    ImageDraw.Draw(image).multiline_text((left, 150), text, fill=15, font=font, spacing=18)
    return image


def table() -> Image.Image:
    """A page with a ruled table, a chart, and no sentence."""
    image = Image.new("L", SIZE, 255)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype("DejaVuSans.ttf", 34)
    for row, cells in enumerate(TABLE):
        for column, cell in enumerate(cells):
            x, y = 120 + 240 * column, 200 + 80 * row
            draw.rectangle((x, y, x + 240, y + 80), outline=0, width=3)
            draw.text((x + 20, y + 18), cell, fill=0, font=font)
    for bar in range(6):
        draw.rectangle((150 + 150 * bar, 1400 - 90 * bar, 250 + 150 * bar, 1450), fill=90)
    return image


def handwriting() -> Image.Image:
    """Loops such as a hurried hand makes."""
    dice = random.Random(7)
    image = Image.new("L", SIZE, 248)
    draw = ImageDraw.Draw(image)
    for line in range(9):
        x, phase, height = 110.0, 0.0, 230 + 120 * line
        while x < 1000:
            points = []
            for _ in range(dice.randint(40, 110)):
                phase += 0.35
                x += 2.2 + 2.6 * math.cos(phase)
                rise = 16 if dice.random() < 0.8 else 34
                points.append((x, height + rise * math.sin(phase)))
            draw.line(points, fill=40, width=4, joint="curve")
            x += 26
    return image


def spread() -> Image.Image:
    """An open book: two pages side by side."""
    image = Image.new("L", (2 * SIZE[0], SIZE[1]), 255)
    image.paste(sheet(TEXTS["en"]), (0, 0))
    image.paste(sheet(TEXTS["ru"]), (SIZE[0], 0))
    return image


def bilevel(image: Image.Image) -> Image.Image:
    """Black and white, as a scanner saves text."""
    return image.convert("1", dither=Image.Dither.NONE)


def main() -> None:
    """Write every file anew."""
    FOLDER.mkdir(exist_ok=True)
    for number, (language, text) in enumerate(TEXTS.items()):
        (FOLDER / f"{language}.txt").write_text(text + "\n", "utf-8")
        (FOLDER / f"photo-{language}.jpg").write_bytes(photograph(sheet(text), CAREFUL, number))
    scans = [bilevel(sheet(text)) for text in TEXTS.values()]
    scans[0].save(
        FOLDER / "scan.tiff", save_all=True, append_images=scans[1:], compression="group4"
    )
    scans[0].save(FOLDER / "scan.png", optimize=True)
    sheet(TEXTS["ru"]).save(FOLDER / "scan.webp", quality=40)
    bilevel(table()).save(FOLDER / "table.png", optimize=True)
    bilevel(handwriting()).save(FOLDER / "handwriting.png", optimize=True)
    bilevel(spread()).save(FOLDER / "spread.png", optimize=True)


if __name__ == "__main__":
    main()
