"""Bibliographies: from a heading to the last entry, or a long list that can be nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from likewise.align.exclude.lines import (
    BIBLIOGRAPHY,
    UPPER,
    DetailedSpan,
    Line,
    any_of,
    begins_a_part,
    count_words,
    from_line_to_line,
    overlaps_any,
)
from likewise.model import Message, Span

_LEAST_SCORE = 3.0  # of all entries under a heading together
_DROP = 10.0  # so far below the best score, the list is over: about sixty words of prose
_MOST_LINES_WITHOUT_GAIN = 200
_MOST_LINES_TO_SUBHEADING = 3
_MOST_ENTRIES_OF_FEW_SIGNS = 3
_LEAST_OF_LAST_ENTRY = -2.0
_FEWEST_WITHOUT_HEADING = 6
_MOST_LINES_PER_ENTRY = 6
_MOST_WORDS_OF_ENTRY = 60
_LONGEST_LINE = 2_000  # characters; a longer line is no entry
_MOST_LINES_OF_REST = 2


def find_bibliographies(lines: Sequence[Line], contents: Sequence[Span] = ()) -> list[DetailedSpan]:
    """The bibliographies among the lines of a text; what stands in its contents is no heading.

    >>> from likewise.align.exclude.lines import lines_of
    >>> text = "End.\\nSources\\n1. Lee K. Sky. London: Fox, 1999.\\n2. Lee K. Sea. Bonn: Owl, 2001"
    >>> [(span.start, len(text) - span.end, detail) for span, detail in
    ...  find_bibliographies(lines_of(text))]
    [(5, 0, 'Sources')]
    """
    bibliographies: list[DetailedSpan] = []
    i = 0
    while i < len(lines):
        line = lines[i]
        last = None
        detail: str | Message
        if line.heading_text in BIBLIOGRAPHY:
            if not overlaps_any(line, contents):
                last, detail = _last_entry_under(lines, i), line.text
        elif _begins_entry(line.text) and not overlaps_any(line, contents):
            last, detail = _last_of_a_list(lines, i), Message("core.no_heading")
        if last is None:
            i += 1
        else:
            bibliographies.append((from_line_to_line(lines, i, last), detail))
            i = last + 1
    return bibliographies


def _last_entry_under(lines: Sequence[Line], place: int) -> int | None:
    """Go down from a heading and add up how much each line looks like an entry, or like prose.

    The list ends at its best sum (the largest-sum segment that begins here, found as BLAST extends
    a hit: walk on until the sum has dropped too far). Lines of an entry that a page breaks into
    several lose a little and the entry's other lines make up for it.
    """
    best, total, last = 0.0, 0.0, None
    for j in range(place + 1, len(lines)):
        line = lines[j]
        if len(line.text) > _LONGEST_LINE or (
            line.heading_text and begins_a_part(line.heading_text)
        ):
            break
        if line.heading_text in BIBLIOGRAPHY and j - (last or place) > _MOST_LINES_TO_SUBHEADING:
            break  # it is looked at on its own
        signs = signs_of(line.text)
        total += score_of(line.text, signs)
        is_sure = len(signs) > 1 or "link" in signs  # another sign may stand in a line of prose
        if total > best and is_sure:
            best, last = total, j
        elif total < best - _DROP or j - (last or place) > _MOST_LINES_WITHOUT_GAIN:
            break
    if last is None or best < _LEAST_SCORE:
        return None
    return _with_last_entries(lines, _with_rest_of_entry(lines, last))


def _with_last_entries(lines: Sequence[Line], last: int) -> int:
    """The last entries may have few signs, and be entries by how they begin."""
    for _ in range(_MOST_ENTRIES_OF_FEW_SIGNS):
        if last + 1 == len(lines):
            break
        text = lines[last + 1].text
        if lines[last + 1].after_blank and not lines[last].after_blank:
            break
        if not _begins_entry(text) or count_words(text) > _MOST_WORDS_OF_ENTRY:
            break
        by_author = AUTHOR.match(text) and entry_score(text) >= _LEAST_OF_LAST_ENTRY
        if not by_author and number_of(text) != _next(lines, last):
            break
        last += 1
    return last


def _next(lines: Sequence[Line], last: int) -> int:
    """The number that follows the last one in a list; 0 if it has none."""
    for line in reversed(lines[max(0, last + 1 - _MOST_LINES_PER_ENTRY) : last + 1]):
        number = number_of(line.text)
        if number is not None:
            return number + 1
    return 0


def _with_rest_of_entry(lines: Sequence[Line], last: int) -> int:
    """An entry that a page breaks into lines may end in one that has no sign."""
    for _ in range(_MOST_LINES_OF_REST):
        after = last + 1
        ended = lines[last].text[-1] in ".!?)]»”" or lines[last].text[-1].isdecimal()
        if ended or after == len(lines) or lines[after].after_blank:
            break
        if not (lines[after].text[0].islower() or lines[after].text[0] in "–—-(/0123456789"):
            break
        if len(lines[after].text) > len(lines[last].text) + 20:
            break  # the page's width is known: this is a paragraph
        last = after
    return last


def _begins_entry(text: str) -> bool:
    return NUMBER.match(text) is not None or AUTHOR.match(text) is not None


def _last_of_a_list(lines: Sequence[Line], place: int) -> int | None:
    """The last line of a list without a heading in which every entry is unmistakable."""
    last, entries, j = None, 0, place
    while j < len(lines) and _begins_entry(lines[j].text):
        end = _end_of_unmistakable(lines, j)
        if end is None:
            break
        entries, last, j = entries + 1, end - 1, end
    return last if entries >= _FEWEST_WITHOUT_HEADING else None


def _end_of_unmistakable(lines: Sequence[Line], place: int) -> int | None:
    """Where an unmistakable entry ends: best before another or a blank line, else at once."""
    soonest = None
    text = ""
    for end in range(place + 1, min(place + _MOST_LINES_PER_ENTRY, len(lines)) + 1):
        text = f"{text} {lines[end - 1].text}".lstrip()
        if len(text) > _LONGEST_LINE:
            break
        over = end == len(lines) or lines[end].after_blank or _begins_entry(lines[end].text)
        if (over or soonest is None) and is_unmistakable(text):
            soonest = end
        if over:
            break
    return soonest


# What makes a line look like an entry of a bibliography, in English, Russian and Kazakh.


# What outweighs one point of signs. Entries have more words with capitals than prose.
_SMALL_WORDS_PER_POINT = 5.0
_LARGE_WORDS_PER_POINT = 20.0

YEAR = re.compile(r"(?<!\d)(?:1[5-9]\d\d|20[0-4]\d)(?!\d)")
_POINT = r"(?:[-–—•*·^]\s+)?"
NUMBER = re.compile(
    rf"{_POINT}(?:\[(\d{{1,3}})\]\s*|(\d{{1,3}})[.)]\s*(?=\D)|(\d{{1,3}})\s+(?=[{UPPER}«“\"]))"
)
_SURNAME = rf"[{UPPER}][\w’'-]{{1,30}}"
_INITIAL = rf"[{UPPER}][a-zа-я]?\."
AUTHOR = re.compile(
    rf"{_POINT}(?:"
    rf"{_SURNAME},?\s(?:{_INITIAL}[\s-]?){{1,3}}"  # Smith J., Смит, Дж.
    rf"|(?:{_INITIAL}\s?){{1,3}}{_SURNAME}"  # J. Smith
    rf"|{_SURNAME},\s{_SURNAME}(?:\s{_INITIAL})?(?:[.,]|\s\()"  # Smith, John.
    rf"|{_SURNAME}\s[{UPPER}]{{1,3}}[,.:]"  # Smith JA,
    r"|(?<!_)_{3,}+,)"  # the same once more
)
_SMALL_WORD = re.compile(r"(?<!\w)[a-zà-öø-ÿа-яёәғқңөұүһі]\w*")
_CITED = re.compile(r"(?<=.)\[\d[\d\s,;:.–сcСCpPбБ-]{0,30}\]")  # what prose cites is no sign
_BULLET = re.compile(r"[-–—•*·^]\s")
_INITIALS = re.compile(rf"(?<!\w)(?:{_SURNAME},?\s{_INITIAL}|{_INITIAL}\s?[{UPPER}]\w)")
_BARE_INITIALS = re.compile(rf"(?<!\w){_SURNAME}\s[{UPPER}]{{1,3}}(?=[,.:;])")  # Smith JA, Lee K.

_PLACES = (
    r"М|СПб|Л|К|Мн|Екб|Алма-Ата|Алматы|Астана|Нур-Султан|Нұр-Сұлтан|Москва|Санкт-Петербург|Ленинград",
    r"Шымкент|Караганда|Қарағанды|Минск|Киев|Ташкент|Казань|Новосибирск",
    r"London|New York|Cambridge|Oxford|Berlin|Boston|Chicago|Paris|Amsterdam|Moscow|Almaty|Astana",
)
_PLACE = re.compile(rf"(?<!\w)(?:{'|'.join(_PLACES)})\.?\s?(?::|,\s?(?:1[5-9]|20)\d\d)")
_PUBLISHER = re.compile(
    rf"[.,–—]\s*[{UPPER}][\w.-]{{2,20}}(?:\s\w{{2,15}})?\s?:\s[{UPPER}«“]"  # – Town: House
)
_PAGES = re.compile(
    r"(?<!\w)(?:[СCсБб]|стр|[Pp]{1,2})\.\s?\d"
    r"|(?<!\w)\d{1,4}\s?(?:[сcбp]|стр|pp)\.(?!\w)|\d\s?(?:с|б|беттер|бет|стр|pages)(?!\w)"
)
_VOLUME = re.compile(
    r"(?<!\w)(?:[ТтЧч]|[Тт]ом|[Вв]ып|[Кк]н|[Vv]ol|[Nn]o|[Ii]ss)\.?\s?\d|№\s?\d|\d\s?\(\d{1,3}\)"
    r"|\d{4}[,;]\s?\d{1,3}(?:\(\d{1,3}\))?:\s?\w?\d"
)
_LINK = re.compile(
    r"https?:/|www\.|(?<!\w)(?:doi|isbn|issn|arxiv|url)(?!\w)|10\.\d{4,6}/"
    r"|электронный ресурс|режим доступа|дата обращения"
    r"|электрондық ресурс|қаралған күн|қол жеткізу|қолжетімді"
    r"|retrieved|accessed|available (?:at|from)",
    re.IGNORECASE,
)
_WORK = any_of(
    r"press|publish\w+|springer|elsevier|wiley|routledge|macmillan|sage|journal|proceedings|proc\.",
    r"conference|transactions|quarterly|review|university|eds?\.|ph\.?d|dissertation|thesis",
    r"издательств\w+|изд-во|изд\.|вестник|журнал\w*|известия|сборник|сб\.|материалы|учебник\w*",
    r"учеб\.|учебное|пособие|дисс?\.|автореф\w*|монография|наука|юрайт|просвещение|университет\w*",
    r"баспа\w*|хабаршы\w*|жаршы\w*|оқулық\w*|оқу құралы|жинағы|газеті?|ғылым|мектеп|атамұра|жазушы",
)
_LAW = any_of(
    r"(?:закон|кодекс|конституци|постановлени|указ|приказ|заң|қаулы|жарлы|бұйры)\w*|гост|act of|iso"
)

_DATED = re.compile(r"\((?:\w{3,10}\s)?(?:1[5-9]|20)\d\d[a-zа-я]?\)|,\s?(?:1[5-9]|20)\d\d[a-z]?:\s")

# Each kind of sign counts once a line, however often it stands there.
_SIGNS = (
    ("slashes", 2.0, re.compile(r"(?<![:/\w])//(?=\s|[^\W\d_])")),
    ("place", 2.0, _PLACE),
    ("publisher", 1.5, _PUBLISHER),
    ("pages", 2.0, _PAGES),
    ("range", 1.0, re.compile(r"(?<![\d-])\d{1,4}\s?[-–—]\s?\d{1,4}(?![\d-])")),
    ("volume", 1.5, _VOLUME),
    ("link", 2.0, _LINK),
    ("work", 1.5, _WORK),
    ("law", 1.0, _LAW),
    ("dated", 1.0, _DATED),
)


def number_of(text: str) -> int | None:
    """The number of an entry in its list.

    >>> number_of("- [12] Lee K. Sky."), number_of("7. Lee K. Sky."), number_of("Lee K. Sky.")
    (12, 7, None)
    """
    match = NUMBER.match(text)
    return int(match[match.lastindex or 0]) if match else None


def signs_of(text: str) -> dict[str, float]:
    """The signs of an entry that a text has, and how much each says.

    >>> sorted(signs_of("3. Ivanov I. I. The steppe // Journal of grass. 1999. Vol. 3. P. 5-9."))
    ['initials', 'number', 'pages', 'range', 'slashes', 'volume', 'work', 'year']
    """
    text = _CITED.sub(" ", text)
    signs = {name: weight for name, weight, sign in _SIGNS if sign.search(text)}
    number = NUMBER.match(text)
    if AUTHOR.match(text, number.end() if number else 0):
        signs["initials"] = 2.0
    elif _INITIALS.search(text):
        signs["initials"] = 1.0
    elif len(_BARE_INITIALS.findall(text)) > 1:
        signs["initials"] = 1.5
    if not signs.keys() - {"range"}:
        return signs  # numbers and years alone are those of paragraphs and dates
    if YEAR.search(text):
        signs["year"] = 1.0
    if number:
        signs["number"] = 1.5
    elif _BULLET.match(text):
        signs["bullet"] = 0.5
    return signs


def entry_score(text: str) -> float:
    """How much a text looks like an entry: its signs against its small words. Prose is below 0.

    >>> entry_score("Smith, J. (1999). Grass. London: Sky Press.") > 0
    True
    >>> entry_score("In 1999 we lived in a small town and grass grew everywhere in the street") > 0
    False
    """
    return score_of(text, signs_of(text))


def score_of(text: str, signs: dict[str, float]) -> float:
    """The score of an entry whose signs are known."""
    small = len(_SMALL_WORD.findall(text))
    large = count_words(text) - small
    return sum(signs.values()) - small / _SMALL_WORDS_PER_POINT - large / _LARGE_WORDS_PER_POINT


def is_unmistakable(text: str) -> bool:
    """Whether a text can only be an entry, wherever it stands.

    >>> is_unmistakable("Абай. Шығармалар. – Алматы: Жазушы, 1995. – 250 б.")
    True
    >>> is_unmistakable("In 1995 J. Smith of the University wrote a letter.")
    False
    """
    if not YEAR.search(text):  # quick, and no work is without one
        return False
    signs = signs_of(text)
    of_a_work = signs.keys() & {"slashes", "place", "publisher", "pages", "link", "volume", "work"}
    return len(of_a_work) >= 2 and score_of(text, signs) >= 2.0
