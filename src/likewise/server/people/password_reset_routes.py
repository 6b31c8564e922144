"""A new password for whoever has forgotten the old one, by mail."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field

from likewise.catalogue import LanguageCode
from likewise.server.http.addresses import address_of
from likewise.server.people.access import TheSite
from likewise.server.people.cookies import ensure_same_origin
from likewise.server.people.mail import sends_mail
from likewise.server.people.password_resets import ask_for_reset, use_reset
from likewise.server.shapes import Given, Shape

router = APIRouter(tags=["password resets"])


class ResetsOffered(Shape):
    """Whether this server sends mail."""

    is_possible: bool


class ResetAsked(Given):
    """Whose password it is, by the name to log in by or by the address of mail."""

    name: str = Field(min_length=1, max_length=256)
    language: LanguageCode | None = Field(
        default=None, description="where the person has chosen none"
    )


class ResetUsed(Given):
    """What the link holds, and the new password."""

    token: str = Field(min_length=1, max_length=200)
    password: str = Field(max_length=1_000)


@router.get("/password-resets", summary="Whether forgotten passwords are reset by mail")
def show_resets(site: TheSite) -> ResetsOffered:
    """For the page that logs people in."""
    return ResetsOffered(is_possible=sends_mail(site.config))


@router.post("/password-resets", summary="Ask for a link to a new password", status_code=202)
def ask_for_link(given: ResetAsked, site: TheSite, request: Request) -> ResetsOffered:
    """The answer is the same whether anybody has this name or not."""
    ensure_same_origin(site, request)
    ask_for_reset(site, given.name, address_of(request), given.language)
    return ResetsOffered(is_possible=True)


@router.post("/password-resets/use", summary="Set a password by a link", status_code=204)
def use_link(given: ResetUsed, site: TheSite, request: Request) -> None:
    """A link is good once and for 30 minutes; all sessions of the person end."""
    ensure_same_origin(site, request)
    use_reset(site, given.token, given.password, address_of(request))
