"""Passages of a check, pairs of a collection or documents of a batch, for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from likewise.catalogue import LanguageCode, Words
from likewise.model import WORDINGS, Span
from likewise.report.batch import members_of
from likewise.report.characters import in_one_line
from likewise.report.figures import SHARE_NAMES, has_figures
from likewise.report.names import called_in
from likewise.report.paper.check import provider_and_host, query_outcome
from likewise.report.paper.decisions import describe_decision, describe_place, passage_opening
from likewise.report.paper.sections import note_kind
from likewise.report.paper.sentences import kind_of, of_records, ranges
from likewise.report.view import BatchView, CheckView, CollectionView, PassageView, TextView, View

LONGEST_EXCERPT = 300  # characters
Cell = str | int | float

# What a spreadsheet would take for a formula, or leave out before one.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def write_csv(
    view: View, path: Path, language: LanguageCode = "en", time_zone: str = "UTC"
) -> None:
    """Write a row for each passage, pair or document, marked as UTF-8 for spreadsheets."""
    path.write_text(csv_of(view, language, time_zone), encoding="utf-8-sig", newline="")


def csv_of(view: View, language: LanguageCode = "en", time_zone: str = "UTC") -> str:
    """The table itself, its heads and figures as spreadsheets of the language expect them."""
    words = Words(language, time_zone=time_zone)
    buffer = StringIO()
    writer = csv.writer(buffer, delimiter="," if words.decimal_sign == "." else ";")
    for row in _rows(view, words):
        writer.writerow([_cell_text(cell, words) for cell in row])
    return buffer.getvalue()


def _cell_text(cell: Cell, words: Words) -> Cell:
    """A cell that no spreadsheet runs; where people write decimal commas, a figure has one."""
    if isinstance(cell, float) and words.decimal_sign != ".":
        return str(cell).replace(".", words.decimal_sign)
    return guarded(cell) if isinstance(cell, str) else cell


def _rows(view: View, words: Words) -> Iterator[list[Cell]]:
    if isinstance(view, CheckView):
        return _passages(view, words)
    return _documents(view, words) if isinstance(view, BatchView) else _pairs(view, words)


def guarded(cell: str) -> str:
    """The cell with an apostrophe before what a spreadsheet would run.

    >>> guarded("=1+1"), guarded("a-b")
    ("'=1+1", 'a-b')
    """
    return f"'{cell}" if cell.startswith(_FORMULAS) else cell


def _passages(view: CheckView, words: Words) -> Iterator[list[Cell]]:
    yield [
        *(words("batch.document"), words("csv.similar"), words("csv.passage")),
        *(words("csv.source_number"), words("sources.source")),
        *(words("csv.kind"), words("csv.score")),
        *(words("csv.words"), words("csv.holders")),
        *(words("paper.pages_here"), words("paper.pages_there")),
        *(words("csv.start_here"), words("csv.end_here")),
        *(words("csv.start_there"), words("csv.end_there")),
        *(words("csv.text_here"), words("csv.text_there"), words("csv.counted")),
        *(words("csv.literal"), words("csv.expected")),
        *(words(f"wording.{each}") for each in WORDINGS),
        *_decision_columns(view, words),
        *((words("csv.file_here"), words("csv.file_there")) if _has_labels(view) else ()),
    ]
    name = in_one_line(view.document.called)
    similar = round(view.shares.similar / view.shares.whole, 4) if has_figures(view) else ""
    for passage in view.passages:
        source = view.sources[passage.source]
        yield [
            name,
            similar,
            "" if passage.number is None else passage.number,
            passage.source + 1,
            in_one_line(source.text.called),
            _kind(passage, words),
            round(passage.score, 4),
            passage.words,
            passage.holders,
            ranges([passage.pages_a]),
            ranges([passage.pages_b]),
            *(passage.a.start, passage.a.end, passage.b.start, passage.b.end),
            excerpt(view.document, passage.a),
            excerpt(source.text, passage.b),
            round(source.counted / view.shares.whole, 4) if view.shares.whole else 0.0,
            round(passage.literal, 4) if passage.counts else "",
            "" if passage.expected is None else f"{passage.expected:.2g}",
            *_wordings(view),
            *([""] * len(_decision_columns(view, words))),
            *_files(view, source.text.name),
        ]
    yield from _decisions(view, name, similar, words)
    yield from _queries(view, name, similar, words)


def _kind(passage: PassageView, words: Words) -> str:
    kind = kind_of(passage, words)
    return f"{kind}, {words('kind.by_meaning')}" if passage.by_meaning else kind


def _wordings(view: CheckView) -> list[Cell]:
    """The similar share of the document by its wording."""
    if not has_figures(view):
        return [""] * len(WORDINGS)
    return [round(getattr(view.wordings, each) / view.shares.whole, 4) for each in WORDINGS]


def _has_labels(view: CheckView) -> bool:
    """Whether anything is called by a student."""
    return any(text.label for text in (view.document, *(source.text for source in view.sources)))


def _files(view: CheckView, there: str = "") -> list[Cell]:
    """The paths of files, in columns that stand only where students are named instead of them."""
    return [in_one_line(view.document.name), in_one_line(there)] if _has_labels(view) else []


def _decision_columns(view: CheckView, words: Words) -> list[Cell]:
    """Columns that stand only where somebody decided something."""
    if not (view.decisions or view.confirmations or view.comments or view.commission):
        return []
    return [words("decided.by"), words("decided.on"), words("paper.reason")]


def _decisions(view: CheckView, name: str, similar: Cell, words: Words) -> Iterator[list[Cell]]:
    """Behind the passages, in the same columns: what was taken out, who agrees, comments."""
    for one in view.decisions:
        source = in_one_line(called_in(view, one.source)) if one.source else ""
        place = ("", "") if one.place is None else (one.place.start, one.place.end)
        yield [
            *(name, similar, "", "", source, words("reason.reader"), "", "", ""),
            *(
                ranges([one.pages]),
                "",
                *place,
                "",
                "",
                passage_opening(one.place, view),
                *([""] * 7),
            ),
            *(in_one_line(one.by), one.on, in_one_line(one.reason)),
            *_files(view, one.source or ""),
        ]
    for each in view.confirmations:
        yield [
            *(name, similar, "", "", "", words("csv.confirmed")),
            *([""] * 17),
            *(in_one_line(each.by), each.on, in_one_line(each.comment)),
            *_files(view),
        ]
    for decided in view.commission:
        yield [
            *(name, similar, "", "", "", words("commission.heading")),
            *([""] * 17),
            *(in_one_line(decided.by), decided.on),
            f"{words(f'commission.{decided.decision}')}: {in_one_line(decided.comment)}",
            *_files(view),
        ]
    for comment in view.comments:
        span = comment.span
        yield [
            *(name, similar, "", "", "", words("confirmed.comment"), "", "", ""),
            *(ranges([view.document.pages_at(span)]), "", span.start, span.end, "", ""),
            *(passage_opening(span, view), *([""] * 7)),
            *(in_one_line(comment.by), comment.on, in_one_line(comment.comment)),
            *_files(view),
        ]


def _queries(view: CheckView, name: str, similar: Cell, words: Words) -> Iterator[list[Cell]]:
    """Behind them, in the same columns: what was asked on the Internet, of whom and when."""
    blanks = [""] * len(_decision_columns(view, words))
    for one in view.asked:
        outcome = f"{words.day_and_time(one.on)}: {query_outcome(one, words)}"
        yield [
            *(name, similar, "", "", provider_and_host(one), words("csv.query")),
            *([""] * 9),
            *(in_one_line(one.query), outcome, *([""] * 6), *blanks),
            *_files(view),
        ]


def _pairs(view: CollectionView, words: Words) -> Iterator[list[Cell]]:
    # A column of its own, where there is anything to tell in it: by words all others were found.
    is_any_by_meaning = any(pair.by_meaning for pair in view.pairs)
    yield [
        *("№", words("collection.similarity")),
        of_records("collection.first", view, words),
        of_records("collection.second", view, words),
        *(words("collection.of_first"), words("collection.of_second")),
        *(words("measures.jaccard"), words("measures.agreement"), words("sources.passages")),
        *([words("kind.by_meaning")] if is_any_by_meaning else []),
    ]
    for number, pair in enumerate(view.pairs, 1):
        yield [
            number,
            round(pair.similarity, 4),
            in_one_line(view.texts[pair.a].name),
            in_one_line(view.texts[pair.b].name),
            round(pair.containment_a, 4),
            round(pair.containment_b, 4),
            round(pair.jaccard, 4),
            round(pair.measures.agreement, 4) if pair.measures else "",
            sum(passage.counts for passage in pair.passages),
            *([int(pair.by_meaning)] if is_any_by_meaning else []),
        ]


def _documents(view: BatchView, words: Words) -> Iterator[list[Cell]]:
    is_any = any(check.decisions or check.confirmations for check in view.checks)
    has_commission = any(check.commission for check in view.checks)
    decision_heads = [words("decided.heading"), words("confirmed.heading")] if is_any else []
    decision_heads += [words("commission.heading")] if has_commission else []
    has_comments = any(check.comments for check in view.checks)
    decision_heads += [words("comments.heading")] if has_comments else []
    yield [
        *("№", words("batch.document"), *(words(f"shares.{name}") for name in SHARE_NAMES)),
        *(words("batch.best"), words("sources.covered"), words("batch.of_the_group")),
        *(words("batch.closest"), words("collection.similarity")),
        *(words("batch.tricks"), words("batch.read_in_part")),
        *(words("csv.words"), words("sources.heading")),
        *(words(f"wording.{each}") for each in WORDINGS),
        *decision_heads,
        words("made.file"),
    ]
    for number, member in enumerate(members_of(view), 1):
        check = member.check
        whole = check.shares.whole or 1
        best = check.sources[member.best] if member.best is not None else None
        closest = member.closest
        yield [
            number,
            in_one_line(check.document.called),
            *(
                round(getattr(check.shares, name) / whole, 4) if has_figures(check) else ""
                for name in SHARE_NAMES
            ),
            in_one_line(best.text.called) if best else "",
            round(best.covered / whole, 4) if best else "",
            words("yes" if member.is_best_of_batch else "no") if best else "",
            in_one_line(closest.text.called) if closest else "",
            round(closest.share, 4) if closest else "",
            "; ".join(note_kind(kind, words) for kind in member.tricks),
            words("yes" if member.in_part else "no"),
            check.document.words,
            len(check.sources),
            *_wordings(check),
            *(_decision_cells(check, words) if is_any else ()),
            *([_commission_cell(check, words)] if has_commission else ()),
            *([_comments_cell(check, words)] if has_comments else ()),
            in_one_line(check.document.name),
        ]


def _decision_cells(check: CheckView, words: Words) -> tuple[str, str]:
    """Decisions and confirmations of a document, each in one cell."""
    decisions = (
        f"{describe_decision(one, check, words)}: {one.reason} "
        f"({one.by}, {words.day_and_time(one.on)})"
        for one in check.decisions
    )
    confirmations = (
        f"{one.by}, {words.day_and_time(one.on)}" + (f": {one.comment}" if one.comment else "")
        for one in check.confirmations
    )
    return "; ".join(map(in_one_line, decisions)), "; ".join(map(in_one_line, confirmations))


def _commission_cell(check: CheckView, words: Words) -> str:
    decided = (
        f"{words(f'commission.{one.decision}')}: {one.comment} "
        f"({one.by}, {words.day_and_time(one.on)})"
        for one in check.commission
    )
    return "; ".join(map(in_one_line, decided))


def _comments_cell(check: CheckView, words: Words) -> str:
    comments = (
        f"{describe_place(one.span, check, words)}: {one.comment} "
        f"({one.by}, {words.day_and_time(one.on)})"
        for one in check.comments
    )
    return "; ".join(map(in_one_line, comments))


def excerpt(text: TextView, place: Span) -> str:
    """The beginning of a passage, as far as the report holds it."""
    start, end = place.start, place.end
    for stretch_start, stretch in text.stretches:
        if stretch_start <= start < stretch_start + len(stretch):
            text_here = in_one_line(stretch[start - stretch_start : end - stretch_start])
            return (
                text_here
                if len(text_here) <= LONGEST_EXCERPT
                else text_here[: LONGEST_EXCERPT - 1] + "…"
            )
    return ""
