"""The JSON: the view as it is, with its type first."""

import json

import likewise as lw
from likewise.report import view_of_check, view_of_matches
from likewise.report.json import FORMAT, json_of, write_json
from likewise.results import SCHEMA, plain

from .texts import MARKET, OWN, RIVER, document, edited


def view(*sources, of=None):
    mine = of or document("mine.txt", OWN, RIVER, MARKET, page_chars=400)
    return view_of_check(lw.check(mine, sources))


def test_it_is_the_view_with_its_type_and_the_version_of_the_format():
    found = view(document("a.txt", RIVER))
    said = json.loads(json_of(found))
    assert list(said)[:3] == ["type", "format", "schema"]
    assert (said.pop("type"), said.pop("format"), said.pop("schema")) == ("check", FORMAT, SCHEMA)
    assert said == plain(found)


def test_a_collection_says_so():
    essays = [document("a.txt", RIVER, OWN), document("b.txt", edited(RIVER), OWN)]
    said = json.loads(json_of(view_of_matches(lw.find(essays, threshold=0.2))))
    assert said["type"] == "find" and len(said["pairs"]) == 1


def test_letters_stay_letters(tmp_path):
    write_json(view(document("қазақша 😀.txt", RIVER)), tmp_path / "a.json")
    assert "қазақша 😀.txt" in (tmp_path / "a.json").read_text("utf-8")


def test_a_lone_surrogate_comes_back_as_it_was(tmp_path):
    found = view(document("\udcff.txt", RIVER))
    write_json(found, tmp_path / "a.json")
    said = json.loads((tmp_path / "a.json").read_bytes())
    assert said["sources"][0]["text"]["name"] == "\udcff.txt"
