"""The second factor of one's own account: set up, looked at, taken off."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from likewise.server.people.access import ContextDep, PersonCaller, RecentPerson
from likewise.server.people.second_factor import (
    RECOVERY_CODES,
    SecondFactorState,
    begin_second_factor,
    confirm_second_factor,
    read_state,
    remove_own_second_factor,
    renew_recovery_codes,
)
from likewise.server.qr_code import qr_code_svg
from likewise.server.shapes import RequestBody, Shape, Timestamp

router = APIRouter(prefix="/me/second-factor", tags=["me"])


class SecondFactor(Shape):
    """Whether a code is asked for after the password."""

    is_on: bool
    since: Timestamp | None
    recovery_codes: int = Field(description="that are still good")

    @classmethod
    def of_state(cls, state: SecondFactorState) -> SecondFactor:
        return cls(is_on=state.is_on, since=state.since, recovery_codes=state.recovery_codes)


class BegunSecondFactor(Shape):
    """What an app needs. It is told this once, and counts for nothing until it is confirmed."""

    secret: str = Field(description="to be typed, in base 32")
    address: str = Field(description="otpauth://…, for an app on the same device")
    qr_code: str = Field(description="the same as a picture, SVG")


class Code(RequestBody):
    """A code of the app, or a recovery code where one is as good."""

    code: str = Field(min_length=1, max_length=100)


class RecoveryCodes(Shape):
    """Each is good once, in place of the app. They are told this once."""

    codes: list[str] = Field(description=f"{RECOVERY_CODES} of them")


@router.get("", summary="My second factor")
def show_second_factor(context: ContextDep, caller: PersonCaller) -> SecondFactor:
    """Whether there is one, and how many recovery codes are left."""
    with context.store.reading() as connection:
        return SecondFactor.of_state(read_state(connection, caller.id))


@router.post("", summary="Begin to set up a second factor", status_code=201)
def begin(context: ContextDep, caller: RecentPerson) -> BegunSecondFactor:
    """A new secret for an app; one that was begun before is forgotten."""
    new = begin_second_factor(context, caller)
    return BegunSecondFactor(
        secret=new.secret, address=new.address, qr_code=qr_code_svg(new.address).decode()
    )


@router.post("/confirm", summary="Confirm the second factor by a code")
def confirm(body: Code, context: ContextDep, caller: RecentPerson) -> RecoveryCodes:
    """From now on a code is asked for after the password."""
    return RecoveryCodes(codes=confirm_second_factor(context, caller, body.code))


@router.post("/recovery-codes", summary="Make other recovery codes", status_code=201)
def renew(context: ContextDep, caller: RecentPerson) -> RecoveryCodes:
    """Those of before are good for nothing any more."""
    return RecoveryCodes(codes=renew_recovery_codes(context, caller))


@router.post("/remove", summary="Remove my second factor", status_code=204)
def remove(body: Code, context: ContextDep, caller: RecentPerson) -> None:
    """Needs a code of the app, or a recovery code."""
    remove_own_second_factor(context, caller, body.code)
