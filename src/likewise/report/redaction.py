"""Kept results without the text of documents that were erased.

Bars of the same length stand where the text stood, so that every span, count and share stays right;
the text of the checked document, copied or not, belongs to its author and stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from likewise.model import Check, Document, Match, Picture, Source, Table
from likewise.report.view import (
    BatchView,
    CheckView,
    CollectionView,
    NoteView,
    PairView,
    SourceView,
    TableCellView,
    TableMatchView,
    TextView,
    UncheckedView,
)

ERASED_DOCUMENT = "erased document"  # the name of every one
ANOTHER_SUBMISSION = "another submission"  # of those that are closed to the student who reads
BAR = "█"
_WORD = BAR * 7 + " "  # the same everywhere: the lengths of words would tell a text to who knows it


def redact_text(text: str) -> str:
    """Bars of the same length, which tell nothing but that.

    >>> redact_text("A steppe and a sky.")
    '███████ ███████ ███'
    """
    return (_WORD * (len(text) // len(_WORD) + 1))[: len(text)]


def is_redacted(text: str) -> bool:
    """Whether a text was erased.

    >>> [is_redacted(text) for text in (redact_text("A steppe."), "A steppe.", "")]
    [True, False, False]
    """
    return bool(text) and not text.strip(_WORD)


def redact_document(document: Document, name: str = ERASED_DOCUMENT) -> Document:
    """A document of the same shape that says nothing."""
    return Document(
        name=name,
        text=redact_text(document.text),
        pages=document.pages,
        tables=tuple(map(_redact_table, document.tables)),
        pictures=tuple(map(_redact_picture, document.pictures)),
        language=document.language,
        left_out=document.left_out,
    )


def _redact_table(table: Table) -> Table:
    rows = tuple(tuple(BAR if cell else "" for cell in row) for row in table.rows)
    return replace(table, rows=rows, caption=BAR if table.caption else "")


def _redact_picture(picture: Picture) -> Picture:
    return replace(picture, hash=0)


# Checks


def redact_check(
    check: Check, is_erased: Callable[[str, Document | None], bool]
) -> tuple[Check, Mapping[str, str]]:
    """A check without the text of erased sources, and their new names by the old.

    `is_erased` is asked with the name of a source and, where the check has it, its text.
    """
    names = dict.fromkeys([*check.texts, *check.ids])
    erased = [name for name in names if is_erased(name, check.texts.get(name))]
    renamed = new_names(erased, [check.name, *names])
    if not renamed:
        return check, renamed

    def new_name(name: str) -> str:
        return renamed.get(name, name)

    texts = {
        new_name(name): redact_document(document, new_name(name)) if name in renamed else document
        for name, document in check.texts.items()
    }
    redacted = replace(
        check,
        sources=tuple(_redact_source(source, renamed, texts) for source in check.sources),
        skipped=tuple(map(new_name, check.skipped)),
        unread=tuple(replace(file, name=new_name(file.name)) for file in check.unread),
        notes=tuple((name, note) for name, note in check.notes if name not in renamed),
        texts=texts,
        tables=tuple((new_name(name), match) for name, match in check.tables),
        taken_out=tuple(map(new_name, check.taken_out)),
        ids={name: id for name, id in check.ids.items() if name not in renamed},
    )
    return redacted, renamed


def new_names(
    erased: Iterable[str], existing: Iterable[str], called: str = ERASED_DOCUMENT
) -> dict[str, str]:
    """A name for each erased document; several of a result are told apart."""
    names, renamed = set(existing), {}
    for name in erased:
        number, new = 1, called
        while new in names:
            number += 1
            new = f"{called} ({number})"
        names.add(new)
        renamed[name] = new
    return renamed


def _redact_source(
    source: Source, renamed: Mapping[str, str], texts: Mapping[str, Document]
) -> Source:
    under = None if source.under is None else renamed.get(source.under, source.under)
    if source.name not in renamed:
        return replace(source, under=under)
    name, match = renamed[source.name], source.match
    return replace(
        source, name=name, under=under, match=match and _redact_match(match, name, texts)
    )


def _redact_match(match: Match, name: str, texts: Mapping[str, Document]) -> Match:
    documents = match.documents
    return replace(
        match,
        b=name,
        pictures=tuple((ours, _redact_picture(theirs)) for ours, theirs in match.pictures),
        documents=None
        if documents is None
        else (documents[0], texts.get(name) or redact_document(documents[1], name)),
    )


# Views of batches


@dataclass(frozen=True, slots=True)
class _Erased:
    """Which texts of a view are erased: by their hashes, and by names where these are known."""

    hashes: Collection[str]
    names: Collection[str]

    def has(self, text: TextView) -> bool:
        return text.sha256 in self.hashes or text.name in self.names


def redact_batch(
    view: BatchView,
    hashes: Collection[str],
    sources: Mapping[str, Collection[str]],
    members: Collection[str] = (),
) -> BatchView:
    """The report of a batch without erased documents.

    `hashes` are of files, and of the texts of documents that never were files; `sources` tells for
    a member of the batch which of its sources are erased. Members that are erased have no check any
    more, and no text among the pairs; `members` are such by their names, where others have the same
    bytes and stay.
    """
    checks = tuple(
        _redact_check_view(check, _Erased(hashes, sources.get(check.document.name, ())))
        for check in view.checks
        if check.document.sha256 not in hashes and check.document.name not in members
    )
    erased_names = set(members)
    erased_names |= {text.name for text in view.collection.texts if text.sha256 in hashes}
    erased_names |= {
        check.document.name for check in view.checks if check.document.sha256 in hashes
    }
    return replace(
        view,
        checks=checks,
        collection=_redact_collection(view.collection, _Erased(hashes, members)),
        unchecked=_redact_unchecked(view.unchecked, new_names(sorted(erased_names), ())),
    )


def _redact_check_view(view: CheckView, erased: _Erased) -> CheckView:
    names = [source.text.name for source in view.sources if erased.has(source.text)]
    names += [table.name for table in view.tables if table.name in erased.names]
    existing = [view.document.name, *(source.text.name for source in view.sources)]
    renamed = new_names(dict.fromkeys(names), existing)
    if not renamed:
        return view

    def new_name(name: str) -> str:
        return renamed.get(name, name)

    is_erased = [source.text.name in renamed for source in view.sources]
    return replace(
        view,
        sources=tuple(_redact_source_view(source, renamed) for source in view.sources),
        passages=tuple(
            replace(passage, correspondences=()) if is_erased[passage.source] else passage
            for passage in view.passages
        ),
        unchecked=_redact_unchecked(view.unchecked, renamed),
        notes=_other_notes(view.notes, renamed),
        taken_out=tuple(map(new_name, view.taken_out)),
        tables=tuple(
            _redact_table_view(table, renamed[table.name]) if table.name in renamed else table
            for table in view.tables
        ),
        decisions=tuple(
            one if one.source is None else replace(one, source=new_name(one.source))
            for one in view.decisions
        ),
    )


def _redact_source_view(source: SourceView, renamed: Mapping[str, str]) -> SourceView:
    if source.text.name not in renamed:
        return source
    return replace(source, text=_redact_text_view(source.text, renamed[source.text.name]))


def _redact_text_view(text: TextView, name: str) -> TextView:
    return replace(
        text,
        name=name,
        sha256="",
        is_file=False,
        stretches=tuple((start, redact_text(stretch)) for start, stretch in text.stretches),
        author="",
        title="",
        fetched="",
        label="",
    )


def _redact_table_view(table: TableMatchView, name: str) -> TableMatchView:
    def cell(one: TableCellView) -> TableCellView:
        return replace(one, b=BAR if one.b else "")

    rows = tuple(replace(row, cells=tuple(map(cell, row.cells))) for row in table.rows)
    return replace(table, name=name, caption_b=BAR if table.caption_b else "", rows=rows)


def _redact_collection(view: CollectionView, erased: _Erased) -> CollectionView:
    erased_names = [text.name for text in view.texts if erased.has(text)]
    renamed = new_names(erased_names, [text.name for text in view.texts])
    if not renamed:
        return view
    texts = tuple(
        _redact_text_view(text, renamed[text.name]) if text.name in renamed else text
        for text in view.texts
    )
    is_erased = [text.name in renamed for text in view.texts]
    pairs = tuple(
        _without_correspondences(pair) if is_erased[pair.a] or is_erased[pair.b] else pair
        for pair in view.pairs
    )
    return replace(
        view,
        texts=texts,
        pairs=pairs,
        unchecked=_redact_unchecked(view.unchecked, renamed),
        notes=_other_notes(view.notes, renamed),
    )


def _without_correspondences(pair: PairView) -> PairView:
    """What a word corresponds to tells what it was."""
    passages = tuple(replace(passage, correspondences=()) for passage in pair.passages)
    return replace(pair, passages=passages)


def _other_notes(notes: Iterable[NoteView], renamed: Mapping[str, str]) -> tuple[NoteView, ...]:
    return tuple(note for note in notes if note.name not in renamed)


def _redact_unchecked(view: UncheckedView, renamed: Mapping[str, str]) -> UncheckedView:
    """What was not compared under other names; a reason may quote a file, and goes with it."""
    return replace(
        view,
        unread=tuple(
            (renamed[name], "", None) if name in renamed else (name, reason, message)
            for name, reason, message in view.unread
        ),
        skipped=tuple(renamed.get(name, name) for name in view.skipped),
        called=tuple(
            renamed.get(name, called)
            for (name, _, _), called in zip(view.unread, view.called, strict=bool(view.called))
        ),
    )
