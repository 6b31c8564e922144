"""The paper of documents that were handed in together: all in one table, then one by one."""

from __future__ import annotations

from dataclasses import replace

from likewise.catalogue import Words
from likewise.report.batch import STEPS, Closest, Member, members_of, similar_from
from likewise.report.characters import in_one_line, shorten
from likewise.report.figures import four_shares, has_figures
from likewise.report.paper.blocks import (
    Block,
    Facts,
    Histogram,
    Paper,
    Paragraph,
    Section,
    Table,
)
from likewise.report.paper.check import shares_bar, sources_table
from likewise.report.paper.collection import clusters_section, measured_facts, pairs_section
from likewise.report.paper.decisions import (
    comment_blocks,
    commission_blocks,
    confirmation_blocks,
    decision_blocks,
)
from likewise.report.paper.sections import (
    LONGEST_NAME,
    appendix,
    note_kind,
    notes_section,
    people_line,
    provenance_rows,
    settings_blocks,
    tricks_section,
    unchecked_section,
)
from likewise.report.paper.sentences import copied_figures, maker, verdict, verdict_wordings
from likewise.report.view import BatchView, CheckView, NoteView, UncheckedView

MOST_SOURCES = 12  # of each document
SIMILAR = 1  # among the four shares


def paper_of_batch(view: BatchView, words: Words) -> Paper:
    """What was found, the documents and their pairs, then each document's verdict and sources."""
    members = members_of(view)
    notes = _named_by_people(view, own_notes(view))
    sections = [
        _summary(view, members, words),
        _documents(members, words),
        pairs_section(view.collection, words),
        clusters_section(view.collection, words),
        tricks_section(notes, words),
        unchecked_section(_unread_by_people(view.unchecked), notes, words, is_check=True),
        *_one_by_one(members, words),
        *appendix(words, notes_section(notes, words), _provenance(view, words)),
    ]
    return Paper(
        title=words("title.batch"),
        name=in_one_line(view.against),
        language=words.language,
        date=view.made.date,
        maker=maker(view.made, words),
        sections=tuple(section for section in sections if section),
        about=(in_one_line(view.made.address),) if view.made.address else (),
    )


def own_notes(view: BatchView) -> list[NoteView]:
    """What is to be known about the documents themselves, each with its own notes alone."""
    return [
        note for check in view.checks for note in check.notes if note.name == check.document.name
    ]


def _named_by_people(view: BatchView, notes: list[NoteView]) -> list[NoteView]:
    called = {check.document.name: check.document.called for check in view.checks}
    return [replace(note, name=called.get(note.name, note.name)) for note in notes]


def _unread_by_people(unchecked: UncheckedView) -> UncheckedView:
    if not unchecked.called:  # a report of before
        return unchecked
    both = zip(unchecked.called, unchecked.unread, strict=True)
    unread = tuple((called, reason, message) for called, (_, reason, message) in both)
    return replace(unchecked, unread=unread)


def _summary(view: BatchView, members: tuple[Member, ...], words: Words) -> Section:
    name = shorten(view.against, LONGEST_NAME)
    compared = words("batch.against", name=name) if name else words("batch.alone")
    lead = f"{words('count.documents', n=len(members))}. {compared}"
    counts = [
        (words("batch.from", share=words.whole_percent(step)), _count_from(members, step))
        for step in STEPS
    ]
    counts.append((words("batch.with_tricks"), sum(bool(member.tricks) for member in members)))
    counts.append((words("batch.read_in_part"), sum(member.in_part for member in members)))
    blocks: list[Block] = [
        Paragraph(lead, "lead"),
        Facts(tuple((label, words("count.documents", n=count)) for label, count in counts)),
        Paragraph(words("batch.by_share"), "faint"),
        _histogram(members, words),
        Paragraph(words("verdict.caution"), "faint"),
    ]
    if view.unchecked.unread or any(member.in_part for member in members):
        blocks.append(Paragraph(words("verdict.in_part")))
    return Section(words("verdict.heading"), tuple(blocks))


def _count_from(members: tuple[Member, ...], percent: int) -> int:
    return sum(similar_from(member.check, percent) for member in members)


def _histogram(members: tuple[Member, ...], words: Words) -> Histogram:
    """Documents by their similar share; what is all similar is in the last column."""
    columns = [0] * 20
    for member in members:
        shares = member.check.shares
        columns[min(20 * shares.similar // (shares.whole or 1), 19)] += 1
    tenths = [columns[2 * i] + columns[2 * i + 1] for i in range(10)]
    return Histogram(
        counts=tuple(columns),
        tenths=tuple(
            (f"{10 * i}–{10 * i + 10} %", words.number(count), count)
            for i, count in enumerate(tenths)
        ),
        threshold=None,
        most=words("count.documents", n=max(columns)),
        label=words("shares.similar"),
    )


def _documents(members: tuple[Member, ...], words: Words) -> Section | None:
    if not members:
        return None
    rows = tuple((words.number(i), *_row(member, words)) for i, member in enumerate(members, 1))
    heads = (
        *("№", words("shares.similar"), words("batch.document")),
        *(words("batch.best"), words("batch.closest")),
    )
    table = Table(heads, (0, 2, 5, 5, 5), (True, True, False, False, False), rows)
    return Section(words("batch.documents"), (table,))


def _row(member: Member, words: Words) -> tuple[str, str, str, str]:
    check = member.check
    similar = words.percent(four_shares(check.shares)[SIMILAR]) if has_figures(check) else "–"
    asides = [note_kind(kind, words) for kind in member.tricks]
    if member.in_part:
        asides.append(words("unchecked.in_part"))
    name = _with_aside(shorten(check.document.called, LONGEST_NAME), "; ".join(asides))
    best = _source_cell(check, member.best, words, is_of_group=member.is_best_of_batch)
    return similar, name, best, _closest_cell(member.closest, words)


def _closest_cell(closest: Closest | None, words: Words) -> str:
    """The other of the group, and below it how much of the document stands there."""
    if closest is None:
        return ""
    beside = f" · {words('batch.later')}" if closest.is_later else ""
    return _with_aside(
        shorten(closest.text.called, LONGEST_NAME), f"{words.share(closest.share)}{beside}"
    )


def _source_cell(
    check: CheckView, source: int | None, words: Words, *, is_of_group: bool = False
) -> str:
    """A source, and below it how much of the document stands there."""
    if source is None:
        return ""
    text, covered = check.sources[source].text, check.sources[source].covered
    beside = f" · {words('batch.of_the_group')}" if is_of_group else ""
    share = words.share(covered / (check.shares.whole or 1))
    return _with_aside(shorten(text.called, LONGEST_NAME), f"{share}{beside}")


def _with_aside(text: str, aside: str) -> str:
    return f"{text}\n{aside}" if aside else text


def _provenance(view: BatchView, words: Words) -> Section:
    facts = Facts((*measured_facts(view.collection, words), *provenance_rows(view.made, words)))
    return Section(words("made.heading"), (facts, *settings_blocks(view.made, words)))


def _one_by_one(members: tuple[Member, ...], words: Words) -> list[Section]:
    """A section of its own for each document; the texts themselves are in the page."""
    if not members:
        return []
    explanation = Paragraph(words("sources.explained"), "faint")
    top = Section(words("batch.each"), (explanation,))
    return [top, *(_document(member, i, words) for i, member in enumerate(members, 1))]


def _document(member: Member, number: int, words: Words) -> Section:
    check = member.check
    blocks: list[Block] = [Paragraph(verdict(check, words))]
    if copied := copied_figures(check, words):
        blocks.append(Paragraph(copied))
    if people := people_line(check.document, words):
        blocks.insert(0, Paragraph(people, "faint"))
    if check.document.label:
        blocks.insert(0, Paragraph(shorten(check.document.name, LONGEST_NAME), "faint"))
    if check.shares.original < check.shares.whole:  # else there is nothing to part
        blocks.append(shares_bar(check, words))
    if by_wording := verdict_wordings(check, words):
        blocks.append(Paragraph(by_wording))
    if check.sources:
        blocks.append(sources_table(check, words, most=MOST_SOURCES))
        if len(check.sources) > MOST_SOURCES:
            more = words("collection.more_members", n=len(check.sources) - MOST_SOURCES)
            blocks.append(Paragraph(more, "faint"))
    blocks += decision_blocks(check, words)
    for heading, said in (
        ("confirmed.heading", confirmation_blocks(check, words)),
        ("commission.heading", commission_blocks(check, words)),
        ("comments.heading", comment_blocks(check.comments, check, words)),
    ):
        blocks += [Paragraph(words(heading)), *said] if said else []
    if member.tricks:
        kinds = "; ".join(note_kind(kind, words) for kind in member.tricks)
        blocks.append(Paragraph(f"{words('tricks.heading')}: {kinds}"))
    if member.in_part:
        blocks.append(Paragraph(words("unchecked.in_part")))
    heading = f"{words.number(number)}. {shorten(check.document.called, LONGEST_NAME)}"
    return Section(heading, tuple(blocks), level=2)
