"""Columns that many tables of a server have alike."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Text


def id_column() -> Column[str]:
    """The name of a row: random letters, never a number that could be guessed."""
    return Column("id", Text, primary_key=True)


def owner_column(
    table: str, column: str, *, is_key: bool = False, index: bool = False
) -> Column[str]:
    """The row of another table that a row belongs to, and goes with."""
    owner = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return Column(column, Text, owner, primary_key=is_key, nullable=False, index=index)


def by_column(column: str = "user_id") -> Column[str]:
    """Who did it; the person may be gone."""
    return Column(column, Text, ForeignKey("users.id", ondelete="SET NULL"), index=True)
