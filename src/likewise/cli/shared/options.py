"""Options that several verbs share, and how they become `Settings`.

What was not said is None, so that --plain and --mega-shingles fill in only what was left open.
"""

import functools
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import typer

from likewise.catalogue import LanguageCode
from likewise.errors import BadInput, BadSettings, words_of_system
from likewise.languages import codes
from likewise.machine import memory_budget
from likewise.settings import Filter, Measure, Method, Scheme, Settings

METHOD = "Method"
WORDS = "Words"
SKETCH = "Shingles and signatures"
RESOURCES = "Resources"
EXIT = "Exit status"

_DEFAULTS = Settings()  # the defaults, told in the help


def _option(*names: str, help: str, panel: str | None = None, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=panel)


def flag(name: str, *names: str, help: str, panel: str | None = None) -> Any:
    """An option without a value, and without a type in the help."""
    return _option(name, *names, help=help, panel=panel, metavar="")


CODES = "|".join(codes())
AsJson = Annotated[bool, flag("--json", help="JSON for programs, one object a line.")]
Quiet = Annotated[bool, flag("--quiet", "-q", help="No progress bars.")]
Language = Annotated[
    LanguageCode | None,
    _option("--language", help="Compare only the documents in this language.", metavar=CODES),
]
Limit = Annotated[
    int | None,
    typer.Option(
        min=0, metavar="N", help="Show so many pairs, the strongest; default 50, with --json all."
    ),
]
ConfidenceLevel = Annotated[
    int,
    typer.Option(
        "--level",
        metavar="90|95|99",
        help="Confidence of the interval that the measures should lie in, in percent.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        metavar="N",
        help="Threads; default all cores. The answer is the same for any number.",
        rich_help_panel=RESOURCES,
    ),
]
Memory = Annotated[
    str | None,
    _option(
        "--memory",
        panel=RESOURCES,
        metavar="SIZE",
        help="Work on disk beyond this, such as 500MB or 2GB, 64MB at least; default half of the "
        "memory. "
        "The answer is the same.",
    ),
]
NoCache = Annotated[
    bool,
    flag(
        "--no-cache",
        panel=RESOURCES,
        help="Read every file anew, and keep nothing of it in the cache folder.",
    ),
]
Ocr = Annotated[
    str | None,
    _option(
        "--ocr",
        metavar="LIST",
        help="Languages of text in scans and pictures, such as ru,en; off reads no pictures; "
        f"default {','.join(reversed(codes()))}.",
    ),
]


def ocr_languages(option: str | None) -> tuple[str, ...]:
    """The languages that an option names; none for "off".

    >>> ocr_languages("ru, en"), ocr_languages("off")
    (('ru', 'en'), ())
    """
    from likewise.reading.request import LANGUAGES

    if option is None:
        return LANGUAGES
    if option.strip().lower() == "off":
        return ()
    languages = tuple(part.strip() for part in option.split(",") if part.strip())
    if not languages or not all(re.fullmatch(r"[A-Za-z_]{2,12}", part) for part in languages):
        raise BadSettings("cli.ocr", value=option)
    return languages


_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_BINARY_UNITS = {"ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30, "ti": 1 << 40}


def memory_allowed(option: str | None) -> int | None:
    """The budget in bytes: what was asked for (64 MB at least), else half of what there is.

    >>> memory_allowed("500MB"), memory_allowed("1.5 GiB"), memory_allowed("4096")
    (500000000, 1610612736, 64000000)
    """
    if option is None:
        return memory_budget()
    units = _UNITS | _BINARY_UNITS
    parts = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*([kmgt]?i?)b?", option.strip().lower())
    if parts is None or parts[2] not in units or (count := float(parts[1]) * units[parts[2]]) < 1:
        raise BadInput("cli.memory", value=option)
    return memory_budget(int(count))


Verify = Annotated[
    bool,
    flag("--verify", help="Look whether the text of PDF files is what their pages show (slow)."),
]
Passages = Annotated[
    bool, flag("--passages", help="Show where exactly: the passages that each pair shares.")
]
ByMeaning = Annotated[
    bool,
    _option(
        "--by-meaning/--no-by-meaning",
        metavar="",
        help="Look for passages by what they mean too, in what their words do not explain: "
        "rewritten, summarised, translated. It takes about a millisecond for each essay that one "
        "is compared with.",
    ),
]
PairsByMeaning = Annotated[
    bool,
    flag(
        "--pairs-by-meaning",
        help="Look for pairs by what they mean too: each document is compared with the ten that "
        "are the likeliest to say the same in other words or another language, however few words "
        "they share. These pairs come last.",
    ),
]
ReportFile = Annotated[
    Path | None,
    _option(
        "--report",
        metavar="FILE",
        help="Write a report too; its ending says how: .html, .pdf, .docx, .json or .csv.",
    ),
]
ReportLanguage = Annotated[
    LanguageCode | None,
    _option(
        "--report-language",
        metavar=CODES,
        help="The language of the report; default the system's, and a page speaks its reader's.",
    ),
]
FailOnMatch = Annotated[bool, flag("--fail-on-match", panel=EXIT, help="1 if there are pairs.")]
Strict = Annotated[bool, flag("--strict", panel=EXIT, help="2 if a file gave nothing to compare.")]


def settings_from(
    *,
    threshold: Annotated[
        float | None,
        _option(
            "--threshold",
            "-t",
            metavar="SHARE",
            help=f"The least similarity of a pair, above 0 to 1; default {_DEFAULTS.threshold:g}.",
        ),
    ] = None,
    measure: Annotated[
        Measure | None,
        _option(
            "--measure",
            metavar="MEASURE",
            help="What similarity is: shared shingles of all of both (jaccard), of the smaller "
            "document (containment), or of all with repetitions counted (multiset); "
            f"default {_DEFAULTS.measure}.",
        ),
    ] = None,
    method: Annotated[
        Method | None,
        _option(
            "--method",
            panel=METHOD,
            metavar="METHOD",
            help="Every pair (exact), or nearly every one of a very large collection in less "
            f"time (lsh); what is found is verified either way; default {_DEFAULTS.method}.",
        ),
    ] = None,
    recall: Annotated[
        float | None,
        _option(
            "--recall",
            panel=METHOD,
            metavar="SHARE",
            help="The share of pairs at the threshold that lsh is to find; "
            f"default {_DEFAULTS.recall:g}.",
        ),
    ] = None,
    bands: Annotated[
        str | None,
        _option(
            "--bands",
            panel=METHOD,
            metavar="BxR",
            help="Bands and rows of lsh by hand, such as 20x5, instead of by recall.",
        ),
    ] = None,
    mega_shingles: Annotated[
        bool,
        flag(
            "--mega-shingles",
            panel=METHOD,
            help="Fetterly's preset for lsh: 84 values, 6 bands of 14, two of which must agree.",
        ),
    ] = False,
    filter: Annotated[
        Filter | None,
        _option(
            "--filter",
            panel=METHOD,
            metavar="FILTER",
            help="How the exact method passes over pairs: by their rarest shingles (prefix), not "
            "at all (none), or by length, repetitions or positions, which may lose pairs and say "
            f"so; default {_DEFAULTS.filter}.",
        ),
    ] = None,
    languages: Annotated[
        str | None,
        _option(
            "--languages",
            panel=WORDS,
            metavar="LIST",
            help="Whose stop words and endings are known; default "
            f"{','.join(_DEFAULTS.languages)}. Other languages are compared word by word.",
        ),
    ] = None,
    plain: Annotated[
        bool,
        flag(
            "--plain",
            panel=WORDS,
            help="Runs of letters and digits as they are: nothing stemmed, joined or dropped.",
        ),
    ] = False,
    no_stem: Annotated[bool, flag("--no-stem", panel=WORDS, help="Keep word endings.")] = False,
    stop_words: Annotated[
        Path | None,
        _option(
            "--stop-words",
            panel=WORDS,
            metavar="FILE",
            help="Stop words, one a line, instead of the shipped ones.",
        ),
    ] = None,
    add_stop_words: Annotated[
        Path | None,
        _option(
            "--add-stop-words",
            panel=WORDS,
            metavar="FILE",
            help="More stop words, beside those.",
        ),
    ] = None,
    no_stop_words: Annotated[
        bool, flag("--no-stop-words", panel=WORDS, help="Keep stop words.")
    ] = False,
    drop_digits: Annotated[
        bool, flag("--drop-digits", panel=WORDS, help="Drop words with a digit in them.")
    ] = False,
    keep_symbols: Annotated[
        bool,
        flag("--keep-symbols", panel=WORDS, help="Keep lone Greek letters and mathematical signs."),
    ] = False,
    keep_urls: Annotated[
        bool, flag("--keep-urls", panel=WORDS, help="Keep web addresses.")
    ] = False,
    no_join_hyphens: Annotated[
        bool,
        flag("--no-join-hyphens", panel=WORDS, help="Do not join words hyphenated at a line end."),
    ] = False,
    no_homoglyphs: Annotated[
        bool,
        flag(
            "--no-homoglyphs",
            panel=WORDS,
            help="Do not repair letters of a foreign alphabet inside words.",
        ),
    ] = False,
    min_length: Annotated[
        int | None,
        _option(
            "--min-length",
            panel=WORDS,
            metavar="N",
            help=f"Drop shorter words; default {_DEFAULTS.min_length}.",
        ),
    ] = None,
    max_length: Annotated[
        int | None,
        _option(
            "--max-length",
            panel=WORDS,
            metavar="N",
            help=f"Drop longer words; default {_DEFAULTS.max_length}.",
        ),
    ] = None,
    drop_common: Annotated[
        float | None,
        _option(
            "--drop-common",
            panel=WORDS,
            metavar="SHARE",
            help="Drop words that stand in more than this share of the documents.",
        ),
    ] = None,
    shingle: Annotated[
        int | None,
        _option(
            "--shingle",
            panel=SKETCH,
            metavar="N",
            help=f"Words (or characters) in a shingle; default {_DEFAULTS.shingle}.",
        ),
    ] = None,
    chars: Annotated[
        bool, flag("--chars", panel=SKETCH, help="Shingles of characters instead of words.")
    ] = False,
    scheme: Annotated[
        Scheme | None,
        _option(
            "--scheme",
            panel=SKETCH,
            metavar="SCHEME",
            help="Signatures by Fast Similarity Sketching (fast) or classic MinHash (minhash); "
            f"default {_DEFAULTS.scheme}.",
        ),
    ] = None,
    slots: Annotated[
        int | None,
        _option(
            "--slots",
            panel=SKETCH,
            metavar="N",
            help=f"Values in a signature; default {_DEFAULTS.slots}.",
        ),
    ] = None,
    bits: Annotated[
        int | None,
        _option(
            "--bits",
            panel=SKETCH,
            metavar="N",
            help=f"Bits of each value, 8, 16, 32 or 64; default {_DEFAULTS.bits}.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        _option(
            "--seed",
            panel=SKETCH,
            metavar="N",
            help=f"Of the hash functions; default {_DEFAULTS.seed}.",
        ),
    ] = None,
) -> Settings:
    """The settings that the options ask for."""
    options: dict[str, Any] = {
        "threshold": threshold,
        "measure": measure,
        "method": method,
        "recall": recall,
        "filter": filter,
        "min_length": min_length,
        "max_length": max_length,
        "drop_common": drop_common,
        "shingle": shingle,
        "scheme": scheme,
        "slots": slots,
        "bits": bits,
        "seed": seed,
        "stem": False if no_stem else None,
        "drop_digits": True if drop_digits else None,
        "drop_symbols": False if keep_symbols else None,
        "drop_urls": False if keep_urls else None,
        "join_hyphens": False if no_join_hyphens else None,
        "homoglyphs": False if no_homoglyphs else None,
        "unit": "chars" if chars else None,
        "bands": None if bands is None else _bands(bands),
    }
    changes = {name: value for name, value in options.items() if value is not None}
    if languages is not None:
        changes["languages"] = tuple(part.strip() for part in languages.split(",") if part.strip())
    language_codes = changes.get("languages", _DEFAULTS.languages)
    words_to_drop = _stop_words(stop_words, add_stop_words, no_stop_words, plain, language_codes)
    if words_to_drop is not None:
        changes["stop_words"] = words_to_drop
    if mega_shingles:
        preset = Settings.mega_shingles()
        changes = {name: getattr(preset, name) for name in _MEGA_SHINGLES} | changes
    settings = Settings.plain(**changes) if plain else Settings(**changes)
    if settings.method == "exact":
        for option, value in (
            ("--recall", recall),
            ("--bands", bands),
            ("--mega-shingles", mega_shingles or None),
        ):
            if value is not None:
                raise BadSettings("cli.option_belongs", option=option, owner="--method lsh")
    return settings


def takes_settings(*, but: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Any]:
    """A verb with a parameter `settings` gets the options above in its place, `but` some.

    Typer makes options of a function's signature, so the verb is given one that lists them all.
    """

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        options = _parameters(settings_from)
        setting_options = [option for option in options if option.name not in but]
        own_options = _parameters(verb)
        place = next(i for i, parameter in enumerate(own_options) if parameter.name == "settings")
        combined = [*own_options[:place], *setting_options, *own_options[place + 1 :]]

        @functools.wraps(verb)
        def with_options(**arguments: Any) -> None:
            setting_values = {option.name: arguments.pop(option.name) for option in setting_options}
            verb(settings=settings_from(**setting_values), **arguments)

        signature = inspect.Signature(
            [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in combined]
        )
        with_options.__signature__ = signature  # type: ignore[attr-defined]
        with_options.__annotations__ = {p.name: p.annotation for p in combined}
        return with_options

    return decorate


_MEGA_SHINGLES = ("method", "scheme", "slots", "bits", "bands", "agreeing_bands")


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters.values()
    return [p.replace(annotation=hints.get(p.name, p.annotation)) for p in parameters]


def _bands(text: str) -> tuple[int, int]:
    """How many bands, and how many rows each has.

    >>> _bands("20x5")
    (20, 5)
    """
    parts = re.fullmatch(r"(\d{1,6})\s*[xX×]\s*(\d{1,6})", text.strip())
    if parts is None:
        raise BadSettings("cli.bands", value=text)
    return int(parts[1]), int(parts[2])


def _stop_words(
    instead: Path | None, more: Path | None, none: bool, plain: bool, languages: tuple[str, ...]
) -> frozenset[str] | Literal[False] | None:
    """The words to drop; None where nothing was said."""
    if none:
        if instead or more:
            raise BadSettings("cli.no_stop_words")
        return False
    if not (instead or more):
        return None
    from likewise.language.stopwords import from_file, shipped

    words: frozenset[str] = frozenset()
    if instead:
        words = from_file(instead)
    elif not plain:
        words = words.union(*map(shipped, languages))
    return words | from_file(more) if more else words


def sha256_of_file(path: Path) -> str:
    """By which the very bytes of a file are known again."""
    from hashlib import file_digest

    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
