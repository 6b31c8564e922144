"""Makes the documents of the DOCX and ODT tests out of the flat ones in `tests/files/odt`.

    python -m tests.files.making.office

Needed are soffice (LibreOffice Writer) on the path, and Pillow. `features.fodt` has one of
everything that a text document may hold, `captions.fodt` tables with and without captions in three
languages.
"""

from __future__ import annotations

import base64
import io
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw

FILES = Path(__file__).parents[1]
FILTERS = {"docx": "docx:MS Word 2007 XML", "odt": "odt:writer8", "xml": "xml:MS Word 2003 XML"}


def ring() -> str:
    """A ring of stones as PNG in base64."""
    image = Image.new("L", (96, 64), 230)
    draw = ImageDraw.Draw(image)
    draw.ellipse((20, 8, 76, 56), fill=90)
    draw.ellipse((32, 18, 64, 46), fill=30)
    packed = io.BytesIO()
    image.quantize(4).save(packed, "PNG", optimize=True)
    return base64.b64encode(packed.getvalue()).decode()


def saved(source: Path, form: str) -> bytes:
    """What LibreOffice saves a document as."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            [
                *("soffice", f"-env:UserInstallation={Path(place, 'profile').as_uri()}"),
                *("--headless", "--convert-to", FILTERS[form], "--outdir", place, str(source)),
            ],
            check=True,
            capture_output=True,
        )
        return Path(place, source.stem).with_suffix("." + form).read_bytes()


def main() -> None:
    odt, docx = FILES / "odt", FILES / "docx"
    features = odt / "features.fodt"
    features.write_text(features.read_text("utf-8").replace("@PICTURE@", ring()), "utf-8")
    for source in (features, odt / "captions.fodt"):
        (odt / source.name).with_suffix(".odt").write_bytes(saved(source, "odt"))
        (docx / source.name).with_suffix(".docx").write_bytes(saved(source, "docx"))
    (docx / "word2003.xml").write_bytes(saved(features, "xml"))


if __name__ == "__main__":
    main()
