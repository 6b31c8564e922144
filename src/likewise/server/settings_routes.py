"""What administrators decide for everybody, and how much of it a person has used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body
from fastapi import Path as InPath
from pydantic import Field, model_validator

from likewise.server.context import LEAST_AUDIT_DAYS, SiteSettings, lock_settings, read_settings
from likewise.server.people.access import (
    Administrator,
    ContextDep,
    DocumentsRead,
    Sender,
    ensure_recently_authenticated,
)
from likewise.server.people.audit import record_act
from likewise.server.people.users import Person, person_by_id, person_by_name
from likewise.server.people.ways_in import ensure_way_in
from likewise.server.problems import Problem, not_found
from likewise.server.quotas import limits_of, usage_of
from likewise.server.shapes import RequestBody, Shape

router = APIRouter(tags=["settings"])


class PublicSettings(Shape):
    """What everybody may know."""

    institution: str
    most_upload_bytes: int
    most_files: int
    keep_originals: bool
    least_password_length: int
    min_share: float


class Institution(Shape):
    """Whose server this is, as administrators named it."""

    name: str


class Thresholds(RequestBody):
    """Similar shares: from the first on a text is worth a look, from the second on it is high."""

    notice: float = Field(gt=0, lt=1)
    high: float = Field(gt=0, le=1)

    @model_validator(mode="after")
    def _in_order(self) -> Thresholds:
        if self.notice >= self.high:
            raise ValueError("notice lies below high")
        return self


class Limits(Shape):
    """What a page refuses before it sends it."""

    upload_bytes: int = Field(description="of all files of an upload")
    files: int
    text_bytes: int = Field(description="of a text that is checked")


class Used(Shape):
    """How much, of how much; null is no limit."""

    used: int
    most: int | None


class UsageShape(Shape):
    """What a person holds, and asked for in the last 24 hours."""

    name: str
    documents: Used
    bytes: Used
    checks_a_day: Used


@router.get("/settings", summary="Settings")
def show_settings(context: ContextDep, caller: DocumentsRead) -> SiteSettings | PublicSettings:
    """All of them for administrators, what concerns everybody for others."""
    with context.store.reading() as connection:
        settings = read_settings(connection)
    return settings if caller.is_administrator else PublicSettings.model_validate(settings)


@router.get("/institution", summary="Whose server this is")
def show_institution(context: ContextDep) -> Institution:
    """For the page that logs people in."""
    return Institution(name=context.settings.institution)


@router.put("/settings", summary="Replace all settings")
def set_settings(
    settings: SiteSettings, context: ContextDep, caller: Administrator
) -> SiteSettings:
    """What is left out is as it was in the beginning; leaving out everything is a mistake."""
    if not settings.model_fields_set:
        raise Problem("bad request", "server.no_setting")
    return _change(context, caller, lambda _before: settings)


@router.patch("/settings", summary="Change settings")
def change_settings(
    given: Annotated[dict[str, Any], Body(description="some of the settings")],
    context: ContextDep,
    caller: Administrator,
) -> SiteSettings:
    """What is left out stays as it is."""
    return _change(
        context, caller, lambda before: SiteSettings.model_validate(before.model_dump() | given)
    )


@router.get("/limits", summary="Limits of uploads")
def show_limits(context: ContextDep, caller: Sender) -> Limits:
    """How much may be sent at once, and how long a text may be."""
    with context.store.reading() as connection:
        settings = read_settings(connection)
    return Limits(
        upload_bytes=settings.most_upload_bytes,
        files=settings.most_files,
        text_bytes=context.config.most_text_bytes,
    )


@router.get("/thresholds", summary="Thresholds of shares")
def show_thresholds(context: ContextDep, caller: DocumentsRead) -> Thresholds:
    """Which similar shares are worth a look, and which are high; pages colour shares by them."""
    with context.store.reading() as connection:
        settings = read_settings(connection)
    return Thresholds(notice=settings.notice_share, high=settings.high_share)


@router.put("/thresholds", summary="Set thresholds of shares")
def set_thresholds(body: Thresholds, context: ContextDep, caller: Administrator) -> Thresholds:
    """For everybody, from now on; no report is counted anew."""
    shares = {"notice_share": body.notice, "high_share": body.high}
    _change(
        context, caller, lambda before: SiteSettings.model_validate(before.model_dump() | shares)
    )
    return body


def _change(
    context: ContextDep, caller: Administrator, change: Callable[[SiteSettings], SiteSettings]
) -> SiteSettings:
    """Read and written in one transaction: nobody's change is lost under another's."""
    with context.store.beside() as connection:
        before = lock_settings(connection)
        after = change(before)
        if after.keep_audit_days < LEAST_AUDIT_DAYS:
            raise Problem("bad request", "server.audit_days", n=LEAST_AUDIT_DAYS)
        old, new = before.model_dump(), after.model_dump()
        changed = {name: [old[name], new[name]] for name in new if new[name] != old[name]}
        if changed:
            if before.passwords_allowed and not after.passwords_allowed:
                ensure_recently_authenticated(caller)
                ensure_way_in(connection, even_with_passwords=True)
            record_act(connection, caller, "settings changed", None, **changed)
            context.change_settings(connection, after)
    return after


@router.get("/usage", summary="What the caller has used")
def show_own_usage(context: ContextDep, caller: DocumentsRead) -> UsageShape:
    """Documents, bytes and checks, and how many there may be."""
    with context.store.reading() as connection:
        return _usage(connection, person_by_id(connection, caller.id))


@router.get("/usage/{user}", summary="What a person has used")
def show_usage(
    user: Annotated[str, InPath(max_length=256)], context: ContextDep, caller: Administrator
) -> UsageShape:
    """By id or by the name to log in by."""
    with context.store.reading() as connection:
        person = person_by_id(connection, user) or person_by_name(connection, user)
        return _usage(connection, person)


def _usage(connection: Any, person: Person | None) -> UsageShape:
    if person is None:
        raise not_found("server.noun_person")
    limits = limits_of(connection, person.id)
    usage = usage_of(connection, person.id, person.name)
    return UsageShape(
        name=person.name,
        documents=Used(used=usage.documents, most=limits.documents),
        bytes=Used(used=usage.bytes, most=limits.bytes),
        checks_a_day=Used(used=usage.checks_a_day, most=limits.checks_a_day),
    )
