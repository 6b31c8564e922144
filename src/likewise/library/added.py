"""What came of adding documents."""

from __future__ import annotations

from dataclasses import dataclass

from likewise.model import Unread


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding: numbers of new documents, and everything that is none.

    `copies` of the new ones have the text of another document in another form; `again` are bytes
    that the library held, handed in by somebody else or under another name; `known` ones were
    there exactly so. `unmatched` are rows of the metadata table that no document fitted. Of the
    documents that were there, `filled` ones have learnt metadata that they lacked, and of `kept`
    ones the original is kept from now on. `textless` are names of documents that hold no text to
    compare: scans that were not read, pictures, or what damage has left.
    """

    ids: tuple[int, ...] = ()
    copies: int = 0
    again: int = 0
    known: int = 0
    unread: tuple[Unread, ...] = ()
    unmatched: tuple[str, ...] = ()
    filled: int = 0
    kept: int = 0
    textless: tuple[str, ...] = ()

    def __add__(self, other: Added) -> Added:
        return Added(
            (*self.ids, *other.ids),
            self.copies + other.copies,
            self.again + other.again,
            self.known + other.known,
            (*self.unread, *other.unread),
            (*self.unmatched, *other.unmatched),
            self.filled + other.filled,
            self.kept + other.kept,
            (*self.textless, *other.textless),
        )
