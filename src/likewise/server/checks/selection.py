"""Which checks are meant: by their ids, or all that fit filters, however many these are."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    and_,
    cast,
    exists,
    func,
    select,
    type_coerce,
)

from likewise.server.caller import Caller
from likewise.server.context import SiteSettings, read_settings
from likewise.server.database import tables
from likewise.server.jobs.queue import State
from likewise.server.shapes import RequestBody

checks, confirmations = tables.checks, tables.check_confirmations

Level = Literal["notice", "high"]
CheckId = Annotated[str, Field(pattern="^[0-9a-z]{1,64}$")]
MOST_IDS = 1_000
Sort = Literal["made_on", "-made_on", "name", "-name", "similar", "-similar"]


class CheckFilters(RequestBody):
    """Checks that fit everything given here."""

    whose: Literal["all", "mine", "shared"] = "all"
    state: State | None = None
    search: str = Field(default="", max_length=200, description="words that its name holds")
    in_batches: bool = Field(default=False, description="those of batches too")
    tricks: bool = Field(default=False, description="only those whose file holds tricks")
    level: Level | None = Field(
        default=None, description="only those whose similar share reaches this threshold"
    )
    unopened: bool = Field(
        default=False, description="only the caller's own whose report was not opened yet"
    )
    unconfirmed: bool = Field(
        default=False, description="only those that wait for the caller as a second reader"
    )


class ChecksRequest(CheckFilters):
    """One page of a list of checks."""

    sort: Sort = "-made_on"
    limit: int = Field(default=50, ge=1, le=500)
    offset: int = Field(default=0, ge=0, le=1_000_000_000)


class CheckSelection(RequestBody):
    """Checks by their ids, or all that fit; without some of them."""

    ids: list[CheckId] | None = Field(default=None, min_length=1, max_length=MOST_IDS)
    filters: CheckFilters | None = None
    without: list[CheckId] = Field(
        default=[], max_length=MOST_IDS, description="of those that fit the filters"
    )
    expected: int | None = Field(
        default=None,
        ge=0,
        description="how many fit the filters as far as the caller knows; of another number nothing"
        " is done",
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> CheckSelection:
        if (self.ids is None) == (self.filters is None):
            raise ValueError("give ids or filters, one of them")
        return self


def filter_conditions(
    connection: Connection, caller: Caller, filters: CheckFilters
) -> list[ColumnElement[bool]]:
    """What a check meets that fits, beside its state and its name."""
    is_mine = checks.c.user_id == caller.id
    visible = {
        "all": is_mine | checks.c.is_shared,
        "mine": is_mine,
        "shared": and_(checks.c.is_shared, ~is_mine),
    }
    conditions: list[ColumnElement[bool]] = [visible[filters.whose]]
    if not filters.in_batches:
        handed_in = select(tables.submissions.c.check_id).where(
            tables.submissions.c.check_id.is_not(None)
        )
        conditions += [checks.c.batch_id.is_(None), checks.c.id.not_in(handed_in)]
    if filters.tricks:
        conditions.append(holds_tricks(connection))
    if filters.level is not None:
        settings = read_settings(connection)
        conditions.append(similar_share(connection) >= threshold_of(settings, filters.level))
    if filters.unopened:
        is_new = and_(is_mine, checks.c.summary.is_not(None), checks.c.opened_on.is_(None))
        conditions.append(is_new)
    if filters.unconfirmed:
        conditions.append(awaits_reader(caller))
    return conditions


def threshold_of(settings: SiteSettings, level: Level) -> float:
    return settings.high_share if level == "high" else settings.notice_share


def _summary(connection: Connection) -> Any:
    is_strict = connection.dialect.name == "postgresql"
    return cast(checks.c.summary, JSON) if is_strict else type_coerce(checks.c.summary, JSON)


def similar_share(connection: Connection) -> Any:
    """The similar share of a check's summary; nothing where there is none yet."""
    return _summary(connection)[("shares", "similar")].as_float()


def holds_tricks(connection: Connection) -> ColumnElement[bool]:
    """Whether something was found in the file that hides copying."""
    if connection.dialect.name == "postgresql":
        return func.json_array_length(_summary(connection)["disguises"]) > 0
    return func.json_array_length(checks.c.summary, "$.disguises") > 0


def awaits_reader(caller: Caller) -> ColumnElement[bool]:
    """Checks of others that are done and shared, and that the caller has not confirmed."""
    confirmed = exists(
        select(confirmations.c.id).where(
            confirmations.c.check_id == checks.c.id, confirmations.c.user_id == caller.id
        )
    )
    return and_(
        checks.c.is_shared,
        checks.c.user_id != caller.id,
        checks.c.summary.is_not(None),
        ~confirmed,
    )
