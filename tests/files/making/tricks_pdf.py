"""How the PDFs in `tricks/` were made: our own words, hidden, and others that only look so.

Run `python tests/files/making/tricks_pdf.py` where `chromium`, `soffice` and `qpdf` are installed
and Python has Pillow and pypdfium2.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FILES = HERE.parent / "tricks"
sys.path.insert(0, str(HERE.parent.parent.parent))

from tests.files.making.pdf import SPACES, flat, layout, qpdf  # noqa: E402

BEFORE = (
    "The orchard behind the school was planted by a class that nobody remembers. Its trees stand "
    "in rows of nine, and the ninth row is pears."
)
AFTER = (
    "Every autumn the pupils gather what has fallen and carry it to the kitchen in their caps, "
    "because the baskets were lent to the museum and never came back."
)
HIDDEN = "Seven borrowed sentences were poured between the lines so that fewer words would match."
BEFORE_RU = (
    "Сад за школой посадил класс, которого уже никто не помнит. Деревья стоят рядами по девять, "
    "и девятый ряд – груши."
)
AFTER_RU = (
    "Каждую осень ученики собирают упавшие яблоки и несут их на кухню в шапках, потому что "
    "корзины отдали в музей и не получили назад."
)
HIDDEN_RU = "Семь чужих предложений налито между строк, чтобы общих слов казалось меньше."

# Letters that the font lacks are painted after the rest of their line.
BEFORE_KK = "Мектептің артындағы бақты ешкім ұмытпаған сынып отырғызған, тоғызыншы қатары – алмұрт."
AFTER_KK = "Күзде оқушылар түскен жемістерді жинап, ас үйге бөріктерімен таситын болған."
HIDDEN_KK = "Ұрланған жеті сөйлем жолдардың арасына құйылды, өйткені ұқсас сөздер аз көрінсін."

# What a browser can hide: its name here, and how.
WEB = {
    "white": '<p style="color: #fff">{}</p>',
    "ground": '<div class="sand"><p style="color: #f3e3c2">{}</p></div>',
    "transparent": '<p style="opacity: 0.01">{}</p>',
    "tiny": '<p style="font-size: 1px">{}</p>',
    "picture": '<div class="stack"><p>{}</p><img src="wall.png"></div>',
    "patch": '<div class="stack"><p>{}</p><div class="patch"></div></div>',
}
# What an office program can hide.
OFFICE = {
    "white": '<style:text-properties fo:color="#ffffff"/>',
    "transparent": '<style:text-properties fo:color="#000000" loext:opacity="1%"/>',
    "tiny": '<style:text-properties fo:font-size="1pt"/>',
}
# What only an editor of PDF can hide: operators in place of a colour that the browser wrote.
RED = b"1 0 0 rg"
EDITED = {
    "invisible": b"3 Tr",
    "clip-only": b"7 Tr",
    "clipped": b"q 2 2 40 40 re W n",
}


def main() -> None:
    FILES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        wall(work)
        for name, how in WEB.items():
            web(work, f"{name}-web", f"<p>{BEFORE}</p>{how.format(HIDDEN)}<p>{AFTER}</p>")
        for name, how in OFFICE.items():
            office(work, f"{name}-office", how, (BEFORE_RU, HIDDEN_RU, AFTER_RU))
        office(work, "white-kk-office", OFFICE["white"], (BEFORE_KK, HIDDEN_KK, AFTER_KK))
        for name, edit in EDITED.items():
            edited(work, name, edit)
        in_the_line(work)
        off_page(work)
        honest(work)
        scan(work)


def wall(work: Path) -> None:
    """A picture without anything on it that a word could be."""
    from PIL import Image

    Image.linear_gradient("L").resize((120, 30)).save(work / "wall.png")


def web(work: Path, name: str, body: str) -> None:
    """What the browser prints."""
    page = work / f"{name}.html"
    page.write_text(
        f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Orchard</title><style>
@page {{ size: 120mm 120mm; margin: 10mm }}
body {{ font: 11pt "Liberation Serif"; print-color-adjust: exact }}
.sand {{ background: #f3e3c2; padding: 2mm }} .dark {{ background: #223; padding: 2mm }}
.stack {{ position: relative }} .stack img, .patch {{ position: absolute; left: -2mm; top: -2mm;
 width: 104mm; height: 13mm }} .patch {{ background: #fff }}</style>{body}</html>""",
        "utf-8",
    )
    command = ["chromium", "--headless", "--no-sandbox", "--no-pdf-header-footer"]
    command += ["--disable-pdf-tagging", f"--user-data-dir={work / 'browser'}"]
    made = FILES / f"{name}.pdf"
    subprocess.run(
        [*command, f"--print-to-pdf={made}", page.as_uri()], check=True, capture_output=True
    )


def office(work: Path, name: str, how: str, texts: tuple[str, str, str]) -> None:
    """What LibreOffice exports."""
    before, hidden, after = texts
    styles = f'<style:style style:name="How" style:family="text">{how}</style:style>'
    body = "".join(
        f"<text:p>{text}</text:p>"
        for text in (before, f'<text:span text:style-name="How">{hidden}</text:span>', after)
    )
    masters = '<style:master-page style:name="Standard" style:page-layout-name="Small"/>'
    source = work / f"{name}.fodt"
    loext = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
    page = flat(styles + layout("Small", edges=False), masters, body)
    office_name = f'xmlns:office="{SPACES["office"]}"'
    source.write_text(page.replace(office_name, f"{office_name} {loext}"), "utf-8")
    profile = f"-env:UserInstallation=file://{work}/profile"
    subprocess.run(
        ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", FILES, source],
        check=True,
        capture_output=True,
    )


def edited(work: Path, name: str, how: bytes) -> None:
    """A red paragraph, whose colour gives way to something else."""
    web(work, name, f'<p>{BEFORE}</p><p style="color: #f00">{HIDDEN}</p><p>{AFTER}</p>')
    instead_of_red(work, FILES / f"{name}.pdf", how)


def instead_of_red(work: Path, path: Path, how: bytes) -> None:
    """Every piece of text that is red gets other operators instead."""
    plain = work / "plain.pdf"
    qpdf("--qdf", "--object-streams=disable", path, plain)
    lines = plain.read_bytes().split(b"\n")
    red = False
    for i, line in enumerate(lines):
        if line.endswith(b" rg"):
            red = line.endswith(RED)
        elif red and line == b"BT":
            lines[i] = (how if how.startswith(b"q ") else b"q " + how) + b"\nBT"
        elif red and line == b"ET":
            lines[i] = b"ET\nQ"
    plain.write_bytes(b"\n".join(lines))
    fixed = work / "fixed.pdf"
    fixed.write_bytes(subprocess.run(["fix-qdf", plain], check=True, capture_output=True).stdout)
    qpdf("--object-streams=generate", fixed, path)


def in_the_line(work: Path) -> None:
    """White words in the middle of a line, below a letter that takes two units in UTF-16."""
    first = AFTER.replace("kitchen in", "kitchen <span style='color: #fff'>{}</span> in")
    first = first.format("with seven pears too many for soup")
    body = f"<p>\N{MATHEMATICAL BOLD CAPITAL A}. {BEFORE}</p><p>{first}</p>"
    web(work, "white-in-the-line", body)


def off_page(work: Path) -> None:
    """A page whose lower part was cropped away."""
    import pypdfium2

    web(work, "off-page", f'<p>{BEFORE}</p><p>{AFTER}</p><p style="margin-top: 30mm">{HIDDEN}</p>')
    with pypdfium2.PdfDocument((FILES / "off-page.pdf").read_bytes()) as document:
        width, height = document[0].get_size()
        document[0].set_cropbox(0, height / 2, width, height)
        document.save(FILES / "off-page.pdf")


def honest(work: Path) -> None:
    """Text that is seen: light on dark, on a picture, below a highlight, small, with a halo."""
    body = f"""<div class="dark"><p style="color: #fff">{HIDDEN}</p></div>
<p style="font-size: 5px">{HIDDEN}</p>
<div class="stack"><p>{BEFORE}</p><div class="patch" style="opacity: 0.4; background: #fe6"></div>
</div><div class="stack"><img src="wall.png" style="filter: invert(1)"><p
 style="position: relative; color: #d00">{AFTER}</p></div>
<h2 style="background: linear-gradient(#c00, #00c); background-clip: text; color: transparent">
Nine rows of trees behind one school</h2>
<p style="text-shadow: 1px 1px 0 #fff">{AFTER}</p>
<p style="-webkit-text-stroke: 2px #fff; paint-order: stroke fill">{BEFORE}</p>"""
    web(work, "honest", body)


def scan(work: Path) -> None:
    """A picture of a page with invisible text on it, as programs that recognise text write it."""
    import pypdfium2

    body = f"<p>{BEFORE}</p><p>{HIDDEN}</p><p>{AFTER}</p>"
    web(work, "scan", body)
    with pypdfium2.PdfDocument((FILES / "scan.pdf").read_bytes()) as document:
        picture = document[0].render(scale=1.5, grayscale=True).to_pil()
    picture.save(work / "scan.jpg", quality=40)
    whole = "position: fixed; left: -10mm; top: -10mm; width: 120mm; height: 119.9mm"
    image = f'<img src="scan.jpg" style="{whole}"><div style="position: relative; color: #f00">'
    web(work, "scan", f"{image}{body}</div>")
    instead_of_red(work, FILES / "scan.pdf", b"3 Tr")


if __name__ == "__main__":
    main()
