"""A document against the library: the best candidates rebuilt and aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from sqlalchemy import Connection

from likewise.align import Counted, check_against, without
from likewise.align.check import MOST_COMMON
from likewise.align.exclude import Exclusions, Held
from likewise.library.candidates import (
    Candidate,
    Candidates,
    count_documents,
    find_candidates,
    holders_of_common,
)
from likewise.library.entries import Entry, read_document
from likewise.library.filters import Filters
from likewise.library.index import View
from likewise.library.recipes import Sketching
from likewise.library.tables import tables_like
from likewise.model import Check, Document, Note
from likewise.search.postings import Numbers
from likewise.tables import TableMatch
from likewise.tables.documents import TablesOf, ranked

Progress = Callable[[str, int, int], None]

MOST_ALIGNED = 200
ALWAYS_ALIGNED = 25  # the best, even where others explain the same words
_MOST_LOOKED_AT = 2_000


def check_document(
    connection: Connection,
    view: View,
    using: Sketching,
    document: Document,
    filters: Filters,
    *,
    which: Exclusions,
    templates: Sequence[Document],
    min_words: int,
    min_share: float,
    most: int,
    progress: Progress | None,
    beside: Sequence[Document] = (),
    tables: View | None = None,
) -> Check:
    """Candidates, the best of them aligned, and what was not followed said.

    Documents `beside` the library are aligned as well. `tables` is the index of tables, for a
    document that has some.
    """
    text = document.compared_text
    found = find_candidates(connection, view, using, text, filters, _MOST_LOOKED_AT)
    chosen = worth_aligning(found, most)
    common = Counted(text, ()).share(run.span for run in found.common)
    if not which.common or common > MOST_COMMON:
        # Then it is not excluded, and so it must have sources.
        known = {candidate.id for candidate in chosen}
        more = holders_of_common(connection, view, found, filters, most)
        chosen += [candidate for candidate in more if candidate.id not in known]
    labels = _labels(
        [candidate.entry for candidate in chosen],
        {document.name, *(other.name for other in beside)},
    )
    others = [
        read_document(connection, candidate.id, label)
        for candidate, label in zip(chosen, labels, strict=True)
    ]
    others += beside

    fitting = count_documents(connection, filters)
    check = check_against(
        document,
        others,
        using.settings,
        which=which,
        templates=templates,
        min_words=min_words,
        # These were chosen because they share text: what is common, the whole library says.
        held=Held(tuple((run.span, run.holders) for run in found.common), fitting),
        progress=progress,
    )
    notes: list[Note] = []
    if small := {source.name for source in check.sources if source.share < min_share}:
        # No reader of a report took them out: they were asked not to be shown.
        check = replace(without(check, sources=small), taken_out=(), before=None)
        message = f"{_documents(len(small))} with less than {min_share:.0%} of the text left out"
        notes.append(Note("small sources", message))
    left = len(found.ranked) - sum(candidate.shared > 0 for candidate in chosen) + found.beyond
    if left:
        message = (
            f"{_documents(left)} more share words with it; they were not aligned, since the ones "
            "that were hold more of them"
        )
        notes.append(Note("not followed", message))
    if tables is not None:
        named = {c.id: label for c, label in zip(chosen, labels, strict=True)}
        check, beyond = _with_tables(
            check, connection, tables, using, filters, named, beside, progress
        )
        if beyond:
            message = f"{_documents(beyond)} more may hold a table of it; they were not looked at"
            notes.append(Note("not followed", message))
    return replace(
        check,
        documents=fitting + len(beside),
        notes=(*((document.name, note) for note in notes), *check.notes),
    )


def worth_aligning(found: Candidates, most: int) -> list[Candidate]:
    """The best, and of the others those that hold words which no better one holds.

    So every fingerprint that a followed document holds is held by one that is aligned.
    """
    if found.found is None:
        return []
    order = np.argsort(found.found.holder, kind="stable")
    holder, held = found.found.holder[order], found.found.held[order]
    chosen: list[Candidate] = []
    covered = np.zeros(len(found.found.holders), dtype=bool)
    for candidate in found.ranked:
        if len(chosen) >= most:
            break
        own = held[_between(holder, candidate.root)]
        if len(chosen) < ALWAYS_ALIGNED or not covered[own].all():
            chosen.append(candidate)
            covered[own] = True
    return chosen


def _between(ascending: Numbers, number: int) -> slice:
    first, end = np.searchsorted(ascending, (number, number + 1))
    return slice(int(first), int(end))


def _with_tables(
    check: Check,
    connection: Connection,
    view: View,
    using: Sketching,
    filters: Filters,
    known: dict[int, str],
    beside: Sequence[Document],
    progress: Progress | None,
) -> tuple[Check, int]:
    """The check with tables that stand elsewhere; how many documents were not looked at for them.

    Documents that are `known` keep the names that they have as sources.
    """
    document = check.document
    like = tables_like(connection, view, using, document.tables, filters, progress=progress)
    found: list[tuple[str, TableMatch]] = []
    texts = {other.name: other for other in beside}
    if beside:
        found += TablesOf(beside, using.settings).like(document)
    new = list(
        {one.entry.id: one.entry for one in like.found if one.entry.id not in known}.values()
    )
    taken = {document.name, *texts, *known.values()}
    names = known | dict(zip((entry.id for entry in new), _labels(new, taken), strict=True))
    for one in like.found:
        name = names[one.entry.id]
        texts[name] = replace(one.document, name=name)
        found.append((name, one.match))
    shown = {name: texts[name] for name, _ in found}
    return replace(check, tables=ranked(found), texts={**shown, **check.texts}), like.beyond


def _labels(chosen: Sequence[Entry], taken: set[str]) -> list[str]:
    """Names that tell the sources apart, from each other and from those that are taken."""
    labels = []
    for entry in chosen:
        label = entry.name
        if label in taken:
            label = f"{entry.name} [{entry.id}]"
        taken.add(label)
        labels.append(label)
    return labels


def _documents(number: int) -> str:
    return "1 document" if number == 1 else f"{number:,} documents"
