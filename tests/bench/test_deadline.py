"""Some students before a deadline: nothing lost, nothing twice, on both databases."""

from __future__ import annotations

import pytest

from bench.deadline import Scale, handed_in_before_deadline

FEW = Scale(
    students=20, teachers=2, seconds=6.0, late_seconds=1.0, calm_seconds=2.0, patience_seconds=300.0
)


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_whatever_has_a_receipt_is_there_once_and_late_by_the_servers_clock(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", "")  # the run has one of its own, gone afterwards
    found = handed_in_before_deadline(engine, FEW)
    assert found["errors"] == 0, found["first_errors"]
    assert (found["lost"], found["twice"], found["wrongly_late"]) == (0, 0, 0), found
    assert found["receipts"] == found["hand_ins"] >= FEW.students
    assert found["rows"] == found["files"]
    assert set(found["states"]) <= {"checked", "replaced"}, found["states"]
    assert found["connections_lost"] > 0
    assert found["resubmitted"] > 0
