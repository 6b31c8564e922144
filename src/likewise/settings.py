"""One frozen `Settings`: validated once, printed in every result, stored with every sketch."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, Literal, TypedDict, Unpack, get_args

from likewise.catalogue import Message, Value
from likewise.errors import BadSettings
from likewise.languages import codes

Unit = Literal["words", "chars"]
Scheme = Literal["fast", "minhash"]
Method = Literal["exact", "lsh"]
Measure = Literal["jaccard", "containment", "multiset"]
Filter = Literal["prefix", "none", "length", "repetitions", "positions"]

SKETCH_VERSION = (
    1  # raised whenever the same text would give other integers: a kernel, a shipped list
)
LANGUAGES = codes()  # whose rules apply by default


class CommonChanges(TypedDict, total=False):
    """Settings by name, for functions with a threshold and a unit of their own; see `Changes`."""

    languages: Sequence[str]  # whose rules apply: "en", "ru", "kk"
    homoglyphs: bool  # repair letters of a foreign alphabet inside words
    stop_words: bool | AbstractSet[str]  # the shipped lists, none, or exactly these words
    stem: bool  # words by their stems
    drop_digits: bool  # words with a digit in them
    drop_symbols: bool  # lone Greek letters and mathematical signs
    drop_urls: bool
    join_hyphens: bool  # words hyphenated over a line end
    min_length: int  # of a word, in letters
    max_length: int
    drop_common: float | None  # words that stand in more than this share of the collection
    shingle: int  # words or characters in one
    window: int  # of winnowing, in shingles
    scheme: Scheme  # of signatures
    slots: int  # of a signature
    bits: int  # of a slot: 8, 16, 32 or 64
    seed: int  # of the hash functions
    method: Method  # how pairs are searched
    filter: Filter  # of paper 001, for the method "exact"
    recall: float  # asked of lsh at the threshold
    bands: tuple[int, int] | None  # (bands, rows) by hand instead of by recall
    agreeing_bands: int  # how many bands must agree before a pair is looked at
    measure: Measure  # that the threshold is about


class Changes(CommonChanges, total=False):
    """Settings by name: what is not given stays as it is.

    A function with `**changes: Unpack[Changes]` takes each of them as a keyword of its own, and
    says of a misspelt one which was meant.
    """

    threshold: float  # the least similarity of a pair, above 0 to 1
    unit: Unit  # what shingles are made of


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can change an answer. What cannot (threads, memory) is not here.

    >>> Settings(threshold=0.8).threshold
    0.8
    >>> Settings.plain(shingle=3).stem
    False
    """

    # language
    languages: tuple[str, ...] = LANGUAGES
    homoglyphs: bool = True  # repair letters of a foreign alphabet inside words
    stop_words: bool | frozenset[str] = True  # the shipped lists, none, or exactly these words
    stem: bool = True
    drop_digits: bool = False  # words with a digit in them
    drop_symbols: bool = True  # lone Greek letters and mathematical signs
    drop_urls: bool = True
    join_hyphens: bool = True  # words hyphenated over a line end
    min_length: int = 1
    max_length: int = 64
    drop_common: float | None = None  # words that stand in more than this share of the collection
    # sketch
    unit: Unit = "words"
    shingle: int = 5
    window: int = 4
    scheme: Scheme = "fast"
    slots: int = 256
    bits: int = 16
    seed: int = 1
    # search
    method: Method = "exact"
    filter: Filter = "prefix"
    recall: float = 0.99  # asked of lsh at the threshold
    bands: tuple[int, int] | None = None  # (bands, rows) by hand instead of by recall
    agreeing_bands: int = 1  # how many bands must agree before a pair is looked at
    measure: Measure = "jaccard"
    threshold: float = 0.3

    def __post_init__(self) -> None:
        stop_words: Any = self.stop_words
        if isinstance(stop_words, set | list | tuple):
            object.__setattr__(self, "stop_words", frozenset(stop_words))
        languages: Any = self.languages
        if isinstance(languages, list | set):
            object.__setattr__(self, "languages", tuple(sorted(languages)))
        for problem in _wrong_types(self) or _problems(self):
            raise BadSettings(problem)

    @classmethod
    def plain(cls, **changes: Unpack[Changes]) -> Settings:
        """Runs of letters and digits, folded; nothing joined, dropped or stemmed.

        >>> Settings.plain().has_word_rules
        False
        """
        rules: dict[str, Any] = {
            "homoglyphs": False,
            "stop_words": False,
            "stem": False,
            "drop_symbols": True,
            "drop_urls": False,
            "join_hyphens": False,
            "min_length": 1,
            "max_length": NO_LIMIT,
        }
        return cls(**{**rules, **changes})

    @classmethod
    def mega_shingles(cls, **changes: Unpack[Changes]) -> Settings:
        """Fetterly's preset: 84 values in 6 super-shingles of 14, two of which must agree."""
        preset: dict[str, Any] = {
            "method": "lsh",
            "scheme": "minhash",
            "slots": 84,
            "bits": 64,
            "bands": (6, 14),
            "agreeing_bands": 2,
        }
        return cls(**{**preset, **changes})

    def but(self, **changes: Unpack[Changes]) -> Settings:
        """The same settings with some changed."""
        for name in changes.keys() - set(FIELDS):
            near = get_close_matches(name, FIELDS, 1)
            if near:
                raise BadSettings("core.no_setting_but", name=name, near=near[0])
            raise BadSettings("core.no_setting", name=name, names=FIELDS)
        values: dict[str, Any] = {**changes}  # lists and sets become what is kept
        return replace(self, **values)

    @property
    def has_word_rules(self) -> bool:
        """Whether any word needs more than the fold table."""
        return (
            self.homoglyphs
            or self.stop_words is not False
            or self.stem
            or self.drop_digits
            or self.min_length > 1
            or self.max_length < NO_LIMIT
        )

    def recipe(self) -> str:
        """Names everything that changes a sketch: only sketches of one recipe may be compared."""
        parts = [f"sketch{SKETCH_VERSION}", f"{self.unit}{self.shingle}", f"window{self.window}"]
        for name in _RECIPE_FIELDS:
            value = getattr(self, name)
            if isinstance(value, frozenset):
                digest = hashlib.blake2b("\n".join(sorted(value)).encode("utf-8", "surrogatepass"))
                value = digest.hexdigest()[:12]
            elif isinstance(value, tuple):
                value = "+".join(sorted(value))
            parts.append(f"{name}={value}")
        if self.measure == "multiset":  # the only measure that needs other sets
            parts.append("multiset")
        if self.has_word_rules:
            parts.append(f"unicode={unicodedata.unidata_version}")
        if self.stem:
            parts.append(f"snowball={_snowball_version()}")
        return " ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        values = asdict(self)
        if isinstance(self.stop_words, frozenset):
            values["stop_words"] = sorted(self.stop_words)
        values["languages"] = list(self.languages)
        values["bands"] = list(self.bands) if self.bands else None
        return values


NO_LIMIT = 1_000_000_000

_RECIPE_FIELDS = (
    "languages",
    "homoglyphs",
    "stop_words",
    "stem",
    "drop_digits",
    "drop_symbols",
    "drop_urls",
    "join_hyphens",
    "min_length",
    "max_length",
    "drop_common",
    "scheme",
    "slots",
    "bits",
    "seed",
)


def _snowball_version() -> str:
    import Stemmer

    return str(Stemmer.version())


def _problem(key: str, /, **values: Value) -> Message:
    return Message(key, values)


def _wrong_types(settings: Any) -> list[Message]:
    messages: list[Message] = []
    for field in fields(settings):
        value, kind = getattr(settings, field.name), str(field.type)
        if kind == "int":
            right = isinstance(value, int) and not isinstance(value, bool)
        elif kind == "bool":
            right = isinstance(value, bool)
        elif kind.startswith("float"):
            right = (isinstance(value, int | float) and not isinstance(value, bool)) or (
                value is None and "None" in kind
            )
        else:
            continue
        if not right:
            messages.append(
                _problem(
                    "core.setting_type", name=field.name, value=repr(value), kind=kind.split(" ")[0]
                )
            )
    if not isinstance(settings.stop_words, bool | frozenset):
        messages.append(_problem("core.setting_stop_words", value=repr(settings.stop_words)))
    pair = settings.bands
    if pair is not None and not (isinstance(pair, tuple) and [type(n) for n in pair] == [int, int]):
        messages.append(_problem("core.setting_bands_pair", value=repr(pair)))
    if not isinstance(settings.languages, tuple):
        messages.append(_problem("core.setting_languages", value=repr(settings.languages)))
    return messages


def ensure_threshold(threshold: float) -> None:
    """Refuse a threshold that no share of 1 could reach, or that every one reaches."""
    if problem := _no_share("threshold", threshold):
        raise BadSettings(problem)


def _no_share(name: str, value: float) -> Message | None:
    if 0 < value <= 1:
        return None
    return _problem("core.setting_share", name=name, value=str(value), low=0.0, high=1.0)


def _problems(settings: Settings) -> list[Message]:  # noqa: C901 - one setting after another
    messages: list[Message] = []
    choices = {
        "unit": Unit,
        "scheme": Scheme,
        "method": Method,
        "measure": Measure,
        "filter": Filter,
    }
    for name, allowed in choices.items():
        value = getattr(settings, name)
        if value not in get_args(allowed):
            messages.append(
                _problem(
                    "core.setting_choice", name=name, value=repr(value), choices=get_args(allowed)
                )
            )
    for language in settings.languages:
        if language not in codes():
            messages.append(_problem("core.setting_language", language=language, languages=codes()))
    for name in ("threshold", "recall", "drop_common"):
        value = getattr(settings, name)
        if value is not None and (problem := _no_share(name, value)):
            messages.append(problem)
    for name, least, most in (
        ("shingle", 1, 1000),
        ("window", 1, 1000),
        ("slots", 1, 65536),
        ("min_length", 1, NO_LIMIT),
        ("max_length", 1, NO_LIMIT),
        ("agreeing_bands", 1, 8),
    ):
        value = getattr(settings, name)
        if not least <= value <= most:
            messages.append(
                _problem("core.setting_range", name=name, value=value, low=least, high=most)
            )
    if settings.bits not in (8, 16, 32, 64):
        messages.append(_problem("core.setting_bits", value=settings.bits))
    if settings.recall == 1.0 and settings.method == "lsh":
        messages.append(_problem("core.setting_lsh_recall"))
    if settings.min_length > settings.max_length:
        messages.append(
            _problem("core.setting_lengths", low=settings.min_length, high=settings.max_length)
        )
    if settings.bands is not None:
        bands, rows = settings.bands
        if bands < 1 or rows < 1 or bands * rows > settings.slots:
            messages.append(
                _problem("core.setting_bands", bands=bands, rows=rows, slots=settings.slots)
            )
        elif bands < settings.agreeing_bands:
            messages.append(
                _problem("core.setting_agreeing_bands", n=settings.agreeing_bands, bands=bands)
            )
    if settings.method == "lsh" and settings.measure == "containment":
        messages.append(_problem("core.setting_lsh_containment"))
    if settings.method == "lsh" and settings.filter != "prefix":
        messages.append(_problem("core.setting_filter_method", filter=settings.filter))
    if settings.filter not in ("prefix", "none") and settings.measure == "containment":
        messages.append(_problem("core.setting_filter_containment", filter=settings.filter))
    return messages


def settings_from(base: Settings | None, changes: Changes | CommonChanges) -> Settings:
    """The settings given, or the usual ones, with some changed."""
    settings: Any = Settings() if base is None else base
    if not isinstance(settings, Settings):
        raise BadSettings("core.not_settings", kind=type(settings).__name__)
    return settings.but(**changes)


FIELDS = tuple(field.name for field in fields(Settings))
