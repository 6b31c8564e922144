"""Word's documents: .docx, .docm and templates, Word 2003 XML and Word's flat XML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from likewise.catalogue import Value
from likewise.errors import ReadingError
from likewise.model import Message, Note
from likewise.reading.docx.drawings import has_drawings
from likewise.reading.docx.elements import W_NAMESPACES, actions_in
from likewise.reading.docx.parts import (
    FlatParts,
    Relations,
    caption_styles,
    main_part,
    related,
    relations_of,
)
from likewise.reading.docx.story import Story
from likewise.reading.docx.text_style import TextStyles, page_colour
from likewise.reading.draft import Draft
from likewise.reading.office.blocks import Block
from likewise.reading.office.open_xml import drawn_lines, meta_in, pages_counted
from likewise.reading.office.text_style import WHITE
from likewise.reading.office.writing import (
    Manuscript,
    note_changes,
    note_damage,
    note_unread,
    write_down,
)
from likewise.reading.package import Element, Package, Parts, from_base64, parse_or_rescue
from likewise.reading.request import Request

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read_docx(data: bytes, request: Request) -> Draft:
    """The text of a Word document as its reader sees it, with its tables, notes and pictures."""
    if data.startswith(_OLE):
        raise ReadingError("reading.locked" if _ENCRYPTED in data else "reading.not_word")
    if data.startswith(b"PK"):
        return _read_parts(Package(data, request.limits), request)
    damage: list[Value] = []
    root = parse_or_rescue(data, Message("reading.the_file"), damage)
    if root is None:
        raise ReadingError("reading.not_word")
    if root.tag.endswith("}package"):
        parts = FlatParts(root)
        parts.damage = damage
        return _read_parts(parts, request)
    return _read_2003(root, request, damage)


def _read_parts(parts: Parts, request: Request, *, is_chunk: bool = False) -> Draft:
    of_package = relations_of(parts, "")
    main = main_part(parts, of_package)
    root = parts.xml(main) if main else None
    if main is None or root is None:
        raise ReadingError("reading.not_word")
    w = _namespace(root)
    relations = relations_of(parts, main)
    program = parts.xml(related(of_package, "extended-properties"))
    notes = _Notes(parts, relations, w)
    chunks_read: set[str] = set()

    def lines_in_drawing(name: str) -> list[str]:
        return drawn_lines(parts.xml(name)) if name else []

    def chunk(name: str) -> tuple[list[str], bool]:
        if is_chunk or name in chunks_read:  # pieces in pieces could go on without end
            return [], False
        chunks_read.add(name)
        return _chunk_lines(parts.read(name) or b"", name, request)

    def running(name: str | Element) -> list[Block]:
        part = parts.xml(name) if isinstance(name, str) else name
        if part is None:
            return []
        own = relations_of(parts, name) if isinstance(name, str) else relations
        return _story(part, w, own, notes.find, lines_in_drawing, chunk, text_styles).blocks

    styles = parts.xml(related(relations, "styles"))
    text_styles = TextStyles(w, styles)
    story = _story(
        root, w, relations, notes.find, lines_in_drawing, chunk, text_styles, page_colour(root, w)
    )
    draft = _write_story(story, root, styles, running, pages_counted(program), parts.read, request)
    draft.meta |= meta_in(parts.xml(related(of_package, "core-properties")), program)
    note_damage(draft, parts.damage)
    return draft


def _chunk_lines(data: bytes, name: str, request: Request) -> tuple[list[str], bool]:
    """The lines of a piece in another format, and whether all of it was read."""
    # They know every reader, this one too, so they are imported when all is in place.
    from likewise.reading.formats import read_as, sniff

    quiet = replace(request, name=name, tell_page=lambda _done, _total: None)
    try:
        form = sniff(data, name)
        if form == "docx" and data.startswith(b"PK"):
            parts = Package(data, request.limits)
            document = _read_parts(parts, quiet, is_chunk=True).document(name)
        elif form in {"html", "mhtml", "rtf", "plain"}:
            document = read_as(form, data, quiet)
        else:
            return [], False
    except ReadingError:
        return [], False
    whole = not any(note.kind in Note.READ_IN_PART for note in document.notes)
    return document.text.splitlines(), whole


def _read_2003(root: Element, request: Request, damage: list[Value]) -> Draft:
    w = _namespace(root)
    properties = root.find("{urn:schemas-microsoft-com:office:office}DocumentProperties")

    styles = root.find(w + "styles")
    text_styles = TextStyles(w, styles)

    def story_in(element: Element) -> Story:
        return _story(
            element,
            w,
            {},
            lambda _kind, _number: None,
            lambda _name: [],
            lambda _name: ([], False),
            text_styles,
            page_colour(root, w),
        )

    def running(element: str | Element) -> list[Block]:
        return [] if isinstance(element, str) else story_in(element).blocks

    body = root.find(w + "body")
    story = story_in(root if body is None else body)

    def media(name: str) -> bytes | None:
        return from_base64(story.pictures.get(name, ""))

    draft = _write_story(story, root, styles, running, pages_counted(properties), media, request)
    draft.meta |= meta_in(properties)
    note_damage(draft, damage)
    return draft


def _story(
    element: Element,
    w: str,
    relations: Relations,
    notes: Callable[[str, str], tuple[Element, Relations] | None],
    lines_in_drawing: Callable[[str], list[str]],
    chunk: Callable[[str], tuple[list[str], bool]],
    text_styles: TextStyles,
    colour: int = WHITE,
) -> Story:
    drawings = cache(lambda: has_drawings(element))
    story = Story(
        w, actions_in(w), relations, notes, lines_in_drawing, chunk, text_styles, colour, drawings
    )
    story.read(element)
    return story


def _write_story(
    story: Story,
    root: Element,
    styles: Element | None,
    running: Callable[[str | Element], list[Block]],
    pages: int,
    media: Callable[[str], bytes | None],
    request: Request,
) -> Draft:
    manuscript = Manuscript(
        body=story.blocks,
        endnotes=story.endnotes,
        headers=[running(header) for header in story.headers],
        footers=[running(footer) for footer in story.footers],
        caption_styles=caption_styles(styles, _namespace(root)),
        most_pages=_most_pages(root),
        pages=pages,
    )
    draft = write_down(manuscript, media, request)
    note_changes(draft, deletions=story.deletions, comments=story.comments)
    note_unread(draft, embedded=story.embedded, foreign=story.foreign)
    return draft


def _namespace(root: Element) -> str:
    namespace = root.tag[: root.tag.find("}") + 1]
    if namespace not in W_NAMESPACES:
        raise ReadingError("reading.not_word")
    return namespace


def _most_pages(root: Element) -> int:
    """How many pages there are at most; none where Word left no trace of laying them out."""
    w = _namespace(root)
    laid_out = sum(1 for _ in root.iter(w + "lastRenderedPageBreak"))
    if not laid_out:
        return 0
    by_hand = sum(br.get(w + "type") == "page" for br in root.iter(w + "br"))
    return 1 + laid_out + by_hand


class _Notes:
    """Footnotes and endnotes by their numbers; their parts are opened when one is asked for."""

    def __init__(self, parts: Parts, relations: Relations, w: str) -> None:
        self._parts = parts
        self._relations = relations
        self._w = w
        self._read: dict[str, tuple[dict[str, Element], Relations]] = {}

    def find(self, kind: str, number: str) -> tuple[Element, Relations] | None:
        if kind not in self._read:
            name = related(self._relations, f"{kind}s")
            root = self._parts.xml(name) if name else None
            notes = {} if root is None else {n.get(self._w + "id") or "": n for n in root}
            self._read[kind] = notes, relations_of(self._parts, name) if notes else {}
        notes, relations = self._read[kind]
        return (notes[number], relations) if number in notes else None
