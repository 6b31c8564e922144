"""Receipts of erasures, in their table."""

from __future__ import annotations

import contextlib
import json
import secrets

from sqlalchemy import Connection, insert, select, update

from likewise.library import schema
from likewise.library.erasure import Kind, Receipt, receipt_of
from likewise.library.store import now

erasures = schema.erasures


def new_receipt(kind: Kind, engine: str, by: str | None = None, id: str | None = None) -> Receipt:
    """The beginning of one."""
    return Receipt(id or secrets.token_hex(12), kind, now(), by, engine=engine)


def write_receipt(connection: Connection, receipt: Receipt, user_id: str | None = None) -> None:
    """Keep a receipt as it stands now, in the transaction of what it tells."""
    row = erasures.c
    record = json.dumps(receipt.as_dict())
    query = update(erasures).where(row.id == receipt.id).values(receipt=record)
    if not connection.execute(query).rowcount:
        connection.execute(
            insert(erasures).values(
                id=receipt.id,
                made_on=receipt.made_on,
                user_id=user_id,
                user_name=receipt.by,
                receipt=record,
            )
        )


def read_receipt(connection: Connection, id: str) -> Receipt | None:
    """A receipt by its letters."""
    column = erasures.c
    query = select(column.receipt, column.user_name).where(column.id == id)
    row = connection.execute(query).first()
    return None if row is None else receipt_of(json.loads(row.receipt), row.user_name)


def read_receipts(
    connection: Connection, *, limit: int | None = None, offset: int = 0
) -> list[Receipt]:
    """Receipts, the newest first."""
    column = erasures.c
    query = select(column.receipt, column.user_name).order_by(column.made_on.desc(), column.id)
    page = query.offset(offset) if limit is None else query.limit(limit).offset(offset)
    receipts = []
    for row in connection.execute(page).all():
        with contextlib.suppress(ValueError, KeyError, TypeError):  # damaged: it says nothing
            receipts.append(receipt_of(json.loads(row.receipt), row.user_name))
    return receipts
