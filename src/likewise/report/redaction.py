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
    SourceView,
    TableCellView,
    TableMatchView,
    TextView,
    UncheckedView,
)

ERASED_DOCUMENT = "erased document"  # the name of every one
BAR = "█"
_WORD = BAR * 7 + " "  # the same everywhere: the lengths of words would tell a text to who knows it


def blacken_text(text: str) -> str:
    """Bars of the same length, which tell nothing but that.

    >>> blacken_text("A steppe and a sky.")
    '███████ ███████ ███'
    """
    return (_WORD * (len(text) // len(_WORD) + 1))[: len(text)]


def is_blackened(text: str) -> bool:
    """Whether a text was erased.

    >>> [is_blackened(text) for text in (blacken_text("A steppe."), "A steppe.", "")]
    [True, False, False]
    """
    return bool(text) and not text.strip(_WORD)


def blacken_document(document: Document, name: str = ERASED_DOCUMENT) -> Document:
    """A document of the same shape that says nothing."""
    return Document(
        name=name,
        text=blacken_text(document.text),
        pages=document.pages,
        tables=tuple(map(_blacken_table, document.tables)),
        pictures=tuple(map(_blacken_picture, document.pictures)),
        language=document.language,
        left_out=document.left_out,
    )


def _blacken_table(table: Table) -> Table:
    rows = tuple(tuple(BAR if cell else "" for cell in row) for row in table.rows)
    return replace(table, rows=rows, caption=BAR if table.caption else "")


def _blacken_picture(picture: Picture) -> Picture:
    return replace(picture, hash=0)


# Checks


def blacken_check(
    check: Check, is_erased: Callable[[str, Document | None], bool]
) -> tuple[Check, Mapping[str, str]]:
    """A check without the text of erased sources, and their new names by the old.

    `is_erased` is asked with the name of a source and, where the check has it, its text.
    """
    known = dict.fromkeys([*check.texts, *check.ids])
    erased = [name for name in known if is_erased(name, check.texts.get(name))]
    renamed = _renamed(erased, [check.name, *known])
    if not renamed:
        return check, renamed

    def called(name: str) -> str:
        return renamed.get(name, name)

    texts = {
        called(name): blacken_document(document, called(name)) if name in renamed else document
        for name, document in check.texts.items()
    }
    blackened = replace(
        check,
        sources=tuple(_blacken_source(source, renamed, texts) for source in check.sources),
        skipped=tuple(map(called, check.skipped)),
        unread=tuple(replace(file, name=called(file.name)) for file in check.unread),
        notes=tuple((name, note) for name, note in check.notes if name not in renamed),
        texts=texts,
        tables=tuple((called(name), match) for name, match in check.tables),
        taken_out=tuple(map(called, check.taken_out)),
        ids={name: id for name, id in check.ids.items() if name not in renamed},
    )
    return blackened, renamed


def _renamed(erased: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """A name for each erased document; several of a result are told apart."""
    names, renamed = set(taken), {}
    for name in erased:
        number, new = 1, ERASED_DOCUMENT
        while new in names:
            number += 1
            new = f"{ERASED_DOCUMENT} ({number})"
        names.add(new)
        renamed[name] = new
    return renamed


def _blacken_source(
    source: Source, renamed: Mapping[str, str], texts: Mapping[str, Document]
) -> Source:
    under = None if source.under is None else renamed.get(source.under, source.under)
    if source.name not in renamed:
        return replace(source, under=under)
    name, match = renamed[source.name], source.match
    return replace(
        source, name=name, under=under, match=match and _blacken_match(match, name, texts)
    )


def _blacken_match(match: Match, name: str, texts: Mapping[str, Document]) -> Match:
    documents = match.documents
    return replace(
        match,
        b=name,
        pictures=tuple((ours, _blacken_picture(theirs)) for ours, theirs in match.pictures),
        documents=None
        if documents is None
        else (documents[0], texts.get(name) or blacken_document(documents[1], name)),
    )


# Views of batches


@dataclass(frozen=True, slots=True)
class _Erased:
    """Which texts of a view are erased: by their hashes, and by names where these are known."""

    hashes: Collection[str]
    names: Collection[str]

    def has(self, text: TextView) -> bool:
        return text.sha256 in self.hashes or text.name in self.names


def blacken_batch(
    view: BatchView, hashes: Collection[str], sources: Mapping[str, Collection[str]]
) -> BatchView:
    """The report of a batch without erased documents.

    `hashes` are of files, and of the texts of documents that never were files; `sources` tells for
    a member of the batch which of its sources are erased. Members that are erased have no check any
    more, and no text among the pairs.
    """
    checks = tuple(
        _blacken_check_view(check, _Erased(hashes, sources.get(check.document.name, ())))
        for check in view.checks
        if check.document.sha256 not in hashes
    )
    gone = {text.name for text in view.collection.texts if text.sha256 in hashes}
    gone |= {check.document.name for check in view.checks if check.document.sha256 in hashes}
    return replace(
        view,
        checks=checks,
        collection=_blacken_collection(view.collection, _Erased(hashes, ())),
        unchecked=_blacken_unchecked(view.unchecked, _renamed(sorted(gone), ())),
    )


def _blacken_check_view(view: CheckView, erased: _Erased) -> CheckView:
    names = [source.text.name for source in view.sources if erased.has(source.text)]
    names += [table.name for table in view.tables if table.name in erased.names]
    taken = [view.document.name, *(source.text.name for source in view.sources)]
    renamed = _renamed(dict.fromkeys(names), taken)
    if not renamed:
        return view

    def called(name: str) -> str:
        return renamed.get(name, name)

    return replace(
        view,
        sources=tuple(_blacken_source_view(source, renamed) for source in view.sources),
        unchecked=_blacken_unchecked(view.unchecked, renamed),
        notes=_other_notes(view.notes, renamed),
        taken_out=tuple(map(called, view.taken_out)),
        tables=tuple(
            _blacken_table_view(table, renamed[table.name]) if table.name in renamed else table
            for table in view.tables
        ),
        decisions=tuple(
            one if one.source is None else replace(one, source=called(one.source))
            for one in view.decisions
        ),
    )


def _blacken_source_view(source: SourceView, renamed: Mapping[str, str]) -> SourceView:
    if source.text.name not in renamed:
        return source
    return replace(source, text=_blacken_text_view(source.text, renamed[source.text.name]))


def _blacken_text_view(text: TextView, name: str) -> TextView:
    return replace(
        text,
        name=name,
        sha256="",
        is_file=False,
        stretches=tuple((start, blacken_text(stretch)) for start, stretch in text.stretches),
        author="",
        title="",
        fetched="",
    )


def _blacken_table_view(table: TableMatchView, name: str) -> TableMatchView:
    def cell(one: TableCellView) -> TableCellView:
        return replace(one, b=BAR if one.b else "")

    rows = tuple(replace(row, cells=tuple(map(cell, row.cells))) for row in table.rows)
    return replace(table, name=name, caption_b=BAR if table.caption_b else "", rows=rows)


def _blacken_collection(view: CollectionView, erased: _Erased) -> CollectionView:
    gone = [text.name for text in view.texts if erased.has(text)]
    renamed = _renamed(gone, [text.name for text in view.texts])
    if not renamed:
        return view
    texts = tuple(
        _blacken_text_view(text, renamed[text.name]) if text.name in renamed else text
        for text in view.texts
    )
    return replace(
        view,
        texts=texts,
        unchecked=_blacken_unchecked(view.unchecked, renamed),
        notes=_other_notes(view.notes, renamed),
    )


def _other_notes(notes: Iterable[NoteView], renamed: Mapping[str, str]) -> tuple[NoteView, ...]:
    return tuple(note for note in notes if note.name not in renamed)


def _blacken_unchecked(view: UncheckedView, renamed: Mapping[str, str]) -> UncheckedView:
    """What was not compared under other names; a reason may quote a file, and goes with it."""
    return replace(
        view,
        unread=tuple(
            (renamed[name], "", None) if name in renamed else (name, reason, said)
            for name, reason, said in view.unread
        ),
        skipped=tuple(renamed.get(name, name) for name in view.skipped),
    )
