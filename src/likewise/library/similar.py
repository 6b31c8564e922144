"""Candidates by every measure: how alike whole documents are, without aligning them."""

from __future__ import annotations

from collections.abc import Iterator

from likewise.language import Lexicon
from likewise.library.candidates import Candidate, Candidates
from likewise.library.entries import read_document
from likewise.library.errors import LibraryError
from likewise.library.library import Library
from likewise.measure import measured, profile_of
from likewise.model import Document, Match


def measure_candidates(
    library: Library, document: Document, found: Candidates
) -> Iterator[tuple[Candidate, Match | None]]:
    """Each candidate of a document with all measures of the two; None if it was removed since."""
    settings = library.settings
    lexicon = Lexicon(settings)
    own = profile_of(document.compared_text, settings, lexicon)
    for candidate in found.ranked:
        with library.store.reading() as connection:
            try:
                other = read_document(connection, candidate.id)
            except LibraryError:
                yield candidate, None
                continue
        profile = profile_of(other.compared_text, settings, lexicon)
        yield candidate, measured(document, other, own, profile, settings)
