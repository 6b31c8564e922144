"""A view as the bytes of a PDF: data for the template, fonts of the wheel, one moment in time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from likewise.catalogue import LanguageCode, Message, Words
from likewise.errors import OutputFailed
from likewise.report.characters import shorten
from likewise.report.paper import Paper, paper_of
from likewise.report.paper.blocks import Block, Paragraph
from likewise.report.pdf.layout import MAY_BREAK, breakable, section_data
from likewise.report.view import View

LONGEST_HEAD = 70  # characters of the name in the running head
MOST_NAMED = 60  # characters that cannot be drawn, named one by one


def write_pdf(
    view: View, path: Path, language: LanguageCode = "en", time_zone: str = "UTC"
) -> None:
    """Write the report of a view as a PDF."""
    path.write_bytes(pdf_of(view, language, time_zone))


def pdf_of(view: View, language: LanguageCode = "en", time_zone: str = "UTC") -> bytes:
    """The PDF itself: the same view gives the same bytes, on every machine.

    Only fonts inside the typst wheel are used. Characters that they cannot draw are named in the
    report; without such it is an archivable PDF/A.
    """
    words = Words(language, time_zone=time_zone)
    paper = paper_of(view, words)
    missing = missing_glyphs(_characters(paper))
    if missing:
        paper = _name_missing_glyphs(paper, missing, words)
    return _compiled(paper, archivable=not missing)


def _compiled(paper: Paper, *, archivable: bool) -> bytes:
    template = {
        "report.typ": files(__package__).joinpath("report.typ").read_bytes(),
        "colours.json": files("likewise.report").joinpath("colours.json").read_bytes(),
        "paper.json": json.dumps(_data(paper), ensure_ascii=False).encode(),
    }
    return typeset(template, "report.typ", _timestamp(paper.date), archivable=archivable)


def typeset(
    contents: Mapping[str, bytes], main: str, timestamp: datetime, *, archivable: bool
) -> bytes:
    """The PDF of a template and the files beside it, by their names.

    Archivable unless a document holds marks that no font combines with their letters.
    """
    import typst  # 30 MB that nobody needs before

    with TemporaryDirectory(prefix="likewise-report-") as folder:
        root = Path(folder)
        for name, data in contents.items():
            (root / name).write_bytes(data)

        def compiled(standards: list[Any]) -> bytes:
            return typst.compile(
                root / main,
                root=root,
                ignore_system_fonts=True,
                pdf_standards=standards,
                timestamp=timestamp,
            )

        try:
            if archivable:
                # Marks that no font combines with their letters are found only here.
                with suppress(typst.TypstError):
                    return compiled(["a-2u"])
            return compiled([])
        except typst.TypstError as error:
            raise OutputFailed("core.pdf_not_set", why=Message.verbatim(error.message)) from error


def _data(paper: Paper) -> dict[str, Any]:
    timestamp = _timestamp(paper.date)
    return {
        "title": paper.title,
        "name": paper.name,
        "broken_name": breakable(paper.name),
        "about": [breakable(line) for line in paper.about],
        "short_name": shorten(paper.name, LONGEST_HEAD),
        "institution": breakable(paper.institution),
        "mark": paper.mark,
        "language": paper.language,
        "maker": paper.maker,
        "fonts": FONTS,
        "timestamp": {
            **{name: getattr(timestamp, name) for name in ("year", "month", "day")},
            **{name: getattr(timestamp, name) for name in ("hour", "minute", "second")},
        },
        "sections": [section_data(section) for section in paper.sections],
    }


def _timestamp(date: str) -> datetime:
    try:
        return datetime.fromisoformat(date).astimezone(UTC)
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)


def _characters(paper: Paper) -> set[str]:
    """Every character that the report shows."""
    characters: set[str] = set()
    for text in _texts(_data(paper)):
        characters.update(text)
    return characters - {MAY_BREAK}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _name_missing_glyphs(paper: Paper, missing: list[str], words: Words) -> Paper:
    """The paper with a line, under the verdict, that names what stands as a box."""
    names = " ".join(f"U+{ord(character):04X}" for character in missing[:MOST_NAMED])
    if len(missing) > MOST_NAMED:
        names += " " + words("collection.more_members", n=len(missing) - MOST_NAMED)
    line: Block = Paragraph(words("paper.not_drawn", characters=names), "faint")
    first, *rest = paper.sections
    first = replace(first, blocks=(*first.blocks, line))
    return replace(paper, sections=(first, *rest))


# The fonts that typst brings along, and which characters they cannot draw.


# A serif with all Kazakh letters, one with more signs, and one with Arabic.
FONTS = ("Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono")
_MISSED = re.compile(r"the text `\"([^`\n]*?)\"` could not be displayed")
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
_PROBE = """
#set document(date: datetime(year: 2000, month: 1, day: 1))
#set text(font: json(bytes(sys.inputs.fonts)))
#for character in json(bytes(sys.inputs.characters)) [#character ]
"""


def missing_glyphs(characters: Iterable[str]) -> list[str]:
    """Those of some characters that would stand as boxes.

    The compiler itself is asked: it refuses to make an archivable PDF with such characters, and
    names them. A few milliseconds, whatever the length of the report.

    >>> missing_glyphs("Қазақ әліпбиі, русский, English, 中文")
    ['中', '文']
    """
    import typst

    wide = sorted(each for each in set(characters) if ord(each) > 0x7F)
    if not wide:
        return []
    inputs = {"fonts": json.dumps(FONTS), "characters": json.dumps(wide)}
    try:
        typst.compile(
            _PROBE.encode(), ignore_system_fonts=True, sys_inputs=inputs, pdf_standards=["a-2u"]
        )
    except typst.TypstError as refused:
        messages = _MISSED.findall(refused.diagnostic)
        missed = {_ESCAPED.sub(lambda code: chr(int(code[1], 16)), name) for name in messages}
        return sorted(missed.intersection(wide)) or wide
    return []
