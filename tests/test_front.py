"""The front door: find, cross and compare, on the shipped examples and on awkward collections."""

import csv
import inspect
import os
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import get_type_hints

import pytest

import likewise as lw
from likewise.errors import BadInput, BadSettings
from likewise.library.filters import FilterChanges, Filters
from likewise.library.metadata import Metadata, MetadataFields
from likewise.settings import Changes, CommonChanges, Settings

EXAMPLES = Path(__file__).parents[1] / "examples"


def doc(name, text):
    return lw.Document.from_text(text, name=name)


def truth():
    with (EXAMPLES / "truth.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def pairs(matches):
    return {(match.a, match.b) for match in matches}


def borrowed(kinds, folder_a, folder_b):
    found = set()
    for row in truth():
        a, b = row["a"].split("/", 1), row["b"].split("/", 1)
        if row["kind"] in kinds and (a[0], b[0]) == (folder_a, folder_b):
            found.add((a[1], b[1]))
    return found


STRONG = {"near-copy", "edited", "reordered", "partial", "siblings-copy"}


def test_find_names_the_borrowings_inside_the_essays():
    found = {frozenset(pair) for pair in pairs(lw.find(EXAMPLES / "essays", threshold=0.15))}
    wanted = {frozenset(pair) for pair in borrowed(STRONG, "essays", "essays")}
    assert wanted <= found
    known = {frozenset((r["a"].split("/")[1], r["b"].split("/")[1])) for r in truth()}
    assert found <= known


def test_cross_names_the_borrowings_from_the_archive_and_repairs_look_alike_letters():
    matches = lw.cross(EXAMPLES / "essays", EXAMPLES / "archive", threshold=0.15)
    assert borrowed(STRONG | {"look-alike"}, "essays", "archive") == pairs(matches)
    repaired = next(match for match in matches if match.a == "kirill-library.txt")
    assert repaired.jaccard > 0.9


def test_without_repair_look_alike_letters_hide_the_copy():
    matches = lw.cross(EXAMPLES / "essays", EXAMPLES / "archive", threshold=0.5, homoglyphs=False)
    assert ("kirill-library.txt", "lena-library.txt") not in pairs(matches)


def test_plain_settings_give_the_figures_of_the_examples_table():
    plain = lw.Settings.plain()
    for row in truth():
        match = lw.compare(EXAMPLES / row["a"], EXAMPLES / row["b"], settings=plain)
        assert match.jaccard == pytest.approx(float(row["jaccard"]), abs=0.006), row
        assert match.containment_a == pytest.approx(float(row["containment_a"]), abs=0.006), row


def test_matches_come_strongest_first_and_can_be_sliced():
    matches = lw.find(EXAMPLES / "essays", threshold=0.1)
    values = [match.jaccard for match in matches]
    assert values == sorted(values, reverse=True)
    assert [m.a for m in matches[:2]] == [matches[0].a, matches[1].a]
    assert matches[-1] == list(matches)[-1]
    with pytest.raises(IndexError):
        matches[len(matches)]


def test_the_same_answer_for_any_number_of_threads_and_any_memory():
    one = list(lw.find(EXAMPLES / "essays", threshold=0.05, jobs=1))
    assert list(lw.find(EXAMPLES / "essays", threshold=0.05, jobs=3)) == one
    assert list(lw.find(EXAMPLES / "essays", threshold=0.05, memory=5000)) == one
    assert list(lw.find(EXAMPLES / "essays", threshold=0.05, jobs=2, memory=1)) == one


def test_an_empty_collection_has_no_matches():
    matches = lw.find([])
    assert (len(matches), matches.clusters, matches.unread, matches.documents) == (0, (), (), 0)


def test_one_document_has_no_matches():
    assert len(lw.find([doc("a", "one two three four five six")])) == 0


def test_documents_without_words_are_named_and_match_nothing():
    matches = lw.find([doc("a", ""), doc("b", " \n"), doc("c", "!!!"), doc("d", "wide steppe")])
    assert len(matches) == 0
    assert [unread.name for unread in matches.unread] == ["a", "b", "c"]


def test_documents_shorter_than_a_shingle_still_compare():
    matches = lw.find([doc("a", "wide steppe"), doc("b", "Wide steppe!"), doc("c", "steppe")])
    assert pairs(matches) == {("a", "b")}


def test_ten_thousand_copies_make_one_cluster():
    matches = lw.find([doc(f"{i:05}", "the same wide steppe under one sky") for i in range(10_000)])
    assert len(matches) == 49_995_000
    assert len(matches.clusters) == 1
    assert len(matches.clusters[0]) == 10_000
    assert matches.clusters[0].weakest == 1.0
    assert (matches[0].a, matches[0].b) == ("00000", "00001")
    assert (matches[-1].a, matches[-1].b) == ("09998", "09999")


def test_copies_in_two_collections_cross_each_other_but_not_themselves():
    text = "the same wide steppe under one sky"
    matches = lw.cross(
        [doc(f"a{i}", text) for i in range(3)], [doc(f"b{i}", text) for i in range(4)]
    )
    assert pairs(matches) == {(f"a{i}", f"b{j}") for i in range(3) for j in range(4)}


def test_two_documents_of_one_name_are_refused():
    with pytest.raises(BadInput, match="'a'"):
        lw.find([doc("a", "x"), doc("a", "y")])


def test_names_that_stand_on_both_sides_are_told_apart_in_clusters_and_pairs():
    text = "the same wide steppe under one sky"
    matches = lw.cross([doc("x", text)], [doc("x", text)])
    assert matches.clusters[0].members == ("a/x", "b/x")
    assert (matches[0].a, matches[0].b) == ("a/x", "b/x")
    assert [one.name for one in matches[0].documents] == ["x", "x"]


def test_lone_surrogates_and_zero_bytes_do_no_harm():
    odd = "one two \ud800 three\0four five six seven"
    assert pairs(lw.find([doc("a", odd), doc("b", odd)])) == {("a", "b")}


def test_files_that_cannot_be_read_are_named_with_the_reason(tmp_path):
    (tmp_path / "good.txt").write_text("one two three four five six")
    (tmp_path / "junk.txt").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "vanished.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / ".hidden.txt").write_text("not looked at")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "copy.txt").write_text("one two three four five six")
    matches = lw.find(tmp_path)
    assert pairs(matches) == {("deep/copy.txt", "good.txt")}
    assert {u.name: str(u.reason) for u in matches.unread} == {
        "junk.txt": "binary data, not text",
        "vanished.txt": "No such file or directory",
    }


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match="no such folder"):
        lw.find(tmp_path / "gone")


def test_settings_can_be_given_by_name_and_are_checked():
    with pytest.raises(BadSettings, match="threshold"):
        lw.find([], threshold=7)
    with pytest.raises(BadSettings, match="1 to 1000"):
        lw.find([], shingle=0)


def test_words_common_to_the_collection_can_be_dropped():
    heading = "answer in your own words and cite every source that you use "
    texts = [heading + body for body in ("steppe wind grass", "river stone boat", "city road lamp")]
    documents = [doc(str(i), text) for i, text in enumerate(texts)]
    assert len(lw.find(documents, settings=lw.Settings.plain(), threshold=0.3)) == 3
    dropped = lw.find(documents, settings=lw.Settings.plain(), threshold=0.3, drop_common=0.9)
    assert len(dropped) == 0


def test_lsh_says_what_it_promises_and_finds_the_strong_pairs():
    matches = lw.cross(EXAMPLES / "essays", EXAMPLES / "archive", threshold=0.7, method="lsh")
    exact = lw.cross(EXAMPLES / "essays", EXAMPLES / "archive", threshold=0.7)
    assert pairs(matches) <= pairs(exact)
    assert "bands" in matches.method and "verified" in matches.method


def test_a_contained_document_is_found_by_containment_and_not_by_jaccard():
    part = " ".join(f"w{i}" for i in range(40))
    whole = part + " " + " ".join(f"v{i}" for i in range(400))
    documents = [doc("part", part), doc("whole", whole)]
    assert len(lw.find(documents, threshold=0.8)) == 0
    (match,) = lw.find(documents, threshold=0.8, measure="containment")
    assert match.containment_a == 1.0


@pytest.mark.parametrize("name", ["none", "length", "repetitions", "positions"])
def test_the_filters_of_paper_001_say_what_they_compared(name):
    matches = lw.find(EXAMPLES / "essays", threshold=0.3, filter=name)
    assert f"filter '{name}'" in matches.method
    assert f"{matches.compared:,}" in matches.method
    if name in ("none", "length"):
        assert pairs(matches) == pairs(lw.find(EXAMPLES / "essays", threshold=0.3))


def test_stress_marks_and_optional_accents_do_not_hide_a_copy():
    stressed = "зимо\u0301й река\u0301 замерза\u0301ет, и по льду\u0301 е\u0301здят са\u0301ни"
    plain = "зимой река замерзает, и по льду ездят сани"
    assert lw.compare(doc("a", stressed), doc("b", plain), shingle=3).jaccard == 1.0
    one, two = "a naïve café menu for the fiancé", "a naive cafe menu for the fiance"
    assert lw.compare(doc("a", one), doc("b", two), shingle=3).jaccard == 1.0
    different = lw.compare(doc("a", "мой край"), doc("b", "мои краи"), shingle=2, stem=False)
    assert different.jaccard == 0.0


@pytest.mark.parametrize(
    ("honest", "cheated"),
    [
        ("әке мен бала өнер үйренді", "əкe мен бала ɵнер үйренді"),
        ("білім кілті кітапта ізденісте", "бıлıм кıлтı кıтапта ıздeнıсте"),
        ("ещё зелёный самолёт пролетел", "ещë зелëный самолëт пролетел"),
        ("this village survived every winter", "thıs νillage surνived eνery wınter"),
        ("совесть советует слушать соседа", "ϲовесть ϲоветует ϲлушать ϲоϲеда"),
        ("steady yellow years", "steadү үellow үears"),
        (
            "invisible fillers between letters",
            "in\u3164visible fill\u115fers be\u200btween letters",
        ),
    ],
)
def test_look_alikes_of_other_alphabets_are_repaired(honest, cheated):
    match = lw.compare(doc("a", honest), doc("b", cheated), shingle=1, stop_words=False)
    assert match.jaccard == 1.0


def test_a_pipe_in_a_folder_is_named_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "a.txt").write_text("one two three four five six")
    (unread,) = lw.find(tmp_path).unread
    assert (unread.name, str(unread.reason)) == ("pipe.txt", "not a file")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"treshold": 0.3}, "did you mean threshold"),
        ({"jobs": -1}, "jobs is -1"),
        ({"jobs": 1.5}, "jobs is 1.5"),
        ({"bands": "20x5"}, "bands is '20x5'"),
        ({"settings": {}}, "not dict"),
        ({"threshold": True}, "threshold is True"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(asked, message):
    with pytest.raises(lw.LikewiseError, match=message):
        lw.find([], **asked)


@pytest.mark.parametrize("function", [lw.find, lw.cross, lw.compare, lw.check])
def test_every_setting_is_a_keyword_with_a_type_and_its_default(function):
    named = inspect.signature(function).parameters
    for field in fields(Settings):
        assert named[field.name].default == getattr(Settings(), field.name)
        assert named[field.name].annotation == field.type


@pytest.mark.parametrize("function", [lw.dedup, lw.find_tables])
def test_a_threshold_or_unit_of_their_own_stands_before_the_setting(function):
    named = inspect.signature(function).parameters
    assert set(named) >= {field.name for field in fields(Settings)}
    assert named["threshold"].default != Settings().threshold


def test_what_the_type_checker_knows_are_the_settings():
    assert set(get_type_hints(Changes)) == {field.name for field in fields(Settings)}
    assert set(get_type_hints(CommonChanges)) == set(get_type_hints(Changes)) - {
        "threshold",
        "unit",
    }
    assert set(get_type_hints(FilterChanges)) == {field.name for field in fields(Filters)}
    assert set(get_type_hints(MetadataFields)) == {field.name for field in fields(Metadata)}


@pytest.mark.parametrize("source", [["a text"], None, b"folder", 3])
def test_only_folders_and_documents_are_searched(source):
    with pytest.raises(BadInput, match="a folder or documents"):
        lw.find(source)


@pytest.mark.parametrize("name", [name for name in lw.__all__ if name != "__version__"])
def test_every_public_name_has_an_example_that_runs(name):
    assert ">>> " in inspect.getdoc(getattr(lw, name)), "pytest runs it, as all of src"


def test_the_version_is_that_of_the_package():
    assert lw.__version__ == metadata.version("likewise")
    assert "__version__" in dir(lw)


def test_an_unknown_source_to_skip_is_called_by_the_parameter(tmp_path):
    (tmp_path / "a.txt").write_text("The caravan crossed the pass before the first snow fell.")
    document = doc("b", "The caravan crossed the pass before the first snow.")
    with pytest.raises(BadInput, match=r"^skip draft\.txt: there is no such source"):
        lw.check(document, tmp_path, skip=["draft.txt"], insist=True)


def test_a_text_is_a_string():
    with pytest.raises(BadInput, match="bytes"):
        lw.Document.from_text(b"bytes", name="a")  # type: ignore[arg-type]
