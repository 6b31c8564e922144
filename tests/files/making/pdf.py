"""How the files in `pdf/` were made: our own words, printed by Chromium and LibreOffice.

Run `python tests/files/making/pdf.py` where `chromium`, `soffice` and `qpdf` are installed and
Python has Pillow and pypdfium2.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).parent
FILES = HERE.parent / "pdf"

# A soft hyphen stands where a word may be divided.
ARTICLE = (
    "Nobody plans a reed bed. It begins with a handful of rhi|zomes that the spring flood tears "
    "from the bank and leaves on a sand|bar, and if the water stays shal|low for two sum|mers, a "
    "green wall as high as a house stands where boats used to turn.",
    "We counted the stems of one such wall, on a square metre marked with string, every second "
    "Satur|day from April to Octo|ber. The count|ing itself is simple; the diffi|culty is to reach "
    "the square with|out trampl|ing what one has come to count. A plank laid on four barrels "
    "solved it, and the plank is still there.",
    "The figures sur|prised us. The bed grows not at its edge, as every|body sup|poses, but from "
    "within: old stems bend, their joints touch the mud, and new shoots rise from the joints. Our "
    "well-known picture of a slowly march|ing front is wrong, at least for water of this depth.",
    "What the edge does is defend. Stems there are thick|er, closer to|gether and harder to cut, "
    "and they break the waves before these can reach the younger ones. When a storm had taken a "
    "strip of two metres, the inner stems needed a whole season to be|come an edge again, and in "
    "that season they pro|duced hardly any seed.",
    "A warden who wants more reeds should there|fore pro|tect the edge and leave the middle alone. "
    "The custom of our district is the oppo|site: cutters take the outer rows, which can be "
    "reached by boat, and call the rest a reserve. It is a reserve with|out walls.",
    "We do not know whether the same holds for running water. Our square lay in a back|water, and "
    "one square is a small ground for large con|clusions. But a well-known rule that fails on the "
    "first square it is tried on deserves another look.",
)

STORY_EN = (
    "The fer|ry|man keeps two clocks. One hangs in his hut and shows the time of the rail|way, "
    "the other he car|ries in his pock|et and sets by the church on the far bank. They have nev|er "
    "agreed, and he sees no rea|son why they should.",
    "Pas|sen|gers who come by train ask for the first, farm|ers with calves ask for the sec|ond. "
    "He looks at the right one with|out be|ing told, be|cause trains and calves do not mix, and "
    "what a per|son waits for is writ|ten on the shoes.",
    "In a long win|ter the rope freez|es to its pul|leys, and the boat lies up|side down un|der a "
    "tar|pau|lin. Then he walks peo|ple over the ice with a pole in his hand, tap|ping as he goes, "
    "and asks for the same coin as in sum|mer, since the riv|er is just as wide.",
    "There is a sto|ry that he once car|ried a pi|ano. It is true, apart from the pi|ano: it was a "
    "har|mo|ni|um, it was rain|ing, and the own|er played hymns all the way so that no|body would "
    "no|tice how low the boat sat in the wa|ter.",
    "His daugh|ter keeps the books. She writes down ev|ery cross|ing with a num|ber, a weath|er "
    "and a word, and the word is al|ways about some|body's hands: cold hands, busy hands, hands "
    "full of li|lac, hands that would not let go of the rail.",
    "When the bridge is built, they say, the hut will be a mu|se|um. He has been asked what should "
    "be in it. Noth|ing, he said, leave the door open, let them hear the wa|ter, and put a bench "
    "where one can wait for some|thing that is not go|ing to come.",
)

CATCH_RU = (
    ("Водоём", "Улов, тонн", None, None, "Примечание"),
    (None, "1-й год", "2-й год", "всего", None),
    ("Тихий залив", "12,5", "14,0", "26,5", "весенний лов запрещён"),
    ("Камышовая протока", "3,1", "2,9", "6,0", None),
    ("Старое русло", "0,8", "1,1", "1,9", "учёт неполный"),
)

SPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "form": "urn:oasis:names:tc:opendocument:xmlns:form:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
}


def main() -> None:
    FILES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        chromium(work, "two-columns", two_columns())
        libreoffice(work, "six-pages", six_pages())
        libreoffice(work, "chapters-kk", chapters())
        libreoffice(work, "table-ru", table_ru())
        libreoffice(work, "form", form())
        sideways()
        scan_between(work)
        pictures(work)
        garbage(work)
        locked(work)


def soft(text: str) -> str:
    return text.replace("|", "\u00ad")


def chromium(work: Path, name: str, html: str) -> None:
    page = work / f"{name}.html"
    page.write_text(html, "utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--no-pdf-header-footer"]
    subprocess.run(
        [*command, f"--print-to-pdf={FILES / name}.pdf", str(page)], check=True, capture_output=True
    )


def libreoffice(work: Path, name: str, fodt: str) -> None:
    source = work / f"{name}.fodt"
    source.write_text(fodt, "utf-8")
    profile = f"-env:UserInstallation=file://{work}/profile"
    subprocess.run(
        ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", FILES, source],
        check=True,
        capture_output=True,
    )


def qpdf(*arguments: object) -> None:
    subprocess.run(["qpdf", *(str(argument) for argument in arguments)], check=True)


def two_columns() -> str:
    paragraphs = "".join(f"<p>{soft(text)}</p>" for text in ARTICLE)
    return f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>A square of reeds</title>
<style>@page {{ margin: 15mm 55mm 15mm 15mm }} body {{ font: 14pt/1.2 "Liberation Serif" }}
h1 {{ font-size: 15pt; text-align: center }} div {{ columns: 2; text-align: justify }}
p {{ margin: 0 0 2mm }}</style><h1>A square of reeds</h1><div>{paragraphs}</div></html>"""


def sideways() -> None:
    """The table lying on its side, as a wide table lies on an upright page."""
    import pypdfium2

    with pypdfium2.PdfDocument(FILES / "table-ru.pdf") as document:
        page = document[0]
        width, height = page.get_size()
        for thing in page.get_objects(max_depth=1):
            thing.transform(pypdfium2.PdfMatrix(0, 1, -1, 0, height, 0))
        page.set_mediabox(0, 0, height, width)
        page.gen_content()
        document.save(FILES / "sideways.pdf")


def flat(styles: str, masters: str, body: str, title: str = "", author: str = "") -> str:
    names = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in SPACES.items())
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document {names} office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>{title}</dc:title><meta:initial-creator>{author}</meta:initial-creator>
<meta:creation-date>2024-05-17T09:30:00</meta:creation-date></office:meta>
<office:styles><style:default-style style:family="paragraph">
<style:paragraph-properties fo:margin-bottom="2mm"/>
<style:text-properties style:font-name="Liberation Serif" fo:font-family="Liberation Serif"
 fo:font-size="11pt"/></style:default-style>
<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"
 style:default-outline-level="1"><style:text-properties fo:font-size="15pt"/></style:style>
<text:outline-style style:name="Outline"><text:outline-level-style text:level="1"
 style:num-format=""/></text:outline-style></office:styles>
<office:automatic-styles>{styles}</office:automatic-styles>
<office:master-styles>{masters}</office:master-styles>
<office:body><office:text>{body}</office:text></office:body></office:document>"""


def layout(name: str, usage: str = "all", edges: bool = True) -> str:
    edge = '<style:header-footer-properties fo:min-height="0mm" {}="5mm"/>'
    header = f"<style:header-style>{edge.format('fo:margin-bottom')}</style:header-style>"
    footer = f"<style:footer-style>{edge.format('fo:margin-top')}</style:footer-style>"
    return f"""<style:page-layout style:name="{name}" style:page-usage="{usage}">
<style:page-layout-properties fo:page-width="105mm" fo:page-height="148mm" fo:margin="12mm"/>
{header + footer if edges else ""}</style:page-layout>"""


BREAK = """<style:style style:name="New" style:family="paragraph">
<style:paragraph-properties fo:break-before="page"/></style:style>"""


def six_pages() -> str:
    """A header on every page, a page number below, and a table heading repeated in the body."""
    body = []
    for i in range(6):
        style = ' text:style-name="New"' if i else ""
        first, *rest = (soft(STORY_EN[(i + k) % 6]) for k in range(3))
        body.append(f"<text:p{style}>{first}</text:p>")
        body.append("<text:p>Crossing Weather Hands</text:p>")
        body.append(f"<text:p>{120 + 7 * i} wind {['cold', 'busy', 'wet'][i % 3]}</text:p>")
        body += [f"<text:p>{text}</text:p>" for text in rest]
    masters = """<style:master-page style:name="Standard" style:page-layout-name="Small">
<style:header><text:p>The ferryman's two clocks</text:p></style:header>
<style:footer><text:p>Page <text:page-number text:select-page="current"/> of
 <text:page-count/></text:p></style:footer></style:master-page>"""
    return flat(BREAK + layout("Small"), masters, "".join(body), "Two clocks", "Nora Finch")


def chapters() -> str:
    """Left pages carry the book's title, right pages the chapter's; page numbers in Kazakh."""
    body, title = [], ""
    for line in (HERE / "essays" / "apple.md").read_text("utf-8").splitlines():
        line = re.sub(r"\{.*?\}", "", line)
        if line.startswith("title: "):
            title = line[7:]
        elif line.startswith("# "):
            body.append(
                f'<text:h text:style-name="Chapter" text:outline-level="1">{line[2:]}</text:h>'
            )
        elif line and not re.match(r"\||-|\w+: ", line):
            body.append(f"<text:p>{escape(line)}</text:p>")
    styles = """<style:style style:name="Chapter" style:family="paragraph"
 style:parent-style-name="Heading_20_1"/>"""
    masters = f"""<style:master-page style:name="Standard" style:page-layout-name="Small">
<style:header><text:p><text:chapter text:display="name" text:outline-level="1"/></text:p>
</style:header>
<style:header-left><text:p>{title}</text:p></style:header-left>
<style:footer><text:p><text:page-number text:select-page="current"/>-бет</text:p></style:footer>
</style:master-page>"""
    first = f'<text:h text:style-name="Chapter" text:outline-level="1">{title}</text:h>'
    small = layout("Small", "mirrored").replace('"105mm"', '"90mm"').replace('"148mm"', '"110mm"')
    return flat(styles + small, masters, first + "".join(body), title, "Айгүл Сәрсен")


def table_ru() -> str:
    def cell(text: str | None, spans: str = "") -> str:
        return f"""<table:table-cell table:style-name="Ruled" {spans}><text:p>{text or ""}</text:p>
</table:table-cell>"""

    hidden = "<table:covered-table-cell/>"
    down, across = 'table:number-rows-spanned="2"', 'table:number-columns-spanned="3"'
    head, below, *rows = CATCH_RU
    lines = [cell(head[0], down) + cell(head[1], across) + 2 * hidden + cell(head[4], down)]
    lines.append(hidden + "".join(cell(text) for text in below[1:4]) + hidden)
    lines += ["".join(cell(text) for text in row) for row in rows]
    table = "".join(f"<table:table-row>{line}</table:table-row>" for line in lines)
    body = f"""<text:p>Рыбаки нашей артели записывают улов каждый вечер, и за два года набралась
 толстая тетрадь. Из неё взяты числа, которые приведены ниже.</text:p>
<text:p>Таблица 3 – Улов сазана по водоёмам за два года</text:p>
<table:table><table:table-column table:number-columns-repeated="5"/>{table}</table:table>
<text:p>Больше всего рыбы даёт залив: там тихо, тепло и много корма.</text:p>"""
    styles = """<style:style style:name="Ruled" style:family="table-cell">
<style:table-cell-properties fo:border="0.5pt solid #000000" fo:padding="1mm"/></style:style>"""
    masters = '<style:master-page style:name="Standard" style:page-layout-name="Small"/>'
    wide = layout("Small", edges=False).replace('"105mm"', '"160mm"')
    return flat(styles + wide, masters, body, "Тетрадь артели", "Пётр Лугин")


def form() -> str:
    body = """<office:forms form:apply-design-mode="false"><form:form form:name="Form">
<form:text form:name="reason" form:id="c1" xml:id="c1"
 form:current-value="The gate was already locked"/></form:form></office:forms>
<text:p>Why were you late? Please write one line.</text:p>
<text:p><draw:control text:anchor-type="as-char" svg:width="70mm" svg:height="8mm"
 draw:control="c1"/></text:p>"""
    masters = '<style:master-page style:name="Standard" style:page-layout-name="Small"/>'
    return flat(layout("Small", edges=False), masters, body)


def scan_between(work: Path) -> None:
    """A page of text, the picture of a page, a blank page, a page of text."""
    import pypdfium2

    with pypdfium2.PdfDocument(FILES / "six-pages.pdf") as document:
        document[2].render(scale=1.2, grayscale=True).to_pil().save(work / "scan.jpg", quality=35)
    chromium(
        work,
        "scan-between",
        f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Scan</title><style>
@page {{ margin: 0 }} body {{ margin: 0; font: 11pt "Liberation Serif" }}
section {{ break-after: page; height: 9in; padding: 12mm }}
img {{ width: 8.5in; height: 10.9in; display: block; break-after: page }}</style>
<section><p>{soft(STORY_EN[0])}</p></section><img src="{work}/scan.jpg">
<section></section><section><p>{soft(STORY_EN[1])}</p></section></html>""",
    )


def pictures(work: Path) -> None:
    """A figure among text, and a small emblem on each of three pages."""
    from PIL import Image, ImageDraw

    figure = Image.new("RGB", (240, 160), "white")
    pen = ImageDraw.Draw(figure)
    pen.polygon([(10, 150), (90, 30), (150, 110), (190, 70), (235, 150)], fill="#5577aa")
    pen.ellipse((170, 10, 210, 50), fill="#ddaa22")
    figure.save(FILES / "figure.png", optimize=True)
    emblem = Image.new("RGB", (48, 48), "white")
    ImageDraw.Draw(emblem).pieslice((4, 4, 44, 44), 30, 250, fill="#883311")
    emblem.save(work / "emblem.png")
    page = "<section><img src='{0}/emblem.png' width=30><p>{1}</p>{2}</section>"
    shown = f"<img src='{FILES}/figure.png' width=300>"
    sections = [page.format(work, soft(STORY_EN[i]), shown if i == 1 else "") for i in range(3)]
    chromium(
        work,
        "pictures",
        f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Pictures</title><style>
@page {{ margin: 12mm }} section {{ break-after: page }}</style>
{"".join(sections)}</html>""",
    )


def garbage(work: Path) -> None:
    """The fonts' tables of letters taken out: the page looks right and its text says nothing."""
    chromium(
        work,
        "garbage",
        f"""<!DOCTYPE html><html lang="ru"><meta charset="utf-8"><title>Shuffled</title><style>
@page {{ margin: 12mm }} body {{ font: 11pt "Liberation Serif" }}</style>
<p>{soft(STORY_EN[2])}</p><p>{soft(STORY_EN[3])}</p>
<p style="break-before: page">Лодочник держит двое часов: одни показывают время железной дороги,
другие он ставит по церкви на том берегу, и они ни разу не сошлись.</p></html>""",
    )
    plain = work / "plain.pdf"
    qpdf("--qdf", "--object-streams=disable", FILES / "garbage.pdf", plain)
    data = re.sub(rb"/ToUnicode \d+ 0 R", lambda found: b" " * len(found[0]), plain.read_bytes())
    plain.write_bytes(data)
    qpdf("--object-streams=generate", plain, FILES / "garbage.pdf")


def locked(work: Path) -> None:
    source = FILES / "table-ru.pdf"
    qpdf("--encrypt", "", "owner", 256, "--print=none", "--", source, FILES / "locked-empty.pdf")
    qpdf("--encrypt", "reed", "owner", 256, "--", source, FILES / "locked.pdf")


if __name__ == "__main__":
    main()
