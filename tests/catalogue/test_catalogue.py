"""One catalogue, three languages: no key missing, nothing left in English, every plural there."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import likewise
from likewise.align.exclude.exclusions import Exclusions
from likewise.catalogue import GROUPS, LANGUAGES, Words, language_of_the_system
from likewise.catalogue import texts as all_texts
from likewise.errors import BadInput
from likewise.languages import language_of
from likewise.languages.registry import Text
from likewise.measure import agreeing, share_measures
from likewise.model import (
    SPREAD_LETTERS,
    WORDINGS,
    CorrespondenceReason,
    ExclusionReason,
    Kind,
    Note,
)
from likewise.reading.draft import WAYS_TO_HIDE
from likewise.reading.html.elements import HIDDEN
from likewise.reading.pdf.footnote_marks import MARK
from likewise.reading.pdf.running_lines import FOOTER, HEADER, NUMBER
from likewise.reading.pdf.writing import GARBAGE
from likewise.report.figures import verdict_key
from likewise.report.view import SharesView, View
from likewise.results import CommissionDecision
from likewise.settings import FIELDS, Filter, Measure, Method, Scheme, Unit

CATEGORIES = {
    "en": {"one", "other"},
    "ru": {"one", "few", "many", "other"},
    "kk": {"one", "other"},
}
TRANSLATED = [language for language in LANGUAGES if language != "en"]
HOUSE = Path(likewise.__file__).parent
_OF_NOTES = ("reading", "align", "library", "internet", "server/submissions")
SPEAKERS = tuple(HOUSE / each for each in _OF_NOTES)
UI = Path(__file__).parents[2] / "ui" / "src"
NAMES_OF_FILES = {"paper.json"}

# Latin names that a Russian or Kazakh reader writes as we do.
NAMES = {
    *("SHA", "MinHash", "LSH", "tf", "idf", "PDF", "DOCX", "HTML", "JSON", "CSV"),
    *("ZIP", "XML", "RTF", "EPUB", "UTF", "Parquet", "Arrow", "SQLite"),
    *("Word", "Office", "OpenDocument", "Outlook", "Adobe"),
    *("HTTP", "http", "https", "robots", "txt", "json", "settings", "yml", "search", "formats"),
}
KEYS = {"Esc", "Shift", "Enter", "n", "p"}


def texts(language: str) -> dict[str, Text]:
    """The words of reports; the messages of the rooms are in test_messages.py too."""
    return all_texts(language, "report")


def text_of(language: str, group: str) -> str:
    catalogue = files("likewise.catalogue")
    return catalogue.joinpath(group, f"{language}.json").read_text("utf-8")


def lines_of(language: str, group: str) -> list[str]:
    """The key of each line; of blank lines and brackets nothing."""
    found = re.findall(r'^(?: "([^"]+)": )?.*$', text_of(language, group), re.MULTILINE)
    return [key or "" for key in found]


def forms(language: str, group: str | None = None) -> Iterator[tuple[str, str]]:
    """Every text of a language with its key; a message with plurals has several."""
    for key, message in all_texts(language, group).items():
        for text in message.values() if isinstance(message, dict) else [message]:
            yield key, text


def places(text: str) -> Counter[str]:
    return Counter(re.findall(r"\{(\w*(?::\w+|!r)?)\}", text))


@cache
def speaking() -> tuple[Path, ...]:
    return tuple(path for folder in SPEAKERS for path in folder.rglob("*.py"))


def constants() -> dict[str, str]:
    """The names that reading gives to texts, in all its modules."""
    found = {}
    for path in speaking():
        for node in ast.parse(path.read_text("utf-8")).body:
            match node:
                case ast.Assign([ast.Name(name)], ast.Constant(str(text))):
                    found[name] = text
    return found


@cache
def texts_handed_to(*functions: str, argument: int) -> set[str]:
    """What reading hands to these functions, where it stands in the call or is a constant."""
    named = constants()
    found = set()
    for path in speaking():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(ast.Name(called) | ast.Attribute(attr=called), handed):
                    if called in functions and len(handed) > argument:
                        match handed[argument]:
                            case ast.Constant(str(text)):
                                found.add(text)
                            case ast.Name(name) if name in named:
                                found.add(named[name])
    return found


def kinds_of_notes() -> set[str]:
    found = texts_handed_to("note", "_note", "Note", argument=0)
    assert len(found) > 15  # the search itself works
    return found | Note.READ_IN_PART


def reasons_to_leave_out() -> set[str]:
    found = texts_handed_to("leave_out", "write_left_out", argument=1)
    assert len(found) > 2
    named = {HEADER, FOOTER, NUMBER, MARK, GARBAGE, HIDDEN, SPREAD_LETTERS}
    return found | named | {f"hidden: {way}" for way in WAYS_TO_HIDE}


def keys_built_at_run_time() -> set[str]:
    """Keys that renderers put together of a group and a name that code gives to something."""
    notes = kinds_of_notes()
    named = {
        "kind": {*get_args(Kind), "fragment"},
        "reason": set(get_args(ExclusionReason)),
        "correspondence": set(get_args(CorrespondenceReason)),
        "measure": set(get_args(Measure)),
        "method": set(get_args(Method)),
        "setting": set(FIELDS),
        "counting": {"by_meaning", "count", "min_words", "min_share", "templates"}
        | {f"keep_{each.name}" for each in fields(Exclusions)},
        "records": {"no_pairs", "graph", "first", "second", "of_both_explained", "no_ties"}
        | {"members", "containment"},
        "sources": {"same_file", "same_text"},
        "month": {str(number) for number in range(1, 13)},
        "value": {
            *(*get_args(Unit), *get_args(Method), *get_args(Filter)),
            *(*get_args(Scheme), *get_args(Measure)),
        },
        "language": {*LANGUAGES, "name"},
        "title": {"check", "pair", "find", "cross", "dedup", "batch"},
        "verdict": verdicts(),
        "wording": set(WORDINGS),
        "translated_from": set(LANGUAGES),
        "translated_into": set(LANGUAGES),
        "shares": {"original", "similar", "quoted", "excluded"},
        "measures": {each.agrees_as or each.name for each in agreeing()}
        | {each.name for each in share_measures()},
        "look": {"light", "dark", "system"},
        "note": notes | {f"{kind}.means" for kind in notes},
        "left_out": reasons_to_leave_out(),
        "tables": {"row_there", "column_there"},
        "commission": set(get_args(CommissionDecision)),
    }
    return {f"{group}.{name}" for group, names in named.items() for name in names}


def kinds_of_views() -> set[str]:
    """What a view says it is: `kind: Literal[…]` of each of the whole ones."""
    said = [get_type_hints(view)["kind"] for view in get_args(View)]
    return {kind for each in said for kind in get_args(each)}


def verdicts() -> set[str]:
    found = {verdict_key(SharesView(100, 100 - n, n, 0, 0), 1, 0) for n in range(101)}
    return found | {
        verdict_key(SharesView(0, 0, 0, 0, 0), 0, 0),
        verdict_key(SharesView(100, 100, 0, 0, 0), 0, 0),
        verdict_key(SharesView(100, 100, 0, 0, 0), 0, 1),
        verdict_key(SharesView(100, 100, 0, 0, 0), 0, 0, documents=0),
        verdict_key(SharesView(100, 100, 0, 0, 0), 0, 0, too_short=True),
    }


@cache
def renderers() -> str:
    """The source of everything that says words: Python's renderers and the page."""
    # The pages around the reports have words of their own, and a test of these.
    shown = [*(UI / "report").rglob("*.ts"), *(UI / "report").rglob("*.vue"), *UI.glob("*.ts")]
    paths = [*(HOUSE / "report").rglob("*.py"), *shown]
    assert shown
    return "\n".join(path.read_text("utf-8") for path in paths)


def written_keys() -> set[str]:
    """Keys that stand in a renderer as they are; after = stands code of the page, not a text."""
    groups = "|".join({key.split(".")[0] for key in texts("en") if "." in key})
    written = re.findall(rf"(?<!=)[\"'`]((?:{groups})\.[a-z_.]+|yes|no)[\"'`]", renderers())
    return set(written) - NAMES_OF_FILES


def groups_built_at_run_time() -> set[str]:
    return set(re.findall(r"(?:f\"|`)([a-z_]+)\.\$?\{", renderers()))


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("language", TRANSLATED)
def test_every_language_has_the_keys_of_english_line_by_line(language, group):
    assert lines_of(language, group) == lines_of("en", group)
    assert [key for key in lines_of(language, group) if key] == list(all_texts(language, group))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice(language):
    keys = Counter[str]()
    for group in GROUPS:
        pairs = json.loads(text_of(language, group), object_pairs_hook=lambda pairs: pairs)
        keys.update(key for key, _ in pairs)
    assert [key for key, times in keys.items() if times > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_the_places_of_the_english_one(language):
    english = all_texts("en")
    for key, text in forms(language):
        asked = english[key]
        assert places(text) == places(asked["other"] if isinstance(asked, dict) else asked), key


def plural(number: int, language: str) -> str:
    known = language_of(language)
    assert known is not None
    return known.plural(number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_plural_category_of_the_language_is_there(language):
    for key, message in all_texts(language).items():
        assert isinstance(message, dict) == isinstance(all_texts("en")[key], dict), key
        if isinstance(message, dict):
            assert set(message) == CATEGORIES[language], key
    assert {plural(n, language) for n in range(200)} <= CATEGORIES[language]


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_left_in_english(language):
    english = {text.casefold() for _, text in forms("en", "report")}
    assert [key for key, text in forms(language, "report") if text.casefold() in english] == []
    for key, text in forms(language, "report"):
        latin = re.findall("[A-Za-z]+", re.sub(r"\{\w+\}", "", text))
        assert set(latin) <= NAMES | KEYS, key


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_message_is_left_in_english(language):
    """Commands, options and names stay as they are typed; everything else is in the language."""
    english = dict(forms("en"))
    of_rooms = [group for group in GROUPS if group != "report"]
    for key, text in (each for group in of_rooms for each in forms(language, group)):
        told, asked = (re.sub(r"\{[^}]*\}|`[^`]*`", "", each) for each in (text, english[key]))
        if re.search("[A-Za-z]{2}", asked):
            assert re.search("[\u0400-\u052f]{2}", told), key
            latin, typed = (set(re.findall("[A-Za-z]+", each)) for each in (told, asked))
            assert latin <= typed | NAMES | KEYS, key  # no other word than the English has


def test_russian_and_kazakh_differ_but_for_a_word_they_share():
    shared = {key for key, text in forms("ru", "report") if text == texts("kk")[key]}
    assert shared <= {"made.file", "made.recipe"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_clean(language):
    for key, text in forms(language):
        assert text == text.strip(), key
        assert "  " not in text, key
        assert not re.search("[A-Za-z][\u0400-\u052f]|[\u0400-\u052f][A-Za-z]", text), key
        assert not re.search("[\x00-\x1f<>&]", text), key
        if language == "ru":
            assert not re.search("[әғқңөұүһі]", text.lower()), key


# After a plural, an ending with the vowels of another word; -мен and its kin have but one form.
DISHARMONY = re.compile(
    r"\w{2}(?:(?:лер|дер|тер)\w*[аыұо]|(?:лар|дар|тар)(?!\w*[мпб]ен\b)\w*[әеіөү])\w*"
)


def test_kazakh_endings_have_the_vowels_of_their_words():
    pages = [path.read_text("utf-8") for path in UI.glob("app/words/*/kk.json")]
    assert len(pages) > 3
    said = "\n".join([*pages, *(text for _, text in forms("kk"))])
    assert [match[0] for match in DISHARMONY.finditer(said)] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_sentence_ends_as_in_english(language):
    english = all_texts("en")
    for key, text in forms(language):
        asked = english[key]
        asked = asked["other"] if isinstance(asked, dict) else asked
        assert text.endswith(".") == asked.endswith("."), key


def test_everything_that_code_names_has_its_words():
    assert keys_built_at_run_time() - set(texts("en")) == set()


def test_every_key_that_a_renderer_says_is_in_the_catalogue():
    assert len(written_keys()) > 100  # the search itself works
    assert written_keys() - set(texts("en")) == set()
    assert (
        groups_built_at_run_time() - {key.split(".")[0] for key in keys_built_at_run_time()}
        == set()
    )


def test_every_key_is_said_somewhere():
    assert set(texts("en")) - written_keys() - keys_built_at_run_time() == set()


def test_notes_and_reasons_without_use_have_no_words():
    kinds = {key[5:].removesuffix(".means") for key in texts("en") if key.startswith("note.")}
    reasons = {key[9:] for key in texts("en") if key.startswith("left_out.")}
    settings = {key[8:] for key in texts("en") if key.startswith("setting.")}
    assert (kinds, reasons) == (kinds_of_notes(), reasons_to_leave_out())
    assert settings == set(FIELDS)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["1 source", "2 sources", "5 sources", "21 sources"]),
        ("ru", ["1 источник", "2 источника", "5 источников", "21 источник"]),
        ("kk", ["1 дереккөз", "2 дереккөз", "5 дереккөз", "21 дереккөз"]),
    ],
)
def test_a_count_takes_the_form_of_its_number(language, said):
    assert [Words(language)("count.sources", n=n) for n in (1, 2, 5, 21)] == said


@pytest.mark.parametrize(
    ("number", "category"),
    [
        *((0, "many"), (1, "one"), (4, "few"), (11, "many"), (12, "many"), (14, "many")),
        *((22, "few"), (101, "one"), (111, "many"), (1000, "many"), (1_000_001, "one")),
    ],
)
def test_russian_counts_by_the_last_digits(number, category):
    assert plural(number, "ru") == category


@pytest.mark.parametrize("number", [1, 2, 5, 21])
def test_a_sentence_takes_a_whole_count(number):
    ru, kk = Words("ru"), Words("kk")
    sources = {words: words("count.sources", n=number) for words in (ru, kk)}
    assert (
        ru("verdict.some", share=ru.percent(345), sources=sources[ru])
        == f"Совпадает часть текста: 34,5\u00a0% документа ({sources[ru]})."
    )
    assert (
        kk("verdict.some", share=kk.percent(345), sources=sources[kk])
        == f"Мәтіннің бір бөлігі ұқсас: құжаттағы үлесі 34,5\u00a0% ({sources[kk]})."
    )


def test_numbers_are_written_as_people_of_the_language_write_them():
    english, russian = Words("en"), Words("ru")
    assert english("count.words", n=1_234_567) == "1,234,567 words"
    assert russian("count.words", n=1_234_567) == "1\u00a0234\u00a0567 слов"
    assert (english.share(0.34549), russian.share(1)) == ("34.5%", "100,0\u00a0%")


@pytest.mark.parametrize(
    ("system", "language"),
    [("ru_RU.UTF-8", "ru"), ("kk_KZ.UTF-8", "kk"), ("de_DE.UTF-8", "en"), ("C", "en")],
)
def test_a_report_speaks_the_language_of_the_system(monkeypatch, system, language):
    monkeypatch.setenv("LC_ALL", system)
    assert language_of_the_system() == language


def test_a_language_that_reports_do_not_speak_is_refused(tmp_path):
    one = likewise.Document.from_text("Steppe and sky.", name="a")
    with pytest.raises(BadInput, match="reports are in en, ru, kk; 'fr' is not there"):
        likewise.save(likewise.compare(one, one), tmp_path / "a.pdf", language="fr")
