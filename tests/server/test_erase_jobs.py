"""What rows of jobs tell of files that were erased."""

from __future__ import annotations

import json

import pytest

from likewise.catalogue import Message
from likewise.report.redaction import ERASED_DOCUMENT
from likewise.server.database.erase_jobs import _without_names

NAME = 'эссе "Дала".pdf'


@pytest.mark.parametrize(
    "error",
    [
        {"key": "reading.empty_file", "values": {}, "about": NAME},
        Message(
            "core.nothing_to_check_why", {"name": NAME, "why": Message("reading.no_such_member")}
        ).plain(),
        Message("server.failed", {"why": Message("server.of_file", {"name": NAME})}).plain(),
    ],
)
def test_a_name_is_taken_out_of_a_message_wherever_it_stands(error: dict[str, object]) -> None:
    left = _without_names(json.dumps(error, ensure_ascii=False), {NAME})
    assert "Дала" not in left
    assert ERASED_DOCUMENT in left
    assert json.loads(left)["key"] == error["key"]


def test_a_name_is_taken_out_of_a_sentence_of_before() -> None:
    assert _without_names(f"{NAME}: the file is empty", {NAME}) == (
        f"{ERASED_DOCUMENT}: the file is empty"
    )


def test_a_document_that_is_called_as_a_code_begins_leaves_the_code() -> None:
    error = {"key": "reading.empty_file", "values": {}, "about": "reading"}
    left = json.loads(_without_names(json.dumps(error), {"reading"}))
    assert left == error | {"about": ERASED_DOCUMENT}
