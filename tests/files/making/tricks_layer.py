"""Makes a scan whose text layer says something else than its picture shows.

    python -m tests.files.making.tricks_layer

Needed are reportlab and pypdfium2.
"""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2

FILES = Path(__file__).parent.parent
SAID = """\
The orchard behind the school belongs to nobody and is picked by everybody. In September the
boys climb for the highest apples, which are sour, and leave the low ones, which are sweet, to the
teachers. Once a year the director makes a speech about property under the oldest tree, and somebody
drops a core on his hat. The gardener, who planted the trees when he was young, has never eaten one
of the apples: he says that he knows what they cost."""


def main() -> None:
    from reportlab.lib.pagesizes import A4  # the tests do not need it
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    page = pypdfium2.PdfDocument(FILES / "essays" / "en" / "steppe.pdf")[0]
    shown = page.render(scale=130 / 72, grayscale=True).to_pil().convert("L")
    picture = io.BytesIO()
    shown.save(picture, "JPEG", quality=35)
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=A4, invariant=True)
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    text = canvas.beginText(60, 760)
    text.setTextRenderMode(3)
    text.setFont("Helvetica", 11)
    for line in SAID.splitlines():
        text.textLine(line)
    canvas.drawText(text)
    canvas.save()
    (FILES / "tricks" / "other-layer.pdf").write_bytes(made.getvalue())


if __name__ == "__main__":
    main()
