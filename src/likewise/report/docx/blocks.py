"""Blocks of paper as WordprocessingML."""

from __future__ import annotations

from likewise.report.docx.markup import (
    INK,
    SOFT,
    UNDERLINES,
    WIDTH,
    cell,
    colours_of,
    is_right_to_left,
    paragraph,
    row,
    run_properties,
    shading,
    table,
    text_run,
)
from likewise.report.paper.blocks import (
    Bar,
    Block,
    BothSides,
    Facts,
    Grid,
    GridCell,
    Histogram,
    Legend,
    Lines,
    MarkedText,
    Paragraph,
    Run,
    Table,
)

PARTS = {"original": "CFDCCF", "similar": "C2553F", "quoted": "5B7FA6", "excluded": "B3B3AC"}
STYLES = {"plain": "Normal", "lead": "Lead", "faint": "Faint", "comment": "Normal"}
CHARACTER = 105  # the breadth of one in a table, in twentieths of a point
MOST_OF_A_COLUMN = 1900
# Said in each run, since LibreOffice passes over the font of a style inside tables.
MONO = (
    '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>'
    '<w:sz w:val="16"/><w:szCs w:val="16"/>'
)
SMALL = '<w:sz w:val="16"/><w:szCs w:val="16"/>'
SHADES = {"altered": "FBEEDA", "apart": "F3F5F7", "place": "F3F5F7"}
RIGHT = '<w:jc w:val="right"/>'


def draw_block(block: Block) -> str:
    """A block as paragraphs and tables."""
    match block:
        case Paragraph():
            return paragraph(text_run(block.text), STYLES[block.look])
        case Bar():
            return _bar(block)
        case Facts():
            return _facts(block)
        case Table():
            return _table(block)
        case Grid():
            return _grid(block)
        case Histogram():
            return _histogram(block)
        case Legend():
            return _legend(block)
        case MarkedText():
            return "".join(map(_line, block.lines))
        case BothSides():
            return _both(block)


def _bar(bar: Bar) -> str:
    """A strip of coloured cells, and the figures under it."""
    visible = [part for part in bar.parts if part[3]] or [("excluded", "", "", 1000)]
    widths = [max(WIDTH * tenths // 1000, 30) for *_, tenths in visible]
    widths[widths.index(max(widths))] -= sum(widths) - WIDTH
    empty = paragraph("", "Cell")
    strip = [
        cell(empty, width, shading(PARTS[part[0]]))
        for part, width in zip(visible, widths, strict=True)
    ]
    quarter = WIDTH // len(bar.parts)
    figures = [
        cell(
            paragraph(text_run("■ ", _colour(PARTS[key])) + text_run(share, "<w:b/>"), "Normal")
            + paragraph(text_run(name), "CellFaint"),
            quarter,
        )
        for key, name, share, _ in bar.parts
    ]
    gap = paragraph("", "Cell")
    return (
        table(widths, [row(strip, height=260)], "TableNormal")
        + gap
        + table([quarter] * len(bar.parts), [row(figures)], "TableNormal")
        + gap
    )


def _colour(colour: str) -> str:
    return f'<w:color w:val="{colour}"/>'


def _facts(facts: Facts) -> str:
    widths = [WIDTH // 4, WIDTH - WIDTH // 4]
    properties = MONO if facts.mono else ""
    rows = [
        row(
            [
                cell(paragraph(text_run(name, _colour(SOFT)), "Cell"), widths[0]),
                cell(paragraph(text_run(value, properties), "Cell"), widths[1]),
            ]
        )
        for name, value in facts.rows
    ]
    return table(widths, rows) + paragraph("", "Cell")


def _table(block: Table) -> str:
    widths = _widths(block)
    rows = []
    if any(block.heads):
        rows.append(
            row(
                [
                    cell(paragraph(text_run(head), "CellFaint", RIGHT if right else ""), width)
                    for head, width, right in zip(
                        block.heads, widths, block.to_the_right, strict=True
                    )
                ],
                is_head=True,
            )
        )
    for number, cells_text in enumerate(block.rows):
        cells = [
            cell(_cell(text, right), width)
            for text, width, right in zip(cells_text, widths, block.to_the_right, strict=True)
        ]
        if block.numbers:
            light, dark = colours_of(block.numbers[number])
            properties = f"<w:b/>{_colour(dark)}"
            chip = paragraph(text_run(cells_text[0], properties), "Cell", '<w:jc w:val="center"/>')
            cells[0] = cell(chip, widths[0], shading(light))
        rows.append(row(cells))
    return table(widths, rows) + paragraph("", "Cell")


def _cell(text: str, right: bool) -> str:
    first, *asides = text.split("\n")
    alignment = RIGHT if right else ""
    paragraphs = [paragraph(text_run(first), "Cell", alignment)]
    paragraphs += [paragraph(text_run(aside), "CellFaint", alignment) for aside in asides]
    return "".join(paragraphs)


def _widths(block: Table) -> list[int]:
    """Columns of width 0 as wide as their words, the others by their shares of the rest."""
    fixed: dict[int, int] = {}
    for column, share in enumerate(block.widths):
        if not share:
            longest = max(len(row[column]) for row in (block.heads, *block.rows))
            fixed[column] = min(max(longest * CHARACTER + 200, 480), MOST_OF_A_COLUMN)
    rest = WIDTH - sum(fixed.values())
    shares = sum(block.widths)
    return [fixed.get(i, rest * share // max(shares, 1)) for i, share in enumerate(block.widths)]


def _grid(grid: Grid) -> str:
    """A table of a document, small; signs and words tell what shades tell."""
    count = len(grid.heads) - 2
    narrow = 900
    widths = [narrow, narrow, *[(WIDTH - 2 * narrow) // max(count, 1)] * count]
    shade = shading(SHADES["place"])
    heads = [
        cell(_cell(head, right=False), width, shade)
        for head, width in zip(grid.heads, widths, strict=True)
    ]
    rows = [
        row([_grid_cell(each, width) for each, width in zip(cells, widths, strict=True)])
        for cells in grid.rows
    ]
    return table(widths, [row(heads, is_head=True), *rows]) + paragraph("", "Cell")


def _grid_cell(each: GridCell, width: int) -> str:
    first, *asides = each.text.split("\n")
    properties = _colour(SOFT) if each.look in ("apart", "place") else ""
    paragraphs = [paragraph(text_run(first, properties + SMALL), "Cell")]
    paragraphs += [paragraph(text_run(aside), "CellFaint") for aside in asides]
    if each.there:
        properties = "<w:b/>" if each.look == "altered" else _colour(SOFT)
        paragraphs.append(paragraph(text_run(each.there, properties + SMALL), "Cell"))
    shade = shading(SHADES[each.look]) if each.look in SHADES else ""
    return cell("".join(paragraphs), width, shade)


def _histogram(histogram: Histogram) -> str:
    """A bar for each tenth, with its count."""
    most = max(count for _, _, count in histogram.tenths)
    widths = [1500, 1100, WIDTH - 2600]
    rows = []
    for label, count_text, count in histogram.tenths:
        long = -(-count * 90 // max(most, 1))
        bar = text_run("\u00a0" * long, shading(PARTS["similar"]))
        rows.append(
            row(
                [
                    cell(paragraph(text_run(label, _colour(SOFT)), "Cell", RIGHT), widths[0]),
                    cell(paragraph(text_run(count_text), "Cell", RIGHT), widths[1]),
                    cell(paragraph(bar, "Cell"), widths[2]),
                ]
            )
        )
    return table(widths, rows, "TableNormal") + paragraph("", "Cell")


def _legend(legend: Legend) -> str:
    runs = [text_run(f"{legend.heading}:  ")] if legend.kinds else []
    for kind, name in legend.kinds:
        properties = f'{_colour(INK)}<w:u w:val="{UNDERLINES[kind]}"/>'
        runs += [text_run(name, properties), text_run("    ")]
    if legend.faint:
        runs += [text_run(legend.faint, _colour(SOFT)), text_run("    ")]
    runs.append(text_run(legend.trick, run_properties(Run("", trick=True))))
    return paragraph("".join(runs), "Faint")


def _line(line: Lines) -> str:
    """A line of the document; comments begin and end between its runs."""
    page = paragraph(text_run(line.page), "PageMark") if line.page else ""
    if not line.runs:
        return page
    style = "LineAfterGap" if line.after_a_gap else "Line"
    letters = "".join(run.text for run in line.runs)
    bidi = "<w:bidi/>" if is_right_to_left(letters) else ""
    return page + paragraph("".join(map(_run, line.runs)), style, bidi)


def _run(run: Run) -> str:
    runs = [f'<w:commentRangeStart w:id="{number}"/>' for number in run.begins]
    if run.mark:
        runs.append(text_run(run.mark, '<w:b/><w:vertAlign w:val="superscript"/>'))
    runs.append(text_run(run.text, run_properties(run)))
    for number in run.ends:
        runs.append(
            f'<w:commentRangeEnd w:id="{number}"/><w:r><w:rPr><w:rStyle w:val="CommentReference"/>'
            f'</w:rPr><w:commentReference w:id="{number}"/></w:r>'
        )
    return "".join(runs)


def _both(both: BothSides) -> str:
    half = WIDTH // 2
    title_runs = []
    if both.source is not None:
        light, dark = colours_of(both.source)
        title_runs.append(
            text_run(f" {both.source + 1} ", f"<w:b/>{_colour(dark)}{shading(light)}")
        )
        title_runs.append(text_run("  "))
    title_runs += [text_run(both.number, "<w:b/>"), text_run(f"   {both.facts}", _colour(SOFT))]
    sides = [
        cell(
            paragraph(text_run(head), "CellFaint")
            + paragraph("".join(text_run(run.text, run_properties(run)) for run in runs), "Cell"),
            half,
        )
        for head, runs in zip(both.heads, (both.here, both.there), strict=True)
    ]
    title = paragraph("".join(title_runs), "Normal", "<w:keepNext/>")
    return title + table([half, half], [row(sides)]) + paragraph("", "Cell")
