"""A language added from outside is known wherever languages are, until it is taken out."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from textwrap import dedent

import docx
import pytest

import likewise as lw
from likewise.catalogue import Words, texts
from likewise.errors import BadSettings
from likewise.language import Lexicon, borrow_lexicon, detect
from likewise.languages import LATIN, Language, codes, language_of, register, unregister
from likewise.model import Document
from likewise.settings import Settings
from tests.language.esperanto import ESPERANTO

SOURCE = Path(__file__).parent.parent.parent / "src"

TEXT = "La granda stepo estas vasta, kaj la riveroj de la stepo fluas en la printempo al la maro."
OTHER = "La grandaj stepoj estas vastaj, kaj la rivero de la stepoj fluas en printempoj al maroj."


@pytest.fixture
def esperanto() -> Iterator[Language]:
    yield register(ESPERANTO)
    unregister("eo")


def test_the_shipped_languages_are_three() -> None:
    assert codes() == ("en", "ru", "kk")
    assert Settings().languages == codes()
    with pytest.raises(ValueError):
        register(ESPERANTO.__class__(code="ru", name="", place=1, letters=LATIN, ocr_data=""))


def test_a_language_that_nobody_registered_is_refused() -> None:
    assert language_of("eo") is None
    with pytest.raises(BadSettings):
        Settings(languages=("en", "eo"))


def test_its_words_are_stemmed_and_its_stop_words_dropped(esperanto) -> None:
    with_it = Lexicon(Settings(languages=("en", "eo")))
    assert with_it.canonical(["la", "riverojn", "rivero"]) == ["", "rivero", "rivero"]
    assert with_it.canonical(["the", "rivers"]) == ["", "river"]
    assert Lexicon(Settings()).canonical(["la", "riverojn"]) == ["la", "riverojn"]


def test_a_comparison_knows_it(esperanto) -> None:
    a, b = Document.from_text(TEXT, name="a"), Document.from_text(OTHER, name="b")
    apart, alike = lw.compare(a, b), lw.compare(a, b, languages=("en", "eo"))
    assert apart.scores.words < 0.7 < alike.scores.words
    assert alike.settings is not None
    assert alike.settings.languages == ("en", "eo")


def test_a_text_is_known_to_be_in_it(esperanto) -> None:
    assert detect(TEXT) == "eo"
    assert detect("The cat sat on the mat and looked at the birds in the garden.") == "en"


def test_a_report_speaks_it_and_english_where_words_are_missing(esperanto, tmp_path) -> None:
    words = Words("eo")
    assert words("measures.agreement") == "konsento"
    assert words("count.sources", n=2) == "2 sources"
    assert (words.number(12345), words.percent(345)) == ("12\xa0345", "34,5\xa0%")
    found = lw.check(Document.from_text(TEXT, name="a"), [Document.from_text(TEXT, name="b")])
    lw.save(found, tmp_path / "report.docx", language="eo")
    tables = docx.Document(BytesIO((tmp_path / "report.docx").read_bytes())).tables
    heads = {cell.text for table in tables for cell in table.rows[0].cells}
    assert {"konsento", "fonto"} <= heads


def test_another_language_under_the_same_code_has_its_own_words(esperanto) -> None:
    settings = Settings(languages=("en", "eo"))
    assert Words("eo")("measures.agreement") == "konsento"
    with borrow_lexicon(settings) as lexicon:
        assert lexicon.canonical(["la", "riverojn"]) == ["", "rivero"]
    unregister("eo")
    assert texts("eo") == {}
    register(
        replace(
            ESPERANTO,
            stop_words=lambda: frozenset({"lo"}),
            stemmer=None,
            texts={"measures.agreement": "akordo"},
        )
    )
    assert Words("eo")("measures.agreement") == "akordo"
    with borrow_lexicon(settings) as lexicon:
        assert lexicon.canonical(["la", "lo", "riverojn"]) == ["la", "", "riverojn"]
    assert Lexicon(settings).canonical(["la", "lo"]) == ["la", ""]


@pytest.mark.slow
def test_the_command_line_and_the_server_take_it_if_it_is_there_when_they_are_loaded(
    tmp_path,
) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for name, text in (("a", TEXT), ("b", OTHER)):
        texts.joinpath(f"{name}.txt").write_text(text, "utf-8")
    script = """
        import sys
        from likewise.languages import register
        from tests.language.esperanto import ESPERANTO
        register(ESPERANTO)
        from likewise.cli import main
        from likewise.server.people.own_account_routes import MyChanges
        assert MyChanges(language="eo").language == "eo"
        assert main(["find", sys.argv[1], "--languages", "en,eo", "--threshold", "0.05",
                     "--json", "--no-cache", "--shingle", "1"]) == 0
        assert main(["find", sys.argv[1], "--no-cache", "--report", sys.argv[2],
                     "--report-language", "eo"]) == 0
        assert main(["compare", "--help"]) == 0
    """
    run = [sys.executable, "-c", dedent(script), str(texts), str(tmp_path / "report.csv")]
    environment = {**os.environ, "PYTHONPATH": f"{SOURCE}{os.pathsep}{SOURCE.parent}"}
    ran = subprocess.run(run, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    assert '"a": "a.txt", "b": "b.txt"' in ran.stdout
    assert "en|ru|kk|eo" in ran.stdout
    assert "konsento" in (tmp_path / "report.csv").read_text("utf-8")
