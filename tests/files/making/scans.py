"""Makes scans and photographs of the essays.

    python -m tests.files.making.scans

Needed are Pillow, OpenCV, pypdfium2 and the DejaVu fonts. The scan is what the essay's PDF prints,
a little askew and noisy, as pictures in a PDF; the photograph is the essay on one sheet of paper.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image, ImageDraw, ImageFont

from bench.making.photographs import Conditions, photograph
from likewise.reading import read

ESSAYS = Path(__file__).parent.parent / "essays"
WRITTEN = {"en": "steppe", "ru": "lake", "kk": "apple"}
SCAN_DPI = 130
SHEET = (1654, 2339)  # A4 at 200 dpi
MARGIN, LETTER, LINE = 110, 24, 35  # pixels
LONGEST_LINE = 1434
BY_THE_WINDOW = Conditions(
    height=2200,
    fill=0.95,
    turn=-2,
    tilts=(6, 5),
    curl=0.003,
    shadow=0.25,
    falloff=0.2,
    noise=3,
    blur=0.5,
    shake=0,
    quality=38,
    background="wood",
)


def scanned(pdf: Path, seed: int) -> bytes:
    """The pages of a PDF as a scanner would give them."""
    noise = np.random.default_rng(seed)
    document = pypdfium2.PdfDocument(pdf)
    pages = []
    for page in document:
        sheet = page.render(scale=SCAN_DPI / 72, grayscale=True).to_pil().convert("L")
        sheet = sheet.rotate(
            float(noise.uniform(-0.7, 0.7)), Image.Resampling.BICUBIC, fillcolor=255
        )
        grey = np.asarray(sheet, dtype=np.float32) * 0.93 + noise.normal(8, 4, sheet.size[::-1])
        pages.append(Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)))
    made = io.BytesIO()
    pages[0].save(
        made, "PDF", save_all=True, append_images=pages[1:], resolution=SCAN_DPI, quality=30
    )
    return made.getvalue()


def on_one_sheet(text: str) -> Image.Image:
    """A text, line by line, on a sheet of paper."""
    sheet = Image.new("L", SHEET, 250)
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.truetype("DejaVuSerif.ttf", LETTER)
    y = MARGIN
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            if line and pen.textlength(f"{line} {word}", font) > LONGEST_LINE:
                pen.text((MARGIN, y), line, 20, font)
                y, line = y + LINE, word
            else:
                line = f"{line} {word}".strip()
        pen.text((MARGIN, y), line, 20, font)
        y += LINE
    return sheet


def main() -> None:
    for seed, (language, name) in enumerate(WRITTEN.items()):
        folder = ESSAYS / language
        (folder / f"{name}-scan.pdf").write_bytes(scanned(folder / f"{name}.pdf", seed))
        text = read(folder / f"{name}.docx").compared_text
        picture = photograph(on_one_sheet(text).convert("RGB"), BY_THE_WINDOW, seed)
        (folder / f"{name}-photo.jpg").write_bytes(picture)


if __name__ == "__main__":
    main()
