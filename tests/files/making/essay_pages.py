"""An essay's source, and the two pages that its producers get."""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template

SOURCES = Path(__file__).parent / "essays"
COUNTRIES = {"en": "GB", "ru": "RU", "kk": "KZ"}
# Liberation Serif lacks letters of Kazakh: the browser's page takes them from another font, so that
# words of two fonts are met too.
FONTS = {"en": "Liberation Serif", "ru": "Liberation Serif", "kk": "DejaVu Serif"}
NOTE = re.compile(r"\{(.+?)\}")  # a footnote stands in braces where its number will stand


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list, table or picture, and its lines without marks."""

    kind: str
    lines: list[str]


@dataclass(frozen=True, slots=True)
class Essay:
    """The head of a source (language, title, running header, kind of list) and its blocks."""

    head: dict[str, str]
    blocks: list[Block]

    @classmethod
    def named(cls, name: str) -> Essay:
        head, *blocks = (SOURCES / f"{name}.md").read_text("utf-8").strip().split("\n\n")
        return cls(
            dict(line.split(": ", 1) for line in head.split("\n")),
            [block_of(block) for block in blocks],
        )


def block_of(text: str) -> Block:
    """A block of an essay from its source.

    >>> block_of("- one\\n- two")
    Block(kind='list', lines=['one', 'two'])
    """
    marks = {"# ": "heading", "- ": "list", "table: ": "table", "picture: ": "picture"}
    for mark, kind in marks.items():
        if text.startswith(mark):
            return Block(kind, [line.removeprefix(mark) for line in text.split("\n")])
    return Block("paragraph", [text])


def cell_of(text: str) -> Cell:
    """A number in front says how many columns (>) or rows (v) the cell covers.

    >>> cell_of("2> Rain, mm"), cell_of("2v Month")
    (Cell(text='Rain, mm', across=2, down=1), Cell(text='Month', across=1, down=2))
    """
    spans = re.fullmatch(r"(\d)([>v]) (.+)", text)
    if not spans:
        return Cell(text)
    many = int(spans[1])
    return Cell(spans[3], many, 1) if spans[2] == ">" else Cell(spans[3], 1, many)


def places(lines: list[str]) -> list[list[Cell | None]]:
    """Every place of a table; None where a cell from the left or from above reaches.

    >>> [[cell and cell.text for cell in row] for row in places(["| 2v A | 2> B", "| C | D"])]
    [['A', 'B', None], [None, 'C', 'D']]
    """
    covered: set[tuple[int, int]] = set()
    rows = []
    for i, line in enumerate(lines):
        row: list[Cell | None] = []
        for cell in map(cell_of, line.strip("| ").split(" | ")):
            while (i, len(row)) in covered:
                row.append(None)
            reach = itertools.product(range(cell.down), range(cell.across))
            covered |= {(i + down, len(row) + right) for down, right in reach}
            row.append(cell)
        while (i, len(row)) in covered:
            row.append(None)
        rows.append(row)
    return rows


def flat_odt(essay: Essay, picture: bytes) -> str:
    """The page for LibreOffice: an OpenDocument in one file."""
    numbers = itertools.count(1)

    def footnote(note: re.Match[str]) -> str:
        number = next(numbers)
        return (
            f'<text:note text:id="n{number}" text:note-class="footnote">'
            f"<text:note-citation>{number}</text:note-citation>"
            f"<text:note-body>{paragraph(note[1], 'Footnote')}</text:note-body></text:note>"
        )

    def paragraph(text: str, style: str = "Standard") -> str:
        marked = NOTE.sub(footnote, escape(text, quote=False))
        return f'<text:p text:style-name="{style}">{marked}</text:p>'

    def heading(text: str) -> str:
        style = 'text:style-name="Heading_20_1" text:outline-level="1"'
        return f"<text:h {style}>{escape(text, quote=False)}</text:h>"

    def list_of(*items: str) -> str:
        inside = "".join(f"<text:list-item>{paragraph(item)}</text:list-item>" for item in items)
        return f'<text:list text:style-name="{essay.head["list"]}">{inside}</text:list>'

    def table_cell(cell: Cell | None) -> str:
        if cell is None:
            return "<table:covered-table-cell/>"
        return (
            '<table:table-cell table:style-name="Ruled" office:value-type="string"'
            f' table:number-columns-spanned="{cell.across}"'
            f' table:number-rows-spanned="{cell.down}">'
            f"{paragraph(cell.text, 'Table_20_Contents')}</table:table-cell>"
        )

    def table(caption: str, *lines: str) -> str:
        rows = [list(map(table_cell, row)) for row in places(list(lines))]
        inside = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)
        return (
            f'{paragraph(caption, "Caption")}<table:table table:name="T" table:style-name="Grid">'
            f'<table:table-column table:number-columns-repeated="{len(rows[0])}"/>'
            f"{inside}</table:table>"
        )

    def figure(caption: str) -> str:
        return (
            '<text:p text:style-name="Caption"><draw:frame draw:style-name="Figure"'
            ' text:anchor-type="as-char" svg:width="6cm" svg:height="4cm"><draw:image>'
            f"<office:binary-data>{base64.b64encode(picture).decode()}</office:binary-data>"
            f"</draw:image></draw:frame></text:p>{paragraph(caption, 'Caption')}"
        )

    around = ""
    if "running" in essay.head:
        around = (
            f"<style:header>{paragraph(essay.head['running'], 'Header')}</style:header>"
            '<style:footer><text:p text:style-name="Footer">'
            '<text:page-number text:select-page="current">1</text:page-number>'
            "</text:p></style:footer>"
        )
    writers: dict[str, Callable[..., str]] = {
        "paragraph": paragraph,
        "heading": heading,
        "list": list_of,
        "table": table,
        "picture": figure,
    }
    body = "\n".join(writers[block.kind](*block.lines) for block in essay.blocks)
    language = essay.head["language"]
    country, font = COUNTRIES[language], FONTS[language]
    return _filled("page.fodt", essay, body=body, country=country, font=font, around=around)


def web_page(essay: Essay, picture: bytes) -> str:
    """The page for the browser: words may be hyphenated, and notes stand at the end."""
    notes: list[str] = []

    def anchor(note: re.Match[str]) -> str:
        notes.append(note[1])
        return f"<sup>{len(notes)}</sup>"

    def inline(text: str) -> str:
        return NOTE.sub(anchor, hyphenated(escape(text, quote=False)))

    def list_of(*items: str) -> str:
        tag = {"bullets": "ul", "numbers": "ol"}[essay.head["list"]]
        return f"<{tag}>{''.join(f'<li>{inline(item)}</li>' for item in items)}</{tag}>"

    def table_cell(cell: Cell) -> str:
        return f'<td colspan="{cell.across}" rowspan="{cell.down}">{inline(cell.text)}</td>'

    def table(caption: str, *lines: str) -> str:
        rows = [map(table_cell, filter(None, row)) for row in places(list(lines))]
        inside = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        return f"<table><caption>{inline(caption)}</caption>{inside}</table>"

    def figure(caption: str) -> str:
        data = base64.b64encode(picture).decode()
        image = f'<img src="data:image/png;base64,{data}" alt="">'
        return f"<figure>{image}<figcaption>{inline(caption)}</figcaption></figure>"

    writers = {
        "paragraph": lambda text: f"<p>{inline(text)}</p>",
        "heading": lambda text: f"<h2>{inline(text)}</h2>",
        "list": list_of,
        "table": table,
        "picture": figure,
    }
    body = [writers[block.kind](*block.lines) for block in essay.blocks]
    body += [f"<aside><sup>{n}</sup> {note}</aside>" for n, note in enumerate(notes, 1)]
    return _filled("page.html", essay, body="\n".join(body))


def hyphenated(text: str) -> str:
    """Long words with the places where a line may break them.

    >>> hyphenated("a wide hillside").replace("\N{SOFT HYPHEN}", "-")
    'a wide hill-side'
    """
    vowels = "aeiouyаеёиоуыэюяәөұүі"
    syllable = re.compile(rf"(?<=[^\W\d_]{{3}})(?=[^\W\d_{vowels}][{vowels}]\w)")
    return re.sub(r"\w{8,}", lambda word: syllable.sub("\N{SOFT HYPHEN}", word[0]), text)


def _filled(template: str, essay: Essay, **more: str) -> str:
    page = Template((SOURCES / template).read_text("utf-8"))
    return page.substitute(essay.head, **more)
