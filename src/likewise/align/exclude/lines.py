"""The lines of a text, and what a line says if it is a heading."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from likewise.model import Message, Span

UPPER = "A-ZÀ-ÖØ-ÞŠŽА-ЯЁӘҒҚҢӨҰҮҺІЇЄ"

# What is to be excluded, and what tells it: words of the document itself, or a message.
DetailedSpan = tuple[Span, str | Message]

LONGEST_HEADING = 90  # characters

_WORD = re.compile(r"[^\W\d_]+(?:[-’'ʼ][^\W\d_]+)*")
_NUMBER_OF_HEADING = re.compile(
    r"(?:[ivxlcіх]{1,6}[.)]|[ivx]{1,4}(?=\s)|\d{1,2}(?:\.\d{1,2}){0,3}[.)]?(?=\s)|\d{1,2}[.)])\s*"
)
_ANCHOR = re.compile(r"(?<!\s)\s*+\{#[^{}]{0,80}\}$")
_ONE_BY_ONE = re.compile(r"(?:\w {1,3}){3,}\w")  # L I K E  T H I S


_CODE = re.compile(
    r"[{}\\<>|=]|\w[(_]\w|\w\(\)|;\s*$|\w\[[\"']|\([\"']|[\"']\s*\)|://|^\s*(?:>>>|\$|#|@|//)"
)


class Line(NamedTuple):
    """A line that is not blank, without the white space around it."""

    start: int
    end: int
    text: str
    heading_text: str  # if it is a heading
    indent: int
    after_blank: bool
    after_page_break: bool


def lines_of(text: str) -> list[Line]:
    """The lines of a text that say something.

    >>> [(line.text, line.after_blank) for line in lines_of("one\\n  two \\n\\nthree")]
    [('one', True), ('two', False), ('three', True)]
    """
    lines: list[Line] = []
    position, blank, page_break = 0, True, False
    for raw in text.splitlines(keepends=True):
        stripped = raw.strip()
        if stripped:
            indent = len(raw) - len(raw.lstrip())
            start = position + indent
            end = start + len(stripped)
            lines.append(Line(start, end, stripped, heading(stripped), indent, blank, page_break))
            blank = page_break = False
        else:
            blank = True
        if raw[-1] == "\f":
            blank = page_break = True
        position += len(raw)
    return lines


def count_words(text: str) -> int:
    """How many words there are; numbers are none.

    >>> count_words("In 1995 the well-known poet wrote: «Тау – таза.»")
    7
    """
    return len(_WORD.findall(text))


def heading(text: str) -> str:
    """What a line says if it is a heading: without its number, marks and capitals.

    >>> heading("## 5. СПИСОК  ЛИТЕРАТУРЫ:"), heading("L I T E R A T U R E"), heading("x" * 99)
    ('список литературы', 'literature', '')
    """
    if len(text) > LONGEST_HEADING:
        return ""
    words = _ANCHOR.sub("", text).strip("#*_=:. ").casefold()
    if _ONE_BY_ONE.fullmatch(words):
        words = " ".join(word.replace(" ", "") for word in words.split("  "))
    words = " ".join(words.split())
    numbered = _NUMBER_OF_HEADING.match(words)
    return words[numbered.end() :] if numbered else words


def is_code(text: str) -> bool:
    """Whether part of a line looks like a program's, or like mathematics.

    >>> is_code("x = f(y)"), is_code("grass (it is green) grows; grass, that is: grass")
    (True, False)
    """
    return _CODE.search(text) is not None


def any_of(*alternatives: str) -> re.Pattern[str]:
    """A pattern for whole words, whatever their capitals, each alternative itself a pattern.

    >>> bool(any_of("grass", "степ[ьи]").search("Наша Степь")), any_of("grass").search("grasses")
    (True, None)
    """
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


def overlaps_any(line: Line, spans: Sequence[Span]) -> bool:
    """Whether a line touches one of some disjoint spans in order."""
    after = bisect_right(spans, line.start, key=lambda span: span.end)
    return after < len(spans) and spans[after].start < line.end


def from_line_to_line(lines: Sequence[Line], first: int, last: int) -> Span:
    return Span(lines[first].start, lines[last].end)


# The headings that begin and end parts of a work, in English, Russian and Kazakh.
#
# All as `lines.heading` gives them: without numbers and capitals.


def _phrases(*lines: str) -> frozenset[str]:
    return frozenset(phrase.strip() for line in lines for phrase in line.split(","))


BIBLIOGRAPHY = _phrases(
    "references, reference list, list of references, references cited, cited references",
    "references and notes, notes and references, bibliographic references",
    "bibliography, selected bibliography, select bibliography, annotated bibliography",
    "references and bibliography, works cited, works consulted, literature, literature cited",
    "cited literature, list of literature, sources, list of sources, sources and literature",
    "bibliography and sources, further reading, references and further reading",
    "список литературы, список использованной литературы, список использованных источников",
    "список используемой литературы, список используемых источников, список источников",
    "список использованных источников и литературы, список использованной литературы и источников",
    "список источников и литературы, список литературы и источников, список цитируемой литературы",
    "список цитированной литературы, список цитируемых источников, список рекомендуемой литературы",
    "список рекомендованной литературы, список литературных источников, список библиографии",
    "литература, литература и источники, использованная литература, используемая литература",
    "цитируемая литература, цитированная литература, рекомендуемая литература",
    "основная литература, дополнительная литература, использованные источники",
    "используемые источники, источники, источники и литература, литературные источники",
    "перечень использованных источников, перечень литературы, библиография",
    "библиографический список, библиографические ссылки, библиографический указатель",
    "примечания и ссылки, ссылки и примечания, список использованных источников информации",
    "пайдаланылған әдебиеттер, пайдаланылған әдебиеттер тізімі, пайдаланған әдебиеттер",
    "пайдаланған әдебиеттер тізімі, пайдаланылған әдебиет, пайдаланылған әдебиет тізімі",
    "қолданылған әдебиеттер, қолданылған әдебиеттер тізімі, қолданылған әдебиет",
    "қолданылған әдебиет тізімі, әдебиеттер, әдебиеттер тізімі, әдебиет, әдебиет тізімі",
    "пайдаланылған дереккөздер, пайдаланылған дереккөздер тізімі, пайдаланылған көздер",
    "пайдаланылған көздер тізімі, пайдаланылған дереккөздер мен әдебиеттер",
    "пайдаланылған дереккөздер мен әдебиеттер тізімі",
    "пайдаланылған әдебиеттер мен дереккөздер, пайдаланылған әдебиеттер мен дереккөздер тізімі",
    "қолданылған дереккөздер, қолданылған дереккөздер тізімі, дереккөздер, дереккөздер тізімі",
    "пайдаланылған деректер тізімі, ұсынылатын әдебиеттер, ұсынылатын әдебиеттер тізімі",
    "негізгі әдебиеттер, қосымша әдебиеттер, библиографиялық тізім, библиографиялық сілтемелер",
)  # fmt: skip

CONTENTS = _phrases(
    "contents, content, table of contents, list of contents, list of figures, list of tables",
    "list of illustrations, list of figures and tables",
    "содержание, оглавление, содержание работы, содержание отчета, содержание отчёта, план",
    "план работы, список рисунков, список таблиц, список иллюстраций, перечень рисунков",
    "перечень таблиц, мазмұны, мазмұн, жоспар, жоспары, суреттер тізімі, кестелер тізімі",
)

# What a work begins with once its title page and contents are over.
OPENING = _phrases(
    "introduction, abstract, summary, preface, foreword, acknowledgements, acknowledgments",
    "acknowledgement, dedication, declaration, executive summary, keywords, background",
    "введение, аннотация, предисловие, резюме, благодарности, нормативные ссылки",
    "определения, обозначения и сокращения, перечень сокращений, цель работы",
    "кіріспе, аңдатпа, алғы сөз, алғысөз, түйін, түйіндеме, нормативтік сілтемелер, анықтамалар",
    "белгілеулер мен қысқартулар, жұмыстың мақсаты",
)

# What may follow inside a work or after its list of literature.
CLOSING = _phrases(
    "conclusion, conclusions, glossary, index, acknowledgements, acknowledgments, about the author",
    "about the authors, author information, author contributions, supplementary material",
    "supplementary materials, supporting information, endnotes, notes",
    "заключение, выводы, глоссарий, предметный указатель, алфавитный указатель, благодарности",
    "сведения об авторах, сведения об авторе, об авторах, информация об авторах",
    "примечания, словарь терминов, терминологический словарь",
    "қорытынды, глоссарий, авторлар туралы мәлімет, автор туралы мәлімет, авторлар туралы",
    "терминдер сөздігі, ескертпелер, алғыс",
)

_PART = re.compile(
    r"(?:chapter|section|part|глава|раздел)\s+(?:\d{1,2}|[ivxlc]{1,6}|one|two|three|перв\w+|втор\w+)\b"
    r"|(?:(?:\d{1,2}|[ivx]{1,4})[- ]?(?:ші|шы|нші|ншы)?\s*)?(?:тарау|бөлім)\b"
)
_APPENDIX = re.compile(
    r"(?:appendix|appendices|annex|annexes|приложени[ея]|қосымша|қосымшалар)"
    r"(?:\s+(?:№\s?)?(?:[\w.]{1,4}))?(?:\s*[.:)–—-]\s*\S.*)?"
    r"|(?:№\s?)?[\w]{1,3}[- ]қосымша(?:\s*[.:)–—-]?\s*\S.*)?"
)


def is_appendix(heading_text: str) -> bool:
    """Whether a heading is that of an appendix.

    >>> is_appendix("приложение а"), is_appendix("приложение установлено"), is_appendix("annexes")
    (True, False, True)
    """
    return _APPENDIX.fullmatch(heading_text) is not None


def begins_a_part(heading_text: str) -> bool:
    """Whether a heading begins another part of a work.

    >>> begins_a_part("глава 2 методы"), begins_a_part("введение"), begins_a_part("иванов и. и.")
    (True, True, False)
    """
    return (
        heading_text in OPENING
        or heading_text in CLOSING
        or heading_text in CONTENTS
        or _PART.match(heading_text) is not None
        or is_appendix(heading_text)
    )
