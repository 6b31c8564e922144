"""What stands beside the text of a Word document, what is told twice, and what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.reading.office.blocks import Paragraph
from likewise.reading.package import Element

if TYPE_CHECKING:
    from likewise.reading.docx.story import Story

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def on_note(story: Story, element: Element) -> None:
    """Notes follow the whole text, footnotes too: no run of words is cut by one."""
    kind = "endnote" if "endnote" in element.tag else "footnote"
    number = story.attribute(element, "id")
    found = story.notes(kind, number)
    if found is None or (kind, number) in story.noted or story.unshown:
        return
    story.noted.add((kind, number))
    note, relations = found
    here, story.relations = story.relations, relations
    story.read_aside(note, story.endnotes)
    story.relations = here


def on_note_itself(story: Story, element: Element) -> None:
    """In Word 2003 a note stands where it is referred to."""
    story.read_aside(element, story.endnotes)


def on_alternatives(story: Story, element: Element) -> None:
    """The same in two ways, for new programs and for old ones: only one is read."""
    choices = [child for child in element if child.tag == MC + "Choice"]
    others = [child for child in element if child.tag == MC + "Fallback"]
    said = story.said
    for branch in choices[:1] + others:
        story.read(branch)
        if story.said > said:
            return


def on_section(story: Story, element: Element) -> None:
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name in {"hdr", "ftr"}:
            (story.headers if name == "hdr" else story.footers).append(child)
        elif name in {"headerReference", "footerReference"}:
            target = story.related(child, "id")
            known = story.headers if name == "headerReference" else story.footers
            if target and target not in known:
                known.append(target)


def on_deletion(story: Story, element: Element) -> None:
    story.deletions += len(element) > 0


def on_annotation(story: Story, element: Element) -> None:
    """How Word 2003 writes changes and comments."""
    kind = story.attribute(element, "type")
    if kind == "Word.Deletion":
        story.deletions += 1
    elif kind == "Word.Comment":
        story.comments += 1
    else:
        story.read(element)


def on_comment(story: Story, _element: Element) -> None:
    story.comments += 1


def on_other_format(story: Story, element: Element) -> None:
    """A piece of HTML or RTF that Word turns into text when it opens the document."""
    lines, whole = story.chunk(story.related(element, "id"))
    story.foreign += not whole
    for line in lines:
        paragraph = Paragraph()
        paragraph.add(line)
        story.place().append(paragraph)


def on_embedded(story: Story, element: Element) -> None:
    story.embedded += not (element.get("ProgID") or "").startswith("Equation")
