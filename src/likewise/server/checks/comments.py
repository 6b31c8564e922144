"""Comments on places of a checked text, by everybody who may open the check.

They change nothing that is counted, so a confirmation stays as it is.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, delete, func, insert, select

from likewise.model import Span
from likewise.results import CommentRow
from likewise.server.caller import Caller
from likewise.server.checks.decisions import display_name, lock_check, report_time
from likewise.server.checks.service import find_check, read_packed_result
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people import audit
from likewise.server.problems import Problem, not_found
from likewise.server.reports.renderer_pool import renderers
from likewise.server.reports.saved import ensure_done

comments = tables.check_comments

MOST_COMMENTS = 500  # of a check


def read_comments(connection: Connection, id: str) -> list[CommentRow]:
    """What people wrote beside the text, in its order."""
    return [comment for comment, _ in read_comments_with_authors(connection, id)]


def read_comments_with_authors(
    connection: Connection, id: str
) -> list[tuple[CommentRow, str | None]]:
    """The same, each with the account that wrote it, if there still is one."""
    column = comments.c
    rows = connection.execute(
        select(comments)
        .where(column.check_id == id)
        .order_by(column.start, column.end, column.made_on, column.id)
    )
    return [
        (
            CommentRow(
                id=row.id,
                span=Span(row.start, row.end),
                by=row.user_name,
                on=report_time(row.made_on),
                comment=row.comment,
            ),
            row.user_id,
        )
        for row in rows
    ]


def add_comment(
    context: ServerContext, caller: Caller, id: str, span: Span, comment: str
) -> CommentRow:
    """Write beside a place of the text."""
    with context.store.reading() as connection:
        ensure_done(find_check(connection, caller, id))
        packed = read_packed_result(connection, id)
    ensure_span_within(span, packed)
    with context.store.beside() as connection:
        lock_check(connection, id)
        find_check(connection, caller, id)
        by = display_name(connection, caller)
        added = insert_comment(connection, id, span, comment, user=caller.id, by=by)
        audit.record_act(connection, caller, "check comment made", id, comment=added.id)
    return added


def ensure_span_within(span: Span, packed: bytes) -> None:
    """Refuse a place behind the end of the text."""
    if span.end > int(renderers().render({"what": "length"}, packed)):
        raise Problem("bad request", "server.span_beyond")


def insert_comment(
    connection: Connection,
    id: str,
    span: Span,
    comment: str,
    *,
    user: str | None,
    by: str,
    link: str | None = None,
) -> CommentRow:
    """A new row, by a person or by whoever was sent a link; the check is held by who calls."""
    count = select(func.count()).select_from(comments).where(comments.c.check_id == id)
    if connection.execute(count).scalar_one() >= MOST_COMMENTS:
        raise Problem("conflict", "server.many_comments", n=MOST_COMMENTS)
    now = utc_now()
    added = CommentRow(
        id=secrets.token_hex(12), span=span, by=by, on=report_time(now), comment=comment
    )
    connection.execute(
        insert(comments).values(
            id=added.id,
            check_id=id,
            user_id=user,
            user_name=by,
            made_on=now,
            start=span.start,
            end=span.end,
            comment=comment,
            link_id=link,
        )
    )
    return added


def delete_comment(context: ServerContext, caller: Caller, id: str, comment: str) -> None:
    """Take one's own comment back."""
    with context.store.beside() as connection:
        find_check(connection, caller, id)
        column = comments.c
        own = (column.id == comment, column.check_id == id, column.user_id == caller.id)
        if not connection.execute(delete(comments).where(*own)).rowcount:
            raise not_found("server.noun_comment")
        audit.record_act(connection, caller, "check comment deleted", id, comment=comment)


def delete_comment_of_link(connection: Connection, id: str, link: str, comment: str) -> None:
    """The same for whoever was sent a link: what was written by it."""
    column = comments.c
    own = (column.id == comment, column.check_id == id, column.link_id == link)
    if not connection.execute(delete(comments).where(*own)).rowcount:
        raise not_found("server.noun_comment")


def read_comment_links(connection: Connection, id: str) -> dict[str, str | None]:
    """By which link each comment of a check was written, if by one."""
    rows = connection.execute(
        select(comments.c.id, comments.c.link_id).where(comments.c.check_id == id)
    )
    return {row.id: row.link_id for row in rows}
