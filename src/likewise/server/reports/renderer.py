"""A process that renders reports of saved results: `python -m likewise.server.reports.renderer`.

It answers orders one after the other until nobody asks any more; `process_pool` says how. The kinds
of its answers: `d` is what was asked for, `e` a sentence for people, `m` the memory was not enough.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from likewise.errors import LikewiseError
from likewise.model import Check
from likewise.process_pool import limit_memory, open_pipes, read_request, send_answer
from likewise.report import View, write_view
from likewise.report.batch import count_pairs
from likewise.report.check import apply_decisions, view_with_decisions
from likewise.report.names import label_batch, label_check
from likewise.report.storage import unpack_check, unpack_view
from likewise.report.student import check_for_student, view_for_student, web_pages
from likewise.report.texts import DocumentFacts
from likewise.report.view import BatchView, CheckView
from likewise.results import (
    CommentRow,
    CommissionRow,
    Confirmation,
    ConfirmationRow,
    DecisionRow,
    check_result,
    check_summary,
    decode,
    encode,
    utf8,
)
from likewise.server.problems import with_file
from likewise.server.reports.certificate import CertificateFacts, certify
from likewise.server.reports.certificate_pdf import certificate_pdf


def render(order: Mapping[str, Any], parts: Sequence[bytes]) -> bytes:
    """What an order asks for."""
    what = order["what"]
    if what == "result":
        return _result(unpack_check(parts[0]), order)
    if what == "length":
        return str(len(unpack_check(parts[0]).document.text)).encode()
    if what == "summary":
        return _summary(unpack_check(parts[0]), order)
    if what == "student summary":
        return utf8(encode(check_summary(_student_check(order, parts[0]), order["date"])))
    if what == "certified check":
        return utf8(encode(certify(_check_view(order, parts[0]))))
    if what == "certificate":
        facts = decode(CertificateFacts, order["facts"])
        return certificate_pdf(order["number"], order["code"], facts)
    view: View
    if order.get("is_view"):
        view = unpack_view(parts[0])
    else:
        view = _batch_view(order, parts) if "members" in order else _check_view(order, parts[0])
    made = {name: order.get(name, "") for name in ("address", "institution", "recipient")}
    view = replace(view, made=replace(view.made, **made))
    return _write(view, order["format"], order["language"], order.get("time_zone", "UTC"))


def _result(check: Check, order: Mapping[str, Any]) -> bytes:
    """Everything that programs get."""
    decisions = _decisions(order)
    result = check_result(
        apply_decisions(check, decisions),
        decisions=decisions,
        confirmations=decode(tuple[ConfirmationRow, ...], order["confirmations"]),
        comments=_comments(order),
        readable=set(order["readable"]),
        level=order["level"],
        min_percentage=order["min_percentage"],
        sort=order.get("sort", "share"),
    )
    return utf8(encode(result))


def _summary(check: Check, order: Mapping[str, Any]) -> bytes:
    """The summary after some decisions; and what of them the check does not know."""
    source_names = {source.name for source in check.sources}
    decisions = _decisions(order)
    for one in decisions:
        if one.source is not None and one.source not in source_names:
            return b'{"unknown": "source"}'
        if one.span is not None and one.span.end > len(check.document.text):
            return b'{"unknown": "span"}'
    counted = apply_decisions(check, decisions)
    return utf8(encode(check_summary(counted, order["date"], len(decisions))))


def _check_view(order: Mapping[str, Any], packed: bytes) -> CheckView:
    if "student" in order:
        return view_for_student(_student_check(order, packed), order["date"])
    view = view_with_decisions(
        unpack_check(packed),
        _decisions(order),
        decode(tuple[Confirmation, ...], order["confirmations"]),
        order["date"],
        comments=_comments(order),
        commission=decode(tuple[CommissionRow, ...], order.get("commission", [])),
        facts=DocumentFacts(**order.get("facts", {})),
        source_facts={
            name: DocumentFacts(**facts) for name, facts in order.get("source_facts", {}).items()
        },
    )
    return label_check(view, order.get("handed_in", ()))


def _student_check(order: Mapping[str, Any], packed: bytes) -> Check:
    """A check as its student may see it."""
    check, student = unpack_check(packed), order["student"]
    return check_for_student(
        check,
        web_pages(check) | set(student["open"]),
        _decisions(order),
        name=student["name"],
        fewest_words=student["fewest_words"],
    )


def _batch_view(order: Mapping[str, Any], parts: Sequence[bytes]) -> BatchView:
    """A batch, with the documents counted anew about which somebody decided something."""
    view = unpack_view(parts[0])
    if not isinstance(view, BatchView):
        raise LikewiseError("server.not_a_batch")
    recounted = {
        member["name"]: _check_view(member | {"date": order["date"]}, packed)
        for member, packed in zip(order["members"], parts[1:], strict=True)
    }
    checks = [recounted.get(check.document.name, check) for check in view.checks]
    facts = DocumentFacts(**order.get("facts", {}))
    checks = [replace(check, document=facts.added_to(check.document)) for check in checks]
    checks.sort(key=lambda check: (-_similar(check), check.document.name))
    return count_pairs(label_batch(replace(view, checks=tuple(checks))))


def _similar(view: CheckView) -> Fraction:
    return Fraction(view.shares.similar, view.shares.whole or 1)


def _write(view: View, format: str, language: Any, time_zone: str) -> bytes:
    with TemporaryDirectory(prefix="likewise-report-") as folder:
        path = Path(folder, f"report.{format}")
        # Who runs the server says nothing about who reads.
        language = language if format == "html" else language or "en"
        write_view(view, path, language, time_zone=time_zone)
        return path.read_bytes()


def _decisions(order: Mapping[str, Any]) -> tuple[DecisionRow, ...]:
    decisions: tuple[DecisionRow, ...] = decode(tuple[DecisionRow, ...], order["decisions"])
    return decisions


def _comments(order: Mapping[str, Any]) -> tuple[CommentRow, ...]:
    comments: tuple[CommentRow, ...] = decode(tuple[CommentRow, ...], order.get("comments", []))
    return comments


def main(memory_bytes: int) -> None:
    """Answer every order."""
    if memory_bytes:
        limit_memory(memory_bytes)
    orders, answers = open_pipes()
    while request := read_request(orders):
        try:
            kind, answer = b"d", render(*request)
        except LikewiseError as error:
            message = with_file(error.message, error.about).plain()
            kind, answer = b"e", json.dumps(message).encode()
        except MemoryError:
            kind, answer = b"m", b""
        send_answer(answers, kind, answer)
        del request, answer


if __name__ == "__main__":
    main(int(sys.argv[1]))
