"""Certificates: issued with a number and a code, listed, revoked, verified.

What a certificate says is frozen when it is issued: later decisions about its check change nothing
of it, nor does the end of the check. Only an erasure takes names out (`database/erase_results.py`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, insert, or_, select, text, update

from likewise.library import schema
from likewise.results import DecisionRow, decode, plain
from likewise.server.caller import Caller
from likewise.server.certificates.codes import code_from, grouped, new_code
from likewise.server.certificates.shapes import IssueCertificate, ProposedCertificate
from likewise.server.checks import decisions
from likewise.server.checks.service import SavedCheck, find_check, read_packed_result
from likewise.server.context import ServerContext, read_settings, utc_now
from likewise.server.database import tables
from likewise.server.http.addresses import network_of
from likewise.server.people import audit
from likewise.server.people.login_throttle import try_request
from likewise.server.permissions import readable_collections
from likewise.server.problems import Problem, not_found
from likewise.server.reports.certificate import CertificateFacts, CertifiedCheck
from likewise.server.reports.renderer_pool import renderers
from likewise.server.reports.saved import ensure_done

certificates, checks = tables.certificates, tables.checks

PAGE = "/certificates"  # where people type a code
MOST_FROM_NETWORK, SPELL = 600, timedelta(hours=1)  # an office verifies a pile of paper
_ROUNDS = 5  # somebody may decide about the check at the same moment
_NUMBERING = 0xCE27  # the lock under which numbers are given on PostgreSQL


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as it is kept."""

    id: str  # the code
    number: int
    check_id: str | None
    user_id: str | None
    user_name: str
    made_on: datetime
    revoked_on: datetime | None
    facts: CertificateFacts
    reason: str  # why it was revoked

    @classmethod
    def from_row(cls, row: Any) -> Certificate:
        values = dict(row._mapping)
        facts = json.loads(values["facts"])
        values["reason"] = facts.pop("revoked_why", "")
        values["facts"] = decode(CertificateFacts, facts)
        return cls(**values)


def list_certificates(
    context: ServerContext, caller: Caller, check_id: str
) -> tuple[SavedCheck, list[Certificate], ProposedCertificate]:
    """Those of a check that the caller may open, the newest first; and what a new one would say."""
    column = certificates.c
    with context.store.reading() as connection:
        report = _read_report(connection, caller, check_id)
        query = select(certificates).where(column.check_id == check_id)
        rows = connection.execute(query.order_by(column.number.desc())).all()
    certified = _certify(report)
    with context.store.reading() as connection:
        proposed = _proposed(connection, caller, report.check, certified)
    return report.check, list(map(Certificate.from_row, rows)), proposed


def may_issue(caller: Caller, check: SavedCheck) -> bool:
    """The owner of a check, and administrators who may open it."""
    return check.user_id == caller.id or caller.is_administrator


def issue(
    context: ServerContext, caller: Caller, check_id: str, request: IssueCertificate
) -> Certificate:
    """Freeze what a report says now, under the next number and a new code."""
    for _ in range(_ROUNDS):
        with context.store.reading() as connection:
            if not may_issue(caller, find_check(connection, caller, check_id)):
                raise Problem("not allowed", "server.certificate_owner")
            before = _read_report(connection, caller, check_id)
        certified = _certify(before)
        with context.store.beside() as connection:
            # Taken back, decided about or erased in part meanwhile: what was drawn is not true.
            if _read_report(connection, caller, check_id) != before:
                continue
            return _keep(context, connection, caller, before.check, certified, request)
    raise Problem("conflict", "server.at_once")


def _keep(
    context: ServerContext,
    connection: Connection,
    caller: Caller,
    check: SavedCheck,
    certified: CertifiedCheck,
    request: IssueCertificate,
) -> Certificate:
    said = _proposed(connection, caller, check, certified).model_dump()
    said |= request.model_dump(exclude_none=True)
    now, name = utc_now(), decisions.display_name(connection, caller)
    facts = CertificateFacts(
        **said,
        issued_by=name,
        issued_on=decisions.report_time(now),
        verify_at=_verify_at(context),
        check=replace(certified, author="", title=""),  # they are said as they were corrected
    )
    row: dict[str, Any] = {
        "id": new_code(),
        "number": _next_number(connection),
        "check_id": check.id,
        "user_id": caller.id,
        "user_name": name,
        "made_on": now,
        "revoked_on": None,
    }
    stored = json.dumps(plain(facts), ensure_ascii=False)
    connection.execute(insert(certificates).values(**row, facts=stored))
    audit.record_act(connection, caller, "certificate issued", check.id, number=row["number"])
    return Certificate(**row, facts=facts, reason="")


@dataclass(frozen=True, slots=True)
class _Report:
    """What a report is made of."""

    check: SavedCheck
    decisions: list[DecisionRow]
    packed: bytes


def _read_report(connection: Connection, caller: Caller, check_id: str) -> _Report:
    check = find_check(connection, caller, check_id)
    ensure_done(check)
    return _Report(
        check,
        decisions.read_decisions(connection, check_id),
        read_packed_result(connection, check_id),
    )


def _certify(report: _Report) -> CertifiedCheck:
    """What a report says, as people decided."""
    order = {
        "what": "certified check",
        "decisions": plain(report.decisions),
        "confirmations": [],
        "date": (report.check.summary or {}).get("done_on"),
    }
    answer = renderers().render(order, report.packed)
    certified: CertifiedCheck = decode(CertifiedCheck, json.loads(answer))
    return certified


def _proposed(
    connection: Connection, caller: Caller, check: SavedCheck, certified: CertifiedCheck
) -> ProposedCertificate:
    """The library knows more than a file says of itself, and what was sent with it more still."""
    known: dict[str, Any] = dict(check.request.get("metadata") or {})
    document = schema.documents.c
    number = check.request.get("document")
    if number is not None:
        row = connection.execute(
            select(document.author, document.advisor).where(
                document.id == number,
                document.collection.in_(readable_collections(connection, caller)),
            )
        ).first()
        if row is not None:
            known |= {"author": row.author, "advisor": row.advisor}
    return ProposedCertificate(
        institution=read_settings(connection).institution,
        author=known.get("author") or certified.author,
        title=certified.title,
        supervisor=known.get("advisor") or "",
    )


def _next_number(connection: Connection) -> int:
    """The number after the last one; others who issue at this moment wait for the transaction.

    No row is ever deleted: the highest number is how many there are.
    """
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_NUMBERING})"))
    last = connection.execute(select(func.max(certificates.c.number))).scalar()
    return (last or 0) + 1


def _verify_at(context: ServerContext) -> str:
    """The page for whoever holds the paper: only where the server was told its address."""
    public_url = context.config.public_url.rstrip("/")
    return public_url + PAGE if public_url else ""


# What has been issued


def find_certificate(connection: Connection, caller: Caller, typed: str) -> Certificate:
    """One whose check the caller may open; whoever issued it keeps it when the check is gone."""
    column = certificates.c
    is_visible = or_(checks.c.user_id == caller.id, checks.c.is_shared, column.user_id == caller.id)
    row = connection.execute(
        select(certificates)
        .select_from(certificates.outerjoin(checks, checks.c.id == column.check_id))
        .where(column.id == (code_from(typed) or ""), is_visible)
    ).first()
    if row is None:
        raise not_found("server.noun_certificate")
    return Certificate.from_row(row)


def may_revoke(caller: Caller, certificate: Certificate, owner: str | None) -> bool:
    """Whoever issued it, the owner of its check, and administrators."""
    return caller.is_administrator or caller.id in (certificate.user_id, owner)


def revoke(context: ServerContext, caller: Caller, typed: str, reason: str) -> Certificate:
    """It stays known, and is shown to be revoked; that cannot be taken back."""
    code = code_from(typed) or ""
    with context.store.beside() as connection:
        column = certificates.c
        if not caller.is_administrator:  # who hold somebody's paper, and no right to the check
            find_certificate(connection, caller, code)
        query = select(certificates).where(column.id == code).with_for_update()
        row = connection.execute(query).first()
        if row is None:
            raise not_found("server.noun_certificate")
        certificate = Certificate.from_row(row)
        owner = connection.execute(
            select(checks.c.user_id).where(checks.c.id == certificate.check_id)
        ).scalar()
        if not may_revoke(caller, certificate, owner):
            raise Problem("not allowed", "server.certificate_revoker")
        if certificate.revoked_on is not None:
            raise Problem("conflict", "server.certificate_revoked")
        now = utc_now()
        facts = json.loads(row.facts) | {"revoked_why": reason}
        connection.execute(
            update(certificates)
            .where(column.id == code)
            .values(revoked_on=now, facts=json.dumps(facts, ensure_ascii=False))
        )
        target = certificate.check_id
        audit.record_act(
            connection, caller, "certificate revoked", target, number=certificate.number
        )
    return replace(certificate, revoked_on=now, reason=reason)


def draw(certificate: Certificate) -> bytes:
    """The page as a PDF, always the same."""
    order = {
        "what": "certificate",
        "number": certificate.number,
        "code": grouped(certificate.id),
        "facts": plain(certificate.facts),
    }
    return renderers().render(order)


def verify(context: ServerContext, typed: str, address: str) -> Certificate | None:
    """The certificate of a code, for anybody; None where there is none."""
    code = code_from(typed)
    with context.store.beside() as connection:
        network = network_of(address)
        wait = try_request(connection, f"certificate from {network}", MOST_FROM_NETWORK, SPELL)
    if wait:
        details = {"retry_after": wait}
        raise Problem("too many requests", "server.certificates_often", details=details)
    if code is None:
        return None
    with context.store.reading() as connection:
        row = connection.execute(select(certificates).where(certificates.c.id == code)).first()
    return None if row is None else Certificate.from_row(row)
