"""Pictures, charts and diagrams of a Word document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.reading.office.blocks import Paragraph
from likewise.reading.package import Element

if TYPE_CHECKING:
    from likewise.reading.docx.story import Story


def on_picture(story: Story, element: Element) -> None:
    name = story.related(element, "embed") or story.related(element, "id")
    if name:
        _put_picture(story, name)
    story.read(element)


def on_picture_itself(story: Story, element: Element) -> None:
    """In Word 2003 a picture stands where it is seen."""
    name = f"picture {len(story.pictures)}"
    story.pictures[name] = element.text or ""
    _put_picture(story, name)


def on_word_art(story: Story, element: Element) -> None:
    _put_lines(story, [element.get("string") or ""])


def on_chart(story: Story, element: Element) -> None:
    _put_lines(story, story.drawn(story.related(element, "id")))


def on_diagram(story: Story, element: Element) -> None:
    _put_lines(story, story.drawn(story.related(element, "dm")))


def _put_picture(story: Story, name: str) -> None:
    paragraph = story.open_paragraph()
    paragraph.pictures.append((paragraph.length, name))
    story.said += 1


def _put_lines(story: Story, lines: list[str]) -> None:
    for line in lines:
        paragraph = Paragraph()
        paragraph.add(" ".join(line.split()))
        story.place().append(paragraph)
        story.said += 1
