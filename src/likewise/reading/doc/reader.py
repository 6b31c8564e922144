"""DOC: Word 97 to 2003, Word 6 and 95."""

from __future__ import annotations

from likewise.errors import ReadingError
from likewise.reading.doc.file import COMMENT_MARKS, WordFile
from likewise.reading.doc.telling import Telling
from likewise.reading.draft import Draft
from likewise.reading.office.compound import Compound
from likewise.reading.office.notes import note_changes, note_damage
from likewise.reading.office.summary import summary
from likewise.reading.office.writing import Manuscript, write_down
from likewise.reading.request import Request

_COMMENT_BYTES = 30


def read_doc(data: bytes, request: Request) -> Draft:
    """The document in a file of Word 6 to 2003."""
    compound = Compound(data)
    if "\tdrmcontent" in compound.names:
        raise ReadingError("reading.rights")
    file = WordFile(data, compound)
    telling = Telling(file)
    headers, footers = telling.running()
    body, end = telling.body()
    manuscript = Manuscript(
        body=body,
        endnotes=end,
        headers=headers,
        footers=footers,
        caption_styles=frozenset(),
        most_pages=0,
        pages=0,
    )
    draft = write_down(manuscript, telling.picture, request)
    draft.meta |= summary(compound)
    comments = len(file.places(COMMENT_MARKS, _COMMENT_BYTES)[1])
    note_changes(draft, deletions=telling.deletions, comments=comments)
    note_damage(draft, file.damage)
    return draft
