"""A measure added from outside shows up wherever measures do, and is gone when it is taken out."""

import json
from collections.abc import Iterator
from io import BytesIO

import docx
import pytest
from pydantic import TypeAdapter

import likewise as lw
from likewise.catalogue import LANGUAGES, texts
from likewise.cli import main
from likewise.measure import Measure, register, registered, unregister
from likewise.model import Document
from likewise.report.storage import pack_check, unpack_check
from likewise.results import MeasuresResult, measures_result

STEPPE = "The steppe is wide and the rivers that cross it in spring are gone before July comes."
CARAVAN = "A caravan of seven camels left the old city before dawn and nobody heard its bells."
SHIPPED = [
    *("jaccard", "containment_a", "containment_b", "dice"),
    *("signature", "tfidf", "words"),
]  # others may stand between them
WORDS = {"en": "length of both (toy)", "ru": "длина обоих (toy)", "kk": "екеуінің ұзындығы (toy)"}


def length_ratio(pair) -> float:
    """How long the shorter text is beside the longer one."""
    lengths = len(pair.a.text), len(pair.b.text)
    return min(lengths) / max(lengths)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Measure]:
    for language in LANGUAGES:
        monkeypatch.setitem(texts(language), "measures.toy", WORDS[language])
    measure = register(Measure("toy", length_ratio, place=80, agrees_as="toy", row=50))
    yield measure
    unregister("toy")


@pytest.fixture
def one() -> Document:
    return Document.from_text(f"{STEPPE} {CARAVAN}", name="one")


@pytest.fixture
def other() -> Document:
    return Document.from_text(STEPPE, name="other")


def test_the_measures_stand_in_results_in_the_order_of_their_places(one, other) -> None:
    names = [measure.name for measure in registered()]
    assert [name for name in names if name in SHIPPED] == SHIPPED
    assert list(lw.compare(one, other).measures) == names


def test_a_name_is_given_once_and_is_no_other_key_of_a_result() -> None:
    for taken in ("dice", "agreement", "interval", "low", "a name"):
        with pytest.raises(ValueError):
            register(Measure(taken, length_ratio, place=80))
    with pytest.raises(ValueError):
        register(Measure("toy", length_ratio, place=80, agrees_as="words"))
    assert "toy" not in {measure.name for measure in registered()}


def test_a_new_measure_is_in_the_result_and_takes_part_in_the_agreement(toy, one, other) -> None:
    match = lw.compare(one, other)
    assert match.scores.toy == len(other.text) / len(one.text)
    assert list(match.measures) == [measure.name for measure in registered()]
    known = {**match.measures, "shingles": match.jaccard}
    inside = [known[name] for name in match.scores.interval.inside]
    assert match.scores.agreement == pytest.approx(sum(inside) / len(inside))


def test_a_new_measure_is_on_the_command_line(toy, one, other, tmp_path, capsys) -> None:
    paths = [tmp_path / "one.txt", tmp_path / "other.txt"]
    for path, document in zip(paths, (one, other), strict=True):
        path.write_text(document.text, "utf-8")
    assert main(["compare", *map(str, paths)]) == 0
    said = capsys.readouterr().out
    assert said.count("length of both (toy)") == 2  # as a share, and among those that agree
    assert "Agreement of 5 measures" in said
    assert main(["compare", *map(str, paths), "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    known = ["dice", "signature", "tfidf", "words", "toy", "agreement", "interval"]
    assert [name for name in scores if name in known] == known


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_measure_is_in_a_report(toy, one, other, tmp_path, language) -> None:
    found = lw.check(one, [other])
    lw.save(found, tmp_path / "report.docx", language=language)
    tables = docx.Document(BytesIO((tmp_path / "report.docx").read_bytes())).tables
    heads = [cell.text for table in tables for cell in table.rows[0].cells]
    assert WORDS[language] in heads
    lw.save(found, tmp_path / "report.json")
    (source,) = json.loads((tmp_path / "report.json").read_text("utf-8"))["sources"]
    assert source["measures"]["toy"] == len(other.text) / len(one.text)


def test_a_new_measure_is_in_the_answers_of_the_server(toy, one, other) -> None:
    described = TypeAdapter(MeasuresResult).json_schema()["properties"]
    assert " words toy agreement " in f" {' '.join(described)} "
    assert "toy" in measures_result(lw.compare(one, other)).interval.inside


def test_stored_results_open_with_and_without_the_measure(one, other) -> None:
    without = pack_check(lw.check(one, [other]))
    measure = register(Measure("toy", length_ratio, place=80, agrees_as="toy"))
    try:
        with_it = pack_check(lw.check(one, [other]))
        (source,) = unpack_check(without).sources
        assert "toy" not in measures_result(source.match).interval.inside
    finally:
        unregister(measure.name)
    (source,) = unpack_check(with_it).sources
    assert source.match.scores.toy == len(other.text) / len(one.text)
    assert measures_result(source.match).interval.inside
