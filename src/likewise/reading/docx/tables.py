"""Tables of a Word document."""

from __future__ import annotations

from likewise.reading.docx.story import OpenTable, Story
from likewise.reading.office.blocks import Cell, TableBlock
from likewise.reading.office.looks import AUTOMATIC, UNKNOWN
from likewise.reading.package import Element


def on_table(story: Story, element: Element) -> None:
    table = TableBlock()
    story.place().append(table)
    outside = story.paragraph, story.into, story.table, story.floor
    story.paragraph, story.into, story.table = None, [], OpenTable(table)
    style = element.find(f"{story.w}tblPr/{story.w}tblStyle")
    if style is not None and story.looks.is_dark_table(story.attribute(style, "val")):
        story.floor = UNKNOWN  # heads of tables are white on blue more often than not
    story.read(element)
    story.paragraph, story.into, story.table, story.floor = outside


def on_row(story: Story, element: Element) -> None:
    table = story.table
    if table is None or table.row is not None:
        story.read(element)
        return
    outside = story.row_is_hidden
    properties, before = element.find(story.w + "trPr"), 0
    if properties is not None:
        if properties.find(story.w + "del") is not None:
            story.deletions += 1
            return
        before = story.number(properties.find(story.w + "gridBefore"), 0)
        story.row_is_hidden = story.looks.is_on(properties.find(story.w + "hidden"))
    table.row, table.column, table.here = [], before, {}
    table.block.rows.append(table.row)
    if before:
        table.row.append(Cell(across=before))
    story.read(element)
    table.row, table.above = None, table.here
    story.row_is_hidden = outside


def on_cell(story: Story, element: Element) -> None:
    table = story.table
    if table is None or table.row is None:
        story.read(element)
        return
    cell, column = Cell(), table.column
    merged_down, merged_across = None, ""
    floor = story.floor
    properties = element.find(story.w + "tcPr")
    if properties is not None:
        cell.across = max(story.number(properties.find(story.w + "gridSpan"), 1), 1)
        shading = story.looks.shading(properties.find(story.w + "shd"))
        story.floor = floor if shading == AUTOMATIC else shading
        merged_down = _either(properties, story.w + "vMerge", story.w + "vmerge")
        beside = _either(properties, story.w + "hMerge", story.w + "hmerge")
        merged_across = "" if beside is None else story.attribute(beside, "val") or "continue"
    story.into, story.table = cell.blocks, None
    story.read(element)
    story.into, story.table, story.floor = [], table, floor
    table.column = column + cell.across
    above = table.above.get(column)
    if merged_across == "continue" and table.row:
        table.row[-1].across += cell.across
        table.row[-1].blocks += cell.blocks
    elif merged_down is None:
        table.row.append(cell)
    elif story.attribute(merged_down, "val") == "restart" or above is None:
        table.row.append(cell)
        table.here[column] = cell
    else:
        above.down += 1
        above.blocks += [b for b in cell.blocks if isinstance(b, TableBlock) or b.length]
        table.here[column] = above


def _either(element: Element, name: str, name_in_2003: str) -> Element | None:
    found = element.find(name)
    return element.find(name_in_2003) if found is None else found
