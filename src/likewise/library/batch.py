"""Many documents in one go: each against the library, and all against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from likewise.align import CheckOptions, with_passages
from likewise.align.check import FEWEST_HOLDERS, MOST_COMMON, SHARED_BY_ALL, USUAL
from likewise.align.exclude import Common
from likewise.align.exclude.common import find_common
from likewise.errors import BadInput
from likewise.library.candidates import CommonRun, Cover, without_common
from likewise.library.filters import Filters
from likewise.library.library import Library
from likewise.library.lookup import find_own_file, find_own_submission, note_own_file
from likewise.library.sketches import Hashes, sketches_of
from likewise.machine import cores
from likewise.model import Check, Document, Matches, Message, Span, Unread
from likewise.progress import Progress
from likewise.report import view_of_batch
from likewise.report.view import BatchView
from likewise.search import Owners, SearchOptions, belong_together, ensure_own_names, find_in
from likewise.search.postings import Segment, look_up, segment_of
from likewise.tables.documents import TablesOf

CONTAINED = 0.2  # of the shorter of two documents: then they are a pair
MOST_BESIDE = 50  # documents of the batch, even where others explain the same words

# Pages that hold text of a document, and what is noted about them on its check.
PageSearch = Callable[[Document, Filters], tuple[Sequence[Document], Callable[[Check], Check]]]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What was found: a check for each document, earlier ones first, and the pairs among them.

    The sources of a check are documents of the library and others of the batch, which are in
    `names`; each piece of a text is counted once, wherever it stands.
    """

    checks: tuple[Check, ...]
    matches: Matches
    names: frozenset[str]
    unread: tuple[Unread, ...] = ()
    library: str = ""  # what it is called


@dataclass(frozen=True, slots=True)
class BatchSoFar:
    """What a batch has already, and whose its documents are, by their names.

    Those with one of their `owners` in common, such as a student or a group, belong together;
    `not_sources` are numbers of documents of the library.
    """

    checks: Sequence[Check] = ()
    owners: Owners = field(default_factory=dict)
    not_sources: Mapping[str, Sequence[int]] = field(default_factory=dict)


def check_batch(
    library: Library,
    documents: Iterable[Document],
    filters: Filters | None = None,
    options: CheckOptions = USUAL,
    *,
    threshold: float = CONTAINED,
    places: Mapping[str, Path] | None = None,
    handed_in_by: str | None = None,
    unread: Sequence[Unread] = (),
    search_pages: PageSearch | None = None,
    so_far: BatchSoFar | None = None,
    progress: Progress | None = None,
) -> Batch:
    """Check documents against the library and against each other.

    Text that half of the batch holds is common and counts for nobody; neither it nor the text of
    a template makes a pair. `places` says where the documents were read from, so that a file that
    was added before is not its own source; nor is the same file of the same student, where
    `handed_in_by` has added it. What `search_pages` finds are sources of the document it was found
    for.

    A batch goes on with what it is `so_far`: its earlier documents are not checked again, but
    belong to it. What belongs to the same people is neither a source of each other nor a pair.
    """
    so_far = so_far or BatchSoFar()
    earlier, owners = so_far.checks, so_far.owners
    all_documents = list(documents)
    if not all_documents and not earlier:
        if unread:
            first = unread[0]
            raise BadInput("core.nothing_to_check_why", name=first.name, why=first.reason)
        raise BadInput("core.nothing_to_check")
    readable = [document for document in all_documents if document.has_text]
    empty = [Unread(one.name, Message("core.no_text")) for one in all_documents if not one.has_text]
    members = [*(check.document for check in earlier), *readable]
    ensure_own_names(members)
    settings = library.settings.but(measure="containment", threshold=threshold)
    if progress:
        progress("comparing with each other", 0, 0)
    peers = _Peers(library, members, owners, all_of_them=not options.exclusions.common)
    common = None
    if options.exclusions.common and readable:
        common = Common.of(members, settings, fewest=FEWEST_HOLDERS + 1)
    checks = list(earlier)
    for i, document in enumerate(readable):
        if progress:
            progress("checking", i, len(readable))
        document_filters = filters or Filters()
        own = find_own_file(library, document, places[document.name]) if places else ()
        if handed_in_by is not None:
            own = (*own, *find_own_submission(library, document, handed_in_by))
        left_out = (*own, *so_far.not_sources.get(document.name, ()))
        if left_out:
            not_ids = (*document_filters.not_ids, *left_out)
            document_filters = replace(document_filters, not_ids=not_ids)
        beside = peers.of(len(earlier) + i)
        if search_pages is None:
            check = library.check_by(options, document, document_filters, beside=beside)
        else:
            pages, annotate = search_pages(document, document_filters)
            both = [*beside, *pages]
            check = annotate(library.check_by(options, document, document_filters, beside=both))
        if common is not None:
            check = _without_forms(check, common)
        others = check.documents - len(beside) + peers.count_of(len(earlier) + i)
        checks.append(note_own_file(replace(check, documents=others), own))
    # What everybody may have says nothing about two of them: whoever began with the text of the
    # assignment would be tied to all others who did.
    own_texts = [
        _without_what_all_have(one, check) for one, check in zip(members, checks, strict=True)
    ]
    matches = find_in(own_texts, SearchOptions(settings, jobs=cores(), owners=owners or None))
    names = frozenset(document.name for document in members)
    unusable = (*unread, *empty)
    matches.by_meaning = options.by_meaning
    library_name = library.name.replace("\\", "/").rpartition("/")[2]  # no folders of the machine
    return Batch(tuple(checks), with_passages(matches), names, unusable, library_name)


def batch_view(batch: Batch, progress: Progress | None = None) -> BatchView:
    """The batch as its report shows it."""
    return view_of_batch(
        batch.checks, batch.matches, against=batch.library, unread=batch.unread, progress=progress
    )


def _without_what_all_have(document: Document, check: Check) -> Document:
    spans = [(e.span, e.reason) for e in check.exclusions if e.reason in SHARED_BY_ALL]
    return replace(document, left_out=(*document.left_out, *spans)) if spans else document


class _Peers:
    """Which documents of the batch share fingerprints; what most of them share leads nowhere."""

    def __init__(
        self, library: Library, documents: Sequence[Document], owners: Owners, *, all_of_them: bool
    ) -> None:
        self._documents, self._owners = documents, owners
        texts = [document.compared_text for document in documents]
        self._hashes: list[Hashes] = [one.hashes for one in sketches_of(texts, library._using())]
        self._all: Segment = segment_of(range(len(documents)), self._hashes)
        half = max(FEWEST_HOLDERS, len(documents) // 2)
        self._few = len(documents) if all_of_them else half
        with_tables = [document for document in documents if document.tables]
        self._tables = TablesOf(with_tables, library.settings)

    def of(self, i: int) -> list[Document]:
        """Those that share most with one of them, and those that share a table."""
        lookup = look_up([self._all], self._hashes[i], few=self._few)
        if len(lookup.common) and lookup.common.mean() > MOST_COMMON:
            # No form: many have copied it.
            lookup = look_up([self._all], self._hashes[i], few=len(self._documents))
        order = np.lexsort((lookup.documents, -lookup.shared))
        own = self._documents[i]
        numbers = [n for n in lookup.documents[order].tolist() if self._is_other(i, n)]
        like = {name for name, _ in self._tables.like(own)} - {own.name}
        cover = Cover(lookup)
        peers: dict[int, None] = {}
        for n in numbers:
            if len(peers) < MOST_BESIDE or cover.adds(n):
                cover.take(n)
                peers[n] = None
        peers.update(
            (n, None)
            for n, other in enumerate(self._documents)
            if other.name in like and self._is_other(i, n)
        )
        return [self._documents[n] for n in peers]

    def count_of(self, i: int) -> int:
        """How many documents could be beside it."""
        return sum(self._is_other(i, n) for n in range(len(self._documents)))

    def _is_other(self, i: int, n: int) -> bool:
        """Whether two documents are different ones, and of different people."""
        names = (self._documents[i].name, self._documents[n].name)
        return n != i and not belong_together(self._owners, *names)


def _without_forms(check: Check, common: Common) -> Check:
    """What half of the batch holds is taken out, as in a folder."""
    text = check.document.compared_text
    runs = [
        CommonRun(_to_the_next_words(span, text), holders, ())
        for span, holders in find_common(text, common)
    ]
    return without_common(check, runs, common.documents)


def _to_the_next_words(span: Span, text: str) -> Span:
    """With the full stop behind and the quotation mark before: nothing is left for a passage.

    >>> _to_the_next_words(Span(3, 6), 'a "one". b').of('a "one". b')
    ' "one". '
    """
    start, end = span.start, span.end
    while start and not text[start - 1].isalnum():
        start -= 1
    while end < len(text) and not text[end].isalnum():
        end += 1
    return Span(start, end)
