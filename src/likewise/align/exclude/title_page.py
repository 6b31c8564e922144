"""Title pages: institution, kind of work, people, city and year, before anything else."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Literal

from likewise.align.exclude.lines import (
    UPPER,
    DetailedSpan,
    Line,
    any_of,
    begins_a_part,
    count_words,
    overlaps_any,
)
from likewise.model import Message, Span

_End = Literal["page", "prose", "too long"]

_MOST_WORDS = 150
_FEWEST_LINES = 4
_MOST_WORDS_OF_LINE = 18
_MOST_YEARS = 1  # more are a list of dates
_LONGEST_LINE = 300  # characters
_LONGEST_LINE_WITH_YEAR = 60
_WORDS_OF_PROSE = 12  # in a line that ends or holds the end of a sentence
_LINES_OF_PROSE = 3  # where a page breaks sentences into lines

_INSTITUTION = any_of(
    r"министерств\w*|университет\w*|институт\w*|академи[яи]|колледж\w*|факультет\w*|кафедра\w*",
    r"школа|гимназия|лицей|министрлі\w+|академиясы\w*|мектеп|мектебі|гимназиясы|лицейі",
    r"ministry|university|institute|academy|college|faculty|department of|school of",
)
_KIND_OF_WORK = any_of(
    r"(?:дипломн|курсов)(?:ая|ой|ую|ый) (?:работ[аеу]|проект\w?)|рефераты?|диссертаци[яюи]|эссе",
    r"(?:лабораторн|контрольн|самостоятельн|научн|творческ|исследовательск)(?:ая|ой|ую) работ[аеу]",
    r"выпускн(?:ая|ой|ую) (?:квалификационн\w+ )?работ[аеу]|доклад|сочинение|отч[её]т|срсп?",
    r"(?:дипломдық|курстық) (?:жұмыс|жоба)\w?|диплом жұмысы|диссертация(?:сы)?|баяндама|сөжо?|есеп",
    r"шығарма|(?:зертханалық|бақылау|ғылыми|зерттеу|өзіндік) жұмысы?",
    r"thesis|dissertation|coursework|course (?:work|project)|essay|term paper|research paper",
    r"(?:lab|laboratory|final|internship) report|assignment|(?:capstone|diploma) (?:work|project)",
)
_PEOPLE = any_of(
    r"(?:вы|ис)полнил[аи]?|выполнен[ао]?|подготовил[аи]?|проверил[аи]?|принял[аи]?|составил[аи]?",
    r"руководител[ья]|преподавател[ья]|рецензент|консультант|исполнитель",
    r"(?:студент|магистрант|докторант)(?:а|ка|ки|і|тің|інің)?|автор",
    r"орындаған\w*|орындаушы|орындады|тексерген|тексерді|дайындаған|қабылдаған|пікір беруші",
    r"жетекші(?:сі)?|оқытушы(?:сы)?|білім алушы",
    r"(?:submitted|presented) (?:by|to)|supervis(?:or|ed by)|prepared (?:by|for)|written by",
    r"student(?: (?:name|id|number))?|advis[eo]r|instructor|professor|lecturer|author",
    r"(?:checked|completed|performed) by",
)
_SUBJECT = any_of(
    r"на тему|тема|по дисциплине|по предмету|дисциплина|специальност\w+|групп[аыу]|гр\.|курса?",
    r"направлени\w+ подготовки|образовательн\w+ программ\w+",
    r"тақырыбы|тақырыбында|пәні|пәнінен|мамандығы\w*|тобы\w*|білім беру бағдарламасы",
    r"topic|course|module|subject|degree of|partial fulfil\w+|requirements for|programme|group",
)
_CITY_AND_YEAR = re.compile(
    rf"(?:(?:г|қ)\.\s?)?(?:[{UPPER}][\w.’']*[\s,–—-]{{1,5}}){{0,5}}"
    r"(?:(?:г|қ|қаласы)\.?[\s,]{1,3})?(?:19|20)\d\d\s?(?:г\.?|года?|год|ж\.?|жыл\w*)?"
)
_SIGNS = (
    ("institution", _INSTITUTION),
    ("kind of work", _KIND_OF_WORK),
    ("people", _PEOPLE),
    ("subject", _SUBJECT),
)
_SIGN_KEYS = {
    "institution": "core.sign_institution",
    "kind of work": "core.sign_kind_of_work",
    "people": "core.sign_people",
    "subject": "core.sign_subject",
    "city and year": "core.sign_city_and_year",
}
_SENTENCE_END = re.compile(r"[^\W\d_]{3}[.!?…](?:\s|$)")


def find_title_page(
    lines: Sequence[Line], first_page: Span | None = None, contents: Sequence[Span] = ()
) -> DetailedSpan | None:
    """The title page at the beginning of a text, if it has one.

    >>> from likewise.align.exclude.lines import lines_of
    >>> text = "University of Grass\\nEssay\\nSteppe\\nStudent: A. Lee\\nAlmaty 2024\\nIt is green."
    >>> span, detail = find_title_page(lines_of(text))
    >>> span.of(text)[-11:], str(detail)
    ('Almaty 2024', 'institution, kind of work, people, city and year')
    """
    page, end = _first_page(lines, first_page, contents)
    if len(page) < _FEWEST_LINES:
        return None
    signs: dict[str, int] = {}  # where each kind of sign stands for the last time
    years = 0
    for i, line in enumerate(page):
        if count_words(line.text) <= _MOST_WORDS_OF_LINE:
            signs.update((name, i) for name, sign in _SIGNS if sign.search(line.text))
        if _is_city_and_year(line.text):
            signs["city and year"] = i
            years += 1
    if years > _MOST_YEARS or not _are_enough(signs, end):
        return None
    last = max(signs.values()) if end == "prose" else len(page) - 1
    if end == "too long":
        last = signs["city and year"]
    if last + 1 < _FEWEST_LINES:
        return None
    return Span(page[0].start, page[last].end), Message(
        "core.title_page_signs", {"signs": tuple(Message(_SIGN_KEYS[sign]) for sign in signs)}
    )


def _are_enough(signs: Container[str], end: _End) -> bool:
    """Whether these are the signs of a title page; the less clearly it ends, the more must be."""
    institution, year = "institution" in signs, "city and year" in signs
    kind, people = "kind of work" in signs, "people" in signs
    if end == "too long":
        return kind and people and year
    if end == "prose":
        return (institution and year and (kind or people)) or (
            kind and people and (institution or year)
        )
    more = "subject" in signs or (institution and year) or (kind and people)
    return (institution or year) and (kind or people) and more


def _first_page(
    lines: Sequence[Line], first_page: Span | None, contents: Sequence[Span]
) -> tuple[Sequence[Line], _End]:
    """The lines before anything that ends a title page, and what that is."""
    page: list[Line] = []
    words = 0
    for i, line in enumerate(lines):
        if page and line.after_page_break:
            return page, "page"
        if first_page is not None and line.start >= first_page.end:
            return page, "page"
        if overlaps_any(line, contents):
            return page, "page"
        if begins_a_part(line.heading_text):
            return page, "page"
        if len(line.text) > _LONGEST_LINE or _is_prose(lines, i):
            return page, "prose"
        words += count_words(line.text)
        if words > _MOST_WORDS:
            return page, "too long"
        page.append(line)
    return page, "prose"


def _is_city_and_year(text: str) -> bool:
    return len(text) <= _LONGEST_LINE_WITH_YEAR and _CITY_AND_YEAR.fullmatch(text) is not None


def _is_prose(lines: Sequence[Line], place: int) -> bool:
    """Whether sentences begin here, in one line or broken into several."""
    text = lines[place].text
    if count_words(text) >= _WORDS_OF_PROSE and _SENTENCE_END.search(text):
        return True
    for line in lines[place + 1 : place + _LINES_OF_PROSE]:
        if line.after_blank or not line.text[0].islower():
            break
        text = f"{text} {line.text}"
    else:
        return count_words(text) >= 2 * _WORDS_OF_PROSE and _SENTENCE_END.search(text) is not None
    return False
