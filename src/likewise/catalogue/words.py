"""Messages as data, and the words of a language: the catalogue's texts with their places filled in.

A text has {places}, or is a dictionary of such texts by plural category. A place is filled with a
text, a number, a message or several of these; {port:d} is a number without marks between thousands,
{length:size} so many bytes as kB, MB or GB, {names:or} says which there are to choose from,
{name!r} is a name in quotation marks, {list:ranges} page numbers such as 3-5. The page has the same
few rules in ui/src/words.ts.
"""

from __future__ import annotations

import json
import locale
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from math import floor
from pathlib import Path
from typing import Any, TypeAlias, TypedDict, Union
from zoneinfo import ZoneInfo

from likewise.languages import codes, language_of
from likewise.languages.registry import Text

LanguageCode: TypeAlias = str
# A folder each: the words of reports, and of what the packages have to say.
GROUPS = (
    *("report", "core", "reading", "corpus", "library", "internet", "scale", "server"),
    *("certificates", "mail", "cli"),
)

Value = Union[str, int, float, "Message", tuple["Value", ...]]
VERBATIM = "core.verbatim"  # somebody else's words, or those of a Likewise without keys
_PLACE = re.compile(r"\{(\w+)(:d|:or|:ranges|:size|!r)?\}")
_SIZES = (("core.size_gb", 10**9), ("core.size_mb", 10**6), ("core.size_kb", 10**3))


def texts(language: LanguageCode, group: str | None = None) -> dict[str, Text]:
    """All texts of a language, or those of one group, by their keys."""
    registered = language_of(language)
    if registered is not None and registered.texts is not None:
        # Not remembered: another language may be registered under the same code.
        return shipped_texts("en", group) | dict(registered.texts)
    return shipped_texts(language, group)


@cache
def shipped_texts(language: LanguageCode, group: str | None = None) -> dict[str, Text]:
    """The texts of this folder's files; none of a language that has no files."""
    if group is None:
        return {key: text for each in GROUPS for key, text in shipped_texts(language, each).items()}
    path = Path(__file__).parent / group / f"{language}.json"
    loaded: dict[str, Text] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return loaded


def running_text(language: LanguageCode) -> str:
    """All shipped texts of a language without their places, a line each."""
    forms = (
        form
        for text in shipped_texts(language).values()
        for form in (text.values() if isinstance(text, dict) else (text,))
    )
    return "\n".join(_PLACE.sub(" ", form) for form in forms)


@cache
def places(key: str) -> frozenset[str] | None:
    """The names of the places in a key's texts; None where the catalogue has no such key.

    >>> sorted(places("reading.first_pages"))
    ['all', 'n']
    """
    text = texts("en").get(key)
    if text is None:
        return None
    return frozenset(place[1] for place in _PLACE.finditer(str(text)))


class PlainMessage(TypedDict):
    """A message as it is stored."""

    key: str
    values: dict[str, object]


class MessageFields(TypedDict):
    """What programs read beside a sentence."""

    code: str
    values: dict[str, object]


@dataclass(frozen=True, slots=True)
class Message:
    """A key of the catalogue with the values of its places; words are put in at the edges alone.

    >>> message = Message("reading.first_pages", {"n": 1000, "all": 1200})
    >>> str(message)
    'Only the first 1,000 of 1,200 pages were read.'
    >>> Message.from_plain(message.plain()) == message
    True
    """

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def verbatim(cls, text: str) -> Message:
        """Words that no catalogue has: those of the system, of another program or of before.

        >>> str(Message.verbatim("Permission denied"))
        'Permission denied'
        """
        return cls(VERBATIM, {"text": text})

    @classmethod
    def from_plain(cls, plain: Any) -> Message:
        """From `plain`, or from the sentence that a Likewise of before kept in its place."""
        if isinstance(plain, str):
            return cls.verbatim(plain)
        values = {name: _from_plain(value) for name, value in plain["values"].items()}
        message = cls(_current_key(plain["key"]), values)
        if rest := plain.get("then"):  # a sentence after it, in results of before
            return cls("core.sentences", {"first": message, "rest": cls.from_plain(rest)})
        return message

    def plain(self) -> PlainMessage:
        """Dictionaries, lists and values, ready for JSON."""
        return {
            "key": self.key,
            "values": {name: _plain(value) for name, value in self.values.items()},
        }

    def for_programs(self) -> MessageFields:
        """What stands beside the sentence in JSON: its code, and what stands in its places."""
        return {"code": self.key, "values": self.plain()["values"]}

    def __str__(self) -> str:
        """In English, as the command line says it."""
        return _plain_english().say(self)

    def __hash__(self) -> int:
        return hash((self.key, *sorted(self.values)))  # 1 and 1.0 are equal, and read otherwise


def _plain(value: Value) -> Any:
    if isinstance(value, Message):
        return value.plain()
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _from_plain(value: Any) -> Value:
    if isinstance(value, dict):
        return Message.from_plain(value)
    if isinstance(value, list):
        return tuple(_from_plain(each) for each in value)
    plain_value: Value = value
    return plain_value


def _current_key(key: str) -> str:
    """Until schema 3 of results, all keys of readers began with `said.`."""
    group, _, name = key.partition(".")
    if group != "said":
        return key
    keys = [f"{each}.{name}" for each in GROUPS]
    keys.append(f"internet.{name.removeprefix('web_')}")
    return next((k for k in keys if k in texts("en")), key)


class Words:
    """The words of one language.

    >>> Words("en")("count.sources", n=1), Words("ru")("count.sources", n=3)
    ('1 source', '3 источника')
    >>> Words("en")("sources.under", name="{name}.pdf")
    'adds nothing to {name}.pdf'
    """

    def __init__(self, language: LanguageCode, *, dash: str = "–", time_zone: str = "UTC") -> None:
        registered = language_of(language)
        if registered is None:
            raise ValueError(f"no words of the language {language!r}")
        self.language = language
        self.decimal_sign = registered.decimal_sign
        self._language = registered
        self._texts = texts(language)
        self._dash = dash  # between the first and the last of several pages
        self._time_zone = time_zone_of(time_zone)

    def __call__(self, key: str, **values: Any) -> str:
        text = self._texts[key]
        if isinstance(text, dict):
            number = values.get("n")  # a message from elsewhere may lack it, as any other value
            category = "other" if number is None else self._language.plural(number)
            text = text.get(category, text["other"])
        # In one go: what is filled in may look like a place itself.
        return _PLACE.sub(lambda place: self._filled(place, values), text)

    def say(self, message: Message) -> str:
        """A message in this language; one that the catalogue does not know as it stands.

        >>> Words("ru").say(Message("reading.empty_file"))
        'файл пуст'
        """
        return self(message.key, **message.values) if self.has(message.key) else message.key

    def _filled(self, place: re.Match[str], values: Mapping[str, Value]) -> str:
        name, form = place.groups()
        if name not in values:
            return place[0]
        between = f" {self._texts['core.or']} " if form == ":or" else ", "
        text = self._text(values[name], between, is_plain=form == ":d")
        if form == ":ranges":
            return text.replace("-", self._dash)
        if form == ":size" and isinstance(number := values[name], int):
            return self.size(number)
        return repr(text) if form == "!r" else text

    def _text(self, value: Value, between: str, *, is_plain: bool) -> str:
        if isinstance(value, Message):
            return self.say(value)
        if isinstance(value, tuple):
            return between.join(self._text(each, between, is_plain=is_plain) for each in value)
        if isinstance(value, float):
            return f"{value:g}".replace(".", self.decimal_sign)
        if isinstance(value, int) and not is_plain:
            return self.number(value)
        return str(value)

    def has(self, key: str) -> bool:
        return key in self._texts

    def number(self, value: int) -> str:
        """A whole number with its thousands apart.

        >>> Words("en").number(12345), Words("kk").number(12345)
        ('12,345', '12\\xa0345')
        """
        return f"{value:,}".replace(",", self._language.thousands_sign)

    def size(self, bytes: int) -> str:
        """So many bytes as people say it: one decimal, none where it would tell nothing.

        >>> Words("en").size(100_000_000), Words("ru").size(1_540_000), Words("en").size(12)
        ('100 MB', '1,5\\xa0МБ', '0.1 kB')
        """
        key, one = next((each for each in _SIZES if bytes >= each[1]), _SIZES[-1])
        whole, tenth = divmod(max(1, (20 * bytes + one) // (2 * one)), 10)
        is_short = whole < 100 and tenth > 0
        figure = f"{whole}{self.decimal_sign}{tenth}" if is_short else self.number(whole)
        return self(key, n=figure)

    def percent(self, tenths: int) -> str:
        """Tenths of a percent as people of this language write them.

        >>> Words("en").percent(345), Words("ru").percent(345)
        ('34.5%', '34,5\\xa0%')
        """
        whole, tenth = divmod(tenths, 10)
        return f"{whole}{self.decimal_sign}{tenth}{self._language.percent_sign}"

    def whole_percent(self, percent: int) -> str:
        """A whole percentage, without a tenth that would tell nothing.

        >>> Words("en").whole_percent(25), Words("kk").whole_percent(5)
        ('25%', '5\\xa0%')
        """
        return re.sub("[.,]0", "", self.percent(10 * percent), count=1)

    def share(self, value: float) -> str:
        """A share of 1 as a percentage."""
        return self.percent(floor(min(max(value, 0.0), 1.0) * 1000 + 0.5))  # as the page rounds

    def in_a_sentence(self, tenths: int, count: int, whole: int) -> str:
        """A share that never says none of what there is, nor all of what is not all.

        >>> Words("en").in_a_sentence(0, 1, 9999), Words("ru").in_a_sentence(1000, 9998, 9999)
        ('less than 0.1%', 'более 99,9\\xa0%')
        """
        if tenths <= 0 < count:
            return self("share.less", share=self.percent(1))
        if tenths >= 1000 and count < whole:
            return self("share.more", share=self.percent(999))
        return self.percent(tenths)

    def day(self, date: str) -> str:
        """A day of ISO 8601 as people of this language write it.

        >>> Words("en").day("2026-03-01T09:05:59Z"), Words("kk").day("2026-03-01")
        ('1 March 2026', '2026 жылғы 1 наурыз')
        """
        match = re.match(r"(\d{4})-(\d\d)-(\d\d)", date)
        if not match or not self.has(f"month.{int(match[2])}"):
            return date
        year, month, day = match.groups()
        month = self(f"month.{int(month)}")
        return self("date.day", day=str(int(day)), month=month, year=year)

    def day_and_time(self, date: str) -> str:
        """A day with its time, as clocks show it in the time zone of these words.

        >>> Words("ru").day_and_time("2026-03-01T09:05:59Z")
        '1 марта 2026 года, 09:05 UTC'
        >>> Words("en", time_zone="Asia/Almaty").day_and_time("2026-03-01T19:05:59Z")
        '2 March 2026, 00:05 (UTC+5)'
        """
        try:
            moment = datetime.fromisoformat(date) if len(date) > 10 else None
        except ValueError:
            moment = None
        if moment is None:
            return self.day(date)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        moment = moment.astimezone(self._time_zone)
        return f"{self.day(moment.isoformat())}, {moment:%H:%M} {_offset(moment)}"


def _offset(moment: datetime) -> str:
    """How far clocks are from Greenwich: "UTC", or as "(UTC+5:30)"."""
    minutes = round((moment.utcoffset() or timedelta()).total_seconds() / 60)
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes > 0 else "\N{MINUS SIGN}"
    return f"(UTC{sign}{hours}{f':{rest:02}' if rest else ''})"


@cache
def time_zone_of(name: str) -> tzinfo:
    """A time zone by its name among those of IANA; `ValueError` where there is none of that name.

    >>> time_zone_of("Asia/Almaty")
    zoneinfo.ZoneInfo(key='Asia/Almaty')
    """
    if name == "UTC":  # known to machines without the list of zones too
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # of a name that is a folder of the list
        raise ValueError(f"no time zone {name!r}") from error


def language_of_the_system() -> LanguageCode:
    """The language that the user's system speaks, where the catalogue speaks it too."""
    locale_name = next(
        (os.environ[n] for n in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(n)), ""
    )
    locale_name = locale_name or (locale.getlocale()[0] or "")
    return next((code for code in codes() if locale_name.lower().startswith(code)), "en")


@cache
def _plain_english() -> Words:
    """Of the terminal and of `str(error)`; nobody who says nothing waits for its texts."""
    return Words("en", dash="-")
