"""What makes a line look like an entry of a bibliography, in English, Russian and Kazakh."""

from __future__ import annotations

import re

from likewise.align.exclude.lines import UPPER, any_of, count_words

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
    found = NUMBER.match(text)
    return int(found[found.lastindex or 0]) if found else None


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
