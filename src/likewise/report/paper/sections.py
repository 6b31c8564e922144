"""Sections that reports of one document and of a collection have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from likewise.catalogue import Words
from likewise.model import WORDINGS
from likewise.report.characters import in_one_line, shorten
from likewise.report.names import called_in
from likewise.report.paper.blocks import Block, Facts, Paragraph, Section, Table
from likewise.report.view import CheckView, NoteView, ProvenanceView, TextView, UncheckedView

MOST_ROWS = 300  # of notes and unread files
LONGEST_NAME = 120  # characters of a name in a cell


def tricks_section(notes: Sequence[NoteView], words: Words) -> Section:
    """Disguises that were found in the documents of a collection."""
    disguises = [note for note in notes if note.is_disguise]
    blocks = [_notes(disguises, words)] if disguises else [Paragraph(words("tricks.none"))]
    return Section(words("tricks.heading"), tuple(blocks))


def tricks_of_check(view: CheckView, words: Words) -> Section:
    """Disguises: first those of the checked document, then those of its sources.

    Those of other documents that were compared are counted alone: they say nothing about this one.
    """
    disguises = [note for note in view.notes if note.is_disguise]
    if not disguises:
        return tricks_section((), words)
    own = [note for note in disguises if note.name == view.document.name]
    sources = {source.text.name for source in view.sources} - {view.document.name}
    theirs = [note for note in disguises if note.name in sources]
    others = {note.name for note in disguises} - sources - {view.document.name}
    blocks: list[Block] = []
    if own:
        blocks += [Paragraph(words("tricks.here")), without_column(_notes(own, words), 0)]
    else:
        blocks.append(Paragraph(words("tricks.none_here")))
    if any(note.places and note.is_mended for note in own):
        blocks.append(Paragraph(words("tricks.explained"), "faint"))
    if theirs:
        theirs = [replace(note, name=called_in(view, note.name)) for note in theirs]
        blocks += [Paragraph(words("tricks.in_sources")), _notes(theirs, words)]
    if others:
        blocks.append(Paragraph(words("tricks.elsewhere", n=len(others)), "faint"))
    return Section(words("tricks.heading"), tuple(blocks))


def notes_section(notes: Sequence[NoteView], words: Words) -> Section | None:
    """Everything else that a person should know about how the files were read."""
    others = [note for note in notes if not note.is_disguise and not note.in_part]
    return Section(words("notes.heading"), (_notes(others, words),)) if others else None


def _notes(notes: Sequence[NoteView], words: Words) -> Table:
    rows = tuple(
        (
            shorten(note.name, LONGEST_NAME),
            note_kind(note.kind, words),
            _meaning(note, words) + _places(note, words),
        )
        for note in notes[:MOST_ROWS]
    )
    if len(notes) > MOST_ROWS:
        rows += (("", "", words("collection.more_members", n=len(notes) - MOST_ROWS)),)
    heads = (words("made.file"), words("paper.kind"), words("paper.note"))
    return Table(heads, (3, 2, 5), (False,) * 3, rows)


def note_kind(kind: str, words: Words) -> str:
    return words(f"note.{kind}") if words.has(f"note.{kind}") else kind


def _meaning(note: NoteView, words: Words) -> str:
    """What a note tells; where nobody knows its sentence, what its kind means as well."""
    sentence = in_one_line(words.say(note.said) if note.said else note.message)
    key = f"note.{note.kind}.means"
    return sentence if note.said or not words.has(key) else f"{words(key)} {sentence}"


def _places(note: NoteView, words: Words) -> str:
    if not note.places:
        return ""
    facts = [words("count.places", n=len(note.places))]
    if note.pages:
        pages = sorted(set(note.pages))
        more = ", …" if len(pages) > 12 else ""
        facts.append(f"{words('sources.pages')}: {', '.join(map(str, pages[:12]))}{more}")
    return "\n" + "; ".join(facts)


def without_column(table: Table, number: int) -> Table:
    """The table without a column that has nothing to say."""

    def rest(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*row[:number], *row[number + 1 :])

    return replace(
        table,
        heads=rest(table.heads),
        widths=rest(table.widths),
        to_the_right=rest(table.to_the_right),
        rows=tuple(map(rest, table.rows)),
    )


def unchecked_section(
    unchecked: UncheckedView,
    notes: Sequence[NoteView],
    words: Words,
    *,
    is_check: bool = False,
    taken_out: Sequence[str] = (),
    on_web: bool = False,
) -> Section:
    """What was not compared, and why: nothing is passed over in silence."""
    rows: list[tuple[str, str, str]] = []
    unread = words("unchecked.unread")
    rows += [
        (
            unread,
            shorten(name, LONGEST_NAME),
            in_one_line(words.say(message) if message else reason),
        )
        for name, reason, message in unchecked.unread
    ]
    in_part = words("unchecked.in_part")
    rows += [
        (in_part, shorten(note.name, LONGEST_NAME), _meaning(note, words))
        for note in notes
        if note.in_part
    ]
    skipped = words("unchecked.skipped" if is_check else "unchecked.beside")
    rows += [(skipped, shorten(name, LONGEST_NAME), "") for name in unchecked.skipped]
    excluded = words("exclude.heading")
    rows += [(excluded, shorten(name, LONGEST_NAME), "") for name in taken_out]
    for reason, count in unchecked.left_out:
        length = words("count.characters", n=count)
        rows.append((words("unchecked.left_out"), _left_out(reason, words), length))
    blocks: list[Block] = []
    if unchecked.other_languages:
        documents = words("count.documents", n=unchecked.other_languages)
        blocks.append(Paragraph(words("unchecked.other_languages", documents=documents)))
    if rows:
        blocks.insert(0, Table(("", "", ""), (3, 4, 5), (False,) * 3, tuple(rows[:MOST_ROWS])))
        if len(rows) > MOST_ROWS:
            more = words("collection.more_members", n=len(rows) - MOST_ROWS)
            blocks.append(Paragraph(more, "faint"))
    if not blocks:
        blocks.append(Paragraph(words("unchecked.nothing")))
    if is_check and not on_web:
        blocks.append(Paragraph(words("unchecked.internet")))
    return Section(words("unchecked.heading"), tuple(blocks))


def _left_out(reason: str, words: Words) -> str:
    return words(f"left_out.{reason}") if words.has(f"left_out.{reason}") else reason


def appendix(words: Words, *sections: Section | None) -> tuple[Section, ...]:
    """What somebody needs who makes the report again: behind everything that is read."""
    inner = [replace(section, level=2) for section in sections if section]
    return (Section(words("made.appendix"), (), on_a_new_page=True), *inner) if inner else ()


def provenance_rows(provenance: ProvenanceView, words: Words) -> tuple[tuple[str, str], ...]:
    return (
        (words("made.version"), f"Likewise {provenance.version}"),
        (words("made.date"), words.day_and_time(provenance.date)),
    )


def settings_blocks(
    provenance: ProvenanceView, words: Words, *hashes: tuple[str, str]
) -> tuple[Block, ...]:
    """Hashes, recipe and settings, so that the report can be made again."""
    recipes = [(words("made.recipe"), in_one_line(provenance.recipe))]
    if provenance.concepts:
        recipes.append((words("made.concepts"), in_one_line(provenance.concepts)))
    recipe = Facts((*hashes, *recipes), mono=True)
    settings = [
        (_setting(name, words), _value(value, words)) for name, value in provenance.settings.items()
    ]
    half = (len(settings) + 1) // 2
    beside = [*settings[half:], ("", "")][:half] if len(settings) % 2 else settings[half:]
    rows = tuple((*left, *right) for left, right in zip(settings[:half], beside, strict=True))
    heading = words("made.settings")
    heads = (f"{heading[0].upper()}{heading[1:]}", "", "", "")
    return (recipe, Table(heads, (5, 3, 5, 3), (False,) * 4, rows))


def counting_rows(provenance: ProvenanceView, words: Words) -> tuple[tuple[str, str], ...]:
    """What was counted otherwise than usual."""
    return tuple(
        (words(f"counting.{name}"), _counting_value(name, value, words))
        for name, value in provenance.counting.items()
        if words.has(f"counting.{name}")
    )


def _counting_value(name: str, value: object, words: Words) -> str:
    if name == "count" and isinstance(value, list | tuple):
        return ", ".join(words(f"wording.{each}") for each in value if each in WORDINGS)
    return _value(value, words)


def _setting(name: str, words: Words) -> str:
    return words(f"setting.{name}") if words.has(f"setting.{name}") else name


def _value(value: object, words: Words) -> str:
    """A value of a setting as people say it."""
    if isinstance(value, bool):
        return words("yes" if value else "no")
    if value is None:
        return "–"
    if isinstance(value, list | tuple | set | frozenset):
        return shorten(", ".join(map(str, value)), 200)
    if isinstance(value, float):
        return str(value).replace(".", words.decimal_sign)
    key = f"value.{value}"
    return words(key) if words.has(key) else shorten(str(value), 200)


def text_rows(text: TextView, words: Words) -> tuple[tuple[str, str], ...]:
    """Who a document is."""
    length = [words("count.words", n=text.words), words("count.characters", n=text.length)]
    if text.pages:
        length.insert(0, words("count.pages", n=len(text.pages)))
    rows = [(words("made.file"), in_one_line(text.name))]
    if text.title:
        rows.append((words("made.title"), in_one_line(text.title)))
    rows += author_rows(text, words)
    rows.append((words("made.length"), ", ".join(length)))
    if text.language:
        rows.append((words("text.language"), _language(text.language, words)))
    return tuple(rows)


def author_rows(text: TextView, words: Words) -> list[tuple[str, str]]:
    """Who wrote a document, for whom and when, as far as it is known."""
    facts = (
        ("made.author", text.author),
        ("made.advisor", text.advisor),
        ("made.year", "" if text.year is None else str(text.year)),
        ("made.type", text.type),
    )
    return [(words(key), in_one_line(value)) for key, value in facts if value]


def who_wrote(text: TextView, words: Words) -> list[str]:
    """Author, advisor and year beside the name of a document, as far as they add to it."""
    facts = (
        # A student by whose name the document is called is not named twice.
        "" if text.author == text.called else text.author,
        words("head.advisor", name=in_one_line(text.advisor)) if text.advisor else "",
        "" if text.year is None else str(text.year),
    )
    return [in_one_line(fact) for fact in facts if fact]


def about_lines(view: CheckView, words: Words) -> tuple[str, ...]:
    """Under the name of a document: who wrote it, how long it is, what it was held against."""
    text = view.document
    facts = [words("count.pages", n=len(text.pages))] if text.pages else []
    facts.append(words("count.words", n=text.words))
    if view.kind == "check" and not view.is_for_student:
        compared = words("count.documents", n=view.documents)
        facts.append(f"{words('made.compared')}: {compared}")
    facts.append(words.day_and_time(view.made.date))
    address = [in_one_line(view.made.address)] if view.made.address else []
    return tuple(line for line in (people_line(text, words), " · ".join(facts), *address) if line)


def people_line(text: TextView, words: Words) -> str:
    """Who wrote a document, for whom and when, in a line below its name."""
    if text.author == text.called:
        text = replace(text, author="")
    rows = author_rows(text, words)
    return " · ".join(f"{name[0].upper()}{name[1:]}: {value}" for name, value in rows)


def hash_row(text: TextView, words: Words) -> tuple[str, str]:
    return words("made.hash" if text.is_file else "made.text_hash"), text.sha256


def _language(language: str, words: Words) -> str:
    key = f"language.{language}"
    return words(key) if words.has(key) else in_one_line(language)
