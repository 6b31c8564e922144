"""A check for programs: the server and the command line send the same, and it is described."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import TypeAdapter

import likewise as lw
from likewise.cli import main
from likewise.model import WORDINGS, Message, Note, Partner, SentQuery, Span, Unread, Wordings
from likewise.report.storage import pack_check
from likewise.results import (
    SCHEMA,
    CheckResult,
    CheckSummary,
    CommentRow,
    ConfirmationRow,
    DecisionRow,
    check_at_level,
    check_result,
    check_summary,
    decode,
    encode,
    plain,
)
from likewise.server.reports.renderer import render
from tests.report.table_views import DOCTORED, RIVERS, table
from tests.report.texts import MARKET, OWN, QUOTED, RIVER, document, edited

HALF = "half \ud800"
DECISION = DecisionRow(id="1", source=None, span=Span(0, 9), by="A", on="2026", reason="a proverb")
CONFIRMATION = ConfirmationRow(id="2", by="B", on="2026", comment="")
COMMENT = CommentRow(id="3", span=Span(2, 9), by="C", on="2026", comment="whose words?")


@pytest.fixture(scope="module")
def check() -> lw.Check:
    note = Note("hidden text", Message.verbatim("9 words"), (Span(3, 9),))
    mine = replace(
        document("mine.txt", OWN, RIVER, QUOTED, MARKET, page_chars=300),
        tables=(table(RIVERS, "Longest rivers", 3),),
        notes=(note,),
        left_out=((Span(0, 4), "running header"),),
    )
    other = replace(
        document(HALF, edited(RIVER), page_chars=99),
        tables=(table(DOCTORED, "Rivers", 7),),
        meta={"author": "Ә. Нұр"},
    )
    moment = datetime(2026, 3, 4, tzinfo=UTC)
    return replace(
        lw.check(mine, [other, document("b", MARKET)], min_words=9),
        unread=(Unread("x.pdf", Message("reading.empty_file")),),
        partners=(Partner("Campus", "өзен", 0.25, 3, {"year": "2021"}),),
        asked=(
            SentQuery("Crossref", "ice", "api.crossref.org", moment, 0, Message.verbatim("no")),
        ),
        ids={"b": 7},
    )


def ordered(check: lw.Check, **order: Any) -> Any:
    told = {"decisions": [], "confirmations": [], "readable": [7], "level": 99}
    order = {"what": "result", **told, "min_percentage": 0.0, "date": "2026", **order}
    return json.loads(render(order, [pack_check(check)]))


def test_it_comes_back_as_it_was_sent(check):
    result = check_result(check, decisions=[DECISION], confirmations=[CONFIRMATION], level=95)
    assert decode(CheckResult, json.loads(encode(result))) == result
    assert result.tables and result.sources[0].measures and result.sources[0].passages
    summary = check_summary(check, "2026")
    assert decode(CheckSummary, plain(summary)) == summary


def test_the_server_sends_it_whatever_a_name_holds(check):
    sent = ordered(check)
    assert decode(CheckResult, sent) == check_result(check)
    assert HALF in {source["name"] for source in sent["sources"]}
    assert (sent["type"], sent["schema"]) == ("check", SCHEMA)
    decided = ordered(check, decisions=plain([DECISION]), confirmations=plain([CONFIRMATION]))
    assert decided["decisions"] == [plain(DECISION)] and decided["decisions"][0]["span"] == [0, 9]
    assert decided["shares_before"] == sent["shares"]
    summary = ordered(check, what="summary", decisions=plain([DECISION]))
    assert summary["exclusions"] == 1 and decode(CheckSummary, summary)


def test_sources_come_in_the_order_of_their_agreement_on_request(check):
    usual, asked = check_result(check), check_result(check, level=90, sort="agreement")
    assert [one.number for one in usual.sources] == [1, 2]
    agreements = [one.measures.agreement for one in asked.sources]
    assert agreements == sorted(agreements, reverse=True)
    assert {one.number: one.name for one in asked.sources} == {
        one.number: one.name for one in usual.sources
    }
    assert [one["name"] for one in ordered(check, level=90, sort="agreement")["sources"]] == [
        one.name for one in asked.sources
    ]


def test_a_check_at_another_level_has_the_agreement_of_compare(check):
    at_90 = check_at_level(check, 90)
    for source in at_90.sources:
        pair = lw.compare(check.document, check.texts[source.name], level=90)
        assert source.match.scores == pair.scores
    assert check_at_level(at_90, 99).sources == check.sources


def test_numbers_of_documents_are_told_to_who_may_read_them(check):
    numbers = {source.name: source.document for source in check_result(check).sources}
    assert numbers["b"] == 7
    hidden = check_result(check, readable=())
    assert {source.document for source in hidden.sources} == {None}


def test_the_command_line_prints_it(tmp_path, capsys):
    mine, folder = tmp_path / "mine.txt", tmp_path / "all"
    mine.write_text(f"{OWN}\n\n{RIVER}", "utf-8")
    folder.mkdir()
    (folder / "river.txt").write_text(RIVER, "utf-8")
    assert main(["check", str(mine), "--against", str(folder), "--json", "--quiet"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found: CheckResult = decode(CheckResult, printed)
    assert plain(found) == printed and found.schema == SCHEMA
    passage = printed["sources"][0]["passages"][0]
    assert mine.read_text("utf-8")[slice(*passage["a"])] == RIVER


def test_the_description_of_the_api_names_what_is_sent(check):
    schema = TypeAdapter(CheckResult).json_schema(mode="serialization")
    told = plain(
        check_result(check, decisions=[DECISION], confirmations=[CONFIRMATION], comments=[COMMENT])
    )
    seen = describe(told, schema, schema["$defs"])
    # Every kind of object is there at least once.
    assert seen == {"CheckResult", *schema["$defs"]}


def describe(value: Any, schema: dict[str, Any], defs: dict[str, Any]) -> set[str]:
    """Whether a value has the fields that are described, and which descriptions were used."""
    if "$ref" in schema:
        return describe(value, defs[schema["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in schema:
        fitting = [one for one in schema["anyOf"] if (one.get("type") == "null") == (value is None)]
        return describe(value, fitting[0], defs) if fitting else set()
    if schema.get("type") == "array" and "items" in schema:
        return set().union(*(describe(each, schema["items"], defs) for each in value))
    if "properties" not in schema:
        return set()
    assert list(value) == list(schema["properties"]), schema["title"]
    inner = (describe(value[name], each, defs) for name, each in schema["properties"].items())
    return {schema["title"]}.union(*inner)


def test_a_summary_of_before_wordings_were_told_says_that_they_are_unknown():
    told = plain(check_summary(lw.check(document("a", OWN), []), "2026-11-16T12:00:00Z"))
    assert decode(CheckSummary, told).wordings == Wordings(0.0, 0.0, 0.0)
    del told["wordings"], told["count"]
    older = decode(CheckSummary, told)
    assert older.wordings is None and older.count == WORDINGS
