"""Results as data: one schema, one encoder and one decoder for what is stored, sent and printed."""

from likewise.results.check import (
    CheckResult,
    CheckSummary,
    NoteResult,
    UnreadResult,
    check_at_level,
    check_result,
    check_summary,
    note_result,
    sources_in_order,
    unread_result,
)
from likewise.results.codec import SCHEMA, DocumentList, by_name, decode, encode, plain, utf8
from likewise.results.decisions import (
    CommentRow,
    CommissionDecision,
    CommissionRow,
    Confirmation,
    ConfirmationRow,
    Decision,
    DecisionRow,
)
from likewise.results.measures import (
    Level,
    MeasuresResult,
    SourceOrder,
    match_result,
    measures_of_values,
    measures_result,
)
from likewise.results.pages import PageRange, Pages

__all__ = [
    "SCHEMA",
    "CheckResult",
    "CheckSummary",
    "CommentRow",
    "CommissionDecision",
    "CommissionRow",
    "Confirmation",
    "ConfirmationRow",
    "Decision",
    "DecisionRow",
    "DocumentList",
    "Level",
    "MeasuresResult",
    "NoteResult",
    "PageRange",
    "Pages",
    "SourceOrder",
    "UnreadResult",
    "by_name",
    "check_at_level",
    "check_result",
    "check_summary",
    "decode",
    "encode",
    "match_result",
    "measures_of_values",
    "measures_result",
    "note_result",
    "plain",
    "sources_in_order",
    "unread_result",
    "utf8",
]
