"""Citations: what names a source in the text, in the styles of three languages."""

from __future__ import annotations

import re

from likewise.align.exclude.lines import UPPER, any_of

_SEE = (
    r"(?:(?i:see(?: also)?|cf\.?|e\.g\.,?|(?:as )?(?:quoted|cited) in"
    r"|см\.?(?: также)?|цит\.? по:?|по:|қар\.?:?)\s+)?"
)
_NAME = rf"[{UPPER}][\w.’'ʼ-]*"
_SMALL = (
    r"(?:van|von|de|der|den|la|le|di|du|of|the|for|ibn|al|фон|ван|де|ибн|и|and|&|және|мен|бен|пен)"
)
_YEAR = r"(?:1[5-9]|20)\d\d[a-zа-я]?"
_PLACE_IN_WORK = (
    r"(?:[\s\d,.:;–—-]|pp?\.|[сcСбtт]\.|стр\.|беті?|бб\.|том|vol\.|ch\.|гл\.|para\.|п\.|§|б(?!\w))*"
)
_AUTHOR_AND_YEAR = re.compile(
    rf"{_SEE}(?P<first>{_NAME})(?:,?\s(?:{_NAME}|{_SMALL}))*"
    r"(?:,?\s(?:et al\.?|и др\.?|және т\.\s?б\.?|and others|and colleagues|и соавт\.?))?"
    rf",?:?\s{_YEAR}(?:,\s{_YEAR})*{_PLACE_IN_WORK}"
)
_YEAR_AND_PAGE = re.compile(rf"{_YEAR}\s?[,:]\s?{_PLACE_IN_WORK}")
_FROM_YEAR_TO_YEAR = re.compile(rf"{_YEAR}\s?[-–—]\s?\d")
_NAME_WORD = re.compile(r"[^\W\d_]+")
_YEAR_ALONE = re.compile(_YEAR)
_PAGE = re.compile(
    r"(?:pp?|[сc]|стр|бб?)\.\s?\d[\d\s,–—-]{0,15}|\d[\d\s,–—-]{0,15}(?:бет\w*|б\.?|с\.|стр\.)",
    re.IGNORECASE,
)
_SAME_WORK = re.compile(
    r"(?:там же|сонда|ibid\.?|ibidem|op\. ?cit\.?|loc\. ?cit\.?|указ\. соч\.?|цит\. соч\.?"
    r"|аталған еңбек)(?:[,.:]\s?.{0,25})?",
    re.IGNORECASE,
)
_PERSON = re.compile(
    rf"(?:[{UPPER}][a-zа-я]?\.\s?){{1,2}}[{UPPER}][\w’'-]+|[{UPPER}][\w’'-]+,?\s(?:[{UPPER}]\.\s?){{1,2}}"
)
_LABEL = re.compile(r"[A-Z][A-Za-z+]{1,4}\d{2}[a-z]?|\^\w{1,8}")
_TOKEN = re.compile(r"\d+|[^\W\d_]+|\S")
_SEE_IN_BRACKETS = re.compile(r"(?:см|see|cf|цит|по|қар|сонымен|также|also)[.:]?\s+", re.IGNORECASE)
_WORDS_IN_BRACKETS = frozenset(
    "с c стр p pp б бб бет беті беттер т тт том vol ch гл глава ч часть п пп ст л лл кн вып no sec"
    " f ff и and және or или ed см see цит по note прим сноска ескерту".split()
)
_SIGNS_IN_BRACKETS = frozenset(",;:.–—-/§№&")

# A name before "(1815)" may be a place or a battle: then someone must be speaking.
_NOT_A_NAME = frozenset(
    "january february march april may june july august september october november december"
    " spring summer autumn fall winter since until from born died in circa about published"
    " январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"
    " января февраля марта апреля мая июня июля августа сентября октября ноября декабря"
    " весна лето осень зима қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан"
    " қараша желтоқсан"
    " алматы астана москва moscow london paris berlin york vienna rome almaty astana минск киев"
    " ташкент бишкек казань караганда қарағанды шымкент ленинград петербург сұлтан султан"
    " токио tokyo boston chicago geneva женева geneve".split()
)
_SPEAKS = any_of(
    r"according to|in the words of|as \w+ puts?|puts it|writes?|wrote|written|argue[sd]?",
    r"(?:quote|note|state|define|describe|observe|conclude|emphasi[sz]e)[sd]?|said|says?",
    r"(?:claim|suggest|explain|remark|assert|maintain|point)(?:s|ed)?",
    r"по (?:мнению|словам|определению|выражению)|согласно|пиш[еу]\w+|(?:на)?писал\w*|отме[чт]\w+",
    r"указ[ыа]\w+|утвержд\w+|счита\w+|подч[её]рк\w+|определ[яи]\w+|говор\w+|замеча\w+|замети\w+",
    r"поясня\w+|цитир\w+|цитат\w+|формулир\w+|характериз\w+|констатир\w+",
    r"деп (?:жаз|атап|көрсет|тұжыр|есепте|айт|анықта|түсіндір|баға|сана)\w+|дейді|деген|дей келе",
    r"пікірінше|айтуынша|айтқандай|жаз(?:ғандай|ады|ған)|атап өт\w+|сөзімен|анықтама\w*|тұжырым\w+",
)
_BEFORE_YEAR = re.compile(
    rf"[{UPPER}][\w’'ʼ-]{{1,60}}+(?:,?\s(?:et al\.?|и др\.?|және т\.\s?б\.?))?\s{{0,60}}$"
)

# "— Lee", "— Абай Құнанбаев, «Қара сөздер»"; but in a dialogue someone says "— Иә." or "— Lee, go!"
# A word of a name is never divided and has an end: else a row of capitals could be read as five
# words in any number of ways.
_PERSON_WORD = rf"(?:[{UPPER}][\w’'ʼ-]{{0,40}}+\.?|van|von|de|der|ибн|фон|и|and|мен)"
SIGNED = re.compile(
    rf"(?:—|–|--)\s?(?P<who>[{UPPER}](?:[\w’'ʼ-]{{0,40}}+|\.)(?:\s?{_PERSON_WORD}){{0,4}})"
    rf"(?:,\s?[{UPPER}«“\"\d][^\n!?—–]{{1,80}})?[^\S\n]*(?=\n|$)"
)

_NEAR = 60  # characters
_MOST_WORDS_BETWEEN = 2  # from a name and its year to what says that someone speaks

BRACKETED = re.compile(r"\[([^\[\]]{1,80})\]|\(([^()]{2,120})\)")


def citation_at(match: re.Match[str], around: str) -> bool:
    """Whether brackets in some text cite a source.

    >>> text = "as Smith (2019) writes, grass (it is green) grows [3, p. 5] (Иванов, 2001)"
    >>> [found[0] for found in BRACKETED.finditer(text) if citation_at(found, text)]
    ['(2019)', '[3, p. 5]', '(Иванов, 2001)']
    """
    square, round_ = match.groups()
    if square is not None:
        return _in_square_brackets(" ".join(square.split()))
    inside = " ".join(round_.split())
    if _YEAR_ALONE.fullmatch(inside):
        before = around[max(0, match.start() - _NEAR) : match.start()]
        name = _BEFORE_YEAR.search(before)
        if name is None or name[0].split()[0].casefold() in _NOT_A_NAME:
            return False
        return _speaks(before[: name.start()], around[match.end() : match.end() + _NEAR])
    return (
        _names_author_and_year(inside)
        or _SAME_WORK.fullmatch(inside) is not None
        or _YEAR_AND_PAGE.fullmatch(inside) is not None
    )


def _speaks(before: str, after: str) -> bool:
    """Whether what stands close to a name says that someone says something."""
    between = [before[match.end() :] for match in _SPEAKS.finditer(before)]
    between += [after[: match.start()] for match in _SPEAKS.finditer(after)]
    return any(len(words.split()) <= _MOST_WORDS_BETWEEN for words in between)


def cites_right_after_quotation(inside: str) -> bool:
    """Whether round brackets cite a source if they stand at once after a quotation.

    >>> cites_right_after_quotation("p. 45"), cites_right_after_quotation("А. С. Пушкин")
    (True, True)
    """
    inside = " ".join(inside.split())
    return _PAGE.fullmatch(inside) is not None or _PERSON.fullmatch(inside) is not None


def _names_author_and_year(inside: str) -> bool:
    """(Smith & Jones, 2019, p. 5; Lee, 2020), but not (May 2019) or (Almaty, 2019)."""
    return any(
        _AUTHOR_AND_YEAR.fullmatch(part.strip())
        and not _FROM_YEAR_TO_YEAR.search(part)
        and _NOT_A_NAME.isdisjoint(_NAME_WORD.findall(part.casefold()))
        for part in inside.split(";")
    )


def _in_square_brackets(inside: str) -> bool:
    if _SAME_WORK.fullmatch(inside) or _LABEL.fullmatch(inside) or _names_author_and_year(inside):
        return True
    inside = _SEE_IN_BRACKETS.sub("", inside)
    tokens = _TOKEN.findall(inside.casefold())
    if not tokens or not tokens[0].isdecimal() or re.search(r"\d\.\d", inside):
        return False
    if len(tokens[0]) > 3 or any(token[0] == "0" for token in tokens):
        return False
    return all(
        token.isdecimal() or token in _WORDS_IN_BRACKETS or token in _SIGNS_IN_BRACKETS
        for token in tokens
    )
