"""A document against the library: the best candidates rebuilt and aligned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import overload

from sqlalchemy import Connection

from likewise.align import CheckOptions, CountedText, check_against, without
from likewise.align.check import MOST_COMMON
from likewise.align.exclude import CommonRuns
from likewise.catalogue import Value
from likewise.library.candidates import Candidate, find_covering, holders_of_common
from likewise.library.entries import Entry, read_document
from likewise.library.errors import LibraryError
from likewise.library.filter_matcher import count_documents
from likewise.library.filters import Filters
from likewise.library.meaning import find_by_meaning
from likewise.library.snapshot import Snapshot
from likewise.library.tables import tables_like
from likewise.model import Check, Document, Message, Note
from likewise.progress import Progress
from likewise.tables import TableMatch
from likewise.tables.documents import TablesOf, ranked

MOST_ALIGNED = 25  # the best, even where others explain the same words
_ROUNDS = 5  # a check begins anew without what turns out to be damaged


def check_document(
    snapshot: Snapshot,
    document: Document,
    filters: Filters,
    options: CheckOptions,
    *,
    most: int = MOST_ALIGNED,
    beside: Sequence[Document] = (),
    on_candidates: Callable[[Sequence[Candidate]], None] | None = None,
    progress: Progress | None = None,
) -> Check:
    """Candidates, those that explain the text aligned, and what was not followed said.

    Documents `beside` the library are aligned as well; `on_candidates` hears of the candidates,
    ranked, before the long work begins.
    """
    text = document.compared_text
    connection, view, using = snapshot.connection, snapshot.view, snapshot.using
    filters, unknown = snapshot.resolve_names(filters)
    damaged: dict[int, tuple[str, Note]] = {}
    for _ in range(_ROUNDS):
        # What a damaged document holds may stand in others, which were not chosen for its sake.
        usable_filters = replace(filters, not_ids=(*filters.not_ids, *damaged))
        candidates = find_covering(connection, view, using, text, usable_filters, most)
        selected = list(candidates.ranked)
        if on_candidates and not damaged:
            on_candidates(candidates.ranked)
        if options.by_meaning:
            selected += find_by_meaning(
                snapshot, text, usable_filters, known=selected, explained=candidates.held()
            )
        common = CountedText(text, ()).share(run.span for run in candidates.common)
        if not options.exclusions.common or common > MOST_COMMON:
            # Then it is not excluded, and so it must have sources.
            selected_ids = {candidate.id for candidate in selected}
            more = holders_of_common(connection, candidates, usable_filters)
            selected += [candidate for candidate in more if candidate.id not in selected_ids]
        others = _CandidateDocuments(connection, selected, document.name, beside)
        documents_searched = count_documents(connection, usable_filters)
        check = check_against(
            document,
            others,
            using.settings,
            options,
            # These were chosen because they share text: what is common, the whole library says.
            common_runs=CommonRuns(
                tuple((run.span, run.holders) for run in candidates.common),
                documents_searched,
                candidates.phrases,
            ),
            searched=documents_searched + len(beside),
            progress=progress,
        )
        damaged |= others.damaged
        if not others.damaged:
            break
    notes = [_unknown_person_note(name) for name in unknown]
    min_share = options.min_share
    # What does not count by its wording is shown all the same.
    found_text = CountedText(text, check.exclusions)
    if small := {
        source.name
        for source in check.sources
        if found_text.covered(passage.a for passage in source.passages) < min_share
    }:
        # No reader of a report took them out: they were asked not to be shown.
        check = replace(without(check, sources=small), taken_out=(), before=None)
        values = {"n": len(small), "share": round(100 * min_share)}
        notes.append(Note("small sources", Message("library.small_sources", values)))
    if candidates.beyond:
        message = Message("library.not_followed", {"n": candidates.beyond})
        notes.append(Note("not followed", message))
    if options.by_meaning and (wordless := snapshot.without_concepts(usable_filters)):
        rebuild: dict[str, Value] = {"n": wordless, "command": "likewise library rebuild"}
        notes.append(Note("without concepts", Message("library.without_concepts", rebuild)))
    if document.tables:
        check, beyond = _with_tables(
            check, snapshot, usable_filters, others.names, beside, progress
        )
        if beyond:
            message = Message("library.tables_not_followed", {"n": beyond})
            notes.append(Note("not followed", message))
    document_notes = ((document.name, note) for note in notes)
    return replace(
        check,
        documents=documents_searched + len(beside),
        notes=(*document_notes, *damaged.values(), *check.notes),
        ids={
            **{name: number for number, name in others.names.items() if name in check.texts},
            **check.ids,
        },
    )


class _CandidateDocuments(Sequence[Document]):
    """Documents of the library read one after the other, then those beside it.

    One that cannot be read is left out and told in `damaged`.
    """

    def __init__(
        self,
        connection: Connection,
        candidates: Sequence[Candidate],
        checked: str,
        beside: Sequence[Document],
    ) -> None:
        used_names = {checked, *(other.name for other in beside)}
        labels = _labels([candidate.entry for candidate in candidates], used_names)
        self.names = dict(zip((candidate.id for candidate in candidates), labels, strict=True))
        self.damaged: dict[int, tuple[str, Note]] = {}
        self._connection, self._candidates, self._beside = connection, candidates, beside

    def __len__(self) -> int:
        return len(self._candidates) + len(self._beside)

    def __iter__(self) -> Iterator[Document]:
        for number, name in self.names.items():
            try:
                yield read_document(self._connection, number, name)
            except LibraryError:
                self.damaged[number] = name, _damage_note(number)
        yield from self._beside

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Document]: ...
    def __getitem__(self, index: int | slice) -> Document | Sequence[Document]:
        return list(self)[index]


def _unknown_person_note(name: str) -> Note:
    return Note("no such person", Message("library.nobody", {"name": name}))


def _damage_note(number: int) -> Note:
    values: dict[str, Value] = {"n": number, "command": "likewise library verify"}
    return Note("damaged", Message("library.damaged_in_library", values))


def _with_tables(
    check: Check,
    snapshot: Snapshot,
    filters: Filters,
    source_names: dict[int, str],
    beside: Sequence[Document],
    progress: Progress | None,
) -> tuple[Check, int]:
    """The check with tables that stand elsewhere; how many documents were not looked at for them.

    Documents that are `known` keep the names that they have as sources.
    """
    document = check.document
    like_tables = tables_like(
        snapshot.connection,
        snapshot.tables(),
        snapshot.using,
        document.tables,
        filters,
        progress=progress,
    )
    matches: list[tuple[str, TableMatch]] = []
    texts = {other.name: other for other in beside}
    if beside:
        matches += TablesOf(beside, snapshot.using.settings).like(document)
    new = list(
        {
            one.entry.id: one.entry
            for one in like_tables.tables
            if one.entry.id not in source_names
        }.values()
    )
    used_names = {document.name, *texts, *source_names.values()}
    names = source_names | dict(
        zip((entry.id for entry in new), _labels(new, used_names), strict=True)
    )
    for one in like_tables.tables:
        name = names[one.entry.id]
        texts[name] = replace(one.document, name=name)
        matches.append((name, one.match))
    matched_texts = {name: texts[name] for name, _ in matches}
    ids = {name: number for number, name in names.items() if name in matched_texts}
    updated = replace(
        check, tables=ranked(matches), texts={**matched_texts, **check.texts}, ids=ids
    )
    return updated, like_tables.beyond


def _labels(entries: Sequence[Entry], used_names: set[str]) -> list[str]:
    """Names that tell the sources apart, from each other and from those that are taken."""
    labels = []
    for entry in entries:
        label = entry.name
        if label in used_names:
            label = f"{entry.name} [{entry.id}]"
        used_names.add(label)
        labels.append(label)
    return labels
